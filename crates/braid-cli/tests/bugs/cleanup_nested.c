// property: valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
struct tree { struct tree *left, *right; };
struct tree *leaf(void) { return calloc(1, sizeof(struct tree)); }
int main(void) {
  struct tree *t = leaf();
  t->left = leaf();
  t->right = leaf();
  free(t->left);
#ifndef BUG
  free(t->right);
#endif
  free(t);
}
