//! Conditions around an execution: what a path and a state on it say of some variables only (model-based projection).
//!
//! A violating path comes with an execution. Of a disjunction only the part is kept that holds there, so no quantifier has to be
//! eliminated from anything but conjunctions. The result holds in the execution's state and says no less than the whole would. The paper's
//! postconditions may say less; queries are as good with either, since an answer is only believed if it was shown.

use super::concurrent::Vars;
use braid_logic::{Model, Node, Solver, Substitution, Term, TermPool, Value, Var};
use braid_program::Execution;
use braid_program::cfa::Relation;

/// Conditions larger than this are made smaller by values of the execution.
const MAX_SIZE: u32 = 400;
/// The number of the copies that stand for values before a step.
const BEFORE: u32 = u32::MAX;

/// The states that an execution goes through, one more than it has steps; none if a value cannot be told.
pub(super) fn states<'r>(
    pool: &TermPool,
    execution: &Execution,
    relations: impl Iterator<Item = &'r Relation>,
) -> Option<Vec<Model>> {
    let mut states = vec![execution.initial.clone()];
    for (relation, step) in relations.zip(&execution.steps) {
        let before = &states[states.len() - 1];
        let chosen = with(before, relation.choices.iter().copied().zip(step.choices.iter().cloned()));
        let updates = relation.updates.iter().map(|(var, term)| Some((*var, pool.evaluate_in(*term, &chosen)?)));
        let updates: Vec<(Var, Value)> = updates.collect::<Option<_>>()?;
        states.push(with(before, updates));
    }
    Some(states)
}

fn with(state: &Model, values: impl IntoIterator<Item = (Var, Value)>) -> Model {
    let mut state = state.clone();
    state.vars.extend(values);
    state
}

/// One step of an execution.
pub(super) struct ExecutedRelation<'s> {
    pub relation: &'s Relation,
    pub before: &'s Model,
    pub choices: &'s [Value],
    pub after: &'s Model,
}

/// A condition behind a step that leads to a state of the execution. Nothing is said of variables in `forgotten`.
pub(super) fn postcondition(
    solver: &mut Solver<'_>,
    pool: &TermPool,
    condition: Term,
    step: &ExecutedRelation<'_>,
    forgotten: &Vars,
) -> Term {
    let relation = step.relation;
    let copies = || relation.writes.iter().map(|&var| (var, pool.copy_of(var, BEFORE)));
    let before: Substitution = copies().map(|(var, copy)| (var, pool.of_var(copy))).collect();
    let gone: Vec<Var> = copies().map(|(_, copy)| copy).chain(relation.choices.iter().copied()).collect();
    let known = pool.substitute(pool.and([condition, relation.guard]), &before);
    let updates = relation.updates.iter().filter(|(var, _)| !forgotten.contains(var));
    let updates = updates.map(|(var, term)| pool.eq(pool.of_var(*var), pool.substitute(*term, &before)));
    let formula = pool.and(updates.chain([known]));
    let old = copies().filter_map(|(var, copy)| Some((copy, step.before.vars.get(&var)?.clone())));
    let chosen = relation.choices.iter().copied().zip(step.choices.iter().cloned());
    project(solver, pool, &gone, formula, &with(step.after, old.chain(chosen)))
}

/// What a formula says of other variables, around a state where it holds.
pub(super) fn project(solver: &mut Solver<'_>, pool: &TermPool, vars: &[Var], formula: Term, state: &Model) -> Term {
    let mentions = |conjunct: &Term| vars.iter().any(|&var| pool.mentions(*conjunct, var));
    let (inside, outside): (Vec<Term>, Vec<Term>) = pool.conjuncts(formula).into_iter().partition(mentions);
    if inside.is_empty() {
        return formula;
    }
    let inside = pool.and(inside.into_iter().map(|conjunct| implicant(pool, vars, conjunct, state)));
    let projected = solver.eliminate(vars, inside).filter(|&projected| pool.size(projected) <= MAX_SIZE);
    pool.and(outside.into_iter().chain([projected.unwrap_or_else(|| fixed(pool, vars, inside, state))]))
}

/// The formula with the values that the variables have in a state; conjuncts with variables that have none are left out.
pub(super) fn fixed(pool: &TermPool, vars: &[Var], formula: Term, state: &Model) -> Term {
    let value = |&var: &Var| Some((var, term_of(pool, &pool.evaluate_in(pool.of_var(var), state)?)?));
    let fixed = pool.substitute(formula, &vars.iter().filter_map(value).collect());
    let is_free = |conjunct: &Term| !vars.iter().any(|&var| pool.mentions(*conjunct, var));
    pool.and(pool.conjuncts(fixed).into_iter().filter(is_free))
}

/// A formula without disjunctions over the variables that implies the given one and holds in the state, as it does.
fn implicant(pool: &TermPool, vars: &[Var], formula: Term, state: &Model) -> Term {
    let mentions = |term: Term| vars.iter().any(|&var| pool.mentions(term, var));
    if !mentions(formula) {
        return formula;
    }
    match pool.node(formula) {
        Node::And(items) => pool.and(items.iter().map(|&item| implicant(pool, vars, item, state))),
        Node::Or(items) => {
            let holding = items.iter().copied().filter(|&item| pool.holds_in(item, state) == Some(true));
            let chosen = holding.min_by_key(|&item| (mentions(item), pool.size(item)));
            chosen.map_or(formula, |item| implicant(pool, vars, item, state))
        }
        Node::Not(inner) => match pool.node(*inner) {
            Node::Zero(linear) => {
                let (sum, zero) = (pool.linear(linear.clone()), pool.int(0));
                let greater = pool.gt(sum, zero);
                if pool.holds_in(greater, state) == Some(true) { greater } else { pool.lt(sum, zero) }
            }
            _ => formula,
        },
        _ => formula,
    }
}

/// A value as a term, if it has one.
fn term_of(pool: &TermPool, value: &Value) -> Option<Term> {
    match value {
        Value::Bool(value) => Some(pool.bool(*value)),
        Value::Int(value) => Some(pool.int(value.clone())),
        _ => None,
    }
}
