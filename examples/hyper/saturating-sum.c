// A sum that saturates is not associative when numbers have signs.
// property: associativity
// function: add
// expected: unsafe

int add(int a, int b) {
    int sum = a + b;
    if (sum > 100) return 100;
    if (sum < -100) return -100;
    return sum;
}
