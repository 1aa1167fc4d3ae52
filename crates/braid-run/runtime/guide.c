// A guide: what an execution of a model did, as a list of actions of threads, each with lines of the source and values.
//
// The model leaves out steps and makes one of several, so a guide is no list of accesses. A thread goes on until it
// comes to a line that belongs to a later action; then it is the turn of the next action's thread. Each thread is led
// along its own lines: an access is matched with the first of them, from where the thread is, that has its line and, on
// one line, comes after a write that was already made. What cannot be matched is let through.

struct mark {
  uint32_t line, action;
  uint8_t kind;          // 1: it reads what is shared, 2: it writes; 0: neither is known
};
struct given {
  uint32_t line;
  int64_t value;
};
enum { GUIDED_THREADS = 4096, PCS = 1 << 14, FUNCTION = 128, WAY = 64, UNFORCED = 16 };
// What a function without a body writes; see `effects.c`.
struct effect {
  uint32_t line, call;
  char function[FUNCTION], way[WAY];
  uint64_t offset;
  uint64_t size;
  unsigned shift, width, kind;
  int64_t value;
};
enum { EFFECT_READS = 1, EFFECT_ATOMIC = 2, EFFECT_TOUCHES = 4 };  // kinds of effects; the last has no value

// A variable of a function: from the frame pointer, while the code of the function runs.
struct local {
  uintptr_t low, high;
  int64_t offset;
  size_t size;
};
struct guided_thread {
  uintptr_t function;    // 0 for the first thread
  int ordinal;           // among the threads with this function
  struct mark *marks;
  struct given *inputs, *allocations;  // values, and whether allocations fail
  struct effect *effects;
  uint32_t mark_count, input_count, allocation_count, effect_count;
  // Of the run.
  int number;            // the thread that it is, or -1
  uint32_t at, pending;  // the mark where it is, and where it will be with its next step
  uint8_t done;          // what was done there
  uint8_t pending_kind;
  int waiting;           // does it stand before a step?
  int64_t label;         // the action of that step, or -1
  uint32_t input_at, allocation_at, effect_at;
};
struct guide_state {
  int count;
  struct guided_thread threads[GUIDED_THREADS];
  uint32_t *actions;     // whose turn
  uint32_t action_count, action_at;
  uintptr_t *addresses;  // where lines begin, sorted
  uint32_t *lines, line_count;
  struct { uintptr_t pc; uint32_t line; } known[PCS];
  int16_t of[THREADS];   // the guided thread of a thread, or -1
  int64_t argument_count;
  uint32_t target;       // the line of the violation, or 0
  struct { uintptr_t address; size_t size; } *statics;
  struct local *locals;
  uint32_t static_count, local_count;
  struct effect *accesses;  // of every call
  uint32_t access_count;
  char unforced[UNFORCED][FUNCTION];  // functions that could not write what they should
  int unforced_count;
};

static uint32_t line_of(void *pc) {
  uintptr_t address = (uintptr_t)pc - 1;
  uint32_t slot = (uint32_t)(address * 0x9e3779b1u >> 7) & (PCS - 1);
  if (guide->known[slot].pc == address) return guide->known[slot].line;
  uint32_t low = 0, high = guide->line_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (guide->addresses[middle] <= address) low = middle + 1;
    else high = middle;
  }
  guide->known[slot].pc = address, guide->known[slot].line = low ? guide->lines[low - 1] : 0;
  return guide->known[slot].line;
}

static void reset_guide(void) {
  if (!guide) return;
  guide->action_at = 0;
  for (int i = 0; i < guide->count; i++) {
    struct guided_thread *thread = &guide->threads[i];
    thread->number = -1, thread->at = thread->pending = thread->input_at = thread->allocation_at = thread->effect_at = 0, thread->done = 0, thread->waiting = 0;
  }
}

// A thread starts: which one of the guide is it?
static void bind_thread(int number, void *function) {
  if (!guide) return;
  guide->of[number] = -1;
  int ordinal = 0;
  for (int i = 1; i < number; i++) {
    struct thread *other = &world->threads[i];
    ordinal += (other->run_c11 ? (void *)other->run_c11 : (void *)other->run) == function;
  }
  for (int i = 0; i < guide->count; i++) {
    struct guided_thread *thread = &guide->threads[i];
    int same = number == 0 ? thread->function == 0 : thread->function == (uintptr_t)function && thread->ordinal == ordinal;
    if (same) thread->number = number, guide->of[number] = (int16_t)i;
  }
}

