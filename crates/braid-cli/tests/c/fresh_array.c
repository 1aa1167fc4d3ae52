// expect: unsafe
// An array that is declared in a loop is a new one in each round.
void reach_error(void) {}
int main(void) {
    for (int i = 0; i < 2; i++) {
        int a[2];
        if (i == 1 && a[1] != 5) reach_error();
        a[0] = 5;
        a[1] = 5;
    }
    return 0;
}
