//! The Floyd/Hoare automaton over one pool of assertions (paper 1, section 7.2).
//!
//! A state is the set of assertions known to hold; the successor under an action is the set of all assertions of the
//! pool that follow. Nothing is computed before it is asked for, and what is known of a triple is kept as cores: premises
//! that suffice, and premises that do not. `unknown` of the solver is "does not follow".

use crate::countermodels::Countermodels;
use crate::symbols::{SharedSymbols, Symbol, is_among, symbol_of_var, symbols};
use braid_logic::{Answer, BitSet, Solver, Term, Var};
use braid_program::cfa::{ActionId, Program};
use rustc_hash::FxHashMap;

/// An assertion of the pool, by number. Number 0 is `false`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AssertionId(pub u32);

impl AssertionId {
    /// The assertion that no state satisfies.
    pub const FALSE: AssertionId = AssertionId(0);

    /// The number as an index.
    pub fn index(self) -> usize {
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
    /// The symbols of the guard and of what must hold before, once they are known.
    about: Option<Box<[Symbol]>>,
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

/// What was asked of a state and an action: which assertions hold behind it.
#[derive(Default)]
struct Decided {
    asked: BitSet,
    holds: BitSet,
}

/// The automaton. See the module's description.
pub struct FloydHoareAutomaton {
    assertions: Vec<Term>,
    ids: FxHashMap<Term, AssertionId>,
    sets: Vec<BitSet>,
    set_ids: FxHashMap<BitSet, Known>,
    successors: FxHashMap<(Known, ActionId), Successor>,
    /// Where not all assertions are asked for.
    decided: FxHashMap<(Known, ActionId), Decided>,
    triples: FxHashMap<(ActionId, AssertionId), Triples>,
    countermodels: Countermodels,
    symbols: SharedSymbols,
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
            decided: FxHashMap::default(),
            triples: FxHashMap::default(),
            countermodels: Countermodels::default(),
            symbols: SharedSymbols::of_false(),
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
                self.symbols.add(program.pool, conjunct);
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

    /// The assertions that are known in a state, by number.
    pub fn known_ids(&self, state: Known) -> impl Iterator<Item = AssertionId> + '_ {
        self.sets[state.0 as usize].iter().map(|number| AssertionId(number as u32))
    }

    /// The state in which these assertions are known.
    pub fn state_of(&mut self, known: impl IntoIterator<Item = AssertionId>) -> Known {
        self.intern(known.into_iter().map(AssertionId::index).collect())
    }

    /// Does an assertion mention one of the variables?
    pub fn mentions(&self, assertion: AssertionId, vars: &[Var]) -> bool {
        let symbols = self.symbols.of(assertion.index());
        vars.iter().any(|&var| symbols.binary_search(&symbol_of_var(var)).is_ok())
    }

    /// What is known of the state that the two actions work on, directly or through what else is known.
    pub fn about(&self, program: &Program<'_>, state: Known, actions: [ActionId; 2]) -> Term {
        let relevant = self.known_about(program, state, actions);
        program.pool.and(relevant.iter().map(|number| self.assertions[number]))
    }

    /// The same, as numbers of assertions.
    pub fn known_about(&self, program: &Program<'_>, state: Known, actions: [ActionId; 2]) -> BitSet {
        let relations = actions.map(|action| program.action(action).relation(program.pool));
        let written = relations.iter().flat_map(|relation| &relation.writes).map(|&var| symbol_of_var(var));
        let terms = relations
            .iter()
            .flat_map(|relation| relation.updates.iter().map(|(_, term)| *term).chain([relation.guard]));
        let about = symbols(program.pool, terms).into_iter().chain(written);
        self.symbols.relevant(&self.sets[state.0 as usize], about)
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

    /// The state behind an action, without what there is to know of `irrelevant` variables (by index): what the action assigns to them is
    /// lost, nothing new is learned of them alone, and what is known of them alone is forgotten.
    pub fn successor_forgetting(
        &mut self,
        solver: &mut Solver<'_>,
        program: &Program<'_>,
        state: Known,
        action: ActionId,
        irrelevant: &BitSet,
    ) -> Known {
        if state == Known::UNREACHABLE {
            return Known::UNREACHABLE;
        }
        let premises = self.sets[state.0 as usize].clone();
        let writes = &program.action(action).relation(program.pool).writes;
        let lost: Vec<Var> = writes.iter().copied().filter(|var| irrelevant.contains(var.index())).collect();
        let mut decided = self.decided.remove(&(state, action)).unwrap_or_default();
        let mut result = BitSet::new();
        for number in 0..self.assertions.len() {
            let assertion = AssertionId(number as u32);
            let speaks_of_others = || self.symbols.of(number).iter().any(|&symbol| !is_among(symbol, irrelevant));
            let is_asked = premises.contains(number) || assertion == AssertionId::FALSE || speaks_of_others();
            if !is_asked || self.mentions(assertion, &lost) {
                continue;
            }
            if !decided.asked.contains(number) {
                decided.asked.insert(number);
                if self.follows(solver, program, &premises, action, assertion) {
                    decided.holds.insert(number);
                }
            }
            if decided.holds.contains(number) {
                result.insert(number);
            }
            if result.contains(AssertionId::FALSE.index()) {
                break;
            }
        }
        self.decided.insert((state, action), decided);
        if result.contains(AssertionId::FALSE.index()) {
            return Known::UNREACHABLE;
        }
        let next = self.intern(result);
        self.forgetting(next, irrelevant)
    }

    /// The state without what is known of `irrelevant` variables (by index) alone. What relates them to others stays, and what
    /// is known of those: it may say something of the others.
    pub fn forgetting(&mut self, state: Known, irrelevant: &BitSet) -> Known {
        if state == Known::UNREACHABLE {
            return Known::UNREACHABLE;
        }
        let known = &self.sets[state.0 as usize];
        let about = known.iter().flat_map(|number| self.symbols.of(number).iter().copied());
        let relevant = self.symbols.relevant(known, about.filter(|&symbol| !is_among(symbol, irrelevant)));
        self.intern(relevant)
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
        let (assertions, number) = (&self.assertions, conclusion.index());
        let before = self.countermodels.before(pool, assertions, action, relation, number);
        if self.countermodels.refute(pool, assertions, action, premises, number) {
            return false;
        }
        let violated = pool.not(before);
        let triple = self.triples.entry((action, conclusion)).or_default();
        let about = triple.about.get_or_insert_with(|| symbols(pool, [relation.guard, violated]).into());
        let relevant = self.symbols.relevant(premises, about.iter().copied());
        if self.countermodels.refute(pool, &self.assertions, action, &relevant, number) {
            return false;
        }
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
            if answer == Answer::Sat
                && let Some(model) = solver.model()
            {
                self.countermodels.add(action, model);
            }
            known.invalid.retain(|other| !other.is_subset(&relevant));
            known.invalid.push(relevant);
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_frontend::{Language, parse};
    use braid_logic::TermPool;
    use braid_logic::text::{PoolScope, parse_term};
    use braid_program::{LowerOptions, lower};

    /// What is left of the assertions if nothing has to be known of some variables.
    fn check(assertions: &[&str], irrelevant: &[&str], expected: &[&str]) {
        let text = "(var x y z Int) (seq (set! x y) (set! z x))";
        let program = parse("test", text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
        let pool = TermPool::new();
        let program = lower(&program, &pool, LowerOptions::default()).expect("lowers");
        let mut proof = FloydHoareAutomaton::new();
        let term = |text: &&str| parse_term(&pool, text, &PoolScope(&pool)).expect("a formula");
        assertions.iter().for_each(|text| assert!(proof.add(&program, term(text))));
        let state = proof.state_of((1..=assertions.len() as u32).map(AssertionId));
        let vars = irrelevant.iter().map(|name| pool.find_var(name).expect("declared").index()).collect();
        let left = proof.forgetting(state, &vars);
        let expected: Vec<Term> = expected.iter().map(term).collect();
        assert_eq!(proof.known(left).collect::<Vec<_>>(), expected, "{assertions:?} without {irrelevant:?}");
    }

    #[test]
    fn what_is_known_of_irrelevant_variables_alone_is_forgotten() {
        check(&["(= x 1)", "(= y 2)"], &["y"], &["(= x 1)"]);
        check(&["(= x 1)", "(= y z)", "(< z 3)"], &["y", "z"], &["(= x 1)"]);
    }

    #[test]
    fn what_relates_irrelevant_variables_to_others_stays() {
        check(&["(= x y)", "(= y 2)", "(= z 3)"], &["y", "z"], &["(= x y)", "(= y 2)"]);
    }
}
