// POSIX threads. Each function does what the standard says; what is one step for other threads stands between
// __VERIFIER_atomic_begin and __VERIFIER_atomic_end. A record that has the name of a type of the library says what that type is made of.
// Where deadlocks are looked for, deadlocks.c replaces a part.
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
double __VERIFIER_nondet_double(void);
void *malloc(unsigned long size);
void *__braid_allocate(unsigned long size);
void *memcpy(void *to, const void *from, unsigned long size);
void *memmove(void *to, const void *from, unsigned long size);
void *memset(void *to, int byte, unsigned long size);
void pthread_exit(void *result);

enum { EPERM = 1, ESRCH = 3, EAGAIN = 11, EBUSY = 16, EINVAL = 22, EDEADLK = 35, ERANGE = 34, EOPNOTSUPP = 95, ETIMEDOUT = 110 };
enum { NORMAL = 0, RECURSIVE = 1, ERROR_CHECK = 2 };

// 0: free; 1, or the owner's number where kinds matter: taken.
struct pthread_mutex_t { int owner, kind, count; };
struct pthread_mutexattr_t { int kind; };
struct pthread_attr_t { int detached; };
// How many threads wait for a signal, and how many may take one; both only where deadlocks are looked for.
struct pthread_cond_t { int waiting, offers; };
struct pthread_condattr_t { int nothing; };
// The number of readers, or -1 for a writer.
// The owner counts only where deadlocks are looked for.
struct pthread_rwlock_t { int state, owner; };
struct pthread_rwlockattr_t { int nothing; };
struct pthread_barrier_t { int count, arrived, round, served; };
struct pthread_barrierattr_t { int nothing; };
struct sem_t { int value; };
// Other names for the same.
struct _pthread_mutex_t { int owner, kind, count; };
struct _pthread_cond_t { int waiting, offers; };
struct __sem_t { int value; };
struct mtx_t { int owner, kind, count; };
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
  if (__braid_uses(pthread_detach)) {
    __VERIFIER_atomic_begin();
    __braid_start(handle, start, argument);
    thread_state[*handle] = attributes && attributes->detached ? DETACHED : JOINABLE;
    __VERIFIER_atomic_end();
  } else
    __braid_start(handle, start, argument);
  if (__braid_definedness() && attributes && attributes->detached) __braid_detach(*handle);
  return 0;
}
int pthread_join(unsigned long handle, __auto_type result) {
  void *value = __braid_join(handle);
  if (__braid_uses(pthread_detach)) thread_state[handle] = GONE;
  // Programs have results in integers, too.
  if (result) *result = (__typeof__(*result))value;
  return 0;
}
// Thread-specific values.
enum { KEYS = 1024 };
static unsigned keys;
static void (*destructors[KEYS])(void *);
static _Thread_local void *values[KEYS];
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
    // Each value goes to its key's destructor, in any order, until none is left.
    unsigned made = keys, key = any_up_to(made);
    while (key < made) {
      void *value = values[key], (*destructor)(void *) = destructors[key];
      __VERIFIER_assume(value && destructor);
      values[key] = 0;
      destructor(value);
      key = any_up_to(made);
    }
    for (key = 0; key < made; key++) __VERIFIER_assume(!values[key] || !destructors[key]);
  }
  if (__braid_uses(pthread_detach)) {
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

int pthread_attr_init(struct pthread_attr_t *a) { a->detached = 0; return 0; }
int pthread_attr_destroy(struct pthread_attr_t *a) { return 0; }
int pthread_attr_setdetachstate(struct pthread_attr_t *a, int state) {
  if (state != 0 && state != 1) return EINVAL;
  a->detached = state;
  return 0;
}
int pthread_attr_getdetachstate(const struct pthread_attr_t *a, int *state) { *state = a->detached; return 0; }
// Stacks of glibc have at least so many bytes. There are two scopes, of which threads have the first, and three policies.
enum { SMALLEST_STACK = 16384 };
int pthread_attr_setstacksize(struct pthread_attr_t *a, unsigned long size) { return size < SMALLEST_STACK ? EINVAL : 0; }
int pthread_attr_setstack(struct pthread_attr_t *a, void *stack, unsigned long size) { return size < SMALLEST_STACK ? EINVAL : 0; }
int pthread_attr_setguardsize(struct pthread_attr_t *a, unsigned long size) { return 0; }
int pthread_attr_setscope(struct pthread_attr_t *a, int scope) { return scope == 0 ? 0 : scope == 1 ? EOPNOTSUPP : EINVAL; }
int pthread_attr_setschedpolicy(struct pthread_attr_t *a, int policy) { return policy < 0 || policy > 2 ? EINVAL : 0; }
int pthread_attr_setinheritsched(struct pthread_attr_t *a, int inherit) { return inherit != 0 && inherit != 1 ? EINVAL : 0; }
// What the system allows is open.
static int refused(int error) { return __VERIFIER_nondet_bool() ? error : 0; }
int pthread_attr_setschedparam(struct pthread_attr_t *a, const void *parameters) { return refused(EINVAL); }
int pthread_setschedparam(unsigned long handle, int policy, const void *parameters) { return refused(EPERM); }
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }
int pthread_setname_np(unsigned long handle, const char *name) {
  unsigned long n = 0;
  if (__braid_wanted())
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

// Mutexes. Kinds matter only where the program can make others than normal ones.
int pthread_mutex_init(struct pthread_mutex_t *m, const struct pthread_mutexattr_t *a) {
  __VERIFIER_atomic_begin();
  if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np)) {
    m->kind = a ? a->kind : NORMAL;
    m->count = 0;
  }
  m->owner = 0;
  __VERIFIER_atomic_end();
  return 0;
}
int pthread_mutex_destroy(struct pthread_mutex_t *m) {
  if (__braid_definedness()) {
    __VERIFIER_atomic_begin();
    __braid_require(m->owner == 0);
    __VERIFIER_atomic_end();
  }
  return 0;
}

