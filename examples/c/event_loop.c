// An event loop: one thread handles events, others post them. A connection is open until it is closed, and its events
// must be handled before.
//
// The bug: closing frees the connection at once, although data for it may still be in the queue. The correct loop
// handles `CLOSED` like any other event, so it comes last.
// expect: safe
// expect -D BUG: unsafe (valid-deref)
#include <pthread.h>
#include <stdlib.h>

enum event { DATA, CLOSED };

typedef struct {
  int received;
} connection;

static connection *peer;
static enum event queue[4];
static int posted, handled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void post(enum event e) {
  pthread_mutex_lock(&lock);
  queue[posted++] = e;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

static enum event next_event(void) {
  pthread_mutex_lock(&lock);
  while (handled == posted) pthread_cond_wait(&not_empty, &lock);
  enum event e = queue[handled++];
  pthread_mutex_unlock(&lock);
  return e;
}

static void *network(void *unused) {
  (void)unused;
  post(DATA);
  post(DATA);
#ifdef BUG
  pthread_mutex_lock(&lock);
  free(peer);
  peer = NULL;
  pthread_mutex_unlock(&lock);
#endif
  post(CLOSED);
  return NULL;
}

int main(void) {
  peer = calloc(1, sizeof *peer);
  pthread_t n;
  pthread_create(&n, NULL, network, NULL);
  while (next_event() != CLOSED) {
    pthread_mutex_lock(&lock);
    peer->received++;
    pthread_mutex_unlock(&lock);
  }
  pthread_join(n, NULL);
  free(peer);
  return 0;
}
