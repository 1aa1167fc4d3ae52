//! Cartesian predicate abstraction: an abstract state is the set of predicates of the precision that hold, and of those that do not.
//! That is a Floyd/Hoare automaton whose pool is closed under negation of atoms.

use super::{Domain, InitialPrecision};
use crate::like_threads::{LikeThreads, images};
use crate::proof::texts;
use braid_logic::{BitSet, Node, Solver, Term, TermPool, Var};
use braid_program::cfa::{ActionId, ProductState, Program};
use braid_proof::{Annotation, AssertionId, FloydHoareAutomaton, Known};
use braid_reduction::{Sight, Simplified, Symmetry};
use rustc_hash::FxHashMap;
use std::rc::Rc;

pub(super) struct Predicates {
    /// The precision: each predicate, and its negation.
    literals: FloydHoareAutomaton,
    like: LikeThreads,
    /// States behind actions where something is irrelevant, with how many literals were considered.
    forgetting: FxHashMap<Forgetting, (Known, usize)>,
}

/// From a state, by an action (if it matters), without what is known of some variables.
type Forgetting = (Known, Option<ActionId>, Rc<BitSet>);

impl Predicates {
    pub fn new(program: &Program<'_>, precision: InitialPrecision) -> Predicates {
        let (literals, like) = (FloydHoareAutomaton::new(), LikeThreads::new(Symmetry::none()));
        let mut predicates = Predicates { literals, like, forgetting: FxHashMap::default() };
        if precision == InitialPrecision::Branches {
            for action in &program.actions {
                for atom in atoms(program.pool, action.relation(program.pool).guard) {
                    predicates.add(program, atom);
                }
            }
        }
        predicates
    }

    /// Takes up a predicate, about all threads of which it can be said; true if one of these is new.
    fn add_like(&mut self, program: &Program<'_>, predicate: Term) -> bool {
        let images = images(&self.like.symmetry, program.pool, predicate);
        images.into_iter().fold(false, |new, image| self.add(program, image) | new)
    }

    /// Takes up a predicate that speaks of the program's variables only; true if it is new.
    fn add(&mut self, program: &Program<'_>, predicate: Term) -> bool {
        let pool = program.pool;
        let is_variable = |var: &Var| program.variables.iter().any(|variable| variable.var == *var);
        if !pool.free_vars(predicate).iter().all(is_variable) {
            return false;
        }
        let new = self.literals.add(program, predicate);
        if !matches!(pool.node(predicate), Node::Or(_)) {
            self.literals.add(program, pool.not(predicate));
        }
        new
    }
}

impl<'p> Domain<'p> for Predicates {
    type State = Known;
    type Antichain = Vec<(Known, u32)>;

    fn exchange(&mut self, program: &Program<'p>, symmetry: Symmetry) {
        self.like = LikeThreads::new(symmetry);
        for literal in self.literals.assertions().to_vec() {
            self.add_like(program, literal);
        }
    }

    fn initial(&self) -> Known {
        Known::NOTHING
    }

    fn sorted(
        &mut self,
        program: &Program<'p>,
        locations: &ProductState,
        &state: &Known,
    ) -> Option<(ProductState, Known)> {
        let (pool, asleep) = (program.pool, BitSet::new());
        let (locations, _, state) = self.like.sorted(pool, &mut self.literals, (locations, &asleep, state))?;
        Some((locations, state))
    }

    fn successors(
        &mut self,
        solver: &mut Solver<'p>,
        program: &Program<'p>,
        &state: &Known,
        action: ActionId,
        Simplified { irrelevant, matters }: &Simplified,
    ) -> Vec<Known> {
        let next = match (irrelevant.is_empty(), matters) {
            (true, true) => self.literals.successor(solver, program, state, action),
            (true, false) => state,
            _ => {
                let key = (state, matters.then_some(action), irrelevant.clone());
                let literals = self.literals.assertions().len();
                match self.forgetting.get(&key) {
                    Some(&(known, considered)) if considered == literals => known,
                    _ => {
                        let known = match matters {
                            true => self.literals.successor_forgetting(solver, program, state, action, irrelevant),
                            false => self.literals.forgetting(state, irrelevant),
                        };
                        self.forgetting.insert(key, (known, literals));
                        known
                    }
                }
            }
        };
        if next == Known::UNREACHABLE { Vec::new() } else { vec![next] }
    }

    fn is_covered(&self, antichain: &Vec<(Known, u32)>, &state: &Known) -> bool {
        antichain.iter().any(|&(other, _)| self.literals.is_stronger(state, other))
    }

    fn insert(&self, antichain: &mut Vec<(Known, u32)>, state: Known, number: u32, mut covered: impl FnMut(u32)) {
        antichain.retain(|&(other, number)| {
            let is_covered = self.literals.is_stronger(other, state);
            if is_covered {
                covered(number);
            }
            !is_covered
        });
        antichain.push((state, number));
    }

    fn sight(&self, program: &Program<'p>) -> Sight {
        let (pool, literals) = (program.pool, self.literals.assertions());
        let vars = literals.iter().flat_map(|&literal| pool.free_vars(literal)).map(|var| var.index());
        Sight::of_formulas(pool, self.like.symmetry.closed(vars.collect()), literals)
    }

    fn refine(&mut self, program: &Program<'p>, _: &[ActionId], annotations: &[Annotation]) -> bool {
        let mut new = false;
        for assertion in annotations.iter().flat_map(Annotation::distinct) {
            for conjunct in program.pool.conjuncts(assertion) {
                if conjunct != Term::FALSE {
                    new |= self.add_like(program, conjunct);
                }
            }
        }
        new
    }

    fn size(&self) -> u64 {
        self.literals.assertions().len() as u64
    }

    fn precision(&self, pool: &TermPool) -> Vec<String> {
        texts(pool, self.literals.assertions().iter().copied())
    }

    fn known(&self, &state: &Known) -> Option<BitSet> {
        Some(self.literals.known_ids(state).map(AssertionId::index).collect())
    }
}

/// The atoms of a formula.
fn atoms(pool: &TermPool, formula: Term) -> Vec<Term> {
    match pool.node(formula) {
        Node::True | Node::False => Vec::new(),
        Node::And(parts) | Node::Or(parts) => parts.iter().flat_map(|&part| atoms(pool, part)).collect(),
        Node::Not(negated) => atoms(pool, *negated),
        _ => vec![formula],
    }
}
