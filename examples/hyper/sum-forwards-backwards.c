// Counting up and counting down add the same numbers.
// property: equivalence:down
// function: up
// expected: safe

unsigned up(unsigned n, unsigned x) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += x;
    return sum;
}

unsigned down(unsigned m, unsigned x) {
    unsigned sum = 0;
    while (m > 0) {
        sum += x;
        m--;
    }
    return sum;
}
