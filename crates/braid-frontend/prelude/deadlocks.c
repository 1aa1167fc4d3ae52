// What is different where deadlocks are looked for: locks know who holds them, and condition variables who waits. These definitions count,
// and not those of threads.c, locks.c and waiting.c.
//
// __braid_await(test) waits until the test holds; __braid_await_thread(test, number) waits for one thread, which is the only one that can make
// it hold (a number that no thread has: anyone can). Whoever waits with a time limit is not waiting for ever, so it only tries, twice.

// The owner is the number of the thread that has it, plus 1.
static int lock(struct pthread_mutex_t *m) {
  int result = 0;
  int me = __braid_self() + 1;
  if (__braid_calls(pthread_mutexattr_setrobust)) result = robust_lock(m, 1);
  else if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) {
    __VERIFIER_atomic_begin();
    int owner = m->owner, kind = m->kind;
    __braid_await_thread(owner == 0 || owner == me && kind != NORMAL, owner - 1);
    if (owner == 0) {
      m->owner = me;
      m->count = 1;
    } else if (kind == RECURSIVE)
      m->count = m->count + 1;
    else
      result = EDEADLK;
    __VERIFIER_atomic_end();
  } else {
    __VERIFIER_atomic_begin();
    __braid_await_thread(m->owner == 0, m->owner - 1);
    m->owner = me;
    __VERIFIER_atomic_end();
  }
  return result;
}
static int try_lock(struct pthread_mutex_t *m) {
  int result = 0;
  int me = __braid_self() + 1;
  if (__braid_calls(pthread_mutexattr_setrobust)) return robust_lock(m, 0);
  __VERIFIER_atomic_begin();
  if (m->owner == 0) {
    m->owner = me;
    if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) m->count = 1;
  } else if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) {
    if (m->owner == me && m->kind == RECURSIVE) m->count = m->count + 1;
    else result = EBUSY;
  } else
    result = EBUSY;
  __VERIFIER_atomic_end();
  return result;
}
int pthread_mutex_timedlock(struct pthread_mutex_t *m, __auto_type until) {
  int result = try_lock(m);
  if (result == EBUSY) {
    result = no_wait(m);
    if (__braid_wanted() && result == 0 && !is_time(until)) result = EINVAL;
    if (result == 0 && try_lock(m) == EBUSY) result = ETIMEDOUT;
  }
  return result;
}

int pthread_spin_lock(volatile int *lock) {
  int me = __braid_self() + 1;
  __VERIFIER_atomic_begin();
  __braid_await_thread(*lock == 0, *lock - 1);
  *lock = me;
  __VERIFIER_atomic_end();
  return 0;
}
int pthread_spin_trylock(volatile int *lock) {
  int result = 0;
  int me = __braid_self() + 1;
  __VERIFIER_atomic_begin();
  if (*lock == 0) *lock = me;
  else result = EBUSY;
  __VERIFIER_atomic_end();
  return result;
}

