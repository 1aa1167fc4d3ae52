// expect: safe
// A semaphore has a largest value.
// expect -D WRONG: unsafe
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
sem_t s;
int main(void) {
  assert(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
#ifdef WRONG
  assert(sem_init(&s, 0, SEM_VALUE_MAX - 1) == 0);
#else
  assert(sem_init(&s, 0, SEM_VALUE_MAX) == 0);
#endif
  assert(sem_post(&s) == -1 && errno == EOVERFLOW);
}
