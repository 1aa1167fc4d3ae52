// expect: safe
// options: --data-model ilp32
// GCC gives objects of 64 bits more than their types need, but not in structs.
extern void reach_error(void);
struct s { long long x; };
long long v, *p, a[2];
int main(void) {
    struct s w;
    if (_Alignof(long long) != 4 || __alignof__(long long) != 8) reach_error();
    if (_Alignof(double) != 4 || __alignof__(double) != 8) reach_error();
    if (_Alignof(struct s) != 4 || __alignof__(struct s) != 4 || __alignof__(w.x) != 4) reach_error();
    if (__alignof__(v) != 8 || __alignof__(*p) != 8 || __alignof__(a[1]) != 8 || _Alignof(long long[3]) != 4) reach_error();
    return 0;
}
