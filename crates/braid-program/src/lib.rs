//! Programs: structured (`ast`), as automata (`cfa`), and running (`interpreter`).

pub mod ast;
pub mod print;
pub mod source;
