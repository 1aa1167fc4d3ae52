// expect: safe
// options: --property no-data-race
// Each thread has a buffer of its own, and hands it down to functions: nobody else gets to it. Any number of rounds declare it anew.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char last[16];
static int stop(void);
static void note(char *to, const char *from) { strcpy(to, from); }
static void keep(const char *text) {
  pthread_mutex_lock(&lock);
  strcpy(last, text);
  pthread_mutex_unlock(&lock);
}
static void one_round(const char *text) {
  char buffer[16];
  int *count = malloc(sizeof *count);
  if (count == NULL)
    return;
  *count = 0;
  note(buffer, text);
  while (buffer[*count] != '\0')
    *count += 1;
  buffer[0] = '-';
  keep(buffer);
  free(count);
}
static void *run(void *text) {
  while (!stop())
    one_round(text);
  return NULL;
}
int stop(void) { return rand() % 2; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, run, "one");
  pthread_create(&t, NULL, run, "two");
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  return last[0] == '+';
}