static int lock(struct pthread_mutex_t *m) {
  int result = 0;
  if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) {
    int me = __braid_self() + 1;
    __VERIFIER_atomic_begin();
    if (m->owner == me && m->kind == RECURSIVE) m->count = m->count + 1;
    else if (m->owner == me && m->kind == ERROR_CHECK) result = EDEADLK;
    else {
      __VERIFIER_assume(m->owner == 0);
      m->owner = me;
      m->count = 1;
    }
    __VERIFIER_atomic_end();
  } else {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(m->owner == 0);
    if (__braid_definedness()) m->owner = __braid_self() + 1;
    else m->owner = 1;
    __VERIFIER_atomic_end();
  }
  return result;
}
static int try_lock(struct pthread_mutex_t *m) {
  int result = 0;
  if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) {
    int me = __braid_self() + 1;
    __VERIFIER_atomic_begin();
    if (m->owner == me && m->kind == RECURSIVE) m->count = m->count + 1;
    else if (m->owner == 0) {
      m->owner = me;
      m->count = 1;
    } else
      result = EBUSY;
    __VERIFIER_atomic_end();
  } else {
    __VERIFIER_atomic_begin();
    if (m->owner != 0) result = EBUSY;
    else if (__braid_definedness()) m->owner = __braid_self() + 1;
    else m->owner = 1;
    __VERIFIER_atomic_end();
  }
  return result;
}
// A thread that does not hold a normal mutex must not give it back.
static int unlock(struct pthread_mutex_t *m) {
  int result = 0;
  if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) {
    int me = __braid_self() + 1;
    __VERIFIER_atomic_begin();
    if (m->kind == NORMAL) __braid_require(m->owner == me);
    if (m->kind != NORMAL && m->owner != me) result = EPERM;
    else if (m->kind == RECURSIVE && m->count > 1) m->count = m->count - 1;
    else m->owner = 0;
    __VERIFIER_atomic_end();
  } else {
    __VERIFIER_atomic_begin();
    if (__braid_definedness()) __braid_require(m->owner == __braid_self() + 1);
    m->owner = 0;
    __VERIFIER_atomic_end();
  }
  return result;
}
int pthread_mutex_lock(struct pthread_mutex_t *m) { return lock(m); }
int pthread_mutex_trylock(struct pthread_mutex_t *m) { return try_lock(m); }
int pthread_mutex_unlock(struct pthread_mutex_t *m) { return unlock(m); }
// The time may be over, but only if it has to wait.
int pthread_mutex_timedlock(struct pthread_mutex_t *m, const void *until) {
  int result = try_lock(m);
  if (result == EBUSY) {
    result = ETIMEDOUT;
    if (!__VERIFIER_nondet_bool()) result = lock(m);
  }
  return result;
}

