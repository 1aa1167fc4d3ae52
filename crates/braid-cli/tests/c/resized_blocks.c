// expect: safe
// `realloc` keeps what fits, of numbers, structs and bytes, and allocates where there was nothing.
// expect -D WRONG: unsafe
// The last element is not lost when there is more room.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct point { int x; long y; struct point *next; };
struct vector { int count, room; int *data; };

static void *resize(void *old, size_t size) {
  void *new = realloc(old, size);
  if (!new) abort();
  return new;
}
static void push(struct vector *v, int x) {
  if (v->count == v->room) {
    v->room = v->room ? 2 * v->room : 1;
    v->data = realloc(v->data, v->room * sizeof *v->data);
  }
  v->data[v->count++] = x;
}
int main(void) {
  struct vector v = {0};
  for (int i = 0; i < 5; i++) push(&v, i * i);
#ifndef WRONG
  assert(v.room == 8 && v.data[0] == 0 && v.data[3] == 9 && v.data[4] == 16);
#else
  assert(v.room == 8 && v.data[0] == 0 && v.data[3] == 9 && v.data[4] != 16);
#endif
  v.data = realloc(v.data, 2 * sizeof *v.data);
  assert(v.data[1] == 1);
  struct point *p = malloc(sizeof *p);
  p->x = 3, p->y = 4, p->next = 0;
  p = resize(p, 2 * sizeof *p);
  p[1].next = &p[0];
  assert(p[1].next->x == 3 && p[0].y == 4);
  free(p);
  return 0;
}
