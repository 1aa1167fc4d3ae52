// Connections to the server.
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>
#include "log.h"
#include "net.h"

int net_connect(const struct request *request) {
  struct addrinfo hints, *list, *at;
  char port[8];
  int s = -1, rc;

  memset(&hints, 0, sizeof(hints));
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  snprintf(port, sizeof(port), "%d", request->port);
  rc = getaddrinfo(request->host, port, &hints, &list);
  if (rc != 0) {
    log_error("%s: %s", request->host, gai_strerror(rc));
    return -1;
  }
  for (at = list; at != NULL; at = at->ai_next) {
    s = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    if (s < 0)
      continue;
    if (connect(s, at->ai_addr, at->ai_addrlen) == 0)
      break;
    close(s);
    s = -1;
  }
  freeaddrinfo(list);
  if (s < 0)
    log_error("%s:%d: cannot connect", request->host, request->port);
  return s;
}

enum status net_send_all(int socket, const char *text, long length) {
  long sent = 0;
  while (sent < length) {
    long n = send(socket, text + sent, (size_t)(length - sent), 0);
    if (n < 0) {
      if (errno == EINTR)
        continue;
      log_error("send: %s", strerror(errno));
      return STATUS_SEND;
    }
    if (n == 0)
      return STATUS_SEND;
    sent += n;
  }
  return STATUS_OK;
}

long net_receive(int socket, char *to, long room) {
  for (;;) {
    long n = recv(socket, to, (size_t)room, 0);
    if (n >= 0)
      return n;
    if (errno != EINTR) {
      log_error("recv: %s", strerror(errno));
      return -1;
    }
  }
}

// Reads up to the empty line that ends a header; what came behind it is left in the buffer.
enum status net_read_header(int socket, char *to, long room, long *length) {
  long n = 0;
  while (n < room - 1) {
    long got = net_receive(socket, to + n, 1);
    if (got <= 0)
      return STATUS_HEADER;
    n += got;
    to[n] = '\0';
    if (n >= 4 && strcmp(to + n - 4, "\r\n\r\n") == 0) {
      *length = n;
      return STATUS_OK;
    }
  }
  log_error("the header is too long");
  return STATUS_HEADER;
}

void net_close(int socket) {
  if (socket >= 0)
    close(socket);
}
