// expect: safe
// Large objects do not overlap, wherever they are.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int a[1 << 23], b[1 << 23];
static _Thread_local char room[1 << 25];
static char *of_other;
static void *thread(void *argument) {
    of_other = room + 1;
    return 0;
}
int main(void) {
    pthread_t t;
    char c[1 << 24], d[1 << 24], *last = room + (1 << 25) - 1;
    int *p = &a[1 << 22], *q = b, n = 3;
    int v[n], w[n];
    int *big = malloc(1 << 25), *small = malloc(4);
    *q = 1, *p = 2, v[2] = 3, w[0] = 4;
    p = v + 2, *p = 5;
    p = big + (1 << 23) - 1, *p = 6, *small = 7;
    assert(*q == 1 && w[0] == 4 && v[2] == 5 && *small == 7 && p != small);
    assert(&c[(1 << 24) - 1] != d && &d[(1 << 24) - 1] != c);
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    assert(of_other != last);
    return 0;
}
