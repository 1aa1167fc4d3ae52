#ifndef HTTP_H
#define HTTP_H

#include "defs.h"

enum status http_length(struct request *request);
enum status http_ask(int socket, const struct request *request, long first, long last);
int http_status(const char *header);
long http_content_length(const char *header);

#endif
