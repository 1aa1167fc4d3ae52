// expect: safe
// options: --property no-data-race
// A table that any number of threads search under a lock for readers, and that some write under the same lock for writers.
#define LOCK_TO_WRITE pthread_rwlock_wrlock
#include "race_table.h"
