//! The Floyd/Hoare automaton over one pool of assertions (paper 1, section 7.2).
//!
//! A state is the set of assertions known to hold; the successor under an action is the set of all assertions of the
//! pool that follow. Nothing is computed before it is asked for, and what is known of a triple is kept as cores: premises
//! that suffice, and premises that do not. `unknown` of the solver is "does not follow".

use braid_logic::{Answer, BitSet, Solver, Term, Var};
use braid_program::cfa::{ActionId, Program};
use rustc_hash::FxHashMap;

/// An assertion of the pool, by number. Number 0 is `false`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AssertionId(pub u32);

impl AssertionId {
    /// The assertion that no state satisfies.
    pub const FALSE: AssertionId = AssertionId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A state of the automaton: an interned set of assertions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Known(u32);

impl Known {
    /// Nothing is known: the initial state.
    pub const NOTHING: Known = Known(0);
    /// The state is unreachable: `false` is known.
    pub const UNREACHABLE: Known = Known(1);
}

/// What is known of the triples of one action and one conclusion.
#[derive(Default)]
struct Triples {
    /// Premises that suffice.
    valid: Vec<BitSet>,
    /// Premises that do not, with all others that matter.
    invalid: Vec<BitSet>,
}

struct Successor {
    known: Known,
    /// How many assertions of the pool were considered.
    considered: usize,
}

/// The automaton. See the module's description.
pub struct FloydHoareAutomaton {
    assertions: Vec<Term>,
    ids: FxHashMap<Term, AssertionId>,
    sets: Vec<BitSet>,
    set_ids: FxHashMap<BitSet, Known>,
    successors: FxHashMap<(Known, ActionId), Successor>,
    triples: FxHashMap<(ActionId, AssertionId), Triples>,
}

impl Default for FloydHoareAutomaton {
    fn default() -> Self {
        Self::new()
    }
}

impl FloydHoareAutomaton {
    /// The automaton of the empty proof.
    pub fn new() -> Self {
        let unreachable: BitSet = [0].into_iter().collect();
        FloydHoareAutomaton {
            assertions: vec![Term::FALSE],
            ids: [(Term::FALSE, AssertionId::FALSE)].into_iter().collect(),
            sets: vec![BitSet::new(), unreachable.clone()],
            set_ids: [(BitSet::new(), Known::NOTHING), (unreachable, Known::UNREACHABLE)].into_iter().collect(),
            successors: FxHashMap::default(),
            triples: FxHashMap::default(),
        }
    }

    /// The assertions of the pool, `false` first.
    pub fn assertions(&self) -> &[Term] {
        &self.assertions
    }

    /// Adds the conjuncts of a formula to the pool; true if one of them is new.
    pub fn add(&mut self, program: &Program<'_>, formula: Term) -> bool {
        let mut new = false;
        for conjunct in program.pool.conjuncts(formula) {
            if !self.ids.contains_key(&conjunct) {
                self.ids.insert(conjunct, AssertionId(self.assertions.len() as u32));
                self.assertions.push(conjunct);
                new = true;
            }
        }
        new
    }

    /// The assertions that are known in a state.
    pub fn known(&self, state: Known) -> impl Iterator<Item = Term> + '_ {
        self.sets[state.0 as usize].iter().map(|number| self.assertions[number])
    }

    /// Does one state know at least what the other knows?
    pub fn is_stronger(&self, state: Known, other: Known) -> bool {
        state == Known::UNREACHABLE || self.sets[other.0 as usize].is_subset(&self.sets[state.0 as usize])
    }

    /// What is known of the given variables, and of those that are related to them by what is known.
    pub fn about(&self, program: &Program<'_>, state: Known, vars: &[Var]) -> Term {
        let relevant = self.relevant(program, &self.sets[state.0 as usize], vars.to_vec());
        program.pool.and(relevant.iter().map(|number| self.assertions[number]))
    }

