// The heap: an arena of its own, so that it can be put back, with a byte for every 16 bytes that says what may be accessed.
//
// A freed block does not come back, so that late accesses are seen; on demand (`choose`) it does, as real allocators do.
// New blocks hold zeros, or another byte that was chosen for the run, so that runs can be repeated. The arena is below 2 GB
// if possible: programs that do not declare `malloc` think that it returns an `int`.

enum { ARENA = 1 << 30, FRESH = 64 << 20, CLASSES = 64, HEADER = 16, GONE = 0xfd };

struct header {
  uint64_t size;
  union {
    struct header *next;  // of the freed blocks of its class
    void *site;           // where it was allocated, while it is not freed
  };
};

// Outside of `world`, because memory may be asked for before `main`; it is put back with the program's data.
static struct heap {
  char *arena;
  uint8_t *valid;       // for each 16 bytes how many of them may be accessed, from the first on
  size_t used;
  struct header *freed[CLASSES];
} heap;

static void open_heap(void) {
  void *low = mmap((void *)0x20000000, ARENA, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  heap.arena = low == (void *)0x20000000 ? low : reserve(ARENA);
  heap.valid = reserve(ARENA / 16);
}

HOT int in_heap(const void *at) { return (size_t)((const char *)at - heap.arena) < ARENA; }

static int class_of(size_t size) {
  size_t units = (size + 15) / 16;
  if (units < 32) return (int)units;
  int class = 32 + 58 - __builtin_clzl(units);  // 32 for 32 to 63 units, and so on
  return class < CLASSES ? class : CLASSES - 1;
}

static void mark(char *block, size_t size, int valid) {
  uint8_t *at = &heap.valid[(block - heap.arena) / 16];
  size_t whole = size / 16;
  memset(at, valid ? 16 : GONE, whole);
  if (size % 16) at[whole] = (uint8_t)(valid ? size % 16 : GONE);
}

static void *reused(size_t size) {
  struct header **link = &heap.freed[class_of(size)];
  while (*link && ((*link)->size + 15) / 16 != (size + 15) / 16) link = &(*link)->next;
  if (!*link) return NULL;
  int must = heap.used > FRESH;
  if (!must && (!world || !world->running || !choose("-reuse", 2, NULL))) return NULL;
  struct header *block = *link;
  *link = block->next;
  block->size = size;
  return block + 1;
}

// A run that needs more memory than there is says nothing.
COLD static void *no_memory(void) {
  if (!world || !world->running) return NULL;
  say("more than %d MB of memory", ARENA >> 20);
  end(EXHAUSTED, NULL);
}

extern char __executable_start, etext, end_of_program __asm__("_end");
HOT int in_program(void *pc) { return (char *)pc >= &__executable_start && (char *)pc < &etext; }

static int64_t guided_failure(void *pc);

// Allocating memory succeeds, unless it may fail, or a guide says that it does not.
static int fails(void *pc) {
  if (!world || !world->running || !in_program(pc)) return 0;
  if (guide) return (int)keep_input("-fails", guided_failure(pc), pc);
  return (int)(world->may_fail ? choose("-fails", 2, pc) : keep_input("-fails", 0, pc));
}

static void *allocate(size_t size, size_t alignment, int cleared, void *pc) {
  if (!heap.arena) open_heap();
  if (fails(pc)) {
    errno = ENOMEM;
    return NULL;
  }
  if (size == 0) size = 1;
  if (size > ARENA / 2) return no_memory();
  char *block = alignment <= 16 ? reused(size) : NULL;
  if (!block) {
    size_t start = (heap.used + HEADER + alignment - 1) & ~(alignment - 1);
    size_t after = start + ((size + 15) & ~15ul) + HEADER;  // what follows is out of bounds
    if (after > ARENA) return no_memory();
    block = heap.arena + start;
    ((struct header *)block - 1)->size = size;
    heap.used = after;
  }
  ((struct header *)block - 1)->site = pc;
  mark(block, size, 1);
  fill_memory(block, cleared || !world ? 0 : world->fill, size);
  forget_accesses(block, size);
  return block;
}

COLD static void wrong(enum end how, const char *what, void *at, void *pc) {
  world->fault = (uintptr_t)at;
  say("%s", what);
  end(how, pc);
}
COLD static void invalid(const char *what, void *at, void *pc) { wrong(INVALID, what, at, pc); }

static void release_block(void *memory, void *pc) {
  if (!memory) return;
  struct header *block = (struct header *)memory - 1;
  int running = world && world->running;
  if (!in_heap(memory)) {
    if (running) wrong(MISFREED, "free of what was not allocated", memory, pc);
    return;
  }
  uint8_t first = heap.valid[((char *)memory - heap.arena) / 16];
  if (first == GONE && running) wrong(MISFREED, "block freed twice", memory, pc);
  int is_start = first && (uintptr_t)memory % 16 == 0 && heap.valid[((char *)memory - heap.arena) / 16 - 1] == 0;
  if (!is_start && running) wrong(MISFREED, "free of what is no block", memory, pc);
  if (first == GONE || first == 0) return;
  // `free` is a write to the whole block. The library's own calls are no steps: it may hold locks of its own.
  if (running && in_program(pc)) step_to(memory, block->size, WRITES, pc);
  mark(memory, block->size, 0);
  struct header **list = &heap.freed[class_of(block->size)];
  block->next = *list, *list = block;
}

// Is what is about to be accessed part of a block?
HOT void check_block(void *at, size_t size, void *pc) {
  if (!in_heap(at)) return;
  size_t offset = (size_t)((char *)at - heap.arena);
  uint8_t valid = heap.valid[(offset + size - 1) / 16];
  if (__builtin_expect(valid >= (offset + size - 1) % 16 + 1 && valid != GONE, 1)) return;
  invalid(valid == GONE ? "use of memory after it was freed" : "access outside of a block of memory", at, pc);
}

WEAK void *malloc(size_t size) { return allocate(size, 16, 0, CALLER); }
WEAK void *calloc(size_t count, size_t size) {
  size_t all;
  return __builtin_mul_overflow(count, size, &all) ? NULL : allocate(all, 16, 1, CALLER);
}
WEAK void free(void *memory) { release_block(memory, CALLER); }
WEAK void cfree(void *memory) { release_block(memory, CALLER); }
WEAK void *realloc(void *old, size_t size) {
  char *block = allocate(size, 16, 0, CALLER);
  if (!old || !block) return block;
  if (!in_heap(old) || (uintptr_t)old % 16) release_block(old, CALLER);  // which is wrong
  if (!in_heap(old)) return block;
  size_t before = ((struct header *)old - 1)->size;
  memcpy(block, old, before < size ? before : size);
  release_block(old, CALLER);
  return block;
}
WEAK void *aligned_alloc(size_t alignment, size_t size) { return allocate(size, alignment < 16 ? 16 : alignment, 0, CALLER); }
WEAK void *memalign(size_t alignment, size_t size) { return allocate(size, alignment < 16 ? 16 : alignment, 0, CALLER); }
WEAK void *valloc(size_t size) { return allocate(size, 4096, 0, CALLER); }
WEAK int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = allocate(size, alignment < 16 ? 16 : alignment, 0, CALLER);
  return *block ? 0 : ENOMEM;
}
WEAK size_t malloc_usable_size(void *memory) { return memory ? ((struct header *)memory - 1)->size : 0; }
