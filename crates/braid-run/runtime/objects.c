// Which memory the program may access: blocks of the heap (`heap.c`), variables, and the frames of functions that run.
//
// A program that is compiled to have its variables watched (`Watch::Objects`) has gaps around each of them, as for the kernel's
// address sanitizer: its code keeps a shadow, one byte for each 8 of memory, that says which of them belong to a variable in
// scope. Frames that were left, and stacks of threads that have ended, are known in every program.
//
// Invariant: the shadow of a stack is clear where a new thread starts; that of static memory is set before `main`.

#define SHADOW 0x100000000000ul  // as the compiler is told
#if defined __aarch64__
#define MOST_MEMORY (1ul << 48)
#else
#define MOST_MEMORY (1ul << 47)
#endif
enum { OUT_OF_SCOPE = 0xf8, AROUND_STATIC = 0xf9, AROUND_LOCAL = 0xf1 };

// Set by the linker: 1 if every access is announced, 2 if those to variables by their names are not.
extern char braid_watched WEAK;
HOT int has_shadow(void) { return &braid_watched != NULL; }
HOT int is_coarse(void) { return (uintptr_t)&braid_watched == 2; }

HOT int8_t *shadow_of(const void *at) { return (int8_t *)(SHADOW + (uintptr_t)at / 8); }

static void open_shadow(void) {
  if (!has_shadow()) return;
  void *shadow = mmap((void *)SHADOW, MOST_MEMORY / 8, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (shadow == (void *)SHADOW) return;
  static const char text[] = "internal the system gives no memory for what is known of variables\n";
  ssize_t written = write(1, text, sizeof text - 1);
  syscall(SYS_exit_group, written > 0 ? 71 : 72);
}
// Before anything of the program, which may have functions that are called before `main`.
__attribute__((section(".preinit_array"), used)) static void (*const opens_shadow)(void) = open_shadow;

// Nothing may be accessed, or all of it; the end need not be that of 8 bytes.
static void poison(char *at, size_t size, int why) { memset(shadow_of(at), why, (size + 7) / 8); }
static void unpoison(char *at, size_t size) {
  memset(shadow_of(at), 0, size / 8);
  if (size % 8) *shadow_of(at + size) = (int8_t)(size % 8);
}
static void clear_stack(char *from, char *to) {
  from = (char *)((uintptr_t)from & ~7ul);
  if (has_shadow() && from < to) memset(shadow_of(from), 0, (size_t)(to - from) / 8);
}

struct static_variable {
  char *at;
  size_t size, with_gap;
  const char *name, *file;
  size_t more[3];
};
void __asan_register_globals(struct static_variable *all, size_t count) {
  for (size_t i = 0; i < count; i++) {
    poison(all[i].at, all[i].with_gap, AROUND_STATIC);
    unpoison(all[i].at, all[i].size);
  }
}
void __asan_unregister_globals(struct static_variable *all, size_t count) {}
void __asan_init(void) {}
void __asan_poison_stack_memory(char *at, size_t size) { poison(at, size, OUT_OF_SCOPE); }
void __asan_unpoison_stack_memory(char *at, size_t size) { unpoison(at, size); }
void __asan_alloca_poison(char *at, size_t size) {
  char *after = (char *)(((uintptr_t)at + size + 31) & ~31ul) + 32;
  if (world && world->running && at - 32 < self()->deepest && at - 32 >= self()->low) self()->deepest = at - 32;
  poison(at - 32, (size_t)(after - at) + 32, AROUND_LOCAL);
  unpoison(at, size);
}
void __asan_allocas_unpoison(char *low, char *high) {
  if (low && low < high) clear_stack(low, high);
}
// Frames may be left without their ends.
void __asan_handle_no_return(void) {
  char *here = __builtin_frame_address(0);
  if (world && world->running && here >= self()->low && here < self()->high) clear_stack(here, self()->high);
}
#define SETS_SHADOW(value) \
  void __asan_set_shadow_##value(void *shadow, size_t size) { memset(shadow, 0x##value, size); }
SETS_SHADOW(00) SETS_SHADOW(f1) SETS_SHADOW(f2) SETS_SHADOW(f3) SETS_SHADOW(f5) SETS_SHADOW(f8)

COLD static void outside_of_variable(char *granule, void *pc) {
  int8_t here = *shadow_of(granule);
  int why = (uint8_t)(here > 0 ? *shadow_of(granule + 8) : here);
  char *at = here > 0 ? granule + here : granule;
  invalid(here < 0 && why == OUT_OF_SCOPE ? "use of a variable out of its scope" : "access outside of a variable", at, pc);
}

static void check_shadow(char *at, size_t size, void *pc) {
  if ((uintptr_t)at >= MOST_MEMORY || size > MOST_MEMORY - (uintptr_t)at) return;  // the machine will say so
  char *last = at + size - 1;
  for (char *granule = (char *)((uintptr_t)at & ~7ul); granule <= last; granule += 8) {
    int8_t valid = *shadow_of(granule);
    if (__builtin_expect(valid == 0, 1)) continue;
    if (valid < 0 || (granule + 7 <= last ? 7 : (uintptr_t)last % 8) >= (uintptr_t)valid) outside_of_variable(granule, pc);
  }
}

// How many bytes there are, of at most 8: a smaller variable has at least 1.
static size_t room_at(void *at, size_t most) {
  if (!has_shadow() || (uintptr_t)at >= MOST_MEMORY || (uintptr_t)at % 8) return most;
  int8_t valid = *shadow_of(at);
  return valid > 0 && (size_t)valid < most ? (size_t)valid : most;
}

// Is it part of a frame that there still is? What is below the frame that called the runtime is none.
static void check_frames(char *at, void *pc) {
  if (at < &end_of_program) return;
  struct thread *thread = self();
  if (at < thread->low || at >= thread->high) {
    int other = world->count - 1;
    while (other >= 0 && (at < world->threads[other].low || at >= world->threads[other].high)) other--;
    if (other < 0) return;
    thread = &world->threads[other];
    if (thread->wait == OVER) invalid("use of a local variable of a thread that has ended", at, pc);
  }
  if (at < thread->frame) invalid("use of a local variable of a function that has returned", at, pc);
}

// Some bytes are about to be accessed.
HOT void check_access(void *at, size_t size, void *pc) {
  if (in_heap(at)) {
    check_block(at, size, pc);
  } else if (world->watches_memory) {
    if ((uintptr_t)at < 4096) invalid("use of a null pointer", at, pc);
    check_frames(at, pc);
    if (has_shadow()) check_shadow(at, size, pc);
  }
}

// The same for what the library is about to access, where that is no step of its own.
static void check_library(const void *at, size_t size, void *pc) {
  if (world && world->running && size) check_access((void *)at, size, pc);
}
