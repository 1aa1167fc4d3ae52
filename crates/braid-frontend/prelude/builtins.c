// What functions give that compilers know without a declaration; any other such function gives an `int`. Nobody looks at their parameters.

// With and without `__builtin_` in front of the name.
void *malloc(), *calloc(), *realloc(), *alloca(), *memcpy(), *memmove(), *memset(), *memchr(), *mempcpy();
char *strcat(), *strchr(), *strcpy(), *strdup(), *strncat(), *strncpy(), *strrchr(), *strstr();
__typeof__(sizeof 0) strlen();
void free(), abort(), exit(), _exit(), bzero();
int abs(), bcmp(), fprintf(), fputc(), fputs(), memcmp(), printf(), putchar(), puts(), snprintf(), sprintf(), strcmp(), strncmp();
long labs();
long long llabs();
double fabs();

// With `__builtin_` alone.
void *__builtin_frame_address(), *__builtin_return_address(), *__builtin_assume_aligned(), *__builtin_alloca_with_align();
__typeof__(sizeof 0) __builtin_object_size(), __builtin_dynamic_object_size();
void __builtin_trap(), __builtin_unreachable(), __builtin_prefetch(), __builtin_ia32_pause(), __builtin___clear_cache();
void __builtin_va_start(), __builtin_va_end(), __builtin_va_copy();
unsigned short __builtin_bswap16();
unsigned __builtin_bswap32();
unsigned long long __builtin_bswap64();
_Bool __builtin_add_overflow(), __builtin_sub_overflow(), __builtin_mul_overflow();
_Bool __builtin_add_overflow_p(), __builtin_sub_overflow_p(), __builtin_mul_overflow_p();
_Bool __builtin_sadd_overflow(), __builtin_saddl_overflow(), __builtin_saddll_overflow();
_Bool __builtin_ssub_overflow(), __builtin_ssubl_overflow(), __builtin_ssubll_overflow();
_Bool __builtin_smul_overflow(), __builtin_smull_overflow(), __builtin_smulll_overflow();
_Bool __builtin_uadd_overflow(), __builtin_uaddl_overflow(), __builtin_uaddll_overflow();
_Bool __builtin_usub_overflow(), __builtin_usubl_overflow(), __builtin_usubll_overflow();
_Bool __builtin_umul_overflow(), __builtin_umull_overflow(), __builtin_umulll_overflow();
