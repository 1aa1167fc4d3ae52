// A "fix" of the deadlock: who cannot get the second fork eats with one.
// expect: unsafe
#include <unistd.h>
#include "common.h"
#include "common_threads.h"

#define N 3

sem_t forks[N];
int on_table[N];

void *philosopher(void *arg) {
  int id = (int)(long)arg;
  int first = id, second = (id + 1) % N;

  Sem_wait(&forks[first]);
  if (sem_trywait(&forks[second]) != 0) {
    // Somebody has it. Better than to wait forever ...
    printf("%d: fork %d is taken\n", id, second);
  }
  on_table[first]--;
  on_table[second]--;
  usleep(100);
  assert(on_table[first] == 0 && on_table[second] == 0);
  on_table[first]++;
  on_table[second]++;
  Sem_post(&forks[first]);
  Sem_post(&forks[second]);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t p[N];
  long i;
  for (i = 0; i < N; i++) {
    Sem_init(&forks[i], 0, 1);
    on_table[i] = 1;
  }
  for (i = 0; i < N; i++)
    Pthread_create(&p[i], NULL, philosopher, (void *)i);
  for (i = 0; i < N; i++)
    Pthread_join(p[i], NULL);
  printf("all have eaten\n");
  return 0;
}
