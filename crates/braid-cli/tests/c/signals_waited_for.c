// expect: safe
// A thread waits for one of two signals, and tells the first one that the last of them has come.
// expect -D WRONG: unsafe
// The one that does not end it may come.
// expect -D HANDLER: unknown
// A handler could run.
// expect -D HANDLER -D WRONG: unsafe
// It need not.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
sigset_t mask;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int over;
void handle(int number) {}
void *watch(void *p) {
  for (;;) {
    int number;
    if (sigwait(&mask, &number) != 0) abort();
#ifdef WRONG
    assert(number == SIGQUIT);
#else
    assert(number == SIGINT || number == SIGQUIT);
#endif
    if (number == SIGQUIT) break;
  }
  pthread_mutex_lock(&m);
  over = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  sigset_t old;
  signal(SIGPIPE, SIG_IGN);
#ifdef HANDLER
  if (signal(SIGUSR1, handle) == SIG_ERR) assert(0);
#endif
  sigfillset(&mask);
  sigemptyset(&mask);
  sigaddset(&mask, SIGINT);
  sigaddset(&mask, SIGQUIT);
  if (pthread_sigmask(SIG_BLOCK, &mask, &old) != 0) assert(0);
  pthread_create(&t, 0, watch, 0);
  pthread_mutex_lock(&m);
  while (!over) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
