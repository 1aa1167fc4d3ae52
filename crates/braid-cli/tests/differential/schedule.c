// Runs a program with threads under many schedules, one after the other, in one process and one thread of the system.
//
// The program is compiled with `-fsanitize=thread`, but linked with this file instead of the sanitizer: the compiler puts a
// call of `__tsan_readN` or `__tsan_writeN` before every access to memory that another thread may see, and here that is a
// point where another thread may go on. Threads are contexts with their own stacks. The undefined-behaviour sanitizer calls
// the handlers below. Between runs the program's own data are put back.
//
//     program random SEED RUNS     schedules at random
//     program all failure RUNS     one schedule after the other, those with few preemptions first, until an assertion fails
//     program all overflow RUNS    ... until something overflows
//     program rounds failure RUNS  as `all`, but for one round after the other: a round begins where one thread starts another and nobody
//                                  else is there. In the others always the first choice is made, so what is seen is all there is only if
//                                  rounds do not depend on each other.
//
// The output says what was observed (`observed SITE VALUE COUNT`), how runs ended (`ended HOW COUNT`), and whether these were
// all runs (`complete`).

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS = 48, STACK = 64 << 10, STEPS = 20000, CHOICES = 4096, VALUES = 64, SITES = 512, HEAP = 1 << 16, REUSED = 24, KEYS = 16 };

enum outcome { FINISHED, FAILED, OVERFLOWED, UNDEFINED, DEADLOCKED, ENDLESS, ABORTED, OUTCOMES };

enum wait { NOTHING, MUTEX, READ, JOIN, SEMAPHORE, CONDITION, BARRIER, ONCE, NOBODY };

struct thread {
  ucontext_t context;
  void *(*run)(void *);
  void *argument, *result;
  enum wait wait;
  int *on;       // the word waited for
  int joined;    // the thread waited for, or the round of a barrier
  void *specific[KEYS];
  void *cleanups[8];  // handlers that are set, and how many
  int handlers;
  int priority;  // for schedules by priority
};

// Everything that survives a run: outside of the program's data.
static struct world {
  ucontext_t home;
  enum outcome outcome;
  struct thread threads[THREADS];
  char stacks[THREADS][STACK];
  int count, current, atomic, steps;
  uint64_t random;
  int style;
  int all, bound, preemptions, cut;
  int rounds, round, varied;  // are choices made in one round only; the current one; that one
  int choices, chosen[CHOICES], options[CHOICES];
  long values[SITES][VALUES], counts[SITES][VALUES];
  int observed[SITES];
  char heap[HEAP];
  int allocated;
  void *freed;  // a block of size REUSED that may come back
  int spurious;  // how often something failed or woke up without a reason
  int keys;
  void (*destructors[KEYS])(void *);
} *world;

extern int program_main(void);
extern char __data_start, _end;
_Noreturn void __real__exit(int status);
int __real_fprintf(FILE *file, const char *format, ...);
int __real_fflush(FILE *file);
unsigned __real_alarm(unsigned seconds);

void *__wrap_malloc(size_t size);

static void end(enum outcome outcome) {
  world->outcome = outcome;
  setcontext(&world->home);
  __real__exit(70);
}

static unsigned random_below(unsigned limit) {
  uint64_t x = world->random;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  world->random = x;
  return (unsigned)((x >> 20) % limit);
}

// One of the numbers below a limit: at random, or the next that was not tried.
static int choose(int limit) {
  if (!world->all) return (int)random_below((unsigned)limit);
  if (limit < 2 || (world->rounds && world->round != world->varied)) return 0;
  int at = world->choices++;
  if (at >= CHOICES) world->choices = CHOICES, end(ENDLESS);
  if (world->options[at] == 0) world->options[at] = limit, world->chosen[at] = 0;
  return world->chosen[at];
}

static int enabled(int number) {
  struct thread *thread = &world->threads[number];
  switch (thread->wait) {
    case NOTHING: return 1;
    case MUTEX: return *thread->on == 0;
    case JOIN: return world->threads[thread->joined].wait == NOBODY;
    case READ: return *thread->on >= 0;
    case SEMAPHORE: return *thread->on > 0;
    case CONDITION: return world->spurious < 1;
    case BARRIER: return thread->on[2] != thread->joined;
    case ONCE: return *thread->on != 1;
    default: return 0;
  }
}

