//! How many of the compared programs use which construct and which library function. Each must have its share.

use super::parts::{SIGN, Tables};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Library functions and operations of the compiler that programs are to call; those that end in `_` are families.
const FUNCTIONS: &str = "abort abs assert atoi atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit \
    atomic_compare_exchange_weak atomic_compare_exchange_weak_explicit atomic_exchange atomic_exchange_explicit atomic_fetch_add \
    atomic_fetch_add_explicit atomic_fetch_and atomic_fetch_or atomic_fetch_sub atomic_fetch_xor atomic_flag_clear \
    atomic_flag_clear_explicit atomic_flag_test_and_set atomic_flag_test_and_set_explicit atomic_init atomic_load atomic_load_explicit \
    atomic_signal_fence atomic_store atomic_store_explicit atomic_thread_fence call_once calloc exit free isalpha isdigit isspace \
    labs llabs malloc memchr memcmp memcpy memmove memset mtx_init mtx_lock mtx_trylock mtx_unlock printf \
    pthread_attr_destroy pthread_attr_init pthread_attr_setdetachstate pthread_barrier_destroy pthread_barrier_init \
    pthread_barrier_wait pthread_cleanup_pop pthread_cleanup_push pthread_cond_broadcast pthread_cond_destroy pthread_cond_init \
    pthread_cond_signal pthread_create pthread_detach pthread_equal pthread_exit pthread_getspecific pthread_join \
    pthread_key_create pthread_key_delete pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock \
    pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_init pthread_mutexattr_settype pthread_once \
    pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock \
    pthread_rwlock_unlock pthread_rwlock_wrlock pthread_self pthread_setspecific pthread_spin_destroy pthread_spin_init \
    pthread_spin_lock pthread_spin_trylock pthread_spin_unlock putchar puts qsort rand realloc sched_yield sem_destroy \
    sem_getvalue sem_init sem_post sem_trywait sem_wait snprintf strcat strchr strcmp strcpy strlen strncat strncmp strncpy \
    strnlen strrchr strstr thrd_create thrd_current thrd_equal thrd_exit thrd_join tolower toupper tss_create tss_get tss_set \
    __VERIFIER_assume __VERIFIER_atomic_begin __VERIFIER_atomic_end __VERIFIER_nondet_bool __VERIFIER_nondet_int \
    __VERIFIER_nondet_uint __atomic_add_fetch __atomic_clear __atomic_compare_exchange __atomic_compare_exchange_n \
    __atomic_exchange __atomic_exchange_n __atomic_fetch_add __atomic_fetch_and __atomic_fetch_nand __atomic_fetch_or \
    __atomic_load __atomic_load_n __atomic_store __atomic_store_n __atomic_sub_fetch __atomic_test_and_set \
    __atomic_thread_fence __atomic_xor_fetch __builtin_add_overflow __builtin_clz __builtin_constant_p __builtin_ctz \
    __builtin_expect __builtin_ffs __builtin_mul_overflow __builtin_offsetof __builtin_popcount __sync_add_and_fetch \
    __sync_and_and_fetch __sync_bool_compare_and_swap __sync_fetch_and_add __sync_fetch_and_sub __sync_fetch_and_xor \
    __sync_lock_release __sync_lock_test_and_set __sync_or_and_fetch __sync_sub_and_fetch __sync_synchronize \
    __sync_val_compare_and_swap strspn strcspn strpbrk stpcpy strdup strcasecmp isalnum isupper islower isxdigit isgraph isprint iscntrl \
    isblank isascii ispunct div ldiv lldiv atol __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 ffs ffsl ffsll __builtin_labs \
    __builtin_llabs __builtin_prefetch __builtin_sadd_overflow __builtin_ssub_overflow __builtin_smul_overflow \
    __builtin_saddl_overflow __builtin_ssubl_overflow __builtin_smull_overflow __builtin_saddll_overflow __builtin_ssubll_overflow \
    __builtin_smulll_overflow __builtin_uadd_overflow __builtin_usub_overflow __builtin_umul_overflow __builtin_uaddl_overflow \
    __builtin_usubl_overflow __builtin_umull_overflow __builtin_uaddll_overflow __builtin_usubll_overflow \
    __builtin_umulll_overflow __builtin_sub_overflow time clock_gettime gettimeofday getpid nanosleep usleep sleep srand srandom \
    rand_r random getchar posix_memalign pthread_mutex_timedlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock \
    sem_timedwait pthread_mutexattr_gettype pthread_mutexattr_setpshared pthread_rwlockattr_init pthread_rwlockattr_setpshared \
    pthread_rwlockattr_destroy pthread_condattr_init pthread_condattr_setpshared pthread_condattr_destroy \
    pthread_barrierattr_init pthread_barrierattr_setpshared pthread_barrierattr_destroy pthread_attr_getdetachstate \
    pthread_attr_setstacksize pthread_attr_setscope pthread_attr_setinheritsched pthread_attr_setguardsize pthread_setcancelstate \
    pthread_testcancel thrd_yield thrd_detach tss_delete mtx_destroy cnd_init cnd_signal cnd_broadcast cnd_destroy \
    __atomic_always_lock_free __atomic_is_lock_free __atomic_signal_fence __builtin_ia32_pause pthread_setcanceltype scanf fgets read pipe close getrandom \
    localtime_r pthread_cond_wait pthread_cond_timedwait cnd_wait __atomic_nand_fetch mtx_timedlock cnd_timedwait thrd_sleep fabs fabsf floor \
    floorl ceil trunc truncf round rint nearbyint lround lrint llround sqrt sqrtf sqrtl fmod remainder fmin fmax fdim fma copysign isnan isinf \
    isfinite isnormal signbit fpclassify isless isgreater isgreaterequal islessequal islessgreater isunordered __builtin_isnan";

