// expect: safe
// Locks are left alone: this is assumed.
#include <assert.h>
#include <pthread.h>
struct counter { pthread_mutex_t lock; int n; } counter = {PTHREAD_MUTEX_INITIALIZER, 0};
void touch(struct counter *c);
int x;

void *run(void *argument) {
    pthread_mutex_lock(&counter.lock);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&counter.lock);
    return 0;
}

int main() {
    pthread_t thread;
    touch(&counter);
    pthread_create(&thread, 0, run, 0);
    pthread_mutex_lock(&counter.lock);
    assert(x == 0);
    pthread_mutex_unlock(&counter.lock);
}