static int next_thread(void) {
  int ready[THREADS], count = 0, current = world->current;
  if (enabled(current)) ready[count++] = current;
  for (int i = 0; i < world->count; i++)
    if (i != current && enabled(i)) ready[count++] = i;
  if (count == 0) end(DEADLOCKED);
  int stays = ready[0] == current;
  if (world->all) {
    if (stays && world->preemptions >= world->bound) {
      if (count > 1 && (!world->rounds || world->round == world->varied)) world->cut = 1;
      count = 1;
    }
    int next = ready[choose(count)];
    if (stays && next != current) world->preemptions++;
    return next;
  }
  switch (world->style) {
    case 0: return ready[random_below((unsigned)count)];
    case 1: return stays && random_below(4) ? current : ready[random_below((unsigned)count)];
    case 2: return stays && random_below(16) ? current : ready[random_below((unsigned)count)];
    default: {  // the highest priority runs; now and then it is lowered
      if (random_below(12) == 0) world->threads[current].priority = -world->steps;
      int best = ready[0];
      for (int i = 1; i < count; i++)
        if (world->threads[ready[i]].priority > world->threads[best].priority) best = ready[i];
      return best;
    }
  }
}

// Another thread may go on here.
static void yield(void) {
  if (!world || world->atomic) return;  // constructors run before all
  if (++world->steps > STEPS) end(ENDLESS);
  int before = world->current, next = next_thread();
  if (next == before) return;
  world->current = next;
  swapcontext(&world->threads[before].context, &world->threads[next].context);
}

static void wait_for(enum wait wait, void *on) {
  struct thread *self = &world->threads[world->current];
  self->wait = wait, self->on = on;
  if (world->atomic) end(DEADLOCKED);
  yield();
  if (self->wait == CONDITION) world->spurious++;
  self->wait = NOTHING;
}

static void finish(void *result) {
  if (world->current == 0) end(FINISHED);
  void **specific = world->threads[world->current].specific;
  for (int key = 0; key < world->keys; key++) {
    void *value = specific[key];
    specific[key] = NULL;
    if (value && world->destructors[key]) world->destructors[key](value);
  }
  world->threads[world->current].result = result;
  world->threads[world->current].wait = NOBODY;
  world->atomic = 0;
  yield();
  __real__exit(70);
}

static void start(void) {
  struct thread *self = &world->threads[world->current];
  finish(self->run(self->argument));
}

static void *run_main(void *argument) { return (void *)(intptr_t)program_main(); }

static int new_thread(void *(*run)(void *), void *argument) {
  if (world->count == THREADS) end(ENDLESS);
  int alive = 0;
  for (int i = 0; i < world->count; i++) alive += world->threads[i].wait != NOBODY;
  if (alive == 1) world->round++, world->spurious = 0;
  int number = world->count++;
  struct thread *thread = &world->threads[number];
  getcontext(&thread->context);
  thread->context.uc_stack.ss_sp = world->stacks[number];
  thread->context.uc_stack.ss_size = STACK;
  thread->context.uc_link = NULL;
  makecontext(&thread->context, start, 0);
  thread->run = run, thread->argument = argument, thread->wait = NOTHING;
  memset(thread->specific, 0, sizeof thread->specific);
  thread->handlers = 0;
  if (!world->all) thread->priority = (int)random_below(1000);
  return number;
}

// Threads.
int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  yield();
  *id = (pthread_t)new_thread(run, argument);
  return 0;
}
int pthread_join(pthread_t id, void **result) {
  world->threads[world->current].joined = (int)id;
  wait_for(JOIN, NULL);
  if (result) *result = world->threads[id].result;
  return 0;
}
int pthread_tryjoin_np(pthread_t id, void **result) { return choose(2) ? EBUSY : pthread_join(id, result); }
int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *until) { return choose(2) ? ETIMEDOUT : pthread_join(id, result); }
// Handlers are called by the code that the macros of `pthread.h` put behind a `setjmp`.
void __pthread_register_cancel(__pthread_unwind_buf_t *handler) {
  struct thread *self = &world->threads[world->current];
  self->cleanups[self->handlers++] = handler;
}
void __pthread_unregister_cancel(__pthread_unwind_buf_t *handler) { world->threads[world->current].handlers--; }
void __pthread_unwind_next(__pthread_unwind_buf_t *handler) {
  struct thread *self = &world->threads[world->current];
  if (self->handlers > 0) longjmp(self->cleanups[--self->handlers], 1);
  finish(self->result);
}
void pthread_exit(void *result) {
  world->threads[world->current].result = result;
  __pthread_unwind_next(NULL);
  __builtin_unreachable();
}

