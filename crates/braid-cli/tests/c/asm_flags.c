// expect: unknown (an `asm` statement is not supported
// Flags as outputs are written by no operand.
#include <assert.h>
int v = 1;
int main(void) { char c = 0; asm volatile("lock; decl %0" : "+m"(v), "=@ccz"(c)); assert(c == 0); }
