// Mutexes in programs where some are robust: whoever takes one whose owner is over is told so, and may make it consistent again. If it is given
// back before that, nobody can ever take it.
enum { EOWNERDEAD = 130, ENOTRECOVERABLE = 131 };
enum { STALLED, ROBUST, INCONSISTENT, LOST };

static int own_number(void) {
  if (member == 0) {
    __VERIFIER_atomic_begin();
    members = members + 1;
    member = members;
    __VERIFIER_atomic_end();
    if (member >= MEMBERS) __braid_unsupported("so many threads with robust mutexes");
  }
  return member;
}
static int robust_lock(struct pthread_mutex_t *m, _Bool waits) {
  int result = 0;
  int me = own_number();
  __VERIFIER_atomic_begin();
  __braid_require(m->owner != GONE_LOCK);
  if (m->robust == LOST) result = ENOTRECOVERABLE;
  else if (m->owner == me && m->kind == RECURSIVE) m->count = m->count + 1;
  else if (m->owner == me && m->kind == ERROR_CHECK) result = waits ? EDEADLK : EBUSY;
  else if (!waits && m->owner != 0 && (m->robust == STALLED || !over[m->owner])) result = EBUSY;
  else {
    __braid_await(m->owner == 0 || m->robust == LOST || (m->robust != STALLED && over[m->owner]));
    if (m->robust == LOST) result = ENOTRECOVERABLE;
    else {
      if (m->owner != 0) {
        m->robust = INCONSISTENT;
        result = EOWNERDEAD;
      }
      m->owner = me;
      m->count = 1;
    }
  }
  __VERIFIER_atomic_end();
  return result;
}
static int robust_unlock(struct pthread_mutex_t *m) {
  int result = 0;
  int me = own_number();
  __VERIFIER_atomic_begin();
  __braid_require(m->owner != GONE_LOCK);
  if (m->kind == NORMAL && m->robust == STALLED) __braid_require(m->owner == me);
  if ((m->kind != NORMAL || m->robust != STALLED) && m->owner != me) result = EPERM;
  else if (m->kind == RECURSIVE && m->count > 1) m->count = m->count - 1;
  else {
    if (m->robust == INCONSISTENT) m->robust = LOST;
    m->owner = 0;
  }
  __VERIFIER_atomic_end();
  return result;
}
int pthread_mutex_consistent(struct pthread_mutex_t *m) {
  int result = 0;
  __VERIFIER_atomic_begin();
  if (m->robust == INCONSISTENT) m->robust = ROBUST;
  else result = EINVAL;
  __VERIFIER_atomic_end();
  return result;
}
int pthread_mutexattr_setrobust(struct pthread_mutexattr_t *a, int robust) {
  if (robust != STALLED && robust != ROBUST) return EINVAL;
  a->robust = robust;
  return 0;
}
int pthread_mutexattr_getrobust(const struct pthread_mutexattr_t *a, int *robust) {
  *robust = __braid_calls(pthread_mutexattr_setrobust) ? a->robust : STALLED;
  return 0;
}
