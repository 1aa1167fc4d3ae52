// One line of the file for each message.
#include <errno.h>
#include <string.h>
#include <sys/time.h>
#include "output.h"
#include "threads.h"

static const char letters[] = "EWID";

int output_open(struct output *o, const char *name) {
  o->written = 0;
  o->flush = 0;
  if (name == NULL) {
    o->file = stderr;
    return 0;
  }
  o->file = fopen(name, "w");
  if (o->file == NULL) {
    fprintf(stderr, "trace: %s: %s\n", name, strerror(errno));
    return -1;
  }
  return 0;
}

void output_write(struct output *o, const struct message *m) {
  char name[NAME_SIZE];
  struct timeval now;
  gettimeofday(&now, NULL);
  threads_name(m->thread, name);
  fprintf(o->file, "%ld.%06ld %c %-12s %s:%d %s", (long)now.tv_sec, (long)now.tv_usec, letters[m->level], name, m->where,
          m->line, m->text);
  if (m->value != 0)
    fprintf(o->file, " %ld", m->value);
  fputc('\n', o->file);
  if (o->flush || m->level == TRACE_ERROR)
    fflush(o->file);
  o->written++;
}

int output_close(struct output *o) {
  int rc = 0;
  if (o->file != NULL && o->file != stderr)
    rc = fclose(o->file);
  o->file = NULL;
  return rc;
}
