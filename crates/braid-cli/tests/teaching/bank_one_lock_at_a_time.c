// Transfers lock one account after the other, so that an audit can miss money that is on its way.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

#define ACCOUNTS 2

struct account {
  int number;
  int balance;
  pthread_mutex_t lock;
} accounts[ACCOUNTS];

void deposit(struct account *a, int amount) {
  Pthread_mutex_lock(&a->lock);
  a->balance += amount;
  Pthread_mutex_unlock(&a->lock);
}

void withdraw(struct account *a, int amount) { deposit(a, -amount); }

void *customer(void *arg) {
  withdraw(&accounts[0], 30);
  deposit(&accounts[1], 30);
  return NULL;
}

void *auditor(void *arg) {
  int i, sum = 0;
  for (i = 0; i < ACCOUNTS; i++)
    Pthread_mutex_lock(&accounts[i].lock);
  for (i = 0; i < ACCOUNTS; i++)
    sum += accounts[i].balance;
  for (i = 0; i < ACCOUNTS; i++)
    Pthread_mutex_unlock(&accounts[i].lock);
  printf("sum of all accounts: %d\n", sum);
  assert(sum == 200);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t c, a;
  for (int i = 0; i < ACCOUNTS; i++) {
    accounts[i].number = i;
    accounts[i].balance = 100;
    Pthread_mutex_init(&accounts[i].lock, NULL);
  }
  Pthread_create(&c, NULL, customer, NULL);
  Pthread_create(&a, NULL, auditor, NULL);
  Pthread_join(c, NULL);
  Pthread_join(a, NULL);
  return 0;
}
