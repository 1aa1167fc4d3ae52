// property: unreach-call
// `strtod` of a hexadecimal number.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static double total;
static void *add(void *text) {
  double before = total;
  total = before + strtod(text, NULL);
  return NULL;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, add, "0x1p3");
  pthread_create(&other, NULL, add, "0x1.8p1");
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(total == 11);
  return 0;
}
