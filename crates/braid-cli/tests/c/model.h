// What the programs here need of the thread library: no system header is read.
typedef unsigned long pthread_t;
typedef union { char size[24]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void pthread_exit(void *);
pthread_t pthread_self(void);
void reach_error(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void abort(void);
#define check(e) do { if (!(e)) reach_error(); } while (0)
// Two threads run the same function to its end.
#define run_twice(f) \
  pthread_t t, u; \
  pthread_create(&t, 0, f, 0); \
  pthread_create(&u, 0, f, 0); \
  pthread_join(t, 0); \
  pthread_join(u, 0);
