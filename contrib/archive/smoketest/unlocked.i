typedef unsigned long int pthread_t;
typedef union { char size[40]; long int align; } pthread_mutex_t;
extern int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *), void *argument);
extern int pthread_join(pthread_t thread, void **result);
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);
void reach_error(void) {}

int counter;
pthread_mutex_t lock;

void *add(void *unused) {
    int before = counter;
    counter = before + 1;
    return (void *)0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, (void *)0, add, (void *)0);
    pthread_create(&second, (void *)0, add, (void *)0);
    pthread_join(first, (void *)0);
    pthread_join(second, (void *)0);
    if (counter != 2)
        reach_error();
    return 0;
}
