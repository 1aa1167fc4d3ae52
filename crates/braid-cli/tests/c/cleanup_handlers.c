// expect: safe
// Cleanup handlers run when they are popped with a number that is not 0, or when the thread ends inside of their block.
#include <assert.h>
#include <pthread.h>

int order;
int first, second, third;

void note(void *place) {
  order++;
  *(int *)place = order;
}

void leave(void) { pthread_exit((void *)5); }

void *thread(void *unused) {
  pthread_cleanup_push(note, &third);
  pthread_cleanup_push(note, &first);
  pthread_cleanup_pop(1);
  pthread_cleanup_push(note, &first);
  pthread_cleanup_pop(0);
  pthread_cleanup_push(note, &second);
  leave();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t other;
  void *result;
  pthread_create(&other, 0, thread, 0);
  pthread_join(other, &result);
  assert(result == (void *)5);
  assert(first == 1 && second == 2 && third == 3);
  return 0;
}
