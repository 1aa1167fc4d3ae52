//! Which assertions have to do with each other: those that share a variable or a function, directly or through others. A query needs
//! no premise that has nothing to do with what is asked.

use braid_logic::{BitSet, Node, Term, TermPool, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// A variable or a function, as a number.
pub type Symbol = u32;

pub fn symbol_of_var(var: Var) -> Symbol {
    var.index() as u32 * 2
}

/// Is the symbol one of these variables (by index)?
pub fn is_among(symbol: Symbol, vars: &BitSet) -> bool {
    symbol.is_multiple_of(2) && vars.contains(symbol as usize / 2)
}

/// The variables and functions of some formulas, sorted.
pub fn symbols(pool: &TermPool, formulas: impl IntoIterator<Item = Term>) -> Vec<Symbol> {
    let mut found = Vec::new();
    let mut work: Vec<Term> = formulas.into_iter().collect();
    let mut seen: FxHashSet<Term> = work.iter().copied().collect();
    while let Some(term) = work.pop() {
        match pool.node(term) {
            Node::Var(var) => found.push(symbol_of_var(*var)),
            Node::Apply(fun, _) => found.push(fun.index() as u32 * 2 + 1),
            _ => {}
        }
        pool.node(term).for_each_child(|child| {
            if seen.insert(child) {
                work.push(child);
            }
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The symbols of a growing list of assertions.
#[derive(Default)]
pub struct SharedSymbols {
    /// Per assertion, its symbols, sorted.
    of: Vec<Box<[Symbol]>>,
    /// Per symbol, the assertions that have it.
    with: FxHashMap<Symbol, BitSet>,
    /// Per assertion, those that share a symbol with it.
    neighbours: Vec<BitSet>,
    /// The assertions without symbols.
    closed: BitSet,
}

impl SharedSymbols {
    /// The list that holds `false` alone.
    pub fn of_false() -> SharedSymbols {
        let closed = [0].into_iter().collect();
        SharedSymbols { of: vec![Box::default()], neighbours: vec![BitSet::new()], closed, ..SharedSymbols::default() }
    }

    /// Takes up the next assertion.
    pub fn add(&mut self, pool: &TermPool, assertion: Term) {
        let (number, own) = (self.of.len(), symbols(pool, [assertion]));
        let mut neighbours = BitSet::new();
        for &symbol in &own {
            let with = self.with.entry(symbol).or_default();
            with.insert(number);
            neighbours.extend(with);
        }
        for other in neighbours.iter().filter(|&other| other != number) {
            self.neighbours[other].insert(number);
        }
        if own.is_empty() {
            self.closed.insert(number);
        }
        self.neighbours.push(neighbours);
        self.of.push(own.into());
    }

    /// The symbols of an assertion, sorted.
    pub fn of(&self, assertion: usize) -> &[Symbol] {
        &self.of[assertion]
    }

    /// Those of the premises that have to do with symbols, directly or through each other, and those without any.
    pub fn relevant(&self, premises: &BitSet, about: impl IntoIterator<Item = Symbol>) -> BitSet {
        let mut relevant = self.closed.common(premises);
        let mut open = BitSet::new();
        for symbol in about {
            if let Some(with) = self.with.get(&symbol) {
                open.extend(&with.common(premises));
            }
        }
        while !open.is_empty() {
            let mut next = BitSet::new();
            for number in open.iter().filter(|&number| !relevant.contains(number)) {
                next.extend(&self.neighbours[number]);
            }
            relevant.extend(&open);
            open = next.common(premises);
            if open.is_subset(&relevant) {
                break;
            }
        }
        relevant
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_logic::Sort;

    #[test]
    fn premises_are_relevant_through_each_other() {
        let pool = TermPool::new();
        let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(|name| pool.of_var(pool.var(name, Sort::INT)));
        let mut shared = SharedSymbols::of_false();
        for assertion in [pool.le(a, b), pool.le(b, c), pool.le(d, e), pool.le(c, d)] {
            shared.add(&pool, assertion);
        }
        let relevant = |premises: &[usize], about: Term| {
            let premises = premises.iter().copied().collect();
            shared.relevant(&premises, symbols(&pool, [about])).iter().collect::<Vec<_>>()
        };
        assert_eq!(relevant(&[1, 2, 3], a), [1, 2]);
        assert_eq!(relevant(&[1, 2, 3], e), [3]);
        assert_eq!(relevant(&[1, 2, 3, 4], e), [1, 2, 3, 4]);
        assert_eq!(relevant(&[0, 1, 3], c), [0]);
    }
}
