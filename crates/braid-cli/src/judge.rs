//! From a program to a verdict: engines, and for C a second look at what they find.
//!
//! Engines look at the plain translation of C, which goes on after undefined behaviour. What is safe there is safe. What is
//! violated there counts only if all steps are defined: then the execution can be led through the translation in which
//! undefined behaviour ends an execution. If it cannot, that translation is verified, and its verdict is final. It comes first where data races
//! are looked for and lowering leaves none of them possible there.
//!
//! Loops of C that start a few threads are unrolled for most engines. Where a proof for any number of threads is looked for, they stay
//! loops: that is a translation of its own, of the same program.

use crate::exit::Failure;
use crate::input::{self, Input, Source};
use braid_engines::strategy::{Bounds, Judgement, Selection, Shape, Strategy};
use braid_engines::{Control, Verdict};
use braid_frontend::c::translate::Ints;
use braid_frontend::{Reading, Representation};
use braid_logic::TermPool;
use braid_program::ast::Check;
use braid_program::{Execution, LowerOptions, ast, cfa, guide};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// With fewer threads, looking at single ones is faster than a proof for any number.
const MANY_ROUNDS: usize = 4;

/// Who judges, and within which limits.
pub struct Judge<'j> {
    pub strategy: &'j Strategy,
    /// What is to be shown.
    pub shape: Shape,
    /// Is there a deadline?
    pub hurried: bool,
    pub control: Control,
}

impl Judge<'_> {
    /// Verifies a program.
    fn judge(&self, program: &ast::Program) -> Judgement {
        self.strategy.verify(program, program, self.shape, self.hurried, &self.control)
    }

    /// Verifies what was read. If a proof is about the translation in which loops that start threads stay loops, `input` is that one then.
    fn judge_input(&self, source: &Source, input: &mut Input) -> Judgement {
        let Some(rolled) = source.rolled(input) else { return self.judge(&input.program) };
        let judgement = self.strategy.verify(&input.program, &rolled.program, self.shape, self.hurried, &self.control);
        if judgement.unbounded {
            *input = rolled;
        }
        judgement
    }

    /// Verifies a program, and has a second look at what is found; `input` is then what the verdict is about. `plain` are its
    /// automata. Says whether a violation was dismissed; if it was confirmed, gives the automata in which it was.
    pub fn judge_twice<'p>(
        &self,
        source: &Source,
        input: &mut Input,
        plain: &cfa::Program<'_>,
        pool: &'p TermPool,
    ) -> Result<(Judgement, Look<'p>), Failure> {
        if let Some(defined) = self.settled(source, input, plain) {
            *input = defined;
            return Ok((self.judge(&input.program), Look::None));
        }
        let mut judgement = self.judge_input(source, input);
        let (Verdict::Unsafe(counterexample), Some(used)) = (&judgement.verdict, &input.representation) else {
            return Ok((judgement, Look::None));
        };
        let defined = source.defined(input, used)?;
        if defined.program == input.program {
            return Ok((judgement, Look::None));
        }
        let other = TermPool::new();
        let raised;
        let from = if judgement.lowering == LowerOptions::from(self.strategy.bounds) {
            plain
        } else {
            raised = input::automata(&input.program, &other, judgement.lowering)?;
            &raised
        };
        let to = input::automata(&defined.program, pool, judgement.lowering)?;
        let execution = guide(from, counterexample.execution(), &to);
        let verdict = execution.map(|execution| Verdict::from_execution(&to, execution));
        *input = defined;
        match verdict {
            Some(found @ Verdict::Unsafe(_)) => {
                judgement.verdict = found;
                Ok((judgement, Look::Confirmed(to)))
            }
            _ => Ok((self.judge(&input.program), Look::Dismissed)),
        }
    }

    /// The translation in which undefined behaviour ends an execution, if lowering leaves nothing of it that could be violated. Where pointers stay inside of
    /// what they point to, more is known of who writes what: that often settles whether there are data races.
    fn settled(&self, source: &Source, input: &Input, plain: &cfa::Program<'_>) -> Option<Input> {
        let asked =
            source.reading().checks.contains(Check::Race) && self.strategy.settings.selection == Selection::Auto;
        let used = input.representation.as_ref().filter(|_| asked && !input.defined && !is_settled(plain))?;
        let defined = source.defined(input, used).ok()?;
        let pool = TermPool::new();
        let automata = input::automata(&defined.program, &pool, self.strategy.bounds.into()).ok()?;
        is_settled(&automata).then_some(defined)
    }

    /// Looks for a violation in automata whose steps are all apart, for a short time.
    pub fn unfused(&self, program: &ast::Program, lowering: LowerOptions, within: Duration) -> Option<Execution> {
        let bounds = Bounds { fuse: false, instances: Some(lowering.instances), recursion: Some(lowering.recursion) };
        let strategy = Strategy { bounds, settings: self.strategy.settings.clone() };
        let control = self.control.also_cancelled_by(Arc::default()).until(Some(Instant::now() + within));
        match strategy.verify(program, program, self.shape, false, &control).verdict {
            Verdict::Unsafe(counterexample) => Some(counterexample.execution().clone()),
            _ => None,
        }
    }

    /// Does the claim hold, too, where integers wrap around and undefined behaviour goes on?
    pub fn holds_anyhow(&self, source: &Source, used: &Representation) -> bool {
        let again = source.again(used, Some(Ints::Bits), false).read();
        again.is_ok_and(|input| matches!(self.judge(&input.program).verdict, Verdict::Safe(_)))
    }
}

/// Is there nothing in the automata that could be violated?
fn is_settled(program: &cfa::Program<'_>) -> bool {
    let locations = program.threads.iter().flat_map(|thread| &thread.locations);
    !program.completion_is_violation && locations.into_iter().all(|location| location.violation.is_none())
}

/// What became of a violation at the second look.
pub enum Look<'p> {
    /// There was none, or no second look.
    None,
    Confirmed(cfa::Program<'p>),
    Dismissed,
}

impl Source {
    /// The translation in which loops that start threads stay loops, if it may be another one, and it is worth looking at.
    fn rolled(&self, input: &Input) -> Option<Input> {
        let used = input.representation.as_ref()?;
        let Source::Program { reading, .. } = self else { return None };
        let unit = input.unit.clone().filter(|_| used.unrolled.is_some_and(|rounds| rounds >= MANY_ROUNDS))?;
        let reading = Reading { rolled: true, data_model: Some(used.data_model), ..reading.clone() };
        Input::of_unit(unit, &reading).ok()
    }

    /// The translation of the same program in which undefined behaviour ends an execution.
    fn defined(&self, input: &Input, used: &Representation) -> Result<Input, Failure> {
        // Bit-vectors always do. Whether mathematical integers do may depend on the conditions.
        let ints = if used.ints == Ints::Bits { Some(Ints::Bits) } else { self.reading().ints };
        let again = self.again(used, ints, true);
        match input.unit.clone() {
            Some(unit) => Input::of_unit(unit, again.reading()),
            None => again.read(),
        }
    }

    /// The same program, after it was read with this representation: with or without what C leaves undefined.
    fn again(&self, used: &Representation, ints: Option<Ints>, defined: bool) -> Source {
        let again = |reading: &Reading| Reading { data_model: Some(used.data_model), ints, defined, ..reading.clone() };
        match self {
            Source::Program { file, reading } => Source::Program { file: file.clone(), reading: again(reading) },
            Source::Hyper(request) => {
                Source::Hyper(crate::hyper::Request { reading: again(&request.reading), ..request.clone() })
            }
        }
    }
}
