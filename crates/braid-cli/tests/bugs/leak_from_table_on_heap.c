// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
struct item { int number; };
static struct { int size; struct item **items; } *pool;
int main(void) {
  pool = malloc(sizeof *pool);
  pool->size = 3;
  pool->items = calloc(pool->size, sizeof *pool->items);
  for (int i = 0; i < pool->size; i++) {
#ifdef BUG
    int to = i / 2;
#else
    int to = i;
#endif
    pool->items[to] = malloc(sizeof **pool->items);
    pool->items[to]->number = i;
  }
}
