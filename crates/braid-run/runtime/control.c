// The way in: what to do, and what is reported.
//
//     program search PROPERTY SEED RUNS SECONDS STEPS    until a run ends as the property says it must not
//     program replay PROPERTY FILE                       one run as a file says, step by step
//     program guide PROPERTY FILE SECONDS                runs near what a file says
//
// The report goes to standard output, one fact per line, a word first. What the program writes goes to the file `output`
// in a replay, and nowhere otherwise.

static const char *const NAMES[ENDS] = {"none", "finished", "failed", "raced", "overflowed", "crashed", "invalid", "deadlocked", "endless", "exited", "abandoned", "exhausted", "lost", "misfreed", "undefined", "leaked"};
enum { LINES = 200000 };
static int lines_left = LINES;

struct buffer_state {
  size_t used;
  char text[1 << 16];
};

static void flush(void) {
  for (size_t at = 0; at < buffer->used;) {
    ssize_t written = write(world->out, buffer->text + at, buffer->used - at);
    if (written <= 0) syscall(SYS_exit_group, 0);  // nobody listens any more
    at += (size_t)written;
  }
  buffer->used = 0;
}
static void report(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (buffer->used > sizeof buffer->text - 1024) flush();
  int length = vsnprintf(buffer->text + buffer->used, 1024, format, arguments);
  buffer->used += length < 1024 ? (size_t)length : 1023;
  va_end(arguments);
}

// Writes down a step, if steps are wanted.
static void note_step(const char *what, void *at, void *pc) {
  if (!world->recording || lines_left <= 0) return;
  lines_left--;
  report("step %d %s %lx %lx %lu\n", world->current, what, (unsigned long)at, (unsigned long)pc, (unsigned long)world->step);
}

static void report_end(void) {
  report("end %s\n", NAMES[world->end]);
  report("message %s\n", world->message);
  report("at %d %lx %lx\n", world->culprit, (unsigned long)world->pc, (unsigned long)world->fault);
  if (world->end == RACED || world->end == LEAKED) report("other %d %lx\n", world->other, (unsigned long)world->other_pc);
  if (world->overflowed) report("overflow %lx\n", (unsigned long)world->overflow_pc);
  for (int i = 0; i < world->count; i++) {
    struct thread *thread = &world->threads[i];
    void *run = thread->run_c11 ? (void *)thread->run_c11 : (void *)thread->run;
    if (i < 1000) report("thread %d %lx %d %d\n", i, i ? (unsigned long)run : 0, thread->parent, thread->wait != OVER);
  }
  for (uint32_t i = 0; i < world->switch_count; i++)
    report("switch %lu %u\n", (unsigned long)world->switches[i].step, world->switches[i].thread);
  for (uint32_t i = 0; i < world->input_count; i++)
    report("input %ld %s %lx %d\n", (long)world->inputs[i].value, world->inputs[i].name, (unsigned long)world->inputs[i].pc, world->inputs[i].thread);
  report("room %d\n", world->most_threads);
  report("steps %lu\n", (unsigned long)world->step);
}

static void report_figures(void) {
  report("runs %lu\n", (unsigned long)search->runs);
  report("different %lu\n", (unsigned long)search->behaviour_count);
  report("all-steps %lu\n", (unsigned long)search->steps);
  report("level %d\n", search->deepest_level);
  report("covered %u\n", coverage->count);
  report("tainted %lu\n", (unsigned long)search->tainted);
  report("threads %d\n", search->most_threads);
  flush();
}

static void report_search(int found) {
  report_figures();
  for (int i = 1; i < ENDS; i++) {
    if (!search->ends[i]) continue;
    report("ends %s %lu\n", NAMES[i], (unsigned long)search->ends[i]);
    report("aside %s %lx %s\n", NAMES[i], (unsigned long)search->asides[i].pc, search->asides[i].message);
  }
  for (int i = 0; guide && i < guide->unforced_count; i++) report("unforced %s\n", guide->unforced[i]);
  report("result %s\n", found ? "found" : "nothing");
}

// Reads a schedule: lines `switch STEP THREAD` and `input VALUE …`.
static void read_schedule(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) report("internal no schedule %s\n", path), flush(), syscall(SYS_exit_group, 70);
  world->given = reserve(INPUTS * sizeof *world->given);
  char line[512];
  while (fgets(line, sizeof line, file)) {
    unsigned long step;
    unsigned thread;
    long value;
    if (sscanf(line, "switch %lu %u", &step, &thread) == 2 && world->planned_count < SWITCHES)
      world->planned[world->planned_count++] = (struct change){step, thread};
    else if (sscanf(line, "input %ld", &value) == 1 && world->given_count < INPUTS)
      world->given[world->given_count++].value = value;
    else if (sscanf(line, "room %ld", &value) == 1)
      world->most_threads = (int)value;
  }
  fclose(file);
}

// Calls a function for each symbol of the program.
static void for_each_symbol(void (*seen)(const char *name, uintptr_t address, void *with), void *with) {
  int file = open("/proc/self/exe", O_RDONLY);
  off_t size = lseek(file, 0, SEEK_END);
  char *image = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (image == MAP_FAILED) return;
  ElfW(Ehdr) *header = (void *)image;
  ElfW(Shdr) *sections = (void *)(image + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    ElfW(Sym) *symbols = (void *)(image + sections[i].sh_offset);
    const char *names = image + sections[sections[i].sh_link].sh_offset;
    for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++)
      if (symbols[k].st_value) seen(names + symbols[k].st_name, symbols[k].st_value, with);
  }
  munmap(image, (size_t)size);
}

