//! Operators, conversions, places.

use crate::{check, check_body, check_in};
use braid_frontend::c::tree::DataModel;
use expect_test::expect;

#[test]
fn promotions_and_common_types() {
    check_body(
        "i = c + h; l = i + l; u = i + u; ll = u + ll; ul = l + ul; d = i + d; f = f + c; i = b + b; l = u + l; c = c + 1; b = i; b = p; h = -c; i = ~h; u = +c;",
        expect![[r#"
            i = ((int)c + (int)h);
            l = ((long)i + l);
            u = ((unsigned int)i + u);
            ll = ((long long)u + ll);
            ul = ((unsigned long)l + ul);
            d = ((double)i + d);
            f = (f + (float)c);
            i = ((int)b + (int)b);
            l = ((long)u + l);
            c = (char)((int)c + 1);
            b = (_Bool)i;
            b = (_Bool)p;
            h = (short)-(int)c;
            i = ~(int)h;
            u = (unsigned int)c;
        "#]],
    );
}

#[test]
fn the_data_model_decides_common_types() {
    check_in(
        DataModel::Ilp32,
        "long l; unsigned u; unsigned long ul; long long ll; int main() { l = l + u; ll = ul + ll; l = sizeof l; return 4294967295 > 0; }",
        expect![[r#"
            ILP32
            static long l
            static unsigned int u
            static long long ll
            static unsigned long ul
            int main(open) {
              l = (long)((unsigned long)l + (unsigned long)u);
              ll = ((long long)ul + ll);
              l = 4;
              return 1;
            }
        "#]],
    );
}

#[test]
fn literals_have_the_first_type_that_holds_them() {
    check_body(
        "ul = 1; ul = 1u; ul = 2147483648; ul = 0x80000000; ul = 1l; ul = 1ull; ul = 0xffffffffffffffff; i = 'a'; i = '\\n'; i = '\\377'; i = '\\x41'; i = 'ab'; i = 010; i = 0b11; d = 1.5; d = 1e3f; d = 0x1p3; i = L'x';",
        expect![[r#"
            ul = 1:unsigned long;
            ul = 1:unsigned long;
            ul = 2147483648:unsigned long;
            ul = 2147483648:unsigned long;
            ul = 1:unsigned long;
            ul = 1:unsigned long;
            ul = 18446744073709551615:unsigned long;
            i = 97;
            i = 10;
            i = -1;
            i = 65;
            i = 24930;
            i = 8;
            i = 3;
            d = float:4609434218613702656:double;
            d = float:4652007308841189376:double;
            d = float:4620693217682128896:double;
            i = 120;
        "#]],
    );
}

#[test]
fn comparisons_and_logic() {
    check_body(
        "i = c < l; i = i < u; i = p == 0; i = p != q; i = !p; i = p && d; i = i || c; i = p == v; i = 0 == p;",
        expect![[r#"
            i = ((long)c < l);
            i = ((unsigned int)i < u);
            i = (p == 0:int *);
            i = (p != q);
            i = !p;
            i = (p && d);
            i = (i || c);
            i = (p == v);
            i = (0:int * == p);
        "#]],
    );
}

#[test]
fn shifts_keep_the_left_type() {
    check_body(
        "i = c << l; l = u >> c; l <<= i; c >>= 1; u <<= ll;",
        expect![[r#"
        i = ((int)c << l);
        l = (long)(u >> (int)c);
        l <<=:long (long)i;
        c >>=:int 1;
        u <<=:unsigned int (unsigned int)ll;
    "#]],
    );
}

#[test]
fn constants_fold_unless_they_overflow() {
    check_body(
        "i = -1; i = 2 * 3 + 4; u = -1u; i = 2147483647 + 1; i = 1 / 0; i = 1 << 3; i = 5 > 3; l = -2147483648; c = 300; b = 2; p = 0; i = 7 % -4;",
        expect![[r#"
            i = -1;
            i = 10;
            u = 4294967295:unsigned int;
            i = (2147483647 + 1);
            i = (1 / 0);
            i = 8;
            i = 1;
            l = -2147483648:long;
            c = 44:char;
            b = 1:_Bool;
            p = 0:int *;
            i = 3;
        "#]],
    );
}

#[test]
fn compound_assignment_computes_in_the_common_type() {
    check_body(
        "c += i; c += 1; i += l; i *= d; p += 2; p -= c; b |= 4; c++; --u; p++; --p; d++; S.bits += 1;",
        expect![[r#"
            c +=:int i;
            c +=:int 1;
            i +=:long l;
            i *=:double d;
            p +=:int 2*4;
            p -=:int (int)c*4;
            b |=:int 4;
            c +=:int 1 (old);
            u -=:unsigned int 1:unsigned int;
            p +=:int 1*4 (old);
            p -=:int 1*4;
            d +=:double float:4607182418800017408:double (old);
            S.bits +=:int 1;
        "#]],
    );
}

#[test]
fn pointers_and_arrays() {
    check_body(
        "p = a; p = &a[1]; i = *a; i = *(a + 1); i = a[i]; i = i[a]; i = m[1][2]; p = m[1]; i = p[2]; p = p + i; p = p - 1; l = p - q; i = *&j; p = &*q; v = &m; cp = (char *)p + 4; p = v; p = 5; i = p;",
        expect![[r#"
            p = &a;
            p = &a[1];
            i = a[0];
            i = a[1];
            i = a[i];
            i = a[i];
            i = m[1][2];
            p = &m[1];
            i = *(p + 2*4);
            p = (p + i*4);
            p = (p - 1*4);
            l = ((p - q)/4);
            i = j;
            p = q;
            v = (void *)&m;
            cp = ((char *)p + 4*1);
            p = (int *)v;
            p = 5:int *;
            i = (int)p;
        "#]],
    );
}

#[test]
fn records() {
    check_body(
        "S.a = 1; P->a = 2; (*P).b = 3; i = P->next->next->a; p = &P->a; S = *P; i = S.bits; S.bits = i; S.list[2] = P->list[i]; p = S.list;",
        expect![[r#"
            S.a = 1;
            *P.a = 2;
            *P.b = 3:char;
            i = ***P.next.next.a;
            p = &*P.a;
            S = *P;
            i = (int)S.bits;
            S.bits = (unsigned int)i;
            S.list[2] = *P.list[i];
            p = &S.list;
        "#]],
    );
}

#[test]
fn functions_and_calls() {
    check_body(
        "g(c, i); fp = g; fp = &g; fp(1, 2); (*fp)(1, 2); (**g)(1, 2); i = g(1, 2) + 1; unknown(c, f); (fp ? fp : g)(1, 1);",
        expect![[r#"
            g((int)c, (char)i);
            fp = g;
            fp = g;
            (*fp)(1, 2:char);
            (*fp)(1, 2:char);
            g(1, 2:char);
            i = (g(1, 2:char) + 1);
            unknown((int)c, (double)f);
            (*(fp ? fp : g))(1, 1:char);
        "#]],
    );
}

#[test]
fn conditionals_find_a_common_type() {
    check_body(
        "i = b ? c : l; p = b ? p : 0; v = b ? v : p; i ?: c; p = b ? (void *)0 : p; b ? (void)1 : g(1, 2); S = b ? S : *P;",
        expect![[r#"
            i = (int)(b ? (long)c : l);
            p = (b ? p : 0:int *);
            v = (b ? v : (void *)p);
            (i ?  : (int)c);
            p = (b ? 0:int * : p);
            (b ? (void)1 : g(1, 2:char));
            S = (b ? S : *P);
        "#]],
    );
}

#[test]
fn sizes_and_offsets_are_constants() {
    check_body(
        "ul = sizeof(int); ul = sizeof a; ul = sizeof m[0]; ul = sizeof(struct s); ul = sizeof \"abc\"; ul = sizeof(c + c); ul = sizeof(char[3]); ul = _Alignof(long); ul = __alignof__(S); ul = __builtin_offsetof(struct s, list[2]); ul = (unsigned long)&((struct s *)0)->next; ul = sizeof g; ul = sizeof (g(1, 2)); ul = sizeof(i++);",
        expect![[r#"
            ul = 4:unsigned long;
            ul = 40:unsigned long;
            ul = 12:unsigned long;
            ul = 40:unsigned long;
            ul = 4:unsigned long;
            ul = 4:unsigned long;
            ul = 3:unsigned long;
            ul = 8:unsigned long;
            ul = 8:unsigned long;
            ul = 28:unsigned long;
            ul = 8:unsigned long;
            ul = 1:unsigned long;
            ul = 4:unsigned long;
            ul = 4:unsigned long;
        "#]],
    );
}

#[test]
fn strings_share_their_numbers() {
    check_body(
        "cp = \"a\\tb\" \"c\"; c = \"abc\"[1]; cp = \"abc\"; v = &\"abc\"; cp = __func__; i = sizeof __func__;",
        expect![[r#"
            cp = "a\tbc";
            c = *("abc" + 1*1);
            cp = "abc";
            v = (void *)(char [4] *)"abc";
            cp = "main";
            i = 5;
        "#]],
    );
}

#[test]
fn statement_expressions_and_commas() {
    check_body(
        "i = ({ int t = 1; t + c; }); ({ i; ; }); ({ if (i) j = 1; }); i = (j++, c); for (i = 0, j = 1; i < j; i++, j--) ;",
        expect![[r#"
            i = ({ int t = 1; (t + (int)c); });
            ({ i; ; });
            ({ if i { j = 1; } });
            i = (int)(j +=:int 1 (old), c);
            for
            (i = 0, j = 1);
            ; (i < j); (i +=:int 1 (old), j -=:int 1 (old)) {
            ;
            }
        "#]],
    );
}

#[test]
fn compound_literals() {
    check_body(
        "p = (int[]){1, 2}; S = (struct s){ .a = 1 }; P = &(struct s){ 2 }; i = (int){3}; i = (struct s){4}.a;",
        expect![[r#"
            p = &*((int [2] literal#1 = { 0: 1, 1: 2 }), &literal#1);
            S = (struct s literal#3 = { 0: 1 });
            P = ((struct s literal#5 = { 0: 2 }), &literal#5);
            i = (int literal#7 = 3);
            i = *((struct s literal#8 = { 0: 4 }), &literal#8).a;
        "#]],
    );
}

#[test]
fn values_of_records_can_be_looked_into() {
    check(
        "struct s { int a; } f(void); int main(void) { struct s x, y; return f().a + (x = y).a; }",
        expect![[r#"
        LP64
        struct s { int a @0 } size 4
        int main() {
          struct s x;
          struct s y;
          return (*((struct s value#2 = f()), &value#2).a + *((struct s value#3 = x = y), &value#3).a);
        }
        struct s f();
    "#]],
    );
}

#[test]
fn builtins() {
    check_body(
        "if (__builtin_expect(!!(i), 0)) ; i = __builtin_constant_p(3) + __builtin_constant_p(i); i = __builtin_types_compatible_p(int, const int) + __builtin_types_compatible_p(int *, long *); l = __builtin_choose_expr(1, c, p); __builtin_memset(p, 0, 4); __builtin_unreachable(); i = _Generic(l, int: 1, long: 2, default: 3); i = _Generic(p, int *: g(1, 2), default: 3); v = __builtin_malloc(4);",
        expect![[r#"
            if (long)!!i {
            ;
            }
            i = 1;
            i = 1;
            l = (long)c;
            memset(p, 0, 4);
            __builtin_unreachable();
            i = 2;
            i = g(1, 2:char);
            v = malloc(4);
        "#]],
    );
}

#[test]
fn atomic_builtins_have_the_type_that_is_pointed_to() {
    check_body(
        "l = __atomic_load_n(&l, 5); __atomic_store_n(&c, i, 5); c = __atomic_fetch_add(&c, 1, 5); i = __sync_bool_compare_and_swap(&i, c, l); l = __sync_val_compare_and_swap(&l, 1, 2); __sync_synchronize(); b = __atomic_compare_exchange_n(&i, p, 3, 0, 5, 5); __atomic_exchange(&i, p, q, 5); p = __atomic_exchange_n(&p, q, 5);",
        expect![[r#"
            l = __atomic_load_n(&l, 5);
            __atomic_store_n(&c, i, 5);
            c = __atomic_fetch_add(&c, 1, 5);
            i = (int)__sync_bool_compare_and_swap(&i, (int)c, l);
            l = __sync_val_compare_and_swap(&l, 1, 2);
            __sync_synchronize();
            b = __atomic_compare_exchange_n(&i, p, 3, 0:_Bool, 5, 5);
            __atomic_exchange(&i, p, q, 5);
            p = __atomic_exchange_n(&p, q, 5);
        "#]],
    );
}

#[test]
fn casts() {
    check_body(
        "(void)i; c = (char)i; i = (int)3.5; l = (long)p; p = (int *)l; v = (void *)1; u = (unsigned)-1; l = (_Bool)7; i = (int)(char)200; fp = (int (*)(int, char))v;",
        expect![[r#"
            (void)i;
            c = (char)i;
            i = 3;
            l = (long)p;
            p = (int *)l;
            v = 1:void *;
            u = 4294967295:unsigned int;
            l = 1:long;
            i = -56;
            fp = (int (*)(int, char))v;
        "#]],
    );
}

#[test]
fn typeof_and_auto() {
    check_body(
        "__typeof__(i) x = 1; typeof(*p) y; __typeof__(a) z; __auto_type w = c; __auto_type r = a; const int k = 3; __typeof__((void)0, k) t; t = 1; typeof(int *) o;",
        expect![[r#"
            int x = 1;
            int y;
            int [10] z;
            char w = c;
            int * r = &a;
            const int k = 3;
            int t;
            t = 1;
            int * o;
        "#]],
    );
}

#[test]
fn bit_fields_promote_by_width() {
    check(
        "struct s { unsigned a : 3; unsigned b : 32; int c : 5; _Bool d : 1; } s; int main(void) { return (s.a - 4 < 0) + (s.b - 4 < 0) + (s.c < 0) + s.d; }",
        expect![[r#"
            LP64
            struct s { unsigned int a:3 @0; unsigned int b:32 @4; int c:5 @8; _Bool d:1 @8 } size 12
            static struct s s
            int main() {
              return ((((((int)s.a - 4) < 0) + ((s.b - 4:unsigned int) < 0:unsigned int)) + (s.c < 0)) + (int)s.d);
            }
        "#]],
    );
}
