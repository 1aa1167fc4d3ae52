//! Explicit-value abstraction: an abstract state knows the values of some of the variables of the precision.
//!
//! What an action makes of known values is computed; where a guard leaves a variable few values, each is looked at alone
//! (bounded enumeration of unknown values).

use super::Domain;
use super::precision::{InitialPrecision, Precision};
use braid_logic::{Answer, BitSet, Integer, Model, Solver, Substitution, Term, TermPool, Value, Var};
use braid_program::cfa::{ActionId, ProductState, Program, ThreadId};
use braid_proof::Annotation;
use braid_reduction::{Sight, Simplified, Symmetry};
use rustc_hash::FxHashMap;
use std::rc::Rc;

pub(super) struct Values {
    precision: Precision,
    /// Which threads can be exchanged. The precision knows of each what it knows of the others.
    symmetry: Symmetry,
    /// How many values of what is unknown are looked at.
    enumerate: usize,
    /// Per action, what it has to do with the tracked variables.
    touched: FxHashMap<ActionId, Rc<Touched>>,
    /// What actions make of the values that they read.
    transfers: FxHashMap<Inputs, Rc<Transfer>>,
}

/// The places that an action has to do with.
struct Touched {
    /// What its guard and its assignments to tracked variables read.
    reads: Vec<usize>,
    /// What it assigns, and of what its guard may say something.
    changes: Vec<usize>,
}

/// An action, the values that it reads, and which of the places that it changes are irrelevant.
type Inputs = (ActionId, Box<[Option<Term>]>);

/// What can be known at the places that an action changes; nothing if it cannot be taken.
type Transfer = Vec<Vec<Option<Term>>>;

impl Values {
    pub fn new(program: &Program<'_>, precision: InitialPrecision, enumerate: usize) -> Values {
        let (touched, transfers) = (FxHashMap::default(), FxHashMap::default());
        let symmetry = Symmetry::none();
        let mut values = Values { precision: Precision::default(), symmetry, enumerate, touched, transfers };
        if precision == InitialPrecision::Branches {
            let guards = program.actions.iter().map(|action| action.relation(program.pool).guard);
            values.track(program, guards.flat_map(|guard| program.pool.free_vars(guard).iter().copied()));
        }
        values
    }

    /// Takes up variables of the program, and those that they can be exchanged with; true if one of them is new.
    fn track(&mut self, program: &Program<'_>, vars: impl IntoIterator<Item = Var>) -> bool {
        let before = self.precision.len();
        let wanted = self.precision.iter().chain(vars).map(|var| var.index());
        let wanted = self.symmetry.closed(wanted.collect());
        let tracked = program.variables.iter().map(|variable| variable.var).filter(|var| wanted.contains(var.index()));
        self.precision = tracked.collect();
        let grown = self.precision.len() > before;
        if grown {
            self.touched.clear();
            self.transfers.clear();
        }
        grown
    }

    /// What is left of a state if nothing is known of some variables.
    fn without(&self, state: &Known, irrelevant: &BitSet) -> Known {
        let is_lost = |(place, var): (usize, Var)| irrelevant.contains(var.index()) && state[place].is_some();
        if !self.precision.iter().enumerate().any(is_lost) {
            return state.clone();
        }
        let values = self.precision.iter().zip(state.iter());
        values.map(|(var, &value)| value.filter(|_| !irrelevant.contains(var.index()))).collect()
    }

    fn touched(&mut self, program: &Program<'_>, action: ActionId) -> Rc<Touched> {
        let precision = &self.precision;
        let touched = self.touched.entry(action).or_insert_with(|| {
            let pool = program.pool;
            let relation = program.action(action).relation(pool);
            let is_tracked = |var: Var| precision.place(var).is_some();
            let updates = relation.updates.iter().filter(|(var, _)| is_tracked(*var)).map(|&(_, term)| term);
            let places = |vars: &mut dyn Iterator<Item = Var>| -> Vec<usize> {
                let places: BitSet = vars.filter_map(|var| precision.place(var)).collect();
                places.iter().collect()
            };
            let guarded = || pool.free_vars(relation.guard).iter().copied();
            let read = updates.flat_map(|term| pool.free_vars(term).iter().copied());
            Rc::new(Touched {
                reads: places(&mut read.chain(guarded())),
                changes: places(&mut relation.writes.iter().copied().chain(guarded())),
            })
        });
        touched.clone()
    }

