//! From a proof to a certificate, which `braid-check` accepts without any engine.
//!
//! A certificate holds more than a proof does: the states of the reduction with what is known in each. So the reduction is walked once
//! more with the proof's assertions (`graph`). Where the engine's own argument has no assertions, or they do not cover this walk, `gem` proves
//! the program again, with what the engine knows as a beginning.
//!
//! *Invariant*: nothing here is trusted. A certificate that is wrong is refused by the check.

mod graph;
mod needed;

use crate::gem::Gem;
use crate::weave::Weave;
use crate::{
    Abstraction, Argument, Control, Engine, Environments, Invariant, Proof, ProvenReduction, Reason, Task,
    ThreadModular, Verdict,
};
use braid_check::{Certificate, Identity, ThreadFacts};
use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{SolverOptions, Term, TermPool};
use braid_program::cfa::Program;
use braid_program::{LowerOptions, ast, lower};
use braid_reduction::{CommutativityMode, OrderSpec, Reduction};
pub(crate) use graph::Visited;
use graph::Walk;

/// A program with its proof.
pub struct Proven<'a> {
    /// The program.
    pub program: &'a ast::Program,
    /// How it was lowered.
    pub lowering: LowerOptions,
    /// Why it is safe.
    pub proof: &'a Proof,
    /// Who decides.
    pub solver: SolverOptions,
}

