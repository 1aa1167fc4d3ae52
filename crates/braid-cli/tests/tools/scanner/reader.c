// Reads files block by block.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "reader.h"
#include "report.h"
#include "settings.h"

static int read_file(struct reader *r, const char *path) {
  char block[BLOCK_SIZE];
  struct match_state state;
  long n, bytes = 0, matches = 0;
  int fd = open(path, O_RDONLY);

  if (fd < 0) {
    report_error(path, strerror(errno));
    return -1;
  }
  match_begin(&state);
  while ((n = read(fd, block, sizeof(block))) > 0) {
    bytes += n;
    matches += match_block(r->matcher, &state, block, n);
    if (settings.list_only && matches > 0)
      break;
  }
  if (n < 0)
    report_error(path, strerror(errno));
  close(fd);
  r->files++;
  r->matches += matches;
  report_file(path, bytes, matches);
  return n < 0 ? -1 : 0;
}

void *reader_run(void *arg) {
  struct reader *r = arg;
  char path[MAX_PATH];

  while (queue_get(r->queue, path)) {
    if (report_enough(settings.max_matches)) {
      queue_close(r->queue);
      break;
    }
    read_file(r, path);
  }
  return NULL;
}
