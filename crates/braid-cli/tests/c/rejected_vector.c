// expect: unknown (the attribute `vector_size` is not supported
// Vectors are no numbers.
typedef int four __attribute__((vector_size(16)));
int main(void) { four x; }
