//! Strategy *core*: the guards that matter, and weakest preconditions over them.
//!
//! Guards outside a minimised unsatisfiable core of the path condition are forgotten; going backwards from `false`, a
//! guard turns `φ` into `guard ⇒ φ`, and an assignment substitutes. Choices of havocs are eliminated for all values.

use crate::trace::Trace;
use braid_logic::{Answer, Solver, Term, TermPool, Var};

/// Cores with more guards than this are not minimised.
const MAX_MINIMISED: usize = 200;
/// Assertions larger than this are not worth having.
const MAX_SIZE: u32 = 4_000;

/// For each step, which conjuncts of its guard are in the core.
pub(crate) struct Core {
    /// The numbers of the conjuncts, in the order of `TermPool::conjuncts` of the guard.
    pub kept: Vec<Vec<usize>>,
}

impl Core {
    /// The core of a path condition that the solver has just found unsatisfiable, assuming its parts in order.
    pub fn of(solver: &mut Solver<'_>, condition: &[Vec<Term>]) -> Core {
        if solver.core().len() <= MAX_MINIMISED {
            solver.minimize_core();
        }
        let mut core = solver.core().to_vec();
        let mut keep = |formula: Term| {
            // A formula that several steps contribute is needed once; the first contribution serves.
            core.iter().position(|&needed| needed == formula).map(|found| core.swap_remove(found)).is_some()
        };
        let kept = condition
            .iter()
            .map(|guards| guards.iter().enumerate().filter(|(_, guard)| keep(**guard)).map(|(n, _)| n).collect())
            .collect();
        Core { kept }
    }

    /// The core of the shortest end of a path condition that is unsatisfiable. The solver has just found all of it to be so.
    pub fn late(solver: &mut Solver<'_>, condition: &[Vec<Term>]) -> Core {
        let from = |start: usize| condition[start..].iter().flatten().copied().collect::<Vec<Term>>();
        // Unsatisfiable from `low` on, not known to be from `high` on.
        let (mut low, mut high) = (0, condition.len());
        while low + 1 < high {
            let middle = (low + high) / 2;
            match solver.check_assuming(&from(middle)) {
                Answer::Unsat => low = middle,
                Answer::Sat | Answer::Unknown => high = middle,
            }
        }
        let mut shortened = condition.to_vec();
        shortened[..low].iter_mut().for_each(Vec::clear);
        if solver.check_assuming(&from(low)) != Answer::Unsat {
            // A second thought of the solver: all guards will do.
            let kept = condition.iter().map(|guards| (0..guards.len()).collect()).collect();
            return Core { kept };
        }
        Core::of(solver, &shortened)
    }

    /// The conjuncts of a step's guard that are in the core.
    pub fn guards(&self, pool: &TermPool, trace: &Trace<'_>, position: usize) -> Vec<Term> {
        let conjuncts = pool.conjuncts(trace.step(position).guard);
        self.kept[position].iter().map(|&number| conjuncts[number]).collect()
    }
}

/// Weakest preconditions of `false` along the trace, with the guards of the core only.
pub(crate) fn annotate(solver: &mut Solver<'_>, pool: &TermPool, trace: &Trace<'_>, core: &Core) -> Option<Vec<Term>> {
    let mut assertions = vec![Term::FALSE];
    for (position, step) in trace.steps().enumerate().rev() {
        let after = assertions[assertions.len() - 1];
        let guard = pool.and(core.guards(pool, trace, position));
        let before = for_all(solver, pool, &step.choices, pool.implies(guard, step.before(pool, after)))?;
        if pool.size(before) > MAX_SIZE {
            return None;
        }
        assertions.push(before);
    }
    assertions.reverse();
    start_with_true(solver, pool, &mut assertions);
    Some(assertions)
}

/// What the formula says of all values of some variables.
pub(crate) fn for_all(solver: &mut Solver<'_>, pool: &TermPool, vars: &[Var], formula: Term) -> Option<Term> {
    if !vars.iter().any(|&var| pool.mentions(formula, var)) {
        return Some(formula);
    }
    Some(pool.not(solver.eliminate(vars, pool.not(formula))?))
}

/// Replaces valid assertions at the start by `true`: what holds everywhere says nothing.
pub(crate) fn start_with_true(solver: &mut Solver<'_>, pool: &TermPool, assertions: &mut [Term]) {
    for assertion in assertions.iter_mut() {
        if *assertion != Term::TRUE && solver.decide(&[pool.not(*assertion)]) != Answer::Unsat {
            return;
        }
        *assertion = Term::TRUE;
    }
}
