//! Affine equalities at every node (Karr 1976): the strongest ones that the domain can pass along every edge.
//!
//! A transfer assumes the guard, closes under congruence, defines the new value of every written dimension, and forgets
//! the old ones. Opaque terms are dimensions too: `f(i)` changes with `i` like a variable whose new value is `f` of the
//! new `i`. The domain has finite height, so nothing is widened.

use super::cases::{Case, split};
use super::dimensions::{Dimensions, opaque_terms};
use super::fixpoint::{Domain, Iteration};
use super::guard::Guard;
use super::system::{CONSTANT, Row, System};
use super::{FlowGraph, InvariantBudget};
use braid_logic::{Integer, Rational, Sort, Term, TermPool, Var};
use braid_program::cfa::Relation;
use rustc_hash::{FxHashMap, FxHashSet};

/// For each node, equalities that hold whenever control is there: `Σ c·t = 0` over integer variables and the terms that
/// actions mention, and `x = y` at other sorts. A node that control does not reach has `false`.
pub fn affine_equalities(pool: &TermPool, graph: &FlowGraph<'_>, budget: &InvariantBudget) -> Vec<Vec<Term>> {
    let tracked = tracked_terms(pool, graph, budget.dimensions);
    let dimensions = Dimensions::new(pool, &tracked);
    let mut compiled: FxHashMap<*const Relation, usize> = FxHashMap::default();
    let mut actions = Vec::new();
    let edges = graph.edges.iter().map(|(_, _, relation)| {
        *compiled.entry(std::ptr::from_ref(*relation)).or_insert_with(|| {
            actions.push(transfers(pool, &tracked, &dimensions, relation, budget.cases));
            actions.len() - 1
        })
    });
    let edges = edges.collect();
    let domain = Affine { tracked: tracked.len() as u32, actions, edges };
    match Iteration::new(graph).fixpoint(graph, &domain, budget.transfers) {
        Some(elements) => elements.iter().map(|element| facts(pool, &tracked, &dimensions, element.as_ref())).collect(),
        None => vec![Vec::new(); graph.nodes],
    }
}

/// The variables of the graph, the most used ones if there are too many; then the opaque terms over them, and what those
/// are before each action: where `i` is counted up, `f(i + 1)` is what `f(i)` will be.
fn tracked_terms(pool: &TermPool, graph: &FlowGraph<'_>, limit: usize) -> Vec<Term> {
    let mut uses: FxHashMap<Var, usize> = FxHashMap::default();
    let mut choices: FxHashSet<Var> = FxHashSet::default();
    let (mut seen, mut opaque) = (FxHashSet::default(), Vec::new());
    for (_, _, relation) in &graph.edges {
        relation.reads.iter().chain(&relation.writes).for_each(|&var| *uses.entry(var).or_default() += 1);
        choices.extend(&relation.choices);
        for term in relation.updates.iter().map(|(_, term)| *term).chain([relation.guard]) {
            opaque_terms(pool, term, &mut seen, &mut opaque);
        }
    }
    let mut vars: Vec<Var> = uses.keys().copied().collect();
    vars.sort_unstable_by_key(|var| (std::cmp::Reverse(uses[var]), *var));
    vars.truncate(limit);
    vars.sort_unstable();
    for place in 0..opaque.len() {
        for (_, _, relation) in &graph.edges {
            opaque_terms(pool, relation.before(pool, opaque[place]), &mut seen, &mut opaque);
        }
    }
    opaque.retain(|&term| pool.free_vars(term).iter().all(|var| !choices.contains(var)));
    opaque.truncate(limit - vars.len());
    // Opaque terms first: an equality then defines the term, and projecting variables away keeps echelon forms.
    opaque.into_iter().chain(vars.into_iter().map(|var| pool.of_var(var))).collect()
}

/// One case of an action.
struct Transfer<'p> {
    guard: Guard,
    /// The tracked columns that change, with their new values.
    assigned: Vec<(u32, Row)>,
    dimensions: Dimensions<'p>,
}

fn transfers<'p>(
    pool: &'p TermPool,
    tracked: &[Term],
    dimensions: &Dimensions<'p>,
    relation: &Relation,
    limit: usize,
) -> Vec<Transfer<'p>> {
    let written = |term: Term| pool.free_vars(term).iter().any(|var| relation.writes.binary_search(var).is_ok());
    let changed: Vec<u32> = (0..tracked.len() as u32).filter(|&column| written(tracked[column as usize])).collect();
    let values = changed.iter().map(|&column| relation.before(pool, tracked[column as usize])).collect();
    let transfer = |case: Case| {
        let mut dimensions = dimensions.clone();
        let guard = Guard::new(pool, &mut dimensions, case.guard);
        let assigned = changed.iter().zip(&case.values).map(|(&column, &value)| (column, dimensions.row(value)));
        let assigned = assigned.collect();
        Transfer { guard, assigned, dimensions }
    };
    split(pool, relation.guard, values, limit).into_iter().map(transfer).collect()
}

