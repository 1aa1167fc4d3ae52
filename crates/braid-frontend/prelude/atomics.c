// Atomic operations. All are sequentially consistent, whatever order they ask for. Types are those of the arguments. A weak comparison may
// fail though the values are the same.

void __atomic_thread_fence(int order) {}
void __atomic_signal_fence(int order) {}
void __sync_synchronize(void) {}
void __c11_atomic_thread_fence(int order) {}
void __c11_atomic_signal_fence(int order) {}
// What fits into a register is lock-free; of twice that, it depends on the machine.
static _Bool fits_register(unsigned long size) { return size == 1 || size == 2 || size == 4 || size == 8; }
_Bool __atomic_always_lock_free(unsigned long size, const volatile void *p) { return fits_register(size); }
_Bool __atomic_is_lock_free(unsigned long size, const volatile void *p) { return fits_register(size) || (size == 16 && __VERIFIER_nondet_bool()); }
_Bool __c11_atomic_is_lock_free(unsigned long size) { return __atomic_is_lock_free(size, 0); }

static __auto_type load(__auto_type p) {
  __VERIFIER_atomic_begin();
  __auto_type value = *p;
  __VERIFIER_atomic_end();
  return value;
}
static void store(__auto_type p, __auto_type value) {
  __VERIFIER_atomic_begin();
  *p = value;
  __VERIFIER_atomic_end();
}
static __auto_type exchange(__auto_type p, __auto_type value) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  *p = value;
  __VERIFIER_atomic_end();
  return old;
}
static _Bool compare_exchange(__auto_type p, __auto_type expected, __auto_type desired, _Bool weak) {
  __typeof__(*p) wanted = *expected;
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  // Of floats, bits are compared.
  _Bool same = _Generic(old, float: __braid_same(old, wanted), double: __braid_same(old, wanted), default: old == wanted) && !(weak && __VERIFIER_nondet_bool());
  if (same) *p = desired;
  __VERIFIER_atomic_end();
  if (!same) *expected = old;
  return same;
}
static __auto_type compare_and_swap(__auto_type p, __auto_type wanted, __auto_type desired) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  if (old == (__typeof__(*p))wanted) *p = desired;
  __VERIFIER_atomic_end();
  return old;
}

__auto_type __atomic_load_n(__auto_type p, int order) { return load(p); }
void __atomic_load(__auto_type p, __auto_type to, int order) { *to = load(p); }
void __atomic_store_n(__auto_type p, __auto_type value, int order) { store(p, value); }
void __atomic_store(__auto_type p, __auto_type from, int order) { store(p, *from); }
__auto_type __atomic_exchange_n(__auto_type p, __auto_type value, int order) { return exchange(p, value); }
void __atomic_exchange(__auto_type p, __auto_type from, __auto_type to, int order) { *to = exchange(p, *from); }
_Bool __atomic_compare_exchange_n(__auto_type p, __auto_type expected, __auto_type desired, _Bool weak, int success, int failure) {
  return compare_exchange(p, expected, desired, weak);
}
_Bool __atomic_compare_exchange(__auto_type p, __auto_type expected, __auto_type desired, _Bool weak, int success, int failure) {
  return compare_exchange(p, expected, *desired, weak);
}
_Bool __atomic_test_and_set(volatile _Bool *p, int order) { return exchange(p, 1); }
void __atomic_clear(volatile _Bool *p, int order) { store(p, 0); }
_Bool atomic_flag_test_and_set(volatile _Bool *p) { return exchange(p, 1); }
_Bool atomic_flag_test_and_set_explicit(volatile _Bool *p, int order) { return exchange(p, 1); }
void atomic_flag_clear(volatile _Bool *p) { store(p, 0); }
void atomic_flag_clear_explicit(volatile _Bool *p, int order) { store(p, 0); }
void atomic_thread_fence(int order) {}
void atomic_signal_fence(int order) {}

__auto_type __c11_atomic_load(__auto_type p, int order) { return load(p); }
void __c11_atomic_init(__auto_type p, __auto_type value) { *p = value; }
void __c11_atomic_store(__auto_type p, __auto_type value, int order) { store(p, value); }
__auto_type __c11_atomic_exchange(__auto_type p, __auto_type value, int order) { return exchange(p, value); }
_Bool __c11_atomic_compare_exchange_strong(__auto_type p, __auto_type expected, __auto_type desired, int success, int failure) {
  return compare_exchange(p, expected, desired, 0);
}
_Bool __c11_atomic_compare_exchange_weak(__auto_type p, __auto_type expected, __auto_type desired, int success, int failure) {
  return compare_exchange(p, expected, desired, 1);
}

_Bool __sync_bool_compare_and_swap(__auto_type p, __auto_type wanted, __auto_type desired) {
  __auto_type old = compare_and_swap(p, wanted, desired);
  return old == (__typeof__(*p))wanted;
}
__auto_type __sync_val_compare_and_swap(__auto_type p, __auto_type wanted, __auto_type desired) {
  return compare_and_swap(p, wanted, desired);
}
__auto_type __sync_lock_test_and_set(__auto_type p, __auto_type value) { return exchange(p, value); }
void __sync_lock_release(__auto_type p) { store(p, 0); }

