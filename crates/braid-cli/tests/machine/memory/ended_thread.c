// property: valid-deref
// says: use of a local variable of a thread that has ended
#include <pthread.h>
#include <stddef.h>

static int *mailbox;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *unused) {
  int message = 7;
  pthread_mutex_lock(&lock);
  mailbox = &message;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *receiver(void *unused) {
  pthread_mutex_lock(&lock);
  int *message = mailbox;
  pthread_mutex_unlock(&lock);
  if (message) *message = 8;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, sender, NULL);
  pthread_create(&b, NULL, receiver, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
