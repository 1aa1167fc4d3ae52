// Knuth, Morris and Pratt: one look at each character, also where a match goes over the end of a block.
#include <ctype.h>
#include <string.h>
#include "match.h"

static int fold(const struct matcher *m, char c) { return m->ignore_case ? tolower((unsigned char)c) : c; }

void matcher_init(struct matcher *m, const char *pattern, int ignore_case) {
  int k = 0;
  m->ignore_case = ignore_case;
  m->length = (int)strlen(pattern);
  for (int i = 0; i < m->length; i++)
    m->pattern[i] = (char)fold(m, pattern[i]);
  m->fail[0] = 0;
  for (int i = 1; i < m->length; i++) {
    while (k > 0 && m->pattern[i] != m->pattern[k])
      k = m->fail[k - 1];
    if (m->pattern[i] == m->pattern[k])
      k++;
    m->fail[i] = k;
  }
}

void match_begin(struct match_state *s) {
  s->matched = 0;
  s->line = 1;
}

// How many matches end in this block.
long match_block(const struct matcher *m, struct match_state *s, const char *block, long length) {
  long found = 0;
  for (long i = 0; i < length; i++) {
    int c = fold(m, block[i]);
    if (c == '\n')
      s->line++;
    while (s->matched > 0 && c != m->pattern[s->matched])
      s->matched = m->fail[s->matched - 1];
    if (c == m->pattern[s->matched])
      s->matched++;
    if (s->matched == m->length) {
      found++;
      s->matched = m->fail[s->matched - 1];
    }
  }
  return found;
}