int pthread_mutexattr_init(struct pthread_mutexattr_t *a) { a->kind = NORMAL; return 0; }
int pthread_mutexattr_destroy(struct pthread_mutexattr_t *a) { return 0; }
// 3 is the adaptive kind, which is a normal one here.
int pthread_mutexattr_settype(struct pthread_mutexattr_t *a, int kind) {
  if (kind < 0 || kind > 3) return EINVAL;
  a->kind = kind == 3 ? NORMAL : kind;
  return 0;
}
int pthread_mutexattr_settype_np(struct pthread_mutexattr_t *a, int kind) { return pthread_mutexattr_settype(a, kind); }
int pthread_mutexattr_gettype(const struct pthread_mutexattr_t *a, int *kind) { *kind = a->kind; return 0; }
int pthread_mutexattr_setpshared(struct pthread_mutexattr_t *a, int shared) { return shared != 0 && shared != 1 ? EINVAL : 0; }
int pthread_mutexattr_setprotocol(struct pthread_mutexattr_t *a, int protocol) { return protocol < 0 || protocol > 2 ? EINVAL : 0; }

// Spin locks.
int pthread_spin_init(volatile int *lock, int shared) {
  __VERIFIER_atomic_begin();
  *lock = 0;
  __VERIFIER_atomic_end();
  return 0;
}
int pthread_spin_destroy(volatile int *lock) { return 0; }
int pthread_spin_lock(volatile int *lock) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(*lock == 0);
  *lock = 1;
  __VERIFIER_atomic_end();
  return 0;
}
int pthread_spin_trylock(volatile int *lock) {
  int result = 0;
  __VERIFIER_atomic_begin();
  if (*lock == 0) *lock = 1;
  else result = EBUSY;
  __VERIFIER_atomic_end();
  return result;
}
int pthread_spin_unlock(volatile int *lock) {
  __VERIFIER_atomic_begin();
  __braid_require(*lock != 0);
  *lock = 0;
  __VERIFIER_atomic_end();
  return 0;
}

// Read-write locks.
int pthread_rwlock_init(struct pthread_rwlock_t *l, const void *attributes) {
  __VERIFIER_atomic_begin();
  l->state = 0;
  __VERIFIER_atomic_end();
  return 0;
}
int pthread_rwlock_destroy(struct pthread_rwlock_t *l) { return 0; }
int pthread_rwlock_rdlock(struct pthread_rwlock_t *l) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(l->state >= 0);
  l->state = l->state + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int pthread_rwlock_wrlock(struct pthread_rwlock_t *l) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(l->state == 0);
  l->state = -1;
  __VERIFIER_atomic_end();
  return 0;
}
int pthread_rwlock_tryrdlock(struct pthread_rwlock_t *l) {
  int result = 0;
  __VERIFIER_atomic_begin();
  if (l->state >= 0) l->state = l->state + 1;
  else result = EBUSY;
  __VERIFIER_atomic_end();
  return result;
}
int pthread_rwlock_trywrlock(struct pthread_rwlock_t *l) {
  int result = 0;
  __VERIFIER_atomic_begin();
  if (l->state == 0) l->state = -1;
  else result = EBUSY;
  __VERIFIER_atomic_end();
  return result;
}
int pthread_rwlock_timedrdlock(struct pthread_rwlock_t *l, const void *until) {
  int result = pthread_rwlock_tryrdlock(l);
  if (result == EBUSY) {
    result = ETIMEDOUT;
    if (!__VERIFIER_nondet_bool()) result = pthread_rwlock_rdlock(l);
  }
  return result;
}
int pthread_rwlock_timedwrlock(struct pthread_rwlock_t *l, const void *until) {
  int result = pthread_rwlock_trywrlock(l);
  if (result == EBUSY) {
    result = ETIMEDOUT;
    if (!__VERIFIER_nondet_bool()) result = pthread_rwlock_wrlock(l);
  }
  return result;
}
int pthread_rwlock_unlock(struct pthread_rwlock_t *l) {
  __VERIFIER_atomic_begin();
  __braid_require(l->state != 0);
  l->state = l->state > 0 ? l->state - 1 : 0;
  __VERIFIER_atomic_end();
  return 0;
}
int pthread_rwlockattr_init(void *a) { return 0; }
int pthread_rwlockattr_destroy(void *a) { return 0; }
int pthread_rwlockattr_setkind_np(void *a, int kind) { return kind < 0 || kind > 2 ? EINVAL : 0; }
int pthread_rwlockattr_setpshared(void *a, int shared) { return shared != 0 && shared != 1 ? EINVAL : 0; }

