// expect: unsafe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *thread(void *argument) {
    int *p = argument, l[2];
    int *q = l;
    q[1] = p[1];
    p[0] = q[1];
    return 0;
}
int main(void) {
    pthread_t t, u;
    int *a = calloc(2, 4), b[2] = { 0, 7 };
    pthread_create(&t, 0, thread, a);
    pthread_create(&u, 0, thread, b);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a[0] + b[0] != 7);
    return 0;
}
