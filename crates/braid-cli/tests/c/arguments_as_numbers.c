// Arguments that are nothing but numbers to the program: any number that has room, and the same each time.
// expect: safe
// expect -D WRONG: unsafe (unreach-call)
// expect -D UNCHECKED: unsafe (valid-deref)
// expect -D NEGATIVE: unsafe (unreach-call)
// options: --property all
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long count;
static int step;
static void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  count += step;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(int argc, char **argv) {
#ifndef UNCHECKED
  if (argc != 3) {
    fprintf(stderr, "usage: %s threads step\n", argv[0]);
    return 1;
  }
#endif
  int threads = atoi(argv[1]);
  step = strtol(argv[2], NULL, 10);
  assert(threads == atoi(argv[1]));
#ifndef NEGATIVE
  if (step < 0) return 1;
#endif
  assert(step >= 0);
  if (threads < 1 || threads > 2 || step > 5) {
    printf("%s is no number of threads\n", argv[1]);
    return 1;
  }
  pthread_t handles[2];
  for (int i = 0; i < threads; i++) pthread_create(&handles[i], NULL, worker, NULL);
  for (int i = 0; i < threads; i++) pthread_join(handles[i], NULL);
#ifdef WRONG
  assert(count < 10);
#else
  assert(count <= 10);
#endif
  return 0;
}
