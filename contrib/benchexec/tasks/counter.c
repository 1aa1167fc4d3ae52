#include <pthread.h>
void reach_error(void) {}
extern int __VERIFIER_nondet_int(void);

int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused) {
    pthread_mutex_lock(&lock);
    int before = counter;
    counter = before + 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    counter = __VERIFIER_nondet_int() != 0;
    int start = counter;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (counter != start + 2)
        reach_error();
    return 0;
}
