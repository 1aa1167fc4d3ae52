//! Case splits: an action with several values that depend on conditions becomes one action for each way to decide them.
//!
//! Example: `c := (a < b ? -1 : 1); r := (c < 0 ? c : r)` becomes `assume a < b; c := -1; r := c` and `assume ¬(a < b); c := 1`.
//! Weakest preconditions over values that depend on conditions grow with each such value. Over plain values they stay small.
//!
//! Invariant: the new actions have the same executions as the old one. Exactly one of them goes each way, since each split adds a
//! condition to one and its opposite to the other. What is left out has a guard that is false.

use super::{Automaton, Edge};
use crate::cfa::{Step, StepKind};
use braid_logic::{Node, Substitution, Term, TermPool, Var};
use rustc_hash::FxHashSet;

/// An action with fewer values that depend on conditions stays as it is.
const ENOUGH: usize = 2;
/// An action that would become more of them stays as it is.
const MAX_CASES: usize = 8;

/// Splits the actions of an automaton.
pub(super) fn split(pool: &TermPool, automaton: &mut Automaton) {
    let edges = std::mem::take(&mut automaton.edges);
    for edge in edges {
        match cases(pool, &edge.steps) {
            Some(cases) => {
                automaton.edges.extend(cases.into_iter().map(|steps| Edge { steps, ..edge.clone() }));
            }
            None => automaton.edges.push(edge),
        }
    }
}

/// A way to decide some conditions.
#[derive(Clone)]
struct Case {
    steps: Vec<Step>,
    /// What variables are, in terms of what they were before the action.
    values: Substitution,
    /// What holds before the action.
    known: Term,
}

/// The ways to decide all conditions; none if there are few conditions or many ways.
fn cases(pool: &TermPool, steps: &[Step]) -> Option<Vec<Vec<Step>>> {
    let conditional = |step: &Step| match &step.kind {
        StepKind::Assign(all) => all.iter().filter(|(_, term)| condition(pool, *term).is_some()).count(),
        _ => 0,
    };
    if steps.iter().map(conditional).sum::<usize>() < ENOUGH {
        return None;
    }
    let mut open = vec![Case { steps: Vec::new(), values: Substitution::default(), known: Term::TRUE }];
    for step in steps {
        let mut next = Vec::new();
        for case in open {
            case.extended(pool, step, &mut next);
            if next.len() > MAX_CASES {
                return None;
            }
        }
        open = next;
    }
    Some(open.into_iter().map(|case| case.steps).collect())
}

impl Case {
    /// The ways to go on with a step.
    fn extended(mut self, pool: &TermPool, step: &Step, found: &mut Vec<Case>) {
        match &step.kind {
            StepKind::Assign(all) => {
                let Some(test) = all.iter().find_map(|(_, term)| condition(pool, *term)) else {
                    self.add(pool, step.clone());
                    found.push(self);
                    return;
                };
                for (holds, decided) in [(test, true), (pool.not(test), false)] {
                    let mut case = self.clone();
                    if !case.assume(pool, holds, step) || found.len() > MAX_CASES {
                        continue;
                    }
                    let value = |&(var, term): &(Var, Term)| (var, decide(pool, term, test, decided));
                    let is_change = |(var, term): &(Var, Term)| *term != pool.of_var(*var);
                    let simpler = all.iter().map(value).filter(is_change).collect();
                    case.extended(pool, &Step { kind: StepKind::Assign(simpler), span: step.span }, found);
                }
            }
            StepKind::Assume(formula) => {
                let formula = pool.substitute(*formula, &self.values);
                self.known = pool.and([self.known, formula]);
                self.add(pool, step.clone());
                found.push(self);
            }
            StepKind::Await(..) | StepKind::Havoc(_) => {
                self.add(pool, step.clone());
                found.push(self);
            }
        }
    }

    /// Adds a condition; can it hold, at first sight?
    fn assume(&mut self, pool: &TermPool, condition: Term, at: &Step) -> bool {
        let before = pool.substitute(condition, &self.values);
        let known = pool.and([self.known, before]);
        if known != self.known {
            self.known = known;
            self.steps.push(Step { kind: StepKind::Assume(condition), span: at.span });
        }
        known != Term::FALSE
    }

    fn add(&mut self, pool: &TermPool, step: Step) {
        if step.kind == StepKind::Assign(Vec::new()) {
            return;
        }
        step.kind.change(pool, &mut self.values);
        self.steps.push(step);
    }
}

