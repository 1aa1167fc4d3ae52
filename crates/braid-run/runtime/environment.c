// What comes from outside of the program: its arguments, standard input, the environment. All of it is input: small
// numbers, or what a guide or a schedule says.

enum { ARGUMENTS = 8 };
static char argument_texts[ARGUMENTS + 1][24];
static char *argument_list[ARGUMENTS + 2];

// Writes a number before a place; where it begins.
static char *decimal(char *end_of, int64_t value) {
  uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
  *end_of = 0;
  do *--end_of = (char)('0' + rest % 10), rest /= 10;
  while (rest);
  if (value < 0) *--end_of = '-';
  return end_of;
}

// The arguments of `main`: most runs have none.
static void choose_arguments(void) {
  int64_t count = world->moody && random_below(3) == 0 ? random_below(ARGUMENTS) : 0;
  if (guide) count = guided_count(count);
  count = keep_input("-argc", count, NULL);
  if (count < 0 || count > ARGUMENTS) count = ARGUMENTS;
  argument_list[0] = "program";
  for (int i = 1; i <= count; i++) {
    int64_t value = keep_input("-argv", invent(random_below(2) ? SMALL : LEARNED), NULL);
    argument_list[i] = decimal(argument_texts[i] + sizeof argument_texts[i] - 1, value);
  }
  argument_list[count + 1] = NULL;
  argument_count = (int)count + 1, argument_values = argument_list;
}

WEAK char *getenv(const char *name) {
  if (!world || !world->running || !in_program(CALLER)) return NULL;
  return input("getenv", CALLER) ? "1" : NULL;
}

// Standard input.
WEAK int getchar(void) {
  int64_t value = input("getchar", CALLER);
  return value < 0 ? EOF : (int)(value & 0xff);
}

static void store(void *to, int64_t value, int size) {
  switch (size) {
    case 1: *(int8_t *)to = (int8_t)value; break;
    case 2: *(int16_t *)to = (int16_t)value; break;
    case 4: *(int32_t *)to = (int32_t)value; break;
    default: *(int64_t *)to = value;
  }
}

// Reads one conversion of a format, from its `%` on; where it goes to is the next argument. Null at what is not known.
static const char *convert(const char *at, va_list arguments, void *pc) {
  int size = 4, skipped = 0, width = 8;
  if (*++at == '*') skipped = 1, at++;
  if (*at >= '0' && *at <= '9') width = (int)strtol(at, (char **)&at, 10);
  for (;; at++) {
    if (*at == 'h') size /= 2;
    else if (*at == 'l' || *at == 'z' || *at == 'j' || *at == 't') size = 8;
    else break;
  }
  int64_t value = input("scanf", pc);
  if (skipped) return at;
  if (strchr("diuxX", *at)) {
    void *to = va_arg(arguments, void *);
    step_to(to, (size_t)size, WRITES, pc);
    store(to, value, size);
  } else if (*at == 'f' || *at == 'g' || *at == 'e') {
    void *to = va_arg(arguments, void *);
    step_to(to, (size_t)size, WRITES, pc);
    if (size == 8) *(double *)to = (double)value;
    else *(float *)to = (float)value;
  } else if (*at == 'c' || *at == 's') {
    char *to = va_arg(arguments, char *);
    int length = *at == 'c' ? 1 : (int)(value & 7) < width ? (int)(value & 7) : width;
    step_to(to, (size_t)length + (*at == 's'), WRITES, pc);
    for (int i = 0; i < length; i++) to[i] = *at == 'c' ? (char)value : (char)('a' + (value >> i) % 26);
    if (*at == 's') to[length] = 0;
  } else {
    return NULL;
  }
  return at;
}
static int scan(const char *format, va_list arguments, void *pc) {
  int count = 0;
  for (const char *at = format; *at; at++) {
    if (*at != '%') continue;
    if (at[1] == '%') {
      at++;
      continue;
    }
    at = convert(at, arguments, pc);
    if (!at) break;
    count++;
  }
  return count;
}
#define SCANNER(name)                             \
  WEAK int name(const char *format, ...) {        \
    va_list arguments;                            \
    va_start(arguments, format);                  \
    int count = scan(format, arguments, CALLER);  \
    va_end(arguments);                            \
    return count;                                 \
  }
#undef scanf
SCANNER(__isoc99_scanf)
SCANNER(__isoc23_scanf)
int braid_scanf(const char *format, ...) __asm__("scanf");
SCANNER(braid_scanf)
