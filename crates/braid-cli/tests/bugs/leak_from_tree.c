// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
static struct tree *root;
static void insert(int key) {
  struct tree **at = &root;
  while (*at) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  *at = calloc(1, sizeof **at);
  (*at)->key = key;
}
int main(void) {
  int keys[] = {5, 2, 8, 1};
  for (int i = 0; i < 4; i++) insert(keys[i]);
#ifdef BUG
  root->left = root->left->right;
#endif
}
