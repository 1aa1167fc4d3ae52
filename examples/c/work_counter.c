// Workers take pieces of work by their numbers. There are as many workers as the caller wants, and none may get a piece
// that is not there. This is proven for any number of workers.
//
// The bug: a worker looks whether there is a piece left, and takes it in a second step.
// expect: safe
// expect -D BUG: unsafe (unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PIECES 100

static atomic_int next_piece;

// The number of a piece that nobody else has, or -1.
static int take_piece(void) {
  int piece = atomic_load(&next_piece);
#ifdef BUG
  if (piece >= PIECES) return -1;
  return atomic_fetch_add(&next_piece, 1);
#else
  while (piece < PIECES) {
    if (atomic_compare_exchange_weak(&next_piece, &piece, piece + 1)) return piece;
  }
  return -1;
#endif
}

static void *worker(void *unused) {
  (void)unused;
  int piece = take_piece();
  assert(piece < PIECES);
  return NULL;
}

int main(int argc, char **argv) {
  int workers = argc > 1 ? atoi(argv[1]) : 4;
  for (int i = 0; i < workers; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
  }
  pthread_exit(NULL); // the workers go on
}
