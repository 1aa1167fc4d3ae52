// One of each: locks, condition variables, semaphores, barriers, keys, once, read-write locks, atomics, spin locks, memory.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t items;
static int ready, sum, shared, spun;
static atomic_int count;
static char *text;
static __thread int own;
static void prepare(void) { text = strdup("braid"); }
static void *work(void *number) {
  pthread_once(&once, prepare);
  assert(strlen(text) == 5);
  pthread_setspecific(key, malloc(4));
  own += (int)(long)number;
  assert(own == (int)(long)number);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  sum += own;
  pthread_mutex_unlock(&m);
  pthread_rwlock_wrlock(&rw);
  shared++;
  pthread_rwlock_unlock(&rw);
  pthread_spin_lock(&spin);
  spun++;
  pthread_spin_unlock(&spin);
  atomic_fetch_add(&count, 1);
  sem_post(&items);
  pthread_barrier_wait(&barrier);
  pthread_rwlock_rdlock(&rw);
  assert(shared == 2);
  pthread_rwlock_unlock(&rw);
  return NULL;
}
int main(void) {
  pthread_t t[2];
  pthread_key_create(&key, free);
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&barrier, NULL, 2);
  sem_init(&items, 0, 0);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, (void *)(i + 1));
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  sem_wait(&items);
  sem_wait(&items);
  assert(count == 2);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(sum == 3 && spun == 2 && own == 0);
  free(text);
}
