// Signals: sets of them, masks, and waiting for one that comes from outside. No handler runs: what follows when one is set goes on without, and
// that one could run is not supported.

// A set is a list: first whether it is of those signals that are in it (0), or of those that are not (1), then their numbers. Of a set of too many
// to list nothing is known (2).
enum { SIGNALS = 64, LISTED = 6, NOT_LISTED = 1, TOO_MANY = 2 };
static int signal_error(void) {
  if (__braid_calls(__errno_location)) errno_value = EINVAL;
  return -1;
}
static _Bool is_signal(int number) { return number >= 1 && number <= SIGNALS; }
// Two cannot be caught, and glibc keeps two for itself.
static _Bool has_handler(int number) { return is_signal(number) && number != 9 && number != 19; }
static int listed(__auto_type set, int number) {
  int n = 1;
  while (n <= LISTED && set->__val[n] != (unsigned long)number) n = n + 1;
  return n;
}
static _Bool has_signal(__auto_type set, int number) {
  if (set->__val[0] == TOO_MANY) return __VERIFIER_nondet_bool();
  return (listed(set, number) <= LISTED) != (set->__val[0] == NOT_LISTED);
}
static int put_signal(__auto_type set, int number, _Bool wanted) {
  if (!is_signal(number)) return signal_error();
  if (has_signal(set, number) != wanted) {
    _Bool more = wanted != (set->__val[0] == NOT_LISTED);
    int n = listed(set, more ? 0 : number);
    if (n <= LISTED) set->__val[n] = more ? (unsigned long)number : 0;
    else {
      __braid_inexact("a set of so many signals");
      set->__val[0] = TOO_MANY;
    }
  }
  return 0;
}
static int clear_signals(__auto_type set, unsigned long kind) {
  set->__val[0] = kind;
  for (int n = 1; n <= LISTED; n = n + 1) set->__val[n] = 0;
  return 0;
}
int sigemptyset(__auto_type set) { return clear_signals(set, 0); }
int sigfillset(__auto_type set) { return clear_signals(set, NOT_LISTED); }
int sigaddset(__auto_type set, int number) { return put_signal(set, number, 1); }
int sigdelset(__auto_type set, int number) { return put_signal(set, number, 0); }
int sigismember(__auto_type set, int number) { return is_signal(number) ? has_signal(set, number) : signal_error(); }

// Masks keep signals away, and there are none but those that are waited for. The first mask is anything; what becomes of it is not followed.
static _Bool masks_are_set;
static int set_mask(int how, const void *set, __auto_type old) {
  if (set && (how < 0 || how > 2)) return EINVAL;
  __VERIFIER_atomic_begin();
  _Bool was_set = masks_are_set;
  if (set) masks_are_set = 1;
  __VERIFIER_atomic_end();
  if (old) {
    if (was_set) __braid_inexact("a mask that the program has set");
    __typeof__(*old) any;
    *old = any;
  }
  return 0;
}
int pthread_sigmask(int how, const void *set, __auto_type old) { return set_mask(how, set, old); }
int sigprocmask(int how, const void *set, __auto_type old) { return set_mask(how, set, old) ? signal_error() : 0; }

// One of the set comes from outside.
static int next_signal(__auto_type set) {
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(has_handler(number) && number != 32 && number != 33 && has_signal(set, number));
  return number;
}
int sigwait(__auto_type set, int *to) {
  *to = next_signal(set);
  return 0;
}
int sigwaitinfo(__auto_type set, __auto_type about) {
  int number = next_signal(set);
  if (about) {
    __typeof__(*about) any;
    *about = any;
    about->si_signo = number;
  }
  return number;
}
int sigtimedwait(__auto_type set, __auto_type about, __auto_type time) {
  if (__VERIFIER_nondet_bool()) {
    if (__braid_calls(__errno_location)) errno_value = EAGAIN;
    return -1;
  }
  return sigwaitinfo(set, about);
}
// To wait for a handler that does not run.
int pause(void) {
  __VERIFIER_assume(0);
  return -1;
}
int sigsuspend(__auto_type set) {
  __VERIFIER_assume(0);
  return -1;
}

// Nobody runs a handler here: 0 is what a signal does by itself, 1 ignores it.
static void *signal_handlers[SIGNALS + 1];
static _Bool actions_are_set;
static void *set_handler(int number, void *handler) {
  if (handler != (void *)0 && handler != (void *)1 && __VERIFIER_nondet_bool()) __braid_unsupported("a signal that has a handler");
  __VERIFIER_atomic_begin();
  void *before = signal_handlers[number];
  signal_handlers[number] = handler;
  __VERIFIER_atomic_end();
  return before;
}
void *signal(int number, void *handler) {
  if (!has_handler(number)) {
    signal_error();
    return (void *)-1;
  }
  return set_handler(number, handler);
}
int sigaction(int number, __auto_type action, __auto_type old) {
  if (!is_signal(number) || (action && !has_handler(number))) return signal_error();
  __VERIFIER_atomic_begin();
  void *before = signal_handlers[number];
  _Bool was_set = actions_are_set;
  if (action) actions_are_set = 1;
  __VERIFIER_atomic_end();
  if (action) before = set_handler(number, (void *)action->__sigaction_handler.sa_handler);
  if (old) {
    if (was_set) __braid_inexact("what `sigaction` was told before");
    __typeof__(*old) any;
    *old = any;
    old->__sigaction_handler.sa_handler = before;
  }
  return 0;
}
