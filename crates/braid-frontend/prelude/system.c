// Input, output and the system: input is anything that it can be, output has no effect.

// Whether a file was closed counts only where undefined behaviour is checked.
struct FILE { int closed; };
struct _IO_FILE { int closed; };
struct __jmp_buf_tag { int nothing; };

// The program's own declarations of these mean the same variables.
static struct _IO_FILE standard_files[3];
void *stdin = &standard_files[0], *stdout = &standard_files[1], *stderr = &standard_files[2];

// What is printed is read, where that matters: a text up to its end, or so many objects. A literal has its end.
static void read_all(const char *s) {
  if (__braid_reads()) {
    unsigned long n = 0;
    if (__braid_is_literal(s)) {
      char first = s[0];
    } else
      while (s[n]) n = n + 1;
  }
}
const char *__read_text(const char *s, int most) {
  if (__braid_reads()) {
    int n = 0;
    if (__braid_is_literal(s) && most == -1) {
      char first = s[0];
    } else
      while (n != most && s[n]) n = n + 1;
  }
  return s;
}
// Arguments of the program have 16 characters at most: where they end is easier to see from tests in a row than from a loop.
const char *__read_argument(const char *s, int most) {
  if (__braid_reads() && __braid_is_number(s)) {
    char first = s[0];
  } else if (__braid_races() || __braid_is_literal(s) || most != -1) __read_text(s, most);
  else if (__braid_reads()) {
    if (s[0] && s[1] && s[2] && s[3] && s[4] && s[5] && s[6] && s[7] && s[8] && s[9] && s[10] && s[11] && s[12] && s[13] && s[14] && s[15]) {
      unsigned long n = 16;
      while (s[n]) n = n + 1;
    }
  }
  return s;
}
static void read_objects(__auto_type from, unsigned long size) {
  if (__braid_reads())
    for (unsigned long n = 0; n < size; n = n + sizeof(*from)) {
      __typeof__(*from) value = from[n / sizeof(*from)];
    }
}
// Functions of files need one: a null pointer is what `fopen` gives where there is none.
static void must_be_open(void *file) {
  __braid_require(file != 0);
  if (__braid_definedness() && __braid_calls(fclose, pclose)) {
    struct _IO_FILE *known = file;
    __VERIFIER_atomic_begin();
    __braid_require(!known->closed);
    __VERIFIER_atomic_end();
  }
}
static void close_file(void *file) {
  must_be_open(file);
  if (__braid_definedness()) {
    struct _IO_FILE *known = file;
    __VERIFIER_atomic_begin();
    known->closed = 1;
    __VERIFIER_atomic_end();
  }
}
static int printed(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= -1);
  return n;
}
int printf(const char *format, ...) { if (__braid_wanted()) __braid_unsupported("the result of `printf`"); return 0; }
int fprintf(void *file, const char *format, ...) { must_be_open(file); if (__braid_wanted()) __braid_unsupported("the result of `fprintf`"); return 0; }
int dprintf(int file, const char *format, ...) { if (__braid_wanted()) __braid_unsupported("the result of `dprintf`"); return 0; }
int __printf_chk(int flag, const char *format, ...) { if (__braid_wanted()) __braid_unsupported("the result of `printf`"); return 0; }
int __fprintf_chk(void *file, int flag, const char *format, ...) { if (__braid_wanted()) __braid_unsupported("the result of `fprintf`"); return 0; }
int vprintf(const char *format, __builtin_va_list list) { if (__braid_wanted()) __braid_unsupported("the result of `vprintf`"); return 0; }
int vfprintf(void *file, const char *format, __builtin_va_list list) { must_be_open(file); if (__braid_wanted()) __braid_unsupported("the result of `vfprintf`"); return 0; }
int __vprintf_chk(int flag, const char *format, __builtin_va_list list) { if (__braid_wanted()) __braid_unsupported("the result of `vprintf`"); return 0; }
int __vfprintf_chk(void *file, int flag, const char *format, __builtin_va_list list) { if (__braid_wanted()) __braid_unsupported("the result of `vfprintf`"); return 0; }
int puts(const char *s) { read_all(s); return printed(); }
int fputs(const char *s, void *file) { must_be_open(file); read_all(s); return printed(); }
int putchar(int c) { return __VERIFIER_nondet_bool() ? (unsigned char)c : -1; }
int fputc(int c, void *file) { must_be_open(file); return __VERIFIER_nondet_bool() ? (unsigned char)c : -1; }
int putc(int c, void *file) { must_be_open(file); return __VERIFIER_nondet_bool() ? (unsigned char)c : -1; }
void perror(const char *s) { if (s) read_all(s); }
int fflush(void *file) { return __VERIFIER_nondet_bool() ? -1 : 0; }
int fclose(void *file) { close_file(file); return __VERIFIER_nondet_bool() ? -1 : 0; }
void setbuf(void *file, char *buffer) {}
int setvbuf(void *file, char *buffer, int mode, unsigned long size) { return __VERIFIER_nondet_bool() ? -1 : 0; }
void flockfile(void *file) {}
void funlockfile(void *file) {}
// The longest message of glibc stands for all: it needs most room.
static char *message(void) { return "Invalid or incomplete multibyte or wide character"; }
char *strerror(int error) { return message(); }
char *strsignal(int signal) { return message(); }
char *strerror_r(int error, char *to, unsigned long size) { return message(); }
const char *gai_strerror(int error) { return message(); }