struct Affine<'p> {
    /// How many columns are tracked.
    tracked: u32,
    /// The cases of each action.
    actions: Vec<Vec<Transfer<'p>>>,
    /// Per edge of the graph: its action.
    edges: Vec<usize>,
}

impl Affine<'_> {
    fn follow(&self, transfer: &Transfer<'_>, before: &System) -> Option<System> {
        let mut system = before.clone();
        // What congruence adds may decide more of the guard.
        let possible = transfer.guard.assume(&mut system)
            && transfer.dimensions.close(&mut system)
            && transfer.guard.assume(&mut system);
        if !possible {
            return None;
        }
        for (column, value) in &transfer.assigned {
            let consistent = system.assume(&Row::of(column + self.tracked).minus(value));
            debug_assert!(consistent, "a column that nothing is known of");
        }
        (2 * self.tracked..transfer.dimensions.end()).for_each(|column| system.forget(column));
        transfer.assigned.iter().for_each(|(column, _)| system.forget(*column));
        if !transfer.assigned.is_empty() {
            let new = |column: u32| (self.tracked..2 * self.tracked).contains(&column);
            system = system.rename(|column| if new(column) { column - self.tracked } else { column });
        }
        system.drop_huge();
        Some(system)
    }
}

impl Domain for Affine<'_> {
    type Element = System;

    fn top(&self) -> System {
        System::default()
    }

    fn transfer(&self, edge: usize, before: &System) -> Option<System> {
        let cases = self.actions[self.edges[edge]].iter().filter_map(|transfer| self.follow(transfer, before));
        cases.reduce(|a, b| a.join(&b))
    }

    fn join(&self, a: &System, b: &System) -> System {
        a.join(b)
    }

    fn widen(&self, _: &System, new: &System, _: usize) -> System {
        new.clone()
    }
}

/// The equalities of an element as formulas.
fn facts(pool: &TermPool, tracked: &[Term], dimensions: &Dimensions<'_>, element: Option<&System>) -> Vec<Term> {
    let Some(system) = element else { return vec![Term::FALSE] };
    let rows = system.rows().iter().filter(|row| !dimensions.is_congruence(system, row));
    let facts: Vec<Term> = rows.filter_map(|row| equality(pool, tracked, row)).collect();
    if facts.contains(&Term::FALSE) { vec![Term::FALSE] } else { facts }
}

/// `row = 0` as a formula, if it says something about values that the logic can say.
fn equality(pool: &TermPool, tracked: &[Term], row: &Row) -> Option<Term> {
    let entries = row.entries();
    let (parts, constant) = match entries.split_last() {
        Some(((CONSTANT, value), parts)) => (parts, value.clone()),
        _ => (entries, Rational::ZERO),
    };
    let term = |column: u32| tracked[column as usize];
    let sort = |column: u32| pool.sort_of(term(column));
    // Two values that are not integers: equal, or (of formulas) different.
    if let [(a, c), (b, d)] = parts
        && sort(*a) == sort(*b)
        && sort(*a) != Sort::INT
    {
        if constant.is_zero() && *c == -d {
            return Some(pool.eq(term(*a), term(*b)));
        }
        if sort(*a) == Sort::BOOL && c == d && constant == -c {
            return Some(pool.eq(term(*a), pool.not(term(*b))));
        }
    }
    let mut scale = Integer::ONE;
    for (_, value) in entries {
        let denominator = value.denominator();
        scale = &scale * &denominator.div_floor(&scale.gcd(&denominator));
    }
    let whole = |value: &Rational| (value * &Rational::from(&scale)).numerator();
    let mut numbers = Vec::with_capacity(entries.len());
    for (column, value) in parts {
        let number = match sort(*column) {
            Sort::INT => term(*column),
            Sort::BOOL => pool.ite(term(*column), pool.int(1), pool.int(0)),
            _ => return None,
        };
        numbers.push((whole(value), number));
    }
    numbers.push((whole(&constant), pool.int(1)));
    Some(pool.zero(pool.combination(numbers)))
}
