// The sieve of Eratosthenes: threads ask for the next number to strike out the multiples of. Usage: sieve <threads>
// expect: safe
// options: --args "sieve 2"
#include "common.h"
#include "common_threads.h"

#define LIMIT 16

char composite[LIMIT + 1];
int next = 2;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int next_number(void) {
  Pthread_mutex_lock(&lock);
  int n = next++;
  Pthread_mutex_unlock(&lock);
  return n;
}

void *strike_out(void *arg) {
  int n;
  while ((n = next_number()) * n <= LIMIT)
    for (int multiple = n * n; multiple <= LIMIT; multiple += n)
      composite[multiple] = 1;
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[4];
  int i, threads = argc > 1 ? atoi(argv[1]) : 2, primes = 0;
  if (threads < 1 || threads > 4) {
    fprintf(stderr, "%s: 1 to 4 threads\n", argv[0]);
    exit(1);
  }
  for (i = 0; i < threads; i++)
    Pthread_create(&t[i], NULL, strike_out, NULL);
  for (i = 0; i < threads; i++)
    Pthread_join(t[i], NULL);
  for (i = 2; i <= LIMIT; i++)
    if (!composite[i]) {
      printf("%d ", i);
      primes++;
    }
  printf("\n");
  assert(primes == 6);
  return 0;
}
