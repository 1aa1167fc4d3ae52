// What the compiler calls: before every access to memory that others may see, for atomic operations, where a number
// overflows, at the start of every block of code, and before comparisons.

// An access to some bytes is about to happen.
static void step_to(void *at, size_t size, int kind, void *pc) {
  if (!world || !world->running) return;
  check_access(at, size, pc);
  if (world->tls_size && !world->block_first && (size_t)((char *)at - world->tls) < world->tls_size) {  // nobody else's
    count_step(pc);
    return;
  }
  if (world->main_is_over && world->current && (char *)at >= world->threads[0].low && (char *)at < world->threads[0].high)
    invalid("use of a variable of main after its end", at, pc);
  uintptr_t first = (uintptr_t)at / 8, last = ((uintptr_t)at + size - 1) / 8;
  struct cell *cell = cell_at(first);
  world->kind = kind & WRITES ? 2 : 1;
  if (cell) point(cell, pc);
  world->kind = 0;
  struct thread *thread = self();
  if (kind & WRITES) {
    thread->reads = 0;
    world->progress++;
    if (thread->section_pointer) log_write(at, size);
  } else {
    if (world->restartable && !world->atomic) begin_attempt();  // what was learned in other runs must not matter
    thread->reads++;
  }
  if (in_heap(at) || world->watches_memory) check_access(at, size, pc);  // others may have freed it
  if (last - first > 64) last = first + 64;
  for (uintptr_t granule = first; granule <= last; granule++) {
    cell = cell_at(granule);
    if (!cell) return;
    unsigned from = granule == first ? (uintptr_t)at % 8 : 0;
    uintptr_t end_of = (uintptr_t)at + size - granule * 8;
    unsigned to = end_of < 8 ? (unsigned)end_of : 8;
    note_access(cell, (uint8_t)((1u << to) - (1u << from)), kind, pc);
  }
  if (world->recording) note_step(kind & ATOMIC ? "atomic" : kind & WRITES ? "write" : "read", at, pc);
}

void __tsan_init(void) {}
void __tsan_func_entry(void *pc) {}
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
void __tsan_read_range(void *at, size_t size) { if (size) step_to(at, size, READS, CALLER); }
void __tsan_write_range(void *at, size_t size) { if (size) step_to(at, size, WRITES, CALLER); }
#define ACCESS(size)                                                                  \
  void __tsan_read##size(void *at) { step_to(at, size, READS, CALLER); }              \
  void __tsan_write##size(void *at) { step_to(at, size, WRITES, CALLER); }            \
  void __tsan_unaligned_read##size(void *at) { step_to(at, size, READS, CALLER); }    \
  void __tsan_unaligned_write##size(void *at) { step_to(at, size, WRITES, CALLER); }  \
  void __tsan_volatile_read##size(void *at) { step_to(at, size, READS, CALLER); }     \
  void __tsan_volatile_write##size(void *at) { step_to(at, size, WRITES, CALLER); }   \
  void __tsan_read_write##size(void *at) { step_to(at, size, WRITES, CALLER); }       \
  void __tsan_unaligned_read_write##size(void *at) { step_to(at, size, WRITES, CALLER); }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)

// The same, where variables are watched.
#define WATCHED(size)                                                                     \
  void __asan_load##size##_noabort(void *at) { step_to(at, size, READS, CALLER); }        \
  void __asan_store##size##_noabort(void *at) { step_to(at, size, WRITES, CALLER); }      \
  void __asan_load##size(void *at) { step_to(at, size, READS, CALLER); }                  \
  void __asan_store##size(void *at) { step_to(at, size, WRITES, CALLER); }
WATCHED(1) WATCHED(2) WATCHED(4) WATCHED(8) WATCHED(16)
void __asan_loadN_noabort(void *at, size_t size) { if (size) step_to(at, size, READS, CALLER); }
void __asan_storeN_noabort(void *at, size_t size) { if (size) step_to(at, size, WRITES, CALLER); }
void __asan_loadN(void *at, size_t size) { if (size) step_to(at, size, READS, CALLER); }
void __asan_storeN(void *at, size_t size) { if (size) step_to(at, size, WRITES, CALLER); }

// Atomic operations: they order what happens before and after them.
static void atomic_step(void *at, size_t size, int kind, void *pc) {
  if (!world || !world->running) return;
  step_to(at, size, kind | ATOMIC, pc);
  if (!tracks()) return;
  struct object *object = find_object(at);
  acquire(object);
  if (kind & WRITES) release(object);
}
void __tsan_atomic_thread_fence(int order) {}
void __tsan_atomic_signal_fence(int order) {}
#define FETCH(bits, type, name, operation)                                            \
  type __tsan_atomic##bits##_fetch_##name(type *at, type value, int order) {          \
    atomic_step(at, sizeof(type), WRITES, CALLER);                                    \
    type old = *at;                                                                   \
    *at = (type)(operation);                                                          \
    return old;                                                                       \
  }
