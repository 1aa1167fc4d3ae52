//! Programs as text, in the syntax that the Weaver and Braid front ends read.

pub mod words;
