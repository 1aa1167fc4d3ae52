//! `parametric`: proofs for any number of threads.
//!
//! The program is lowered once more, with templates (`system`). Facts about one instance and about any two are guessed (`candidates`, from
//! `samples` and from what errors need), those that are inductive are kept (`houdini`; `obligations` says what that means and why it is enough),
//! and if nobody can be at an error location then, the program is safe, whatever number of threads it starts. The facts are checked once more by
//! a fresh solver, without the native tier.
//!
//! Invariant: this engine says `safe` or `unknown`. Bugs are the others' job.

mod affine;
mod candidates;
mod horn;
mod houdini;
mod kinds;
mod matter;
mod needed;
mod numbers;
mod samples;
mod shapes;
mod support;
mod words;

use crate::deadlock::refuse;
use crate::{Argument, Control, Engine, Invariant, Outcome, Proof, Reason, Statistics, Task, ThreadModular, Verdict};
use braid_check::threads::{About, Facts, Place, System, broken, is_safe};

use braid_logic::{HornAnswer, Solver, SolverOptions, TermPool};
use braid_program::cfa::Program;
use braid_program::{LowerOptions, lower};
use candidates::{Candidates, Stage};
use horn::{Horn, Level};
use houdini::keep_inductive;
use samples::Samples;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::support;
use words::Wealth;

/// Which programs are worth the effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reach {
    /// All.
    #[default]
    All,
    /// Those that can start threads again and again.
    Many,
}

/// The engine with its options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parametric {
    /// Which programs it works on.
    pub reach: Reach,
    /// How its solver works.
    pub solver: SolverOptions,
    /// Write what is looked for to this file, as Horn clauses.
    pub dump: Option<PathBuf>,
}

/// So long Horn clauses are worked on at most: what is not found soon is rarely found at all.
const HORN_TIME: Duration = Duration::from_secs(8);

/// A way to look for facts.
#[derive(Clone, Copy)]
enum Step<'a, 'p> {
    /// Candidates over a system with or without ghost variables.
    Guess(&'a System<'p>, Wealth),
    /// Horn clauses, without ghost variables.
    Horn,
}

/// What was found.
enum Found {
    /// Facts that exclude all errors.
    Proof(Argument),
    /// Facts that do not.
    Facts(Facts),
}

impl Engine for Parametric {
    fn name(&self) -> &'static str {
        "parametric"
    }

    fn verify(&self, task: &Task<'_, '_>, control: &Control) -> Outcome {
        if let Some(outcome) = refuse(task, self.name()) {
            return outcome;
        }
        let Some(structured) = task.structured else {
            return Outcome::unknown(Reason::Incomplete("templates need the structured program".into()));
        };
        let pool = TermPool::new();
        let options = LowerOptions { templates: true, ..structured.lowering };
        match lower(structured.program, &pool, options) {
            Ok(program) => self.prove(&program, options, control),
            Err(error) => Outcome::unknown(Reason::Incomplete(error.message)),
        }
    }
}

impl Parametric {
    fn prove(&self, program: &Program<'_>, lowering: LowerOptions, control: &Control) -> Outcome {
        let mut statistics = Statistics::default();
        let verdict = match self.argument(program, control, &mut statistics) {
            Ok(argument) => Verdict::Safe(Box::new(Proof { lowering: Some(lowering), monitored: false, argument })),
            Err(reason) => Verdict::Unknown(reason),
        };
        Outcome { verdict, statistics }
    }

    fn argument(
        &self,
        program: &Program<'_>,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Argument, Reason> {
        let system = System::of(program).map_err(Reason::Incomplete)?;
        if self.reach == Reach::Many && !system.templates.iter().any(|t| t.any) {
            return Err(Reason::incomplete("no thread is started again and again"));
        }
        if let Some(path) = &self.dump {
            dump(&system, path)?;
        }
        let mut counted = System::of(program).map_err(Reason::Incomplete)?;
        counted.count();
        let mut numbered = System::of(program).map_err(Reason::Incomplete)?;
        numbered.count();
        numbered.number();
        let mut known = Facts::default();
        for step in [
            Step::Guess(&system, Wealth::Poor),
            Step::Guess(&counted, Wealth::Poor),
            Step::Guess(&numbered, Wealth::Poor),
            Step::Horn,
            Step::Guess(&system, Wealth::Rich),
            Step::Guess(&counted, Wealth::Rich),
        ] {
            let found = match step {
                Step::Guess(system, wealth) => self.guess(system, wealth, control, statistics)?,
                Step::Horn => self.solve(&system, &known, control, statistics)?,
            };
            match (found, step) {
                (Found::Proof(argument), _) => return Ok(argument),
                // These speak of no ghost variables.
                (Found::Facts(facts), Step::Guess(_, Wealth::Poor)) if known.count() == 0 => known = facts,
                _ => {}
            }
        }
        Err(Reason::Incomplete("no facts about one thread and about two were found that exclude all errors".into()))
    }

