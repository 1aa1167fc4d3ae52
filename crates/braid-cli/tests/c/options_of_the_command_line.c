// expect: safe
// options: --args "prog -v name -n 12 -ofile other -ab -- -c"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char *argv[]) {
  int c, verbose = 0, n = 0, both = 0;
  char *file = 0;
  while ((c = getopt(argc, argv, "abn:o:v")) != -1) {
    switch (c) {
    case 'v': verbose++; break;
    case 'n': n = atoi(optarg); break;
    case 'o': file = optarg; break;
    case 'a': both = both * 10 + 1; break;
    case 'b': both = both * 10 + 2; break;
    default: assert(0);
    }
  }
  assert(verbose == 1 && n == 12 && strcmp(file, "file") == 0 && both == 12);
  assert(optind == 7 && strcmp(argv[7], "name") == 0 && strcmp(argv[8], "other") == 0 && strcmp(argv[9], "-c") == 0);
  return 0;
}
