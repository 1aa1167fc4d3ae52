#ifndef LOG_H
#define LOG_H

#include <pthread.h>

extern int log_errors;

int log_open(const char *name);
void log_close(void);
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
int log_error_count(void);

#endif