// Files have names, and what is in them is anything. Only what the program wrote itself is not: what it reads after it has opened a file to
// write, or made a pipe, is not known exactly. Standard input is no such file.
static _Bool has_output;
static void note_output(_Bool writes) {
  if (writes) {
    __VERIFIER_atomic_begin();
    has_output = 1;
    __VERIFIER_atomic_end();
  }
}
static void note_input(_Bool is_file) {
  if (__braid_calls(fopen, fopen64, freopen, fdopen, tmpfile, open, open64, creat, pipe, pipe2, socketpair)) {
    __VERIFIER_atomic_begin();
    _Bool own = has_output;
    __VERIFIER_atomic_end();
    if (is_file && own) __braid_inexact("input that could be the program's own output");
  }
}
static void *opened(const char *mode) {
  note_output(mode[0] != 'r' || mode[1] == '+' || (mode[1] && mode[2] == '+'));
  struct _IO_FILE *file = 0;
  if (__VERIFIER_nondet_bool()) {
    file = __braid_allocate(sizeof(struct _IO_FILE));
    if (__braid_definedness() && __braid_calls(fclose, pclose)) {
      __VERIFIER_atomic_begin();
      file->closed = 0;
      __VERIFIER_atomic_end();
    }
  }
  return file;
}
void *fopen(const char *name, const char *mode) { return opened(mode); }
void *fopen64(const char *name, const char *mode) { return opened(mode); }
static int descriptor(void) {
  int file = __VERIFIER_nondet_int();
  // The first three are open already, unless the program closes them.
  __VERIFIER_assume(file == -1 || file > 2 || (file >= 0 && __braid_calls(close)));
  return file;
}
int open(const char *name, int flags, ...) {
  note_output((flags & 3) != 0);
  return descriptor();
}
int open64(const char *name, int flags, ...) {
  note_output((flags & 3) != 0);
  return descriptor();
}
int creat(const char *name, unsigned mode) {
  note_output(1);
  return descriptor();
}
static int any_result(void) { return __VERIFIER_nondet_bool() ? -1 : 0; }
int close(int file) { return any_result(); }
int unlink(const char *name) { return any_result(); }
int remove(const char *name) { return any_result(); }
int rename(const char *from, const char *to) { return any_result(); }
int mkdir(const char *name, unsigned mode) { return any_result(); }
int rmdir(const char *name) { return any_result(); }
int chdir(const char *name) { return any_result(); }
int access(const char *name, int mode) { return any_result(); }
int fsync(int file) { return any_result(); }
void clearerr(void *file) {}
int fseek(void *file, long offset, int origin) { must_be_open(file); return any_result(); }
void rewind(void *file) { must_be_open(file); }

static int any_char(void) {
  int c = __VERIFIER_nondet_int();
  __VERIFIER_assume(c >= -1 && c <= 255);
  return c;
}
int getchar(void) { return any_char(); }
int fgetc(void *file) {
  must_be_open(file);
  note_input(file != stdin);
  return any_char();
}
int getc(void *file) {
  must_be_open(file);
  note_input(file != stdin);
  return any_char();
}

