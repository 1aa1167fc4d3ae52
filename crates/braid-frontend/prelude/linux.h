// What programs in the style of the Linux kernel use, said with POSIX threads and atomic operations. Included by --linux before all else;
// <linux/…> and <asm/…> are empty then. Memory is sequentially consistent, so barriers order nothing more; interrupts do not happen.
#ifndef BRAID_LINUX
#define BRAID_LINUX
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8, __u8;
typedef uint16_t u16, __u16;
typedef uint32_t u32, __u32;
typedef uint64_t u64, __u64;
typedef int8_t s8, __s8;
typedef int16_t s16, __s16;
typedef int32_t s32, __s32;
typedef int64_t s64, __s64;
typedef unsigned gfp_t;
typedef unsigned long ulong;

#define GFP_KERNEL 0u
#define GFP_ATOMIC 1u
#define __init
#define __exit
#define __user
#define __iomem
#define __percpu
#define __must_check
#define __force
#define noinline
#define asmlinkage
#define likely(x) (!!(x))
#define unlikely(x) (!!(x))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define min(a, b) ({ __typeof__(a) min_a = (a); __typeof__(b) min_b = (b); min_a < min_b ? min_a : min_b; })
#define max(a, b) ({ __typeof__(a) max_a = (a); __typeof__(b) max_b = (b); max_a > max_b ? max_a : max_b; })
#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))
#define EXPORT_SYMBOL(name) struct braid_nothing
#define EXPORT_SYMBOL_GPL(name) struct braid_nothing
#define MODULE_LICENSE(text) struct braid_nothing
#define MODULE_AUTHOR(text) struct braid_nothing
#define MODULE_DESCRIPTION(text) struct braid_nothing
// A module is loaded, and may be taken out again; its threads go on. This is where a program without `main` begins.
static void (*braid_module_exit)(void);
#define module_init(function) \
  int braid_module(void) { \
    if (function() == 0 && braid_module_exit) braid_module_exit(); \
    pthread_exit(0); \
  } \
  struct braid_nothing
#define module_exit(function) static void (*braid_module_exit)(void) = function

#define BUG() assert(!"BUG")
#define BUG_ON(condition) assert(!(condition))
#define WARN_ON(condition) (!!(condition))
#define WARN_ON_ONCE(condition) (!!(condition))
#define KERN_INFO ""
#define KERN_ERR ""
#define KERN_WARNING ""
#define KERN_DEBUG ""
#define printk(...) ((void)printf(__VA_ARGS__))
#define pr_info(...) printk(__VA_ARGS__)
#define pr_err(...) printk(__VA_ARGS__)
#define pr_warn(...) printk(__VA_ARGS__)
#define pr_debug(...) printk(__VA_ARGS__)

