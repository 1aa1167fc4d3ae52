// expect: safe
// expect -D UNLOCKED: unsafe
// options: --linux --property no-data-race
// A module without `main`: its threads are started by one function, and stopped by the other.
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(lock);
static int events;
static struct task_struct *worker;

static int work(void *unused) {
  while (!kthread_should_stop()) {
    spin_lock(&lock);
    if (events < 3)
      events++;
    spin_unlock(&lock);
  }
  return 0;
}

static int __init begin(void) {
  worker = kthread_run(work, NULL, "worker");
#ifdef UNLOCKED
  events = 0;
#endif
  return 0;
}

static void __exit end(void) {
  kthread_stop(worker);
  BUG_ON(events > 3);
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
