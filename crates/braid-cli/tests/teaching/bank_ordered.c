// Transfers between accounts take both locks, the one with the lower number first.
// expect: safe
#include "common.h"
#include "common_threads.h"

#define ACCOUNTS 2

typedef struct {
  int balance;
  pthread_mutex_t lock;
} account_t;

typedef struct {
  int from, to, amount;
} transfer_t;

account_t accounts[ACCOUNTS];

int transfer(int from, int to, int amount) {
  int ok = 0;
  int first = from < to ? from : to;
  int second = from < to ? to : from;
  Pthread_mutex_lock(&accounts[first].lock);
  Pthread_mutex_lock(&accounts[second].lock);
  if (accounts[from].balance >= amount) {
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    ok = 1;
  }
  Pthread_mutex_unlock(&accounts[second].lock);
  Pthread_mutex_unlock(&accounts[first].lock);
  return ok;
}

void *customer(void *arg) {
  transfer_t *t = arg;
  if (!transfer(t->from, t->to, t->amount))
    printf("account %d has not enough money for %d\n", t->from, t->amount);
  return NULL;
}

void *auditor(void *arg) {
  int i, sum = 0;
  for (i = 0; i < ACCOUNTS; i++)
    Pthread_mutex_lock(&accounts[i].lock);
  for (i = 0; i < ACCOUNTS; i++) {
    assert(accounts[i].balance >= 0);
    sum += accounts[i].balance;
  }
  for (i = 0; i < ACCOUNTS; i++)
    Pthread_mutex_unlock(&accounts[i].lock);
  assert(sum == 100 * ACCOUNTS);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[3];
  transfer_t work[2] = {{0, 1, 60}, {1, 0, 150}};
  for (int i = 0; i < ACCOUNTS; i++) {
    accounts[i].balance = 100;
    Pthread_mutex_init(&accounts[i].lock, NULL);
  }
  Pthread_create(&t[0], NULL, customer, &work[0]);
  Pthread_create(&t[1], NULL, customer, &work[1]);
  Pthread_create(&t[2], NULL, auditor, NULL);
  for (int i = 0; i < 3; i++)
    Pthread_join(t[i], NULL);
  return 0;
}
