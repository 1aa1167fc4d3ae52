// expect: safe
// Attributes that change layouts, types and the order of what runs.
#include "model.h"

#pragma pack(push, 1)
struct dense { char c; int i; short s; };
#pragma pack(2)
struct half { char c; int i; };
#pragma pack(pop)
struct loose { char c; int i; };
struct __attribute__((packed)) packed { char c; long long l; };
struct partly { char c; int i __attribute__((packed)); short s; };
struct __attribute__((aligned(32))) wide { char c; };
typedef int strict __attribute__((aligned(16)));
struct around { char c; strict s; };
typedef unsigned word __attribute__((mode(DI)));
typedef union { int *i; char *c; } either __attribute__((transparent_union));
enum __attribute__((packed)) tiny { one = 1 };
int line __attribute__((aligned(64)));
_Alignas(8) char letter;

static int order;
static void __attribute__((constructor)) last(void) { order = order * 10 + 1; }
static void __attribute__((constructor(102))) second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 3; }

int main() {
  check(sizeof(struct dense) == 7 && sizeof(struct half) == 6 && sizeof(struct loose) == 8);
  check(__builtin_offsetof(struct dense, s) == 5 && __builtin_offsetof(struct half, i) == 2);
  check(sizeof(struct packed) == 9 && sizeof(struct partly) == 8 && _Alignof(struct partly) == 2);
  check(sizeof(struct wide) == 32 && sizeof(struct around) == 32 && _Alignof(strict) == 16);
  check(sizeof(word) == 8 && (word)-1 > 0 && sizeof(enum tiny) == 1);
  check(__alignof__(line) == 64 && __alignof__(letter) == 8);
  check(order == 321);
}
