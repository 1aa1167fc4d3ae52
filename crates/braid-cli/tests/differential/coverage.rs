//! How many of the compared programs use which construct and which library function. Each must have its share.

use super::parts::{SIGN, Tables};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What defines the library: the names there are those that programs are to call.
const PRELUDE: [&str; 12] = [
    include_str!("../../../braid-frontend/prelude/atomics.c"),
    include_str!("../../../braid-frontend/prelude/numbers.c"),
    include_str!("../../../braid-frontend/prelude/files.c"),
    include_str!("../../../braid-frontend/prelude/network.c"),
    include_str!("../../../braid-frontend/prelude/signals.c"),
    include_str!("../../../braid-frontend/prelude/strings.c"),
    include_str!("../../../braid-frontend/prelude/system.c"),
    include_str!("../../../braid-frontend/prelude/threads.c"),
    include_str!("../../../braid-frontend/prelude/locks.c"),
    include_str!("../../../braid-frontend/prelude/waiting.c"),
    include_str!("../../../braid-frontend/prelude/time.c"),
    include_str!("../../../braid-frontend/prelude/wide.c"),
];
/// What compilers know without a declaration; names without `__builtin_` in front are known with it as well.
const BUILTINS: &str = include_str!("../../../braid-frontend/prelude/builtins.c");
/// What the front end knows itself: the names there are quoted.
const KNOWN: [&str; 3] = [
    include_str!("../../../braid-frontend/src/c/primitives.rs"),
    include_str!("../../../braid-frontend/src/c/check/builtins.rs"),
    include_str!("../../../braid-frontend/src/c/parse/primary.rs"),
];

/// What headers define with the help of these, and functions that are known by a rule.
const MACROS: &str = "assert atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak \
    atomic_compare_exchange_weak_explicit atomic_exchange atomic_exchange_explicit atomic_fetch_add atomic_fetch_add_explicit \
    atomic_fetch_and atomic_fetch_and_explicit atomic_fetch_or atomic_fetch_or_explicit atomic_fetch_sub atomic_fetch_sub_explicit \
    atomic_fetch_xor atomic_fetch_xor_explicit atomic_init atomic_load atomic_load_explicit atomic_store atomic_store_explicit errno \
    pthread_cleanup_pop pthread_cleanup_push scanf sprintf snprintf close offsetof va_start va_arg va_copy va_end \
    __VERIFIER_nondet_bool __VERIFIER_nondet_char __VERIFIER_nondet_int __VERIFIER_nondet_long __VERIFIER_nondet_uint";

/// Names that begin like this are not counted, and why. All others must have their share.
const UNCOUNTED: [(&str, &str); 23] = [
    ("__braid_", "the prelude calls it, not the program"),
    ("__thread_ends", "the prelude calls it, not the program"),
    ("__program_ends", "the prelude calls it, not the program"),
    ("__scan_", "`scanf` becomes it"),
    ("__read_", "`printf` becomes it"),
    ("__spin_exchange", "assembler becomes it"),
    ("__arguments", "parameters of `main` become it: their texts are open"),
    ("__isoc23_", "newer headers give this name to `strtol` and its like"),
    ("__assert", "`assert` becomes it, here or in other libraries"),
    ("__sigsetjmp", "`pthread_cleanup_push` becomes it"),
    ("__pthread_", "`pthread_cleanup_push` becomes it"),
    ("___pthread_", "`pthread_cleanup_push` becomes it"),
    ("__builtin_va_", "`va_start` and its like become it"),
    ("__builtin_offsetof", "`offsetof` becomes it"),
    ("__builtin_assume", "GCC does not know it"),
    ("__builtin_dynamic_object_size", "the result depends on optimisation"),
    ("__builtin_object_size", "the result depends on optimisation"),
    ("__builtin_alloca_with_align", "headers do not use it, and its result is an address"),
    ("__builtin_frame_address", "the result is an address"),
    ("__builtin_return_address", "the result is an address"),
    ("__builtin___clear_cache", "it does nothing that a program could see"),
    ("__c11_", "GCC does not know it"),
    ("__errno", "`errno` becomes it"),
];

/// Of `floats.c`, each function in one type at least: the others have the same definition.
const FLOATS: &str = "fabs fabsf floor floorl ceil trunc truncf round rint nearbyint lround lrint llround sqrt sqrtf sqrtl fmod \
    remainder fmin fmax fdim fma copysign isnan isinf isfinite isnormal signbit fpclassify isless isgreater isgreaterequal \
    islessequal islessgreater isunordered __builtin_isnan";

