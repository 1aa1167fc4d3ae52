// expect: safe
// options: --property no-overflow
int main(void) {
    int mask = 0;
    for (int bit = 0; bit < 31; bit++) mask |= 1 << bit;
    return mask == 0;
}