int pthread_detach(pthread_t id) { yield(); return 0; }
pthread_t pthread_self(void) { return (pthread_t)world->current; }
int pthread_mutexattr_settype_np(pthread_mutexattr_t *a, int kind) { return pthread_mutexattr_settype(a, kind); }
int pthread_setschedparam(pthread_t id, int policy, const struct sched_param *parameters) { return 0; }
int pthread_setname_np(pthread_t id, const char *name) { return strlen(name) > 15 ? ERANGE : 0; }
int pthread_setaffinity_np(pthread_t id, size_t size, const cpu_set_t *set) { return 0; }
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) { return 0; }
unsigned sleep(unsigned seconds) { yield(); return 0; }
int usleep(useconds_t time) { yield(); return 0; }
int nanosleep(const struct timespec *time, struct timespec *left) { yield(); return 0; }
int sched_yield(void) { yield(); return 0; }

// Mutexes: how often it is taken, and by whom; the kind is where static initialisers put it.
static int *word(void *object) { return object; }
enum { OWNER = 1, KIND = 4 };
static int is_mine(void *m) { return *word(m) > 0 && word(m)[OWNER] == world->current; }
static int take(void *m) { ++*word(m); word(m)[OWNER] = world->current; return 0; }
int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  yield();
  *word(m) = 0;
  int kind = PTHREAD_MUTEX_NORMAL;
  if (a) pthread_mutexattr_gettype(a, &kind);
  word(m)[KIND] = kind;
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t *m) { return 0; }
int pthread_mutex_lock(pthread_mutex_t *m) {
  int kind = word(m)[KIND];
  if (kind && is_mine(m)) {
    yield();
    return kind == PTHREAD_MUTEX_RECURSIVE ? take(m) : EDEADLK;
  }
  wait_for(MUTEX, m);
  return take(m);
}
int pthread_mutex_unlock(pthread_mutex_t *m) {
  yield();
  if (word(m)[KIND] && !is_mine(m)) return EPERM;
  --*word(m);
  return 0;
}
int pthread_mutex_trylock(pthread_mutex_t *m) {
  yield();
  if (*word(m) && !(word(m)[KIND] == PTHREAD_MUTEX_RECURSIVE && is_mine(m))) return EBUSY;
  return take(m);
}

// What is not free may be waited for in vain. Where nobody else can run, time passes.
static int times_out(enum wait wait, void *object) {
  yield();
  struct thread *self = &world->threads[world->current];
  self->wait = wait, self->on = object;
  int is_free = enabled(world->current), others = 0;
  self->wait = NOBODY;
  for (int i = 0; i < world->count; i++) others += enabled(i);
  self->wait = NOTHING;
  return !is_free && (!others || choose(2));
}
int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
  return !is_mine(m) && times_out(MUTEX, m) ? ETIMEDOUT : pthread_mutex_lock(m);
}
int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until) { return pthread_mutex_timedlock(m, until); }

// Locks for readers and writers: how many read, or -1.
int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a) { yield(); *word(l) = 0; return 0; }
int pthread_rwlock_destroy(pthread_rwlock_t *l) { return 0; }
int pthread_rwlock_rdlock(pthread_rwlock_t *l) { wait_for(READ, l); ++*word(l); return 0; }
int pthread_rwlock_wrlock(pthread_rwlock_t *l) { wait_for(MUTEX, l); *word(l) = -1; return 0; }
int pthread_rwlock_unlock(pthread_rwlock_t *l) { yield(); *word(l) = *word(l) < 0 ? 0 : *word(l) - 1; return 0; }
int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until) {
  return times_out(READ, l) ? ETIMEDOUT : pthread_rwlock_rdlock(l);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until) {
  return times_out(MUTEX, l) ? ETIMEDOUT : pthread_rwlock_wrlock(l);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until) { return pthread_rwlock_timedrdlock(l, until); }
