//! Programs out of texts, for tests whose texts are right.

use braid_frontend::{Language, parse};
use braid_logic::TermPool;
use braid_program::{LowerOptions, ast, cfa, lower};

/// Each step is an action of its own.
pub fn stepwise() -> LowerOptions {
    LowerOptions { fuse: false, ..LowerOptions::default() }
}

/// The program of a text.
pub fn parsed(text: &str, language: Language) -> ast::Program {
    parse("test", text, language).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// Hands the automata of a program on.
pub fn lowered<R>(program: &ast::Program, options: LowerOptions, run: impl FnOnce(&cfa::Program<'_>) -> R) -> R {
    let pool = TermPool::new();
    run(&lower(program, &pool, options).unwrap_or_else(|error| panic!("{}", error.message)))
}
