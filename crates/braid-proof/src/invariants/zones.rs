//! Zones at every node: bounds of integer variables and of their differences (Miné 2001), with widening to constants of
//! the program and a narrowing pass.
//!
//! Each action is split into cases; a case adds clocks for havocked values and for the new values of written variables,
//! assumes its guard, and drops the old ones.

use super::cases::Case;
use super::difference::{Expression, NONE, Zone, plus};
use super::domain::{Domain, analyse};
use super::{FlowGraph, InvariantBudget};
use braid_logic::{Integer, Linear, Node, Sort, Term, TermPool, Var};
use braid_program::cfa::Relation;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How often a loop grows before it is widened to constants, and to no bound at all.
const PATIENCE: [usize; 2] = [2, 16];
/// How many constants widening stops at.
const MAX_THRESHOLDS: usize = 48;
/// How many variables a comparison may have to be looked at.
pub(super) const MAX_PARTS: usize = 8;

/// For each node, bounds `x - y ≤ c`, `x ≤ c`, `x ≥ c` (and equalities where two meet) that hold whenever control is
/// there; none that follows from the others. A node that control does not reach has `false`.
pub fn zones(pool: &TermPool, graph: &FlowGraph<'_>, budget: &InvariantBudget) -> Vec<Vec<Term>> {
    analyse(pool, graph, &Zones::new(pool, graph, budget), budget)
}

/// What the program itself compares.
#[derive(Default)]
struct Comparisons {
    /// How many comparisons a variable is in.
    uses: FxHashMap<Var, usize>,
    /// The variables that are compared with each other.
    pairs: FxHashSet<(Var, Var)>,
    constants: BTreeSet<i64>,
    seen: FxHashSet<Term>,
}

impl Comparisons {
    fn of(pool: &TermPool, graph: &FlowGraph<'_>) -> Comparisons {
        let mut comparisons = Comparisons::default();
        for (_, _, relation) in &graph.edges {
            comparisons.visit(pool, relation.guard);
            relation.updates.iter().for_each(|(_, term)| comparisons.visit(pool, *term));
        }
        comparisons
    }

    fn visit(&mut self, pool: &TermPool, term: Term) {
        if matches!(pool.node(term), Node::Quantifier { .. }) || !self.seen.insert(term) {
            return;
        }
        if let Node::Integer(value) = pool.node(term) {
            self.constants.extend(value.to_i64());
        }
        if let Node::Le(linear) | Node::Zero(linear) | Node::Sum(linear) = pool.node(term) {
            self.constants.extend(linear.constant.to_i64());
        }
        if let Node::Le(linear) | Node::Zero(linear) = pool.node(term) {
            let vars: Vec<Var> = linear.parts.iter().filter_map(|(part, _)| as_var(pool, *part)).collect();
            for &var in &vars {
                *self.uses.entry(var).or_default() += 1;
                self.pairs.extend(vars.iter().map(|&other| (var, other)));
            }
        }
        pool.node(term).for_each_child(|child| self.visit(pool, child));
    }

    /// The integer variables of the graph; those that are compared most if there are too many.
    fn clocks(&self, pool: &TermPool, graph: &FlowGraph<'_>, limit: usize) -> Vec<Var> {
        let vars: BTreeSet<Var> = graph
            .edges
            .iter()
            .flat_map(|(_, _, relation)| relation.reads.iter().chain(&relation.writes))
            .copied()
            .collect();
        let mut vars: Vec<Var> = vars.into_iter().filter(|&var| pool.var_sort(var) == Sort::INT).collect();
        vars.sort_by_key(|var| (Reverse(self.uses.get(var).copied().unwrap_or(0)), *var));
        vars.truncate(limit);
        vars.sort_unstable();
        vars
    }

    /// The bounds that widening stops at, the nearest to 0 if there are too many: constants, and what one step makes of
    /// them.
    fn thresholds(&self) -> Vec<i64> {
        let near = |c: &&i64| c.unsigned_abs() < 1 << 32;
        let mut constants: Vec<i64> = self
            .constants
            .iter()
            .filter(near)
            .flat_map(|&c| [c - 1, c, c + 1, -c - 1, -c, 1 - c])
            .chain([-1, 0, 1])
            .collect();
        constants.sort_unstable_by_key(|c| (c.unsigned_abs(), *c));
        constants.dedup();
        constants.truncate(MAX_THRESHOLDS);
        constants.sort_unstable();
        constants
    }
}

