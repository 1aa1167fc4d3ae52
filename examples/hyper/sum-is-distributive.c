// Multiplication by repeated addition distributes over the sum, whatever number of rounds it takes.
// property: forall a b n: times(a + b, n) == times(a, n) + times(b, n)
// expected: safe

int times(int x, int n) {
    int product = 0;
    for (int i = 0; i < n; i++)
        product += x;
    return product;
}
