//! Constrained Horn clauses: which predicates make all these implications true?
//!
//! A clause says for all values of its variables: if the premises hold, so does the conclusion. Premises are formulas and
//! applications of unknown predicates; the conclusion is one application, or `false`.

use crate::pool::TermPool;
use crate::sort::{Sort, SortKind};
use crate::substitute::Substitution;
use crate::term::{BvOp, Node, Term, Var};
use crate::text::{SymbolText, print_declarations};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;

/// An unknown predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// What a solution is said of.
    pub parameters: Vec<Var>,
    /// It, applied to its parameters; a variable of its own if it has none.
    pub atom: Term,
}

impl Predicate {
    /// A predicate that no other one is.
    pub fn new(pool: &TermPool, name: &str, parameters: Vec<Var>) -> Predicate {
        if parameters.is_empty() {
            return Predicate { parameters, atom: pool.of_var(pool.fresh_var(name, Sort::BOOL)) };
        }
        let mut name = name.to_owned();
        while pool.find_fun(&name).is_some() {
            name.push('\'');
        }
        let sorts: Vec<Sort> = parameters.iter().map(|&var| pool.var_sort(var)).collect();
        let arguments: Vec<Term> = parameters.iter().map(|&var| pool.of_var(var)).collect();
        let atom = pool.apply(pool.fun(&name, &sorts, Sort::BOOL), &arguments);
        Predicate { parameters, atom }
    }

    /// It, with other arguments for some of its parameters.
    pub fn of(&self, pool: &TermPool, arguments: &Substitution) -> Term {
        pool.substitute(self.atom, arguments)
    }
}

/// If all premises hold, so does the conclusion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Formulas and atoms.
    pub premises: Vec<Term>,
    /// An atom, or `false`.
    pub conclusion: Term,
}

/// Clauses about unknown predicates.
#[derive(Clone, Debug, Default)]
pub struct HornClauses {
    /// The predicates.
    pub predicates: Vec<Predicate>,
    /// What must hold of them.
    pub clauses: Vec<Clause>,
}

/// What is known of Horn clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornAnswer {
    /// For each predicate a formula over its parameters that together, as far as the solver can be believed, make all clauses true.
    Solved(Vec<Term>),
    /// No predicates do.
    Refuted,
    /// Neither was found out within the budget.
    Unknown,
}

impl HornClauses {
    /// The variables of a clause: all but predicates without parameters.
    pub(crate) fn variables(&self, pool: &TermPool, clause: &Clause) -> Vec<Var> {
        let mut vars: Vec<Var> = Vec::new();
        for &term in clause.premises.iter().chain([&clause.conclusion]) {
            vars.extend(pool.free_vars(term).iter().filter(|&&var| !self.is_predicate(pool, pool.of_var(var))));
        }
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    fn is_predicate(&self, pool: &TermPool, term: Term) -> bool {
        pool.sort_of(term) == Sort::BOOL && self.predicates.iter().any(|p| p.parameters.is_empty() && p.atom == term)
    }

    /// Do clauses speak of what this form lacks: uninterpreted functions and sorts, quantifiers, floats?
    pub fn is_out_of_reach(&self, pool: &TermPool) -> bool {
        let own: FxHashSet<_> = self.predicates.iter().filter_map(|p| pool.applied(p.atom)).collect();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let terms = self.clauses.iter().flat_map(|clause| clause.premises.iter().chain([&clause.conclusion]));
        let mut open: Vec<Term> = terms.copied().collect();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = pool.node(term);
            let strange = match node {
                Node::Apply(fun, _) => !own.contains(fun),
                Node::Quantifier { .. } | Node::Bv(BvOp::Float(..), _) => true,
                _ => matches!(pool.sort_kind(pool.sort_of(term)), SortKind::Uninterpreted(_)),
            };
            if strange {
                return true;
            }
            node.for_each_child(|child| open.push(child));
        }
        false
    }

    /// A script that asks a solver for Horn clauses whether there are such predicates: `sat` is yes.
    pub fn script(&self, pool: &TermPool) -> String {
        let mut text = String::from("(set-logic HORN)\n");
        for predicate in &self.predicates {
            text += &match pool.applied(predicate.atom) {
                Some(fun) => {
                    let sorts = pool.fun_signature(fun).0.iter().map(|&sort| pool.display_sort(sort).to_string());
                    let sorts = sorts.collect::<Vec<_>>().join(" ");
                    format!("(declare-fun {} ({sorts}) Bool)\n", SymbolText(pool.fun_name(fun)))
                }
                None => print_declarations(pool, &[predicate.atom]),
            };
        }
        for clause in &self.clauses {
            let bound = self
                .variables(pool, clause)
                .into_iter()
                .map(|var| format!("({} {})", SymbolText(pool.var_name(var)), pool.display_sort(pool.var_sort(var))));
            let bound = bound.collect::<Vec<_>>().join(" ");
            let premises = pool.and(clause.premises.iter().copied());
            let implication = format!("(=> {} {})", pool.display(premises), pool.display(clause.conclusion));
            let closed = if bound.is_empty() { implication } else { format!("(forall ({bound}) {implication})") };
            writeln!(text, "(assert {closed})").expect("strings take all text");
        }
        text += "(check-sat)\n";
        text
    }
}
