// expect: safe
// options: --linux --property no-data-race
// A flag with marked accesses orders plain ones.
// expect -D WRONG: unsafe
// A flag without marked accesses orders nothing.
#include <linux/compiler.h>
#include <linux/atomic.h>
static int data, flag;
#ifndef WRONG
static int writer(void *p) { data = 42; smp_wmb(); WRITE_ONCE(flag, 1); return 0; }
static int reader(void *p) { if (READ_ONCE(flag)) { smp_rmb(); BUG_ON(data != 42); } return 0; }
#else
static int writer(void *p) { data = 42; smp_wmb(); flag = 1; return 0; }
static int reader(void *p) { if (flag) { smp_rmb(); BUG_ON(data != 42); } return 0; }
#endif
static atomic_t v = ATOMIC_INIT(1);
static int taker(void *p) { if (atomic_inc_not_zero(&v)) atomic_dec(&v); return 0; }
int main(void) {
  struct task_struct *a = kthread_run(writer, 0, "w"), *b = kthread_run(reader, 0, "r"), *c = kthread_run(taker, 0, "t");
  kthread_stop(a); kthread_stop(b); kthread_stop(c);
  BUG_ON(atomic_read(&v) != 1);
}
