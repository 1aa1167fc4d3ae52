// What runs when the program ends, by `exit` or by the end of `main`: the last function first.
enum { HANDLERS = 64 };
static void (*handlers[HANDLERS])(void);
static int handler_count;
int atexit(void (*handler)(void)) {
  __VERIFIER_atomic_begin();
  int own = handler_count;
  if (own < HANDLERS) {
    handlers[own] = handler;
    handler_count = own + 1;
  }
  __VERIFIER_atomic_end();
  if (own >= HANDLERS) __braid_unsupported("`atexit` with so many functions");
  return 0;
}
// A function that runs may ask for another one, which runs next.
void __program_ends(void) {
  while (handler_count > 0) {
    handler_count = handler_count - 1;
    handlers[handler_count]();
  }
}
