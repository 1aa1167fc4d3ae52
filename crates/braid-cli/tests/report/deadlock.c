/* Three philosophers, three forks: each takes the left one first. */
#include <pthread.h>

static pthread_mutex_t fork_a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t fork_b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t fork_c = PTHREAD_MUTEX_INITIALIZER;
static int meals;

static void dine(pthread_mutex_t *left, pthread_mutex_t *right) {
    pthread_mutex_lock(left);
    pthread_mutex_lock(right);
    meals++;
    pthread_mutex_unlock(right);
    pthread_mutex_unlock(left);
}

static void *plato(void *arg) {
    dine(&fork_a, &fork_b);
    return arg;
}

static void *hegel(void *arg) {
    dine(&fork_b, &fork_c);
    return arg;
}

static void *arendt(void *arg) {
    dine(&fork_c, &fork_a);
    return arg;
}

int main(void) {
    pthread_t p, h, a;
    pthread_create(&p, NULL, plato, NULL);
    pthread_create(&h, NULL, hegel, NULL);
    pthread_create(&a, NULL, arendt, NULL);
    pthread_join(p, NULL);
    pthread_join(h, NULL);
    pthread_join(a, NULL);
    return 0;
}
