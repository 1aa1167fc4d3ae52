// The parts of a file, each loaded by a thread of its own.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "download.h"
#include "http.h"
#include "log.h"
#include "net.h"
#include "options.h"
#include "progress.h"
#include "resume.h"

static atomic_int interrupted;
static struct part parts[MAX_THREADS];
static pthread_t threads[MAX_THREADS];

static pthread_mutex_t failed_lock = PTHREAD_MUTEX_INITIALIZER;
static int failed_parts;

void download_interrupt(void) { atomic_store(&interrupted, 1); }

static enum status write_all(int fd, const char *from, long count, long offset) {
  while (count > 0) {
    long n = pwrite(fd, from, (size_t)count, offset);
    if (n < 0) {
      if (errno == EINTR)
        continue;
      log_error("write: %s", strerror(errno));
      return STATUS_FILE;
    }
    from += n;
    offset += n;
    count -= n;
  }
  return STATUS_OK;
}

// Loads what is left of a part over one connection.
static enum status load_once(struct part *part) {
  char buffer[BUFFER_SIZE], header[MAX_HEADER];
  long length = 0;
  enum status status;
  int s = net_connect(part->request);

  if (s < 0)
    return STATUS_CONNECT;
  status = http_ask(s, part->request, part->offset, part->last);
  if (status == STATUS_OK)
    status = net_read_header(s, header, sizeof(header), &length);
  if (status == STATUS_OK && http_status(header) != 206 && http_status(header) != 200)
    status = STATUS_HEADER;
  while (status == STATUS_OK && part->offset <= part->last) {
    long room = part->last - part->offset + 1;
    if (room > BUFFER_SIZE)
      room = BUFFER_SIZE;
    if (atomic_load(&interrupted)) {
      status = STATUS_INTERRUPTED;
      break;
    }
    long n = net_receive(s, buffer, room);
    if (n <= 0) {
      status = STATUS_RECEIVE;
      break;
    }
    status = write_all(part->request->fd, buffer, n, part->offset);
    if (status == STATUS_OK) {
      part->offset += n;
      progress_add(n);
    }
  }
  net_close(s);
  return status;
}

static void *load_part(void *arg) {
  struct part *part = arg;
  log_info("part %d: %ld to %ld", part->id, part->first, part->last);
  do {
    part->status = load_once(part);
    if (part->status == STATUS_OK || part->status == STATUS_INTERRUPTED || part->status == STATUS_FILE)
      break;
    log_info("part %d: try again", part->id);
    usleep(1000);
  } while (part->retries++ < MAX_RETRIES);
  if (part->status != STATUS_OK) {
    pthread_mutex_lock(&failed_lock);
    failed_parts++;
    pthread_mutex_unlock(&failed_lock);
  }
  return &part->status;
}

static void divide(struct request *request, int count) {
  long size = request->length / count;
  for (int i = 0; i < count; i++) {
    parts[i].id = i;
    parts[i].first = i * size;
    parts[i].last = i == count - 1 ? request->length - 1 : (i + 1) * size - 1;
    parts[i].offset = parts[i].first;
    parts[i].retries = 0;
    parts[i].status = STATUS_OK;
    parts[i].request = request;
  }
}

static int open_output(const struct request *request) {
  int flags = O_WRONLY | O_CREAT;
  if (!options.resume)
    flags |= O_TRUNC;
  int fd = open(request->file, flags, 0644);
  if (fd < 0)
    log_error("%s: %s", request->file, strerror(errno));
  return fd;
}

enum status download(struct request *request) {
  enum status status;
  int started = 0, count = request->threads;

  status = http_length(request);
  if (status != STATUS_OK)
    return status;
  if (options.limit > 0 && request->length > options.limit) {
    log_error("the file has %ld bytes", request->length);
    return STATUS_FILE;
  }
  if (request->length < count)
    count = 1;
  request->fd = open_output(request);
  if (request->fd < 0)
    return STATUS_FILE;
  divide(request, count);
  if (options.resume)
    resume_load(request->file, parts, count);

  progress_start(request->length);
  for (int i = 0; i < count; i++) {
    progress_add(parts[i].offset - parts[i].first);
    if (pthread_create(&threads[i], NULL, load_part, &parts[i]) != 0) {
      log_error("cannot start thread %d", i);
      download_interrupt();
      break;
    }
    started++;
  }
  for (int i = 0; i < started; i++) {
    void *result;
    pthread_join(threads[i], &result);
    if (*(enum status *)result != STATUS_OK && status == STATUS_OK)
      status = *(enum status *)result;
  }
  progress_stop();
  if (started < count && status == STATUS_OK)
    status = STATUS_INTERRUPTED;
  if (status != STATUS_OK) {
    log_error("%d part(s) are not complete", failed_parts);
    resume_save(request->file, parts, count);
  } else {
    resume_remove(request->file);
  }
  if (close(request->fd) != 0) {
    log_error("%s: %s", request->file, strerror(errno));
    return STATUS_FILE;
  }
  return status;
}
