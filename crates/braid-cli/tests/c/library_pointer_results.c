// expect: safe
// Results of joins and of keys are pointers also where integers are bit-vectors.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>
#include <threads.h>
int n = 12;
tss_t k;
static void *run(void *argument) { return argument; }
int main(void) {
    pthread_t t;
    void *r;
    assert(ffs(n) == 3);
    pthread_create(&t, 0, run, (void *)(1L << 40));
    pthread_join(t, &r);
    assert((long)r == 1L << 40);
    tss_create(&k, 0);
    assert(tss_get(k) == 0);
    tss_set(k, &n);
    assert(tss_get(k) == &n);
    return 0;
}
