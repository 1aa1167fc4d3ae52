// expect: safe
// What comes from a file is anything that fits; opening, reading and writing may fail.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
  int numbers[4] = {0, 0, 0, 7};
  char line[8];
  FILE *in = fopen("in.txt", "r");
  if (in != NULL) {
    size_t n = fread(numbers, sizeof(int), 3, in);
    assert(n <= 3 && numbers[3] == 7);
    if (fgets(line, sizeof(line), in) != NULL) assert(line[0] != 0 || line[0] == 0);
    fclose(in);
  }
  int fd = open("out", O_WRONLY | O_CREAT, 0644);
  if (fd >= 0) {
    long n = pwrite(fd, numbers, sizeof(numbers), 0);
    assert(n >= -1 && n <= 16);
    assert(fwrite(numbers, 4, 4, stdout) <= 4);
    close(fd);
  }
  return 0;
}
