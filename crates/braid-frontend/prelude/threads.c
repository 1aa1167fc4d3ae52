// POSIX threads. Each function does what the standard says; what is one step for other threads stands between
// __VERIFIER_atomic_begin and __VERIFIER_atomic_end. A record that has the name of a type of the library says what that type is made of.
// Where deadlocks are looked for, deadlocks.c replaces a part. Locks are in locks.c, condition variables and their like in waiting.c.
//
// Known here, beside C: __braid_start, __braid_join, __braid_self, __braid_await (threads), __braid_calls(f, ...) and __braid_uses(f, ...) (does the
// program call one of these functions; does it use a result), __braid_wanted() (is the result of this call used), __VERIFIER_*.

void *__braid_join(unsigned long handle);
int __braid_self(void);
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
double __VERIFIER_nondet_double(void);
void *malloc(unsigned long size);
void *__braid_allocate(unsigned long size);
void *memcpy(void *to, const void *from, unsigned long size);
void *memmove(void *to, const void *from, unsigned long size);
void *memset(void *to, int byte, unsigned long size);
void pthread_exit(void *result);

enum { EPERM = 1, ESRCH = 3, EAGAIN = 11, EBUSY = 16, EINVAL = 22, EDEADLK = 35, ERANGE = 34, EOVERFLOW = 75, EOPNOTSUPP = 95, ETIMEDOUT = 110 };
enum { NORMAL = 0, RECURSIVE = 1, ERROR_CHECK = 2 };

// 0: free; 1, or the owner's number where kinds matter: taken. Where undefined behaviour is checked, GONE_LOCK after it was destroyed.
enum { GONE_LOCK = -2147483647 };
struct pthread_mutex_t { int owner, kind, count, robust; };
struct pthread_mutexattr_t { int kind, robust; };
// The stack's size counts only where it is asked for.
struct pthread_attr_t { int detached; unsigned long stack; };
// How many threads wait for a signal, and how many may take one; both only where deadlocks are looked for.
struct pthread_cond_t { int waiting, offers; };
struct pthread_condattr_t { int nothing; };
// The number of readers; -1 for a writer, or, where it matters who that is, what is left of -1 when the number of its thread is taken off.
// The owner counts only where deadlocks are looked for, and so do the kind and how many threads wait to write.
struct pthread_rwlock_t { int state, owner, kind, writers; };
struct pthread_rwlockattr_t { int kind; };
// Who waits is inside; counted only where memory that is gone matters.
struct pthread_barrier_t { int count, arrived, round, served, inside; };
struct pthread_barrierattr_t { int nothing; };
struct sem_t { int value; };
// Other names for the same.
struct _pthread_mutex_t { int owner, kind, count, robust; };
struct _pthread_cond_t { int waiting, offers; };
struct __sem_t { int value; };
struct mtx_t { int owner, kind, count, robust; };
struct cnd_t { int waiting, offers; };

// What is called here without a declaration gives an int.
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
void *__braid_join();

int *__errno_location(void);
static _Thread_local int errno_value;
int *__errno_location(void) { return &errno_value; }
int *__errno(void) { return &errno_value; }

// Of threads that have taken a mutex where some are robust: their numbers, which nobody has twice, and whether they are over.
enum { MEMBERS = 4096 };
static int members;
static _Thread_local int member;
static _Bool over[MEMBERS];

// Threads: identity 0 is the first one; its handle is a number that no other thread has.
enum { FIRST = 1 << 20, THREADS = 1 << 21 };
enum { GONE, JOINABLE, DETACHED, ENDED };
static int thread_state[THREADS];

unsigned long pthread_self(void) {
  int me = __braid_self();
  return me == 0 ? FIRST : me;
}
int pthread_equal(unsigned long a, unsigned long b) { return a == b; }

