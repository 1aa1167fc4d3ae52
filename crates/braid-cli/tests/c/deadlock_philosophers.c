// expect: safe
// options: --property no-deadlock
// Everybody takes the fork with the smaller number first.
// expect -D WRONG: unsafe
// Everybody takes the left fork first.
#include <pthread.h>
#define N 20
static pthread_mutex_t fork_[N];
static void *phil(void *x) {
  int i = (int)(long)x, l = i, r = (i + 1) % N;
#ifndef WRONG
  if (l > r) {
    int other = l;
    l = r;
    r = other;
  }
#endif
  pthread_mutex_lock(&fork_[l]);
  pthread_mutex_lock(&fork_[r]);
  pthread_mutex_unlock(&fork_[r]);
  pthread_mutex_unlock(&fork_[l]);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&fork_[i], 0);
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, phil, (void *)(long)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
