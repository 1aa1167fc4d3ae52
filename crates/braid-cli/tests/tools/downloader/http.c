// As much of HTTP as is needed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "http.h"
#include "log.h"
#include "net.h"

int http_status(const char *header) {
  if (strncmp(header, "HTTP/1.", 7) != 0)
    return -1;
  const char *space = strchr(header, ' ');
  if (space == NULL)
    return -1;
  return atoi(space + 1);
}

long http_content_length(const char *header) {
  const char *field = strstr(header, "Content-Length:");
  if (field == NULL)
    return -1;
  return atol(field + strlen("Content-Length:"));
}

// Asks how long the file is.
enum status http_length(struct request *request) {
  char text[MAX_HEADER], header[MAX_HEADER];
  long length = 0;
  enum status status;
  int s = net_connect(request);
  if (s < 0)
    return STATUS_CONNECT;
  int n = snprintf(text, sizeof(text), "HEAD %s HTTP/1.0\r\nHost: %s\r\n\r\n", request->path, request->host);
  if (n < 0 || n >= (int)sizeof(text)) {
    net_close(s);
    return STATUS_URL;
  }
  status = net_send_all(s, text, n);
  if (status == STATUS_OK)
    status = net_read_header(s, header, sizeof(header), &length);
  net_close(s);
  if (status != STATUS_OK)
    return status;
  switch (http_status(header)) {
  case 200:
    break;
  case 301:
  case 302:
    log_error("the file has moved");
    return STATUS_HEADER;
  case 404:
    log_error("there is no such file");
    return STATUS_HEADER;
  default:
    log_error("the server says no");
    return STATUS_HEADER;
  }
  request->length = http_content_length(header);
  if (request->length < 0) {
    log_error("the server does not say how long the file is");
    return STATUS_HEADER;
  }
  return STATUS_OK;
}

// Asks for some bytes of the file.
enum status http_ask(int socket, const struct request *request, long first, long last) {
  char text[MAX_HEADER];
  int n = snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\nHost: %s\r\nRange: bytes=%ld-%ld\r\n\r\n", request->path,
                   request->host, first, last);
  if (n < 0 || n >= (int)sizeof(text))
    return STATUS_URL;
  return net_send_all(socket, text, n);
}
