// A lock of the company's own.
struct my_lock { int held; };
void my_acquire(struct my_lock *l) { __VERIFIER_atomic_begin(); __VERIFIER_assume(l->held == 0); l->held = 1; __VERIFIER_atomic_end(); }
void my_release(struct my_lock *l) { __VERIFIER_atomic_begin(); l->held = 0; __VERIFIER_atomic_end(); }
