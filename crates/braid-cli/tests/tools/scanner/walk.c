// Walks through folders, and puts files into the queue.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "report.h"
#include "walk.h"

static int is_hidden(const char *name) { return name[0] == '.'; }

static int join(char *to, size_t room, const char *folder, const char *name) {
  int n = snprintf(to, room, "%s/%s", folder, name);
  return n < 0 || (size_t)n >= room ? -1 : 0;
}

static int walk_folder(struct queue *q, const char *path, int depth) {
  char below[MAX_PATH];
  struct dirent *entry;
  int result = 0;
  DIR *folder = opendir(path);

  if (folder == NULL) {
    report_error(path, strerror(errno));
    return -1;
  }
  while (result == 0 && (entry = readdir(folder)) != NULL) {
    if (is_hidden(entry->d_name))
      continue;
    if (join(below, sizeof(below), path, entry->d_name) < 0) {
      report_skip(entry->d_name, "the path is too long");
      continue;
    }
    result = walk(q, below, depth + 1);
  }
  closedir(folder);
  return result;
}

// -1: the queue is closed.
int walk(struct queue *q, const char *path, int depth) {
  struct stat about;

  if (depth > MAX_DEPTH) {
    report_skip(path, "too deep");
    return 0;
  }
  if (stat(path, &about) != 0) {
    report_error(path, strerror(errno));
    return 0;
  }
  if (S_ISREG(about.st_mode))
    return queue_put(q, path);
  if (S_ISDIR(about.st_mode))
    return walk_folder(q, path, depth);
  report_skip(path, "neither file nor folder");
  return 0;
}
