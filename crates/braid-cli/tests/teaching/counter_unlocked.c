// Two threads count without a lock. Usage: counter <loops>
// expect: unsafe
// options: --args "counter 3"
#include "common.h"
#include "common_threads.h"

static volatile int counter = 0;
int loops;

void *worker(void *arg) {
  int i;
  char *name = (char *)arg;
  printf("%s: begin\n", name);
  for (i = 0; i < loops; i++) {
    counter++;
  }
  printf("%s: done\n", name);
  return NULL;
}

int main(int argc, char *argv[]) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s <loops>\n", argv[0]);
    exit(1);
  }
  loops = atoi(argv[1]);
  pthread_t p1, p2;
  Pthread_create(&p1, NULL, worker, "A");
  Pthread_create(&p2, NULL, worker, "B");
  Pthread_join(p1, NULL);
  Pthread_join(p2, NULL);
  printf("counter = %d (should be %d)\n", counter, 2 * loops);
  assert(counter == 2 * loops);
  return 0;
}