/// An outermost condition that a value depends on.
fn condition(pool: &TermPool, term: Term) -> Option<Term> {
    let mut open = vec![term];
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.node(term) {
            Node::Ite(test, _, _) => return Some(*test),
            Node::Sum(linear) => open.extend(linear.parts.iter().map(|(part, _)| *part)),
            _ => {}
        }
    }
    None
}

/// The value where the condition is decided.
fn decide(pool: &TermPool, term: Term, test: Term, holds: bool) -> Term {
    match pool.node(term) {
        Node::Ite(other, yes, no) if *other == test => decide(pool, if holds { *yes } else { *no }, test, holds),
        Node::Ite(other, yes, no) => pool.ite(*other, decide(pool, *yes, test, holds), decide(pool, *no, test, holds)),
        Node::Sum(linear) => {
            let parts = linear
                .parts
                .iter()
                .map(|(part, factor)| pool.mul(pool.int(factor.clone()), decide(pool, *part, test, holds)));
            pool.add(parts.chain([pool.int(linear.constant.clone())]).collect::<Vec<_>>())
        }
        _ => term,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::Relation;
    use crate::source::Span;
    use crate::walk::Random;
    use braid_logic::{Model, Sort, Value};

    fn number(pool: &TermPool, vars: &[Var], random: &mut Random, depth: usize) -> Term {
        match random.below(if depth == 0 { 2 } else { 5 }) {
            0 => pool.int(random.below(3) as i64 - 1),
            1 => pool.of_var(vars[random.below(vars.len())]),
            2 => pool.add([number(pool, vars, random, depth - 1), number(pool, vars, random, depth - 1)]),
            _ => {
                let test = pool.le(number(pool, vars, random, depth - 1), number(pool, vars, random, depth - 1));
                pool.ite(test, number(pool, vars, random, depth - 1), number(pool, vars, random, depth - 1))
            }
        }
    }

    fn step(pool: &TermPool, vars: &[Var], random: &mut Random) -> Step {
        let kind = match random.below(6) {
            0 => StepKind::Assume(pool.le(number(pool, vars, random, 1), number(pool, vars, random, 1))),
            1 => StepKind::Assign(vec![
                (vars[0], number(pool, vars, random, 2)),
                (vars[1], number(pool, vars, random, 2)),
            ]),
            _ => StepKind::Assign(vec![(vars[random.below(vars.len())], number(pool, vars, random, 2))]),
        };
        Step { kind, span: Span::default() }
    }

    /// The state after some steps, if they can happen.
    fn after(pool: &TermPool, steps: &[Step], vars: &[Var], state: &Model) -> Option<Vec<Value>> {
        let relation = Relation::of_steps(pool, steps);
        let happens = pool.holds_in(relation.guard, state).expect("all variables have values");
        let value = |var: &Var| {
            let update = relation.updates.iter().find(|(updated, _)| updated == var);
            let term = update.map_or(pool.of_var(*var), |(_, term)| *term);
            pool.evaluate_in(term, state).expect("all variables have values")
        };
        happens.then(|| vars.iter().map(value).collect())
    }

    /// From each state exactly one case can happen where the steps can, and it leads to the same state.
    #[test]
    fn cases_do_what_the_steps_do() {
        let mut split = 0;
        for seed in 0..2000 {
            let (pool, mut random) = (TermPool::new(), Random::new(seed));
            let vars = ["x", "y", "z"].map(|name| pool.var(name, Sort::INT));
            let steps: Vec<Step> = (0..1 + random.below(4)).map(|_| step(&pool, &vars, &mut random)).collect();
            let Some(cases) = cases(&pool, &steps) else { continue };
            split += usize::from(cases.len() > 1);
            for values in 0..27 {
                let digits = [values % 3, values / 3 % 3, values / 9].map(|digit: i64| digit - 1);
                let mut state = Model::default();
                vars.iter().zip(digits).for_each(|(&var, digit)| {
                    state.vars.insert(var, Value::Int(digit.into()));
                });
                let expected: Vec<_> = after(&pool, &steps, &vars, &state).into_iter().collect();
                let found: Vec<_> = cases.iter().filter_map(|case| after(&pool, case, &vars, &state)).collect();
                assert_eq!(found, expected, "seed {seed}, state {digits:?}");
            }
        }
        assert!(split > 300, "only {split} were split");
    }
}
