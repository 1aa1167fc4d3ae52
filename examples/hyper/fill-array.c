// What a function leaves in an array depends on what was there before, if it does not write all of it.
// property: forall p q: p.n == q.n ==> p'.a == q'.a
// function: fill
// expected: unsafe

void fill(int a[], int n) {
    for (int i = 1; i < n; i++)
        a[i] = i;
}
