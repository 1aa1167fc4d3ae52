// expect: safe
// options: --property no-data-race
// A lock orders accesses to floating-point variables.
#include <pthread.h>

double sum;
float cells[2];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *which) {
  cells[(long)which] = 2.0f;
  pthread_mutex_lock(&lock);
  sum += 1.5;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, add, (void *)0);
  pthread_create(&two, 0, add, (void *)1);
  return 0;
}
