// A function that formats into a static buffer is used by two threads.
// expect: unsafe
#include <string.h>
#include "common.h"
#include "common_threads.h"

char *seat_name(int row, int seat) {
  static char name[8];
  sprintf(name, "%d%c", row, 'A' + seat);
  return name;
}

void *passenger(void *arg) {
  int row = *(int *)arg;
  char *mine = seat_name(row, 2);
  printf("I sit in %s\n", mine);
  assert(mine[0] == '0' + row);
  assert(strcmp(mine + 1, "C") == 0);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[2];
  int rows[2] = {4, 7};
  for (int i = 0; i < 2; i++)
    Pthread_create(&t[i], NULL, passenger, &rows[i]);
  for (int i = 0; i < 2; i++)
    Pthread_join(t[i], NULL);
  return 0;
}
