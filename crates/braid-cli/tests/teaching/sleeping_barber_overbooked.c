// A barber shop in which customers look for a chair before they lock the door.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

#define CHAIRS 1
#define CUSTOMERS 3

int waiting = 0;
int turned_away = 0;
sem_t customers, barber_ready;
pthread_mutex_t shop = PTHREAD_MUTEX_INITIALIZER;

void *barber(void *arg) {
  for (;;) {
    Sem_wait(&customers);
    Pthread_mutex_lock(&shop);
    waiting--;
    Pthread_mutex_unlock(&shop);
    Sem_post(&barber_ready);
  }
  return NULL;
}

void *customer(void *arg) {
  if (waiting < CHAIRS) {
    Pthread_mutex_lock(&shop);
    waiting++;
    printf("customer %ld sits down\n", (long)arg);
    assert(waiting <= CHAIRS);
    Pthread_mutex_unlock(&shop);
    Sem_post(&customers);
    Sem_wait(&barber_ready);
  } else {
    Pthread_mutex_lock(&shop);
    turned_away++;
    Pthread_mutex_unlock(&shop);
  }
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t b, c[CUSTOMERS];
  Sem_init(&customers, 0, 0);
  Sem_init(&barber_ready, 0, 0);
  Pthread_create(&b, NULL, barber, NULL);
  for (long i = 0; i < CUSTOMERS; i++)
    Pthread_create(&c[i], NULL, customer, (void *)i);
  for (int i = 0; i < CUSTOMERS; i++)
    Pthread_join(c[i], NULL);
  printf("%d turned away\n", turned_away);
  return 0;
}
