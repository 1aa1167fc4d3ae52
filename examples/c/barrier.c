// A barrier that can be used again and again: nobody goes on before all have arrived.
//
// The bug: waiting for `arrived == PARTIES`, and setting it back to 0 behind the barrier. A slow thread finds 0 again and
// waits for ever. The correct barrier counts its rounds.
// expect: safe
// expect -D BUG: unsafe (no-deadlock)
#include <assert.h>
#include <pthread.h>

#define PARTIES 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;
#ifndef BUG
static unsigned round_number;
#endif

static void barrier_wait(void) {
  pthread_mutex_lock(&lock);
  arrived++;
#ifdef BUG
  if (arrived == PARTIES) pthread_cond_broadcast(&all_here);
  while (arrived != PARTIES) pthread_cond_wait(&all_here, &lock);
  arrived = 0;
#else
  unsigned mine = round_number;
  if (arrived == PARTIES) {
    arrived = 0;
    round_number++;
    pthread_cond_broadcast(&all_here);
  }
  while (mine == round_number) pthread_cond_wait(&all_here, &lock);
#endif
  pthread_mutex_unlock(&lock);
}

static int left, right; // each is written by one thread, and read by the other behind a barrier

static void *left_half(void *unused) {
  (void)unused;
  left = 1;
  barrier_wait();
  assert(right == 1);
  barrier_wait();
  left = 2;
  return NULL;
}

static void *right_half(void *unused) {
  (void)unused;
  right = 1;
  barrier_wait();
  assert(left == 1);
  barrier_wait();
  right = 2;
  return NULL;
}

int main(void) {
  pthread_t l, r;
  pthread_create(&l, NULL, left_half, NULL);
  pthread_create(&r, NULL, right_half, NULL);
  pthread_join(l, NULL);
  pthread_join(r, NULL);
  return 0;
}
