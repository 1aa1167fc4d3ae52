// expect: unsafe
// Unsigned arithmetic wraps around, and is defined; so is a conversion that loses bits.
#include <assert.h>
#include <pthread.h>

unsigned x = 4294967295u;
signed char narrow;

void *thread(void *arg)
{
    x = x + 1;
    narrow = (signed char)(x + 200);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    assert(x != 0 || narrow != -56);
    return 0;
}
