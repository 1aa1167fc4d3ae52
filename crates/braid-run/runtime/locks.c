// Locks, condition variables, semaphores, barriers, and doing something once.
//
// What they hold is in a table by their addresses: the program's bytes are neither read nor written, but for the kind of
// a mutex that was initialised statically. So a program may bring declarations for another machine.

static struct object *find_object(void *address) {
  uintptr_t at = mix((uintptr_t)address) & (OBJECTS * 2 - 1);
  for (;; at = (at + 1) & (OBJECTS * 2 - 1)) {
    uint32_t index = world->object_index[at];
    struct object *object = index ? &world->objects[index] : NULL;
    if (object && object->run == world->run && object->address == address) return object;
    if (!object || object->run != world->run) break;  // empty, or from an earlier run
  }
  uint32_t index = world->object_count++;
  if (index >= OBJECTS) {
    say("more than %d locks", OBJECTS);
    end(EXHAUSTED, NULL);
  }
  world->object_index[at] = index;
  struct object *object = &world->objects[index];
  *object = (struct object){.address = address, .run = world->run, .owner = -1, .kind = -1};
  return object;
}

static void reset(struct object *object, int kind) {
  object->kind = kind, object->owner = -1, object->depth = object->readers = object->arrived = 0;
}

// Mutexes.
static struct object *mutex_at(void *address) {
  struct object *mutex = find_object(address);
  if (mutex->kind < 0) {
    int kind = ((pthread_mutex_t *)address)->__data.__kind & 3;
    mutex->kind = kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK ? kind : PTHREAD_MUTEX_NORMAL;
  }
  return mutex;
}
HOT int is_mine(struct object *mutex) { return mutex->depth > 0 && mutex->owner == world->current; }
static int take(struct object *mutex, void *pc) {
  mutex->depth++, mutex->owner = world->current;
  note_step("lock", mutex->address, pc);
  acquire(mutex);
  return 0;
}
static int lock(void *address, void *pc) {
  struct object *mutex = mutex_at(address);
  if (mutex->kind != PTHREAD_MUTEX_NORMAL && is_mine(mutex)) {
    point(NULL, pc);
    return mutex->kind == PTHREAD_MUTEX_RECURSIVE ? take(mutex, pc) : EDEADLK;
  }
  wait_for(ON_MUTEX, mutex, pc);
  return take(mutex, pc);
}
static int trylock(void *address, void *pc) {
  struct object *mutex = mutex_at(address);
  point(NULL, pc);
  if (mutex->depth && !(mutex->kind == PTHREAD_MUTEX_RECURSIVE && is_mine(mutex))) {
    acquire(mutex);
    return EBUSY;
  }
  return take(mutex, pc);
}
static int unlock(void *address, void *pc) {
  struct object *mutex = mutex_at(address);
  point(NULL, pc);
  if (mutex->kind != PTHREAD_MUTEX_NORMAL && !is_mine(mutex)) return EPERM;
  note_step("unlock", address, pc);
  release(mutex);
  if (mutex->depth) mutex->depth--;
  world->progress++;
  return 0;
}
// Where nobody else can run, time passes; otherwise it may or may not.
static int times_out(enum wait wait, struct object *object, void *pc) {
  point(NULL, pc);
  self()->wait = wait, self()->on = object;
  int is_free = enabled(world->current);
  self()->wait = OVER;
  int others = next_after(world->current) >= 0;
  self()->wait = READY;
  return !is_free && (!others || choose("-timeout", 2, pc));
}
WEAK int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  if (!world->running) return 0;
  int kind = PTHREAD_MUTEX_NORMAL;
  if (a) pthread_mutexattr_gettype(a, &kind);
  point(NULL, CALLER);
  reset(find_object(m), kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK ? kind : PTHREAD_MUTEX_NORMAL);
  return 0;
}
WEAK int pthread_mutex_destroy(pthread_mutex_t *m) { return 0; }
WEAK int pthread_mutex_lock(pthread_mutex_t *m) { return world && world->running ? lock(m, CALLER) : 0; }
WEAK int pthread_mutex_trylock(pthread_mutex_t *m) { return world && world->running ? trylock(m, CALLER) : 0; }
WEAK int pthread_mutex_unlock(pthread_mutex_t *m) { return world && world->running ? unlock(m, CALLER) : 0; }
WEAK int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
  struct object *mutex = mutex_at(m);
  return !is_mine(mutex) && times_out(ON_MUTEX, mutex, CALLER) ? ETIMEDOUT : lock(m, CALLER);
}
WEAK int pthread_mutex_consistent(pthread_mutex_t *m) { return 0; }

