// expect: safe
// Structs by value, nested, in arrays, through pointers.
#include "model.h"

struct point { int x, y; };
struct box { struct point a; struct point b[2]; };
struct point mirrored(struct point p) { struct point q = {p.y, p.x}; p.x = 0; return q; }
int main() {
  struct point p = {1, 2}, q = mirrored(p);
  check(p.x == 1 && q.x == 2 && q.y == 1);
  struct box b = {.b = {{3, 4}}};
  check(b.a.x == 0 && b.b[0].y == 4 && b.b[1].x == 0);
  b.a = q;
  struct box c = b;
  c.a.x++;
  struct point *r = &c.b[1];
  r->y = 8;
  r--;
  check(r->x == 3 && c.b[1].y == 8 && b.b[1].y == 0 && c.a.x == 3 && b.a.x == 2);
  struct point *s = (struct point *)((char *)&c.b[1].y - __builtin_offsetof(struct point, y));
  check(s->y == 8);
}