    /// The premises that share variables with `vars`, directly or through each other.
    fn relevant(&self, program: &Program<'_>, premises: &BitSet, mut vars: Vec<Var>) -> BitSet {
        let mut relevant = BitSet::new();
        let mut rest: Vec<usize> = premises.iter().collect();
        vars.sort_unstable();
        loop {
            let (touching, others): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(|&number| {
                let own = program.pool.free_vars(self.assertions[number]);
                own.is_empty() || own.iter().any(|var| vars.binary_search(var).is_ok())
            });
            if touching.is_empty() {
                return relevant;
            }
            for number in touching {
                relevant.insert(number);
                vars.extend_from_slice(program.pool.free_vars(self.assertions[number]));
            }
            vars.sort_unstable();
            vars.dedup();
            rest = others;
        }
    }

    /// The state behind an action.
    pub fn successor(
        &mut self,
        solver: &mut Solver<'_>,
        program: &Program<'_>,
        state: Known,
        action: ActionId,
    ) -> Known {
        if state == Known::UNREACHABLE {
            return Known::UNREACHABLE;
        }
        let (mut result, first) = match self.successors.get(&(state, action)) {
            Some(known) if known.considered == self.assertions.len() || known.known == Known::UNREACHABLE => {
                return known.known;
            }
            Some(known) => (self.sets[known.known.0 as usize].clone(), known.considered),
            None => (BitSet::new(), 0),
        };
        let premises = self.sets[state.0 as usize].clone();
        for number in first..self.assertions.len() {
            if self.follows(solver, program, &premises, action, AssertionId(number as u32)) {
                result.insert(number);
                if number == AssertionId::FALSE.index() {
                    break;
                }
            }
        }
        let known = if result.contains(AssertionId::FALSE.index()) { Known::UNREACHABLE } else { self.intern(result) };
        self.successors.insert((state, action), Successor { known, considered: self.assertions.len() });
        known
    }

    fn intern(&mut self, set: BitSet) -> Known {
        *self.set_ids.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            Known(self.sets.len() as u32 - 1)
        })
    }

    /// Does the conclusion hold after the action, given the premises?
    fn follows(
        &mut self,
        solver: &mut Solver<'_>,
        program: &Program<'_>,
        premises: &BitSet,
        action: ActionId,
        conclusion: AssertionId,
    ) -> bool {
        let pool = program.pool;
        let relation = program.action(action).relation(pool);
        let after = self.assertions[conclusion.index()];
        let vars = pool.free_vars(after);
        // The frame rule: what is not written stays true.
        let framed = !relation.writes.iter().any(|var| vars.binary_search(var).is_ok());
        if framed && premises.contains(conclusion.index()) {
            return true;
        }
        let known = self.triples.entry((action, conclusion)).or_default();
        if known.valid.iter().any(|core| core.is_subset(premises)) {
            return true;
        }
        let violated = pool.not(relation.before(pool, after));
        let mut touched = pool.free_vars(relation.guard).to_vec();
        touched.extend_from_slice(pool.free_vars(violated));
        let relevant = self.relevant(program, premises, touched);
        let known = self.triples.entry((action, conclusion)).or_default();
        if known.invalid.iter().any(|weak| relevant.is_subset(weak)) {
            return false;
        }
        let mut formulas: Vec<Term> = relevant.iter().map(|number| self.assertions[number]).collect();
        formulas.extend([relation.guard, violated]);
        formulas.retain(|&formula| formula != Term::TRUE);
        let answer = solver.check_assuming(&formulas);
        if answer == Answer::Unsat {
            let core = solver.core();
            let used: BitSet = relevant.iter().filter(|&number| core.contains(&self.assertions[number])).collect();
            known.valid.retain(|other| !used.is_subset(other));
            known.valid.push(used);
            true
        } else {
            known.invalid.retain(|other| !other.is_subset(&relevant));
            known.invalid.push(relevant);
            false
        }
    }
}
