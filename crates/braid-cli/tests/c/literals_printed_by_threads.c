// expect: safe
// options: --property valid-deref
// Each thread prints a text that it finds in a table: all of them are literals, which have their ends.
// expect -D WRONG: unsafe
// The table is longer than its texts.
#include <pthread.h>
#include <stdio.h>
#define THREADS 6
struct job { int number; const char *text; } jobs[THREADS];
const char *texts[THREADS] = {"one", "twenty two", "three hundred thirty three", "4", ""
#ifndef WRONG
                              , "sixty-six"
#endif
};
void *run(void *p) {
  struct job *job = p;
  printf("%d: %s\n", job->number, job->text);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    jobs[i].number = i;
    jobs[i].text = texts[i];
    pthread_create(&threads[i], 0, run, &jobs[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  return 0;
}