// Functions with a role.
static void note_role(const char *name, uintptr_t function, void *unused) {
  enum role role = role_of(name);
  if (role == NO_ROLE || roles->count >= ROLES / 2) return;
  uintptr_t at = function / 16 % ROLES;
  while (roles->functions[at]) at = (at + 1) % ROLES;
  roles->functions[at] = function, roles->meanings[at] = (uint8_t)role, roles->count++;
}
static void find_roles(void) {
  roles = reserve(sizeof *roles);
  for_each_symbol(note_role, NULL);
}

struct sought {
  const char *name;
  uintptr_t address;
};
static void note_sought(const char *name, uintptr_t address, void *with) {
  struct sought *sought = with;
  if (!strcmp(name, sought->name)) sought->address = address;
}
static uintptr_t symbol_address(const char *name) {
  struct sought sought = {name, 0};
  for_each_symbol(note_sought, &sought);
  return sought.address;
}

static void open_world(void) {
  world = reserve(sizeof *world);
  buffer = reserve(sizeof *buffer);
  coverage = reserve(sizeof *coverage), dictionary = reserve(sizeof *dictionary);
  world->most_threads = THREADS;
  world->threads = reserve(THREADS * sizeof *world->threads);
  world->switches = reserve(SWITCHES * sizeof *world->switches), world->planned = reserve(SWITCHES * sizeof *world->planned);
  world->inputs = reserve(INPUTS * sizeof *world->inputs), world->points = reserve(POINTS * sizeof *world->points);
  world->objects = reserve(OBJECTS * sizeof *world->objects), world->object_index = reserve(OBJECTS * 2 * sizeof(uint32_t));
  world->cells = reserve(CELLS * sizeof *world->cells), world->accesses = reserve((CELLS + 1ul) * sizeof *world->accesses);
  world->clocks = reserve(256 << 20), world->clocks_end = world->clocks + (256 << 20);
  world->undo = reserve(UNDO), world->left = reserve(BLOCKS_LEFT * sizeof *world->left);
  world->error_number = __errno_location();
}

static int is_word(const char *at, size_t length, const char *word) { return strlen(word) == length && !strncmp(at, word, length); }

// A property, or several with commas between them.
static void set_property(const char *name) {
  static const struct { const char *name; uint32_t ends; } known[] = {
      {"unreach-call", 1 << FAILED}, {"no-data-race", 1 << RACED}, {"no-overflow", 1 << OVERFLOWED},
      {"no-undefined", 1 << UNDEFINED}, {"no-deadlock", 1 << DEADLOCKED},
      {"no-crash", 1 << CRASHED | 1 << INVALID | 1 << MISFREED | 1 << UNDEFINED}, {"valid-deref", 1 << INVALID},
      {"valid-free", 1 << MISFREED}, {"valid-memtrack", 1 << LEAKED}, {"valid-memcleanup", 1 << LEAKED}};
  for (const char *at = name; *at; at += *at == ',') {
    size_t length = strcspn(at, ",");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      if (is_word(at, length, known[i].name)) world->wanted |= known[i].ends;
    if (is_word(at, length, "valid-memtrack") && world->leaks == NO_BLOCKS) world->leaks = LOST_BLOCKS;
    if (is_word(at, length, "valid-memcleanup")) world->leaks = ALL_BLOCKS;
    if (is_word(at, length, "malloc-may-fail")) world->may_fail = 1;
    at += length;
  }
  world->check_races = wants(RACED), world->check_overflow = wants(OVERFLOWED);
  world->watches_memory = wants(INVALID) || wants(MISFREED) || wants(LEAKED);
}

// The report keeps the standard output of the process; the program gets another one.
static void part_outputs(int keep) {
  world->out = fcntl(1, F_DUPFD_CLOEXEC, 100);
  int other = keep ? open("output", O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
  if (other < 0) other = open("/dev/null", O_WRONLY);
  dup2(other, 1);
  dup2(other, 2);
  if (other > 2) close(other);
}

static int do_replay(void) {
  world->schedule = REPLAY;
  world->recording = 1;
  run_once();
  report_end();
  flush();
  if (world->end != CRASHED) fflush(NULL);
  return is_wanted();
}

//     program MODE PROPERTY SEED RUNS SECONDS STEPS   or   program replay|guide PROPERTY FILE [SECONDS]
int __wrap_main(int count, char **arguments) {
  if (count < 4) return 2;
  fix_addresses(arguments);
  const char *mode = arguments[1];
  int is_search = !strcmp(mode, "search") || !strcmp(mode, "random"), is_replay = !strcmp(mode, "replay");
  open_world();
  part_outputs(is_replay);
  set_property(arguments[2]);
  find_roles();
  double seconds = is_search && count > 6 ? atof(arguments[5]) : !is_replay && count > 4 ? atof(arguments[4]) : 60;
  open_search(is_search ? strtoull(arguments[3], NULL, 10) : 0, is_search && count > 6 ? strtoull(arguments[6], NULL, 10) : 20000);
  if (!strcmp(mode, "guide")) read_guide(arguments[3]);
  if (is_replay) read_schedule(arguments[3]), world->limit = 1ull << 40;
  catch_signals(seconds);
  take_snapshot();
  enter_sandbox(seconds);
  mprotect(lasting.page, sizeof lasting, PROT_READ);
  int found;
  if (is_replay) {
    found = do_replay();
  } else {
    uint64_t runs = is_search ? strtoull(arguments[4], NULL, 10) : UINT64_MAX;
    found = guide ? follow(seconds) : !strcmp(mode, "search") ? find(runs, seconds) : shake(runs, seconds);
    if (found) report_end();
    report_search(found);
    flush();
  }
  syscall(SYS_exit_group, found ? 10 : 0);
  return 0;
}
