// The rest of the C library that must know of runs: ways to end, failed assertions, memory functions (their accesses are
// announced by nobody else), time.

// An assumption does not hold. The thread goes back to where it can wait for others; if it cannot, it stands before the
// assumption for ever. The others go on: what they do is possible, because nobody has to let this thread run.
static void assumption_fails(void *pc) {
  struct thread *thread = self();
  world->assumption_failed = 1;
  // Outside of an atomic section both are possible.
  int random = world->schedule == RANDOM || world->schedule == PRIORITIES || world->moody;
  int64_t chosen = !thread->section_pointer || (random && random_below(2));
  int64_t stands = !world->atomic && keep_input("-stand", chosen, pc);
  if (thread->section_pointer && !stands) restart_section(pc);
  if (world->atomic || world->count == 1) end(ABANDONED, pc);
  thread->wait = ON_NOTHING;
  count_step(pc);
  reschedule(0, NULL, pc);
  end(LOST, pc);
}

static void ended(enum end how, const char *what, void *pc) {
  if (!world || !world->running) syscall(SYS_exit_group, 70);
  point(NULL, pc);  // others may go on before all ends
  say("%s", what);
  end(how, pc);
}
WEAK void exit(int status) {
  void *pc = CALLER;
  if (world && world->running && world->leaks) point(NULL, pc), say("exit"), end(with_leaks(EXITED), pc);
  ended(EXITED, "exit", pc);
  __builtin_unreachable();
}
WEAK void _exit(int status) { ended(EXITED, "_exit", CALLER); __builtin_unreachable(); }
WEAK void _Exit(int status) { ended(EXITED, "_Exit", CALLER); __builtin_unreachable(); }
WEAK void quick_exit(int status) { ended(EXITED, "quick_exit", CALLER); __builtin_unreachable(); }
WEAK int atexit(void (*function)(void)) {
  if (world) world->exit_handlers = 1;
  return 0;
}
WEAK void err(int status, const char *format, ...) { ended(EXITED, "err", CALLER); __builtin_unreachable(); }
WEAK void errx(int status, const char *format, ...) { ended(EXITED, "errx", CALLER); __builtin_unreachable(); }
WEAK void abort(void) {
  if (world && world->running && roles->assuming == world->current + 1) assumption_fails(CALLER);
  ended(EXITED, "abort", CALLER);
  __builtin_unreachable();
}

static void failed(const char *what, const char *file, unsigned line, const char *function, void *pc) {
  if (!world || !world->running) syscall(SYS_exit_group, 70);
  say("%s:%u: %s: Assertion `%s' failed.", file ? file : "?", line, function ? function : "?", what);
  end(FAILED, pc);
}
WEAK void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
  failed(what, file, line, function, CALLER);
  __builtin_unreachable();
}
WEAK void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
  failed("no error", file, line, function, CALLER);
  __builtin_unreachable();
}
WEAK void __assert(const char *what, const char *file, int line) {
  failed(what, file, (unsigned)line, "?", CALLER);
  __builtin_unreachable();
}
WEAK void reach_error(void) { say("reach_error"); end(FAILED, CALLER); }
WEAK void __VERIFIER_error(void) { say("reach_error"); end(FAILED, CALLER); }

