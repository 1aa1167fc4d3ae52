// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
void hello(void) {}
void (*handler)(void);
int main(void) {
  if (rand()) handler = hello;
#ifdef BUG
  handler();
#else
  if (handler) handler();
#endif
}