fn as_var(pool: &TermPool, term: Term) -> Option<Var> {
    match pool.node(term) {
        Node::Var(var) => Some(*var),
        _ => None,
    }
}

/// A guard as zones see it.
enum Guard {
    /// At most 0.
    AtMost(Expression),
    /// Not 0.
    Differ(Expression),
    All(Vec<Guard>),
    Any(Vec<Guard>),
    /// Nothing that zones can say.
    Unknown,
}

impl Guard {
    fn new(pool: &TermPool, clocks: &FxHashMap<Var, usize>, formula: Term) -> Guard {
        let read = |linear: &Linear| expression(pool, clocks, linear);
        match pool.node(formula) {
            Node::And(items) => Guard::All(items.iter().map(|&item| Guard::new(pool, clocks, item)).collect()),
            Node::Or(items) => Guard::Any(items.iter().map(|&item| Guard::new(pool, clocks, item)).collect()),
            Node::Le(linear) => read(linear).map_or(Guard::Unknown, Guard::AtMost),
            Node::Zero(linear) => read(linear).map_or(Guard::Unknown, |expression| {
                Guard::All(vec![Guard::AtMost(expression.negated()), Guard::AtMost(expression)])
            }),
            Node::Not(inner) => match pool.node(*inner) {
                Node::Zero(linear) => read(linear).map_or(Guard::Unknown, Guard::Differ),
                _ => Guard::Unknown,
            },
            _ => Guard::Unknown,
        }
    }

    /// Assumes the guard; false if nothing is left.
    fn assume(&self, zone: &mut Zone) -> bool {
        match self {
            Guard::AtMost(expression) => zone.assume_at_most_zero(expression),
            Guard::Differ(expression) => zone.assume_not_zero(expression),
            Guard::All(items) => items.iter().all(|item| item.assume(zone)),
            Guard::Any(items) => {
                let branches = items.iter().filter_map(|item| {
                    let mut branch = zone.clone();
                    item.assume(&mut branch).then_some(branch)
                });
                let Some(union) = branches.reduce(|a, b| a.join(&b)) else { return false };
                *zone = union;
                true
            }
            Guard::Unknown => true,
        }
    }
}

/// A linear combination of clocks; none if there is anything else in it.
fn expression(pool: &TermPool, clocks: &FxHashMap<Var, usize>, linear: &Linear) -> Option<Expression> {
    let moderate = |value: &Integer| value.to_i64().filter(|c| c.unsigned_abs() < 1 << 32);
    if linear.parts.len() > MAX_PARTS {
        return None;
    }
    let part = |(part, c): &(Term, Integer)| Some((*clocks.get(&as_var(pool, *part)?)?, moderate(c)?));
    let parts = linear.parts.iter().map(part).collect::<Option<_>>()?;
    Some(Expression { parts, constant: moderate(&linear.constant)? })
}

/// One case of an action.
pub(super) struct Transfer {
    guard: Guard,
    /// How many clocks it adds.
    more: usize,
    /// The added clocks that are new values, with what they are.
    defined: Vec<(usize, Expression)>,
    /// The clocks that stand for the variables afterwards.
    after: Vec<usize>,
}

/// The domain of zones over the integer variables of a graph.
pub(super) struct Zones<'p> {
    pool: &'p TermPool,
    /// The variables; clock `n + 1` is variable `n`.
    vars: Vec<Var>,
    /// The clock of each variable.
    clocks: FxHashMap<Var, usize>,
    /// The variables that the program compares with each other.
    compared: FxHashSet<(Var, Var)>,
    /// Sorted.
    thresholds: Vec<i64>,
    /// How many bounds are facts.
    limit: usize,
}

impl<'p> Zones<'p> {
    /// The domain for a graph.
    pub fn new(pool: &'p TermPool, graph: &FlowGraph<'_>, budget: &InvariantBudget) -> Self {
        let comparisons = Comparisons::of(pool, graph);
        let vars = comparisons.clocks(pool, graph, budget.clocks);
        let clocks = vars.iter().enumerate().map(|(place, &var)| (var, place + 1)).collect();
        let thresholds = comparisons.thresholds();
        Zones { pool, vars, clocks, compared: comparisons.pairs, thresholds, limit: budget.bounds }
    }

