//! Explicit-value abstraction: an abstract state knows the values of some of the variables of the precision.
//!
//! What an action makes of known values is computed; where a guard leaves a variable few values, each is looked at alone
//! (bounded enumeration of unknown values).

use super::{Domain, InitialPrecision};
use braid_logic::{Answer, BitSet, Integer, Model, Solver, Substitution, Term, TermPool, Value, Var};
use braid_program::cfa::{ActionId, Program};
use braid_proof::Annotation;
use std::rc::Rc;

pub(super) struct Values {
    /// The precision, sorted.
    tracked: Vec<Var>,
    /// How many values of what is unknown are looked at.
    enumerate: usize,
}

impl Values {
    pub fn new(program: &Program<'_>, precision: InitialPrecision, enumerate: usize) -> Values {
        let mut values = Values { tracked: Vec::new(), enumerate };
        if precision == InitialPrecision::Branches {
            let guards = program.actions.iter().map(|action| action.relation(program.pool).guard);
            values.track(program, guards.flat_map(|guard| program.pool.free_vars(guard).iter().copied()));
        }
        values
    }

    /// Takes up variables of the program; true if one of them is new.
    fn track(&mut self, program: &Program<'_>, vars: impl IntoIterator<Item = Var>) -> bool {
        let before = self.tracked.len();
        let is_variable = |var: &Var| program.variables.iter().any(|variable| variable.var == *var);
        self.tracked.extend(vars.into_iter().filter(is_variable));
        self.tracked.sort_unstable();
        self.tracked.dedup();
        self.tracked.len() > before
    }

    /// The values that the open terms can have together under the guard, if they are few.
    fn enumerated(
        &self,
        solver: &mut Solver<'_>,
        pool: &TermPool,
        guard: Term,
        open: &[(usize, Term)],
    ) -> Option<Vec<Vec<Term>>> {
        let mut found = Vec::new();
        let mut formulas = vec![guard];
        loop {
            match solver.check_assuming(&formulas) {
                Answer::Unsat => return Some(found),
                Answer::Unknown => return None,
                Answer::Sat if found.len() == self.enumerate => return None,
                Answer::Sat => {}
            }
            let model = solver.model()?;
            let values: Vec<Term> =
                open.iter().map(|&(_, term)| literal(pool, term, &model)).collect::<Option<Vec<Term>>>()?;
            let same = open.iter().zip(&values).map(|(&(_, term), &value)| pool.eq(term, value));
            formulas.push(pool.not(pool.and(same.collect::<Vec<_>>())));
            found.push(values);
        }
    }
}

/// What is known of the tracked variables, in their order. Known values are terms without variables.
type Known = Rc<[Option<Term>]>;

impl<'p> Domain<'p> for Values {
    type State = Known;

    fn initial(&self) -> Known {
        vec![None; self.tracked.len()].into()
    }

    fn successors(
        &mut self,
        solver: &mut Solver<'p>,
        program: &Program<'p>,
        state: &Known,
        action: ActionId,
        forgotten: &[Var],
    ) -> Vec<Known> {
        let pool = program.pool;
        let relation = program.action(action).relation(pool);
        let known: Substitution =
            self.tracked.iter().zip(state.iter()).filter_map(|(&var, value)| Some((var, (*value)?))).collect();
        let guard = pool.substitute(relation.guard, &known);
        if guard == Term::FALSE || (guard != Term::TRUE && solver.decide(&[guard]) == Answer::Unsat) {
            return Vec::new();
        }
        let mut next: Vec<Option<Term>> = Vec::with_capacity(self.tracked.len());
        let mut open: Vec<(usize, Term)> = Vec::new();
        for (place, &var) in self.tracked.iter().enumerate() {
            let after = match relation.updates.iter().find(|(written, _)| *written == var) {
                _ if forgotten.contains(&var) => None,
                Some(&(_, term)) => Some(pool.substitute(term, &known)),
                None => Some(state[place].unwrap_or_else(|| pool.of_var(var))),
            };
            let closed = after.filter(|&term| is_value(pool, term));
            next.push(closed);
            if let Some(term) = after.filter(|_| closed.is_none()) {
                let guarded = pool.free_vars(term).iter().any(|&var| pool.mentions(guard, var));
                if guarded {
                    open.push((place, term));
                }
            }
        }
        let choices = if open.is_empty() { None } else { self.enumerated(solver, pool, guard, &open) };
        let Some(choices) = choices else { return vec![next.into()] };
        let with = |values: Vec<Term>| -> Known {
            let mut next = next.clone();
            for (&(place, _), value) in open.iter().zip(values) {
                next[place] = Some(value);
            }
            next.into()
        };
        choices.into_iter().map(with).collect()
    }

    fn covers(&self, state: &Known, other: &Known) -> bool {
        state.iter().zip(other.iter()).all(|(mine, theirs)| mine.is_none() || mine == theirs)
    }

    fn visible(&self, _: &Program<'p>) -> BitSet {
        self.tracked.iter().map(|var| var.index()).collect()
    }

    /// The variables of the assertions; where they are tracked already, those of the trace.
    fn refine(&mut self, program: &Program<'p>, actions: &[ActionId], annotations: &[Annotation]) -> bool {
        let pool = program.pool;
        let assertions = annotations.iter().flat_map(Annotation::distinct);
        if self.track(program, assertions.flat_map(|assertion| pool.free_vars(assertion).iter().copied())) {
            return true;
        }
        let relations = actions.iter().map(|&action| program.action(action).relation(pool));
        self.track(program, relations.flat_map(|relation| relation.reads.iter().chain(&relation.writes).copied()))
    }

    fn size(&self) -> u64 {
        self.tracked.len() as u64
    }
}

/// Is the term a value: no variable, no function whose meaning is open?
fn is_value(pool: &TermPool, term: Term) -> bool {
    pool.free_vars(term).is_empty() && pool.evaluate_in(term, &Model::default()).is_some() && !applies(pool, term)
}

fn applies(pool: &TermPool, term: Term) -> bool {
    let node = pool.node(term);
    let mut found = matches!(node, braid_logic::Node::Apply(..));
    node.for_each_child(|child| found |= applies(pool, child));
    found
}

/// The value of a term in a model, as a term.
fn literal(pool: &TermPool, term: Term, model: &Model) -> Option<Term> {
    match pool.evaluate_in(term, model)? {
        Value::Bool(value) => Some(pool.bool(value)),
        Value::Int(value) => Some(pool.int(value)),
        Value::BitVec(value, width) => Some(pool.bv_value(&Integer::from(value), width)),
        Value::Element(_) | Value::Array(_) => None,
    }
}
