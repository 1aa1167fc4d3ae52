// What the parts of the runtime share. They are one translation unit: this file first, `control.c` last.
//
// The program under test is compiled with the calls of the thread sanitizer and linked with this runtime instead of the
// sanitizer's own. All threads of the program are contexts in one thread of the system. Another thread goes on only
// where the scheduler says so, so a run is a function of its switches and inputs.
//
// Invariant: what the runtime must remember is in `world`, or in memory that hangs on it. Everything else that can be
// written (the program's data, the C library's, the heap) is put back between runs.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

// What the program defines itself comes before what is here.
#define WEAK __attribute__((weak))
#define HOT __attribute__((always_inline)) static inline
#define COLD __attribute__((noinline, cold))
// Where the program called a function of the runtime; its frame is noted.
#define CALLER called_from(__builtin_return_address(0), __builtin_frame_address(0))

// The library's own functions, where the program's calls are led here.
#define memcpy __real_memcpy
#define memset __real_memset
#define memmove __real_memmove
#define strlen __real_strlen
#define strcmp __real_strcmp
#define strncmp __real_strncmp
#define strchr __real_strchr
extern void *__real_memcpy(void *, const void *, size_t), *__real_memset(void *, int, size_t);
extern void *__real_memmove(void *, const void *, size_t);
extern size_t __real_strlen(const char *);
extern int __real_strcmp(const char *, const char *), __real_strncmp(const char *, const char *, size_t);
extern char *__real_strchr(const char *, int);
#define vsnprintf __real_vsnprintf
extern int __real_vsnprintf(char *, size_t, const char *, va_list);

enum {
  THREADS = 20000,          // of one run
  STACK = 256 << 10,        // bytes of a thread's stack, the guard page included
  MAIN_STACK = 8 << 20,     // the same for the first thread
  RACERS = 2000,            // with more threads than this a run is not checked for races
  CELLS = 1 << 21,          // granules of 8 bytes that are watched
  OBJECTS = 1 << 18,        // locks and the like of one run
  INPUTS = 1 << 20,         // values that one run is given
  SWITCHES = 1 << 22,       // changes of threads in one run
  POINTS = 1 << 20,         // places of one run where it could have gone on otherwise
  ALTERNATIVES = 6,         // threads that are tried at such a place
  KEYS = 128,
  MESSAGE = 512,
};

// How a run ended. The names are in `control.c`.
enum end { NOT_YET, FINISHED, FAILED, RACED, OVERFLOWED, CRASHED, INVALID, DEADLOCKED, ENDLESS, EXITED, ABANDONED, EXHAUSTED, LOST, MISFREED, UNDEFINED, LEAKED, ENDS };

// What a thread waits for.
enum wait { READY, ON_MUTEX, ON_READING, ON_WRITING, ON_JOIN, ON_SEMAPHORE, ON_CONDITION, ON_BARRIER, ON_ONCE, ON_PROGRESS, ON_ROOM, ON_NOTHING, OVER };

// A vector clock: how far each thread was known to be.
struct clock {
  uint32_t size;
  uint32_t at[];
};

struct thread {
  void *stack_pointer;  // where it goes on
  char *low, *high;     // its stack, without the guard page
  char *deepest;        // the lowest address of its stack that was seen in use
  char *frame;          // what is below it on the stack is not the program's
  void *(*run)(void *);
  int (*run_c11)(void *);
  void *argument, *result;
  enum wait wait;
  struct object *on;
  uint64_t number;      // the thread that is joined, the round of a barrier, or the progress that was seen
  int joined, detached, cancelled;
  int parent;           // who started it
  int saved_errno;
  int stretch;          // steps since it began to run
  int reads;            // reads in a row without a write
  int turns;            // points since it began to run
  int points, lazy_after;  // all of its points, and after how many it gives way to all others
  int priority;         // for PCT
  uint32_t round;       // for delays
  uint64_t hash;        // of all that happened before its last step
  struct clock *clock;
  char *tls;            // its copy of thread-local variables, or its block of them
  void *specific[KEYS];
  void *cleanups[32];
  int handlers;
  // An atomic section that may have to start again.
  char *section;        // a copy of the stack
  size_t section_size, section_room;
  void *section_pointer;
  uint64_t section_step;
};

