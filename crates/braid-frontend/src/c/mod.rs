//! C with pthreads: text to a typed tree (`check`), and from there to structured programs (`translate`).

pub mod tree;
