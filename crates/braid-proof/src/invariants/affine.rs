//! Affine equalities at every node (Karr 1976): the strongest ones that the domain can pass along every edge.
//!
//! A transfer assumes the guard, closes under congruence, defines the new value of every written dimension, and forgets
//! the old ones. Opaque terms are dimensions too: `f(i)` changes with `i` like a variable whose new value is `f` of the
//! new `i`. The domain has finite height, so nothing is widened.

use super::cases::{Case, is_compound};
use super::dimensions::{Dimensions, opaque_terms};
use super::domain::{Domain, analyse};
use super::guard::Guard;
use super::system::{CONSTANT, Row, System};
use super::{FlowGraph, InvariantBudget};
use braid_logic::{Integer, Linear, Node, Rational, Sort, Term, TermPool, Var};
use braid_program::cfa::Relation;
use rustc_hash::{FxHashMap, FxHashSet};

/// For each node, equalities that hold whenever control is there: `Σ c·t = 0` over integer variables and the terms that
/// actions mention, and `x = y` at other sorts. A node that control does not reach has `false`.
pub fn affine_equalities(pool: &TermPool, graph: &FlowGraph<'_>, budget: &InvariantBudget) -> Vec<Vec<Term>> {
    analyse(pool, graph, &Affine::new(pool, graph, budget), budget)
}

/// The variables of the graph, the most used ones if there are too many; then the opaque terms over them, and what those
/// are before each action: where `i` is counted up, `f(i + 1)` is what `f(i)` will be.
fn tracked_terms(pool: &TermPool, graph: &FlowGraph<'_>, budget: &InvariantBudget) -> Vec<Term> {
    let limit = budget.dimensions;
    let mut uses: FxHashMap<Var, usize> = FxHashMap::default();
    let mut choices: FxHashSet<Var> = FxHashSet::default();
    let (mut seen, mut opaque) = (FxHashSet::default(), Vec::new());
    for (_, _, relation) in &graph.edges {
        relation.reads.iter().chain(&relation.writes).for_each(|&var| *uses.entry(var).or_default() += 1);
        choices.extend(&relation.choices);
        for term in relation.updates.iter().map(|(_, term)| *term).chain([relation.guard]) {
            opaque_terms(pool, term, &mut seen, &mut opaque);
        }
        // What a flag is set to.
        let formulas = relation.updates.iter().map(|(_, term)| *term).filter(|&term| pool.sort_of(term) == Sort::BOOL);
        opaque.extend(formulas.filter(|&term| is_compound(pool, term) && !opaque.contains(&term)).collect::<Vec<_>>());
    }
    opaque.extend(products(pool, graph, budget.products).into_iter().filter(|product| seen.insert(*product)));
    let mut vars: Vec<Var> = uses.keys().copied().collect();
    vars.sort_unstable_by_key(|var| (std::cmp::Reverse(uses[var]), *var));
    vars.truncate(limit);
    vars.sort_unstable();
    let simple: Vec<Term> = opaque.iter().copied().filter(|&term| !has_choice(pool, term)).collect();
    for (term, (_, _, relation)) in simple.iter().flat_map(|term| graph.edges.iter().map(move |edge| (*term, edge))) {
        let before = relation.before(pool, term);
        if before != term && !has_choice(pool, before) {
            opaque_terms(pool, before, &mut seen, &mut opaque);
        }
    }
    opaque.retain(|&term| pool.free_vars(term).iter().all(|var| !choices.contains(var)));
    opaque.truncate(limit - vars.len());
    // Opaque terms first: an equality then defines the term, and projecting variables away keeps echelon forms.
    opaque.into_iter().chain(vars.into_iter().map(|var| pool.of_var(var))).collect()
}

/// Where one action adds to a variable what never changes, and counts: the product of both is what has been added.
fn products(pool: &TermPool, graph: &FlowGraph<'_>, most: usize) -> Vec<Term> {
    if most == 0 {
        return Vec::new();
    }
    let written: FxHashSet<Var> = graph.edges.iter().flat_map(|(_, _, action)| action.writes.iter().copied()).collect();
    let is_fixed = |part: Term| matches!(pool.node(part), Node::Var(var) if !written.contains(var));
    let mut products = Vec::new();
    for (_, _, action) in &graph.edges {
        let (mut counters, mut added) = (Vec::new(), Vec::new());
        for &(var, value) in action.updates.iter().filter(|(var, _)| pool.var_sort(*var) == Sort::INT) {
            match pool.node(pool.sub(value, pool.of_var(var))) {
                Node::Integer(_) => counters.push(var),
                Node::Sum(change) => {
                    added.extend(change.parts.iter().map(|(part, _)| *part).filter(|&part| is_fixed(part)))
                }
                Node::Var(_) => added.extend(Some(pool.sub(value, pool.of_var(var))).filter(|&part| is_fixed(part))),
                _ => {}
            }
        }
        for product in added.iter().flat_map(|&part| counters.iter().map(move |&var| pool.mul(part, pool.of_var(var))))
        {
            if !products.contains(&product) {
                products.push(product);
            }
        }
    }
    products.truncate(most);
    products
}

