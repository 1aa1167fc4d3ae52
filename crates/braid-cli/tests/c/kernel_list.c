// expect: safe
// options: --linux
// A list of the kernel's kind: its head stands for the last member when it is walked through.
// expect -D WRONG: unsafe
// Which of two threads comes first is open.
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/kthread.h>
#include <linux/slab.h>
#include <linux/list.h>
struct item { int value; struct list_head link; };
static LIST_HEAD(items);
static DEFINE_SPINLOCK(lock);
static atomic_t count = ATOMIC_INIT(0);
static int producer(void *data)
{
	struct item *it = kmalloc(sizeof(*it), GFP_KERNEL);
	unsigned long flags;
	if (!it)
		return -ENOMEM;
	it->value = (long)data;
	spin_lock_irqsave(&lock, flags);
	list_add_tail(&it->link, &items);
	spin_unlock_irqrestore(&lock, flags);
	atomic_inc(&count);
	return 0;
}
int main(void)
{
	struct task_struct *a = kthread_run(producer, (void *)1, "a");
	struct task_struct *b = kthread_run(producer, (void *)2, "b");
	kthread_stop(a);
	kthread_stop(b);
	BUG_ON(atomic_read(&count) != 2);
	int sum = 0;
	struct item *it;
	list_for_each_entry(it, &items, link)
		sum += it->value;
	BUG_ON(sum != 3);
#ifdef WRONG
	BUG_ON(list_first_entry(&items, struct item, link)->value != 1);
#endif
	return 0;
}
