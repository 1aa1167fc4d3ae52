// expect: safe
// Texts that grow, through a function that knows no type, and structs with an array at the end.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct list { int count; int items[]; };

static void *resize(void *old, size_t size) { return realloc(old, size); }

int main(void) {
  char *text = resize(0, 4);
  strcpy(text, "abc");
  text = resize(text, 8);
  strcat(text, "de");
  assert(strcmp(text, "abcde") == 0);
  struct list *list = malloc(sizeof *list + sizeof(int));
  list->count = 1, list->items[0] = 5;
  list = realloc(list, sizeof *list + 2 * sizeof(int));
  list->items[1] = 7;
  assert(list->count == 1 && list->items[0] == 5 && list->items[1] == 7);
  assert(realloc(list, 0) == 0);
  return 0;
}
