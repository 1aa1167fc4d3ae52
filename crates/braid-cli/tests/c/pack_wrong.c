// expect: unsafe
// What `#pragma pack` says ends where it is taken back.
#include "model.h"

#pragma pack(1)
struct dense { char c; int i; };
#pragma pack()
struct loose { char c; int i; };

int main() {
  check(sizeof(struct dense) == sizeof(struct loose));
}
