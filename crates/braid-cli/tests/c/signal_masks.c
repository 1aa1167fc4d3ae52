// expect: safe
// expect -D WRONG: unsafe
// What becomes of a mask is not followed: nothing is claimed of it, either way.
// expect -D MASK: unknown
#include <assert.h>
#include <pthread.h>
#include <signal.h>
int main(void) {
  struct sigaction ignore = {0}, before;
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  sigset_t set, now;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
#ifdef WRONG
  assert(signal(SIGPIPE, SIG_DFL) == SIG_DFL);
#else
  assert(signal(SIGPIPE, SIG_DFL) == SIG_IGN);
#endif
#ifdef MASK
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  assert(sigismember(&now, SIGINT));
#endif
  return 0;
}
