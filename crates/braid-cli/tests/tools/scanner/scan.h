// What all parts of the scanner know.
#ifndef SCAN_H
#define SCAN_H

enum {
  DEFAULT_THREADS = 2,
  MAX_THREADS = 4,
  MAX_PATH = 32,
  MAX_PATTERN = 16,
  MAX_DEPTH = 2,
  QUEUE_SIZE = 4,
  BLOCK_SIZE = 16,
};

enum exit_code {
  EXIT_FOUND = 0,
  EXIT_NOTHING = 1,
  EXIT_TROUBLE = 2,
};

#endif
