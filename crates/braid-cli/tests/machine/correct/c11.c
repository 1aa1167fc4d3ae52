// Threads of C11.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static once_flag once = ONCE_FLAG_INIT;
static int turn, prepared;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static int plain;
static void prepare(void) { prepared++; }
static int play(void *number) {
  call_once(&once, prepare);
  mtx_lock(&m);
  while (turn != *(int *)number) cnd_wait(&c, &m);
  turn++;
  cnd_broadcast(&c);
  mtx_unlock(&m);
  while (atomic_flag_test_and_set(&busy)) thrd_yield();
  plain++;
  atomic_flag_clear(&busy);
  return *(int *)number;
}
int main(void) {
  int numbers[3] = {0, 1, 2}, result;
  thrd_t t[3];
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  for (int i = 0; i < 3; i++) thrd_create(&t[i], play, &numbers[i]);
  for (int i = 0; i < 3; i++) {
    thrd_join(t[i], &result);
    assert(result == i);
  }
  assert(turn == 3 && prepared == 1 && plain == 3);
}
