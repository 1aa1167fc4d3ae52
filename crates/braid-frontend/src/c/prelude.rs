//! The C library in C: what a library call means is written in the files of `prelude/`, which users can read and add to.

/// The texts, by name, in the order in which they are read.
pub const TEXTS: [(&str, &str); 5] = [
    ("prelude/threads.c", include_str!("../../prelude/threads.c")),
    ("prelude/atomics.c", include_str!("../../prelude/atomics.c")),
    ("prelude/strings.c", include_str!("../../prelude/strings.c")),
    ("prelude/numbers.c", include_str!("../../prelude/numbers.c")),
    ("prelude/system.c", include_str!("../../prelude/system.c")),
];
