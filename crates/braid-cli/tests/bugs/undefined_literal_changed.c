// property: no-undefined
#include <string.h>
static void shout(char *text) { text[0] = 'X'; }
int main(void) {
#ifdef BUG
  char *text = "quiet";
#else
  char text[] = "quiet";
#endif
  shout(text);
  return 0;
}
