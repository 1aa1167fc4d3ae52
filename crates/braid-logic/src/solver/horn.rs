//! Sequence interpolants as a solution of recursion-free Horn clauses, found by Z3's Spacer.
//!
//! For formulas A₁ … Aₙ the unknown predicate Pᵢ ranges over the variables that occur both in A₁ … Aᵢ and in
//! Aᵢ₊₁ … Aₙ, and the clauses say A₁ ⇒ P₁, Pᵢ ∧ Aᵢ₊₁ ⇒ Pᵢ₊₁ and Pₙ₋₁ ∧ Aₙ ⇒ false.
//! The transformations that would inline or slice predicates are off, since each predicate is asked for.

use super::reread::{any, has_quantifier, reread};
use super::translate::Translator;
use crate::pool::TermPool;
use crate::sort::{Sort, SortKind};
use crate::substitute::Substitution;
use crate::term::{BvOp, Node, Term, Var};
use std::collections::BTreeSet;
use z3::ast::{Ast, AstKind, Bool, Dynamic, forall_const};
use z3::{Fixedpoint, FuncDecl, Params, SatResult};

/// An unknown predicate.
struct Predicate {
    /// What it ranges over, in the order of its arguments.
    shared: Vec<Var>,
    /// It as a term, applied to what it ranges over; its definition is read back with this symbol.
    atom: Term,
    decl: FuncDecl,
}

impl Predicate {
    fn new(pool: &TermPool, translator: &mut Translator, position: usize, shared: Vec<Var>) -> Self {
        let sorts: Vec<Sort> = shared.iter().map(|&var| pool.var_sort(var)).collect();
        // One function symbol per position and signature, so that repeated interpolations add none.
        let signature: Vec<String> = sorts.iter().map(|&sort| pool.display_sort(sort).to_string()).collect();
        let name = format!("interpolant!{position}!{}", signature.join(","));
        let arguments: Vec<Term> = shared.iter().map(|&var| pool.of_var(var)).collect();
        let atom = match sorts.is_empty() {
            true => pool.symbol(&name, Sort::BOOL),
            false => pool.apply(pool.fun(&name, &sorts, Sort::BOOL), &arguments),
        };
        let sorts: Vec<z3::Sort> = sorts.into_iter().map(|sort| translator.sort(sort)).collect();
        let decl = FuncDecl::new(name, &sorts.iter().collect::<Vec<_>>(), &z3::Sort::bool());
        Predicate { shared, atom, decl }
    }

    fn apply(&self, translator: &mut Translator) -> Bool {
        let arguments: Vec<Dynamic> = self.shared.iter().map(|&var| translator.var(var).clone()).collect();
        let arguments: Vec<&dyn Ast> = arguments.iter().map(|argument| argument as &dyn Ast).collect();
        self.decl.apply(&arguments).as_bool().expect("predicates are Boolean")
    }
}

/// Interpolants `true = I₀, …, Iₙ = false` of formulas that are unsatisfiable together. None if Spacer finds none
/// within the budget, and for quantifiers, floats and uninterpreted symbols, which it does not know.
pub(super) fn interpolate(pool: &TermPool, translator: &mut Translator, formulas: &[Term]) -> Option<Vec<Term>> {
    let unknown_to_spacer =
        |node: &Node| matches!(node, Node::Apply(..) | Node::Quantifier { .. } | Node::Bv(BvOp::Float(..), _));
    if formulas.is_empty() || any(pool, formulas, unknown_to_spacer) {
        return None;
    }
    if let Some(position) = formulas.iter().position(|&formula| formula == Term::FALSE) {
        return Some((0..=formulas.len()).map(|i| pool.bool(i <= position)).collect());
    }
    let all: BTreeSet<Var> = formulas.iter().flat_map(|&formula| pool.free_vars(formula)).copied().collect();
    if all.iter().any(|&var| matches!(pool.sort_kind(pool.var_sort(var)), SortKind::Uninterpreted(_))) {
        return None;
    }
    let predicates: Vec<Predicate> = shared_vars(pool, formulas)
        .into_iter()
        .enumerate()
        .map(|(position, shared)| Predicate::new(pool, translator, position + 1, shared))
        .collect();
    let error = FuncDecl::new("interpolation!error", &[], &z3::Sort::bool());
    let clauses = Fixedpoint::new();
    clauses.set_params(&params(formulas.len()));
    predicates.iter().map(|predicate| &predicate.decl).chain([&error]).for_each(|decl| clauses.register_relation(decl));
    let error = error.apply(&[]).as_bool().expect("predicates are Boolean");
    for (position, &formula) in formulas.iter().enumerate() {
        let mut body = vec![translator.formula(formula)];
        body.extend(position.checked_sub(1).map(|before| predicates[before].apply(translator)));
        let head = predicates.get(position).map_or_else(|| error.clone(), |predicate| predicate.apply(translator));
        clauses.add_rule(&closed(pool, translator, formulas, position, Bool::and(&body).implies(head)), None);
    }
    if clauses.query(&error) != SatResult::Unsat {
        return None;
    }
    let solution = definitions(&clauses.get_answer()?.into());
    let mut interpolants = vec![Term::TRUE];
    for predicate in &predicates {
        interpolants.push(solution.iter().find_map(|definition| defined_by(pool, predicate, definition))?);
    }
    interpolants.push(Term::FALSE);
    Some(interpolants)
}

