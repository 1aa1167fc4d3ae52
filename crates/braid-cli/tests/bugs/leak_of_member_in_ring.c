// property: valid-memtrack
// Pointers lead into the middle of blocks, and round in a circle.
#include <pthread.h>
#include <stdlib.h>
struct link { struct link *next, *prev; };
struct job { int id; struct link link; };
static struct link jobs = { &jobs, &jobs };
static struct link *add(int id) {
  struct job *job = malloc(sizeof *job);
  job->id = id;
  job->link.next = &jobs;
  job->link.prev = jobs.prev;
  jobs.prev->next = &job->link;
  jobs.prev = &job->link;
  return &job->link;
}
int main(void) {
  add(1);
  struct link *second = add(2);
  add(3);
#ifdef BUG
  second->prev->next = second->next;
  second->next->prev = second->prev;
#endif
}