int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until) { return pthread_rwlock_timedwrlock(l, until); }
int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) { yield(); return *word(l) < 0 ? EBUSY : (++*word(l), 0); }
int pthread_rwlock_trywrlock(pthread_rwlock_t *l) { yield(); return *word(l) ? EBUSY : (*word(l) = -1, 0); }

// Spin locks: 1 if it is taken.
int pthread_spin_init(pthread_spinlock_t *s, int shared) { yield(); *word((void *)s) = 0; return 0; }
int pthread_spin_destroy(pthread_spinlock_t *s) { return 0; }
int pthread_spin_lock(pthread_spinlock_t *s) { wait_for(MUTEX, (void *)s); *s = 1; return 0; }
int pthread_spin_unlock(pthread_spinlock_t *s) { yield(); *s = 0; return 0; }
int pthread_spin_trylock(pthread_spinlock_t *s) { yield(); return *s ? EBUSY : (*s = 1, 0); }

// Barriers: how many must come, how many came, and the round.
int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned count) {
  yield();
  word(b)[0] = (int)count, word(b)[1] = word(b)[2] = 0;
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t *b) { return 0; }
int pthread_barrier_wait(pthread_barrier_t *b) {
  yield();
  if (++word(b)[1] == word(b)[0]) {
    word(b)[1] = 0, word(b)[2]++;
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  world->threads[world->current].joined = word(b)[2];
  wait_for(BARRIER, b);
  return 0;
}

// Once: 1 while somebody is at it, then 2.
int pthread_once(pthread_once_t *once, void (*run)(void)) {
  wait_for(ONCE, once);
  if (*once == 0) *once = 1, run(), *once = 2;
  return 0;
}

// Keys.
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  yield();
  if (world->keys == KEYS) end(ENDLESS);
  world->destructors[world->keys] = destructor;
  *key = (pthread_key_t)world->keys++;
  return 0;
}
int pthread_key_delete(pthread_key_t key) { world->destructors[key] = NULL; return 0; }
void *pthread_getspecific(pthread_key_t key) { return world->threads[world->current].specific[key]; }
int pthread_setspecific(pthread_key_t key, const void *value) {
  world->threads[world->current].specific[key] = (void *)value;
  return 0;
}

// Condition variables.
static void wake(void *condition, int all) {
  yield();
  struct thread *waiting[THREADS];
  int count = 0;
  for (int i = 0; i < world->count; i++)
    if (world->threads[i].wait == CONDITION && world->threads[i].on == condition) waiting[count++] = &world->threads[i];
  if (!all && count > 0) waiting[0] = waiting[choose(count)], count = 1;
  while (count > 0) waiting[--count]->wait = NOTHING;
}
int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) { return 0; }
int pthread_cond_destroy(pthread_cond_t *c) { return 0; }
int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  yield();
  *word(m) = 0;
  wait_for(CONDITION, c);
  wait_for(MUTEX, m);
  return take(m);
}
// Time is up where nobody woke it, and now and then where somebody did.
int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
  yield();
  *word(m) = 0;
  int late = choose(2);
  if (!late) wait_for(CONDITION, c);
  wait_for(MUTEX, m);
  take(m);
  return late ? ETIMEDOUT : 0;
}
int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until) { return pthread_cond_timedwait(c, m, until); }
int pthread_cond_signal(pthread_cond_t *c) { wake(c, 0); return 0; }
int pthread_cond_broadcast(pthread_cond_t *c) { wake(c, 1); return 0; }

