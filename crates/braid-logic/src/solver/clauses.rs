//! Horn clauses that may be recursive, solved by Z3's Spacer.

use super::horn::{definitions, equation};
use super::reread::{has_quantifier, reread};
use super::translate::Translator;
use crate::horn::{Clause, HornAnswer, HornClauses, Predicate};
use crate::pool::TermPool;
use crate::substitute::Substitution;
use crate::term::{Node, Term};
use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{Fixedpoint, FuncDecl, Params, SatResult};

/// What Spacer says of the clauses. Who calls it watches the clock.
pub(super) fn solve(pool: &TermPool, translator: &mut Translator, horn: &HornClauses) -> HornAnswer {
    if horn.is_out_of_reach(pool) {
        return HornAnswer::Unknown;
    }
    let fixedpoint = Fixedpoint::new();
    fixedpoint.set_params(&params());
    for predicate in &horn.predicates {
        fixedpoint.register_relation(&translator.term(predicate.atom).decl());
    }
    let error = FuncDecl::new("horn!error", &[], &z3::Sort::bool());
    fixedpoint.register_relation(&error);
    let error = error.apply(&[]).as_bool().expect("predicates are Boolean");
    for clause in &horn.clauses {
        let rule = rule(pool, translator, horn, clause, &error);
        fixedpoint.add_rule(&rule, None);
    }
    match fixedpoint.query(&error) {
        SatResult::Sat => HornAnswer::Refuted,
        SatResult::Unknown => HornAnswer::Unknown,
        SatResult::Unsat => {
            let solution = fixedpoint.get_answer().and_then(|answer| solution(pool, horn, &answer.into()));
            solution.map_or(HornAnswer::Unknown, HornAnswer::Solved)
        }
    }
}

/// A clause, for all values of its variables.
fn rule(pool: &TermPool, translator: &mut Translator, horn: &HornClauses, clause: &Clause, error: &Bool) -> Bool {
    let premises: Vec<Bool> = clause.premises.iter().map(|&premise| translator.formula(premise)).collect();
    let conclusion =
        if clause.conclusion == Term::FALSE { error.clone() } else { translator.formula(clause.conclusion) };
    let implication = Bool::and(&premises).implies(conclusion);
    let bound: Vec<Dynamic> = horn.variables(pool, clause).into_iter().map(|var| translator.var(var).clone()).collect();
    if bound.is_empty() {
        return implication;
    }
    forall_const(&bound.iter().map(|var| var as &dyn Ast).collect::<Vec<_>>(), &[], &implication)
}

/// Each predicate is asked for, so none may be inlined or sliced.
fn params() -> Params {
    let mut params = Params::new();
    params.set_symbol("engine", "spacer");
    for transformation in ["xform.inline_eager", "xform.inline_linear", "xform.slice", "xform.coi"] {
        params.set_bool(transformation, false);
    }
    params
}

/// For each predicate what the answer says of it; none if that cannot be said in terms.
fn solution(pool: &TermPool, horn: &HornClauses, answer: &Dynamic) -> Option<Vec<Term>> {
    let is_atom = |term: Term| match pool.applied(term) {
        Some(fun) => horn.predicates.iter().any(|predicate| pool.applied(predicate.atom) == Some(fun)),
        None => horn.predicates.iter().any(|predicate| predicate.atom == term),
    };
    let key = |atom: Term| pool.applied(atom).ok_or(atom);
    let mut found = FxHashMap::default();
    for definition in definitions(answer) {
        // What cannot be read may be about nobody's predicate.
        let Some((atom, body)) = reread(pool, &definition).and_then(|read| equation(pool, read, is_atom)) else {
            continue;
        };
        found.insert(key(atom), (atom, body));
    }
    horn.predicates
        .iter()
        .map(|predicate| {
            let &(atom, body) = found.get(&key(predicate.atom))?;
            said_of_parameters(pool, predicate, atom, body)
        })
        .collect()
}

/// The body of a definition over the predicate's parameters.
fn said_of_parameters(pool: &TermPool, predicate: &Predicate, atom: Term, body: Term) -> Option<Term> {
    let arguments = match pool.node(atom) {
        Node::Apply(_, arguments) => &arguments[..],
        _ => &[],
    };
    let mut names = Substitution::default();
    for (&argument, &var) in arguments.iter().zip(&predicate.parameters) {
        let Node::Var(bound) = pool.node(argument) else { return None };
        names.insert(*bound, pool.of_var(var));
    }
    let said = pool.substitute(body, &names);
    let fits = pool.free_vars(said).iter().all(|var| predicate.parameters.contains(var));
    (fits && !has_quantifier(pool, said)).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Solver, SolverOptions, Validity};
    use crate::sort::Sort;
    use std::time::Duration;

    /// `x` starts with 0 and grows by 2; it never is the number given.
    fn count(pool: &TermPool, never: i64) -> (HornClauses, Term) {
        let x = pool.var("x", Sort::INT);
        let (number, next) = (pool.of_var(x), pool.add([pool.of_var(x), pool.int(2)]));
        let there = Predicate::new(pool, "there", vec![x]);
        let begun = Predicate::new(pool, "begun", vec![]);
        let clause = |premises: &[Term], conclusion| Clause { premises: premises.to_vec(), conclusion };
        let clauses = vec![
            clause(&[], begun.atom),
            clause(&[begun.atom, pool.eq(number, pool.int(0))], there.atom),
            clause(&[there.atom], there.of(pool, &Substitution::from_iter([(x, next)]))),
            clause(&[there.atom, pool.eq(number, pool.int(never))], Term::FALSE),
        ];
        (HornClauses { predicates: vec![there, begun], clauses }, number)
    }

    #[test]
    fn predicates_are_found_or_refuted() {
        let pool = TermPool::new();
        let mut solver = Solver::new(&pool, SolverOptions::default()).expect("the linked Z3");
        let (horn, number) = count(&pool, -1);
        let HornAnswer::Solved(found) = solver.solve_horn(&horn, Duration::from_secs(10)) else {
            panic!("no solution")
        };
        let excluded = pool.not(pool.eq(number, pool.int(-1)));
        assert_eq!(solver.entails(&[found[0]], excluded), Validity::Valid);
        assert_eq!(found[1], Term::TRUE);
        let (horn, _) = count(&pool, 6);
        assert_eq!(solver.solve_horn(&horn, Duration::from_secs(10)), HornAnswer::Refuted);
    }

    #[test]
    fn scripts_are_horn() {
        let pool = TermPool::new();
        let text = count(&pool, -1).0.script(&pool);
        assert!(text.starts_with("(set-logic HORN)\n(declare-fun there (Int) Bool)\n"), "{text}");
        assert!(text.contains("(forall ((x Int)) (=> "), "{text}");
        assert!(text.ends_with("(check-sat)\n"), "{text}");
    }
}
