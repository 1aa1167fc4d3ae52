// expect: unknown (`register_handler` has no body, and could call `handler`
// A function that is not known may call what it is given, now or later.
#include <assert.h>

extern void register_handler(void (**place)(void));

int handled;

void handler(void) { handled = 1; }

void (*table[1])(void) = {handler};

int main(void) {
  register_handler(table);
  assert(!handled);
  return 0;
}
