#ifndef OPTIONS_H
#define OPTIONS_H

#include "defs.h"

struct options {
  int threads;
  int port;
  int quiet;
  int resume;
  long limit;
  const char *output;
  const char *url;
};

extern struct options options;

int parse_options(int argc, char *argv[]);
void usage(void);

#endif
