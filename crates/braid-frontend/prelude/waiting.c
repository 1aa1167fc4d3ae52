// Waiting for others: condition variables, semaphores, barriers, once; and the threads of C11, which are made of all these.

// Condition variables have no state: a waiting thread may wake up at any time. But they must be there.
static void touch_cond(struct pthread_cond_t *c) {
  if (__braid_reads()) {
    __VERIFIER_atomic_begin();
    int waiting = c->waiting;
    __VERIFIER_atomic_end();
  }
}
// Where memory is looked at, it has a value afterwards: of memory on the stack nothing else is known.
int pthread_cond_init(struct pthread_cond_t *c, const void *attributes) {
  if (__braid_reads()) {
    __VERIFIER_atomic_begin();
    c->waiting = 0;
    __VERIFIER_atomic_end();
  }
  return 0;
}
int pthread_cond_destroy(struct pthread_cond_t *c) { touch_cond(c); return 0; }
int pthread_cond_signal(struct pthread_cond_t *c) { touch_cond(c); return 0; }
int pthread_cond_broadcast(struct pthread_cond_t *c) { touch_cond(c); return 0; }
// Who does not hold the mutex is told so by one that checks errors, and does not wait.
static int wait_awhile(struct pthread_cond_t *c, struct pthread_mutex_t *m) {
  touch_cond(c);
  int result = unlock(m);
  if (result == 0) lock(m);
  return result;
}
int pthread_cond_wait(struct pthread_cond_t *c, struct pthread_mutex_t *m) { return wait_awhile(c, m); }
int pthread_cond_timedwait(struct pthread_cond_t *c, struct pthread_mutex_t *m, __auto_type until) {
  int result = EINVAL;
  if (!(__braid_wanted() || __braid_reads()) || is_time(until)) {
    result = wait_awhile(c, m);
    if (result == 0 && __VERIFIER_nondet_bool()) result = ETIMEDOUT;
  }
  return result;
}
int pthread_cond_clockwait(struct pthread_cond_t *c, struct pthread_mutex_t *m, int clock, __auto_type until) {
  return pthread_cond_timedwait(c, m, until);
}
int pthread_condattr_init(void *a) { return 0; }
int pthread_condattr_destroy(void *a) { return 0; }
int pthread_condattr_setclock(void *a, int clock) { return clock != 0 && clock != 1 ? EINVAL : 0; }
int pthread_condattr_setpshared(void *a, int shared) { return shared != 0 && shared != 1 ? EINVAL : 0; }

// Semaphores.
enum { SEM_VALUE_MAX = 2147483647 };
static int sem_error(int error) {
  if (__braid_calls(__errno_location)) errno_value = error;
  return -1;
}
int sem_init(struct sem_t *s, int shared, unsigned value) {
  if (value > SEM_VALUE_MAX) return sem_error(EINVAL);
  __VERIFIER_atomic_begin();
  s->value = value;
  __VERIFIER_atomic_end();
  return 0;
}
int sem_destroy(struct sem_t *s) {
  if (__braid_reads()) {
    __VERIFIER_atomic_begin();
    int value = s->value;
    __VERIFIER_atomic_end();
  }
  return 0;
}
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
  return result ? sem_error(EAGAIN) : 0;
}
int sem_timedwait(struct sem_t *s, __auto_type until) {
  if ((__braid_wanted() || __braid_reads()) && !is_time(until)) return sem_error(EINVAL);
  int result = sem_trywait(s);
  if (result) {
    if (__VERIFIER_nondet_bool()) result = sem_error(ETIMEDOUT);
    else result = sem_wait(s);
  }
  return result;
}
int sem_clockwait(struct sem_t *s, int clock, __auto_type until) { return sem_timedwait(s, until); }
int sem_post(struct sem_t *s) {
  int result = 0;
  __VERIFIER_atomic_begin();
  if (__braid_wanted() && s->value == SEM_VALUE_MAX) result = EOVERFLOW;
  else s->value = s->value + 1;
  __VERIFIER_atomic_end();
  return result ? sem_error(result) : 0;
}
int sem_getvalue(struct sem_t *s, int *value) {
  __VERIFIER_atomic_begin();
  int now = s->value;
  __VERIFIER_atomic_end();
  *value = now;
  return 0;
}