#define EXCHANGE(bits, type)                                                          \
  if (*at == *expected) {                                                             \
    *at = desired;                                                                    \
    return 1;                                                                         \
  }                                                                                   \
  *expected = *at;                                                                    \
  return 0;
#define ATOMICS(bits, type)                                                           \
  type __tsan_atomic##bits##_load(type *at, int order) {                              \
    atomic_step(at, sizeof(type), READS, CALLER);                                     \
    return *at;                                                                       \
  }                                                                                   \
  void __tsan_atomic##bits##_store(type *at, type value, int order) {                 \
    atomic_step(at, sizeof(type), WRITES, CALLER);                                    \
    *at = value;                                                                      \
  }                                                                                   \
  type __tsan_atomic##bits##_exchange(type *at, type value, int order) {              \
    atomic_step(at, sizeof(type), WRITES, CALLER);                                    \
    type old = *at;                                                                   \
    *at = value;                                                                      \
    return old;                                                                       \
  }                                                                                   \
  FETCH(bits, type, add, old + value)                                                 \
  FETCH(bits, type, sub, old - value)                                                 \
  FETCH(bits, type, and, old & value)                                                 \
  FETCH(bits, type, or, old | value)                                                  \
  FETCH(bits, type, xor, old ^ value)                                                 \
  FETCH(bits, type, nand, ~(old & value))                                             \
  int __tsan_atomic##bits##_compare_exchange_strong(type *at, type *expected, type desired, int o, int f) { \
    atomic_step(at, sizeof(type), WRITES, CALLER);                                    \
    EXCHANGE(bits, type)                                                              \
  }                                                                                   \
  int __tsan_atomic##bits##_compare_exchange_weak(type *at, type *expected, type desired, int o, int f) {   \
    atomic_step(at, sizeof(type), WRITES, CALLER);                                    \
    if (choose("-weak", 2, CALLER)) {                                                  \
      *expected = *at;                                                                \
      return 0;                                                                       \
    }                                                                                 \
    EXCHANGE(bits, type)                                                              \
  }                                                                                   \
  type __tsan_atomic##bits##_compare_exchange_val(type *at, type expected, type desired, int o, int f) {    \
    atomic_step(at, sizeof(type), WRITES, CALLER);                                    \
    type old = *at;                                                                   \
    if (old == expected) *at = desired;                                               \
    return old;                                                                       \
  }
ATOMICS(8, uint8_t) ATOMICS(16, uint16_t) ATOMICS(32, uint32_t) ATOMICS(64, uint64_t)
ATOMICS(128, unsigned __int128)

// Signed overflow. Without the property it is noted: what fails after it is no violation.
COLD static void overflow(const char *what, void *pc) {
  if (!world || !world->running) return;
  if (!world->overflowed) world->overflowed = 1, world->overflow_pc = pc;
  if (!world->check_overflow) return;
  say("%s", what);
  end(OVERFLOWED, pc);
}
#define HANDLER(name, what)                                                                   \
  void __ubsan_handle_##name(void *data, void *a, void *b) { overflow(what, CALLER); }        \
  void __ubsan_handle_##name##_abort(void *data, void *a, void *b) { overflow(what, CALLER); }
HANDLER(add_overflow, "+")
HANDLER(sub_overflow, "-")
HANDLER(mul_overflow, "*")
HANDLER(negate_overflow, "-")

// Operations without a meaning. Without the property it is noted, as for an overflow.
COLD static void undefined(const char *what, void *pc) {
  if (!world || !world->running) return;
  if (wants(UNDEFINED)) wrong(UNDEFINED, what, NULL, pc);
  if (!world->overflowed) world->overflowed = 1, world->overflow_pc = pc;
}
struct operands {
  const char *file;
  uint32_t line, column;
  struct operand { uint16_t kind, form; } *left, *right;
};
static int bits_of(struct operand *type) { return 1 << (type->form >> 1); }
static __int128 value_of(struct operand *type, uintptr_t value) {
  int bits = bits_of(type), is_signed = type->form & 1;
  if (bits > 64) return *(__int128 *)value;
  if (!is_signed) return value;
  return bits == 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}
static void division(struct operands *of, uintptr_t a, uintptr_t b, void *pc) {
  if (value_of(of->left, b) == 0) undefined("division by zero", pc);
  else overflow("/", pc);
}
static void shift(struct operands *of, uintptr_t a, uintptr_t b, void *pc) {
  __int128 by = value_of(of->right, b);
  if (by < 0 || by >= bits_of(of->left)) undefined("shift by a number of bits that there are not", pc);
  else overflow("<<", pc);
}
#define OPERATION(name, meaning)                                                                                   \
  void __ubsan_handle_##name(struct operands *of, uintptr_t a, uintptr_t b) { meaning(of, a, b, CALLER); }         \
  void __ubsan_handle_##name##_abort(struct operands *of, uintptr_t a, uintptr_t b) { meaning(of, a, b, CALLER); }
