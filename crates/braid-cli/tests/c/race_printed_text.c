// expect: unsafe
// options: --property no-data-race
// Printing a text reads its characters.
#include <pthread.h>
#include <stdio.h>
char text[4] = "abc";
void *change(void *unused) { text[1] = 'x'; return 0; }
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, change, 0);
    printf("%s\n", text);
    pthread_join(other, 0);
    return 0;
}
