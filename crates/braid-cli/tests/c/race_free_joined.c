// expect: safe
// options: --property no-data-race
// Blocks that are freed when their users are done, and blocks that each user frees for itself.
#include <pthread.h>
#include <stdlib.h>

struct job {
  int input;
  int output;
};

void *work(void *argument) {
  struct job *job = argument;
  int *scratch = malloc(sizeof(int));
  *scratch = job->input;
  job->output = *scratch + 1;
  free(scratch);
  return 0;
}

int main(void) {
  pthread_t one, two;
  struct job *first = malloc(sizeof(struct job));
  struct job *second = malloc(sizeof(struct job));
  first->input = 1;
  second->input = 2;
  pthread_create(&one, 0, work, first);
  pthread_create(&two, 0, work, second);
  pthread_join(one, 0);
  pthread_join(two, 0);
  free(first);
  free(second);
  return 0;
}
