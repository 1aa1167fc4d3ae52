//! Elimination of existential quantifiers by rules that cost little, before Z3 is asked for the rest.
//!
//! Quantifiers go inwards over disjunctions and past conjuncts without the variable. A variable then disappears by an
//! equality that defines it, by combining its bounds where that is exact over the integers (Fourier and Motzkin, with
//! a unit coefficient in every pair), or, if it is Boolean, by trying both values. What hides in an if-then-else, or behind
//! a write that a read may or may not see, comes out by cases.
//! Invariant: every step is an equivalence; what no rule fits goes to the `hard` function.

use crate::number::Integer;
use crate::pool::TermPool;
use crate::sort::Sort;
use crate::substitute::Substitution;
use crate::term::{Linear, Node, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// How often a conjunction is distributed over one of its disjunctions, in one elimination.
const MAX_SPLITS: usize = 16;

/// Combining bounds may add at most this many conjuncts to those that it replaces.
const MAX_GROWTH: usize = 6;

/// Solves what the rules cannot: a formula equivalent to `∃ vars. formula`, or none.
pub(super) trait Hard: FnMut(&[Var], Term) -> Option<Term> {}

impl<F: FnMut(&[Var], Term) -> Option<Term>> Hard for F {}

/// One elimination.
pub(super) struct Elimination<'p, H> {
    pool: &'p TermPool,
    hard: H,
    splits: usize,
}

impl<'p, H: Hard> Elimination<'p, H> {
    pub fn new(pool: &'p TermPool, hard: H) -> Self {
        Elimination { pool, hard, splits: 0 }
    }

    /// A formula without the variables that is equivalent to `∃ vars. formula`.
    pub fn project(&mut self, vars: &[Var], formula: Term) -> Option<Term> {
        let vars: Vec<Var> = vars.iter().copied().filter(|&var| self.pool.mentions(formula, var)).collect();
        if vars.is_empty() {
            return Some(formula);
        }
        if let Node::Or(items) = self.pool.node(formula) {
            return self.project_each(&vars, items);
        }
        let conjuncts = self.pool.conjuncts(formula);
        let (inside, outside): (Vec<Term>, Vec<Term>) =
            conjuncts.into_iter().partition(|&conjunct| vars.iter().any(|&var| self.pool.mentions(conjunct, var)));
        let projected = self.project_conjunction(&vars, &inside)?;
        Some(self.pool.and(outside.into_iter().chain([projected])))
    }

    fn project_each(&mut self, vars: &[Var], disjuncts: &[Term]) -> Option<Term> {
        let mut projected = Vec::with_capacity(disjuncts.len());
        for &disjunct in disjuncts {
            projected.push(self.project(vars, disjunct)?);
        }
        Some(self.pool.or(projected))
    }

