// expect: safe
// Input ends with 0, within its width; places are those from before the call.
#include <assert.h>
#include <stdio.h>
int main(void) {
  char word[8] = {0};
  int i = 1, a[3] = {0, 0, 0};
  if (fscanf(stdin, "%3s", word) == 1) assert(word[0] != 0 && word[7] == 0 && word[4] == 0);
  if (scanf("%d %d", &i, &a[i]) == 2) assert(a[0] == 0 && a[2] == 0);
  return 0;
}
