// expect: safe
// Addresses are ordered, whatever the order is: locks are taken in it.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int balance = 5;
static void both(pthread_mutex_t *x, pthread_mutex_t *y) {
    if ((uintptr_t)x > (uintptr_t)y) {
        pthread_mutex_t *z = x;
        x = y;
        y = z;
    }
    pthread_mutex_lock(x);
    pthread_mutex_lock(y);
    balance += 1;
    balance -= 1;
    pthread_mutex_unlock(y);
    pthread_mutex_unlock(x);
}
static void *thread(void *argument) {
    both(&b, &a);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    both(&a, &b);
    pthread_join(t, 0);
    assert(balance == 5);
    assert((uintptr_t)&a < (uintptr_t)&b || (uintptr_t)&b < (uintptr_t)&a);
    return 0;
}
