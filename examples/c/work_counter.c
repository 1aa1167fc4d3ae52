// Workers take pieces of work by their numbers. The number of workers comes from outside, and none of them may get a piece
// that is not there, or one that another worker has. Braid proves this for any number of workers.
//
// The bug: a worker looks whether a piece is left, lets go of the lock, and then takes one.
// expect: safe
// expect -D BUG: unsafe (unreach-call)
// options: --property unreach-call,no-data-race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define PIECES 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_piece; // under `lock`

// The number of a piece that nobody else has, or -1.
static int take_piece(void) {
  int piece = -1;
  pthread_mutex_lock(&lock);
  if (next_piece < PIECES) {
#ifdef BUG
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    piece = next_piece++;
  }
  pthread_mutex_unlock(&lock);
  return piece;
}

static void *worker(void *unused) {
  (void)unused;
  int piece;
  while ((piece = take_piece()) >= 0) {
    assert(piece < PIECES);
  }
  return NULL;
}

int main(void) {
  int workers = rand();
  for (int i = 0; i < workers; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
  }
  return 0;
}
