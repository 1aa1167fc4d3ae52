// Names and numbers of the network. What comes from it is anything; connections are what any function without a body gives.

// The lowest byte of a number comes first here, and last on the way.
unsigned short htons(unsigned short n) { return (unsigned short)(n % 256 * 256 + n / 256); }
unsigned short ntohs(unsigned short n) { return (unsigned short)(n % 256 * 256 + n / 256); }
static unsigned swapped(unsigned n) { return n % 256 * 16777216 + n / 256 % 256 * 65536 + n / 65536 % 256 * 256 + n / 16777216; }
unsigned htonl(unsigned n) { return swapped(n); }
unsigned ntohl(unsigned n) { return swapped(n); }

// Any text of at most so many characters that has room.
static char *any_text(char *to, unsigned long room, unsigned long most) {
  unsigned long length = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(length < room && length <= most);
  for (unsigned long n = 0; n < length; n = n + 1) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(c != 0);
    to[n] = c;
  }
  to[length] = 0;
  return to;
}
// The bytes of an address, the first one of the network's order first.
static _Thread_local char last_address[16];
static int put_part(int at, unsigned part) {
  if (part >= 100) { last_address[at] = (char)('0' + part / 100); at = at + 1; }
  if (part >= 10) { last_address[at] = (char)('0' + part / 10 % 10); at = at + 1; }
  last_address[at] = (char)('0' + part % 10);
  return at + 1;
}
char *inet_ntoa(__auto_type address) {
  unsigned rest = address.s_addr;
  int at = put_part(0, rest % 256);
  for (int n = 1; n < 4; n = n + 1) {
    rest = rest / 256;
    last_address[at] = '.';
    at = put_part(at + 1, rest % 256);
  }
  last_address[at] = 0;
  return last_address;
}
const char *inet_ntop(int family, const void *address, char *to, unsigned size) {
  _Bool failed = __VERIFIER_nondet_bool();
  if (!failed) any_text(to, size, 45);
  return failed ? (const char *)0 : to;
}
int gethostname(char *to, unsigned long size) {
  _Bool failed = __VERIFIER_nondet_bool();
  if (!failed) any_text(to, size, 64);
  return failed ? -1 : 0;
}

// Each address of a list has a socket's address of 128 bytes, as the largest one has. That a list has at most two is assumed, and said.
static void *new_address(__auto_type like) {
  __typeof__(like) address = malloc(sizeof(*like));
  __VERIFIER_assume(address != 0);
  __typeof__(*like) any;
  *address = any;
  _Bool is_long = __VERIFIER_nondet_bool();
  address->ai_family = is_long ? 10 : 2;
  address->ai_addrlen = is_long ? 28 : 16;
  address->ai_addr = malloc(128);
  __VERIFIER_assume(address->ai_addr != 0);
  address->ai_canonname = 0;
  address->ai_next = 0;
  return address;
}
int getaddrinfo(const char *name, const char *service, const void *hints, __auto_type to) {
  int error = __VERIFIER_nondet_int();
  __VERIFIER_assume(error <= 0);
  if (error == 0) {
    *to = new_address(*to);
    if (__VERIFIER_nondet_bool()) (*to)->ai_next = new_address(*to);
  }
  return error;
}
void freeaddrinfo(__auto_type list) {
  while (list) {
    __typeof__(list) next = list->ai_next;
    free(list->ai_addr);
    free(list);
    list = next;
  }
}
