// expect: safe
// options: --property unreach-call
// Times as the calendar has them; GCC's library says the same.
#include <assert.h>
#include <time.h>
int main(void) {
  { time_t t = 7217157532L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 52 && m.tm_min == 58 && m.tm_hour == 21 && m.tm_mday == 13 && m.tm_mon == 8 && m.tm_year == 298 && m.tm_wday == 4 && m.tm_yday == 255 && m.tm_isdst == 0); }
  { time_t t = 1240239896L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 56 && m.tm_min == 4 && m.tm_hour == 15 && m.tm_mday == 20 && m.tm_mon == 3 && m.tm_year == 109 && m.tm_wday == 1 && m.tm_yday == 109 && m.tm_isdst == 0); }
  { time_t t = 2431803812L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 32 && m.tm_min == 3 && m.tm_hour == 21 && m.tm_mday == 22 && m.tm_mon == 0 && m.tm_year == 147 && m.tm_wday == 2 && m.tm_yday == 21 && m.tm_isdst == 0); }
  { time_t t = 6858547660L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 40 && m.tm_min == 7 && m.tm_hour == 8 && m.tm_mday == 4 && m.tm_mon == 4 && m.tm_year == 287 && m.tm_wday == 5 && m.tm_yday == 123 && m.tm_isdst == 0); }
  { time_t t = 5683507524L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 24 && m.tm_min == 5 && m.tm_hour == 8 && m.tm_mday == 7 && m.tm_mon == 1 && m.tm_year == 250 && m.tm_wday == 6 && m.tm_yday == 37 && m.tm_isdst == 0); }
  { time_t t = -2598013956L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 24 && m.tm_min == 27 && m.tm_hour == 9 && m.tm_mday == 3 && m.tm_mon == 8 && m.tm_year == -13 && m.tm_wday == 6 && m.tm_yday == 245 && m.tm_isdst == 0); }
  { time_t t = 2879541544L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 4 && m.tm_min == 39 && m.tm_hour == 0 && m.tm_mday == 1 && m.tm_mon == 3 && m.tm_year == 161 && m.tm_wday == 5 && m.tm_yday == 90 && m.tm_isdst == 0); }
  { time_t t = 4451558320L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 40 && m.tm_min == 58 && m.tm_hour == 15 && m.tm_mday == 24 && m.tm_mon == 0 && m.tm_year == 211 && m.tm_wday == 6 && m.tm_yday == 23 && m.tm_isdst == 0); }
  { time_t t = -1908900700L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 20 && m.tm_min == 48 && m.tm_hour == 5 && m.tm_mday == 6 && m.tm_mon == 6 && m.tm_year == 9 && m.tm_wday == 2 && m.tm_yday == 186 && m.tm_isdst == 0); }
  { time_t t = 4758565684L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 4 && m.tm_min == 48 && m.tm_hour == 23 && m.tm_mday == 16 && m.tm_mon == 9 && m.tm_year == 220 && m.tm_wday == 3 && m.tm_yday == 289 && m.tm_isdst == 0); }
  { time_t t = 1953325800L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 0 && m.tm_min == 30 && m.tm_hour == 22 && m.tm_mday == 24 && m.tm_mon == 10 && m.tm_year == 131 && m.tm_wday == 1 && m.tm_yday == 327 && m.tm_isdst == 0); }
  { time_t t = 1106992812L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 12 && m.tm_min == 0 && m.tm_hour == 10 && m.tm_mday == 29 && m.tm_mon == 0 && m.tm_year == 105 && m.tm_wday == 6 && m.tm_yday == 28 && m.tm_isdst == 0); }
  { time_t t = 3133474760L; struct tm m; gmtime_r(&t, &m); assert(m.tm_sec == 20 && m.tm_min == 39 && m.tm_hour == 1 && m.tm_mday == 18 && m.tm_mon == 3 && m.tm_year == 169 && m.tm_wday == 4 && m.tm_yday == 107 && m.tm_isdst == 0); }
  return 0;
}
