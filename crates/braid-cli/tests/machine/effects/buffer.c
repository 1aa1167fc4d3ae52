// A buffer of characters, handed over from its middle on.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

size_t receive(char *buffer, size_t size);
char line[48];

void *reader(void *unused) {
  receive(line + 8, 40);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  pthread_join(t, 0);
  assert(!(line[9] == 'o' && line[10] == 'k' && line[40] == 0));
}
