#ifndef URL_H
#define URL_H

#include "defs.h"

enum status url_parse(const char *url, struct request *to);

#endif
