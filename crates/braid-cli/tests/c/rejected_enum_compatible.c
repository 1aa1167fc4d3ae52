// expect: unknown (whether types are compatible that could be enumerations is not supported
// Two enumerations are two types.
enum a { A };
enum b { B };
int main(void) { return __builtin_types_compatible_p(enum a, enum b); }
