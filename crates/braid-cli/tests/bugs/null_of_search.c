// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int key; } a = { 0, 1 }, b = { &a, 2 };
struct node *find(int key) {
  struct node *n = &b;
  while (n && n->key != key) n = n->next;
  return n;
}
int main(void) {
  int key = rand() % 4;
  struct node *n = find(key);
#ifndef BUG
  if (!n) return 1;
#endif
  return n->key;
}
