// expect: safe
// What the program does not use may have any attribute.
#include "model.h"

int x __attribute__((strange));
typedef int four __attribute__((vector_size(16)));
int f(void) __attribute__((weak));

int main() {}
