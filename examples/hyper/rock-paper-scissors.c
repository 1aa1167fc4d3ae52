// Who wins? Not an order: rock beats scissors, scissors beat paper, paper beats rock.
// property: transitivity
// function: beats
// expected: unsafe

int beats(int a, int b) {
    if (a < 0 || a > 2 || b < 0 || b > 2) return 0;
    if (a == b) return 0;
    if (a - b == 1 || b - a == 2) return 1;
    return -1;
}
