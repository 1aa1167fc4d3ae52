// What all parts of the downloader know.
#ifndef DEFS_H
#define DEFS_H

#define PROGRAM "fetch"
#define VERSION "0.3"

enum {
  DEFAULT_THREADS = 3,
  MAX_THREADS = 4,
  MAX_HOST = 24,
  MAX_PATH = 24,
  MAX_NAME = 24,
  MAX_HEADER = 96,
  BUFFER_SIZE = 16,
  MAX_RETRIES = 2,
  DEFAULT_PORT = 80,
};

enum status {
  STATUS_OK = 0,
  STATUS_URL,
  STATUS_RESOLVE,
  STATUS_CONNECT,
  STATUS_SEND,
  STATUS_RECEIVE,
  STATUS_HEADER,
  STATUS_FILE,
  STATUS_INTERRUPTED,
};

// Where the file comes from and where it goes.
struct request {
  char host[MAX_HOST];
  char path[MAX_PATH];
  char file[MAX_NAME];
  int port;
  int fd;
  long length;
  int threads;
};

// What one thread loads: bytes first to last of the file, and how far it is.
struct part {
  int id;
  long first;
  long last;
  long offset;
  int retries;
  enum status status;
  struct request *request;
};

#endif
