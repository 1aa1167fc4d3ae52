// URLs: http://host[:port]/path
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "log.h"
#include "url.h"

static const char *skip_scheme(const char *url) {
  static const char scheme[] = "http://";
  if (strncmp(url, scheme, sizeof(scheme) - 1) == 0)
    return url + sizeof(scheme) - 1;
  return url;
}

static int copy_until(char *to, size_t room, const char *from, const char *stop) {
  size_t n = strcspn(from, stop);
  if (n >= room)
    return -1;
  memcpy(to, from, n);
  to[n] = '\0';
  return (int)n;
}

enum status url_parse(const char *url, struct request *to) {
  const char *rest = skip_scheme(url);
  const char *slash;
  int n;

  if (strstr(rest, "://") != NULL) {
    log_error("only http is supported");
    return STATUS_URL;
  }
  n = copy_until(to->host, sizeof(to->host), rest, ":/");
  if (n <= 0) {
    log_error("no host, or one that is too long");
    return STATUS_URL;
  }
  rest += n;
  if (*rest == ':') {
    rest++;
    if (!isdigit((unsigned char)*rest)) {
      log_error("no port after the colon");
      return STATUS_URL;
    }
    to->port = atoi(rest);
    while (isdigit((unsigned char)*rest))
      rest++;
  }
  if (*rest == '\0')
    rest = "/";
  if (*rest != '/' || copy_until(to->path, sizeof(to->path), rest, "#") < 0) {
    log_error("the path is wrong or too long");
    return STATUS_URL;
  }
  slash = strrchr(to->path, '/');
  if (to->file[0] == '\0') {
    if (slash == NULL || slash[1] == '\0')
      strcpy(to->file, "index.html");
    else
      strcpy(to->file, slash + 1);
  }
  return STATUS_OK;
}