// The owner is the number of the thread that holds it alone, plus 1; 0 if several have read, of whom
// anyone may be the last one.
static void read_by(struct pthread_rwlock_t *l, int me) {
  l->owner = l->state == 0 || l->owner == me ? me : 0;
  l->state = l->state + 1;
}
static void written_by(struct pthread_rwlock_t *l, int me) {
  l->owner = me;
  l->state = -me;
}
// A lock that prefers writers lets nobody read while somebody waits to write.
enum { PREFERS_WRITERS = 2 };
int pthread_rwlock_rdlock(struct pthread_rwlock_t *l) {
  int me = __braid_self() + 1;
  __VERIFIER_atomic_begin();
  if (__braid_calls(pthread_rwlockattr_setkind_np, __static_rwlock_kind))
    __braid_await(l->state >= 0 && (l->writers == 0 || l->kind != PREFERS_WRITERS));
  else __braid_await_thread(l->state >= 0, l->owner - 1);
  read_by(l, me);
  __VERIFIER_atomic_end();
  return 0;
}
int pthread_rwlock_wrlock(struct pthread_rwlock_t *l) {
  int me = __braid_self() + 1;
  if (__braid_calls(pthread_rwlockattr_setkind_np, __static_rwlock_kind)) {
    __VERIFIER_atomic_begin();
    l->writers = l->writers + 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    __braid_await_thread(l->state == 0, l->owner - 1);
    l->writers = l->writers - 1;
    written_by(l, me);
    __VERIFIER_atomic_end();
  } else {
    __VERIFIER_atomic_begin();
    __braid_await_thread(l->state == 0, l->owner - 1);
    written_by(l, me);
    __VERIFIER_atomic_end();
  }
  return 0;
}
int pthread_rwlock_tryrdlock(struct pthread_rwlock_t *l) {
  int result = 0;
  int me = __braid_self() + 1;
  __VERIFIER_atomic_begin();
  _Bool free = l->state >= 0;
  if (__braid_calls(pthread_rwlockattr_setkind_np, __static_rwlock_kind)) free = free && (l->writers == 0 || l->kind != PREFERS_WRITERS);
  if (free) read_by(l, me);
  else result = EBUSY;
  __VERIFIER_atomic_end();
  return result;
}
int pthread_rwlock_trywrlock(struct pthread_rwlock_t *l) {
  int result = 0;
  int me = __braid_self() + 1;
  __VERIFIER_atomic_begin();
  if (l->state == 0) written_by(l, me);
  else result = EBUSY;
  __VERIFIER_atomic_end();
  return result;
}
int pthread_rwlock_timedrdlock(struct pthread_rwlock_t *l, __auto_type until) {
  int result = EINVAL;
  if (!__braid_wanted() || is_time(until)) {
    result = pthread_rwlock_tryrdlock(l);
    if (result == EBUSY) result = pthread_rwlock_tryrdlock(l);
    if (result == EBUSY) result = ETIMEDOUT;
  }
  return result;
}
int pthread_rwlock_timedwrlock(struct pthread_rwlock_t *l, __auto_type until) {
  int result = EINVAL;
  if (!__braid_wanted() || is_time(until)) {
    result = pthread_rwlock_trywrlock(l);
    if (result == EBUSY) result = pthread_rwlock_trywrlock(l);
    if (result == EBUSY) result = ETIMEDOUT;
  }
  return result;
}

