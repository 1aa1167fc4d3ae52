// expect: safe
// Two threads fill the members of records, and a third compares them with what was taken down before.
#include <assert.h>
#include <pthread.h>

#define SIZE 2000

extern int __VERIFIER_nondet_int(void);

static struct record {
  int key;
  char tag;
} records[SIZE];

static int wanted[SIZE];

static void *keys(void *unused) {
  for (int i = 0; i < SIZE; i++)
    records[i].key = wanted[i];
  return 0;
}

static void *tags(void *unused) {
  for (int i = 0; i < SIZE; i++)
    records[i].tag = 'x';
  return 0;
}

static void *compare(void *unused) {
  for (int i = 0; i < SIZE; i++) {
    assert(records[i].key == wanted[i]);
    assert(records[i].tag == 'x');
  }
  return 0;
}

int main(void) {
  pthread_t k, t, c;
  for (int i = 0; i < SIZE; i++)
    wanted[i] = __VERIFIER_nondet_int();
  pthread_create(&k, 0, keys, 0);
  pthread_create(&t, 0, tags, 0);
  pthread_join(k, 0);
  pthread_join(t, 0);
  pthread_create(&c, 0, compare, 0);
  pthread_join(c, 0);
}