// Spin locks.
static struct object *plain(const volatile void *address) {
  struct object *object = find_object((void *)address);
  if (object->kind < 0) object->kind = PTHREAD_MUTEX_NORMAL;
  return object;
}
WEAK int pthread_spin_init(pthread_spinlock_t *s, int shared) { point(NULL, CALLER); reset(plain(s), 0); return 0; }
WEAK int pthread_spin_destroy(pthread_spinlock_t *s) { return 0; }
WEAK int pthread_spin_lock(pthread_spinlock_t *s) { wait_for(ON_MUTEX, plain(s), CALLER); return take(plain(s), CALLER); }
WEAK int pthread_spin_trylock(pthread_spinlock_t *s) {
  point(NULL, CALLER);
  return plain(s)->depth ? acquire(plain(s)), EBUSY : take(plain(s), CALLER);
}
WEAK int pthread_spin_unlock(pthread_spinlock_t *s) { plain(s); return unlock((void *)s, CALLER); }

// Locks for readers and writers.
static int read_lock(void *l, void *pc) {
  wait_for(ON_READING, plain(l), pc);
  plain(l)->readers++;
  note_step("lock", l, pc);
  acquire(plain(l));
  return 0;
}
static int write_lock(void *l, void *pc) {
  wait_for(ON_WRITING, plain(l), pc);
  return take(plain(l), pc);
}
WEAK int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a) { point(NULL, CALLER); reset(plain(l), 0); return 0; }
WEAK int pthread_rwlock_destroy(pthread_rwlock_t *l) { return 0; }
WEAK int pthread_rwlock_rdlock(pthread_rwlock_t *l) { return read_lock(l, CALLER); }
WEAK int pthread_rwlock_wrlock(pthread_rwlock_t *l) { return write_lock(l, CALLER); }
WEAK int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
  point(NULL, CALLER);
  return plain(l)->depth ? acquire(plain(l)), EBUSY : read_lock(l, CALLER);
}
WEAK int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  point(NULL, CALLER);
  return plain(l)->depth || plain(l)->readers ? acquire(plain(l)), EBUSY : write_lock(l, CALLER);
}
WEAK int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until) {
  return times_out(ON_READING, plain(l), CALLER) ? ETIMEDOUT : read_lock(l, CALLER);
}
WEAK int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until) {
  return times_out(ON_WRITING, plain(l), CALLER) ? ETIMEDOUT : write_lock(l, CALLER);
}
WEAK int pthread_rwlock_unlock(pthread_rwlock_t *l) {
  point(NULL, CALLER);
  note_step("unlock", l, CALLER);
  struct object *object = plain(l);
  release(object);
  if (object->depth) object->depth = 0;
  else if (object->readers) object->readers--;
  world->progress++;
  return 0;
}

// Condition variables.
static void wake(void *condition, int all, void *pc) {
  point(NULL, pc);
  note_step("signal", condition, pc);
  struct object *object = find_object(condition);
  release(object);
  int count = 0;
  for (int i = 0; i < world->count; i++) count += world->threads[i].wait == ON_CONDITION && world->threads[i].on == object;
  int chosen = !all && count > 1 ? (int)choose("-signal", count, pc) : -1;
  for (int i = 0, at = 0; i < world->count && count; i++) {
    if (world->threads[i].wait != ON_CONDITION || world->threads[i].on != object) continue;
    if (chosen < 0 || at == chosen) world->threads[i].wait = READY;
    at++;
  }
  world->progress++;
}
static int wait_condition(void *c, void *m, int timed, void *pc) {
  struct object *condition = find_object(c), *mutex = mutex_at(m);
  point(NULL, pc);
  note_step("wait", c, pc);
  release(mutex);
  int depth = mutex->depth;
  mutex->depth = 0;
  world->progress++;
  // Time may be up at once, or the thread wakes up without a reason; with nobody to wake it, time passes anyhow.
  int late = choose(timed ? "-timeout" : "-wakeup", 2, pc);
  if (late) {
    count_step(pc);
    reschedule(0, NULL, pc);
  } else if (timed) {
    self()->wait = OVER;
    late = next_after(world->current) < 0;
    self()->wait = READY;
  }
  if (!late) {
    wait_for(ON_CONDITION, condition, pc);
    acquire(condition);
  }
  wait_for(ON_MUTEX, mutex, pc);
  mutex->depth = depth ? depth - 1 : 0;
  take(mutex, pc);
  pthread_testcancel();
  return timed && late ? ETIMEDOUT : 0;
}
WEAK int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) { return 0; }
WEAK int pthread_cond_destroy(pthread_cond_t *c) { return 0; }
WEAK int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return wait_condition(c, m, 0, CALLER); }
WEAK int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
  return wait_condition(c, m, 1, CALLER);
}
WEAK int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t k, const struct timespec *until) {
  return wait_condition(c, m, 1, CALLER);
}
WEAK int pthread_cond_signal(pthread_cond_t *c) { wake(c, 0, CALLER); return 0; }
WEAK int pthread_cond_broadcast(pthread_cond_t *c) { wake(c, 1, CALLER); return 0; }