// Condition variables have no state: a waiting thread may wake up at any time.
int pthread_cond_init(struct pthread_cond_t *c, const void *attributes) { return 0; }
int pthread_cond_destroy(struct pthread_cond_t *c) { return 0; }
int pthread_cond_signal(struct pthread_cond_t *c) { return 0; }
int pthread_cond_broadcast(struct pthread_cond_t *c) { return 0; }
int pthread_cond_wait(struct pthread_cond_t *c, struct pthread_mutex_t *m) {
  unlock(m);
  lock(m);
  return 0;
}
int pthread_cond_timedwait(struct pthread_cond_t *c, struct pthread_mutex_t *m, const void *until) {
  unlock(m);
  lock(m);
  return __VERIFIER_nondet_bool() ? ETIMEDOUT : 0;
}
int pthread_condattr_init(void *a) { return 0; }
int pthread_condattr_destroy(void *a) { return 0; }
int pthread_condattr_setclock(void *a, int clock) { return clock != 0 && clock != 1 ? EINVAL : 0; }
int pthread_condattr_setpshared(void *a, int shared) { return shared != 0 && shared != 1 ? EINVAL : 0; }

// Semaphores.
int sem_init(struct sem_t *s, int shared, unsigned value) {
  __VERIFIER_atomic_begin();
  s->value = value;
  __VERIFIER_atomic_end();
  return 0;
}
int sem_destroy(struct sem_t *s) { return 0; }
int sem_wait(struct sem_t *s) {
  __VERIFIER_atomic_begin();
  __braid_await(s->value > 0);
  s->value = s->value - 1;
  __VERIFIER_atomic_end();
  return 0;
}
int sem_trywait(struct sem_t *s) {
  int result = 0;
  __VERIFIER_atomic_begin();
  if (s->value > 0) s->value = s->value - 1;
  else result = -1;
  __VERIFIER_atomic_end();
  if (__braid_calls(__errno_location) && result) errno_value = EAGAIN;
  return result;
}
int sem_timedwait(struct sem_t *s, const void *until) {
  int result = sem_trywait(s);
  if (result) {
    if (__VERIFIER_nondet_bool()) {
      if (__braid_calls(__errno_location)) errno_value = ETIMEDOUT;
    } else
      result = sem_wait(s);
  }
  return result;
}
int sem_post(struct sem_t *s) {
  __VERIFIER_atomic_begin();
  s->value = s->value + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int sem_getvalue(struct sem_t *s, int *value) {
  __VERIFIER_atomic_begin();
  int now = s->value;
  __VERIFIER_atomic_end();
  *value = now;
  return 0;
}

// Barriers: one of those that waited is told so, and it is open which.
int pthread_barrier_init(struct pthread_barrier_t *b, const void *attributes, unsigned count) {
  __VERIFIER_atomic_begin();
  b->count = count;
  b->arrived = 0;
  b->round = 0;
  if (__braid_uses(pthread_barrier_wait)) b->served = 0;
  __VERIFIER_atomic_end();
  return count == 0 ? EINVAL : 0;
}
int pthread_barrier_destroy(struct pthread_barrier_t *b) { return 0; }
int pthread_barrier_wait(struct pthread_barrier_t *b) {
  int serial = 0;
  __VERIFIER_atomic_begin();
  int round = b->round;
  b->arrived = b->arrived + 1;
  if (__braid_uses(pthread_barrier_wait)) {
    serial = !b->served && (b->arrived == b->count || __VERIFIER_nondet_bool());
    b->served = b->served || serial;
    if (b->arrived == b->count) b->served = 0;
  }
  if (b->arrived == b->count) {
    b->arrived = 0;
    b->round = b->round + 1;
  }
  __VERIFIER_atomic_end();
  __braid_await(b->round != round);
  return serial ? -1 : 0;
}
int pthread_barrierattr_init(void *a) { return 0; }
int pthread_barrierattr_destroy(void *a) { return 0; }
int pthread_barrierattr_setpshared(void *a, int shared) { return shared != 0 && shared != 1 ? EINVAL : 0; }

static void run_once(int *once, void (*function)(void)) {
  function();
  __VERIFIER_atomic_begin();
  *once = 2;
  __VERIFIER_atomic_end();
}
// The first one runs the function, all others wait for its end.
int pthread_once(int *once, void (*function)(void)) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(*once != 1);
  int first = *once == 0;
  if (first) *once = 1;
  __VERIFIER_atomic_end();
  if (first) run_once(once, function);
  return 0;
}

