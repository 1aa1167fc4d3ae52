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
// The parts of a time after the beginning of 1970, in the Gregorian calendar. Years are counted from March on in eras of 400, so that the day that
// some years have more is the last one.
enum { DAY = 86400, ERA_DAYS = 146097, DAYS_BEFORE_1970 = 719468 };
static void split_time(long seconds, __auto_type to) {
  long rest = seconds % DAY, days = seconds / DAY;
  if (rest < 0) {
    rest = rest + DAY;
    days = days - 1;
  }
  long all = days + DAYS_BEFORE_1970;
  long era = (all >= 0 ? all : all - (ERA_DAYS - 1)) / ERA_DAYS, day_of_era = all - era * ERA_DAYS;
  long year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / (ERA_DAYS - 1)) / 365;
  long day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  long month = (5 * day_of_year + 2) / 153, year = year_of_era + era * 400 + (month >= 10 ? 1 : 0);
  _Bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  long weekday = (days + 4) % 7;
  to->tm_sec = rest % 60;
  to->tm_min = rest / 60 % 60;
  to->tm_hour = rest / 3600;
  to->tm_mday = day_of_year - (153 * month + 2) / 5 + 1;
  to->tm_mon = month < 10 ? month + 2 : month - 10;
  to->tm_year = year - 1900;
  to->tm_wday = weekday < 0 ? weekday + 7 : weekday;
  to->tm_yday = month < 10 ? day_of_year + 59 + leap : day_of_year - 306;
  to->tm_isdst = 0;
}
// How far the clocks are from those of Greenwich: the same for the whole run, and nobody knows.
static long zone;
static _Bool is_zone_known;
static long own_zone(void) {
  __VERIFIER_atomic_begin();
  if (!is_zone_known) {
    long quarters = __VERIFIER_nondet_long();
    __VERIFIER_assume(quarters >= -48 && quarters <= 56);
    zone = quarters * 900;
    is_zone_known = 1;
  }
  __VERIFIER_atomic_end();
  return zone;
}
__auto_type gmtime_r(const long *time, __auto_type to) {
  split_time(*time, to);
  return to;
}
__auto_type localtime_r(const long *time, __auto_type to) {
  split_time(*time + own_zone(), to);
  return to;
}
// One place for all that these give.
static int parts_of_time[16];
__auto_type localtime(const long *time) {
  __typeof__(__braid_result()) to = (void *)parts_of_time;
  return localtime_r(time, to);
}
__auto_type gmtime(const long *time) {
  __typeof__(__braid_result()) to = (void *)parts_of_time;
  return gmtime_r(time, to);
}
// Any text that has room; what is there where it has none, nobody knows.
unsigned long strftime(char *to, unsigned long size, const char *format, const void *parts) {
  unsigned long count = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(count < size || count == 0);
  for (unsigned long n = 0; n < count; n = n + 1) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(c != 0);
    to[n] = c;
  }
  if (count > 0) to[count] = 0;
  else if (size > 0) to[0] = __VERIFIER_nondet_char();
  return count;
}
// Any text as long as that of a date, with the end of a line. `asctime` and `ctime` have one place for it.
enum { DATE = 24 };
static char *any_date(char *to) {
  for (int n = 0; n < DATE; n = n + 1) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(c == ' ' || (c >= '0' && c <= ':') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
    to[n] = c;
  }
  to[DATE] = '\n';
  to[DATE + 1] = 0;
  return to;
}
static char date[DATE + 2];
char *asctime_r(__auto_type parts, char *to) {
  if (__braid_reads()) {
    int seconds = parts->tm_sec, day = parts->tm_wday;
  }
  return any_date(to);
}
char *ctime_r(const long *time, char *to) {
  long now = *time;
  return any_date(to);
}
char *asctime(__auto_type parts) { return asctime_r(parts, date); }
char *ctime(const long *time) { return ctime_r(time, date); }
unsigned sleep(unsigned seconds) { return 0; }
int usleep(unsigned microseconds) { return 0; }
int nanosleep(__auto_type duration, void *remaining) {
  if (__braid_reads()) {
    long seconds = duration->tv_sec, nanoseconds = duration->tv_nsec;
  }
  return 0;
}
int clock_nanosleep(int clock, int flags, __auto_type duration, void *remaining) { return nanosleep(duration, remaining); }
unsigned alarm(unsigned seconds) { return __VERIFIER_nondet_uint(); }
