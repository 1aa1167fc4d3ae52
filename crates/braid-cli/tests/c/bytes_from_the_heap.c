// expect: safe
// One block holds a header, and behind it what the header says.
#include "model.h"
#include <stdlib.h>
#include <string.h>

struct header { unsigned short kind; unsigned short length; };
static char *packet(unsigned short kind, const char *text) {
  struct header h = {kind, (unsigned short)strlen(text)};
  char *block = malloc(sizeof h + 8);
  memcpy(block, &h, sizeof h);
  memcpy(block + sizeof h, text, h.length);
  return block;
}
int main() {
  char *p = packet(7, "abc");
  struct header *h = (struct header *)p;
  check(h->kind == 7 && h->length == 3 && p[4] == 'a' && p[6] == 'c');
  int *number = (int *)(p + sizeof *h);
  *number = 0x64636261;
  check(p[7] == 'd');
}