/// All functions that programs are to call.
fn functions() -> BTreeSet<String> {
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let defined = PRELUDE.iter().flat_map(|text| text.lines()).filter_map(|line| {
        let inside = line.starts_with(|first: char| !first.is_alphabetic() && first != '_');
        let apart = ["static ", "enum ", "struct ", "typedef "].iter().any(|word| line.starts_with(word));
        let head = line.split_once('(').filter(|_| !inside && !apart)?.0;
        head.rsplit([' ', '*']).next().map(str::to_owned)
    });
    let quoted = KNOWN.iter().enumerate().flat_map(|(file, text)| {
        let words =
            text.split_once("Does the name belong").map_or(*text, |(known, _)| known).split('"').skip(1).step_by(2);
        words.filter(move |word| file == 0 || word.starts_with("__builtin_")).map(str::to_owned)
    });
    let declared = BUILTINS.split("()").filter_map(|text| text.rsplit([' ', '*']).next());
    let same = declared.map(|name| if name.starts_with("__") { name.to_owned() } else { format!("__builtin_{name}") });
    let names = defined
        .chain(quoted)
        .chain(same)
        .chain([MACROS, FLOATS].into_iter().flat_map(str::split_whitespace).map(str::to_owned));
    let counted = |name: &String| UNCOUNTED.iter().all(|(prefix, _)| !name.starts_with(prefix));
    names.filter(|name| is_name(name) && !name.ends_with('_')).filter(counted).collect()
}

/// Parts, and functions that only these call, that Braid does not support, and why. All others must be accepted, and have their share.
const UNSUPPORTED: [(&str, &str); 0] = [];

/// Of so many programs one must use a construct, a scenario of two threads, or a function.
const SHARE: usize = 20;

/// How many of the programs that were compared have a name.
#[derive(Default)]
pub struct Coverage(BTreeMap<String, usize>);

impl Coverage {
    /// Counts what a program uses that was compared.
    pub fn count(&mut self, text: &str) {
        let lines = || text.lines().filter(|line| !line.starts_with("extern ") && !line.starts_with('#'));
        let words = lines().filter(|line| !line.starts_with(SIGN));
        let words = words.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
        let titles = lines().filter_map(|line| Some(line.strip_prefix(SIGN)?.split_once(": ")?.1));
        for name in words.chain(titles).collect::<BTreeSet<_>>() {
            *self.0.entry(name.to_owned()).or_default() += 1;
        }
    }

    /// The table, and what has less than its share, or is rejected though it is not [`UNSUPPORTED`].
    pub fn table(&self, tables: &Tables, cases: usize, rejected: &BTreeMap<&str, String>) -> (String, Vec<String>) {
        let (mut table, mut missing) = (String::new(), Vec::new());
        // A few programs say nothing about shares.
        let share = if cases < 400 { 0 } else { cases / SHARE };
        let (constructs, scenarios) =
            (tables.sequential.iter().chain(&tables.inputs).chain(&tables.threads), tables.concurrent.iter());
        let groups: [(&str, Vec<String>); 3] = [
            ("constructs", constructs.map(|part| part.title.to_owned()).collect()),
            ("at the same time", scenarios.map(|part| part.title.to_owned()).collect()),
            ("functions", functions().into_iter().collect()),
        ];
        for (group, names) in groups {
            let _ = writeln!(table, "{group}: each in at least {share} programs");
            for name in names {
                let count = self.0.get(&name).copied().unwrap_or_default();
                let _ = write!(table, "{count:6}  {name}");
                let reason = UNSUPPORTED.iter().find(|(unsupported, _)| *unsupported == name);
                let _ = reason.map(|(_, reason)| write!(table, "  (not supported: {reason})"));
                table.push('\n');
                match (rejected.get(name.as_str()), reason) {
                    (Some(message), None) => missing.push(format!("{name}: rejected: {message}")),
                    (None, None) if count < share => missing.push(format!("{name}: {count} of {share}")),
                    (None, Some(_)) if count > 0 => missing.push(format!("{name}: is supported")),
                    _ => {}
                }
            }
        }
        let reasons = UNCOUNTED.map(|(prefix, reason)| format!("{prefix}: {reason}"));
        let _ = writeln!(table, "not counted: {}", reasons.join("; "));
        (table, missing)
    }
}
