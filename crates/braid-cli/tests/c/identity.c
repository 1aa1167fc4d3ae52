// expect: safe
// A thread knows itself.
#include "model.h"

pthread_t t;
pthread_mutex_t m;
void *run(void *a) { pthread_mutex_lock(&m); check(pthread_self() == t); pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, run, 0);
  pthread_mutex_unlock(&m);
  check(pthread_self() != t);
}
