//! The strategy room: which engines work on what, within which bounds, and who goes on when these have given up.
//!
//! * [`Shape`] is what is to be shown of a program.
//! * [`Settings`] are the engines as the user wants them. The portfolio policy (`policy`) makes a [`Portfolio`] of them for each shape.
//! * [`Bounds`] of lowering grow when they are reached; `Deepening` does the same for `delay` alone.
//! * [`Strategy::verify`] puts these together.
//!
//! *Invariant*: nothing here changes a verdict. A program is safe if an engine says so of a lowering in which no bound is reached.

mod bounds;
mod deepening;
mod one_round;
mod policy;
mod settings;
mod shape;

pub use bounds::Bounds;
pub use deepening::Deepening;
pub use one_round::OneRound;
pub use settings::{Selection, Settings};
pub use shape::{Shape, starts_tasks};

use crate::{Answer, Control, Outcome, Portfolio, Reason, Statistics, Verdict};
use braid_program::{LowerOptions, ast};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

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
    /// Is it about the program that was given for proofs that need no bounds?
    pub unbounded: bool,
}

impl Strategy {
    /// Verifies a program of a shape. Bounds grow if they may: without a deadline that might never end. Beside that, where threads are started
    /// again and again, a proof for any number of them is looked for: it needs no bounds. It may be one of another form of the program,
    /// `rolled`, in which threads are started in loops.
    pub fn verify(
        &self,
        program: &ast::Program,
        rolled: &ast::Program,
        shape: Shape,
        may_grow: bool,
        control: &Control,
    ) -> Judgement {
        let Some(unbounded) = self.settings.beside_bounds(shape) else {
            let unbounded = self.settings.selection == Selection::Parametric;
            let about = if unbounded { rolled } else { program };
            return Judgement { unbounded, ..self.within_bounds(about, shape, may_grow, Arc::default(), control) };
        };
        let (proven, decided) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let searching = Arc::new(AtomicBool::new(true));
        let lowering = LowerOptions::from(self.bounds);
        thread::scope(|scope| {
            let theirs = control.also_cancelled_by(decided.clone());
            let (proven_there, searching_there) = (proven.clone(), searching.clone());
            let beside = scope.spawn(move || {
                let answer = unbounded.verify(rolled, lowering, &theirs);
                proven_there.store(matches!(answer.outcome.verdict, Verdict::Safe(_)), Ordering::Relaxed);
                searching_there.store(false, Ordering::Relaxed);
                (answer, unbounded)
            });
            let judged = self.within_bounds(program, shape, may_grow, searching, &control.also_cancelled_by(proven));
            let is_open = matches!(judged.verdict, Verdict::Unknown(_));
            decided.store(!is_open, Ordering::Relaxed);
            match beside.join() {
                Ok((answer, engines)) if is_open && matches!(answer.outcome.verdict, Verdict::Safe(_)) => {
                    Judgement { unbounded: true, ..Judgement::of(answer, &engines, lowering, None) }
                }
                Err(panic) if is_open || cfg!(debug_assertions) => panic::resume_unwind(panic),
                _ => judged,
            }
        })
    }

    /// Verifies a program within bounds that may grow. `beside` is set while another search works.
    fn within_bounds(
        &self,
        program: &ast::Program,
        shape: Shape,
        may_grow: bool,
        beside: Arc<AtomicBool>,
        control: &Control,
    ) -> Judgement {
        let mut lowering = LowerOptions::from(self.bounds);
        let mut engines = Portfolio { beside, ..self.settings.portfolio(shape) };
        let mut excluded = None;
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
        Judgement::of(answer, &engines, lowering, excluded)
    }
}

impl Judgement {
    fn of(
        answer: Answer,
        engines: &Portfolio,
        mut lowering: LowerOptions,
        excluded: Option<LowerOptions>,
    ) -> Judgement {
        let winner = &engines.members[answer.member];
        let Outcome { verdict, statistics } = answer.outcome;
        if let Verdict::Unsafe(counterexample) = &verdict {
            lowering = counterexample.lowering().unwrap_or(lowering);
        }
        let (engine, order) = (winner.engine.name().to_owned(), winner.order.clone());
        Judgement { verdict, statistics, engine, order, lowering, excluded, unbounded: false }
    }
}
