#ifndef RESUME_H
#define RESUME_H

#include "defs.h"

int resume_load(const char *file, struct part *parts, int count);
int resume_save(const char *file, const struct part *parts, int count);
void resume_remove(const char *file);

#endif