    /// What an action makes of the values in a state.
    fn transfer(
        &self,
        solver: &mut Solver<'_>,
        program: &Program<'_>,
        (action, touched): (ActionId, &Touched),
        state: &Known,
        irrelevant: &BitSet,
    ) -> Transfer {
        let pool = program.pool;
        let relation = program.action(action).relation(pool);
        let read = touched.reads.iter().filter_map(|&place| Some((self.precision.at(place), state[place]?)));
        let known: Substitution = read.collect();
        let guard = pool.substitute(relation.guard, &known);
        if guard == Term::FALSE || (guard != Term::TRUE && solver.decide(&[guard]) == Answer::Unsat) {
            return Vec::new();
        }
        let mut next: Vec<Option<Term>> = Vec::with_capacity(touched.changes.len());
        let mut open: Vec<(usize, Term)> = Vec::new();
        for &place in &touched.changes {
            let var = self.precision.at(place);
            let after = match relation.updates.iter().find(|(written, _)| *written == var) {
                _ if irrelevant.contains(var.index()) => None,
                Some(&(_, term)) => Some(pool.substitute(term, &known)),
                None => Some(state[place].unwrap_or_else(|| pool.of_var(var))),
            };
            let closed = after.filter(|&term| is_value(pool, term));
            if let Some(term) = after.filter(|_| closed.is_none()) {
                let guarded = pool.free_vars(term).iter().any(|&var| pool.mentions(guard, var));
                if guarded {
                    open.push((next.len(), term));
                }
            }
            next.push(closed);
        }
        let choices = if open.is_empty() { None } else { self.enumerated(solver, pool, guard, &open) };
        let Some(choices) = choices else { return vec![next] };
        let with = |values: Vec<Term>| {
            let mut next = next.clone();
            for (&(place, _), value) in open.iter().zip(values) {
                next[place] = Some(value);
            }
            next
        };
        choices.into_iter().map(with).collect()
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

/// States by the places where they know a value: those that know the same places cover each other only if they are equal.
#[derive(Default)]
pub(super) struct Antichain {
    by_places: FxHashMap<BitSet, FxHashMap<Known, u32>>,
}

fn known_places(state: &Known) -> BitSet {
    state.iter().enumerate().filter(|(_, value)| value.is_some()).map(|(place, _)| place).collect()
}

/// What is left of a state if only some places are known.
fn restricted(state: &Known, places: &BitSet) -> Known {
    state.iter().enumerate().map(|(place, &value)| value.filter(|_| places.contains(place))).collect()
}

impl<'p> Domain<'p> for Values {
    type State = Known;
    type Antichain = Antichain;

    fn exchange(&mut self, program: &Program<'p>, symmetry: Symmetry) {
        self.symmetry = symmetry;
        self.track(program, []);
    }

    fn initial(&self) -> Known {
        vec![None; self.precision.len()].into()
    }

    fn sorted(&mut self, _: &Program<'p>, locations: &ProductState, state: &Known) -> Option<(ProductState, Known)> {
        let place = |var: &Var| self.precision.place(*var);
        let own = |thread: ThreadId| self.symmetry.own(thread).iter().filter_map(place);
        let values = |thread: ThreadId| own(thread).map(|place| state[place]).collect::<Vec<_>>();
        let (locations, _, moved) = self.symmetry.canonical(locations, &BitSet::new(), |_| true, values)?;
        let mut sorted = state.to_vec();
        for &thread in self.symmetry.classes().iter().flatten() {
            for (from, to) in own(thread).zip(own(moved[thread.index()])) {
                sorted[to] = state[from];
            }
        }
        Some((locations, sorted.into()))
    }

    fn successors(
        &mut self,
        solver: &mut Solver<'p>,
        program: &Program<'p>,
        state: &Known,
        action: ActionId,
        Simplified { irrelevant, matters }: &Simplified,
    ) -> Vec<Known> {
        if !matters {
            return vec![self.without(state, irrelevant)];
        }
        let touched = self.touched(program, action);
        let is_irrelevant = |place: usize| irrelevant.contains(self.precision.at(place).index());
        let lost = touched.changes.iter().map(|&place| is_irrelevant(place).then_some(Term::TRUE));
        let read = touched.reads.iter().map(|&place| state[place]);
        let key = (action, read.chain(lost).collect());
        let transfer = match self.transfers.get(&key) {
            Some(transfer) => transfer.clone(),
            None => {
                let transfer = Rc::new(self.transfer(solver, program, (action, &touched), state, irrelevant));
                self.transfers.insert(key, transfer.clone());
                transfer
            }
        };
        let with = |values: &Vec<Option<Term>>| {
            let mut next: Vec<Option<Term>> = state.to_vec();
            for (&place, &value) in touched.changes.iter().zip(values) {
                next[place] = value;
            }
            self.without(&next.into(), irrelevant)
        };
        transfer.iter().map(with).collect()
    }

    fn is_covered(&self, antichain: &Antichain, state: &Known) -> bool {
        let own = known_places(state);
        antichain.by_places.iter().any(|(places, states)| {
            (*places == own && states.contains_key(state))
                || (*places != own && places.is_subset(&own) && states.contains_key(&restricted(state, places)))
        })
    }

    fn insert(&self, antichain: &mut Antichain, state: Known, number: u32, mut covered: impl FnMut(u32)) {
        let own = known_places(&state);
        let finer = antichain.by_places.iter_mut().filter(|(places, _)| own.is_subset(places) && own != **places);
        for (_, states) in finer {
            states.retain(|other, &mut number| {
                let is_covered = own.iter().all(|place| other[place] == state[place]);
                if is_covered {
                    covered(number);
                }
                !is_covered
            });
        }
        antichain.by_places.retain(|_, states| !states.is_empty());
        antichain.by_places.entry(own).or_default().insert(state, number);
    }

    fn sight(&self, _: &Program<'p>) -> Sight {
        Sight::of_values(self.precision.iter().map(|var| var.index()).collect())
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
        self.precision.len() as u64
    }

    fn precision(&self, pool: &TermPool) -> Vec<String> {
        self.precision.iter().map(|var| pool.var_name(var).to_string()).collect()
    }

    fn known(&self, _: &Known) -> Option<BitSet> {
        None
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
