// One thread looks whether there is a message and then reads it, the other takes it away in between.
// expect: unsafe
#include <string.h>
#include "common.h"
#include "common_threads.h"

typedef struct {
  char *info;
  int reads;
} thread_info_t;

thread_info_t t = {"busy", 0};

void *reader(void *arg) {
  if (t.info) {
    char *info = t.info;
    assert(info != NULL);
    printf("info: %s\n", info);
    t.reads++;
  }
  return NULL;
}

void *writer(void *arg) {
  t.info = NULL;
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t a, b;
  assert(strcmp(t.info, "busy") == 0);
  Pthread_create(&a, NULL, reader, NULL);
  Pthread_create(&b, NULL, writer, NULL);
  Pthread_join(a, NULL);
  Pthread_join(b, NULL);
  return 0;
}
