// All digits are looked at, and the number of rounds is all that is told.
// property: security:low=guess,n
// function: rounds
// expected: safe

int secret[8];
int guess[8];
int same;

int rounds(int n) {
    int count = 0;
    for (int i = 0; i < n && i < 8; i++) {
        if (secret[i] == guess[i]) same = same + 1;
        count++;
    }
    return count;
}
