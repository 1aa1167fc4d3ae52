#ifndef WALK_H
#define WALK_H

#include "queue.h"

int walk(struct queue *q, const char *path, int depth);

#endif
