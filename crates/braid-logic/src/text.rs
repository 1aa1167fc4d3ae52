//! Terms as text: SMT-LIB 2 for solvers, certificates and other threads, and an infix form for people.
//!
//! Printing undoes the normal form where that reads better (`x < y`, not `x - y + 1 ≤ 0`), and parsing makes it again:
//! a term without quantifiers that is printed and parsed in one pool is the same handle. Bound variables are new at
//! each parse.

mod bits;
mod floats;
mod infix;
mod operators;
mod parse;
mod print;
mod scope;
mod script;
mod sharing;
mod sides;
mod symbol;

pub(crate) use floats::{applied, from_bits, to_bits};
pub use infix::Infix;
pub use parse::{parse_sexpr, parse_term};
pub use print::{SortText, TermText};
pub use scope::{PoolScope, Scope, parse_sort};
pub use script::{print_declarations, script};
pub use symbol::{SymbolText, symbol_name};
