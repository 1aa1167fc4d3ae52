// Threads, of POSIX and of C11: starting, ending, joining, what belongs to one thread.
//
// A thread's handle is its number plus 1, so that 0 is nobody's.

static void finish(void *result) __attribute__((noreturn));
static void bind_thread(int number, void *function);
static size_t room_at(void *at, size_t most);
COLD static void wrong(enum end how, const char *what, void *at, void *pc);

static void run_destructors(void) {
  for (int round = 0; round < 4; round++) {
    int again = 0;
    for (int key = 0; key < world->keys; key++) {
      void *value = self()->specific[key];
      self()->specific[key] = NULL;
      if (value && world->destructors[key]) world->destructors[key](value), again = 1;
    }
    if (!again) break;
  }
}

static void finish(void *result) {
  run_destructors();
  struct thread *thread = self();
  note_step("end", NULL, NULL);
  thread->result = result;
  thread->wait = OVER;
  thread->section_pointer = NULL;
  world->atomic = 0;
  world->progress++;
  count_step(NULL);
  reschedule(0, NULL, NULL);
  end(LOST, NULL);
}

static void start_thread(void) {
  struct thread *thread = self();
  note_step("begin", NULL, NULL);
  if (thread->run_c11) finish((void *)(intptr_t)thread->run_c11(thread->argument));
  finish(thread->run(thread->argument));
}

static int new_thread(void *(*run)(void *), int (*run_c11)(void *), void *argument, size_t stack) {
  if (world->count == THREADS) {
    say("more than %d threads", THREADS);
    end(EXHAUSTED, NULL);
  }
  int number = world->count++;
  struct thread *thread = &world->threads[number];
  new_stack(thread, stack);
  thread->stack_pointer = new_context(thread->high - 64, start_thread);
  thread->run = run, thread->run_c11 = run_c11, thread->argument = argument, thread->result = NULL;
  thread->wait = READY, thread->on = NULL, thread->joined = thread->detached = thread->cancelled = 0;
  thread->parent = world->current, thread->saved_errno = 0, thread->stretch = thread->reads = 0;
  thread->round = number ? self()->round : 0;
  thread->hash = (uint64_t)number + 1, thread->clock = NULL, thread->handlers = 0, thread->section_pointer = NULL;
  thread->priority = (int)random_below(1 << 20) + 1;
  thread->points = 0, thread->lazy_after = world->quantum && random_below(2) ? (int)random_below(12) : 1 << 30;
  memset(thread->specific, 0, sizeof thread->specific);
  bind_thread(number, run_c11 ? (void *)run_c11 : (void *)run);
  if (world->block_first) {
    new_block(thread);
  } else if (world->tls_size && number) {
    if (!thread->tls) thread->tls = reserve(world->tls_size);
    memcpy(thread->tls, world->tls_first, world->tls_size);
  }
  world->state_hash += mix(thread->hash + (uint64_t)number * 0x9e3779b97f4a7c15u);
  if (tracks()) tick(number);
  return number;
}

static int create(pthread_t *id, void *(*run)(void *), int (*run_c11)(void *), void *argument, void *pc) {
  point(NULL, pc);
  self()->section_pointer = NULL;
  if (world->count >= world->most_threads) wait_for(ON_ROOM, NULL, pc);
  int number = new_thread(run, run_c11, argument, STACK);
  world->atomic++;
  size_t size = room_at(id, sizeof *id);  // programs declare handles themselves, and smaller
  step_to(id, size, WRITES, pc);
  world->atomic--;
  pthread_t handle = (pthread_t)number + 1;
  memcpy(id, &handle, size);
  world->progress++;
  order_threads(world->current, number);
  note_step("create", (void *)(intptr_t)number, pc);
  // The new thread may run first.
  count_step(pc);
  if (!world->atomic) reschedule(1, NULL, pc);
  return 0;
}

