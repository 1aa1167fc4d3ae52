// Two threads meet: both print "before" before either prints "after".
// expect: safe
#include <unistd.h>
#include "common.h"
#include "common_threads.h"

sem_t a_here, b_here;
int before = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void announce(const char *who) {
  Pthread_mutex_lock(&m);
  before++;
  Pthread_mutex_unlock(&m);
  printf("%s: before\n", who);
}

void *child_1(void *arg) {
  announce("child 1");
  Sem_post(&a_here);
  Sem_wait(&b_here);
  assert(before == 2);
  printf("child 1: after\n");
  return NULL;
}

void *child_2(void *arg) {
  sleep(rand() % 3);
  announce("child 2");
  Sem_post(&b_here);
  Sem_wait(&a_here);
  assert(before == 2);
  printf("child 2: after\n");
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t p1, p2;
  printf("parent: begin\n");
  srand(17);
  Sem_init(&a_here, 0, 0);
  Sem_init(&b_here, 0, 0);
  Pthread_create(&p1, NULL, child_1, NULL);
  Pthread_create(&p2, NULL, child_2, NULL);
  Pthread_join(p1, NULL);
  Pthread_join(p2, NULL);
  printf("parent: end\n");
  return 0;
}
