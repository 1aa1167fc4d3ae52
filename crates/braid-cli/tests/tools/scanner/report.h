#ifndef REPORT_H
#define REPORT_H

struct totals {
  long files;
  long bytes;
  long matches;
  long errors;
};

extern struct totals totals;

int report_open(const char *log_name);
void report_close(void);
void report_file(const char *path, long bytes, long matches);
void report_error(const char *path, const char *what);
void report_skip(const char *path, const char *why);
int report_enough(long most);
void report_summary(void);

#endif
