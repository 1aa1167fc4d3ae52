// Time. A clock shows a time between 1970 and 2242 (with 32 bits, 2037): so what a program adds fits, and nanoseconds fit into 64 bits.
enum { NANOSECONDS = 1000000000 };
static long any_time(void) {
  long t = __VERIFIER_nondet_long();
  __VERIFIER_assume(t >= 0 && t < (sizeof(long) > 4 ? 8589934592 : 0x7fff0000));
  return t;
}
static long below(long limit) {
  long n = __VERIFIER_nondet_long();
  __VERIFIER_assume(n >= 0 && n < limit);
  return n;
}
long time(long *to) {
  long t = any_time();
  if (to) *to = t;
  return t;
}
// Of these, no thread sees one go back.
static _Thread_local long last_clock, last_seconds, last_nanoseconds;
long clock(void) {
  long t = any_time();
  __VERIFIER_assume(t >= last_clock);
  last_clock = t;
  return t;
}
int clock_gettime(int clock, __auto_type to) {
  long seconds = any_time(), nanoseconds = below(NANOSECONDS);
  // The first one is the time of day.
  if (clock != 0) {
    __VERIFIER_assume(seconds > last_seconds || (seconds == last_seconds && nanoseconds >= last_nanoseconds));
    last_seconds = seconds;
    last_nanoseconds = nanoseconds;
  }
  to->tv_sec = seconds;
  to->tv_nsec = nanoseconds;
  return 0;
}
int clock_getres(int clock, __auto_type to) {
  to->tv_sec = 0;
  to->tv_nsec = 1 + below(NANOSECONDS - 1);
  return 0;
}
double difftime(long end, long start) { return (double)end - (double)start; }
int timespec_get(__auto_type to, int base) {
  to->tv_sec = any_time();
  to->tv_nsec = below(1000000000);
  return base;
}
int gettimeofday(__auto_type to, void *zone) {
  to->tv_sec = any_time();
  to->tv_usec = below(1000000);
  return 0;
}
__auto_type localtime_r(const long *time, __auto_type to) {
  long now = *time;
  to->tm_sec = below(61);
  to->tm_min = below(60);
  to->tm_hour = below(24);
  to->tm_mday = 1 + below(31);
  to->tm_mon = below(12);
  to->tm_year = 70 + below(173);
  to->tm_wday = below(7);
  to->tm_yday = below(366);
  to->tm_isdst = below(2);
  return to;
}
__auto_type gmtime_r(const long *time, __auto_type to) { return localtime_r(time, to); }
char *ctime(const long *time) {
  long now = *time;
  return "Thu Jan  1 00:00:00 1970\n";
}
char *asctime(const void *parts) { return "Thu Jan  1 00:00:00 1970\n"; }
unsigned sleep(unsigned seconds) { return 0; }
int usleep(unsigned microseconds) { return 0; }
int nanosleep(const void *duration, void *remaining) { return 0; }
int clock_nanosleep(int clock, int flags, const void *duration, void *remaining) { return 0; }
unsigned alarm(unsigned seconds) { return __VERIFIER_nondet_uint(); }
