// property: unreach-call
// A message in a buffer of bytes, read in other pieces than it was written.
#include <assert.h>
#include <pthread.h>
#include <string.h>
unsigned char wire[8];
struct message { short kind, size; float weight; };
void *sender(void *unused) {
  struct message m = {1, 8, 2.5f};
  memcpy(wire, &m, 4);
  memcpy(wire + 4, (char *)&m + 4, 4);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sender, 0);
  struct message *m = (struct message *)wire;
  if (m->kind == 1) assert(m->weight > 2);
  pthread_join(t, 0);
}
