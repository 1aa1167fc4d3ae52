//! What a modular proof consists of, as text: for each thread the last sequential program that was proven, and what holds where.
//!
//! Texts are SMT-LIB, as everywhere where terms leave their pool. An action is a guarded parallel assignment, so each triple of
//! a proof is one query; what is assumed of the environment is part of the guards of `env_move`.

use super::outline::Annotation;
use super::sequential::{Question, Sequential};
use braid_logic::{Term, TermPool, Var};
use braid_program::cfa::ThreadId;

/// A sequential program that reaches no error location, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequentialProof {
    /// The thread whose program it is.
    pub thread: String,
    /// What the program shows.
    pub claim: Claim,
    /// All variables and choices, with their sorts.
    pub variables: Vec<(String, String)>,
    /// The number of the first location.
    pub entry: u32,
    /// The error locations.
    pub errors: Vec<u32>,
    /// For each location what holds there; none if the proof was found by an engine that does not say.
    pub assertions: Option<Vec<String>>,
    /// Its actions.
    pub actions: Vec<SequentialAction>,
}

/// What a sequential program shows of its thread and the threads below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The thread violates nothing.
    NoViolation,
    /// They do not get from one condition to the other.
    OutOfReach {
        /// Where they start.
        alpha: String,
        /// Where they do not get.
        beta: String,
    },
}

/// An action as a guarded parallel assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequentialAction {
    /// Where it starts.
    pub source: u32,
    /// Where it ends.
    pub target: u32,
    /// When it can happen, over variables and choices.
    pub guard: String,
    /// New values, over old values and choices; what is not named stays.
    pub updates: Vec<(String, String)>,
}

/// A program that was proven, before it becomes text.
pub(super) struct Proven<'p> {
    pub question: Question,
    pub sequential: Sequential<'p>,
    pub annotation: Option<Annotation>,
}

impl Proven<'_> {
    pub fn text(&self) -> SequentialProof {
        let program = &self.sequential.program;
        let (pool, thread) = (program.pool, program.thread(ThreadId::MAIN));
        let text = |term: Term| pool.display(term).to_string();
        let relations = || program.actions.iter().map(|action| action.relation(pool));
        let choices = relations().flat_map(|relation| relation.choices.iter().copied());
        let mut vars: Vec<Var> = program.variables.iter().map(|variable| variable.var).chain(choices).collect();
        vars.sort_unstable();
        vars.dedup();
        let actions = program.actions.iter().zip(relations()).map(|(action, relation)| SequentialAction {
            source: action.source.0,
            target: action.target.0,
            guard: text(relation.guard),
            updates: relation.updates.iter().map(|(var, term)| (name(pool, *var), text(*term))).collect(),
        });
        let is_error = |number: &u32| thread.locations[*number as usize].violation.is_some();
        SequentialProof {
            thread: thread.name.clone(),
            claim: match self.question {
                Question::Error(_) => Claim::NoViolation,
                Question::Reach { alpha, beta } => Claim::OutOfReach { alpha: text(alpha), beta: text(beta) },
            },
            variables: vars
                .iter()
                .map(|&var| (name(pool, var), pool.display_sort(pool.var_sort(var)).to_string()))
                .collect(),
            entry: thread.entry.0,
            errors: (0..thread.locations.len() as u32).filter(is_error).collect(),
            assertions: self.annotation.as_ref().map(|annotation| annotation.iter().map(|&term| text(term)).collect()),
            actions: actions.collect(),
        }
    }
}

fn name(pool: &TermPool, var: Var) -> String {
    pool.var_name(var).to_string()
}
