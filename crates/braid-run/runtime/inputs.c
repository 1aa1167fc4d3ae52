// Values that the program does not compute: `__VERIFIER_nondet_…`, random numbers, functions without a body, and choices
// of the library (who is woken, whether time is up).
//
// They are small numbers, numbers that the program compares something with, and extremes; each run has a style. What a
// run was given is written down, and is given again in a replay.

enum { WORDS = 512 };
struct dictionary_state {
  int64_t words[WORDS];
  int count;
};

static void learn(int64_t word) {
  if (!world || !world->running || (word >= -1 && word <= 2) || dictionary->count == WORDS) return;
  for (int i = 0; i < dictionary->count; i++)
    if (dictionary->words[i] == word) return;
  dictionary->words[dictionary->count++] = word;
}
// Comparisons. Only what is compared with a constant is learned.
#define COMPARISON(size, type)                                                                          \
  void __sanitizer_cov_trace_cmp##size(type a, type b) {}                                               \
  void __sanitizer_cov_trace_const_cmp##size(type a, type b) { learn((int64_t)(a)); }
COMPARISON(1, int8_t) COMPARISON(2, int16_t) COMPARISON(4, int32_t) COMPARISON(8, int64_t)
void __sanitizer_cov_trace_cmpf(float a, float b) {}
void __sanitizer_cov_trace_cmpd(double a, double b) {}
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {
  for (uint64_t i = 0; i < cases[0] && i < 32; i++) learn((int64_t)cases[2 + i]);
}

enum style { ZEROS, ONES, BITS, SMALL, LEARNED, MIXED, STYLES };

static int64_t invent(int style) {
  switch (style) {
    case ZEROS: return 0;
    case ONES: return 1;
    case BITS: return random_below(2);
    case SMALL: return (int64_t)random_below(9) - 2;
    case LEARNED:
      if (dictionary->count == 0) return random_below(4);
      return dictionary->words[random_below((uint64_t)dictionary->count)] + (int64_t)random_below(3) - 1;
    default:
      switch (random_below(8)) {
        case 0: return 0;
        case 1: return 1;
        case 2: return invent(SMALL);
        case 3: return random_below(100);
        case 4: return INT32_MAX - (int64_t)random_below(2);
        case 5: return INT32_MIN + (int64_t)random_below(2);
        case 6: return (int64_t)(random_bits() << 20 ^ random_bits());
        default: return invent(LEARNED);
      }
  }
}

static int64_t guided_input(const char *name, int64_t otherwise, void *pc);

static int64_t keep_input(const char *name, int64_t value, void *pc) {
  if (world->input_count >= INPUTS) end(ENDLESS, pc);
  if (world->given && world->input_count < world->given_count) value = world->given[world->input_count].value;
  world->inputs[world->input_count++] = (struct input){value, pc, name, (uint16_t)world->current};
  return value;
}

// A value for the program.
static int64_t input(const char *name, void *pc) {
  if (!world->running) return 0;
  int64_t value = invent(world->style);
  if (guide) value = guided_input(name, value, pc);
  value = keep_input(name, value, pc);
  advance_hash(mix((uint64_t)value + 17));
  note_step("input", (void *)(intptr_t)value, pc);
  return value;
}

// A choice of the library: by default the first.
static int64_t choose(const char *name, int count, void *pc) {
  if (!world->running || count < 2) return 0;
  int64_t value = 0;
  if (world->moody && world->spurious < 3 && random_below(4) == 0) value = random_below((uint64_t)count);
  if (count > 2 && world->schedule >= PRIORITIES) value = random_below((uint64_t)count);
  if (value) world->spurious++;
  value = keep_input(name, value, pc);
  if (value) advance_hash(mix((uint64_t)value + 29));
  return value;
}

#define NONDET(name, type) \
  WEAK type __VERIFIER_nondet_##name(void) { return (type)input("__VERIFIER_nondet_" #name, CALLER); }
NONDET(char, char) NONDET(schar, signed char) NONDET(uchar, unsigned char) NONDET(u8, uint8_t) NONDET(s8, int8_t)
NONDET(short, short) NONDET(ushort, unsigned short) NONDET(u16, uint16_t) NONDET(s16, int16_t)
NONDET(int, int) NONDET(uint, unsigned) NONDET(unsigned, unsigned) NONDET(unsigned_int, unsigned) NONDET(u32, uint32_t) NONDET(s32, int32_t)
NONDET(long, long) NONDET(ulong, unsigned long) NONDET(longlong, long long) NONDET(ulonglong, unsigned long long)
NONDET(u64, uint64_t) NONDET(s64, int64_t) NONDET(size_t, size_t) NONDET(loff_t, long) NONDET(sector_t, unsigned long)
NONDET(float, float) NONDET(double, double)
WEAK _Bool __VERIFIER_nondet_bool(void) { return input("__VERIFIER_nondet_bool", CALLER) & 1; }
WEAK _Bool __VERIFIER_nondet__Bool(void) { return input("__VERIFIER_nondet__Bool", CALLER) & 1; }
WEAK void *__VERIFIER_nondet_pointer(void) { return (void *)input("__VERIFIER_nondet_pointer", CALLER); }
WEAK void *__VERIFIER_nondet_charp(void) { return (void *)input("__VERIFIER_nondet_charp", CALLER); }

static int positive(const char *name, void *pc) {
  int64_t value = input(name, pc);
  return (int)(value & 0x7fffffff);
}
WEAK int rand(void) { return positive("rand", CALLER); }
WEAK int rand_r(unsigned *seed) { return positive("rand_r", CALLER); }
WEAK long random(void) { return positive("random", CALLER); }
WEAK void srand(unsigned seed) {}
WEAK void srandom(unsigned seed) {}