    /// The conjuncts all mention one of the variables, and each variable is mentioned.
    fn project_conjunction(&mut self, vars: &[Var], conjuncts: &[Term]) -> Option<Term> {
        let pool = self.pool;
        let without = |var: Var| vars.iter().copied().filter(|&other| other != var).collect::<Vec<Var>>();
        for &var in vars {
            if let Some((definition, value)) = conjuncts.iter().find_map(|&c| Some((c, solve_for(pool, var, c)?))) {
                let rest = pool.and(conjuncts.iter().copied().filter(|&conjunct| conjunct != definition));
                let substituted = pool.substitute(rest, &Substitution::from_iter([(var, value)]));
                return self.project(&without(var), substituted);
            }
        }
        for &var in vars {
            if let Some(rest) = combine_bounds(pool, var, conjuncts) {
                return self.project(&without(var), pool.and(rest));
            }
        }
        if let [only] = conjuncts
            && let Node::Or(items) = pool.node(*only)
        {
            return self.project_each(vars, items);
        }
        let smallest = |&position: &usize| match pool.node(conjuncts[position]) {
            Node::Or(items) => items.len(),
            _ => usize::MAX,
        };
        if let Some(position) = (0..conjuncts.len()).min_by_key(smallest)
            && let Node::Or(items) = pool.node(conjuncts[position])
            && self.splits + items.len() <= MAX_SPLITS
        {
            self.splits += items.len();
            let others = pool.and(conjuncts.iter().copied().filter(|&conjunct| conjunct != conjuncts[position]));
            let cases: Vec<Term> = items.iter().map(|&item| pool.and([others, item])).collect();
            return self.project_each(vars, &cases);
        }
        let formula = pool.and(conjuncts.iter().copied());
        if let Some(&var) = vars.iter().find(|&&var| pool.var_sort(var) == Sort::BOOL)
            && self.splits + 2 <= MAX_SPLITS
        {
            self.splits += 2;
            let with = |value| pool.substitute(formula, &Substitution::from_iter([(var, value)]));
            return self.project_each(&without(var), &[with(Term::TRUE), with(Term::FALSE)]);
        }
        if self.splits + 2 <= MAX_SPLITS
            && let Some((excluded, sides)) = vars.iter().find_map(|&var| excluded(pool, var, conjuncts))
        {
            self.splits += 2;
            let others = pool.and(conjuncts.iter().copied().filter(|&conjunct| conjunct != excluded));
            return self.project_each(vars, &sides.map(|side| pool.and([others, side])));
        }
        if self.splits + 2 <= MAX_SPLITS
            && let Some(choice) = vars.iter().find_map(|&var| choice_about(pool, var, conjuncts))
        {
            self.splits += 2;
            return self.project_each(vars, &choice.cases(pool, formula));
        }
        (self.hard)(vars, formula)
    }
}

/// A conjunct that excludes one value of the variable, and the two sides of that value.
fn excluded(pool: &TermPool, var: Var, conjuncts: &[Term]) -> Option<(Term, [Term; 2])> {
    conjuncts.iter().find_map(|&conjunct| {
        let Node::Not(inner) = pool.node(conjunct) else { return None };
        let Node::Zero(linear) = pool.node(*inner) else { return None };
        split(pool, var, linear)?;
        let value = pool.linear(linear.clone());
        Some((conjunct, [pool.lt(value, pool.int(0)), pool.lt(pool.int(0), value)]))
    })
}

/// A part of a formula that is one of two terms.
struct Choice {
    part: Term,
    condition: Term,
    then: Term,
    other: Term,
}

impl Choice {
    /// The formula where the condition holds, and where it does not.
    fn cases(&self, pool: &TermPool, formula: Term) -> [Term; 2] {
        let with = |term: Term| pool.replace(formula, &mut FxHashMap::from_iter([(self.part, term)]));
        [pool.and([self.condition, with(self.then)]), pool.and([pool.not(self.condition), with(self.other)])]
    }
}

/// A choice within the conjuncts that mentions the variable.
fn choice_about(pool: &TermPool, var: Var, conjuncts: &[Term]) -> Option<Choice> {
    let mut open: Vec<Term> = conjuncts.to_vec();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    while let Some(part) = open.pop() {
        if !pool.mentions(part, var) || !seen.insert(part) {
            continue;
        }
        match *pool.node(part) {
            Node::Ite(condition, then, other) => return Some(Choice { part, condition, then, other }),
            Node::Select(array, index) => match *pool.node(array) {
                Node::Ite(condition, then, other) => {
                    let [then, other] = [then, other].map(|array| pool.select(array, index));
                    return Some(Choice { part, condition, then, other });
                }
                Node::Store(before, written, then) => {
                    let (condition, other) = (pool.eq(written, index), pool.select(before, index));
                    return Some(Choice { part, condition, then, other });
                }
                _ => {}
            },
            _ => {}
        }
        pool.node(part).for_each_child(|child| open.push(child));
    }
    None
}