// What verification tasks call without a body. `assert` is one of them where a program does not include its header.
#define ASSERTION(name)                      \
  WEAK void name(int holds) {                \
    if (holds || !world->running) return;    \
    say("%s", #name);                        \
    end(FAILED, CALLER);                     \
  }
#define ASSUMPTION(name)                     \
  WEAK void name(int holds) {                \
    if (!holds) assumption_fails(CALLER);    \
  }
#undef assert
ASSERTION(assert)
ASSERTION(__VERIFIER_assert)
ASSERTION(__ESBMC_assert)
ASSERTION(__CPROVER_assert)
ASSERTION(__goblint_check)
ASSERTION(__goblint_assert)
ASSUMPTION(__VERIFIER_assume)
ASSUMPTION(__ESBMC_assume)
ASSUMPTION(__CPROVER_assume)
ASSUMPTION(__goblint_assume)
ASSUMPTION(assume_abort_if_not)
WEAK void __VERIFIER_atomic_begin(void) { begin_section(CALLER); }
WEAK void __VERIFIER_atomic_end(void) { end_section(); }
WEAK void __ESBMC_atomic_begin(void) { begin_section(CALLER); }
WEAK void __ESBMC_atomic_end(void) { end_section(); }

// A function without a body that does not return.
void braid_gone(const char *name, void *pc) { ended(EXITED, name, pc); }

// Memory functions.
void *__wrap_memcpy(void *to, const void *from, size_t size) {
  if (size) step_to((void *)from, size, READS, CALLER), step_to(to, size, WRITES, CALLER);
  return memcpy(to, from, size);
}
void *__wrap_memmove(void *to, const void *from, size_t size) {
  if (size) step_to((void *)from, size, READS, CALLER), step_to(to, size, WRITES, CALLER);
  return memmove(to, from, size);
}
void *__wrap_memset(void *to, int value, size_t size) {
  if (size) step_to(to, size, WRITES, CALLER);
  return memset(to, value, size);
}
void *__tsan_memcpy(void *to, const void *from, size_t size) {
  if (size) step_to((void *)from, size, READS, CALLER), step_to(to, size, WRITES, CALLER);
  return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
  if (size) step_to((void *)from, size, READS, CALLER), step_to(to, size, WRITES, CALLER);
  return memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size) {
  if (size) step_to(to, size, WRITES, CALLER);
  return memset(to, value, size);
}
size_t __wrap_strlen(const char *text) {
  step_to((void *)text, 1, READS, CALLER);
  size_t length = strlen(text);
  check_library(text, length + 1, CALLER);
  return length;
}
// How many bytes of two texts are looked at, of at most so many.
static size_t compared(const char *a, const char *b, size_t most) {
  size_t same = 0;
  while (same + 1 < most && a[same] == b[same] && a[same]) same++;
  return same + 1;
}
int __wrap_strcmp(const char *a, const char *b) {
  step_to((void *)a, 1, READS, CALLER), step_to((void *)b, 1, READS, CALLER);
  size_t seen = compared(a, b, SIZE_MAX);
  check_library(a, seen, CALLER), check_library(b, seen, CALLER);
  return strcmp(a, b);
}
extern char *__real_strcpy(char *, const char *), *__real_strncpy(char *, const char *, size_t), *__real_strcat(char *, const char *);
char *__wrap_strcpy(char *to, const char *from) {
  check_library(from, 1, CALLER);
  size_t size = strlen(from) + 1;
  step_to((void *)from, size, READS, CALLER), step_to(to, size, WRITES, CALLER);
  return __real_strcpy(to, from);
}
char *__wrap_strncpy(char *to, const char *from, size_t size) {
  if (size) step_to((void *)from, 1, READS, CALLER), step_to(to, size, WRITES, CALLER);
  return __real_strncpy(to, from, size);
}
char *__wrap_strcat(char *to, const char *from) {
  check_library(from, 1, CALLER), check_library(to, 1, CALLER);
  size_t size = strlen(from) + 1;
  step_to((void *)from, size, READS, CALLER), step_to(to + strlen(to), size, WRITES, CALLER);
  return __real_strcat(to, from);
}

extern int __real_memcmp(const void *, const void *, size_t);
extern char *__real_strncat(char *, const char *, size_t), *__real_strrchr(const char *, int);
int __wrap_memcmp(const void *a, const void *b, size_t size) {
  if (size) step_to((void *)a, size, READS, CALLER), step_to((void *)b, size, READS, CALLER);
  return __real_memcmp(a, b, size);
}
int __wrap_strncmp(const char *a, const char *b, size_t size) {
  if (!size) return 0;
  step_to((void *)a, 1, READS, CALLER), step_to((void *)b, 1, READS, CALLER);
  size_t seen = compared(a, b, size);
  check_library(a, seen, CALLER), check_library(b, seen, CALLER);
  return __real_strncmp(a, b, size);
}
char *__wrap_strncat(char *to, const char *from, size_t size) {
  check_library(to, 1, CALLER);
  size_t length = 0;
  while (length < size && from[length]) length++;
  if (size) step_to((void *)from, length < size ? length + 1 : size, READS, CALLER);
  step_to(to + strlen(to), length + 1, WRITES, CALLER);
  return __real_strncat(to, from, size);
}
#define SEARCHES(name)                                       \
  char *__wrap_##name(const char *text, int sought) {        \
    step_to((void *)text, 1, READS, CALLER);                 \
    char *found = __real_##name(text, sought);               \
    size_t seen = found ? (size_t)(found - text) : strlen(text); \
    check_library(text, seen + 1, CALLER);                   \
    return found;                                            \
  }
