// A ticket lock: first come, first served. A thread draws a ticket and waits until it is served.
//
// The bug: the ticket is drawn in two steps, so that two threads can hold the same one.
// expect: safe
// expect -D BUG: unsafe (unreach-call, no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
  atomic_uint next;    // the next ticket to be drawn
  atomic_uint serving; // whose turn it is
} ticket_lock;

static void ticket_acquire(ticket_lock *lock) {
#ifdef BUG
  unsigned mine = atomic_load(&lock->next);
  atomic_store(&lock->next, mine + 1);
#else
  unsigned mine = atomic_fetch_add(&lock->next, 1);
#endif
  while (atomic_load(&lock->serving) != mine) {
  }
}

static void ticket_release(ticket_lock *lock) {
  atomic_fetch_add(&lock->serving, 1);
}

static ticket_lock lock;
static int balance;

static void *depositor(void *unused) {
  (void)unused;
  ticket_acquire(&lock);
  balance += 10;
  ticket_release(&lock);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, depositor, NULL);
  pthread_create(&second, NULL, depositor, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(balance == 20);
  return 0;
}
