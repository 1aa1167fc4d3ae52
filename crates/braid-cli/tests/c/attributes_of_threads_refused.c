// expect: safe
// Values that there are not are refused.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
    pthread_attr_t a;
    pthread_mutexattr_t m;
    pthread_attr_init(&a);
    pthread_mutexattr_init(&m);
    assert(pthread_attr_setstacksize(&a, 1) == EINVAL && pthread_attr_setstacksize(&a, 1 << 20) == 0);
    assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS) == ENOTSUP && pthread_attr_setscope(&a, 9) == EINVAL);
    assert(pthread_attr_setinheritsched(&a, 9) == EINVAL && pthread_attr_setschedpolicy(&a, 77) == EINVAL);
    assert(pthread_mutexattr_setprotocol(&m, 9) == EINVAL && pthread_mutexattr_setpshared(&m, 9) == EINVAL);
    assert(pthread_setconcurrency(-1) == EINVAL);
    return 0;
}
