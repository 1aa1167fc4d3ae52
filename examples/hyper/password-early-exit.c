// The number of rounds tells how many digits of the secret were guessed.
// property: security:low=guess,n
// function: rounds
// expected: unsafe

int secret[8];
int guess[8];

int rounds(int n) {
    int count = 0;
    for (int i = 0; i < n && i < 8; i++) {
        if (secret[i] != guess[i]) return count;
        count++;
    }
    return count;
}
