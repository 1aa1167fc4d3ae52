// The sleeping barber: customers who find no free chair leave. Usage: barber <customers> <chairs>
// expect: safe
// options: --args "barber 3 1"
#include <unistd.h>
#include "common.h"
#include "common_threads.h"

int chairs;
int waiting = 0;
int served = 0;
int left = 0;
int closing = 0;

sem_t customers;
sem_t barber_ready;
pthread_mutex_t shop = PTHREAD_MUTEX_INITIALIZER;

void *barber(void *arg) {
  while (1) {
    Sem_wait(&customers);
    Pthread_mutex_lock(&shop);
    if (closing) {
      Pthread_mutex_unlock(&shop);
      break;
    }
    waiting--;
    assert(waiting >= 0);
    served++;
    Sem_post(&barber_ready);
    Pthread_mutex_unlock(&shop);
    usleep(100);
  }
  return NULL;
}

void *customer(void *arg) {
  Pthread_mutex_lock(&shop);
  if (waiting == chairs) {
    left++;
    Pthread_mutex_unlock(&shop);
    return NULL;
  }
  waiting++;
  assert(waiting <= chairs);
  Sem_post(&customers);
  Pthread_mutex_unlock(&shop);
  Sem_wait(&barber_ready);
  return NULL;
}

int main(int argc, char *argv[]) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s customers chairs\n", argv[0]);
    exit(1);
  }
  int i, n = atoi(argv[1]);
  chairs = atoi(argv[2]);
  pthread_t b, *c = Malloc(n * sizeof(pthread_t));
  Sem_init(&customers, 0, 0);
  Sem_init(&barber_ready, 0, 0);
  Pthread_create(&b, NULL, barber, NULL);
  for (i = 0; i < n; i++)
    Pthread_create(&c[i], NULL, customer, NULL);
  for (i = 0; i < n; i++)
    Pthread_join(c[i], NULL);
  Pthread_mutex_lock(&shop);
  closing = 1;
  Pthread_mutex_unlock(&shop);
  Sem_post(&customers);
  Pthread_join(b, NULL);
  printf("%d served, %d left\n", served, left);
  assert(served + left == n);
  free(c);
  return 0;
}
