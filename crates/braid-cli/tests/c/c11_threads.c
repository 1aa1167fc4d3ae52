// Threads, mutexes of both kinds, once and storage of C11.
// expect: safe
#include <assert.h>
#include <threads.h>

mtx_t plain, recursive;
once_flag once = ONCE_FLAG_INIT;
tss_t key;
int count, made;
void make(void) { made++; }

int run(void *argument) {
  call_once(&once, make);
  mtx_lock(&plain);
  count += *(int *)argument;
  mtx_unlock(&plain);
  assert(tss_get(key) == 0);
  if (count > 0) thrd_exit(7);
  return 8;
}

int main(void) {
  int one = 1, result;
  thrd_t other;
  mtx_init(&plain, mtx_plain);
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  assert(mtx_lock(&recursive) == thrd_success && mtx_trylock(&recursive) == thrd_success);
  tss_create(&key, 0);
  tss_set(key, &one);
  assert(thrd_create(&other, run, &one) == thrd_success);
  call_once(&once, make);
  assert(thrd_join(other, &result) == thrd_success && result == 7 && count == 1 && made == 1);
  assert(tss_get(key) == &one && mtx_trylock(&plain) == thrd_success && mtx_trylock(&plain) == thrd_busy);
}