// Arithmetic wraps around, also on signed types, and moves pointers by bytes.
static __auto_type fetch_add(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  *p = __braid_add(old, by);
  __VERIFIER_atomic_end();
  return old;
}
static __auto_type add_fetch(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  __typeof__(old) new = __braid_add(old, by);
  *p = new;
  __VERIFIER_atomic_end();
  return new;
}
static __auto_type fetch_sub(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  *p = __braid_subtract(old, by);
  __VERIFIER_atomic_end();
  return old;
}
static __auto_type sub_fetch(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  __typeof__(old) new = __braid_subtract(old, by);
  *p = new;
  __VERIFIER_atomic_end();
  return new;
}
static __auto_type fetch_and(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  *p = old & (__typeof__(*p))by;
  __VERIFIER_atomic_end();
  return old;
}
static __auto_type and_fetch(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  __typeof__(old) new = old & (__typeof__(*p))by;
  *p = new;
  __VERIFIER_atomic_end();
  return new;
}
static __auto_type fetch_or(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  *p = old | (__typeof__(*p))by;
  __VERIFIER_atomic_end();
  return old;
}
static __auto_type or_fetch(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  __typeof__(old) new = old | (__typeof__(*p))by;
  *p = new;
  __VERIFIER_atomic_end();
  return new;
}
static __auto_type fetch_xor(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  *p = old ^ (__typeof__(*p))by;
  __VERIFIER_atomic_end();
  return old;
}
static __auto_type xor_fetch(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  __typeof__(old) new = old ^ (__typeof__(*p))by;
  *p = new;
  __VERIFIER_atomic_end();
  return new;
}
static __auto_type fetch_nand(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  *p = ~(old & (__typeof__(*p))by);
  __VERIFIER_atomic_end();
  return old;
}
static __auto_type nand_fetch(__auto_type p, __auto_type by) {
  __VERIFIER_atomic_begin();
  __auto_type old = *p;
  __typeof__(old) new = ~(old & (__typeof__(*p))by);
  *p = new;
  __VERIFIER_atomic_end();
  return new;
}

__auto_type __atomic_fetch_add(__auto_type p, __auto_type by, int order) { return fetch_add(p, by); }
__auto_type __atomic_add_fetch(__auto_type p, __auto_type by, int order) { return add_fetch(p, by); }
__auto_type __c11_atomic_fetch_add(__auto_type p, __auto_type by, int order) { return fetch_add(p, by); }
__auto_type __sync_fetch_and_add(__auto_type p, __auto_type by) { return fetch_add(p, by); }
__auto_type __sync_add_and_fetch(__auto_type p, __auto_type by) { return add_fetch(p, by); }
__auto_type __atomic_fetch_sub(__auto_type p, __auto_type by, int order) { return fetch_sub(p, by); }
__auto_type __atomic_sub_fetch(__auto_type p, __auto_type by, int order) { return sub_fetch(p, by); }
__auto_type __c11_atomic_fetch_sub(__auto_type p, __auto_type by, int order) { return fetch_sub(p, by); }
__auto_type __sync_fetch_and_sub(__auto_type p, __auto_type by) { return fetch_sub(p, by); }
__auto_type __sync_sub_and_fetch(__auto_type p, __auto_type by) { return sub_fetch(p, by); }
__auto_type __atomic_fetch_and(__auto_type p, __auto_type by, int order) { return fetch_and(p, by); }
__auto_type __atomic_and_fetch(__auto_type p, __auto_type by, int order) { return and_fetch(p, by); }
__auto_type __c11_atomic_fetch_and(__auto_type p, __auto_type by, int order) { return fetch_and(p, by); }
__auto_type __sync_fetch_and_and(__auto_type p, __auto_type by) { return fetch_and(p, by); }
__auto_type __sync_and_and_fetch(__auto_type p, __auto_type by) { return and_fetch(p, by); }
__auto_type __atomic_fetch_or(__auto_type p, __auto_type by, int order) { return fetch_or(p, by); }
__auto_type __atomic_or_fetch(__auto_type p, __auto_type by, int order) { return or_fetch(p, by); }
__auto_type __c11_atomic_fetch_or(__auto_type p, __auto_type by, int order) { return fetch_or(p, by); }
__auto_type __sync_fetch_and_or(__auto_type p, __auto_type by) { return fetch_or(p, by); }
__auto_type __sync_or_and_fetch(__auto_type p, __auto_type by) { return or_fetch(p, by); }
__auto_type __atomic_fetch_xor(__auto_type p, __auto_type by, int order) { return fetch_xor(p, by); }
__auto_type __atomic_xor_fetch(__auto_type p, __auto_type by, int order) { return xor_fetch(p, by); }
__auto_type __c11_atomic_fetch_xor(__auto_type p, __auto_type by, int order) { return fetch_xor(p, by); }
__auto_type __sync_fetch_and_xor(__auto_type p, __auto_type by) { return fetch_xor(p, by); }
__auto_type __sync_xor_and_fetch(__auto_type p, __auto_type by) { return xor_fetch(p, by); }
__auto_type __atomic_fetch_nand(__auto_type p, __auto_type by, int order) { return fetch_nand(p, by); }
__auto_type __atomic_nand_fetch(__auto_type p, __auto_type by, int order) { return nand_fetch(p, by); }
__auto_type __c11_atomic_fetch_nand(__auto_type p, __auto_type by, int order) { return fetch_nand(p, by); }
__auto_type __sync_fetch_and_nand(__auto_type p, __auto_type by) { return fetch_nand(p, by); }
__auto_type __sync_nand_and_fetch(__auto_type p, __auto_type by) { return nand_fetch(p, by); }

// What a lock does that spins in assembler.
void __spin_exchange(__auto_type at, int number) {
  while (__atomic_exchange_n(at, number, 5)) {
  }
}
