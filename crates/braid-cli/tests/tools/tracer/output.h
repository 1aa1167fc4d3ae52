#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>
#include "ring.h"

struct output {
  FILE *file;
  int flush;
  long written;
};

int output_open(struct output *o, const char *name);
void output_write(struct output *o, const struct message *m);
int output_close(struct output *o);

#endif
