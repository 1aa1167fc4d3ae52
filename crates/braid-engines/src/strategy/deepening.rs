//! More instances of threads for an engine that follows single schedules: it does not need to know all that happens with fewer of
//! them, and many instances cost it little.

use super::bounds::Growth;
use crate::delay::Delay;
use crate::{Control, Engine, Outcome, Reason, Structured, Task, Verdict};
use braid_logic::TermPool;
use braid_program::{LowerOptions, lower};

/// How the number of instances grows.
const INSTANCES: Growth = Growth { factor: 4, most: 1_000 };

/// `delay`, and where a path needs more instances of a thread than the program was lowered with, the same with more of them.
pub struct Deepening(pub Delay);

impl Engine for Deepening {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        let outcome = self.0.verify(task, control);
        match task.structured {
            Some(structured) if needs_instances(&outcome) => self.deepen(structured, control, outcome),
            _ => outcome,
        }
    }
}

impl Deepening {
    /// Goes on with more instances. All numbers of instances are tried with few delays before more delays are.
    fn deepen(&self, structured: Structured<'_>, control: &Control, mut outcome: Outcome) -> Outcome {
        for delays in self.0.delays.clone() {
            let engine = Delay { delays: delays..=delays, ..self.0.clone() };
            let mut reached = structured.lowering.instances;
            while let Some(instances) = INSTANCES.beyond(reached) {
                // With many threads fusing takes longer than what it saves.
                let lowering = LowerOptions { instances, fuse: false, ..structured.lowering };
                let pool = TermPool::new();
                let Ok(program) = lower(structured.program, &pool, lowering) else { return outcome };
                let earlier = outcome.statistics;
                outcome = engine.verify(&Task::new(&program), control);
                outcome.statistics.add_earlier(&earlier);
                match outcome.verdict {
                    Verdict::Unknown(Reason::FewDelays(searched)) if searched.left_out.instances => reached = instances,
                    Verdict::Unknown(Reason::FewDelays(_)) => break,
                    Verdict::Unsafe(found) => {
                        return Outcome { verdict: Verdict::Unsafe(Box::new(found.found_in(lowering))), ..outcome };
                    }
                    _ => return outcome,
                }
            }
        }
        outcome
    }
}

fn needs_instances(outcome: &Outcome) -> bool {
    matches!(outcome.verdict, Verdict::Unknown(Reason::FewDelays(searched)) if searched.left_out.instances)
}