/// The clause, for all values of the variables in it.
fn closed(pool: &TermPool, translator: &mut Translator, formulas: &[Term], position: usize, clause: Bool) -> Bool {
    let before = &formulas[..position];
    let after = &formulas[position + 1..];
    let mut vars: BTreeSet<Var> = pool.free_vars(formulas[position]).iter().copied().collect();
    let mentioned = |side: &[Term], var: Var| side.iter().any(|&formula| pool.mentions(formula, var));
    // A variable that occurs on both sides is an argument of the predicates around the formula.
    for var in before.iter().flat_map(|&formula| pool.free_vars(formula)) {
        if mentioned(after, *var) {
            vars.insert(*var);
        }
    }
    let bound: Vec<Dynamic> = vars.into_iter().map(|var| translator.var(var).clone()).collect();
    if bound.is_empty() {
        return clause;
    }
    forall_const(&bound.iter().map(|var| var as &dyn Ast).collect::<Vec<_>>(), &[], &clause)
}

/// The variables that each of the n - 1 inner interpolants may speak of.
fn shared_vars(pool: &TermPool, formulas: &[Term]) -> Vec<Vec<Var>> {
    let mut after: Vec<BTreeSet<Var>> = vec![BTreeSet::new(); formulas.len()];
    for position in (1..formulas.len()).rev() {
        let mut vars = after[position].clone();
        vars.extend(pool.free_vars(formulas[position]));
        after[position - 1] = vars;
    }
    let mut before = BTreeSet::new();
    let mut shared = Vec::with_capacity(formulas.len());
    for (position, &formula) in formulas.iter().enumerate().take(formulas.len() - 1) {
        before.extend(pool.free_vars(formula).iter().copied());
        shared.push(before.intersection(&after[position]).copied().collect());
    }
    shared
}

/// No resource limit here: it makes Spacer answer with existential quantifiers. The watchdog stops it.
fn params(length: usize) -> Params {
    let mut params = Params::new();
    params.set_symbol("engine", "spacer");
    params.set_u32("spacer.min_level", length as u32);
    for transformation in ["xform.inline_eager", "xform.inline_linear", "xform.slice", "xform.coi"] {
        params.set_bool(transformation, false);
    }
    params
}

/// The conjuncts of Spacer's answer: one definition for each predicate.
pub(super) fn definitions(answer: &Dynamic) -> Vec<Dynamic> {
    match answer.kind() == AstKind::App && answer.decl().name() == "and" {
        true => answer.children(),
        false => vec![answer.clone()],
    }
}

/// What the definition `∀ arguments. predicate(arguments) = body` says of the predicate, over its shared variables.
fn defined_by(pool: &TermPool, predicate: &Predicate, definition: &Dynamic) -> Option<Term> {
    if !definition.to_string().contains(&predicate.decl.name()) {
        return None;
    }
    let read = reread(pool, definition)?;
    let is_atom = |term: Term| {
        term == predicate.atom || pool.applied(term).is_some_and(|fun| pool.applied(predicate.atom) == Some(fun))
    };
    let (atom, body) = equation(pool, read, is_atom)?;
    let arguments = match pool.node(atom) {
        Node::Apply(_, arguments) => &arguments[..],
        _ => &[],
    };
    let mut substitution = Substitution::default();
    for (&argument, &var) in arguments.iter().zip(&predicate.shared) {
        let Node::Var(bound) = pool.node(argument) else { return None };
        substitution.insert(*bound, pool.of_var(var));
    }
    let interpolant = pool.substitute(body, &substitution);
    let allowed = pool.free_vars(interpolant).iter().all(|var| predicate.shared.contains(var));
    (allowed && !has_quantifier(pool, interpolant)).then_some(interpolant)
}

/// The atom and the body of `∀ arguments. atom = body`. The equation is in normal form, so a constant body and a negation have moved.
pub(super) fn equation(pool: &TermPool, read: Term, is_atom: impl Fn(Term) -> bool) -> Option<(Term, Term)> {
    let equation = match pool.node(read) {
        Node::Quantifier { body, .. } => *body,
        _ => read,
    };
    let sides = |term: Term| match pool.node(term) {
        _ if is_atom(term) => Some((term, Term::TRUE)),
        Node::Eq(a, b) if is_atom(*a) => Some((*a, *b)),
        Node::Eq(a, b) if is_atom(*b) => Some((*b, *a)),
        _ => None,
    };
    match pool.node(equation) {
        Node::Not(inner) => sides(*inner).map(|(atom, body)| (atom, pool.not(body))),
        _ => sides(equation),
    }
}
