//! The strategy room: which engines work on what, within which bounds, and who goes on when these have given up.
//!
//! * [`Shape`] is what is to be shown of a program.
//! * [`Settings`] are the engines as the user wants them. The portfolio policy (`policy`) makes a [`Portfolio`](crate::Portfolio) of them for each shape.
//! * [`Bounds`] of lowering grow when they are reached; `Deepening` does the same for `delay` alone.
//! * [`Strategy::verify`] puts these together.
//!
//! *Invariant*: nothing here changes a verdict. A program is safe if an engine says so of a lowering in which no bound is reached.

mod bounds;
mod deepening;
mod policy;
mod settings;
mod shape;

pub use bounds::Bounds;
pub use deepening::Deepening;
pub use settings::{Selection, Settings};
pub use shape::{Shape, starts_tasks};

use crate::{Control, Outcome, Reason, Statistics, Verdict};
use braid_program::{LowerOptions, ast};

/// Engines, and the bounds that they begin with.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// The engines.
    pub settings: Settings,
    /// The bounds.
    pub bounds: Bounds,
}

/// What came out.
pub struct Judgement {
    /// The answer.
    pub verdict: Verdict,
    /// What it cost.
    pub statistics: Statistics,
    /// The engine's name.
    pub engine: String,
    /// Its preference order.
    pub order: Option<String>,
    /// How the program was lowered at last.
    pub lowering: LowerOptions,
    /// The bounds below which nothing is violated, if they were raised.
    pub excluded: Option<LowerOptions>,
}

impl Strategy {
    /// Verifies a program of a shape. Bounds grow if they may: without a deadline that might never end.
    pub fn verify(&self, program: &ast::Program, shape: Shape, may_grow: bool, control: &Control) -> Judgement {
        let mut lowering = LowerOptions::from(self.bounds);
        let (mut engines, mut excluded) = (self.settings.portfolio(shape), None);
        let answer = loop {
            let answer = engines.verify(program, lowering, control);
            let Verdict::Unknown(Reason::Bound(bound, _)) = &answer.outcome.verdict else { break answer };
            if !may_grow {
                break answer;
            }
            if let Some(larger) = self.bounds.beyond(*bound, lowering) {
                excluded = Some(std::mem::replace(&mut lowering, larger));
                continue;
            }
            let Some(further) = self.settings.last_resort(shape) else { break answer };
            let other = further.verify(program, lowering, control);
            if matches!(other.outcome.verdict, Verdict::Unknown(_)) {
                break answer;
            }
            engines = further;
            break other;
        };
        let winner = &engines.members[answer.member];
        let Outcome { verdict, statistics } = answer.outcome;
        if let Verdict::Unsafe(counterexample) = &verdict {
            lowering = counterexample.lowering().unwrap_or(lowering);
        }
        let (engine, order) = (winner.engine.name().to_owned(), winner.order.clone());
        Judgement { verdict, statistics, engine, order, lowering, excluded }
    }
}
