// Options and their defaults.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "scan.h"
#include "settings.h"

struct settings settings = {
  .threads = DEFAULT_THREADS,
};

void settings_usage(const char *program) {
  fprintf(stderr, "usage: %s [-t threads] [-m matches] [-o log] [-ilqvh] pattern path...\n", program);
  fprintf(stderr, "  -t threads  how many files are read at once (1 to %d)\n", MAX_THREADS);
  fprintf(stderr, "  -m matches  stop after so many\n");
  fprintf(stderr, "  -o log      write what happens to this file\n");
  fprintf(stderr, "  -i          upper and lower case are the same\n");
  fprintf(stderr, "  -l          print names of files only\n");
  fprintf(stderr, "  -q          print nothing\n");
  fprintf(stderr, "  -v          print what is left out\n");
}

static int number(const char *text, int most) {
  char *end;
  long n = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || n < 1 || n > most)
    return -1;
  return (int)n;
}

int settings_read(int argc, char *argv[]) {
  int c;
  while ((c = getopt(argc, argv, "t:m:o:ilqvh")) != -1) {
    switch (c) {
    case 't':
      settings.threads = number(optarg, MAX_THREADS);
      if (settings.threads < 0) {
        fprintf(stderr, "%s: between 1 and %d threads, not %s\n", argv[0], MAX_THREADS, optarg);
        return -1;
      }
      break;
    case 'm':
      settings.max_matches = number(optarg, 1000000);
      if (settings.max_matches < 0) {
        fprintf(stderr, "%s: %s is no number of matches\n", argv[0], optarg);
        return -1;
      }
      break;
    case 'o':
      settings.log_name = optarg;
      break;
    case 'i':
      settings.ignore_case = 1;
      break;
    case 'l':
      settings.list_only = 1;
      break;
    case 'q':
      settings.quiet = 1;
      break;
    case 'v':
      settings.verbose = 1;
      break;
    case 'h':
      settings_usage(argv[0]);
      exit(EXIT_SUCCESS);
    default:
      settings_usage(argv[0]);
      return -1;
    }
  }
  if (argc - optind < 2) {
    settings_usage(argv[0]);
    return -1;
  }
  settings.pattern = argv[optind];
  settings.first_path = optind + 1;
  if (strlen(settings.pattern) == 0 || strlen(settings.pattern) >= MAX_PATTERN) {
    fprintf(stderr, "%s: the pattern is empty or too long\n", argv[0]);
    return -1;
  }
  return 0;
}