static struct thread *by_handle(pthread_t id) {
  return id >= 1 && id <= (pthread_t)world->count ? &world->threads[id - 1] : NULL;
}

static int join_thread(pthread_t id, void **result, void *pc) {
  struct thread *other = by_handle(id);
  if (!other) wrong(wants(UNDEFINED) ? UNDEFINED : CRASHED, "join of what is no thread", (void *)id, pc);
  if (other->joined && wants(UNDEFINED)) wrong(UNDEFINED, "join of a thread that was joined before", NULL, pc);
  if (other->detached && wants(UNDEFINED)) wrong(UNDEFINED, "join of a detached thread", NULL, pc);
  if (other->joined) return ESRCH;
  if (other->detached) return EINVAL;
  if (other == self()) return EDEADLK;
  self()->number = id - 1;
  wait_for(ON_JOIN, NULL, pc);
  note_step("join", (void *)(intptr_t)(id - 1), pc);
  if (result) step_to(result, sizeof *result, WRITES, pc), *result = other->result;
  other->joined = 1;
  order_threads((int)id - 1, world->current);
  return 0;
}

WEAK int pthread_create(pthread_t *id, const pthread_attr_t *a, void *(*run)(void *), void *argument) {
  return create(id, run, NULL, argument, CALLER);
}
WEAK int pthread_join(pthread_t id, void **result) { return join_thread(id, result, CALLER); }
WEAK int pthread_tryjoin_np(pthread_t id, void **result) {
  point(NULL, CALLER);
  struct thread *other = by_handle(id);
  return other && other->wait != OVER ? EBUSY : join_thread(id, result, CALLER);
}
WEAK int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *t) { return join_thread(id, result, CALLER); }
WEAK int pthread_detach(pthread_t id) {
  point(NULL, CALLER);
  struct thread *thread = by_handle(id);
  if (!thread || thread->joined) return ESRCH;
  if (thread->detached) return thread->wait == OVER ? ESRCH : EINVAL;
  thread->detached = 1;
  return 0;
}
WEAK pthread_t pthread_self(void) { return (pthread_t)world->current + 1; }
WEAK int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

// Handlers are called by the code that the macros of `pthread.h` put after a `setjmp`.
WEAK void __pthread_register_cancel(__pthread_unwind_buf_t *handler) {
  if (self()->handlers < 32) self()->cleanups[self()->handlers++] = handler;
}
WEAK void __pthread_unregister_cancel(__pthread_unwind_buf_t *handler) {
  if (self()->handlers > 0) self()->handlers--;
}
WEAK void __pthread_unwind_next(__pthread_unwind_buf_t *handler) {
  if (self()->handlers > 0) longjmp(self()->cleanups[--self()->handlers], 1);
  finish(self()->result);
}
WEAK void pthread_exit(void *result) {
  self()->result = result;
  __pthread_unwind_next(NULL);
  __builtin_unreachable();
}

// Cancellation happens where a thread next waits or gives way.
WEAK int pthread_cancel(pthread_t id) {
  point(NULL, CALLER);
  if (!by_handle(id)) return ESRCH;
  by_handle(id)->cancelled = 1;
  return 0;
}
WEAK void pthread_testcancel(void) {
  if (world->running && self()->cancelled == 1) pthread_exit(PTHREAD_CANCELED);
}
WEAK int pthread_setcancelstate(int state, int *old) {
  if (old) *old = PTHREAD_CANCEL_ENABLE;
  return 0;
}
WEAK int pthread_setcanceltype(int type, int *old) {
  if (old) *old = PTHREAD_CANCEL_DEFERRED;
  return 0;
}

