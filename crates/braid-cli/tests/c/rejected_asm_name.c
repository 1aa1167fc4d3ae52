// expect: unknown (the assembler name `y` of a definition is not supported
// Two names for one variable.
int y;
extern int x asm("y");
int main(void) { return x; }