// The action that the next step of a guided thread belongs to; -1 if it can be any.
static int64_t find_mark(struct guided_thread *thread, void *pc) {
  uint8_t kind = (uint8_t)world->kind;
  uint32_t line = pc ? line_of(pc) : 0;
  thread->pending = thread->at, thread->pending_kind = thread->done | kind, thread->waiting = 1;
  if (!line || thread->mark_count == 0) return -1;
  struct mark *here = &thread->marks[thread->at];
  int fits = here->line == line && !(thread->done & 2) && (kind != 2 || here->kind != 1);
  if (fits) return here->action;
  for (uint32_t at = thread->at + (thread->at || thread->done || here->line != line); at < thread->mark_count; at++) {
    struct mark *mark = &thread->marks[at];
    if (mark->line != line || (kind == 2 && mark->kind == 1)) continue;
    thread->pending = at, thread->pending_kind = kind;
    return mark->action;
  }
  return -1;
}

static int64_t arrive(struct guided_thread *thread, void *pc) { return thread->label = find_mark(thread, pc); }

// A thread makes the step that it stood before.
static void commit_step(int number) {
  if (!guide || guide->of[number] < 0) return;
  struct guided_thread *thread = &guide->threads[guide->of[number]];
  if (thread->waiting) thread->at = thread->pending, thread->done = thread->pending_kind;
  thread->waiting = 0;
}

static int64_t label_of(struct guided_thread *thread) { return thread->waiting ? thread->label : -1; }

// Is there more to follow?
static int is_led(void) { return guide->action_at < guide->action_count; }

static int guided_choice(int stays, struct cell *cell, void *pc) {
  int current = world->current;
  struct guided_thread *self_guided = guide->of[current] < 0 ? NULL : &guide->threads[guide->of[current]];
  int64_t label = self_guided && stays ? arrive(self_guided, pc) : -1;
  for (; guide->action_at < guide->action_count; guide->action_at++) {
    struct guided_thread *turn = &guide->threads[guide->actions[guide->action_at]];
    if (turn->number < 0) {  // it is still to be started
      if (stays) return current;
      if (enabled(0)) return 0;
      break;
    }
    if (turn->number == current) {
      if (stays && label <= (int64_t)guide->action_at) return current;
      if (!stays && !enabled(current) && world->threads[current].wait != OVER) break;
      continue;
    }
    if (world->threads[turn->number].wait == OVER || label_of(turn) > (int64_t)guide->action_at) continue;
    if (!enabled(turn->number)) break;
    return turn->number;
  }
  if (guide->action_at >= guide->action_count) return stays ? current : next_after(current);
  // Whose turn it is cannot go on: who comes next?
  for (uint32_t i = guide->action_at + 1; i < guide->action_count && i < guide->action_at + 1000; i++) {
    int number = guide->threads[guide->actions[i]].number;
    if (number >= 0 && (number != current || stays) && enabled(number)) return number;
  }
  return stays ? current : next_after(current);
}

// The number of arguments that the guide wants.
static int64_t guided_count(int64_t otherwise) {
  return guide->argument_count > 0 ? guide->argument_count - 1 : otherwise;
}

// The next value for this line.
static int64_t next_given(struct given *all, uint32_t count, uint32_t *from, int64_t otherwise, void *pc) {
  uint32_t line = line_of(pc);
  for (uint32_t at = *from; at < count; at++) {
    if (all[at].line != line) continue;
    *from = at + 1;
    return all[at].value;
  }
  return otherwise;
}

static int64_t guided_input(const char *name, int64_t otherwise, void *pc) {
  // What `scanf` reads is not written down by its line.
  if (name[0] == '-' || guide->of[world->current] < 0 || !strcmp(name, "scanf")) return otherwise;
  struct guided_thread *thread = &guide->threads[guide->of[world->current]];
  return next_given(thread->inputs, thread->input_count, &thread->input_at, otherwise, pc);
}

// Does an allocation fail? Now and then it is taken for one that the model left out.
static int64_t guided_failure(void *pc) {
  if (guide->of[world->current] < 0) return 0;
  struct guided_thread *thread = &guide->threads[guide->of[world->current]];
  if (world->moody && random_below(4) == 0) return 0;
  return next_given(thread->allocations, thread->allocation_count, &thread->allocation_at, 0, pc);
}

static uintptr_t symbol_address(const char *name);

enum { MOST = 1 << 20, MOST_OF_THREAD = MOST >> 4 };

