// expect: unsafe
// options: --property no-data-race
// Copying a struct reads all of its members, also where the copy is thrown away.
#include <pthread.h>
struct pair { int first, second; };
static struct pair shared;
static void *thread(void *argument) {
    shared.second = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    shared;
    pthread_join(t, 0);
    return 0;
}
