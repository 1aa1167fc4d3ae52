// Locks of POSIX threads: mutexes, spin locks, read-write locks. What they are made of says threads.c.

// Mutexes. Kinds matter only where the program can make others than normal ones.
int pthread_mutex_init(struct pthread_mutex_t *m, const struct pthread_mutexattr_t *a) {
  __VERIFIER_atomic_begin();
  if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind, pthread_mutexattr_setrobust)) {
    m->kind = a ? a->kind : NORMAL;
    m->count = 0;
  }
  if (__braid_calls(pthread_mutexattr_setrobust)) m->robust = a ? a->robust : 0;
  m->owner = 0;
  __VERIFIER_atomic_end();
  return 0;
}
// To destroy a mutex that somebody holds is undefined; glibc refuses it.
int pthread_mutex_destroy(struct pthread_mutex_t *m) {
  int result = 0;
  if (__braid_definedness() || __braid_reads() || __braid_wanted()) {
    __VERIFIER_atomic_begin();
    __braid_require(m->owner == 0);
    if (m->owner != 0) result = EBUSY;
    if (__braid_definedness()) m->owner = GONE_LOCK;
    __VERIFIER_atomic_end();
  }
  return result;
}

static int lock(struct pthread_mutex_t *m) {
  int result = 0;
  if (__braid_calls(pthread_mutexattr_setrobust)) result = robust_lock(m, 1);
  else if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) {
    int me = __braid_self() + 1;
    __VERIFIER_atomic_begin();
    __braid_require(m->owner != GONE_LOCK);
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
    __braid_require(m->owner != GONE_LOCK);
    __VERIFIER_assume(m->owner == 0);
    if (__braid_definedness()) m->owner = __braid_self() + 1;
    else m->owner = 1;
    __VERIFIER_atomic_end();
  }
  return result;
}
static int try_lock(struct pthread_mutex_t *m) {
  int result = 0;
  if (__braid_calls(pthread_mutexattr_setrobust)) result = robust_lock(m, 0);
  else if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) {
    int me = __braid_self() + 1;
    __VERIFIER_atomic_begin();
    __braid_require(m->owner != GONE_LOCK);
    if (m->owner == me && m->kind == RECURSIVE) m->count = m->count + 1;
    else if (m->owner == 0) {
      m->owner = me;
      m->count = 1;
    } else
      result = EBUSY;
    __VERIFIER_atomic_end();
  } else {
    __VERIFIER_atomic_begin();
    __braid_require(m->owner != GONE_LOCK);
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
  if (__braid_calls(pthread_mutexattr_setrobust)) result = robust_unlock(m);
  else if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) {
    int me = __braid_self() + 1;
    __VERIFIER_atomic_begin();
    __braid_require(m->kind == NORMAL ? m->owner == me : m->owner != GONE_LOCK);
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
// Is this a time at all? That is looked at where it matters.
static _Bool is_time(__auto_type until) {
  long seconds = until->tv_sec, nanoseconds = until->tv_nsec;
  return nanoseconds >= 0 && nanoseconds < 1000000000;
}
// What is wrong with waiting for a mutex that is taken: a thread that has it already is told so by one that checks errors.
static int no_wait(struct pthread_mutex_t *m) {
  int result = 0;
  if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) {
    __VERIFIER_atomic_begin();
    if (m->kind == ERROR_CHECK && m->owner == __braid_self() + 1) result = EDEADLK;
    __VERIFIER_atomic_end();
  }
  return result;
}
// The time may be over, but only if it has to wait.
int pthread_mutex_timedlock(struct pthread_mutex_t *m, __auto_type until) {
  int result = try_lock(m);
  if (result == EBUSY) {
    result = no_wait(m);
    if ((__braid_wanted() || __braid_reads()) && result == 0 && !is_time(until)) result = EINVAL;
    if (result == 0) {
      if (__VERIFIER_nondet_bool()) result = ETIMEDOUT;
      else result = lock(m);
    }
  }
  return result;
}
int pthread_mutex_clocklock(struct pthread_mutex_t *m, int clock, __auto_type until) { return pthread_mutex_timedlock(m, until); }

int pthread_mutexattr_init(struct pthread_mutexattr_t *a) {
  a->kind = NORMAL;
  if (__braid_calls(pthread_mutexattr_setrobust)) a->robust = 0;
  return 0;
}
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
int pthread_spin_destroy(volatile int *lock) {
  if (__braid_reads()) {
    __VERIFIER_atomic_begin();
    int value = *lock;
    __VERIFIER_atomic_end();
  }
  return 0;
}
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

