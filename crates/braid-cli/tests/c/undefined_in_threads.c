// expect: safe
// Two threads count up from INT_MAX - 1: one of them overflows, or an update is lost.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

int nondet(void);
int counter = INT_MAX - 1;
int done;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *arg)
{
    pthread_mutex_lock(&m);
    counter += 1;
    done++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    if (nondet())
        return 0;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(done != 2);
    return 0;
}
