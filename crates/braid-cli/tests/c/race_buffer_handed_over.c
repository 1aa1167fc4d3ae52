// expect: unsafe
// options: --property no-data-race
// A thread puts the address of its own variable where another one finds it.
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shown;
static void show(int **to, int *what) { *to = what; }
static void *first(void *arg) {
  int own = 0, *holder;
  show(&holder, &own);
  pthread_mutex_lock(&lock);
  show(&shown, holder);
  pthread_mutex_unlock(&lock);
  own = 1;
  pthread_mutex_lock(&lock);
  shown = NULL;
  pthread_mutex_unlock(&lock);
  return NULL;
}
static void *second(void *arg) {
  pthread_mutex_lock(&lock);
  if (shown != NULL)
    *shown = 2;
  pthread_mutex_unlock(&lock);
  return NULL;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, first, NULL);
  pthread_create(&t, NULL, second, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return 0;
}
