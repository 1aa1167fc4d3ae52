// A library that writes down what threads do.
#ifndef TRACE_H
#define TRACE_H

#include <stdarg.h>

enum trace_level { TRACE_ERROR, TRACE_WARNING, TRACE_INFO, TRACE_DEBUG, TRACE_LEVELS };

enum {
  TRACE_UNIT_MAIN = 1,
  TRACE_UNIT_WORK = 2,
  TRACE_UNIT_QUEUE = 4,
  TRACE_ALL_UNITS = 7,
};

enum {
  TRACE_OK = 0,
  TRACE_NO_FILE = -1,
  TRACE_NO_THREAD = -2,
  TRACE_TOO_MANY = -3,
  TRACE_NOT_ON = -4,
};

int trace_start(const char *file, enum trace_level level);
int trace_configure(const char *file);
int trace_stop(void);

int trace_add_thread(const char *name);
int trace_remove_thread(void);

void trace_set_level(enum trace_level level);
enum trace_level trace_get_level(void);
void trace_set_units(unsigned units);

void trace_message(unsigned unit, enum trace_level level, const char *where, int line, const char *text, long value);
long trace_count(enum trace_level level);
long trace_lost(void);

#define TRACE_ENTER(unit) trace_message(unit, TRACE_DEBUG, __func__, __LINE__, "enter", 0)
#define TRACE_LEAVE(unit) trace_message(unit, TRACE_DEBUG, __func__, __LINE__, "leave", 0)
#define TRACE_VALUE(unit, level, text, value) trace_message(unit, level, __func__, __LINE__, text, value)

#endif