// A lock, semaphore, condition variable, …, found by its address: the program's own bytes are not touched.
struct object {
  void *address;
  uint32_t run;
  int kind;        // of a mutex: PTHREAD_MUTEX_…
  int owner;       // the thread that holds it, or -1
  int depth;       // how often it is held; of a semaphore: its value
  int readers;
  int needed, arrived;
  uint64_t round;
  uint64_t hash;
  struct clock *clock;
};

// An access that a later one may race with.
struct access {
  struct access *next;
  void *pc;
  uint32_t thread, clock;
  uint8_t mask;    // which bytes of the granule
  uint8_t kind;
};
enum { READS = 0, WRITES = 1, ATOMIC = 2 };

// Blocks that count as leaks: none, those to which nothing leads, all.
enum leaks { NO_BLOCKS, LOST_BLOCKS, ALL_BLOCKS };

// What is known of 8 bytes of memory.
struct cell {
  uintptr_t granule;   // the address divided by 8, plus 1
  uint32_t run;        // when what follows `shared` was valid
  uint16_t owner;      // the first thread that was seen here, in any run
  uint8_t shared;      // have several threads been here, in any run?
  uint8_t written;     // was it written by a thread after others had been started, in any run?
  uint64_t write_hash, read_hash;
  struct access *accesses;
};

// A place where a run could have gone on otherwise.
struct point {
  uint64_t step, hash;
  struct cell *cell;  // what was about to be accessed, or null for an operation that always counts
  uint8_t forced;     // the running thread could not go on, or did not want to
  uint8_t count;
  uint16_t others[ALTERNATIVES];
};

struct change {
  uint64_t step;
  uint32_t thread;
};

enum schedule { PREEMPTIONS, DELAYS, PRIORITIES, RANDOM, REPLAY, GUIDED };

struct input {
  int64_t value;
  void *pc;
  const char *name;
  uint16_t thread;
};

struct world_state {
  // The run.
  int running, current, count, atomic;
  int main_is_over;    // its variables are gone
  int assumption_failed;
  int exit_handlers;   // are there functions to be called at the end, which is not done?
  int most_threads;    // who starts more waits for ever
  int kind;            // of the access that a point is about: 1 a read, 2 a write, 0 something else
  int code_on_stacks;  // do functions inside of functions need code there?
  int restartable;     // can a thread go back to its last read, if an assumption fails?
  uint32_t run;
  enum end end;
  uint64_t step, limit, blocks, progress, state_hash;
  uint64_t blocks_hash;  // of the order of blocks of code
  void *home;          // where the search goes on when a run ends
  int request;         // what the home context is asked for
  int next;            // who goes on after that
  struct thread *threads;
  enum schedule schedule;
  int spurious;
  int64_t time;        // of the program's clock, in nanoseconds
  int keys;
  void (*destructors[KEYS])(void *);
  // What ended it.
  void *pc, *other_pc;
  int culprit, other;
  uint64_t fault;
  char message[MESSAGE];
  int overflowed;      // a number overflowed on the way
  void *overflow_pc;
  // What it did.
  struct change *switches;
  uint32_t switch_count;
  struct input *inputs;
  uint32_t input_count;
  struct point *points;
  uint32_t point_count;
  uint64_t shared_points;  // points of this run that count
  // What it was told.
  struct change *planned;
  uint32_t planned_count, planned_at;
  struct input *given;
  uint32_t given_count;
  uint64_t after;      // points up to this step were deviated from before
  uint64_t random;
  uint64_t chance;     // for random schedules: a switch in one of that many
  int quantum;         // or after so many points
  uint64_t lowered[16];
  int lowered_count;
  int style;           // of inputs
  int moody;           // do things fail that need not?
  uint32_t fill;       // what memory holds that the program never set
  // Memory.
  struct object *objects;
  uint32_t object_count;
  uint32_t *object_index;
  struct cell *cells;
  uint32_t cell_count;
  struct cell *last_cell;
  int untracked;       // too much memory was touched to watch all of it
  char *clocks, *clocks_end;
  size_t clocks_used;
  struct access *accesses;
  uint32_t access_count;
  char *undo;
  size_t undo_used;
  uint32_t newly_shared;
  // Thread-local variables of the program.
  char *tls;
  size_t tls_size;
  char *tls_first;
  int *error_number;
  // Blocks of thread-local variables of the whole process, where each thread can have its own.
  char *block_first;   // what a new one holds; null if threads share one, and its contents go with them
  size_t block_size, block_pointer;  // how large it is, and where in it the thread pointer points to
  char *main_pointer;
  // What is looked for.
  int check_races, check_overflow;
  int watches_memory;  // are accesses looked at that are no data race?
  enum leaks leaks;    // which blocks must not be left at the end
  struct left_block *left;
  int may_fail;        // may there be no memory?
  uint32_t wanted;     // ends, a bit each
  int recording;       // write down every step
  int out;             // the file descriptor of the report
};

