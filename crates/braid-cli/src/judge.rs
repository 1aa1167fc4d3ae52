//! From a program to a verdict: engines, and for C a second look at what they find.
//!
//! Engines look at the plain translation of C, which goes on after undefined behaviour. What is safe there is safe. What is
//! violated there counts only if all steps are defined: then the execution can be led through the translation in which
//! undefined behaviour ends an execution. If it cannot, that translation is verified, and its verdict is final.
//!
//! Loops of C that start a few threads are unrolled for most engines. Where a proof for any number of threads is looked for, they stay
//! loops: that is a translation of its own, of the same program.

use crate::exit::Failure;
use crate::input::{self, Input, Source};
use braid_engines::strategy::{Bounds, Judgement, Shape, Strategy};
use braid_engines::{Control, Verdict};
use braid_frontend::c::translate::Ints;
use braid_frontend::{Reading, Representation};
use braid_logic::TermPool;
use braid_program::{Execution, LowerOptions, ast, cfa, guide};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a violation is looked for once more, step by step.
const UNFUSED: Duration = Duration::from_secs(10);

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
        let mut judgement = self.judge_input(source, input);
        let (Verdict::Unsafe(counterexample), Some(used)) = (&judgement.verdict, &input.representation) else {
            return Ok((judgement, Look::None));
        };
        // Bit-vectors always do. Whether mathematical integers do may depend on the conditions.
        let ints = if used.ints == Ints::Bits { Some(Ints::Bits) } else { source.reading().ints };
        let again = source.again(used, ints, true);
        let defined = match input.unit.clone() {
            Some(unit) => Input::of_unit(unit, again.reading())?,
            None => again.read()?,
        };
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

    /// Looks for a violation in automata whose steps are all apart, for a short time.
    pub fn unfused(&self, program: &ast::Program, lowering: LowerOptions) -> Option<Execution> {
        let bounds = Bounds { fuse: false, instances: Some(lowering.instances), recursion: Some(lowering.recursion) };
        let strategy = Strategy { bounds, settings: self.strategy.settings.clone() };
        let control = self.control.also_cancelled_by(Arc::default()).until(Some(Instant::now() + UNFUSED));
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