int pthread_create(unsigned long *handle, const struct pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (__braid_uses(pthread_detach) || __braid_calls(__asked_for_end)) {
    __VERIFIER_atomic_begin();
    __braid_start(handle, start, argument);
    thread_state[*handle] = attributes && attributes->detached ? DETACHED : JOINABLE;
    __VERIFIER_atomic_end();
  } else
    __braid_start(handle, start, argument);
  if (__braid_reads() && attributes) {
    int detached = attributes->detached;
  }
  if (__braid_definedness() && attributes && attributes->detached) __braid_detach(*handle);
  return 0;
}
int pthread_join(unsigned long handle, __auto_type result) {
  void *value = __braid_join(handle);
  if (__braid_uses(pthread_detach) || __braid_calls(__asked_for_end)) thread_state[handle] = GONE;
  // Programs have results in integers, too.
  if (result) *result = (__typeof__(*result))value;
  return 0;
}
// Thread-specific values.
enum { KEYS = 1024, DESTRUCTOR_ITERATIONS = 4 };
static unsigned keys;
static void (*destructors[KEYS])(void *);
static _Thread_local void *values[KEYS];
static _Thread_local unsigned char destructions[KEYS];
int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  __VERIFIER_atomic_begin();
  unsigned own = keys;
  if (own < KEYS) {
    destructors[own] = destructor;
    keys++;
  }
  __VERIFIER_atomic_end();
  if (own == KEYS) return EAGAIN;
  *key = own;
  return 0;
}
int pthread_key_delete(unsigned key) {
  destructors[key] = 0;
  return 0;
}
void *pthread_getspecific(unsigned key) { return values[key]; }
int pthread_setspecific(unsigned key, const void *value) {
  values[key] = (void *)value;
  return 0;
}

// Any number up to the end, chosen step by step: so it has few values.
static unsigned any_up_to(unsigned end) {
  unsigned n = 0;
  while (n < end && __VERIFIER_nondet_bool()) n = n + 1;
  return n;
}

// Run by every thread at its end, where that makes a difference.
void __thread_ends(void) {
  if (__braid_calls(__key_destructor)) {
    // Each value goes to its key's destructor, in any order, until none is left or the destructor has set it again too often.
    unsigned made = keys, key = any_up_to(made);
    while (key < made) {
      void *value = values[key], (*destructor)(void *) = destructors[key];
      __VERIFIER_assume(value && destructor && destructions[key] < DESTRUCTOR_ITERATIONS);
      values[key] = 0;
      destructions[key] = destructions[key] + 1;
      destructor(value);
      key = any_up_to(made);
    }
    for (key = 0; key < made; key++)
      __VERIFIER_assume(!values[key] || !destructors[key] || destructions[key] == DESTRUCTOR_ITERATIONS);
  }
  if (__braid_calls(pthread_mutexattr_setrobust)) {
    __VERIFIER_atomic_begin();
    over[member] = 1;
    __VERIFIER_atomic_end();
  }
  if (__braid_uses(pthread_detach) || __braid_calls(__asked_for_end)) {
    int me = __braid_self();
    __VERIFIER_atomic_begin();
    if (thread_state[me] == JOINABLE) thread_state[me] = ENDED;
    else thread_state[me] = GONE;
    __VERIFIER_atomic_end();
  }
}
int pthread_detach(unsigned long handle) {
  int result = 0;
  __braid_detach(handle);
  __VERIFIER_atomic_begin();
  if (__braid_uses(pthread_detach) && handle != FIRST) {
    if (thread_state[handle] == JOINABLE) thread_state[handle] = DETACHED;
    else if (thread_state[handle] == ENDED) thread_state[handle] = GONE;
    else if (thread_state[handle] == DETACHED) result = EINVAL;
    else result = ESRCH;
  }
  __VERIFIER_atomic_end();
  return result;
}

// Threads that end can be joined at once, but need not seem so yet.
int pthread_tryjoin_np(unsigned long handle, __auto_type result) { return __VERIFIER_nondet_bool() ? EBUSY : pthread_join(handle, result); }
int pthread_timedjoin_np(unsigned long handle, __auto_type result, __auto_type until) {
  int error = 0;
  if ((__braid_wanted() || __braid_reads()) && !is_time(until)) error = EINVAL;
  if (error == 0 && __VERIFIER_nondet_bool()) error = ETIMEDOUT;
  return error == 0 ? pthread_join(handle, result) : error;
}

