// More of files and directories: what is asked of them has any answer, names are any text.

int feof(void *file) { must_be_open(file); return __VERIFIER_nondet_bool(); }
int ferror(void *file) { must_be_open(file); return __VERIFIER_nondet_bool(); }
static long any_position(void) {
  long position = __VERIFIER_nondet_long();
  __VERIFIER_assume(position >= -1);
  return position;
}
long ftell(void *file) { must_be_open(file); return any_position(); }
long lseek(int file, long offset, int origin) { return any_position(); }
int fileno(void *file) {
  must_be_open(file);
  if (file == stdin) return 0;
  if (file == stdout) return 1;
  if (file == stderr) return 2;
  int number = descriptor();
  __VERIFIER_assume(number >= 0);
  return number;
}
int isatty(int file) { return __VERIFIER_nondet_bool(); }
int getc_unlocked(void *file) { return getc(file); }
int getchar_unlocked(void) { return any_char(); }
int putc_unlocked(int c, void *file) { return putc(c, file); }
int putchar_unlocked(int c) { return putchar(c); }
int fputs_unlocked(const char *s, void *file) { return fputs(s, file); }
int ungetc(int c, void *file) {
  __braid_inexact("input that was given back");
  return c == -1 || __VERIFIER_nondet_bool() ? -1 : (unsigned char)c;
}
void *fdopen(int file, const char *mode) { return opened(mode); }
void *freopen(const char *name, const char *mode, void *file) {
  note_output(mode[0] != 'r' || mode[1] == '+' || (mode[1] && mode[2] == '+'));
  return __VERIFIER_nondet_bool() ? file : (void *)0;
}
void *tmpfile(void) { return opened("w+"); }
void *popen(const char *command, const char *mode) { return opened("r"); }
int pclose(void *file) { close_file(file); return __VERIFIER_nondet_int(); }

// The line is in a block that grows as it must, and that the program frees, also after the end of the input.
long getline(char **line, unsigned long *room, void *file) {
  must_be_open(file);
  note_input(file != stdin);
  if (*line == 0 || *room == 0) {
    if (*line) free(*line);
    *line = malloc(120);
    *room = 120;
  }
  long length = __VERIFIER_nondet_long();
  __VERIFIER_assume(length == -1 || (length > 0 && length < 1 << 30));
  if (length > 0) {
    unsigned long needed = (unsigned long)length + 1;
    if (needed > *room) {
      free(*line);
      *room = needed < 2 * *room ? 2 * *room : needed;
      *line = malloc(*room);
    }
    char *to = *line;
    for (long n = 0; n < length; n = n + 1) {
      char c = __VERIFIER_nondet_char();
      __VERIFIER_assume(n == length - 1 || c != '\n');
      to[n] = c;
    }
    to[length] = 0;
  }
  return length;
}

char *getcwd(char *to, unsigned long size) {
  if (!to) __braid_unsupported("`getcwd` without a place for the name");
  _Bool failed = __VERIFIER_nondet_bool();
  if (!failed) any_text(to, size, 4095);
  return failed ? (char *)0 : to;
}
static _Thread_local char file_name[256];
static char *any_name(void) { return __VERIFIER_nondet_bool() ? any_text(file_name, 256, 255) : (char *)0; }
char *ttyname(int file) { return any_name(); }
char *getlogin(void) { return any_name(); }
