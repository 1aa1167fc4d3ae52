//! Strategy *constants*: weakest preconditions as in *core*, with the values put in that the trace itself fixes.
//!
//! A trace that went round a loop knows the loop's counter at each position, and by it which write of an array a read sees: cases that
//! *core* would multiply are decided. An assertion is what is left of the precondition, with the values that made it so small.

use crate::core::{Core, for_all, start_with_true};
use crate::trace::Trace;
use braid_logic::{Node, Solver, Substitution, Term, TermPool, Var};
use braid_program::cfa::Relation;
use std::collections::BTreeSet;

/// Assertions larger than this are not worth having.
const MAX_SIZE: u32 = 2_000;

/// Weakest preconditions of `false` along the trace, with the guards of the core only, for the values that variables have there.
pub(crate) fn annotate(solver: &mut Solver<'_>, pool: &TermPool, trace: &Trace<'_>, core: &Core) -> Option<Vec<Term>> {
    let values = values(pool, trace);
    let (mut left, mut needed) = (Term::FALSE, BTreeSet::new());
    let mut assertions = vec![Term::FALSE];
    for (position, step) in trace.steps().enumerate().rev() {
        let known = &values[position];
        let guard = pool.and(core.guards(pool, trace, position));
        let before = pool.implies(guard, step.before(pool, left));
        let is_known = |var: &&Var| known.contains_key(var);
        needed = needed_before(pool, step, &needed).into_iter().filter(|var| is_known(&var)).collect();
        needed.extend(pool.free_vars(before).iter().filter(is_known));
        left = for_all(solver, pool, &step.choices, pool.substitute(before, known))?;
        if pool.size(left) > MAX_SIZE {
            return None;
        }
        let fixed = needed.iter().map(|var| pool.eq(pool.of_var(*var), known[var]));
        assertions.push(pool.and(fixed.chain([left])));
    }
    assertions.reverse();
    start_with_true(solver, pool, &mut assertions);
    Some(assertions)
}

/// What has to be known before a step for these values to be known behind it.
fn needed_before(pool: &TermPool, step: &Relation, needed: &BTreeSet<Var>) -> BTreeSet<Var> {
    let before = |&var: &Var| match step.updates.iter().find(|(written, _)| *written == var) {
        Some((_, term)) => pool.free_vars(*term).to_vec(),
        None => vec![var],
    };
    needed.iter().flat_map(before).collect()
}

/// For each position, the values that the steps up to there fix.
fn values(pool: &TermPool, trace: &Trace<'_>) -> Vec<Substitution> {
    let mut values = vec![Substitution::default()];
    for step in trace.steps() {
        let known = &values[values.len() - 1];
        let mut next = known.clone();
        next.extend(pool.conjuncts(step.guard).into_iter().filter_map(|conjunct| fixed_by(pool, conjunct)));
        for (var, term) in &step.updates {
            let value = pool.substitute(*term, known);
            if is_value(pool, value) {
                next.insert(*var, value)
            } else {
                next.remove(var)
            };
        }
        values.push(next);
    }
    values
}

/// The variable of which the conjunct alone says what it is.
fn fixed_by(pool: &TermPool, conjunct: Term) -> Option<(Var, Term)> {
    let variable = |term: Term| if let Node::Var(var) = pool.node(term) { Some(*var) } else { None };
    match pool.node(conjunct) {
        Node::Var(flag) => Some((*flag, Term::TRUE)),
        Node::Not(inner) => Some((variable(*inner)?, Term::FALSE)),
        Node::Eq(a, b) if is_value(pool, *a) => Some((variable(*b)?, *a)),
        Node::Eq(a, b) if is_value(pool, *b) => Some((variable(*a)?, *b)),
        Node::Zero(linear) => match &linear.parts[..] {
            [(part, c)] if c.is_one() => Some((variable(*part)?, pool.int(-&linear.constant))),
            _ => None,
        },
        _ => None,
    }
}

fn is_value(pool: &TermPool, term: Term) -> bool {
    matches!(pool.node(term), Node::Integer(_) | Node::BitVec { .. } | Node::True | Node::False)
}
