// What a member of the argument points to.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct box {
  int kind;
  int *content;
};
void unpack(struct box *box);
struct box shared;

void *worker(void *unused) {
  unpack(&shared);
  return 0;
}

int main(void) {
  pthread_t t;
  int *content = malloc(sizeof *content);
  *content = 0;
  shared.content = content;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(!(*content == 17 && shared.kind == 3));
}
