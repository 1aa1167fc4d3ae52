// property: valid-deref
// A list of addresses is gone when it is freed.
#include <netdb.h>
int main(void) {
  struct addrinfo *list;
  if (getaddrinfo("localhost", "80", 0, &list)) return 0;
#ifdef BUG
  freeaddrinfo(list);
  return list->ai_family == 2;
#else
  int family = list->ai_family;
  freeaddrinfo(list);
  return family == 2;
#endif
}
