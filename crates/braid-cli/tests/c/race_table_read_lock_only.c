// expect: unsafe
// options: --property no-data-race
// A table that is written under a lock for readers.
#define LOCK_TO_WRITE pthread_rwlock_rdlock
#include "race_table.h"
