// Atomic sections: from `__VERIFIER_atomic_begin` to `__VERIFIER_atomic_end`, and functions whose names begin with
// `__VERIFIER_atomic_`. No other thread goes on inside of one.
//
// A section that cannot be completed (an assumption in it does not hold, a lock is taken) has not begun: its writes are
// undone, the stack is put back, and the thread waits until another one has made progress. The same is done for an
// assumption that fails soon after a section, or after a read: as long as no other thread has run, and nothing has
// happened that cannot be taken back.

struct change_log {
  void *at;
  uint32_t size;
  char before[];
};
enum {
  UNDO = 1 << 20,
  ATTEMPT = 200,  // steps after which a new attempt begins
};

static struct object *find_object(void *address);

static void log_write(void *at, size_t size) {
  if (!self()->section_pointer || size > 4096) return;
  size_t need = (sizeof(struct change_log) + size + 4 + 7) & ~7ul;
  if (world->undo_used + need > UNDO) {
    self()->section_pointer = NULL;  // too much to take back
    return;
  }
  struct change_log *log = (struct change_log *)(world->undo + world->undo_used);
  log->at = at, log->size = (uint32_t)size;
  memcpy(log->before, at, size);
  world->undo_used += need;
  *(uint32_t *)(world->undo + world->undo_used - 4) = (uint32_t)need;
}

static void begin_section(void *pc) {
  if (!world || !world->running) return;
  if (world->atomic++) return;
  world->atomic = 0;
  point(NULL, pc);
  self()->section_pointer = NULL;
  ask_home(SAVE_STACK);
  // Each new attempt begins here.
  world->atomic = 1;
  world->undo_used = 0;
  self()->wait = READY;
  acquire(find_object(&world->atomic));
  note_step("atomic", NULL, pc);
}

static void end_section(void) {
  if (!world || !world->running || world->atomic == 0) return;
  if (--world->atomic) return;
  release(find_object(&world->atomic));
  world->progress++;
}

// A read that others may influence: the thread can come back here. Outside of atomic sections.
// The oldest such place is kept: what was read there may be what the assumption is about.
static void begin_attempt(void) {
  if (self()->section_pointer && world->step - self()->section_step < ATTEMPT) return;
  self()->section_pointer = NULL;
  ask_home(SAVE_STACK);
  world->undo_used = 0;
  self()->wait = READY;
}

// In the home context: keeps the stack of the running thread.
static void save_stack(void) {
  struct thread *thread = self();
  size_t size = (size_t)(thread->high - (char *)thread->stack_pointer);
  if (size > 16 << 10 || is_coarse()) return;  // not all writes are known, or there is too much to keep
  if (thread->section_room < size) thread->section = reserve(thread->section_room = (size + 8191) & ~4095ul);
  memcpy(thread->section, thread->stack_pointer, size);
  thread->section_size = size, thread->section_pointer = thread->stack_pointer, thread->section_step = world->step;
}

// In the home context: puts all back as it was at the beginning of the section.
static void restore_stack(void) {
  struct thread *thread = self();
  while (world->undo_used) {
    uint32_t need = *(uint32_t *)(world->undo + world->undo_used - 4);
    world->undo_used -= need;
    struct change_log *log = (struct change_log *)(world->undo + world->undo_used);
    memcpy(log->at, log->before, log->size);
  }
  memcpy(thread->section_pointer, thread->section, thread->section_size);
  thread->stack_pointer = thread->section_pointer;
  enter(world->next);
  thread->section_pointer = thread->stack_pointer;  // the next attempt can fail, too
}

// The section cannot be completed now.
static void restart_section(void *pc) {
  struct thread *thread = self();
  if (!thread->section_pointer) end(ABANDONED, pc);
  count_step(pc);
  if (world->atomic) {
    world->atomic = 0;
    release(find_object(&world->atomic));
  }
  thread->wait = ON_PROGRESS, thread->number = world->progress;
  // The choice is made on the stack that is given up. Then that is put back, and the other thread goes on from there.
  int next;
  switch (world->schedule) {
    case REPLAY: next = planned(); break;
    case GUIDED: next = guided_choice(0, NULL, pc); break;
    case PRIORITIES: next = highest_priority(); break;
    case DELAYS: next = first_by_round(); break;
    default: next = random_enabled(); break;
  }
  if (next < 0 || !enabled(next)) no_thread_can_go_on();
  if (world->switch_count == SWITCHES) end(ENDLESS, pc);
  world->switches[world->switch_count++] = (struct change){world->step, (uint32_t)next};
  world->next = next;
  void *gone;
  world->request = RESTORE_STACK;
  braid_switch(&gone, world->home);
  __builtin_unreachable();
}
