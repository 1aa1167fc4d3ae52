//! Loops that go through the cells of arrays, for an engine that says of single cells what it proves: assertions in them count in one
//! round only, whichever that is ([`braid_program::one_round`]).

use crate::gem::Gem;
use crate::{Control, Engine, Outcome, Reason, Structured, Task, Verdict};
use braid_logic::TermPool;
use braid_program::{LowerOptions, lower, one_round};

/// `gem` on such a program. It only proves: an execution would be one of the changed program, and others find bugs soon.
pub struct OneRound(pub Gem);

impl Engine for OneRound {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        let changes = |structured: &Structured<'_>| one_round(structured.program).is_some();
        let Some(structured) = task.structured.filter(changes) else {
            return Outcome::unknown(Reason::incomplete("no loop asserts something of cells"));
        };
        let pool = TermPool::new();
        let lowering = LowerOptions { one_round: true, ..structured.lowering };
        let Ok(program) = lower(structured.program, &pool, lowering) else {
            return Outcome::unknown(Reason::incomplete("the changed program cannot be lowered"));
        };
        let structured = Some(Structured { lowering, ..structured });
        let outcome = self.0.verify(&Task { program: &program, seat: None, structured }, control);
        match outcome.verdict {
            Verdict::Unsafe(_) => {
                let verdict = Verdict::Unknown(Reason::incomplete("a round fails, which is left to others"));
                Outcome { verdict, ..outcome }
            }
            _ => outcome,
        }
    }
}