OPERATION(divrem_overflow, division)
OPERATION(shift_out_of_bounds, shift)
void __ubsan_handle_float_cast_overflow(void *data, uintptr_t from) { undefined("conversion to a type that does not hold the number", CALLER); }
void __ubsan_handle_float_cast_overflow_abort(void *data, uintptr_t from) { undefined("conversion to a type that does not hold the number", CALLER); }

static void index_is_outside(void *pc) {
  if (!world || !world->running) return;
  wrong(wants(UNDEFINED) ? UNDEFINED : INVALID, "index outside of an array", NULL, pc);
}
void __ubsan_handle_out_of_bounds(void *data, uintptr_t index) { index_is_outside(CALLER); }
void __ubsan_handle_out_of_bounds_abort(void *data, uintptr_t index) { index_is_outside(CALLER); }

// Blocks of code. A loop without accesses ends here. Where not all accesses are announced, another thread may go on before each
// block, and each block counts as an access to what all of them share.
static void block_point(void *pc) {
  if (world->count == 1) return;
  point(NULL, pc);
  advance_hash(world->blocks_hash * 11 + 3);
  world->blocks_hash = self()->hash;
}
enum { BLOCKS = 1 << 16 };
struct coverage_state {
  uintptr_t pcs[BLOCKS];
  uint32_t count;
};  // points out of what is put back

COLD static void cover(uintptr_t pc, uint32_t at) {
  for (int tries = 0; tries < 64; tries++, at = (at + 1) & (BLOCKS - 1)) {
    if (coverage->pcs[at] == pc) return;
    if (coverage->pcs[at]) continue;
    coverage->pcs[at] = pc;
    coverage->count++;
    return;
  }
}
void __sanitizer_cov_trace_pc(void) {
  if (!world || !world->running) return;
  uintptr_t pc = (uintptr_t)CALLER;
  uint32_t at = (uint32_t)(pc * 0x9e3779b1u >> 8) & (BLOCKS - 1);
  if (coverage->pcs[at] != pc) cover(pc, at);
  if (++world->blocks > world->limit * 4) end(ENDLESS, (void *)pc);
  if (is_coarse()) block_point((void *)pc);
}

// Functions with a meaning of their own, by name: found in the program's symbols, because they may be local to a file.
enum role { NO_ROLE, ERROR_ROLE, ATOMIC_ROLE, BEGIN_ROLE, END_ROLE, ASSUMPTION_ROLE };
enum { ROLES = 256 };
struct roles_state {
  uintptr_t functions[ROLES];
  uint8_t meanings[ROLES];
  int count, assuming;
};

static enum role role_of(const char *name) {
  if (!strcmp(name, "reach_error") || !strcmp(name, "__VERIFIER_error")) return ERROR_ROLE;
  if (!strcmp(name, "__VERIFIER_atomic_begin")) return BEGIN_ROLE;
  if (!strcmp(name, "__VERIFIER_atomic_end")) return END_ROLE;
  if (!strcmp(name, "assume_abort_if_not") || !strcmp(name, "__VERIFIER_assume")) return ASSUMPTION_ROLE;
  return strncmp(name, "__VERIFIER_atomic_", 18) == 0 ? ATOMIC_ROLE : NO_ROLE;
}
HOT enum role role_at(void *function) {
  if (!roles || !roles->count) return NO_ROLE;
  for (uintptr_t at = (uintptr_t)function / 16 % ROLES; roles->functions[at]; at = (at + 1) % ROLES)
    if (roles->functions[at] == (uintptr_t)function) return roles->meanings[at];
  return NO_ROLE;
}
void __cyg_profile_func_enter(void *function, void *caller) {
  called_from(caller, __builtin_frame_address(0));
  if (world && world->running && self()->frame < self()->deepest && self()->frame > self()->low) self()->deepest = self()->frame;
  switch (role_at(function)) {
    case ERROR_ROLE:
      if (!world->running) return;
      say("reach_error");
      end(FAILED, caller);
    case ATOMIC_ROLE:
    case BEGIN_ROLE: begin_section(caller); break;
    case ASSUMPTION_ROLE: roles->assuming = world->current + 1; break;
    default: break;
  }
}
void __cyg_profile_func_exit(void *function, void *caller) {
  switch (role_at(function)) {
    case ATOMIC_ROLE:
    case END_ROLE: end_section(); break;
    case ASSUMPTION_ROLE: roles->assuming = 0; break;
    default: break;
  }
}
