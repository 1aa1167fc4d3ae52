// expect: safe
// expect -D WRONG: unsafe
// expect -D LIST: unsafe
// The text of an address has its bytes in their order, and a name may have more than one address.
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <string.h>
int main(void) {
  struct in_addr address;
  address.s_addr = htonl(0x0a0100ff);
  assert(strcmp(inet_ntoa(address), "10.1.0.255") == 0);
#ifdef WRONG
  address.s_addr = 0;
  assert(strlen(inet_ntoa(address)) > 7);
#endif
#ifdef LIST
  struct addrinfo *list;
  if (getaddrinfo("localhost", "80", 0, &list)) return 0;
  int n = 0;
  for (struct addrinfo *at = list; at; at = at->ai_next) n++;
  assert(n < 2);
#endif
  return 0;
}
