//! From a file name to automata, or to a rejection that shows the place.

use crate::exit::Failure;
use braid_frontend::{Diagnostic, load};
use braid_logic::TermPool;
use braid_program::{LowerOptions, ast, cfa, lower};
use std::path::Path;

/// Reads a program.
pub fn read(path: &Path) -> Result<ast::Program, Failure> {
    load(path).map_err(|error| Failure::rejected(error.to_string()))
}

/// Turns a program into automata.
pub fn automata<'p>(
    program: &ast::Program,
    pool: &'p TermPool,
    options: LowerOptions,
) -> Result<cfa::Program<'p>, Failure> {
    lower(program, pool, options)
        .map_err(|error| Failure::rejected(Diagnostic::new(error.span, error.message).render(&program.sources)))
}