// A signal is an offer to those who wait at that moment: until somebody took it, nobody else begins to wait. Whoever can take it can do so at
// once, so this is as if the signal had chosen. That a thread wakes up by itself is decided when it begins to wait.
static void begin_to_wait(struct pthread_cond_t *c, struct pthread_mutex_t *m) {
  __VERIFIER_atomic_begin();
  __braid_await(c->offers == 0);
  c->waiting = c->waiting + 1;
  unlock(m);
  __VERIFIER_atomic_end();
}
// Who does not hold the mutex is told so by one that checks errors, and does not wait.
static int not_held(struct pthread_mutex_t *m) {
  int result = 0;
  if (__braid_calls(pthread_mutexattr_settype, pthread_mutexattr_settype_np, mtx_init, __static_mutex_kind)) {
    __VERIFIER_atomic_begin();
    if (m->kind != NORMAL && m->owner != __braid_self() + 1) result = EPERM;
    __VERIFIER_atomic_end();
  }
  return result;
}
static void wait_for_signal(struct pthread_cond_t *c, struct pthread_mutex_t *m) {
  if (__VERIFIER_nondet_bool()) unlock(m);
  else {
    begin_to_wait(c, m);
    __VERIFIER_atomic_begin();
    __braid_await(c->offers > 0);
    c->offers = c->offers - 1;
    __VERIFIER_atomic_end();
  }
  lock(m);
}
// A signal may be taken by a thread whose time is over at the same moment. If nobody else is left, it must be.
static void wait_for_a_while(struct pthread_cond_t *c, struct pthread_mutex_t *m) {
  if (__VERIFIER_nondet_bool()) unlock(m);
  else {
    _Bool takes = __VERIFIER_nondet_bool();
    begin_to_wait(c, m);
    __VERIFIER_atomic_begin();
    if (c->offers > 0 && (takes || c->waiting == 0)) c->offers = c->offers - 1;
    else c->waiting = c->waiting - 1;
    __VERIFIER_atomic_end();
  }
  lock(m);
}
static void offer_to_one(struct pthread_cond_t *c) {
  __VERIFIER_atomic_begin();
  if (c->waiting > 0) {
    c->waiting = c->waiting - 1;
    c->offers = c->offers + 1;
  }
  __VERIFIER_atomic_end();
}
static void offer_to_all(struct pthread_cond_t *c) {
  __VERIFIER_atomic_begin();
  c->offers = c->offers + c->waiting;
  c->waiting = 0;
  __VERIFIER_atomic_end();
}
static void nobody_waits(struct pthread_cond_t *c) {
  __VERIFIER_atomic_begin();
  c->waiting = 0;
  c->offers = 0;
  __VERIFIER_atomic_end();
}
int pthread_cond_init(struct pthread_cond_t *c, const void *attributes) { nobody_waits(c); return 0; }
int pthread_cond_signal(struct pthread_cond_t *c) { offer_to_one(c); return 0; }
int pthread_cond_broadcast(struct pthread_cond_t *c) { offer_to_all(c); return 0; }
int pthread_cond_wait(struct pthread_cond_t *c, struct pthread_mutex_t *m) {
  int result = not_held(m);
  if (result == 0) wait_for_signal(c, m);
  return result;
}
int pthread_cond_timedwait(struct pthread_cond_t *c, struct pthread_mutex_t *m, __auto_type until) {
  int result = not_held(m);
  if (__braid_wanted() && !is_time(until)) result = EINVAL;
  if (result == 0) {
    wait_for_a_while(c, m);
    if (__VERIFIER_nondet_bool()) result = ETIMEDOUT;
  }
  return result;
}
int cnd_init(struct pthread_cond_t *c) { nobody_waits(c); return thrd_success; }
int cnd_signal(struct pthread_cond_t *c) { offer_to_one(c); return thrd_success; }
int cnd_broadcast(struct pthread_cond_t *c) { offer_to_all(c); return thrd_success; }
int cnd_wait(struct pthread_cond_t *c, struct pthread_mutex_t *m) { return c11_result(pthread_cond_wait(c, m)); }
int cnd_timedwait(struct pthread_cond_t *c, struct pthread_mutex_t *m, __auto_type until) { return c11_result(pthread_cond_timedwait(c, m, until)); }

int sem_timedwait(struct sem_t *s, __auto_type until) {
  if (__braid_wanted() && !is_time(until)) return sem_error(EINVAL);
  int result = sem_trywait(s);
  if (result) result = sem_trywait(s);
  return result ? sem_error(ETIMEDOUT) : 0;
}

// While the function runs, what is left of -1 when the number of its thread is taken off.
int pthread_once(int *once, void (*function)(void)) {
  int me = __braid_self();
  __VERIFIER_atomic_begin();
  __braid_await_thread(*once >= 0, -1 - *once);
  int first = *once == 0;
  if (first) *once = -1 - me;
  __VERIFIER_atomic_end();
  if (first) run_once(once, function);
  return 0;
}
void call_once(int *once, void (*function)(void)) { pthread_once(once, function); }

// To ask for an end again and again is not to wait for it: who does so joins only a thread that is at its end.
static _Bool has_ended(unsigned long handle) {
  __VERIFIER_atomic_begin();
  _Bool ended = thread_state[handle] == ENDED;
  __VERIFIER_atomic_end();
  return ended && __VERIFIER_nondet_bool();
}
int pthread_tryjoin_np(unsigned long handle, __auto_type result) { return has_ended(handle) ? pthread_join(handle, result) : EBUSY; }
int pthread_timedjoin_np(unsigned long handle, __auto_type result, __auto_type until) {
  if (__braid_wanted() && !is_time(until)) return EINVAL;
  return has_ended(handle) ? pthread_join(handle, result) : ETIMEDOUT;
}

// Who waits does not wait for ever: the signal ends the process. A handler that would keep it alive is not known here.
unsigned alarm(unsigned seconds) {
  if (seconds) __braid_unsupported("a deadlock that `alarm` ends");
  return __VERIFIER_nondet_uint();
}