// Reads what memory looks like, and what is written to it: `static ADDRESS SIZE`, `local CODE END OFFSET SIZE`,
// `write THREAD LINE EFFECT`, `access LINE EFFECT`, where an effect is `CALL FUNCTION WAY OFFSET SIZE SHIFT WIDTH KIND VALUE`.
static void read_effect(const char *line) {
  struct effect new = {0};
  struct local local;
  unsigned thread;
  int at = 0;
  uintptr_t address;
  size_t size;
  if (sscanf(line, "static %lx %zu", &address, &size) == 2 && guide->static_count < MOST) {
    guide->statics[guide->static_count].address = address, guide->statics[guide->static_count++].size = size;
  } else if (sscanf(line, "local %lx %lx %ld %zu", &local.low, &local.high, &local.offset, &local.size) == 4) {
    if (guide->local_count < MOST) guide->locals[guide->local_count++] = local;
  } else if (sscanf(line, "access %u %n", &new.line, &at) == 1 || sscanf(line, "write %u %u %n", &thread, &new.line, &at) == 2) {
    int read = sscanf(line + at, "%u %127s %63s %lu %lu %u %u %u %ld", &new.call, new.function, new.way, &new.offset, &new.size,
                      &new.shift, &new.width, &new.kind, &new.value);
    if (read != 9) return;
    if (line[0] == 'a') {
      if (guide->access_count < MOST_OF_THREAD) guide->accesses[guide->access_count++] = new;
    } else if (thread < GUIDED_THREADS) {
      struct guided_thread *whose = &guide->threads[thread];
      if (!whose->effects) whose->effects = reserve(MOST_OF_THREAD * sizeof *whose->effects);
      if (whose->effect_count < MOST_OF_THREAD) whose->effects[whose->effect_count++] = new;
    }
  }
}

// Reads a guide: `thread NAME ORDINAL`, `action THREAD`, `mark THREAD ACTION LINE KIND`, `input THREAD LINE VALUE`,
// `allocation THREAD LINE FAILS`,
// `line ADDRESS LINE`, `target LINE`, and what `read_effect` knows. Threads and actions are numbered in order.
static void read_guide(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) return;
  guide = reserve(sizeof *guide);
  guide->actions = reserve(MOST * sizeof(uint32_t)), guide->lines = reserve(MOST * sizeof(uint32_t));
  guide->addresses = reserve(MOST * sizeof(uintptr_t));
  guide->statics = reserve(MOST * sizeof *guide->statics), guide->locals = reserve(MOST * sizeof *guide->locals);
  guide->accesses = reserve(MOST_OF_THREAD * sizeof *guide->accesses);
  char line[512], name[256];
  while (fgets(line, sizeof line, file)) {
    unsigned thread, action, at, kind;
    int ordinal;
    long value;
    unsigned long address;
    if (sscanf(line, "thread %255s %d", name, &ordinal) == 2 && guide->count < GUIDED_THREADS) {
      struct guided_thread *new = &guide->threads[guide->count++];
      new->function = guide->count == 1 ? 0 : symbol_address(name), new->ordinal = ordinal;
      new->marks = reserve(MOST_OF_THREAD * sizeof *new->marks), new->inputs = reserve(MOST_OF_THREAD * sizeof *new->inputs);
    } else if (sscanf(line, "action %u", &thread) == 1 && guide->action_count < MOST) {
      guide->actions[guide->action_count++] = thread;
    } else if (sscanf(line, "mark %u %u %u %u", &thread, &action, &at, &kind) == 4 && thread < GUIDED_THREADS) {
      struct guided_thread *whose = &guide->threads[thread];
      if (whose->mark_count < MOST_OF_THREAD) whose->marks[whose->mark_count++] = (struct mark){at, action, (uint8_t)kind};
    } else if (sscanf(line, "input %u %u %ld", &thread, &at, &value) == 3 && thread < GUIDED_THREADS) {
      struct guided_thread *whose = &guide->threads[thread];
      if (whose->input_count < MOST_OF_THREAD) whose->inputs[whose->input_count++] = (struct given){at, value};
    } else if (sscanf(line, "allocation %u %u %ld", &thread, &at, &value) == 3 && thread < GUIDED_THREADS) {
      struct guided_thread *whose = &guide->threads[thread];
      if (!whose->allocations) whose->allocations = reserve(MOST_OF_THREAD * sizeof *whose->allocations);
      if (whose->allocation_count < MOST_OF_THREAD) whose->allocations[whose->allocation_count++] = (struct given){at, value};
    } else if (sscanf(line, "line %lx %u", &address, &at) == 2 && guide->line_count < MOST) {
      guide->addresses[guide->line_count] = address, guide->lines[guide->line_count++] = at;
    } else if (sscanf(line, "argc %ld", &value) == 1) {
      guide->argument_count = value;
    } else if (sscanf(line, "target %u", &at) == 1) {
      guide->target = at;
    } else {
      read_effect(line);
    }
  }
  fclose(file);
}

// Is the violation where the guide says that it is?
static int at_target(void) {
  if (!guide || !guide->target || !world->pc || !wants(FAILED)) return 1;
  return line_of(world->pc) == guide->target;
}
