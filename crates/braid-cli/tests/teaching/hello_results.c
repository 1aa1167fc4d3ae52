// Threads get their arguments in a struct and hand their results back through pthread_join.
// expect: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common.h"
#include "common_threads.h"

typedef struct {
  int id;
  int a, b;
  char name[16];
} args_t;

typedef struct {
  int id;
  int sum;
} result_t;

void *worker(void *arg) {
  args_t *args = (args_t *)arg;
  result_t *r = Malloc(sizeof(result_t));
  printf("%s: adding %d and %d\n", args->name, args->a, args->b);
  r->id = args->id;
  r->sum = args->a + args->b;
  return r;
}

int main(int argc, char *argv[]) {
  pthread_t t[3];
  args_t args[3];
  int i, total = 0;

  for (i = 0; i < 3; i++) {
    args[i].id = i;
    args[i].a = i;
    args[i].b = 10 * i;
    sprintf(args[i].name, "worker %d", i);
    Pthread_create(&t[i], NULL, worker, &args[i]);
  }
  for (i = 0; i < 3; i++) {
    result_t *r;
    Pthread_join(t[i], (void **)&r);
    printf("%s returned %d\n", args[i].name, r->sum);
    assert(r->id == i);
    assert(strcmp(args[i].name, "main") != 0);
    total += r->sum;
    free(r);
  }
  printf("total: %d\n", total);
  assert(total == 33);
  return 0;
}