// What lasts, as pointers in a page of their own, which cannot be written once the search begins: the program's wild
// writes do not get there.
static union {
  struct {
    struct world_state *world;
    struct search_state *search;
    volatile struct watch_state *watch;
    struct buffer_state *buffer;
    struct guide_state *guide;
    struct dictionary_state *dictionary;
    struct roles_state *roles;
    struct coverage_state *coverage;
    struct snapshot_state *snapshot;
  } at;
  char page[4096];
} lasting __attribute__((aligned(4096)));
#define world lasting.at.world
#define search lasting.at.search
#define watch lasting.at.watch
#define buffer lasting.at.buffer
#define guide lasting.at.guide
#define dictionary lasting.at.dictionary
#define roles lasting.at.roles
#define coverage lasting.at.coverage
#define snapshot lasting.at.snapshot

static void end(enum end how, void *pc) __attribute__((noreturn));
static void point(struct cell *cell, void *pc);
static void wait_for(enum wait wait, struct object *object, void *pc);
static int64_t choose(const char *name, int count, void *pc);
static void step_to(void *at, size_t size, int kind, void *pc);
static int argument_count;
static char **argument_values;
static void note_step(const char *what, void *at, void *pc);
static void clear_stack(char *from, char *to);
static enum end with_leaks(enum end how);
static int64_t keep_input(const char *name, int64_t value, void *pc);
HOT int is_coarse(void);

static void *reserve(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    static const char text[] = "internal the system gives no memory\n";
    ssize_t written = write(1, text, sizeof text - 1);
    syscall(SYS_exit_group, written > 0 ? 71 : 72);
  }
  return memory;
}

HOT uint64_t mix(uint64_t x) {
  x ^= x >> 32, x *= 0xd6e8feb86659fd93u;
  x ^= x >> 29, x *= 0x9e3779b97f4a7c15u;
  return x ^ x >> 32;
}

static void fill_memory(void *at, uint32_t word, size_t size) {
  if (word == 0) {
    memset(at, 0, size);
    return;
  }
  size_t i = 0;
  for (; i + 4 <= size; i += 4) *(uint32_t *)((char *)at + i) = word;
  for (; i < size; i++) ((uint8_t *)at)[i] = (uint8_t)(word >> i % 4 * 8);
}

HOT struct thread *self(void) { return &world->threads[world->current]; }

HOT void *called_from(void *pc, void *frame) {
  if (world && world->watches_memory && world->running) {
    struct thread *thread = self();
    if ((char *)frame >= thread->low && (char *)frame < thread->high) thread->frame = (char *)((void **)frame + 2);
  }
  return pc;
}
HOT int wants(enum end how) { return world->wanted >> how & 1; }

HOT uint64_t random_bits(void) {
  uint64_t x = world->random;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  world->random = x;
  return x * 0x2545f4914f6cdd1du >> 16;
}
HOT uint32_t random_below(uint64_t limit) { return (uint32_t)(random_bits() % limit); }

COLD static void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(world->message, MESSAGE, format, arguments);
  va_end(arguments);
}
