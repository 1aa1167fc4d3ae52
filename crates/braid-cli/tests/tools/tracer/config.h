#ifndef CONFIG_H
#define CONFIG_H

#include "trace.h"

enum { CONFIG_LINE = 32 };

struct config {
  enum trace_level level;
  unsigned units;
  int flush;
};

void config_default(struct config *c);
int config_line(struct config *c, char *line);
int config_read(struct config *c, const char *file);

#endif