// Attributes change nothing here, and are not written: their size is the program's business.
#define IGNORED(name, ...) WEAK int name(__VA_ARGS__) { return 0; }
IGNORED(pthread_attr_init, pthread_attr_t *a)
IGNORED(pthread_attr_destroy, pthread_attr_t *a)
IGNORED(pthread_attr_setdetachstate, pthread_attr_t *a, int state)
IGNORED(pthread_attr_setstacksize, pthread_attr_t *a, size_t size)
IGNORED(pthread_attr_setscope, pthread_attr_t *a, int scope)
IGNORED(pthread_attr_setschedpolicy, pthread_attr_t *a, int policy)
IGNORED(pthread_attr_setinheritsched, pthread_attr_t *a, int inherit)
IGNORED(pthread_setconcurrency, int level)
IGNORED(pthread_setname_np, pthread_t id, const char *name)
IGNORED(pthread_setaffinity_np, pthread_t id, size_t size, const cpu_set_t *set)
IGNORED(pthread_setschedparam, pthread_t id, int policy, const struct sched_param *p)
IGNORED(pthread_kill, pthread_t id, int signal)
IGNORED(pthread_sigmask, int how, const sigset_t *set, sigset_t *old)
IGNORED(pthread_atfork, void (*a)(void), void (*b)(void), void (*c)(void))

// Giving way.
WEAK int sched_yield(void) { give_way(CALLER); return 0; }
static void pause_for(int64_t nanoseconds, void *pc) {
  world->time += nanoseconds;
  if (world->running) give_way(pc), pthread_testcancel();
}
WEAK unsigned sleep(unsigned seconds) { pause_for(seconds * 1000000000ll, CALLER); return 0; }
WEAK int usleep(useconds_t time) { pause_for(time * 1000ll, CALLER); return 0; }
WEAK int nanosleep(const struct timespec *time, struct timespec *left) { pause_for(time->tv_nsec, CALLER); return 0; }
WEAK int clock_nanosleep(clockid_t c, int f, const struct timespec *time, struct timespec *left) {
  pause_for(time->tv_nsec, CALLER);
  return 0;
}

// Keys.
WEAK int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  if (world->keys == KEYS) return EAGAIN;
  world->destructors[world->keys] = destructor;
  *key = (pthread_key_t)world->keys++;
  return 0;
}
WEAK int pthread_key_delete(pthread_key_t key) {
  if (key < KEYS) world->destructors[key] = NULL;
  return 0;
}
WEAK void *pthread_getspecific(pthread_key_t key) { return key < KEYS ? self()->specific[key] : NULL; }
WEAK int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= KEYS) return EINVAL;
  self()->specific[key] = (void *)value;
  return 0;
}

// C11.
WEAK int thrd_create(thrd_t *id, thrd_start_t run, void *argument) {
  create((pthread_t *)id, NULL, run, argument, CALLER);
  return thrd_success;
}
WEAK int thrd_join(thrd_t id, int *result) {
  int error = join_thread((pthread_t)id, NULL, CALLER);
  if (result && !error) {
    step_to(result, sizeof *result, WRITES, CALLER);
    *result = (int)(intptr_t)by_handle((pthread_t)id)->result;
  }
  return error ? thrd_error : thrd_success;
}
WEAK void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
WEAK int thrd_detach(thrd_t id) { return pthread_detach((pthread_t)id) ? thrd_error : thrd_success; }
WEAK void thrd_yield(void) { give_way(CALLER); }
WEAK thrd_t thrd_current(void) { return (thrd_t)pthread_self(); }
WEAK int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
WEAK int thrd_sleep(const struct timespec *time, struct timespec *left) { pause_for(time->tv_nsec, CALLER); return 0; }
WEAK int tss_create(tss_t *key, tss_dtor_t destructor) { return pthread_key_create(key, destructor) ? thrd_error : thrd_success; }
WEAK void tss_delete(tss_t key) { pthread_key_delete(key); }
WEAK void *tss_get(tss_t key) { return pthread_getspecific(key); }
WEAK int tss_set(tss_t key, void *value) { return pthread_setspecific(key, value) ? thrd_error : thrd_success; }