    /// The variable of each clock but clock 0.
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }

    fn written<'a>(&'a self, action: &'a Relation) -> impl Iterator<Item = &'a (Var, Term)> {
        action.updates.iter().filter(|(var, _)| self.clocks.contains_key(var))
    }
}

impl Domain for Zones<'_> {
    type Element = Zone;
    type Transfer = Transfer;

    fn top(&self) -> Zone {
        Zone::top(self.vars.len() + 1)
    }

    fn values(&self, action: &Relation) -> Vec<Term> {
        self.written(action).map(|(_, term)| *term).collect()
    }

    fn transfer(&self, action: &Relation, case: &Case) -> Transfer {
        let (pool, size) = (self.pool, self.vars.len() + 1);
        let choices = action.choices.iter().filter(|&&choice| pool.var_sort(choice) == Sort::INT);
        let mut clocks = self.clocks.clone();
        clocks.extend(choices.zip(size..).map(|(&choice, clock)| (choice, clock)));
        let first = clocks.len() + 1;
        let mut after: Vec<usize> = (0..size).collect();
        for ((var, _), clock) in self.written(action).zip(first..) {
            after[self.clocks[var]] = clock;
        }
        let defined = case
            .values
            .iter()
            .zip(first..)
            .filter_map(|(&value, clock)| Some((clock, expression(pool, &clocks, &pool.to_linear(value))?)));
        let (defined, guard) = (defined.collect(), Guard::new(pool, &clocks, case.guard));
        Transfer { guard, more: first + case.values.len() - size, defined, after }
    }

    fn follow(&self, transfer: &Transfer, before: &Zone) -> Option<Zone> {
        let mut zone = before.closed().extended(transfer.more);
        if !transfer.guard.assume(&mut zone) {
            return None;
        }
        transfer.defined.iter().for_each(|(clock, value)| zone.define(*clock, value));
        Some(zone.projected(&transfer.after))
    }

    fn join(&self, a: &Zone, b: &Zone) -> Zone {
        a.join(b)
    }

    fn widen(&self, old: &Zone, new: &Zone, growth: usize) -> Zone {
        match PATIENCE.iter().filter(|&&patience| growth > patience).count() {
            0 => new.clone(),
            1 => old.widen(new, &self.thresholds),
            _ => old.widen(new, &[]),
        }
    }

    fn facts(&self, zone: &Zone) -> Vec<Term> {
        facts(self.pool, &self.vars, &self.compared, &zone.closed(), self.limit)
    }
}

/// The bounds of a zone as formulas, without those that follow from others; what the program compares comes first.
fn facts(pool: &TermPool, clocks: &[Var], compared: &FxHashSet<(Var, Var)>, zone: &Zone, limit: usize) -> Vec<Term> {
    let equal = |i: usize, j: usize| zone.get(i, j) != NONE && zone.get(j, i) == -zone.get(i, j);
    let first = |i: usize| (0..=i).find(|&j| equal(i, j)).expect("a clock equals itself");
    let heads: Vec<usize> = (0..zone.size()).filter(|&i| first(i) == i).collect();
    let term = |i: usize| if i == 0 { pool.int(0) } else { pool.of_var(clocks[i - 1]) };
    let shifted = |j: usize, c: i64| pool.add([term(j), pool.int(c)]);
    let moved = (1..zone.size()).filter(|&i| first(i) != i);
    let mut facts: Vec<Term> = moved.map(|i| pool.eq(term(i), shifted(first(i), zone.get(i, first(i))))).collect();
    let mut bounds = Vec::new();
    for &i in &heads {
        for &j in heads.iter().filter(|&&j| j != i && zone.get(i, j) != NONE) {
            let (c, others) = (zone.get(i, j), heads.iter().filter(|&&k| k != i && k != j));
            let mut detours = others.map(|&k| plus(zone.get(i, k), zone.get(k, j)));
            if !detours.any(|detour| detour <= c) {
                let known = i > 0 && j > 0 && compared.contains(&(clocks[i - 1], clocks[j - 1]));
                let rank = if known { 0 } else { 1 + usize::from(i > 0 && j > 0) };
                bounds.push((rank, i, j, c));
            }
        }
    }
    bounds.sort_unstable();
    bounds.truncate(limit);
    facts.extend(bounds.into_iter().map(|(_, i, j, c)| pool.le(term(i), shifted(j, c))));
    facts
}
