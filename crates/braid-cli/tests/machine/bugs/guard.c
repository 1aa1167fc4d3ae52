// property: no-deadlock
// A lock that is given back when its guard goes out of scope; one way takes two of them in another order.
#include <pthread.h>

typedef pthread_mutex_t *guard;
void release(guard *g) { pthread_mutex_unlock(*g); }
#define HOLD(name, lock)                                    \
  __attribute__((cleanup(release))) guard name = &(lock);   \
  pthread_mutex_lock(name)

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int moved;

void *forth(void *unused) {
  HOLD(first, a);
  HOLD(second, b);
  moved++;
  return 0;
}

void *back(void *unused) {
  HOLD(first, b);
  HOLD(second, a);
  moved--;
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, forth, 0);
  pthread_create(&u, 0, back, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