// Semaphores with names. There are none when the program begins, and nobody else has them. One that is open is somewhere in memory, once, and gone
// from there when it was closed as often as it was opened; its name keeps its value.
enum { NO_NAME = 2, NAME_IS_TAKEN = 17, CREATE = 0100, EXCLUSIVE = 0200, NAMED = 16, NAME_LENGTH = 32 };
struct named_semaphore { struct sem_t *place; int uses, value; _Bool has_name; char name[NAME_LENGTH]; };
static struct named_semaphore named[NAMED];
static int named_count;
static int semaphore_of(const char *name) {
  int found = -1;
  for (int n = 0; n < named_count; n = n + 1)
    if (named[n].has_name && strcmp(named[n].name, name) == 0) found = n;
  return found;
}
static int new_semaphore(const char *name, int value) {
  int own = named_count;
  if (own == NAMED || strlen(name) >= NAME_LENGTH) __braid_unsupported("so many names of semaphores, or such a long one");
  strcpy(named[own].name, name);
  named[own].has_name = 1;
  named[own].value = value;
  named_count = own + 1;
  return own;
}
static struct sem_t *open_semaphore(int own) {
  if (named[own].uses == 0) {
    struct sem_t *place = __braid_allocate(sizeof(struct sem_t));
    place->value = named[own].value;
    named[own].place = place;
  }
  named[own].uses = named[own].uses + 1;
  return named[own].place;
}
static int find_or_make(const char *name, int flags, unsigned value) {
  int own = semaphore_of(name);
  if (own >= 0 && (flags & CREATE) && (flags & EXCLUSIVE)) own = sem_error(NAME_IS_TAKEN);
  else if (own < 0 && !(flags & CREATE)) own = sem_error(NO_NAME);
  else if (own < 0 && value > SEM_VALUE_MAX) own = sem_error(EINVAL);
  else if (own < 0) own = new_semaphore(name, value);
  return own;
}
__auto_type sem_open(const char *name, int flags, ...) {
  unsigned value = 0;
  if (flags & CREATE) {
    __builtin_va_list more;
    __builtin_va_start(more, flags);
    __builtin_va_arg(more, unsigned);
    value = __builtin_va_arg(more, unsigned);
    __builtin_va_end(more);
  }
  struct sem_t *result = 0;
  __VERIFIER_atomic_begin();
  int own = find_or_make(name, flags, value);
  if (own >= 0) result = open_semaphore(own);
  __VERIFIER_atomic_end();
  return (__typeof__(__braid_result()))result;
}
int sem_close(struct sem_t *s) {
  int result = EINVAL;
  struct sem_t *gone = 0;
  __VERIFIER_atomic_begin();
  for (int n = 0; n < named_count; n = n + 1)
    if (named[n].uses > 0 && named[n].place == s) {
      result = 0;
      named[n].uses = named[n].uses - 1;
      if (named[n].uses == 0) {
        named[n].value = s->value;
        gone = s;
      }
    }
  __VERIFIER_atomic_end();
  if (gone) free(gone);
  return result ? sem_error(result) : 0;
}
int sem_unlink(const char *name) {
  int result = NO_NAME;
  __VERIFIER_atomic_begin();
  int own = semaphore_of(name);
  if (own >= 0) {
    result = 0;
    named[own].has_name = 0;
  }
  __VERIFIER_atomic_end();
  return result ? sem_error(result) : 0;
}

// Barriers: one of those that waited is told so, and it is open which.
int pthread_barrier_init(struct pthread_barrier_t *b, const void *attributes, unsigned count) {
  __VERIFIER_atomic_begin();
  b->count = count;
  b->arrived = 0;
  b->round = 0;
  if (__braid_uses(pthread_barrier_wait)) b->served = 0;
  if (__braid_reads() && __braid_calls(pthread_barrier_destroy)) b->inside = 0;
  __VERIFIER_atomic_end();
  return count == 0 ? EINVAL : 0;
}
// Waits until all have left it, so that its memory can be freed then.
int pthread_barrier_destroy(struct pthread_barrier_t *b) {
  if (__braid_reads()) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(b->inside == 0);
    __VERIFIER_atomic_end();
  }
  return 0;
}
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
  if (__braid_reads() && __braid_calls(pthread_barrier_destroy)) b->inside = b->inside + 1;
  __VERIFIER_atomic_end();
  if (__braid_reads() && __braid_calls(pthread_barrier_destroy)) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(b->round != round);
    b->inside = b->inside - 1;
    __VERIFIER_atomic_end();
  } else
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
int thrd_sleep(__auto_type duration, void *remaining) { return nanosleep(duration, remaining); }
int mtx_init(struct mtx_t *m, int kind) {
  __VERIFIER_atomic_begin();
  m->owner = 0;
  m->kind = kind & 1 ? RECURSIVE : NORMAL;
  m->count = 0;
  if (__braid_calls(pthread_mutexattr_setrobust)) m->robust = 0;
  __VERIFIER_atomic_end();
  return thrd_success;
}
void mtx_destroy(struct pthread_mutex_t *m) { pthread_mutex_destroy(m); }
int mtx_lock(struct pthread_mutex_t *m) { return lock(m) ? thrd_error : thrd_success; }
int mtx_trylock(struct pthread_mutex_t *m) { return try_lock(m) ? thrd_busy : thrd_success; }
int mtx_timedlock(struct pthread_mutex_t *m, __auto_type until) { return c11_result(pthread_mutex_timedlock(m, until)); }
int mtx_unlock(struct pthread_mutex_t *m) { return unlock(m) ? thrd_error : thrd_success; }
int cnd_init(struct pthread_cond_t *c) { return pthread_cond_init(c, 0); }
void cnd_destroy(struct pthread_cond_t *c) { pthread_cond_destroy(c); }
int cnd_signal(struct pthread_cond_t *c) { return pthread_cond_signal(c); }
int cnd_broadcast(struct pthread_cond_t *c) { return pthread_cond_broadcast(c); }
static int c11_result(int error) { return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : error == EBUSY ? thrd_busy : thrd_error; }
int cnd_wait(struct pthread_cond_t *c, struct pthread_mutex_t *m) { return c11_result(wait_awhile(c, m)); }
int cnd_timedwait(struct pthread_cond_t *c, struct pthread_mutex_t *m, __auto_type until) { return c11_result(pthread_cond_timedwait(c, m, until)); }
void call_once(int *once, void (*function)(void)) { pthread_once(once, function); }
int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
