//! Whole scripts for any SMT-LIB solver: declarations of what occurs, assertions, and the question.

use super::floats::definition;
use super::symbol::SymbolText;
use crate::float::{FloatOp, Format};
use crate::pool::TermPool;
use crate::sort::{Sort, SortKind};
use crate::term::{BvOp, Fun, Node, Term, Var};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What occurs in some terms.
#[derive(Default)]
struct Occurring {
    vars: BTreeSet<Var>,
    funs: BTreeSet<Fun>,
    sorts: FxHashSet<Sort>,
    floats: BTreeSet<(FloatOp, Format)>,
}

impl Occurring {
    fn of(pool: &TermPool, terms: &[Term]) -> Occurring {
        let mut found = Occurring::default();
        let mut seen: FxHashSet<Term> = terms.iter().copied().collect();
        let mut open = terms.to_vec();
        while let Some(term) = open.pop() {
            found.sort(pool, pool.sort_of(term));
            match pool.node(term) {
                Node::Apply(fun, _) if found.funs.insert(*fun) => {
                    pool.fun_signature(*fun).0.iter().for_each(|&sort| found.sort(pool, sort));
                }
                Node::Bv(BvOp::Float(op, format), _) => drop(found.floats.insert((*op, *format))),
                Node::Quantifier { bound, .. } => bound.iter().for_each(|&var| found.sort(pool, pool.var_sort(var))),
                _ => {}
            }
            pool.node(term).for_each_child(|child| {
                if seen.insert(child) {
                    open.push(child);
                }
            });
        }
        terms.iter().for_each(|&term| found.vars.extend(pool.free_vars(term)));
        found
    }

    fn sort(&mut self, pool: &TermPool, sort: Sort) {
        if self.sorts.insert(sort)
            && let SortKind::Array { index, element } = pool.sort_kind(sort)
        {
            self.sort(pool, *index);
            self.sort(pool, *element);
        }
    }
}

/// Declarations of all uninterpreted sorts, free variables and functions that occur in the terms, sorted by name, and
/// definitions of the operators that SMT-LIB lacks.
pub fn print_declarations(pool: &TermPool, terms: &[Term]) -> String {
    let found = Occurring::of(pool, terms);
    let sorts: BTreeSet<&str> = found
        .sorts
        .iter()
        .filter_map(|&sort| match pool.sort_kind(sort) {
            SortKind::Uninterpreted(name) => Some(&**name),
            _ => None,
        })
        .collect();
    let mut text = String::new();
    for name in sorts {
        writeln!(text, "(declare-sort {} 0)", SymbolText(name)).expect("strings take all text");
    }
    // A function and a variable may share their name; the numbers of arguments keep them apart.
    let mut symbols: BTreeMap<(&str, usize), (&[Sort], Sort)> = BTreeMap::new();
    for &var in &found.vars {
        symbols.insert((pool.var_name(var), 0), (&[], pool.var_sort(var)));
    }
    for &fun in &found.funs {
        let (arguments, result) = pool.fun_signature(fun);
        symbols.insert((pool.fun_name(fun), arguments.len()), (arguments, result));
    }
    for ((name, _), (arguments, result)) in symbols {
        let arguments: Vec<String> = arguments.iter().map(|&sort| pool.display_sort(sort).to_string()).collect();
        let (name, result) = (SymbolText(name), pool.display_sort(result));
        writeln!(text, "(declare-fun {name} ({}) {result})", arguments.join(" ")).expect("strings take all text");
    }
    for &(op, format) in &found.floats {
        writeln!(text, "{}", definition(op, format)).expect("strings take all text");
    }
    text
}

/// A script that asks a solver whether the formulas hold together.
pub fn script(pool: &TermPool, formulas: &[Term]) -> String {
    let mut text = String::from("(set-logic ALL)\n");
    text += &print_declarations(pool, formulas);
    for &formula in formulas {
        writeln!(text, "(assert {})", pool.display(formula)).expect("strings take all text");
    }
    text += "(check-sat)\n";
    text
}