/// Is there a conditional term inside?
fn has_choice(pool: &TermPool, term: Term) -> bool {
    let (mut seen, mut open) = (FxHashSet::default(), vec![term]);
    while let Some(term) = open.pop() {
        if matches!(pool.node(term), Node::Ite(..)) {
            return true;
        }
        if seen.insert(term) {
            pool.node(term).for_each_child(|child| open.push(child));
        }
    }
    false
}

/// One case of an action.
pub(super) struct Transfer<'p> {
    guard: Guard,
    /// The tracked columns that change, with their new values.
    assigned: Vec<(u32, Row)>,
    dimensions: Dimensions<'p>,
}

/// The domain of affine equalities over the terms of a graph.
pub(super) struct Affine<'p> {
    pool: &'p TermPool,
    /// The term of each tracked column.
    tracked: Vec<Term>,
    dimensions: Dimensions<'p>,
}

impl<'p> Affine<'p> {
    /// The domain for a graph.
    pub fn new(pool: &'p TermPool, graph: &FlowGraph<'_>, budget: &InvariantBudget) -> Self {
        let tracked = tracked_terms(pool, graph, budget);
        let dimensions = Dimensions::new(pool, &tracked);
        Affine { pool, tracked, dimensions }
    }

    /// The term of each tracked column.
    pub fn tracked(&self) -> &[Term] {
        &self.tracked
    }

    /// Does `linear = 0` follow from the system?
    pub fn implies(&self, system: &System, linear: &Linear) -> bool {
        system.reduce(&self.dimensions.clone().combination(linear)).is_zero()
    }

    fn changed(&self, action: &Relation) -> impl Iterator<Item = u32> {
        let written =
            |term: &Term| self.pool.free_vars(*term).iter().any(|var| action.writes.binary_search(var).is_ok());
        self.tracked.iter().enumerate().filter(move |(_, term)| written(term)).map(|(column, _)| column as u32)
    }
}

impl<'p> Domain for Affine<'p> {
    type Element = System;
    type Transfer = Transfer<'p>;

    fn top(&self) -> System {
        System::default()
    }

    fn values(&self, action: &Relation) -> Vec<Term> {
        self.changed(action).map(|column| action.before(self.pool, self.tracked[column as usize])).collect()
    }

    fn transfer(&self, action: &Relation, case: &Case) -> Transfer<'p> {
        let mut dimensions = self.dimensions.clone();
        let mut guard = vec![Guard::new(self.pool, &mut dimensions, case.guard)];
        for (term, value) in &case.decided {
            guard.push(Guard::Equal(dimensions.row(*term).minus(&dimensions.row(*value))));
        }
        let assigned = self.changed(action).zip(&case.values).map(|(column, &value)| (column, dimensions.row(value)));
        Transfer { assigned: assigned.collect(), guard: Guard::All(guard), dimensions }
    }

    fn follow(&self, transfer: &Transfer<'p>, before: &System) -> Option<System> {
        let mut system = before.clone();
        // What congruence adds may decide more of the guard.
        let possible = transfer.guard.assume(&mut system)
            && transfer.dimensions.close(&mut system)
            && transfer.guard.assume(&mut system);
        if !possible {
            return None;
        }
        let tracked = self.tracked.len() as u32;
        for (column, value) in &transfer.assigned {
            let consistent = system.assume(&Row::of(column + tracked).minus(value));
            debug_assert!(consistent, "a column that nothing is known of");
        }
        (2 * tracked..transfer.dimensions.end()).for_each(|column| system.forget(column));
        transfer.assigned.iter().for_each(|(column, _)| system.forget(*column));
        if !transfer.assigned.is_empty() {
            let new = |column: u32| (tracked..2 * tracked).contains(&column);
            system = system.rename(|column| if new(column) { column - tracked } else { column });
        }
        system.drop_huge();
        Some(system)
    }

    fn join(&self, a: &System, b: &System) -> System {
        a.join(b)
    }

    fn widen(&self, _: &System, new: &System, _: usize) -> System {
        new.clone()
    }

    fn facts(&self, system: &System) -> Vec<Term> {
        // Equalities of variables first: what congruence makes of them need not be said.
        let is_opaque = |row: &&Row| {
            let columns = row.entries().iter().map(|(column, _)| *column).filter(|column| *column != CONSTANT);
            columns.into_iter().any(|column| !matches!(self.pool.node(self.tracked[column as usize]), Node::Var(_)))
        };
        let (opaque, plain): (Vec<&Row>, Vec<&Row>) = system.rows().iter().partition(is_opaque);
        let (mut said, mut facts) = (System::default(), Vec::new());
        for row in plain.into_iter().chain(opaque) {
            if !said.reduce(row).is_zero() {
                // Several conditional terms are rather an identity than a fact about the program.
                let columns = row.entries().iter().filter(|(column, _)| *column != CONSTANT);
                let terms = columns.map(|(column, _)| self.tracked[*column as usize]);
                if terms.filter(|&term| has_choice(self.pool, term)).count() <= 1 {
                    facts.extend(equality(self.pool, &self.tracked, row));
                }
                if !(said.assume(row) && self.dimensions.close(&mut said)) {
                    return vec![Term::FALSE];
                }
            }
        }
        if facts.contains(&Term::FALSE) { vec![Term::FALSE] } else { facts }
    }
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