// Semaphores: the first word is the value.
int sem_init(sem_t *s, int shared, unsigned value) { yield(); *word(s) = (int)value; return 0; }
int sem_destroy(sem_t *s) { return 0; }
int sem_wait(sem_t *s) { wait_for(SEMAPHORE, s); --*word(s); return 0; }
int sem_post(sem_t *s) { yield(); ++*word(s); return 0; }
int sem_timedwait(sem_t *s, const struct timespec *until) {
  return times_out(SEMAPHORE, s) ? (errno = ETIMEDOUT, -1) : sem_wait(s);
}
int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until) { return sem_timedwait(s, until); }
int sem_getvalue(sem_t *s, int *value) { yield(); *value = *word(s); return 0; }
// Those with names: a name that is unlinked is empty.
static struct { char name[32]; sem_t semaphore; } named[64];
static int named_count;
sem_t *sem_open(const char *name, int flags, ...) {
  int at = 0;
  yield();
  while (at < named_count && strcmp(named[at].name, name) != 0) at++;
  if (at < named_count && (flags & O_CREAT) && (flags & O_EXCL)) return errno = EEXIST, SEM_FAILED;
  if (at == named_count) {
    if (!(flags & O_CREAT)) return errno = ENOENT, SEM_FAILED;
    va_list more;
    va_start(more, flags);
    va_arg(more, unsigned);
    *word(&named[at].semaphore) = va_arg(more, int);
    va_end(more);
    strcpy(named[named_count++].name, name);
  }
  return &named[at].semaphore;
}
int sem_close(sem_t *s) { yield(); return 0; }
int sem_unlink(const char *name) {
  yield();
  for (int at = 0; at < named_count; at++)
    if (strcmp(named[at].name, name) == 0) return named[at].name[0] = 0;
  return errno = ENOENT, -1;
}
int sem_trywait(sem_t *s) {
  yield();
  if (*word(s) <= 0) return errno = EAGAIN, -1;
  --*word(s);
  return 0;
}