    /// Looks for a proof with candidates of growing number.
    fn guess(
        &self,
        system: &System<'_>,
        wealth: Wealth,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Found, Reason> {
        let samples = Samples::draw(system, control).map_err(Reason::Stopped)?;
        if samples.error {
            return Err(Reason::Incomplete("an error seems to be possible".into()));
        }
        let mut finder = self.solver(system, true, control)?;
        let candidates = Candidates::new(system, &samples, wealth);
        let mut known = Facts::default();
        for stage in [Stage::Alone, Stage::Apart, Stage::Two, Stage::Flags] {
            let mut facts = candidates.all(stage);
            facts.extend(&known);
            match self.prove_by(system, &mut finder, facts, control, statistics)? {
                Found::Facts(facts) => known = facts,
                proof => return Ok(proof),
            }
        }
        Ok(Found::Facts(known))
    }

    /// Lets a solver for Horn clauses look for what is missing beside facts that are known.
    fn solve(
        &self,
        system: &System<'_>,
        known: &Facts,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Found, Reason> {
        let horn = Horn::of(system, known, Level::Two);
        control.poll_now().map_err(Reason::Stopped)?;
        let mut solver = self.solver(system, true, control)?;
        let answer = solver.solve_horn(&horn.clauses, HORN_TIME);
        control.poll_now().map_err(Reason::Stopped)?;
        let HornAnswer::Solved(solution) = answer else { return Ok(Found::Facts(Facts::default())) };
        let mut facts = horn.facts(system, &solution);
        facts.extend(known);
        self.prove_by(system, &mut solver, facts, control, statistics)
    }

    /// Keeps those of the candidates that are inductive. If they exclude all errors, that is a proof, which a fresh solver checks.
    fn prove_by(
        &self,
        system: &System<'_>,
        finder: &mut Solver<'_>,
        mut facts: Facts,
        control: &Control,
        statistics: &mut Statistics,
    ) -> Result<Found, Reason> {
        statistics.rounds += 1;
        let kept = keep_inductive(system, finder, &mut facts, control);
        statistics.smt_queries = finder.statistics().queries;
        statistics.smt_time = finder.statistics().total_time();
        kept.map_err(Reason::Stopped)?;
        statistics.proof_size = facts.count() as u64;
        if !is_safe(system, &facts) {
            return Ok(Found::Facts(facts));
        }
        let support = support(system, finder, &facts, control).map_err(Reason::Stopped)?;
        let facts = support.unwrap_or(facts);
        statistics.proof_size = facts.count() as u64;
        let mut checker = self.solver(system, false, control)?;
        match broken(system, &mut checker, &facts, || control.poll_now()).map_err(Reason::Stopped)? {
            None => Ok(Found::Proof(argument(system, &facts))),
            Some(_) => Err(Reason::incomplete("a fresh solver does not confirm the facts")),
        }
    }

    fn solver<'p>(&self, system: &System<'p>, native: bool, control: &Control) -> Result<Solver<'p>, Reason> {
        let native = native && self.solver.native;
        let solver = Solver::new(system.pool, SolverOptions { native, ..self.solver.clone() })
            .map_err(|error| Reason::Incomplete(error.to_string()))?;
        control.may_interrupt(solver.interrupter());
        Ok(solver)
    }
}

/// Writes the obligations as Horn clauses.
fn dump(system: &System<'_>, path: &Path) -> Result<(), Reason> {
    let horn = Horn::of(system, &Facts::default(), Level::Two).clauses;
    if horn.is_out_of_reach(system.pool) {
        return Err(Reason::incomplete(
            "uninterpreted functions, floats and quantifiers cannot be written as Horn clauses",
        ));
    }
    let failed = |error| Reason::Incomplete(format!("{} cannot be written: {error}", path.display()));
    std::fs::write(path, horn.script(system.pool)).map_err(failed)
}

fn argument(system: &System<'_>, facts: &Facts) -> Argument {
    let mut invariants = Vec::new();
    for about in facts.subjects() {
        let places = match about {
            About::One(one) => vec![one],
            About::Two(one, other) => vec![one, other],
        };
        let of = |place: &Place| &system.templates[place.template];
        let facts = facts.get(about);
        invariants.push(Invariant {
            places: places.iter().map(|place| (of(place).thread, place.location)).collect(),
            spans: places.iter().map(|place| of(place).spans[place.location.index()]).collect(),
            formulas: facts.iter().map(|&fact| system.pool.display(fact).to_string()).collect(),
            infix: facts.iter().map(|&fact| system.pool.infix(fact).to_string()).collect(),
        });
    }
    let many = system.templates.iter().filter(|t| t.any).map(|t| t.name.clone()).collect();
    let names = system.templates.iter().map(|t| (t.thread, t.name.clone())).collect();
    Argument::ThreadModular(ThreadModular {
        many,
        names,
        counters: !system.counters.is_empty(),
        numbers: system.given.is_some(),
        invariants,
    })
}