/// The term that the conjunct says the variable is equal to.
fn solve_for(pool: &TermPool, var: Var, conjunct: Term) -> Option<Term> {
    let symbol = pool.of_var(var);
    let definition = |a: Term, b: Term| match (a == symbol, b == symbol) {
        (true, _) if !pool.mentions(b, var) => Some(b),
        (_, true) if !pool.mentions(a, var) => Some(a),
        _ => None,
    };
    match pool.node(conjunct) {
        Node::Var(_) if conjunct == symbol => Some(Term::TRUE),
        Node::Not(inner) if *inner == symbol => Some(Term::FALSE),
        Node::Not(inner) => match pool.node(*inner) {
            Node::Eq(a, b) if pool.sort_of(*a) == Sort::BOOL => definition(*a, *b).map(|value| pool.not(value)),
            _ => None,
        },
        Node::Eq(a, b) => definition(*a, *b),
        Node::Zero(linear) => {
            // c·x + rest = 0 with c = ±1 says x = -c·rest.
            let (c, rest) = split(pool, var, linear)?;
            c.abs().is_one().then(|| pool.scale(&-&c, pool.linear(rest)))
        }
        _ => None,
    }
}

/// The coefficient of the variable in the sum, and the rest, which must not mention it.
fn split(pool: &TermPool, var: Var, linear: &Linear) -> Option<(Integer, Linear)> {
    let symbol = pool.of_var(var);
    let (mine, others): (Vec<_>, Vec<_>) = linear.parts.iter().cloned().partition(|(part, _)| *part == symbol);
    let [(_, c)] = &mine[..] else { return None };
    if others.iter().any(|(part, _)| pool.mentions(*part, var)) {
        return None;
    }
    Some((c.clone(), Linear { parts: others.into(), constant: linear.constant.clone() }))
}

/// A bound of a variable: its coefficient, without the sign, and the rest of the sum.
type Bound = (Integer, Linear);

/// At least so many values are between the bounds, wherever there is one.
fn fewest_values(pool: &TermPool, lower: &[Bound], upper: &[Bound]) -> Option<Integer> {
    let pairs = lower.iter().flat_map(|low| upper.iter().map(move |high| (low, high)));
    let values = pairs.map(|((a, low), (b, high))| {
        let sum = pool.combination([low, high].map(|side| (Integer::from(1), pool.linear(side.clone()))));
        (a.is_one() && b.is_one() && sum.parts.is_empty()).then(|| Integer::from(1) - sum.constant)
    });
    values.collect::<Option<Vec<Integer>>>()?.into_iter().min()
}

/// The conjuncts without the integer variable, if all that they say of it are bounds that can be combined exactly.
fn combine_bounds(pool: &TermPool, var: Var, conjuncts: &[Term]) -> Option<Vec<Term>> {
    if pool.var_sort(var) != Sort::INT {
        return None;
    }
    let (mut lower, mut upper, mut excluded, mut rest) = (Vec::new(), Vec::new(), 0, Vec::new());
    for &conjunct in conjuncts {
        if !pool.mentions(conjunct, var) {
            rest.push(conjunct);
            continue;
        }
        match pool.node(conjunct) {
            Node::Le(linear) => {
                let (c, others) = split(pool, var, linear)?;
                let side = if c.is_negative() { &mut lower } else { &mut upper };
                side.push((c.abs(), others));
            }
            Node::Not(inner) => {
                let Node::Zero(linear) = pool.node(*inner) else { return None };
                split(pool, var, linear)?;
                excluded += 1;
            }
            _ => return None,
        }
    }
    // Unbounded on one side: finitely many exclusions leave a value.
    if lower.is_empty() || upper.is_empty() {
        return Some(rest);
    }
    let leaves_a_value =
        excluded == 0 || fewest_values(pool, &lower, &upper).is_some_and(|fewest| fewest > Integer::from(excluded));
    if !leaves_a_value || lower.len() * upper.len() > lower.len() + upper.len() + MAX_GROWTH {
        return None;
    }
    for (a, low) in &lower {
        for (b, high) in &upper {
            if !a.is_one() && !b.is_one() {
                return None;
            }
            // low ≤ a·x and b·x ≤ -high say b·low + a·high ≤ 0; some x fits if a or b is 1.
            let sum = pool.combination([(b.clone(), pool.linear(low.clone())), (a.clone(), pool.linear(high.clone()))]);
            rest.push(pool.le_zero(sum));
        }
    }
    Some(rest)
}
