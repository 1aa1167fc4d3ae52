// property: unreach-call
// Functions inside of a function are threads, and use its variables.
#include <assert.h>
#include <pthread.h>

int balance = 10;

int main(void) {
  int bonus = 1;
  pthread_t t, u;
  void *deposit(void *amount) {
    balance += (int)(long)amount + bonus;
    return 0;
  }
  pthread_create(&t, 0, deposit, (void *)5);
  pthread_create(&u, 0, deposit, (void *)7);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(balance == 24);
}
