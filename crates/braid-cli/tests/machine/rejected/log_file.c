// property: unreach-call
// Two threads write to a file that is read afterwards; who is first is not said.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

FILE *file;

void *header(void *unused) {
  fputs("header\n", file);
  return 0;
}

void *body(void *unused) {
  fputs("body\n", file);
  return 0;
}

int main(void) {
  pthread_t t, u;
  char line[16];
  file = fopen("log", "w+");
  if (!file) return 0;
  pthread_create(&t, 0, header, 0);
  pthread_create(&u, 0, body, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  rewind(file);
  fgets(line, sizeof line, file);
  fclose(file);
  assert(line[0] == 'h');
}