// Read-write locks. POSIX leaves open whether a writer that wants its lock again waits for ever; glibc tells it so. Where nobody looks at results, it
// waits, and nobody needs to know who writes.
static int writing(void) {
  int mine = -1;
  if (__braid_definedness() || __braid_uses(pthread_rwlock_rdlock, pthread_rwlock_wrlock, pthread_rwlock_timedrdlock, pthread_rwlock_timedwrlock, pthread_rwlock_clockrdlock, pthread_rwlock_clockwrlock))
    mine = -1 - __braid_self();
  return mine;
}
int pthread_rwlock_init(struct pthread_rwlock_t *l, const struct pthread_rwlockattr_t *a) {
  __VERIFIER_atomic_begin();
  l->state = 0;
  if (__braid_calls(pthread_rwlockattr_setkind_np, __static_rwlock_kind)) {
    l->kind = a ? a->kind : 0;
    l->writers = 0;
  }
  __VERIFIER_atomic_end();
  return 0;
}
int pthread_rwlock_destroy(struct pthread_rwlock_t *l) {
  if (__braid_definedness() || __braid_reads()) {
    __VERIFIER_atomic_begin();
    int state = l->state;
    __braid_require(state == 0);
    if (__braid_definedness()) l->state = GONE_LOCK;
    __VERIFIER_atomic_end();
  }
  return 0;
}
int pthread_rwlock_rdlock(struct pthread_rwlock_t *l) {
  int result = 0;
  if (__braid_definedness() || __braid_uses(pthread_rwlock_rdlock, pthread_rwlock_wrlock, pthread_rwlock_timedrdlock, pthread_rwlock_timedwrlock, pthread_rwlock_clockrdlock, pthread_rwlock_clockwrlock)) {
    __VERIFIER_atomic_begin();
    __braid_require(l->state != GONE_LOCK);
    if (l->state == writing()) result = EDEADLK;
    else {
      __VERIFIER_assume(l->state >= 0);
      l->state = l->state + 1;
    }
    __VERIFIER_atomic_end();
  } else {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(l->state >= 0);
    l->state = l->state + 1;
    __VERIFIER_atomic_end();
  }
  return result;
}
int pthread_rwlock_wrlock(struct pthread_rwlock_t *l) {
  int result = 0;
  if (__braid_definedness() || __braid_uses(pthread_rwlock_rdlock, pthread_rwlock_wrlock, pthread_rwlock_timedrdlock, pthread_rwlock_timedwrlock, pthread_rwlock_clockrdlock, pthread_rwlock_clockwrlock)) {
    __VERIFIER_atomic_begin();
    __braid_require(l->state != GONE_LOCK);
    if (l->state == writing()) result = EDEADLK;
    else {
      __VERIFIER_assume(l->state == 0);
      l->state = writing();
    }
    __VERIFIER_atomic_end();
  } else {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(l->state == 0);
    l->state = -1;
    __VERIFIER_atomic_end();
  }
  return result;
}
int pthread_rwlock_tryrdlock(struct pthread_rwlock_t *l) {
  int result = 0;
  __VERIFIER_atomic_begin();
  __braid_require(l->state != GONE_LOCK);
  if (l->state >= 0) l->state = l->state + 1;
  else result = EBUSY;
  __VERIFIER_atomic_end();
  return result;
}
int pthread_rwlock_trywrlock(struct pthread_rwlock_t *l) {
  int result = 0, mine = writing();
  __VERIFIER_atomic_begin();
  __braid_require(l->state != GONE_LOCK);
  if (l->state == 0) l->state = mine;
  else result = EBUSY;
  __VERIFIER_atomic_end();
  return result;
}
int pthread_rwlock_timedrdlock(struct pthread_rwlock_t *l, __auto_type until) {
  int result = EINVAL;
  if (!(__braid_wanted() || __braid_reads()) || is_time(until)) {
    result = pthread_rwlock_tryrdlock(l);
    if (result == EBUSY) {
      result = ETIMEDOUT;
      if (!__VERIFIER_nondet_bool()) result = pthread_rwlock_rdlock(l);
    }
  }
  return result;
}
int pthread_rwlock_timedwrlock(struct pthread_rwlock_t *l, __auto_type until) {
  int result = EINVAL;
  if (!(__braid_wanted() || __braid_reads()) || is_time(until)) {
    result = pthread_rwlock_trywrlock(l);
    if (result == EBUSY) {
      result = ETIMEDOUT;
      if (!__VERIFIER_nondet_bool()) result = pthread_rwlock_wrlock(l);
    }
  }
  return result;
}
int pthread_rwlock_clockrdlock(struct pthread_rwlock_t *l, int clock, __auto_type until) { return pthread_rwlock_timedrdlock(l, until); }
int pthread_rwlock_clockwrlock(struct pthread_rwlock_t *l, int clock, __auto_type until) { return pthread_rwlock_timedwrlock(l, until); }
int pthread_rwlock_unlock(struct pthread_rwlock_t *l) {
  int mine = writing();
  __VERIFIER_atomic_begin();
  __braid_require(l->state > 0 || l->state == mine);
  l->state = l->state > 0 ? l->state - 1 : 0;
  __VERIFIER_atomic_end();
  return 0;
}
// Whether writers come first matters only where deadlocks are looked for.
int pthread_rwlockattr_init(struct pthread_rwlockattr_t *a) {
  a->kind = 0;
  return 0;
}
int pthread_rwlockattr_destroy(void *a) { return 0; }
int pthread_rwlockattr_setkind_np(struct pthread_rwlockattr_t *a, int kind) {
  if (kind < 0 || kind > 2) return EINVAL;
  a->kind = kind;
  return 0;
}
int pthread_rwlockattr_getkind_np(const struct pthread_rwlockattr_t *a, int *kind) { *kind = a->kind; return 0; }
int pthread_rwlockattr_setpshared(void *a, int shared) { return shared != 0 && shared != 1 ? EINVAL : 0; }