/// Parts, and functions that only these call, that Braid does not support, and why. All others must be accepted, and have their share.
const UNSUPPORTED: [(&str, &str); 7] = [
    ("union seen as bytes", "memory has one type"),
    ("bytes of an object", "memory has one type"),
    ("moved heap", "blocks do not change their size"),
    ("realloc", "blocks do not change their size"),
    ("formatted into memory", "the text of numbers is not known"),
    ("snprintf", "the text of numbers is not known"),
    ("atomic struct", "structs are not compared byte by byte"),
];

/// Of so many programs one must use a construct or function, and of so many with two threads one a scenario.
const SHARE: usize = 20;
const SHARE_OF_TWO: usize = 30;

#[derive(Default)]
pub struct Coverage {
    /// Programs of one thread and of two that were compared.
    pub sequential: usize,
    pub concurrent: usize,
    counts: BTreeMap<String, usize>,
}

impl Coverage {
    /// Counts what a program uses that was compared.
    pub fn count(&mut self, text: &str) {
        let words: BTreeSet<&str> = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
        let titles = text.lines().filter_map(|line| line.strip_prefix(SIGN)).filter_map(|line| line.split_once(": "));
        let titles: BTreeSet<&str> = titles.map(|(_, title)| title).collect();
        let functions = FUNCTIONS.split_whitespace().filter(|name| words.contains(name));
        for name in titles.into_iter().chain(functions) {
            *self.counts.entry(name.to_owned()).or_default() += 1;
        }
    }

    /// The table, and what has less than its share, or is rejected though it is not [`UNSUPPORTED`].
    pub fn table(&self, tables: &Tables, cases: usize, rejected: &BTreeMap<&str, String>) -> (String, Vec<String>) {
        let (mut table, mut missing) = (String::new(), Vec::new());
        // A few programs say nothing about shares.
        let share = |programs: usize, of: usize| if cases < 400 { 0 } else { programs / of };
        let constructs = tables.sequential.iter().map(|part| part.title);
        let scenarios = tables.concurrent.iter().map(|part| part.title);
        let groups: [(&str, Vec<&str>, usize); 3] = [
            ("constructs", constructs.collect(), share(cases, SHARE)),
            ("at the same time", scenarios.collect(), share(self.concurrent, SHARE_OF_TWO)),
            ("functions", FUNCTIONS.split_whitespace().collect(), share(cases, SHARE)),
        ];
        for (group, names, share) in groups {
            let _ = writeln!(table, "{group}: each in at least {share} programs");
            for name in names {
                let count = self.counts.get(name).copied().unwrap_or_default();
                let _ = write!(table, "{count:6}  {name}");
                let reason = UNSUPPORTED.iter().find(|(unsupported, _)| *unsupported == name);
                let _ = reason.map(|(_, reason)| write!(table, "  (not supported: {reason})"));
                table.push('\n');
                match (rejected.get(name), reason) {
                    (Some(message), None) => missing.push(format!("{name}: rejected: {message}")),
                    (None, None) if count < share => missing.push(format!("{name}: {count} of {share}")),
                    (None, Some(_)) if count > 0 => missing.push(format!("{name}: is supported")),
                    _ => {}
                }
            }
        }
        (table, missing)
    }
}
