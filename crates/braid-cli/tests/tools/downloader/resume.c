// What is complete already, in a file beside the output: one number for each part.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "log.h"
#include "resume.h"

static void resume_name(char *to, size_t room, const char *file) { snprintf(to, room, "%s.part", file); }

int resume_load(const char *file, struct part *parts, int count) {
  char name[MAX_NAME + 8], line[32];
  FILE *in;
  int i = 0;

  resume_name(name, sizeof(name), file);
  in = fopen(name, "r");
  if (in == NULL)
    return 0;
  while (i < count && fgets(line, sizeof(line), in) != NULL) {
    long offset = atol(line);
    if (offset < parts[i].first || offset > parts[i].last + 1) {
      log_error("%s is wrong", name);
      fclose(in);
      return -1;
    }
    parts[i].offset = offset;
    i++;
  }
  fclose(in);
  return i;
}

int resume_save(const char *file, const struct part *parts, int count) {
  char name[MAX_NAME + 8];
  FILE *out;

  resume_name(name, sizeof(name), file);
  out = fopen(name, "w");
  if (out == NULL) {
    log_error("cannot write %s", name);
    return -1;
  }
  for (int i = 0; i < count; i++)
    fprintf(out, "%ld\n", parts[i].offset);
  if (fclose(out) != 0)
    return -1;
  return 0;
}

void resume_remove(const char *file) {
  char name[MAX_NAME + 8];
  resume_name(name, sizeof(name), file);
  unlink(name);
}
