//! What is to be shown of a program: that decides which engines are promising.

use braid_program::ast;
use braid_program::cfa::{self, Violation};

/// What is to be shown of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// That it has no complete execution.
    Postcondition,
    /// That assertions hold in a program of one thread.
    Sequential,
    /// That assertions hold, all of them in the thread that starts the others: most come after these have ended.
    FinalAssertions,
    /// That assertions hold, also inside other threads.
    Assertions,
    /// The like of final assertions for asynchronous tasks.
    FinalTasks,
    /// That assertions hold, also inside asynchronous tasks.
    Tasks,
    /// That nobody waits for ever.
    Deadlocks,
    /// That threads do not go round in circles for ever.
    Livelocks,
}

impl Shape {
    /// Are there asynchronous tasks?
    pub fn has_tasks(self) -> bool {
        matches!(self, Shape::FinalTasks | Shape::Tasks)
    }

    /// What is to be shown of these automata of a program, which may have tasks.
    pub fn of(program: &cfa::Program<'_>, tasks: bool) -> Shape {
        let fails = |thread: &cfa::Thread| {
            let mut violations = thread.locations.iter().filter_map(|location| location.violation);
            violations.any(Violation::is_error)
        };
        match program.completion_is_violation {
            _ if program.deadlock_is_violation => Shape::Deadlocks,
            _ if program.livelock_is_violation => Shape::Livelocks,
            true => Shape::Postcondition,
            false if program.threads.len() == 1 => Shape::Sequential,
            false if program.threads[1..].iter().any(fails) && tasks => Shape::Tasks,
            false if program.threads[1..].iter().any(fails) => Shape::Assertions,
            false if tasks => Shape::FinalTasks,
            false => Shape::FinalAssertions,
        }
    }
}

/// Does the program start tasks that are waited for by handles?
pub fn starts_tasks(program: &ast::Program) -> bool {
    program.statements().any(|stmt| matches!(stmt.kind, ast::StmtKind::Async { .. }))
}
