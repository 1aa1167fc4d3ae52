// property: no-data-race
// The list of arguments is handed over by its address.
#include <pthread.h>
#include <stdarg.h>

int total;

int take(va_list *arguments) { return va_arg(*arguments, int); }

void add(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  for (int i = 0; i < count; i++) total += take(&arguments);
  va_end(arguments);
}

void *worker(void *unused) {
  add(2, 3, 4);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  add(1, 5);
  pthread_join(t, 0);
}