// Marked accesses and barriers.
#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_SEQ_CST)
#define WRITE_ONCE(x, value) __atomic_store_n(&(x), (value), __ATOMIC_SEQ_CST)
#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define smp_load_acquire(pointer) __atomic_load_n((pointer), __ATOMIC_SEQ_CST)
#define smp_store_release(pointer, value) __atomic_store_n((pointer), (value), __ATOMIC_SEQ_CST)
#define smp_store_mb(x, value) WRITE_ONCE(x, value)
#define smp_mb() __sync_synchronize()
#define smp_rmb() __sync_synchronize()
#define smp_wmb() __sync_synchronize()
#define mb() __sync_synchronize()
#define rmb() __sync_synchronize()
#define wmb() __sync_synchronize()
#define smp_mb__before_atomic() __sync_synchronize()
#define smp_mb__after_atomic() __sync_synchronize()
#define barrier() __asm__ volatile("" ::: "memory")
#define cpu_relax() barrier()
#define xchg(pointer, value) __atomic_exchange_n((pointer), (value), __ATOMIC_SEQ_CST)
#define cmpxchg(pointer, old, new) __sync_val_compare_and_swap((pointer), (old), (new))
#define cmpxchg_acquire(pointer, old, new) cmpxchg(pointer, old, new)
#define cmpxchg_release(pointer, old, new) cmpxchg(pointer, old, new)
#define cmpxchg_relaxed(pointer, old, new) cmpxchg(pointer, old, new)
#define try_cmpxchg(pointer, old, new) \
  __atomic_compare_exchange_n((pointer), (old), (new), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

// Atomic numbers, of three widths.
#define BRAID_ATOMIC(name, number, prefix) \
  typedef struct { number counter; } name; \
  static inline number prefix##_read(const name *v) { return __atomic_load_n(&v->counter, __ATOMIC_SEQ_CST); } \
  static inline number prefix##_read_acquire(const name *v) { return prefix##_read(v); } \
  static inline void prefix##_set(name *v, number n) { __atomic_store_n(&v->counter, n, __ATOMIC_SEQ_CST); } \
  static inline void prefix##_set_release(name *v, number n) { prefix##_set(v, n); } \
  static inline void prefix##_add(number n, name *v) { __sync_fetch_and_add(&v->counter, n); } \
  static inline void prefix##_sub(number n, name *v) { __sync_fetch_and_sub(&v->counter, n); } \
  static inline void prefix##_inc(name *v) { __sync_fetch_and_add(&v->counter, 1); } \
  static inline void prefix##_dec(name *v) { __sync_fetch_and_sub(&v->counter, 1); } \
  static inline void prefix##_or(number n, name *v) { __sync_fetch_and_or(&v->counter, n); } \
  static inline void prefix##_and(number n, name *v) { __sync_fetch_and_and(&v->counter, n); } \
  static inline number prefix##_add_return(number n, name *v) { return __sync_add_and_fetch(&v->counter, n); } \
  static inline number prefix##_sub_return(number n, name *v) { return __sync_sub_and_fetch(&v->counter, n); } \
  static inline number prefix##_inc_return(name *v) { return __sync_add_and_fetch(&v->counter, 1); } \
  static inline number prefix##_dec_return(name *v) { return __sync_sub_and_fetch(&v->counter, 1); } \
  static inline number prefix##_fetch_add(number n, name *v) { return __sync_fetch_and_add(&v->counter, n); } \
  static inline number prefix##_fetch_sub(number n, name *v) { return __sync_fetch_and_sub(&v->counter, n); } \
  static inline number prefix##_fetch_inc(name *v) { return __sync_fetch_and_add(&v->counter, 1); } \
  static inline number prefix##_fetch_dec(name *v) { return __sync_fetch_and_sub(&v->counter, 1); } \
  static inline bool prefix##_inc_and_test(name *v) { return __sync_add_and_fetch(&v->counter, 1) == 0; } \
  static inline bool prefix##_dec_and_test(name *v) { return __sync_sub_and_fetch(&v->counter, 1) == 0; } \
  static inline bool prefix##_sub_and_test(number n, name *v) { return __sync_sub_and_fetch(&v->counter, n) == 0; } \
  static inline bool prefix##_add_negative(number n, name *v) { return __sync_add_and_fetch(&v->counter, n) < 0; } \
  static inline number prefix##_xchg(name *v, number n) { return xchg(&v->counter, n); } \
  static inline number prefix##_cmpxchg(name *v, number old, number n) { return cmpxchg(&v->counter, old, n); } \
  static inline bool prefix##_try_cmpxchg(name *v, number *old, number n) { return try_cmpxchg(&v->counter, old, n); } \
  static inline bool prefix##_add_unless(name *v, number n, number unless) { \
    number old = prefix##_read(v); \
    while (old != unless && !prefix##_try_cmpxchg(v, &old, old + n)) {} \
    return old != unless; \
  } \
  static inline bool prefix##_inc_not_zero(name *v) { return prefix##_add_unless(v, 1, 0); }
BRAID_ATOMIC(atomic_t, int, atomic)
BRAID_ATOMIC(atomic64_t, long long, atomic64)
BRAID_ATOMIC(atomic_long_t, long, atomic_long)
#define ATOMIC_INIT(n) { (n) }
#define ATOMIC64_INIT(n) { (n) }
#define ATOMIC_LONG_INIT(n) { (n) }
typedef struct { atomic_t refs; } refcount_t;
#define REFCOUNT_INIT(n) { ATOMIC_INIT(n) }
static inline void refcount_set(refcount_t *r, int n) { atomic_set(&r->refs, n); }
static inline unsigned refcount_read(const refcount_t *r) { return (unsigned)atomic_read(&r->refs); }
static inline void refcount_inc(refcount_t *r) { atomic_inc(&r->refs); }
static inline bool refcount_inc_not_zero(refcount_t *r) { return atomic_inc_not_zero(&r->refs); }
static inline bool refcount_dec_and_test(refcount_t *r) { return atomic_dec_and_test(&r->refs); }

// Bits.
static inline void set_bit(long n, volatile unsigned long *p) { __sync_fetch_and_or(p + n / (8 * sizeof *p), 1ul << n % (8 * sizeof *p)); }
static inline void clear_bit(long n, volatile unsigned long *p) { __sync_fetch_and_and(p + n / (8 * sizeof *p), ~(1ul << n % (8 * sizeof *p))); }
static inline bool test_bit(long n, const volatile unsigned long *p) { return __atomic_load_n(p + n / (8 * sizeof *p), 5) >> n % (8 * sizeof *p) & 1; }
static inline bool test_and_set_bit(long n, volatile unsigned long *p) {
  return __sync_fetch_and_or(p + n / (8 * sizeof *p), 1ul << n % (8 * sizeof *p)) >> n % (8 * sizeof *p) & 1;
}
static inline bool test_and_clear_bit(long n, volatile unsigned long *p) {
  return __sync_fetch_and_and(p + n / (8 * sizeof *p), ~(1ul << n % (8 * sizeof *p))) >> n % (8 * sizeof *p) & 1;
}

// Locks. A thread that holds one is not interrupted by itself.
typedef pthread_mutex_t spinlock_t, raw_spinlock_t;
#define DEFINE_SPINLOCK(name) spinlock_t name = PTHREAD_MUTEX_INITIALIZER
#define __SPIN_LOCK_UNLOCKED(name) PTHREAD_MUTEX_INITIALIZER
#define SPIN_LOCK_UNLOCKED PTHREAD_MUTEX_INITIALIZER
#define spin_lock_init(lock) ((void)pthread_mutex_init((lock), 0))
#define spin_lock(lock) ((void)pthread_mutex_lock(lock))
#define spin_unlock(lock) ((void)pthread_mutex_unlock(lock))
#define spin_trylock(lock) (pthread_mutex_trylock(lock) == 0)
#define spin_lock_irq(lock) spin_lock(lock)
#define spin_unlock_irq(lock) spin_unlock(lock)
#define spin_lock_bh(lock) spin_lock(lock)
#define spin_unlock_bh(lock) spin_unlock(lock)
#define spin_lock_irqsave(lock, flags) do { (flags) = 0; spin_lock(lock); } while (0)
#define spin_unlock_irqrestore(lock, flags) do { (void)(flags); spin_unlock(lock); } while (0)
#define raw_spin_lock(lock) spin_lock(lock)
#define raw_spin_unlock(lock) spin_unlock(lock)
#define local_irq_disable() ((void)0)
#define local_irq_enable() ((void)0)
#define local_irq_save(flags) ((void)((flags) = 0))
#define local_irq_restore(flags) ((void)(flags))
#define preempt_disable() ((void)0)
#define preempt_enable() ((void)0)

struct mutex { pthread_mutex_t lock; };
#define DEFINE_MUTEX(name) struct mutex name = { PTHREAD_MUTEX_INITIALIZER }
#define mutex_init(m) ((void)pthread_mutex_init(&(m)->lock, 0))
#define mutex_destroy(m) ((void)pthread_mutex_destroy(&(m)->lock))
#define mutex_lock(m) ((void)pthread_mutex_lock(&(m)->lock))
#define mutex_unlock(m) ((void)pthread_mutex_unlock(&(m)->lock))
#define mutex_trylock(m) (pthread_mutex_trylock(&(m)->lock) == 0)

typedef pthread_rwlock_t rwlock_t;
#define DEFINE_RWLOCK(name) rwlock_t name = PTHREAD_RWLOCK_INITIALIZER
#define rwlock_init(lock) ((void)pthread_rwlock_init((lock), 0))
#define read_lock(lock) ((void)pthread_rwlock_rdlock(lock))
#define read_unlock(lock) ((void)pthread_rwlock_unlock(lock))
#define write_lock(lock) ((void)pthread_rwlock_wrlock(lock))
#define write_unlock(lock) ((void)pthread_rwlock_unlock(lock))
struct rw_semaphore { pthread_rwlock_t lock; };
#define DECLARE_RWSEM(name) struct rw_semaphore name = { PTHREAD_RWLOCK_INITIALIZER }
#define init_rwsem(s) ((void)pthread_rwlock_init(&(s)->lock, 0))
#define down_read(s) ((void)pthread_rwlock_rdlock(&(s)->lock))
#define up_read(s) ((void)pthread_rwlock_unlock(&(s)->lock))
#define down_write(s) ((void)pthread_rwlock_wrlock(&(s)->lock))
#define up_write(s) ((void)pthread_rwlock_unlock(&(s)->lock))

struct semaphore { sem_t sem; };
#define sema_init(s, n) ((void)sem_init(&(s)->sem, 0, (n)))
#define down(s) ((void)sem_wait(&(s)->sem))
#define up(s) ((void)sem_post(&(s)->sem))
#define down_trylock(s) (sem_trywait(&(s)->sem) != 0)

// Waiting: who waits looks again and again.
typedef struct { int nothing; } wait_queue_head_t;
#define DECLARE_WAIT_QUEUE_HEAD(name) wait_queue_head_t name
#define init_waitqueue_head(q) ((void)(q))
#define wait_event(q, condition) do { while (!(condition)) cpu_relax(); } while (0)
#define wake_up(q) ((void)(q))
#define wake_up_all(q) ((void)(q))
struct completion { int done; };
#define DECLARE_COMPLETION(name) struct completion name = { 0 }
static inline void init_completion(struct completion *c) { __atomic_store_n(&c->done, 0, __ATOMIC_SEQ_CST); }
static inline void complete(struct completion *c) { __sync_fetch_and_add(&c->done, 1); }
static inline void complete_all(struct completion *c) { __atomic_store_n(&c->done, 1 << 30, __ATOMIC_SEQ_CST); }
static inline void wait_for_completion(struct completion *c) {
  int old = __atomic_load_n(&c->done, __ATOMIC_SEQ_CST);
  while (old == 0 || !__atomic_compare_exchange_n(&c->done, &old, old == 1 << 30 ? old : old - 1, 0, 5, 5)) {}
}

// Threads.
struct task_struct { pthread_t thread; int (*function)(void *); void *data; int stop; };
static _Thread_local struct task_struct *current;
static inline void *braid_task(void *argument) {
  struct task_struct *task = argument;
  current = task;
  return (void *)(long)task->function(task->data);
}
static inline struct task_struct *braid_run(int (*function)(void *), void *data) {
  struct task_struct *task = malloc(sizeof *task);
  task->function = function;
  task->data = data;
  task->stop = 0;
  pthread_create(&task->thread, 0, braid_task, task);
  return task;
}
#define kthread_run(function, data, ...) braid_run((function), (data))
static inline bool kthread_should_stop(void) { return __atomic_load_n(&current->stop, __ATOMIC_SEQ_CST); }
static inline int kthread_stop(struct task_struct *task) {
  void *result;
  __atomic_store_n(&task->stop, 1, __ATOMIC_SEQ_CST);
  pthread_join(task->thread, &result);
  return (int)(long)result;
}
#define IS_ERR(pointer) ((unsigned long)(pointer) >= (unsigned long)-4095)
#define PTR_ERR(pointer) ((long)(pointer))
#define schedule() ((void)0)
#define cond_resched() ((void)0)
#define msleep(n) ((void)(n))
#define udelay(n) ((void)(n))
#define ndelay(n) ((void)(n))

void *kmalloc(size_t size, gfp_t flags);
void *kzalloc(size_t size, gfp_t flags);
void kfree(const void *block);

// Lists.
struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
static inline void INIT_LIST_HEAD(struct list_head *list) { list->next = list->prev = list; }
static inline void braid_link(struct list_head *new, struct list_head *prev, struct list_head *next) {
  next->prev = new;
  new->next = next;
  new->prev = prev;
  prev->next = new;
}
static inline void list_add(struct list_head *new, struct list_head *head) { braid_link(new, head, head->next); }
static inline void list_add_tail(struct list_head *new, struct list_head *head) { braid_link(new, head->prev, head); }
static inline void list_del(struct list_head *entry) {
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
}
static inline void list_del_init(struct list_head *entry) { list_del(entry); INIT_LIST_HEAD(entry); }
static inline bool list_empty(const struct list_head *head) { return head->next == head; }
#define list_entry(pointer, type, member) container_of(pointer, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_for_each(at, head) for (at = (head)->next; at != (head); at = at->next)
#define list_for_each_entry(at, head, member) \
  for (at = list_entry((head)->next, __typeof__(*at), member); &at->member != (head); at = list_entry(at->member.next, __typeof__(*at), member))

// Read-copy-update: waiting for readers is not modelled.
#define rcu_read_lock() ((void)0)
#define rcu_read_unlock() ((void)0)
#define rcu_dereference(pointer) READ_ONCE(pointer)
#define rcu_assign_pointer(pointer, value) WRITE_ONCE(pointer, value)
#define synchronize_rcu() __braid_unsupported("`synchronize_rcu`")
#define call_rcu(head, function) __braid_unsupported("`call_rcu`")
#endif
