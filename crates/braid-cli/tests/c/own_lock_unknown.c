// expect: unsafe
// Without its prelude, a lock of one's own is any function: it may do nothing.
#include <pthread.h>
#include <assert.h>
struct my_lock { int held; }; void my_acquire(struct my_lock *); void my_release(struct my_lock *);
struct my_lock l; int x;
void *t(void *a) { my_acquire(&l); int y = x; x = y + 1; my_release(&l); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); pthread_join(a, 0); pthread_join(b, 0); assert(x == 2); return 0; }
