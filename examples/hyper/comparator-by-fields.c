// A comparator that compares the larger part first: it is transitive.
// property: transitivity
// function: compare
// expected: safe

int compare(int a, int b) {
    if (a / 10 < b / 10) return -1;
    if (a / 10 > b / 10) return 1;
    if (a < b) return -1;
    if (a > b) return 1;
    return 0;
}
