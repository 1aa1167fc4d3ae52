#ifndef MATCH_H
#define MATCH_H

#include "scan.h"

// The tables of the search are made once, and only read afterwards.
struct matcher {
  char pattern[MAX_PATTERN];
  int length;
  int fail[MAX_PATTERN];
  int ignore_case;
};

// Where one reader is in its file.
struct match_state {
  int matched;
  long line;
};

void matcher_init(struct matcher *m, const char *pattern, int ignore_case);
void match_begin(struct match_state *s);
long match_block(const struct matcher *m, struct match_state *s, const char *block, long length);

#endif
