// Effects in two threads, and an interleaving that it takes.
#include <assert.h>
#include <pthread.h>

void load(int *out);
int first, second, turn;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *left(void *unused) {
  int x = 0;
  load(&x);
  pthread_mutex_lock(&m);
  if (turn == 0) first = x, turn = 1;
  pthread_mutex_unlock(&m);
  return 0;
}

void *right(void *unused) {
  int x = 0;
  load(&x);
  pthread_mutex_lock(&m);
  if (turn == 1) second = x, turn = 2;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, right, 0);
  pthread_create(&u, 0, left, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(!(turn == 2 && first == 6 && second == 7));
}