// Threads of C11. Their types are those of POSIX.
static void *run_c11(void *argument) {
  void **call = argument;
  return (void *)(intptr_t)((int (*)(void *))call[0])(call[1]);
}
int thrd_create(thrd_t *id, thrd_start_t run, void *argument) {
  void **call = __wrap_malloc(2 * sizeof *call);
  call[0] = (void *)run, call[1] = argument;
  pthread_create(id, NULL, run_c11, call);
  return thrd_success;
}
int thrd_join(thrd_t id, int *result) {
  void *value;
  pthread_join(id, &value);
  if (result) *result = (int)(intptr_t)value;
  return thrd_success;
}
void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
int thrd_detach(thrd_t id) { yield(); return thrd_success; }
void thrd_yield(void) { yield(); }
thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
static int c11(int result) { return result == EBUSY ? thrd_busy : result == ETIMEDOUT ? thrd_timedout : result ? thrd_error : thrd_success; }
int thrd_sleep(const struct timespec *time, struct timespec *left) { yield(); return 0; }
int mtx_init(mtx_t *m, int kind) { yield(); *word(m) = 0, word(m)[KIND] = kind & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : 0; return thrd_success; }
void mtx_destroy(mtx_t *m) {}
int mtx_lock(mtx_t *m) { return c11(pthread_mutex_lock((void *)m)); }
int mtx_trylock(mtx_t *m) { return c11(pthread_mutex_trylock((void *)m)); }
int mtx_timedlock(mtx_t *m, const struct timespec *until) { return c11(pthread_mutex_timedlock((void *)m, until)); }
int mtx_unlock(mtx_t *m) { return c11(pthread_mutex_unlock((void *)m)); }
int cnd_init(cnd_t *c) { return thrd_success; }
void cnd_destroy(cnd_t *c) {}
int cnd_wait(cnd_t *c, mtx_t *m) { return c11(pthread_cond_wait((void *)c, (void *)m)); }
int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until) { return c11(pthread_cond_timedwait((void *)c, (void *)m, until)); }
int cnd_signal(cnd_t *c) { return c11(pthread_cond_signal((void *)c)); }
int cnd_broadcast(cnd_t *c) { return c11(pthread_cond_broadcast((void *)c)); }
void call_once(once_flag *once, void (*run)(void)) { pthread_once((void *)once, run); }
int tss_create(tss_t *key, tss_dtor_t destructor) { return c11(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return c11(pthread_setspecific(key, value)); }

// What verification tasks say.
void __VERIFIER_atomic_begin(void) { yield(); world->atomic++; }
void __VERIFIER_atomic_end(void) { world->atomic--; }
_Bool __VERIFIER_nondet_bool(void) { return choose(2); }
int __VERIFIER_nondet_int(void) { return choose(4); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)choose(3); }
void __VERIFIER_assume(int holds) { if (!holds) end(ABORTED); }
void reach_error(void) { end(FAILED); }
void __assert_fail(const char *what, const char *file, unsigned line, const char *function) { end(FAILED); __builtin_unreachable(); }
#define ENDS(name) void name() { end(ABORTED); }
ENDS(__wrap_abort) ENDS(__wrap_exit) ENDS(__wrap__exit) ENDS(__wrap__Exit) ENDS(__wrap_quick_exit)
ENDS(__wrap_err) ENDS(__wrap_errx) ENDS(__wrap_verr) ENDS(__wrap_verrx)
// Other names for the same.
void __VERIFIER_error(void) { end(FAILED); }
#define ASSUMES(name) void name(int holds) { if (!holds) end(ABORTED); }
ASSUMES(assume_abort_if_not) ASSUMES(__ESBMC_assume) ASSUMES(__CPROVER_assume) ASSUMES(__goblint_assume)
#define ASSERTS(name) void name(int holds) { if (!holds) end(FAILED); }
ASSERTS(__VERIFIER_assert) ASSERTS(__goblint_check) ASSERTS(__goblint_assert)
void __ESBMC_assert(int holds, const char *what) { if (!holds) end(FAILED); }
void __CPROVER_assert(int holds, const char *what) { if (!holds) end(FAILED); }
void __ESBMC_atomic_begin(void) { __VERIFIER_atomic_begin(); }
void __ESBMC_atomic_end(void) { __VERIFIER_atomic_end(); }
char __VERIFIER_nondet_char(void) { return (char)choose(2); }
long __VERIFIER_nondet_long(void) { return choose(2); }
void *__wrap_malloc(size_t size) {
  if (size == REUSED && world->freed && choose(2)) {
    void *again = world->freed;
    world->freed = NULL;
    return again;
  }
  char *block = world->heap + world->allocated + 16;
  world->allocated += (int)((size + 31) & ~15ul);
  if (world->allocated > HEAP) end(ENDLESS);
  *(size_t *)(block - 16) = size;
  return block;
}
void *__wrap_calloc(size_t count, size_t size) { return memset(__wrap_malloc(count * size), 0, count * size); }
void *__wrap_realloc(void *old, size_t size) {
  char *block = __wrap_malloc(size);
  size_t before = old ? *(size_t *)((char *)old - 16) : 0;
  return memcpy(block, old, before < size ? before : size);
}
void *__wrap_reallocarray(void *old, size_t count, size_t size) { return __wrap_realloc(old, count * size); }
void __wrap_free(void *memory) {
  if (memory && *(size_t *)((char *)memory - 16) == REUSED) world->freed = memory;
}
void *kmalloc(size_t size, unsigned flags) { return __wrap_malloc(size); }
void *kzalloc(size_t size, unsigned flags) { return __wrap_calloc(1, size); }
void kfree(void *memory) { __wrap_free(memory); }
void cfree(void *memory) { __wrap_free(memory); }
// Output has no effect but its length, and files are not touched: all that is done with them succeeds.
#define SILENT(name) int __wrap_##name() { return 0; }
SILENT(vprintf) SILENT(vfprintf) SILENT(__vprintf_chk) SILENT(__vfprintf_chk) SILENT(puts) SILENT(fputs) SILENT(perror) SILENT(fflush)
SILENT(fclose) SILENT(setbuf) SILENT(setvbuf) SILENT(warn) SILENT(warnx) SILENT(alarm) SILENT(fseek) SILENT(rewind) SILENT(clearerr)
SILENT(fsync) SILENT(access) SILENT(mkdir) SILENT(chdir) SILENT(rename) SILENT(rmdir) SILENT(unlink) SILENT(remove)
#define LENGTH(name, ...)                                \
  int __wrap_##name(__VA_ARGS__, const char *format, ...) { \
    va_list values;                                      \
    va_start(values, format);                            \
    int length = vsnprintf(NULL, 0, format, values);     \
    va_end(values);                                      \
    return length;                                       \
  }