SEARCHES(strchr) SEARCHES(strrchr)

// Functions that write what they are given, or keep something that all threads share.
extern int __real_vsnprintf(char *, size_t, const char *, va_list);
static int print(char *to, size_t room, const char *format, va_list arguments, void *pc) {
  if (room) step_to(to, 1, WRITES, pc);
  int length = __real_vsnprintf(to, room, format, arguments);
  if (length > 0 && room > 1) step_to(to, (size_t)length < room ? (size_t)length + 1 : room, WRITES, pc);
  return length;
}
int __wrap_vsnprintf(char *to, size_t room, const char *format, va_list arguments) {
  return print(to, room, format, arguments, CALLER);
}
int __wrap_vsprintf(char *to, const char *format, va_list arguments) {
  return print(to, (size_t)INT32_MAX, format, arguments, CALLER);
}
int __wrap_snprintf(char *to, size_t room, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = print(to, room, format, arguments, CALLER);
  va_end(arguments);
  return length;
}
int __wrap_sprintf(char *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = print(to, (size_t)INT32_MAX, format, arguments, CALLER);
  va_end(arguments);
  return length;
}
#define READS_TEXT(name)                                              \
  int __wrap_##name(const char *text, const char *format, ...) {      \
    va_list arguments;                                                \
    va_start(arguments, format);                                      \
    step_to((void *)text, strlen(text) + 1, READS, CALLER);           \
    int count = vsscanf(text, format, arguments);                     \
    va_end(arguments);                                                \
    return count;                                                     \
  }
READS_TEXT(sscanf) READS_TEXT(__isoc99_sscanf) READS_TEXT(__isoc23_sscanf)
extern int __real_puts(const char *);
int __wrap_puts(const char *text) {
  step_to((void *)text, strlen(text) + 1, READS, CALLER);
  return __real_puts(text);
}
static char hidden[8][8];  // stands for what the library keeps
#define KEEPS(number, type, name, parameters, arguments)   \
  extern type __real_##name parameters;                    \
  type __wrap_##name parameters {                          \
    step_to(hidden[number], 1, WRITES, CALLER);            \
    type result = __real_##name arguments;                 \
    if (result) step_to(result, sizeof *result > 1 ? sizeof *result : 8, WRITES, CALLER); \
    return result;                                         \
  }
KEEPS(0, char *, strtok, (char *text, const char *by), (text, by))
KEEPS(1, struct tm *, gmtime, (const time_t *at), (at))
KEEPS(1, struct tm *, localtime, (const time_t *at), (at))
KEEPS(2, char *, asctime, (const struct tm *at), (at))
KEEPS(2, char *, ctime, (const time_t *at), (at))
KEEPS(3, char *, strerror, (int number), (number))

// Time goes on with the steps of the program.
static int64_t now(void) { return 1700000000000000000ll + (world ? world->time + (int64_t)world->step * 1000 : 0); }
WEAK time_t time(time_t *at) {
  time_t seconds = now() / 1000000000;
  if (at) *at = seconds;
  return seconds;
}
WEAK int clock_gettime(clockid_t clock, struct timespec *at) {
  at->tv_sec = now() / 1000000000, at->tv_nsec = now() % 1000000000;
  return 0;
}
WEAK int gettimeofday(struct timeval *at, void *zone) {
  at->tv_sec = now() / 1000000000, at->tv_usec = now() % 1000000000 / 1000;
  return 0;
}
WEAK int timespec_get(struct timespec *at, int base) { clock_gettime(0, at); return base; }
WEAK clock_t clock(void) { return now() / 1000; }
WEAK unsigned alarm(unsigned seconds) { return 0; }
WEAK pid_t fork(void) { return fail(ENOSYS); }