// Stacks of glibc have at least so many bytes, and as many as the system says where the program does not.
enum { SMALLEST_STACK = 16384 };
int pthread_attr_init(struct pthread_attr_t *a) {
  a->detached = 0;
  if (__braid_calls(pthread_attr_getstacksize, pthread_attr_getstack)) {
    unsigned long size = __VERIFIER_nondet_uint();
    __VERIFIER_assume(size >= SMALLEST_STACK);
    a->stack = size;
  }
  return 0;
}
int pthread_attr_destroy(struct pthread_attr_t *a) { return 0; }
int pthread_attr_setdetachstate(struct pthread_attr_t *a, int state) {
  if (state != 0 && state != 1) return EINVAL;
  a->detached = state;
  return 0;
}
int pthread_attr_getdetachstate(const struct pthread_attr_t *a, int *state) { *state = a->detached; return 0; }
int pthread_attr_setstacksize(struct pthread_attr_t *a, unsigned long size) {
  if (size < SMALLEST_STACK) return EINVAL;
  if (__braid_calls(pthread_attr_getstacksize, pthread_attr_getstack)) a->stack = size;
  return 0;
}
int pthread_attr_getstacksize(const struct pthread_attr_t *a, unsigned long *size) { *size = a->stack; return 0; }
int pthread_attr_setstack(struct pthread_attr_t *a, void *stack, unsigned long size) { return pthread_attr_setstacksize(a, size); }
// There are two scopes, of which threads have the first, and three policies.
int pthread_attr_getscope(const struct pthread_attr_t *a, int *scope) { *scope = 0; return 0; }
int pthread_attr_setguardsize(struct pthread_attr_t *a, unsigned long size) { return 0; }
int pthread_attr_getguardsize(const struct pthread_attr_t *a, unsigned long *size) {
  __braid_inexact("the size of a guard");
  *size = __VERIFIER_nondet_ulong();
  return 0;
}
int pthread_attr_getstack(const struct pthread_attr_t *a, void **stack, unsigned long *size) {
  *stack = __braid_allocate(a->stack);
  *size = a->stack;
  return 0;
}
int pthread_attr_setscope(struct pthread_attr_t *a, int scope) { return scope == 0 ? 0 : scope == 1 ? EOPNOTSUPP : EINVAL; }
int pthread_attr_setschedpolicy(struct pthread_attr_t *a, int policy) { return policy < 0 || policy > 2 ? EINVAL : 0; }
int pthread_attr_setinheritsched(struct pthread_attr_t *a, int inherit) { return inherit != 0 && inherit != 1 ? EINVAL : 0; }
// What the system allows is open.
static int refused(int error) { return __VERIFIER_nondet_bool() ? error : 0; }
int pthread_attr_setschedparam(struct pthread_attr_t *a, const void *parameters) { return refused(EINVAL); }
int pthread_setschedparam(unsigned long handle, int policy, const void *parameters) { return refused(EPERM); }
int pthread_getschedparam(unsigned long handle, int *policy, __auto_type parameters) {
  __typeof__(*parameters) any;
  *policy = __VERIFIER_nondet_int();
  *parameters = any;
  return 0;
}
int pthread_getaffinity_np(unsigned long handle, unsigned long size, __auto_type set) {
  __typeof__(*set) any;
  *set = any;
  return 0;
}
int pthread_getcpuclockid(unsigned long handle, int *clock) {
  _Bool over = __VERIFIER_nondet_bool();
  if (!over) *clock = __VERIFIER_nondet_int();
  return over ? ESRCH : 0;
}
int pthread_getattr_np(unsigned long handle, struct pthread_attr_t *a) {
  unsigned long size = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(size >= SMALLEST_STACK && size < 1 << 30);
  a->detached = __VERIFIER_nondet_bool();
  a->stack = size;
  return 0;
}
int pthread_getconcurrency(void) {
  if (__braid_calls(pthread_setconcurrency)) __braid_inexact("`pthread_getconcurrency` after another level was set");
  int level = __VERIFIER_nondet_int();
  __VERIFIER_assume(level >= 0);
  return level;
}
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }
int pthread_getname_np(unsigned long handle, char *to, unsigned long size) {
  if (size < 16) return ERANGE;
  __braid_inexact("the name of a thread");
  unsigned long length = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(length < 16);
  for (unsigned long n = 0; n < length; n = n + 1) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(c != 0);
    to[n] = c;
  }
  to[length] = 0;
  return 0;
}
int pthread_setname_np(unsigned long handle, const char *name) {
  unsigned long n = 0;
  if (__braid_wanted() || __braid_reads())
    while (n < 16 && name[n]) n = n + 1;
  return n < 16 ? 0 : ERANGE;
}
int pthread_setaffinity_np(unsigned long handle, unsigned long size, const void *set) { return refused(EINVAL); }
// Nobody can be cancelled here, but these tell what was set before.
static _Thread_local int cancel_state, cancel_type;
int pthread_setcancelstate(int state, int *old) {
  if (state != 0 && state != 1) return EINVAL;
  if (old) *old = cancel_state;
  cancel_state = state;
  return 0;
}
int pthread_setcanceltype(int type, int *old) {
  if (type != 0 && type != 1) return EINVAL;
  if (old) *old = cancel_type;
  cancel_type = type;
  return 0;
}
void pthread_testcancel(void) {}
int pthread_yield(void) { return 0; }
int sched_yield(void) { return 0; }
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) { return 0; }
