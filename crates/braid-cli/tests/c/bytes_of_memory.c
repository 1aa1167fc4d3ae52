// expect: safe
// Memory that is only ever accessed as bytes, whatever pointers to it are called.
#include <assert.h>
#include <stdlib.h>

extern char __VERIFIER_nondet_char(void);

struct device {
  int number;
  long registers[4];
};

void *any_memory(unsigned size) {
  char *memory = malloc(size);
  for (unsigned at = 0; at < size; at++) memory[at] = __VERIFIER_nondet_char();
  return memory;
}

struct device *first, *second;

int main(void) {
  first = (struct device *)any_memory(sizeof(struct device));
  second = (struct device *)any_memory(2);
  assert(first != second);
  assert((void *)&first->registers != first);
  return 0;
}
