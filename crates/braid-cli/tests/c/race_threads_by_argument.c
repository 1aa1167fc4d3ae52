// expect: safe
// options: --property no-data-race --args "run -n 2"
// How many threads there are is read from the options; each writes the parts of its own record, and the first thread reads them when all have ended.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
enum { MOST = 4 };
static struct part { int id, rounds; pthread_t thread; } parts[MOST];
static int total;
static int failed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *arg) {
  struct part *part = arg;
  while (rand() % 2 && part->rounds < 100)
    part->rounds++;
  pthread_mutex_lock(&lock);
  failed += part->id;
  pthread_mutex_unlock(&lock);
  return NULL;
}
int main(int argc, char *argv[]) {
  int count = 1, started = 0;
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp(argv[i], "-n") == 0)
      count = atoi(argv[i + 1]);
  if (count < 1 || count > MOST)
    return 2;
  for (int i = 0; i < count; i++) {
    parts[i].id = i;
    parts[i].rounds = 0;
    if (pthread_create(&parts[i].thread, NULL, run, &parts[i]) != 0)
      break;
    started++;
  }
  for (int i = 0; i < started; i++) {
    pthread_join(parts[i].thread, NULL);
    total += parts[i].rounds;
  }
  return failed == total;
}