// So many bytes at most come in; -1 is an error.
static long input_to(__auto_type to, unsigned long most) {
  long count = __VERIFIER_nondet_long();
  __VERIFIER_assume(count >= -1 && (count < 0 || (unsigned long)count <= most));
  for (long n = 0; n < count; n = n + (long)sizeof(*to)) {
    __typeof__(*to) value;
    to[n / (long)sizeof(*to)] = value;
  }
  return count;
}
static long input(__auto_type to, unsigned long most) { return input_to(_Generic(to, void *: (char *)to, default: to), most); }
long read(int file, __auto_type to, unsigned long most) {
  note_input(file != 0 || __braid_calls(close));
  return input(to, most);
}
unsigned long fread(__auto_type to, unsigned long size, unsigned long count, void *file) {
  must_be_open(file);
  note_input(file != stdin);
  long got = size > 0 ? input(to, size * count) : 0;
  return got > 0 ? (unsigned long)got / size : 0;
}
long recv(int socket, __auto_type to, unsigned long most, int flags) {
  note_input(__braid_calls(socketpair));
  return input(to, most);
}
long getrandom(__auto_type to, unsigned long most, unsigned flags) { return input(to, most); }
int getentropy(__auto_type to, unsigned long size) {
  _Bool failed = __VERIFIER_nondet_bool();
  if (!failed)
    for (unsigned long n = 0; n * sizeof(*to) < size; n = n + 1) {
      __typeof__(*to) value;
      to[n] = value;
    }
  return failed ? -1 : 0;
}
char *fgets(char *to, int size, void *file) {
  must_be_open(file);
  note_input(file != stdin);
  int count = __VERIFIER_nondet_int();
  __VERIFIER_assume(count >= 0 && count < size);
  for (int n = 0; n < count; n = n + 1) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(n == count - 1 || c != '\n');
    to[n] = c;
  }
  if (count > 0) to[count] = 0;
  return count > 0 ? to : (char *)0;
}
static long output(unsigned long size) {
  long count = __VERIFIER_nondet_long();
  __VERIFIER_assume(count >= -1 && (count < 0 || (unsigned long)count <= size));
  return count;
}
static long output_of(__auto_type from, unsigned long size) {
  read_objects(_Generic(from, void *: (const char *)from, const void *: (const char *)from, default: from), size);
  return output(size);
}
long write(int file, __auto_type from, unsigned long size) { return output_of(from, size); }
long pwrite(int file, __auto_type from, unsigned long size, long offset) { return output_of(from, size); }
long pwrite64(int file, __auto_type from, unsigned long size, long offset) { return output_of(from, size); }
unsigned long fwrite(__auto_type from, unsigned long size, unsigned long count, void *file) {
  must_be_open(file);
  read_objects(_Generic(from, void *: (const char *)from, const void *: (const char *)from, default: from), size * count);
  unsigned long done = (unsigned long)__VERIFIER_nondet_long();
  __VERIFIER_assume(done <= count && (size > 0 || done == 0));
  return done;
}
long send(int socket, __auto_type from, unsigned long size, int flags) { return output_of(from, size); }

// One value of scanf: any, or (width > 0) a word of at most so many characters; a set
// such as `[^,]` is one more than the character that is not in it, times 2 ** 23.
static void scan_one(__auto_type to, unsigned long width) {
  if (width > 0) {
    char *word = _Generic(to, char *: to, default: (char *)0);
    unsigned long n = 0;
    unsigned long set = width / 8388608;
    width = width % 8388608;
    do {
      char c = __VERIFIER_nondet_char();
      __VERIFIER_assume(c != 0 && (set > 0 ? (unsigned char)c != set - 1 : c != ' ' && !(c >= 9 && c <= 13)));
      word[n] = c;
      n = n + 1;
    } while (n < width && __VERIFIER_nondet_bool());
    word[n] = 0;
  } else {
    __typeof__(*to) value;
    *to = value;
  }
}
// How many values are read; the input may end before the first.
static int scanned(int most) {
  int count = __VERIFIER_nondet_int();
  __VERIFIER_assume(count >= -1 && count <= most);
  return count;
}
int __scan_file(void *file) {
  must_be_open(file);
  note_input(file != stdin);
  return 0;
}
// What is in a text that was read, nobody knows; what it is compared with later, neither.
int __scan_text(const char *text) {
  read_all(text);
  __braid_inexact("`sscanf` of a text of the program's own");
  return 0;
}
int __scan_0(void) { return __VERIFIER_nondet_bool() ? -1 : 0; }
int __scan_1(__auto_type a, unsigned long wa) {
  int count = scanned(1);
  if (count > 0) scan_one(a, wa);
  return count;
}
int __scan_2(__auto_type a, unsigned long wa, __auto_type b, unsigned long wb) {
  int count = scanned(2);
  if (count > 0) scan_one(a, wa);
  if (count > 1) scan_one(b, wb);
  return count;
}
int __scan_3(__auto_type a, unsigned long wa, __auto_type b, unsigned long wb, __auto_type c, unsigned long wc) {
  int count = scanned(3);
  if (count > 0) scan_one(a, wa);
  if (count > 1) scan_one(b, wb);
  if (count > 2) scan_one(c, wc);
  return count;
}

