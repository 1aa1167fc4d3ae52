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
//
// The output says what was observed (`observed SITE VALUE COUNT`), how runs ended (`ended HOW COUNT`), and whether these were
// all runs (`complete`).

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { THREADS = 12, STACK = 64 << 10, STEPS = 20000, CHOICES = 4096, VALUES = 64, SITES = 8, HEAP = 1 << 16 };

enum outcome { FINISHED, FAILED, OVERFLOWED, UNDEFINED, DEADLOCKED, ENDLESS, ABORTED, OUTCOMES };

enum wait { NOTHING, MUTEX, JOIN, SEMAPHORE, CONDITION, NOBODY };

struct thread {
  ucontext_t context;
  void *(*run)(void *);
  void *argument, *result;
  enum wait wait;
  int *on;       // the word waited for
  int joined;    // the thread waited for
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
  int choices, chosen[CHOICES], options[CHOICES];
  long values[SITES][VALUES], counts[SITES][VALUES];
  int observed[SITES];
  char heap[HEAP];
  int allocated;
} *world;

extern int program_main(void);
extern char __data_start, _end;

static void end(enum outcome outcome) {
  world->outcome = outcome;
  setcontext(&world->home);
  _exit(70);
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
  if (limit < 2) return 0;
  int at = world->choices++;
  if (at >= CHOICES) end(ENDLESS);
  if (world->options[at] == 0) world->options[at] = limit, world->chosen[at] = 0;
  return world->chosen[at];
}

static int enabled(int number) {
  struct thread *thread = &world->threads[number];
  switch (thread->wait) {
    case NOTHING: return 1;
    case MUTEX: return *thread->on == 0;
    case JOIN: return world->threads[thread->joined].wait == NOBODY;
    case SEMAPHORE: return *thread->on > 0;
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
      if (count > 1) world->cut = 1;
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
  if (world->atomic) return;
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
  self->wait = NOTHING;
}

static void finish(void *result) {
  if (world->current == 0) end(FINISHED);
  world->threads[world->current].result = result;
  world->threads[world->current].wait = NOBODY;
  world->atomic = 0;
  yield();
  _exit(70);
}

static void start(void) {
  struct thread *self = &world->threads[world->current];
  finish(self->run(self->argument));
}

static void *run_main(void *argument) { return (void *)(intptr_t)program_main(); }

static int new_thread(void *(*run)(void *), void *argument) {
  if (world->count == THREADS) end(ENDLESS);
  int number = world->count++;
  struct thread *thread = &world->threads[number];
  getcontext(&thread->context);
  thread->context.uc_stack.ss_sp = world->stacks[number];
  thread->context.uc_stack.ss_size = STACK;
  thread->context.uc_link = NULL;
  makecontext(&thread->context, start, 0);
  thread->run = run, thread->argument = argument, thread->wait = NOTHING;
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
void pthread_exit(void *result) { finish(result); __builtin_unreachable(); }

// Mutexes: the first word is 1 if it is taken.
static int *word(void *object) { return object; }
int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) { yield(); *word(m) = 0; return 0; }
int pthread_mutex_destroy(pthread_mutex_t *m) { return 0; }
int pthread_mutex_lock(pthread_mutex_t *m) { wait_for(MUTEX, m); *word(m) = 1; return 0; }
int pthread_mutex_unlock(pthread_mutex_t *m) { yield(); *word(m) = 0; return 0; }
int pthread_mutex_trylock(pthread_mutex_t *m) {
  yield();
  if (*word(m)) return EBUSY;
  *word(m) = 1;
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
  *word(m) = 1;
  return 0;
}
int pthread_cond_signal(pthread_cond_t *c) { wake(c, 0); return 0; }
int pthread_cond_broadcast(pthread_cond_t *c) { wake(c, 1); return 0; }

// Semaphores: the first word is the value.
int sem_init(sem_t *s, int shared, unsigned value) { yield(); *word(s) = (int)value; return 0; }
int sem_destroy(sem_t *s) { return 0; }
int sem_wait(sem_t *s) { wait_for(SEMAPHORE, s); --*word(s); return 0; }
int sem_post(sem_t *s) { yield(); ++*word(s); return 0; }
int sem_trywait(sem_t *s) {
  yield();
  if (*word(s) <= 0) return -1;
  --*word(s);
  return 0;
}

// What verification tasks say.
void __VERIFIER_atomic_begin(void) { yield(); world->atomic++; }
void __VERIFIER_atomic_end(void) { world->atomic--; }
_Bool __VERIFIER_nondet_bool(void) { return choose(2); }
int __VERIFIER_nondet_int(void) { return choose(4); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)choose(3); }
void __VERIFIER_assume(int holds) { if (!holds) end(ABORTED); }
void reach_error(void) { end(FAILED); }
void __assert_fail(const char *what, const char *file, unsigned line, const char *function) { end(FAILED); __builtin_unreachable(); }
void __wrap_abort(void) { end(ABORTED); }
void __wrap_exit(int status) { end(ABORTED); }
void *__wrap_malloc(size_t size) {
  int at = world->allocated;
  world->allocated += (int)((size + 15) & ~15ul);
  if (world->allocated > HEAP) end(ENDLESS);
  return world->heap + at;
}
void __wrap_free(void *memory) {}

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

static void run_once(const char *data, size_t size) {
  memcpy(&__data_start, data, size);
  world->count = world->current = world->atomic = world->steps = world->preemptions = world->choices = 0;
  world->allocated = 0;
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
  alarm(60);
  world = mmap(NULL, sizeof *world, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  size_t size = (size_t)(&_end - &__data_start);
  char *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(data, &__data_start, size);
  long *ends = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  world->all = strcmp(arguments[1], "all") == 0;
  enum outcome wanted = world->all && strcmp(arguments[2], "overflow") == 0 ? OVERFLOWED : FAILED;
  int complete = 0;
  if (world->all) {
    long left = atol(arguments[3]);
    for (world->bound = 0; !complete && left > 0; world->bound++) {
      world->cut = 0;
      memset(world->options, 0, sizeof world->options);
      int more = 1;
      for (; more && left > 0 && !ends[wanted]; left--) {
        run_once(data, size);
        ends[world->outcome]++;
        more = advance();
      }
      if (ends[wanted]) break;
      complete = !more && !world->cut;
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
      printf("observed %d %ld %ld\n", site, world->values[site][i], world->counts[site][i]);
  static const char *const names[OUTCOMES] = {"finished", "failed", "overflowed", "undefined", "deadlocked", "endless", "aborted"};
  for (int outcome = 0; outcome < OUTCOMES; outcome++) printf("ended %s %ld\n", names[outcome], ends[outcome]);
  if (complete) printf("complete\n");
  fflush(stdout);
  _exit(0);
}
