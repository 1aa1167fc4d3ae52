// One run: from `main` to its end, on the stack of the home context.

extern int __real_main(int, char **, char **);
extern char **environ;

static void *run_main(void *unused) {
  int status = __real_main(argument_count, argument_values, environ);
  world->main_is_over = 1;
  point(NULL, NULL);  // others may go on before all ends
  say("main returned %d", status);
  end(with_leaks(FINISHED), NULL);
}

static void end(enum end how, void *pc) {
  world->end = how;
  world->pc = pc;
  world->culprit = world->current;
  world->running = 0;
  world->request = END_RUN;
  void *gone;
  braid_switch(&gone, world->home);
  __builtin_unreachable();
}

static void clear_run(void) {
  world->run++;
  world->count = world->current = world->atomic = world->spurious = world->keys = 0;
  world->step = world->blocks = world->progress = world->state_hash = world->shared_points = 0;
  world->switch_count = world->input_count = world->point_count = world->planned_at = 0;
  world->object_count = 1, world->access_count = 0, world->clocks_used = 0, world->undo_used = 0;
  world->main_is_over = world->assumption_failed = world->exit_handlers = 0, world->blocks_hash = 0;
  world->pc = world->other_pc = world->overflow_pc = NULL, world->overflowed = 0, world->fault = 0, world->time = 0;
  world->end = NOT_YET, world->last_cell = NULL, world->newly_shared = 0, world->message[0] = 0;
  roles->assuming = 0;
  world->threads[0].hash = 0;
  reset_guide();
}

// What memory holds that the program never set.
static const uint32_t fills[] = {0, 1, UINT32_MAX, 0x5a5a5a5a};

// Runs the program once, as `world` says.
static void run_once(void) {
  put_back();
  clear_run();
  *world->error_number = 0;
  world->running = 1;
  choose_arguments();
  world->restartable = (int)keep_input("-restartable", world->restartable, NULL);
  world->fill = fills[choose("-fill", 4, NULL)];
  new_thread(run_main, NULL, NULL, MAIN_STACK);
  for (;;) {
    braid_switch(&world->home, self()->stack_pointer);
    if (world->request == SAVE_STACK) save_stack();
    else if (world->request == RESTORE_STACK) restore_stack();
    else break;
  }
  world->running = 0;
  if (world->block_first) use_block(world->threads);
}

// Signals. A crash ends the run, on a stack of its own; so does a run that makes no steps for a while.
struct place {
  void *pc;
  char *stack;
};
static struct place place_of(void *context) {
#if defined __x86_64__
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  return (struct place){(void *)registers[REG_RIP], (char *)registers[REG_RSP]};
#elif defined __aarch64__
  return (struct place){(void *)((ucontext_t *)context)->uc_mcontext.pc, (char *)((ucontext_t *)context)->uc_mcontext.sp};
#else
  return (struct place){NULL, self()->low};
#endif
}

// Is the program running, and not the runtime around it? The guard page counts.
static int is_in_program(struct place place) {
  return world->running && place.stack >= self()->low - 4096 && place.stack <= self()->high;
}

static void crashed(int signal, siginfo_t *what, void *context) {
  struct place place = place_of(context);
  void *pc = place.pc;
  if (!world->running) {  // the stack pointer can be anywhere, after an array that is too large
    dprintf(world->out, "internal signal %d at %p\n", signal, pc);
    syscall(SYS_exit_group, 70);
  }
  world->fault = (uintptr_t)what->si_addr;
  struct thread *thread = self();
  int deep = what->si_addr < (void *)thread->low && what->si_addr >= (void *)(thread->low - 8192);
  int address = signal == SIGSEGV || signal == SIGBUS;
#if defined __x86_64__
  if (pc == what->si_addr) pc = *(void **)place.stack;  // a call of what is no function
#endif
  say("%s", deep ? "stack overflow" : signal == SIGFPE ? "division by zero" : address ? "invalid address" : strsignal(signal));
  end(deep ? CRASHED : signal == SIGFPE ? UNDEFINED : address ? INVALID : CRASHED, pc);
}

enum { TICKS = 10 };  // without a step, after which a run ends
struct watch_state {
  uint64_t step, blocks;
  uint32_t run;
  int ticks;            // without a step
  double seconds_left;
};

static void ticked(int signal, siginfo_t *what, void *context) {
  watch->seconds_left -= 0.1;
  if (!is_in_program(place_of(context))) return;
  int moved = watch->run != world->run || watch->step != world->step || watch->blocks != world->blocks;
  watch->ticks = moved ? 0 : watch->ticks + 1;
  watch->run = world->run, watch->step = world->step, watch->blocks = world->blocks;
  if (watch->ticks < TICKS && watch->seconds_left > 0) return;
  say("no step for a while");
  end(ENDLESS, NULL);
}

static void catch_signals(double seconds) {
  stack_t stack = {.ss_sp = reserve(64 << 10), .ss_size = 64 << 10};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) sigaction(crashes[i], &action, NULL);
  watch = reserve(sizeof *watch);
  watch->seconds_left = seconds;
  struct sigaction tick = {.sa_sigaction = ticked, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
  sigaction(SIGALRM, &tick, NULL);
  struct itimerval every = {{0, 100000}, {0, 100000}};
  setitimer(ITIMER_REAL, &every, NULL);
}
