// property: valid-deref
// How long to sleep is read.
#include <stdlib.h>
#include <time.h>
int main(void) {
  struct timespec *duration = malloc(sizeof *duration);
  duration->tv_sec = 0;
  duration->tv_nsec = 1;
#ifdef BUG
  free(duration);
  nanosleep(duration, 0);
#else
  nanosleep(duration, 0);
  free(duration);
#endif
  return 0;
}