impl Proven<'_> {
    /// The same without a reduction, as annotations of each thread.
    pub fn owicki_gries(&self, control: &Control) -> Result<Certificate, String> {
        self.certificate_by(control, Proven::annotations)
    }

    /// The certificate; the property and how the program was read are the caller's to add. Or why there is none, as a clause.
    pub fn certificate(&self, control: &Control) -> Result<Certificate, String> {
        self.certificate_by(control, Proven::argument)
    }

    fn certificate_by(
        &self,
        control: &Control,
        argument: impl Fn(&Self, &mut Program<'_>, &Control) -> Result<braid_check::Argument, String>,
    ) -> Result<Certificate, String> {
        let pool = TermPool::new();
        let mut program = lower(self.program, &pool, self.lowering).map_err(|error| error.message)?;
        if program.deadlock_is_violation || program.livelock_is_violation {
            return Err("there are no certificates for the absence of deadlocks and livelocks yet".into());
        }
        let identity = Identity::of(&program);
        let argument = argument(self, &mut program, control)?;
        let certificate = Certificate {
            property: String::new(),
            reading: Vec::new(),
            lowering: self.lowering,
            program: identity,
            argument,
        };
        Ok(certificate)
    }

    /// Assertions or facts that prove the program, also where its states can be counted: for those who read it.
    pub fn reasons(&self, control: &Control) -> Result<braid_check::Argument, String> {
        self.certificate_by(control, Proven::because).map(|certificate| certificate.argument)
    }

    fn argument(&self, program: &mut Program<'_>, control: &Control) -> Result<braid_check::Argument, String> {
        if let Argument::Exhaustive { states } = self.proof.argument {
            let argument = braid_check::Argument::States { count: states };
            let goes_on = || control.poll().is_ok();
            if braid_check::check(program, &argument, self.solver.clone(), &goes_on).is_ok() {
                return Ok(argument);
            }
        }
        self.because(program, control)
    }

    fn because(&self, program: &mut Program<'_>, control: &Control) -> Result<braid_check::Argument, String> {
        if let Argument::ThreadModular(ThreadModular { counters, numbers, invariants, .. }) = &self.proof.argument {
            let facts = |one: &Invariant| ThreadFacts { places: one.places.clone(), formulas: one.formulas.clone() };
            let facts = invariants.iter().map(facts).collect();
            return Ok(braid_check::Argument::Threads { counters: *counters, numbers: *numbers, facts });
        }
        let known = self.known(program);
        let reduction = match &self.proof.argument {
            Argument::Reduction(reduction) => reduction.clone(),
            _ => in_order(OrderSpec::Seq),
        };
        if let Argument::SomeReduction { choice, commutativity, .. } = self.proof.argument {
            let weave = Weave { choice, commutativity, ..Weave::default() };
            if let Some(found) = graph::woven(program, &weave, &known, &self.solver, control)? {
                return Ok(found);
            }
        } else if !known.is_empty() || matches!(self.proof.argument, Argument::Reduction(_)) {
            let walk = Walk { program, reduction: &reduction, solver: &self.solver, control };
            if let Some(found) = walk.certificate(&known)? {
                return Ok(found);
            }
        }
        self.proven_again(program, known, control)
    }

    /// Annotations: with what the engine knows, or else with what `gem` finds without a reduction.
    fn annotations(&self, program: &mut Program<'_>, control: &Control) -> Result<braid_check::Argument, String> {
        if program.threads.iter().any(|thread| thread.template.is_some()) {
            return Err("annotations are for a number of threads that is known".into());
        }
        let known = self.known(program);
        let all = ProvenReduction { reduction: Reduction::None, ..in_order(OrderSpec::Seq) };
        let walk = Walk { program, reduction: &all, solver: &self.solver, control };
        if let Some(found) = walk.annotations(&known)? {
            return Ok(found);
        }
        program.seeds.extend(known);
        let gem = Gem { reduction: Reduction::None, solver: self.solver.clone(), ..Gem::default() };
        match gem.verify(&Task::new(program), control).verdict {
            Verdict::Safe(proof) => {
                let Argument::Reduction(ProvenReduction { assertions, .. }) = &proof.argument else {
                    return Err("the proof has no assertions".into());
                };
                let walk = Walk { program, reduction: &all, solver: &self.solver, control };
                let found = walk.annotations(&read(program.pool, assertions))?;
                found.ok_or_else(|| "the walk through all interleavings leaves the proof".into())
            }
            Verdict::Unknown(reason) => Err(format!("without a reduction there is no proof: {reason}")),
            Verdict::Unsafe(_) => Err("a second engine finds a violation: please report this".into()),
        }
    }

    /// What the engine knows, as assertions.
    fn known(&self, program: &Program<'_>) -> Vec<Term> {
        let pool = program.pool;
        let read = |texts: &[String]| read(pool, texts);
        match &self.proof.argument {
            Argument::Reduction(ProvenReduction { assertions, .. }) | Argument::SomeReduction { assertions, .. } => {
                read(assertions)
            }
            Argument::Abstraction(Abstraction { precision, .. }) => {
                let predicates =
                    read(precision).into_iter().filter(|&term| pool.sort_of(term) == braid_logic::Sort::BOOL);
                predicates.flat_map(|predicate| [predicate, pool.not(predicate)]).collect()
            }
            Argument::Modular(Environments { invariants, facts, .. }) => {
                let facts = facts.iter().flat_map(|fact| [fact.alpha.clone(), fact.beta.clone()]);
                let facts = read(&facts.collect::<Vec<_>>());
                read(invariants).into_iter().chain(facts.into_iter().flat_map(|term| [term, pool.not(term)])).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Lets `gem` prove the program.
    fn proven_again(
        &self,
        program: &mut Program<'_>,
        known: Vec<Term>,
        control: &Control,
    ) -> Result<braid_check::Argument, String> {
        program.seeds.extend(known);
        let mut why = String::new();
        for order in [OrderSpec::Seq, OrderSpec::LoopLockstep] {
            let gem = Gem { order, solver: self.solver.clone(), ..Gem::default() };
            match gem.verify(&Task::new(program), control).verdict {
                Verdict::Safe(proof) => {
                    let Argument::Reduction(reduction) = proof.argument else { continue };
                    let assertions = read(program.pool, &reduction.assertions);
                    let walk = Walk { program, reduction: &reduction, solver: &self.solver, control };
                    if let Some(found) = walk.certificate(&assertions)? {
                        return Ok(found);
                    }
                    why = "the walk through the reduction leaves the proof".into();
                }
                Verdict::Unknown(Reason::Stopped(reason)) => return Err(reason.to_string()),
                Verdict::Unknown(reason) => why = reason.to_string(),
                Verdict::Unsafe(_) => return Err("a second engine finds a violation: please report this".into()),
            }
        }
        Err(why)
    }
}

/// Formulas out of their texts.
fn read(pool: &TermPool, texts: &[String]) -> Vec<Term> {
    texts.iter().filter_map(|text| parse_term(pool, text, &PoolScope(pool)).ok()).collect()
}

/// The reduction of an order, with all that it can do.
fn in_order(order: OrderSpec) -> ProvenReduction {
    ProvenReduction {
        assertions: Vec::new(),
        order,
        reduction: Reduction::Both,
        commutativity: CommutativityMode::ProofSensitive,
        visible: crate::proof::Visible::All,
        symmetry: false,
    }
}
