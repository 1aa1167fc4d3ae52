// property: valid-deref
// A place by name, read with a type that is larger than its object.
#include <stdint.h>
char bytes[6];
int64_t wide;
int main(void) {
#ifdef BUG
  wide = *(int64_t *)&bytes;
#else
  wide = *(int32_t *)&bytes;
#endif
  return 0;
}
