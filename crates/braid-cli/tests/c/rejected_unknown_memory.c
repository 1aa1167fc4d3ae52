// expect: unknown (it is not known what this pointer points to
// What an unknown function returns cannot be looked at.
#include "model.h"

int *somewhere(void);
int main() { return *somewhere(); }
