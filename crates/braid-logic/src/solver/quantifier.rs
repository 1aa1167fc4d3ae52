//! Quantifier elimination by Z3's tactics.
//!
//! `qe-light` comes first; `qe2` follows only if a quantifier is left, because it answers `true` to a goal that has
//! none.

use super::reread::{any, has_quantifier, reread};
use super::translate::Translator;
use crate::pool::TermPool;
use crate::term::{BvOp, Node, Term, Var};
use z3::ast::{Ast, Dynamic, exists_const};
use z3::{Goal, GoalPrec, Tactic};

/// A formula without quantifiers that is equivalent to `∃ vars. formula`, which has none itself; or none if Z3 finds
/// none, or is interrupted.
pub(super) fn eliminate(pool: &TermPool, translator: &mut Translator, vars: &[Var], formula: Term) -> Option<Term> {
    if occurs_opaquely(pool, vars, formula) {
        return None;
    }
    let bound: Vec<Dynamic> = vars.iter().map(|&var| translator.term(pool.of_var(var)).clone()).collect();
    let bound: Vec<&dyn Ast> = bound.iter().map(|var| var as &dyn Ast).collect();
    let goal = Goal::new(false, false, false);
    goal.assert(&exists_const(&bound, &[], &translator.formula(formula)));
    let mut goals = apply("qe-light", &goal)?;
    let mut result = read(pool, &goals)?;
    if has_quantifier(pool, result) {
        let [goal] = &goals[..] else { return None };
        goals = apply("qe2", goal)?;
        result = read(pool, &goals)?;
    }
    let allowed = |var: &Var| pool.mentions(formula, *var) && !vars.contains(var);
    (!has_quantifier(pool, result) && pool.free_vars(result).iter().all(allowed)).then_some(result)
}

/// Does a variable occur inside an application, an index, a product, an operation on floats, or a write that may or may not be read? Z3 would search there in vain,
/// and for long, or come back with what is true of single values.
fn occurs_opaquely(pool: &TermPool, vars: &[Var], formula: Term) -> bool {
    let mentioned = |term: Term| vars.iter().any(|&var| pool.mentions(term, var));
    any(pool, &[formula], |node| match node {
        Node::Apply(_, arguments) | Node::Product(arguments) | Node::Bv(BvOp::Float(..), arguments) => {
            arguments.iter().any(|&argument| mentioned(argument))
        }
        Node::Select(array, index) => {
            mentioned(*index) || matches!(pool.node(*array), Node::Store(.., value) if mentioned(*value))
        }
        Node::Store(_, index, _) => mentioned(*index),
        _ => false,
    })
}

fn apply(tactic: &str, goal: &Goal) -> Option<Vec<Goal>> {
    let goals: Vec<Goal> = Tactic::new(tactic).apply(goal, None).ok()?.list_subgoals().collect();
    goals.iter().all(|goal| goal.get_precision() == GoalPrec::Precise).then_some(goals)
}

fn read(pool: &TermPool, goals: &[Goal]) -> Option<Term> {
    let conjunction = |goal: &Goal| {
        let formulas: Option<Vec<Term>> = goal.get_formulas().iter().map(|formula| reread(pool, formula)).collect();
        formulas.map(|formulas| pool.and(formulas))
    };
    let cases: Option<Vec<Term>> = goals.iter().map(conjunction).collect();
    cases.map(|cases| pool.or(cases))
}
