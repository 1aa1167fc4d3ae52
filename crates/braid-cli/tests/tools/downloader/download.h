#ifndef DOWNLOAD_H
#define DOWNLOAD_H

#include "defs.h"

enum status download(struct request *request);
void download_interrupt(void);

#endif
