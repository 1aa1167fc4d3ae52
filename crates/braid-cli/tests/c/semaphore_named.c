// Semaphores with names: one name, one semaphore, with a value that stays when it is closed; gone from memory then.
// expect: safe
// expect -D WRONG: unsafe (unreach-call)
// expect -D CLOSED: unsafe (valid-deref)
// expect -D TWICE: unsafe (unreach-call)
// options: --property all
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t *lock;
static int count;
static void *worker(void *unused) {
  sem_wait(lock);
  count++;
  sem_post(lock);
  return 0;
}
int main(void) {
  sem_unlink("/lock");
  assert(sem_open("/lock", 0) == SEM_FAILED && errno == ENOENT);
  lock = sem_open("/lock", O_CREAT, 0644, 1);
  if (lock == SEM_FAILED) return 1;
  sem_t *other = sem_open("/lock", O_CREAT, 0600, 5);
  assert(other == lock && sem_open("/lock", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
  assert(sem_close(other) == 0);
#ifdef TWICE
  sem_t *second = sem_open("/second", O_CREAT, 0600, 1);
  assert(second == lock);
#endif
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
  sem_wait(lock);
  sem_close(lock);
#ifdef CLOSED
  sem_post(lock);
#endif
  lock = sem_open("/lock", 0);
  int value;
  sem_getvalue(lock, &value);
#ifdef WRONG
  assert(value == 1);
#else
  assert(value == 0);
#endif
  sem_close(lock);
  assert(sem_unlink("/lock") == 0 && sem_unlink("/lock") == -1);
  return 0;
}
