// The command line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "log.h"
#include "options.h"

struct options options;

void usage(void) {
  fprintf(stderr, "usage: " PROGRAM " [-n threads] [-p port] [-o file] [-l bytes] [-q] [-r] url\n");
  fprintf(stderr, "  -n threads  how many parts are loaded at once (1 to %d)\n", MAX_THREADS);
  fprintf(stderr, "  -p port     port of the server, %d if not given\n", DEFAULT_PORT);
  fprintf(stderr, "  -o file     where to write; the last part of the URL if not given\n");
  fprintf(stderr, "  -l bytes    refuse larger files\n");
  fprintf(stderr, "  -q          no progress\n");
  fprintf(stderr, "  -r          go on where the last run stopped\n");
  fprintf(stderr, "  -v          version\n");
}

static int parse_number(const char *text, long low, long high, long *to) {
  char *end;
  long n = strtol(text, &end, 10);
  if (end == text || *end != '\0' || n < low || n > high)
    return -1;
  *to = n;
  return 0;
}

int parse_options(int argc, char *argv[]) {
  int c;
  long n;

  options.threads = DEFAULT_THREADS;
  options.port = DEFAULT_PORT;
  options.quiet = 0;
  options.resume = 0;
  options.limit = 0;
  options.output = NULL;
  options.url = NULL;

  while ((c = getopt(argc, argv, "n:p:o:l:qrvh")) != -1) {
    switch (c) {
    case 'n':
      if (parse_number(optarg, 1, MAX_THREADS, &n) < 0) {
        log_error("wrong number of threads: %s", optarg);
        return -1;
      }
      options.threads = (int)n;
      break;
    case 'p':
      if (parse_number(optarg, 1, 65535, &n) < 0) {
        log_error("wrong port: %s", optarg);
        return -1;
      }
      options.port = (int)n;
      break;
    case 'o':
      if (strlen(optarg) >= MAX_NAME) {
        log_error("name too long: %s", optarg);
        return -1;
      }
      options.output = optarg;
      break;
    case 'l':
      if (parse_number(optarg, 1, 1000000000, &n) < 0) {
        log_error("wrong limit: %s", optarg);
        return -1;
      }
      options.limit = n;
      break;
    case 'q':
      options.quiet = 1;
      break;
    case 'r':
      options.resume = 1;
      break;
    case 'v':
      printf(PROGRAM " " VERSION "\n");
      exit(0);
    case 'h':
      usage();
      exit(0);
    default:
      usage();
      return -1;
    }
  }
  if (optind >= argc) {
    usage();
    return -1;
  }
  options.url = argv[optind];
  return 0;
}
