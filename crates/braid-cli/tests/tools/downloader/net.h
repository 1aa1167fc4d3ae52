#ifndef NET_H
#define NET_H

#include "defs.h"

int net_connect(const struct request *request);
enum status net_send_all(int socket, const char *text, long length);
long net_receive(int socket, char *to, long room);
enum status net_read_header(int socket, char *to, long room, long *length);
void net_close(int socket);

#endif