// Semaphores.
static int decrease(void *s, void *pc) {
  wait_for(ON_SEMAPHORE, plain(s), pc);
  plain(s)->depth--;
  note_step("lock", s, pc);
  acquire(plain(s));
  return 0;
}
static int fail(int error) { errno = error; return -1; }
WEAK int sem_init(sem_t *s, int shared, unsigned value) { point(NULL, CALLER); reset(plain(s), 0); plain(s)->depth = (int)value; return 0; }
WEAK int sem_destroy(sem_t *s) { return 0; }
WEAK int sem_wait(sem_t *s) { return decrease(s, CALLER); }
WEAK int sem_trywait(sem_t *s) {
  point(NULL, CALLER);
  return plain(s)->depth > 0 ? decrease(s, CALLER) : (acquire(plain(s)), fail(EAGAIN));
}
WEAK int sem_timedwait(sem_t *s, const struct timespec *until) {
  return times_out(ON_SEMAPHORE, plain(s), CALLER) ? fail(ETIMEDOUT) : decrease(s, CALLER);
}
WEAK int sem_post(sem_t *s) {
  point(NULL, CALLER);
  note_step("unlock", s, CALLER);
  release(plain(s));
  plain(s)->depth++;
  world->progress++;
  return 0;
}
WEAK int sem_getvalue(sem_t *s, int *value) { point(NULL, CALLER); step_to(value, sizeof *value, WRITES, CALLER); *value = plain(s)->depth; return 0; }

// Barriers.
WEAK int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned count) {
  point(NULL, CALLER);
  reset(plain(b), 0);
  plain(b)->needed = (int)count;
  return 0;
}
WEAK int pthread_barrier_destroy(pthread_barrier_t *b) { return 0; }
WEAK int pthread_barrier_wait(pthread_barrier_t *b) {
  struct object *barrier = plain(b);
  point(NULL, CALLER);
  note_step("barrier", b, CALLER);
  release(barrier);
  world->progress++;
  if (++barrier->arrived >= barrier->needed) {
    barrier->arrived = 0, barrier->round++;
    acquire(barrier);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  self()->number = barrier->round;
  wait_for(ON_BARRIER, barrier, CALLER);
  acquire(barrier);
  return 0;
}

// Once: 1 while somebody is at it, then 2.
WEAK int pthread_once(pthread_once_t *address, void (*run)(void)) {
  struct object *once = plain(address);
  wait_for(ON_ONCE, once, CALLER);
  acquire(once);
  if (once->depth == 0) {
    once->depth = 1;
    run();
    release(once);
    once->depth = 2;
    world->progress++;
  }
  return 0;
}

// C11.
static int c11(int error) { return error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : error ? thrd_error : thrd_success; }
WEAK int mtx_init(mtx_t *m, int kind) {
  point(NULL, CALLER);
  reset(find_object(m), kind & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return thrd_success;
}
WEAK void mtx_destroy(mtx_t *m) {}
WEAK int mtx_lock(mtx_t *m) { return c11(lock(m, CALLER)); }
WEAK int mtx_trylock(mtx_t *m) { return c11(trylock(m, CALLER)); }
WEAK int mtx_timedlock(mtx_t *m, const struct timespec *until) {
  struct object *mutex = mutex_at(m);
  return !is_mine(mutex) && times_out(ON_MUTEX, mutex, CALLER) ? thrd_timedout : c11(lock(m, CALLER));
}
WEAK int mtx_unlock(mtx_t *m) { return c11(unlock(m, CALLER)); }
WEAK int cnd_init(cnd_t *c) { return thrd_success; }
WEAK void cnd_destroy(cnd_t *c) {}
WEAK int cnd_wait(cnd_t *c, mtx_t *m) { return c11(wait_condition(c, m, 0, CALLER)); }
WEAK int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until) { return c11(wait_condition(c, m, 1, CALLER)); }
WEAK int cnd_signal(cnd_t *c) { wake(c, 0, CALLER); return thrd_success; }
WEAK int cnd_broadcast(cnd_t *c) { wake(c, 1, CALLER); return thrd_success; }
WEAK void call_once(once_flag *once, void (*run)(void)) { pthread_once((pthread_once_t *)once, run); }
