// expect: rejected: the size of a `va_list` is not supported
// A case that is not supported must not be left out.
#include <assert.h>
#include <stdarg.h>
int main(int argc, char **argv) {
  int y = 0;
  switch (argc) { case sizeof(va_list): y = 1; break; default: y = 2; }
  assert(y == 2);
}
