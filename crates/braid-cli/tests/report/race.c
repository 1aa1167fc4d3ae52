/* A shop and a bar share a till. Both sell under its lock; the clerk looks into it without. */
#include <pthread.h>
#include <stdatomic.h>

struct till {
    pthread_mutex_t lock;
    int coins;
};

static struct till till = { PTHREAD_MUTEX_INITIALIZER, 10 };
static atomic_int sales;
static int report;

static void sell(int price) {
    pthread_mutex_lock(&till.lock);
    till.coins = till.coins + price;
    atomic_fetch_add(&sales, 1);
    pthread_mutex_unlock(&till.lock);
}

static void *shop(void *arg) {
    sell(3);
    return arg;
}

static void *bar(void *arg) {
    sell(5);
    return arg;
}

static void *clerk(void *arg) {
    if (atomic_load(&sales) > 0)
        report = till.coins;
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, shop, NULL);
    pthread_create(&b, NULL, bar, NULL);
    pthread_create(&c, NULL, clerk, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
