// A program that declares handles of threads itself, smaller than they are here.
typedef unsigned int pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);

static int total;

static void *add(void *unused) {
  total += 2;
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, add, 0);
  pthread_join(one, 0);
  pthread_create(&two, 0, add, 0);
  pthread_join(two, 0);
  return total;
}
