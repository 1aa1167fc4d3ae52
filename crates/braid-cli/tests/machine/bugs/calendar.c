// property: unreach-call
// gmtime gives every thread the same record.
#include <assert.h>
#include <pthread.h>
#include <time.h>
void *day(void *seconds) {
  time_t at = (time_t)(long)seconds;
  struct tm *when = gmtime(&at);
  return (void *)(long)when->tm_mday;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, day, (void *)(5L * 86400));
  long here = (long)day((void *)0L);
  pthread_join(t, 0);
  assert(here == 1);
}
