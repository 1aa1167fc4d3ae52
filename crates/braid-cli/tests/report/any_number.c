/* Any number of guests come and go. However many there are: no more than four are inside. */
#include <assert.h>
#include <pthread.h>

#define SEATS 4

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static int guests;

extern int another_guest(void);

static void *guest(void *arg) {
    pthread_mutex_lock(&door);
    if (guests == SEATS) {
        pthread_mutex_unlock(&door);
        return arg;
    }
    guests++;
    assert(guests <= SEATS);
    pthread_mutex_unlock(&door);

    pthread_mutex_lock(&door);
    guests--;
    assert(guests >= 0);
    pthread_mutex_unlock(&door);
    return arg;
}

int main(void) {
    pthread_t thread;
    while (another_guest())
        pthread_create(&thread, NULL, guest, NULL);
    return 0;
}