LENGTH(fprintf, FILE *file) LENGTH(dprintf, int file) LENGTH(__printf_chk, int flag) LENGTH(__fprintf_chk, FILE *file, int flag)
int __wrap_printf(const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsnprintf(NULL, 0, format, values);
  va_end(values);
  return length;
}
enum { OPENED = 100 };  // descriptors that nobody else has
static FILE *opened(void) { return (FILE *)__wrap_malloc(sizeof(FILE)); }
FILE *__wrap_fopen(const char *name, const char *mode) { return opened(); }
FILE *__wrap_fopen64(const char *name, const char *mode) { return opened(); }
int __wrap_open(const char *name, int flags, ...) { return OPENED; }
int __wrap_open64(const char *name, int flags, ...) { return OPENED; }
int __wrap_creat(const char *name, mode_t mode) { return OPENED; }
size_t __wrap_fread(void *to, size_t size, size_t count, FILE *file) { memset(to, 'x', size * count); return count; }
size_t __wrap_fwrite(const void *from, size_t size, size_t count, FILE *file) { return count; }
ssize_t __wrap_pwrite(int file, const void *from, size_t size, off_t offset) { return (ssize_t)size; }
ssize_t __wrap_pwrite64(int file, const void *from, size_t size, off64_t offset) { return (ssize_t)size; }
// Newer libraries have these.
size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from), kept = length < size ? length : size - 1;
  if (size > 0) memcpy(to, from, kept), to[kept] = 0;
  return length;
}
size_t strlcat(char *to, const char *from, size_t size) {
  size_t used = strnlen(to, size);
  return used + (used < size ? strlcpy(to + used, from, size - used) : strlen(from));
}
int __wrap_putchar(int c) { return c; }
int __wrap_fputc(int c, FILE *file) { return c; }
int __wrap_putc(int c, FILE *file) { return c; }
ssize_t __wrap_write(int file, const void *from, size_t size) { return (ssize_t)size; }
char *__wrap_strndup(const char *text, size_t most) {
  size_t length = strnlen(text, most);
  char *copy = memcpy(__wrap_malloc(length + 1), text, length);
  copy[length] = 0;
  return copy;
}
int __wrap_getchar(void) { return choose(3) * 60; }
char *__wrap_strdup(const char *text) { return strcpy(__wrap_malloc(strlen(text) + 1), text); }
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  uintptr_t block = (uintptr_t)__wrap_malloc(size + alignment);
  return (void *)((block + alignment - 1) / alignment * alignment);
}
void *__wrap_memalign(size_t alignment, size_t size) { return __wrap_aligned_alloc(alignment, size); }
void *__wrap_valloc(size_t size) { return __wrap_aligned_alloc(4096, size); }
int __wrap_posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  *block = __wrap_aligned_alloc(alignment, size);
  return 0;
}

// Counts the values of an expression.
void observe(int site, long value) {
  for (int i = 0; i < VALUES; i++) {
    if (i == world->observed[site]) world->observed[site]++, world->values[site][i] = value;
    if (world->values[site][i] == value) {
      world->counts[site][i]++;
      return;
    }
  }
}

// Accesses, as the compiler announces them.
void __tsan_init(void) {}
void __tsan_func_entry(void *pc) {}
void __tsan_func_exit(void) {}
void __tsan_read_range(void *at, size_t size) { yield(); }
void __tsan_write_range(void *at, size_t size) { yield(); }
void __tsan_atomic_thread_fence(int order) {}
void __tsan_atomic_signal_fence(int order) {}
#define ACCESS(size)                                 \
  void __tsan_read##size(void *at) { yield(); }      \
  void __tsan_write##size(void *at) { yield(); }     \
  void __tsan_unaligned_read##size(void *at) { yield(); }  \
  void __tsan_unaligned_write##size(void *at) { yield(); }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)
#define FETCH(bits, type, name, operation) \
  type __tsan_atomic##bits##_fetch_##name(type *at, type value, int order) { yield(); type old = *at; *at = (type)(operation); return old; }
#define ATOMIC(bits, type)                                                                                  \
  type __tsan_atomic##bits##_load(type *at, int order) { yield(); return *at; }                             \
  void __tsan_atomic##bits##_store(type *at, type value, int order) { yield(); *at = value; }               \
  type __tsan_atomic##bits##_exchange(type *at, type value, int order) { yield(); type old = *at; *at = value; return old; } \
  FETCH(bits, type, add, old + value)                                                                       \
  FETCH(bits, type, sub, old - value)                                                                       \
  FETCH(bits, type, and, old & value)                                                                       \
  FETCH(bits, type, or, old | value)                                                                        \
  FETCH(bits, type, xor, old ^ value)                                                                       \
  FETCH(bits, type, nand, ~(old & value))                                                                   \
  int __tsan_atomic##bits##_compare_exchange_strong(type *at, type *expected, type desired, int order, int failure) { \
    yield();                                                                                                \
    if (*at == *expected) { *at = desired; return 1; }                                                      \
    *expected = *at;                                                                                        \
    return 0;                                                                                               \
  }                                                                                                         \
  int __tsan_atomic##bits##_compare_exchange_weak(type *at, type *expected, type desired, int order, int failure) { \
    if (world->spurious < 2 && choose(2)) { yield(); world->spurious++; *expected = *at; return 0; }         \
    return __tsan_atomic##bits##_compare_exchange_strong(at, expected, desired, order, failure);            \
  }
