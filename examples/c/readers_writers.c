// Readers and writers: any number of readers at once, or one writer. The first reader locks the room for all readers, the
// last one unlocks it.
//
// The bug: readers are counted without the lock, so a writer can come in while somebody still reads.
// expect: safe
// expect -D BUG: unsafe (unreach-call, no-deadlock, no-data-race)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t room; // taken by a writer, or by all readers together
static int readers;
static int low, high; // what is protected; always equal outside of a write

#ifdef BUG
static void lock_count(void) {}
static void unlock_count(void) {}
#else
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static void lock_count(void) { pthread_mutex_lock(&counting); }
static void unlock_count(void) { pthread_mutex_unlock(&counting); }
#endif

static void begin_read(void) {
  lock_count();
  readers++;
  if (readers == 1) sem_wait(&room);
  unlock_count();
}

static void end_read(void) {
  lock_count();
  readers--;
  if (readers == 0) sem_post(&room);
  unlock_count();
}

static void *reader(void *unused) {
  (void)unused;
  begin_read();
  assert(low == high);
  end_read();
  return NULL;
}

static void *writer(void *unused) {
  (void)unused;
  sem_wait(&room);
  low++;
  high++;
  sem_post(&room);
  return NULL;
}

int main(void) {
  sem_init(&room, 0, 1);
  pthread_t r, s, w;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&s, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(r, NULL);
  pthread_join(s, NULL);
  pthread_join(w, NULL);
  return 0;
}
