// property: unreach-call
// A total over any number of arguments.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
double total;
static void add(int count, ...) {
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; i++) total += va_arg(list, double);
  va_end(list);
}
void *one(void *unused) {
  add(2, 3.0, 4.0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  add(1, 10.0);
  pthread_join(t, 0);
  assert(total > 16.5);
}
