// Settings from a file: lines such as `level = debug`; what comes behind # does not count.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "config.h"

static const char *const level_names[TRACE_LEVELS] = {"error", "warning", "info", "debug"};

void config_default(struct config *c) {
  c->level = TRACE_INFO;
  c->units = TRACE_ALL_UNITS;
  c->flush = 0;
}

static char *trim(char *text) {
  char *end;
  while (isspace((unsigned char)*text))
    text++;
  end = text + strlen(text);
  while (end > text && isspace((unsigned char)end[-1]))
    end--;
  *end = '\0';
  return text;
}

static int level_of(const char *name) {
  for (int i = 0; i < TRACE_LEVELS; i++)
    if (strcmp(name, level_names[i]) == 0)
      return i;
  return -1;
}

// 0 if the line makes sense.
int config_line(struct config *c, char *line) {
  char *hash = strchr(line, '#'), *equals, *key, *value;
  if (hash != NULL)
    *hash = '\0';
  key = trim(line);
  if (*key == '\0')
    return 0;
  equals = strchr(key, '=');
  if (equals == NULL)
    return -1;
  *equals = '\0';
  value = trim(equals + 1);
  key = trim(key);
  if (strcmp(key, "level") == 0) {
    int level = level_of(value);
    if (level < 0)
      return -1;
    c->level = (enum trace_level)level;
  } else if (strcmp(key, "units") == 0) {
    c->units = (unsigned)strtoul(value, NULL, 0);
  } else if (strcmp(key, "flush") == 0) {
    c->flush = atoi(value);
  } else {
    return -1;
  }
  return 0;
}

int config_read(struct config *c, const char *file) {
  char line[CONFIG_LINE];
  int number = 0, wrong = 0;
  FILE *in = fopen(file, "r");
  if (in == NULL)
    return -1;
  while (fgets(line, sizeof(line), in) != NULL) {
    number++;
    if (config_line(c, line) < 0) {
      fprintf(stderr, "%s:%d: not understood\n", file, number);
      wrong++;
    }
  }
  fclose(in);
  return wrong == 0 ? 0 : -1;
}
