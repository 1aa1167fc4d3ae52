// expect -D N=6: safe
// The head of a list stands for its last member: an address in front of an object, where nothing is accessed.
// expect -D N=5: unsafe
// The same with another sum.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
struct list_head { struct list_head *next, *prev; };
struct item { int value; struct list_head link; };
static struct list_head items = { &items, &items };
static void add(struct list_head *new, struct list_head *prev, struct list_head *next) { next->prev = new; new->next = next; new->prev = prev; prev->next = new; }
#define entry(p) ((struct item *)((char *)(p) - offsetof(struct item, link)))
int main(void) {
  for (int i = 0; i < 2; i++) {
  struct item *it = malloc(sizeof *it);
  it->value = 3;
  add(&it->link, items.prev, &items);
  }
  int sum = 0;
  struct item *at;
  for (at = entry(items.next); &at->link != &items; at = entry(at->link.next)) sum += at->value;
  assert(sum == N);
}