// The system.
int getpid(void) {
  int id = __VERIFIER_nondet_int();
  __VERIFIER_assume(id > 0);
  return id;
}
int getppid(void) {
  int id = __VERIFIER_nondet_int();
  __VERIFIER_assume(id >= 0);
  return id;
}
int pipe(int *ends) {
  int first = descriptor(), second = descriptor();
  _Bool failed = first < 0 || second < 0;
  if (!failed) {
    __VERIFIER_assume(first != second);
    note_output(1);
    ends[0] = first;
    ends[1] = second;
  }
  return failed ? -1 : 0;
}
int pipe2(int *ends, int flags) { return pipe(ends); }
int socketpair(int domain, int type, int protocol, int *ends) { return pipe(ends); }

// What the program is started with: its name and arguments (`argument_texts`). There is a name always.
static char *argument_list[ARGUMENTS + 1];
static char *argument(int number, int count) {
  if (number < count) __VERIFIER_assume(argument_texts[number][LENGTH - 1] == 0);
  return number < count ? argument_texts[number] : (char *)0;
}
int __arguments(char ***to) {
  int count = __VERIFIER_nondet_int();
  __VERIFIER_assume(count >= 1 && count <= ARGUMENTS);
  argument_list[0] = argument(0, count);
  argument_list[1] = argument(1, count);
  argument_list[2] = argument(2, count);
  argument_list[3] = argument(3, count);
  argument_list[4] = argument(4, count);
  argument_list[5] = argument(5, count);
  argument_list[6] = argument(6, count);
  argument_list[7] = argument(7, count);
  *to = argument_list;
  return count;
}

// Messages, and the end of the program.
void err(int status, const char *format, ...) { __braid_stop(); }
void errx(int status, const char *format, ...) { __braid_stop(); }
void verr(int status, const char *format, void *arguments) { __braid_stop(); }
void verrx(int status, const char *format, void *arguments) { __braid_stop(); }
void warn(const char *format, ...) {}
void warnx(const char *format, ...) {}

// Options of the command line, one after the other: a letter that the text names, with an argument if a colon follows it there.
char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static int option_at, options_skipped;
static _Bool is_option(const char *argument) { return argument[0] == '-' && argument[1]; }
// Moves an argument before others that are no options.
static void move_argument(char **arguments, int from, int to) {
  char *moved = arguments[from];
  while (from > to) {
    arguments[from] = arguments[from - 1];
    from = from - 1;
  }
  arguments[to] = moved;
}
int getopt(int count, char *const *arguments, const char *letters) {
  int result = -1, first = letters[0] == '+';
  optarg = 0;
  if (optind == 0) {
    optind = 1;
    option_at = 0;
  }
  if (option_at == 0 && optind < count) {
    int at = optind;
    if (!first)
      while (at < count && !is_option(arguments[at])) at = at + 1;
    if (at < count && is_option(arguments[at])) {
      options_skipped = at - optind;
      if (at > optind) move_argument((char **)arguments, at, optind);
      if (arguments[optind][1] == '-' && arguments[optind][2] == 0) optind = optind + 1;
      else option_at = 1;
    }
  }
  if (option_at > 0) {
    char *argument = arguments[optind], letter = argument[option_at];
    int n = first;
    _Bool silent = letters[first] == ':';
    while (letters[n] && (letters[n] != letter || letter == ':')) n = n + 1;
    option_at = option_at + 1;
    _Bool last = argument[option_at] == 0;
    result = letter;
    if (letters[n] == 0) {
      optopt = letter;
      result = '?';
    } else if (letters[n + 1] == ':') {
      if (!last) optarg = argument + option_at;
      else if (letters[n + 2] != ':') {
        if (optind + 1 + options_skipped < count) {
          if (options_skipped > 0) move_argument((char **)arguments, optind + 1 + options_skipped, optind + 1);
          optind = optind + 1;
          optarg = arguments[optind];
        } else {
          optopt = letter;
          result = silent ? ':' : '?';
        }
      }
      last = 1;
    }
    if (last) {
      optind = optind + 1;
      option_at = 0;
    }
  }
  return result;
}

// The environment: a name has no value or any short text, and always the same.
enum { NAMES = 4 };
extern char environment_texts[NAMES][LENGTH];
extern _Bool has_value[NAMES];
static const char *environment_names[NAMES];
char *getenv(const char *name) {
  int at = 0;
  char *value = 0;
  __VERIFIER_atomic_begin();
  while (at < NAMES && environment_names[at] && strcmp(environment_names[at], name) != 0) at = at + 1;
  if (at == NAMES) __braid_unsupported("`getenv` of so many names");
  environment_names[at] = name;
  if (has_value[at]) {
    __VERIFIER_assume(environment_texts[at][LENGTH - 1] == 0);
    value = environment_texts[at];
  }
  __VERIFIER_atomic_end();
  return value;
}