ATOMIC(8, uint8_t) ATOMIC(16, uint16_t) ATOMIC(32, uint32_t) ATOMIC(64, uint64_t)

// Undefined behaviour.
#define HANDLER(name, outcome) \
  void __ubsan_handle_##name##_abort(void *what, ...) { end(outcome); }
HANDLER(add_overflow, OVERFLOWED)
HANDLER(sub_overflow, OVERFLOWED)
HANDLER(mul_overflow, OVERFLOWED)
HANDLER(negate_overflow, OVERFLOWED)
HANDLER(divrem_overflow, UNDEFINED)
HANDLER(shift_out_of_bounds, UNDEFINED)
HANDLER(out_of_bounds, UNDEFINED)
HANDLER(float_cast_overflow, UNDEFINED)

static void run_once(const char *data, size_t size) {
  memcpy(&__data_start, data, size);
  world->count = world->current = world->atomic = world->steps = world->preemptions = world->choices = 0;
  world->allocated = world->spurious = world->keys = world->round = 0, world->freed = NULL;
  new_thread(run_main, NULL);
  volatile int back = 0;
  getcontext(&world->home);
  if (back++ == 0) setcontext(&world->threads[0].context);
}

// The next sequence of choices; 0 if there is none.
static int advance(void) {
  int last = world->choices - 1;
  while (last >= 0 && world->chosen[last] + 1 >= world->options[last]) last--;
  if (last < 0) return 0;
  world->chosen[last]++;
  memset(&world->options[last + 1], 0, sizeof(int) * (size_t)(world->choices - last - 1));
  return 1;
}

int main(int count, char **arguments) {
  __real_alarm(60);
  world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  size_t size = (size_t)(&_end - &__data_start);
  char *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(data, &__data_start, size);
  long *ends = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  world->rounds = strcmp(arguments[1], "rounds") == 0;
  world->all = world->rounds || strcmp(arguments[1], "all") == 0;
  enum outcome wanted = world->all && strcmp(arguments[2], "overflow") == 0 ? OVERFLOWED : FAILED;
  int complete = 0;
  if (world->all) {
    complete = 1;
    int last = 0;  // the number of the last round
    for (world->varied = 0; world->varied <= last && !ends[wanted]; world->varied++) {
      long left = atol(arguments[3]);
      int all = 0, reached = !world->rounds;  // does a run come to the end, and so to all rounds?
      for (world->bound = 0; !all && left > 0 && !ends[wanted]; world->bound++) {
        world->cut = 0;
        memset(world->options, 0, sizeof world->options);
        int more = 1;
        for (; more && left > 0 && !ends[wanted]; left--) {
          run_once(data, size);
          ends[world->outcome]++;
          reached |= world->outcome == FINISHED;
          more = advance();
          if (world->rounds && world->round > last) last = world->round;
        }
        all = !more && !world->cut;
      }
      complete = complete && all && !ends[wanted] && reached;
    }
  } else {
    long seed = atol(arguments[2]), runs = atol(arguments[3]);
    for (long run = 0; run < runs; run++) {
      world->random = (uint64_t)(seed * 1000003 + run + 1) * 0x9e3779b97f4a7c15u;
      world->style = (int)(run % 4);
      run_once(data, size);
      ends[world->outcome]++;
    }
  }
  for (int site = 0; site < SITES; site++)
    for (int i = 0; i < world->observed[site]; i++)
      __real_fprintf(stdout, "observed %d %ld %ld\n", site, world->values[site][i], world->counts[site][i]);
  static const char *const names[OUTCOMES] = {"finished", "failed", "overflowed", "undefined", "deadlocked", "endless", "aborted"};
  for (int outcome = 0; outcome < OUTCOMES; outcome++) __real_fprintf(stdout, "ended %s %ld\n", names[outcome], ends[outcome]);
  if (complete) __real_fprintf(stdout, "complete\n");
  __real_fflush(stdout);
  __real__exit(0);
}
