//! Engine `parametric`: programs with any number of threads.

mod programs;
mod random;

use braid_engines::explicit::Explicit;
use braid_engines::parametric::Parametric;
use braid_engines::{Control, Engine, Structured, Task, Verdict};
use braid_logic::TermPool;
use braid_program::{LowerOptions, ast, lower};
use std::time::{Duration, Instant};

/// What the engine says of a program.
fn parametric(program: &ast::Program) -> Verdict {
    verify(program, LowerOptions::default(), &Parametric::default())
}

/// What the states say that a few instances have.
fn explicit(program: &ast::Program, instances: u32) -> Verdict {
    let engine = Explicit { states: 20_000, inputs: Some(0..=2), ..Explicit::default() };
    verify(program, LowerOptions { instances, ..LowerOptions::default() }, &engine)
}

fn verify(program: &ast::Program, lowering: LowerOptions, engine: &dyn Engine) -> Verdict {
    let pool = TermPool::new();
    let automata = lower(program, &pool, lowering).expect("the program can be lowered");
    let mut task = Task::new(&automata);
    task.structured = Some(Structured { program, lowering });
    let control = Control::new().until(Some(Instant::now() + Duration::from_secs(30)));
    engine.verify(&task, &control).verdict
}
