// expect: safe
// Arguments of calls that do nothing else are evaluated, once.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
pthread_cond_t c[4];
pthread_mutex_t m[4];
sem_t s[4];
pthread_attr_t a[4];
int calls;
pthread_mutex_t *chosen(void) { calls++; return &m[0]; }
int main(void) {
  int i = 0;
  pthread_cond_init(&c[i++], 0);
  pthread_cond_signal(&c[i++]);
  pthread_cond_broadcast(&c[i++]);
  pthread_cond_destroy(&c[i++]);
  assert(i == 4);
  pthread_mutex_destroy(chosen());
  assert(calls == 1);
  i = 0;
  sem_init(&s[i++], 0, 1);
  sem_destroy(&s[--i]);
  assert(i == 0);
  pthread_attr_init(&a[i++]);
  pthread_attr_destroy(&a[i++]);
  assert(i == 2);
  char b[4] = "abc", *p = b;
  memset(p++, 'x', 1);
  assert(p == b + 1 && b[0] == 'x' && b[1] == 'b');
  strcpy(p++, "z");
  assert(p == b + 2 && b[1] == 'z' && b[2] == 0);
  return 0;
}
