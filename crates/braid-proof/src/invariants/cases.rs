//! Case distinctions: a guard and some terms without the conditional terms and disjunctions in them, once for each way
//! to decide those. Beyond a limit the rest stays as it is, and the domains treat it as unknown.

use braid_logic::{Node, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// One case: the terms have the values of the originals whenever the guard holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Case {
    pub guard: Term,
    pub values: Vec<Term>,
    /// The conditional terms and formulas that this case decides, with their values.
    pub decided: Vec<(Term, Term)>,
}

/// The cases of a guard with values; together their guards cover the original one.
pub(super) fn split(pool: &TermPool, guard: Term, values: Vec<Term>, limit: usize) -> Vec<Case> {
    let mut open = vec![Case { guard, values, decided: Vec::new() }];
    let mut done = Vec::new();
    while let Some(case) = open.pop() {
        if case.guard == Term::FALSE {
            continue;
        }
        match alternatives(pool, &case) {
            Some(parts) if done.len() + open.len() + parts.len() <= limit => open.extend(parts.into_iter().rev()),
            _ => done.push(case),
        }
    }
    done
}

fn alternatives(pool: &TermPool, case: &Case) -> Option<Vec<Case>> {
    for (place, &value) in case.values.iter().enumerate() {
        if pool.sort_of(value) == Sort::BOOL && is_compound(pool, value) {
            return Some(vec![decided(pool, case, place, true), decided(pool, case, place, false)]);
        }
    }
    let mut seen = FxHashSet::default();
    let terms = case.values.iter().copied().chain([case.guard]);
    if let Some(choice) = terms.into_iter().find_map(|term| first_choice(pool, term, &mut seen)) {
        let Node::Ite(condition, then, other) = pool.node(choice) else { unreachable!("a choice was searched for") };
        let branch = |condition: Term, value: Term| {
            let mut memory = FxHashMap::from_iter([(choice, value)]);
            let guard = pool.and([pool.replace(case.guard, &mut memory), condition]);
            let values = case.values.iter().map(|&term| pool.replace(term, &mut memory)).collect();
            let decided = [&case.decided[..], &[(choice, value)]].concat();
            Case { guard, values, decided }
        };
        return Some(vec![branch(*condition, *then), branch(pool.not(*condition), *other)]);
    }
    let conjuncts = pool.conjuncts(case.guard);
    let place = conjuncts.iter().position(|&conjunct| matches!(pool.node(conjunct), Node::Or(_)))?;
    let with = |disjunct: Term| {
        let others = conjuncts.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, &conjunct)| conjunct);
        Case { guard: pool.and(others.chain([disjunct])), ..case.clone() }
    };
    Some(pool.disjuncts(conjuncts[place]).into_iter().map(with).collect())
}

fn decided(pool: &TermPool, case: &Case, place: usize, truth: bool) -> Case {
    let formula = case.values[place];
    let mut values = case.values.clone();
    values[place] = pool.bool(truth);
    let decided = [&case.decided[..], &[(formula, pool.bool(truth))]].concat();
    Case { guard: pool.and([case.guard, if truth { formula } else { pool.not(formula) }]), values, decided }
}

/// Is this a formula that a case distinction makes simpler?
pub(super) fn is_compound(pool: &TermPool, formula: Term) -> bool {
    match pool.node(formula) {
        Node::Not(inner) => is_compound(pool, *inner),
        node => matches!(node, Node::And(_) | Node::Or(_) | Node::Le(_) | Node::Zero(_) | Node::Eq(..)),
    }
}

/// The first conditional term inside a term whose condition has none in it. Bound variables are out of reach.
fn first_choice(pool: &TermPool, term: Term, seen: &mut FxHashSet<Term>) -> Option<Term> {
    if matches!(pool.node(term), Node::Quantifier { .. }) || !seen.insert(term) {
        return None;
    }
    let inner = pool.node(term).children().into_iter().find_map(|child| first_choice(pool, child, seen));
    inner.or_else(|| matches!(pool.node(term), Node::Ite(..)).then_some(term))
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_logic::text::{PoolScope, parse_term};

    /// The cases of a guard and one value, in the text form of terms.
    fn check(guard: &str, value: &str, limit: usize, expected: &[&str]) {
        let pool = TermPool::new();
        for name in ["x", "y"] {
            pool.var(name, Sort::INT);
        }
        let read = |text: &str| parse_term(&pool, text, &PoolScope(&pool)).expect("a term");
        let cases = split(&pool, read(guard), vec![read(value)], limit);
        let shown: Vec<String> =
            cases.iter().map(|case| format!("{} | {}", pool.infix(case.guard), pool.infix(case.values[0]))).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn cases_are_decided_one_by_one() {
        check("(< x 3)", "(+ x (ite (< x 3) 1 2))", 8, &["x ≤ 2 | x + 1"]);
        check("(or (= x 1) (= x 2))", "y", 8, &["x = 1 | y", "x = 2 | y"]);
        check("true", "(< x y)", 8, &["x < y | true", "y ≤ x | false"]);
        check("true", "(ite (< x 0) (- x) x)", 1, &["true | if x ≤ -1 then -x else x"]);
    }
}
