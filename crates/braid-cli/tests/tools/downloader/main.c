// fetch: loads a file in several parts at once.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "download.h"
#include "log.h"
#include "options.h"
#include "progress.h"
#include "url.h"

static struct request request;

static const char *status_text(enum status status) {
  switch (status) {
  case STATUS_OK:
    return "complete";
  case STATUS_URL:
    return "the URL is wrong";
  case STATUS_RESOLVE:
    return "the host is not known";
  case STATUS_CONNECT:
    return "no connection";
  case STATUS_SEND:
    return "nothing can be sent";
  case STATUS_RECEIVE:
    return "nothing comes in";
  case STATUS_HEADER:
    return "the server's answer is not understood";
  case STATUS_FILE:
    return "the file cannot be written";
  case STATUS_INTERRUPTED:
    return "interrupted";
  }
  return "?";
}

// Waits for a key, and stops everything at `q`.
static void *wait_for_key(void *arg) {
  int c;
  (void)arg;
  while ((c = getchar()) != EOF)
    if (c == 'q') {
      log_info("interrupted");
      download_interrupt();
      break;
    }
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t keys;
  enum status status;

  if (parse_options(argc, argv) < 0)
    return 2;
  if (log_open(PROGRAM ".log") < 0)
    fprintf(stderr, PROGRAM ": no log\n");
  request.port = options.port;
  request.threads = options.threads;
  request.file[0] = '\0';
  if (options.output != NULL)
    strcpy(request.file, options.output);
  status = url_parse(options.url, &request);
  if (status == STATUS_OK) {
    if (!options.quiet && pthread_create(&keys, NULL, wait_for_key, NULL) == 0)
      pthread_detach(keys);
    status = download(&request);
  }
  log_info("%s: %s, %ld bytes", request.path, status_text(status), progress_done());
  if (status != STATUS_OK)
    fprintf(stderr, PROGRAM ": %s\n", status_text(status));
  int errors = log_error_count();
  log_close();
  return status == STATUS_OK && errors == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
