//! `locks` for any number of threads: the program is lowered once more, with templates.
//!
//! A template is lowered as two like threads. *Claim*: if no set of places is left, each of which needs a place of another thread in
//! the set, then there is no deadlock, whatever number of threads is started. For let there be one, and so a cycle of needs (`order`).
//! Put each place of the cycle into a set twice, once for each of the two threads of its template. A place needs the next one of the
//! cycle, which is of another instance. If that is of the same template, the place of the one like thread needs that of
//! the other. So each place of the set needs one of another thread in the set: a contradiction.
//!
//! Gates are not looked at: two threads do not say who of many holds a lock.

use super::order::prove;
use crate::{Control, Engine, Outcome, Proof, Reason, Statistics, Task, Verdict};
use braid_logic::TermPool;
use braid_program::{LowerOptions, lower};

/// The engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LockOrderOfMany;

impl Engine for LockOrderOfMany {
    fn name(&self) -> &'static str {
        "locks"
    }

    fn verify(&self, task: &Task<'_, '_>, _: &Control) -> Outcome {
        let Some(structured) = task.structured else {
            return Outcome::unknown(Reason::incomplete("templates need the structured program"));
        };
        let pool = TermPool::new();
        let options = LowerOptions { templates: true, ..structured.lowering };
        let program = match lower(structured.program, &pool, options) {
            Ok(program) => program,
            Err(error) => return Outcome::unknown(Reason::Incomplete(error.message)),
        };
        if program.threads.iter().all(|thread| thread.template.is_none()) {
            return Outcome::unknown(Reason::incomplete("no thread is started again and again"));
        }
        let verdict = match prove(&program) {
            Ok(argument) => Verdict::Safe(Box::new(Proof { lowering: Some(options), monitored: false, argument })),
            Err(why) => Verdict::Unknown(Reason::Incomplete(why)),
        };
        Outcome { verdict, statistics: Statistics::default() }
    }
}
