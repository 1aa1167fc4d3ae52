// expect: unsafe
// options: --property no-overflow
// The last bit of an int is its sign.
int main(void) {
    int mask = 0;
    for (int bit = 0; bit < 32; bit++) mask |= 1 << bit;
    return mask == 0;
}
