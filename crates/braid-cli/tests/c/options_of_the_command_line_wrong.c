// expect: unsafe
// An option that nobody knows, and one whose argument is not there.
// options: --args "prog -x -n"
#include <assert.h>
#include <unistd.h>
int main(int argc, char *argv[]) {
  int c, unknown = 0;
  while ((c = getopt(argc, argv, "n:")) != -1)
    if (c == '?') {
      unknown++;
      assert(optopt == 'x' || optopt == 'n');
      assert(optarg == 0);
    }
  assert(unknown < 2);
  return 0;
}
