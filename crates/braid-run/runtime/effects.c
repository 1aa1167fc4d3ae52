// What functions without a body do to memory. By themselves they do nothing; a guide says what they write, and where: at an
// argument or a variable, through pointers, so many bytes from the start of an object. Each write is an access of the caller.
//
// Invariant: a write stays inside of one object. Where objects begin and end is known from the heap for its blocks, and from the
// guide for variables; what is in no object that is known is not written, and that is reported.
//
// What was written is an input: for each write that there is one, where, how large, and the value; then that there are no more. So a
// replay needs no guide.

enum { MOST_REGISTERS = 8 };

struct extent {
  char *start;
  size_t size;  // 0: there is none
};

// The block of the heap around an address.
static struct extent block_around(char *at) {
  size_t unit = (size_t)(at - heap.arena) / 16;
  if (!heap.valid[unit] || heap.valid[unit] == GONE) return (struct extent){0};
  while (unit && heap.valid[unit - 1]) unit--;  // a header, which is not valid, is before each block
  char *start = heap.arena + unit * 16;
  return (struct extent){start, ((struct header *)start - 1)->size};
}

static void narrow(struct extent *found, int *count, char *at, char *start, size_t size) {
  if (at < start || at >= start + size || (found->start == start && found->size == size)) return;
  *found = (struct extent){start, size}, ++*count;
}

// The variable of a function that is running, around an address; `frame` is where its frames begin to be looked at.
static struct extent local_around(char *at, struct thread *thread, void **frame) {
  struct extent found = {0};
  int count = 0;
  for (int depth = 0; depth < 10000; depth++) {
    if ((char *)frame < thread->low || (char *)(frame + 2) > thread->high) break;
    uintptr_t pc = (uintptr_t)frame[1] - 1;
    void **outer = frame[0];
    for (uint32_t i = 0; i < guide->local_count; i++) {
      struct local *local = &guide->locals[i];
      if (pc >= local->low && pc < local->high) narrow(&found, &count, at, (char *)outer + local->offset, local->size);
    }
    if (outer <= frame) break;
    frame = outer;
  }
  return count == 1 ? found : (struct extent){0};
}

// The frame of a thread that waits.
static void **saved_frame(struct thread *thread) {
#if defined __x86_64__
  return ((void ***)thread->stack_pointer)[5];
#else
  return NULL;
#endif
}

// The object around an address.
static struct extent object_around(char *at, void **frame) {
  if (in_heap(at)) return block_around(at);
  for (int i = 0; i < world->count; i++) {
    struct thread *thread = &world->threads[i];
    if (at < thread->low || at >= thread->high) continue;
    if (i != world->current && thread->wait == OVER) break;
    return local_around(at, thread, i == world->current ? frame : saved_frame(thread));
  }
  struct extent found = {0};
  int count = 0;
  for (uint32_t i = 0; i < guide->static_count; i++)
    narrow(&found, &count, at, (char *)guide->statics[i].address, guide->statics[i].size);
  return count == 1 ? found : (struct extent){0};
}

// Where a way leads to: `a0>8` is where the pointer points to that is at byte 8 of what the first argument points to.
static char *place_of_effect(struct effect *effect, long *arguments, void **frame) {
  char *rest, *at = NULL;
  if (effect->way[0] == 'a') {
    unsigned long number = strtoul(effect->way + 1, &rest, 10);
    if (number < MOST_REGISTERS) at = (char *)arguments[number];
  } else {
    at = (char *)strtoul(effect->way + 1, &rest, 16);
  }
  struct extent object = at ? object_around(at, frame) : (struct extent){0};
  while (object.size && *rest == '>') {
    size_t offset = strtoul(rest + 1, &rest, 10);
    if (offset + sizeof at > object.size) return NULL;
    memcpy(&at, object.start + offset, sizeof at);
    object = at ? object_around(at, frame) : (struct extent){0};
  }
  return effect->offset + effect->size <= object.size ? object.start + effect->offset : NULL;
}