// C11 threads.
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_timedout = 4 };
unsigned long thrd_current(void) { return pthread_self(); }
int thrd_equal(unsigned long a, unsigned long b) { return a == b; }
int thrd_create(unsigned long *handle, int (*start)(void *), void *argument) {
  __braid_start(handle, start, argument);
  return thrd_success;
}
int thrd_join(unsigned long handle, int *result) {
  int value = (int)(long)__braid_join(handle);
  if (result) *result = value;
  return thrd_success;
}
void thrd_exit(int result) { pthread_exit((void *)(long)result); }
int thrd_detach(unsigned long handle) {
  __braid_detach(handle);
  return thrd_success;
}
void thrd_yield(void) {}
int thrd_sleep(const void *duration, void *remaining) { return 0; }
int mtx_init(struct mtx_t *m, int kind) {
  __VERIFIER_atomic_begin();
  m->owner = 0;
  m->kind = kind & 1 ? RECURSIVE : NORMAL;
  m->count = 0;
  __VERIFIER_atomic_end();
  return thrd_success;
}
void mtx_destroy(struct mtx_t *m) {}
int mtx_lock(struct pthread_mutex_t *m) { return lock(m) ? thrd_error : thrd_success; }
int mtx_trylock(struct pthread_mutex_t *m) { return try_lock(m) ? thrd_busy : thrd_success; }
int mtx_timedlock(struct pthread_mutex_t *m, const void *until) {
  int result = pthread_mutex_timedlock(m, until);
  return result == ETIMEDOUT ? thrd_timedout : result ? thrd_error : thrd_success;
}
int mtx_unlock(struct pthread_mutex_t *m) { return unlock(m) ? thrd_error : thrd_success; }
int cnd_init(struct cnd_t *c) { return thrd_success; }
void cnd_destroy(struct cnd_t *c) {}
int cnd_signal(struct cnd_t *c) { return thrd_success; }
int cnd_broadcast(struct cnd_t *c) { return thrd_success; }
int cnd_wait(struct cnd_t *c, struct pthread_mutex_t *m) {
  unlock(m);
  lock(m);
  return thrd_success;
}
int cnd_timedwait(struct cnd_t *c, struct pthread_mutex_t *m, const void *until) {
  unlock(m);
  lock(m);
  return __VERIFIER_nondet_bool() ? thrd_timedout : thrd_success;
}
void call_once(int *once, void (*function)(void)) { pthread_once(once, function); }
int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
