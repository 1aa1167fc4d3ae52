// Accounts with a lock each. A transfer needs both locks.
//
// The bug: the locks are taken in the order in which the accounts are named. Two transfers in opposite directions wait for
// each other. The correct transfer always takes the account with the smaller number first.
// expect: safe
// expect -D BUG: unsafe (no-deadlock)
#include <assert.h>
#include <pthread.h>

typedef struct {
  pthread_mutex_t lock;
  int balance;
} account;

static account accounts[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 100},
    {PTHREAD_MUTEX_INITIALIZER, 100},
};

static void transfer(int from, int to, int amount) {
#ifdef BUG
  int first = from, second = to;
#else
  int first = from < to ? from : to, second = from < to ? to : from;
#endif
  pthread_mutex_lock(&accounts[first].lock);
  pthread_mutex_lock(&accounts[second].lock);
  accounts[from].balance -= amount;
  accounts[to].balance += amount;
  pthread_mutex_unlock(&accounts[second].lock);
  pthread_mutex_unlock(&accounts[first].lock);
}

static void *alice(void *unused) {
  (void)unused;
  transfer(0, 1, 30);
  return NULL;
}

static void *bob(void *unused) {
  (void)unused;
  transfer(1, 0, 20);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, alice, NULL);
  pthread_create(&b, NULL, bob, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(accounts[0].balance == 90 && accounts[1].balance == 110);
  return 0;
}