// Addresses as numbers that mean the same in another process: stacks may be elsewhere there.
enum { ON_STACK = 1, ON_HEAP = 2 };
static int64_t name_of_place(char *at) {
  if (in_heap(at)) return (int64_t)ON_HEAP << 60 | (at - heap.arena);
  for (int i = 0; i < world->count; i++) {
    struct thread *thread = &world->threads[i];
    if (at >= thread->low && at < thread->high) return (int64_t)ON_STACK << 60 | (int64_t)i << 32 | (thread->high - at);
  }
  return (int64_t)at;
}
static char *place_by_name(int64_t name) {
  switch (name >> 60) {
    case ON_HEAP: return heap.arena + (name & ARENA - 1);
    case ON_STACK: return world->threads[name >> 32 & 0xfffffff].high - (uint32_t)name;
    default: return (char *)name;
  }
}

static void write_bits(char *at, int size, int shift, int width, int64_t value) {
  uint64_t old = 0, mask = width ? (width < 64 ? (1ull << width) - 1 : UINT64_MAX) << shift : UINT64_MAX;
  memcpy(&old, at, (size_t)size);
  uint64_t new = (old & ~mask) | ((uint64_t)value << shift & mask);
  memcpy(at, &new, (size_t)size);
}

COLD static void report_unforced(const char *name) {
  for (int i = 0; i < guide->unforced_count; i++)
    if (!strcmp(guide->unforced[i], name)) return;
  if (guide->unforced_count == UNFORCED) return;
  strncpy(guide->unforced[guide->unforced_count++], name, FUNCTION - 1);
}

// The effects of this call, according to the guide: the first, and how many. Now and then the call is taken for one that the
// model left out.
static struct effect *guided_effects(const char *name, int *count, void *pc) {
  *count = 0;
  if (!guide || guide->of[world->current] < 0) return NULL;
  struct guided_thread *thread = &guide->threads[guide->of[world->current]];
  uint32_t line = line_of(pc), first = thread->effect_at;
  while (first < thread->effect_count && (thread->effects[first].line != line || strcmp(thread->effects[first].function, name))) first++;
  if (first == thread->effect_count || (world->moody && random_below(4) == 0)) return NULL;
  uint32_t after = first;
  while (after < thread->effect_count && thread->effects[after].call == thread->effects[first].call) after++;
  thread->effect_at = after;
  *count = (int)(after - first);
  return &thread->effects[first];
}

// Makes one access to memory, and writes down that it was made.
static void have_effect(struct effect *effect, char *at, void *pc) {
  int64_t place = keep_input("-place", at ? name_of_place(at) : 0, pc);
  uint64_t form = at ? effect->size << 24 | effect->kind << 16 | effect->width << 8 | effect->shift : 0;
  form = (uint64_t)keep_input("-form", (int64_t)form, pc);
  int64_t value = keep_input("-value", at ? effect->value : 0, pc);
  size_t size = form >> 24;
  int kind = (int)(form >> 16 & 0xff), access = kind & EFFECT_READS ? READS : WRITES;
  if (!place || !size) return;
  at = place_by_name(place);
  if (kind & EFFECT_ATOMIC) atomic_step(at, size, access, pc);
  else step_to(at, size, access, pc);
  if (!(kind & EFFECT_TOUCHES) && size <= 8) write_bits(at, (int)size, (int)(form & 0xff), (int)(form >> 8 & 0xff), value);
  advance_hash(mix((uint64_t)value + 43));
}

static void have_effects(const char *name, long *arguments, void *pc, void **frame) {
  int count;
  struct effect *effects = guided_effects(name, &count, pc);
  uint32_t line = guide ? line_of(pc) : 0;
  for (uint32_t i = 0; guide && i < guide->access_count; i++) {
    struct effect *access = &guide->accesses[i];
    if (access->line != line || strcmp(access->function, name)) continue;
    char *at = place_of_effect(access, arguments, frame);
    if (!at) continue;
    keep_input("-effects", 1, pc);
    have_effect(access, at, pc);
  }
  for (int i = 0; i < count; i++) {
    char *at = place_of_effect(&effects[i], arguments, frame);
    if (!at) report_unforced(name);
    if (!at) continue;
    keep_input("-effects", 1, pc);
    have_effect(&effects[i], at, pc);
  }
  // In a replay the inputs say all of it.
  while (keep_input("-effects", 0, pc)) have_effect(NULL, NULL, pc);
}

// Functions without a body end here.
WEAK int64_t braid_outside(const char *name, long *arguments, void *pc, void **frame) {
  if (world && world->running) have_effects(name, arguments, pc, frame);
  return input(name, pc);
}
