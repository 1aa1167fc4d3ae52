#ifndef SETTINGS_H
#define SETTINGS_H

struct settings {
  int threads;
  int ignore_case;
  int verbose;
  int list_only;
  int quiet;
  long max_matches;
  const char *log_name;
  const char *pattern;
  int first_path;
};

extern struct settings settings;

void settings_usage(const char *program);
int settings_read(int argc, char *argv[]);

#endif
