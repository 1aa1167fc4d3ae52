//! What is kept of a modular proof: for each thread the last sequential program that was proven, and what holds where.

use super::outline::Annotation;
use super::sequential::{Question, Sequential};
use crate::{Claim, SequentialAction, SequentialProof};
use braid_logic::{Term, TermPool, Var};
use braid_program::cfa::ThreadId;

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
