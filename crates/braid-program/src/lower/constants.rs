//! Constants: what is known to have one value at a location is replaced by it, and edges that cannot happen go.
//!
//! `at(t, l)` maps variables to closed terms. It is the greatest solution of these rules, from *never reached* downwards:
//!
//! * nothing is known at the entry of the first thread, as inputs are arbitrary;
//! * along an edge the steps are run on what is known at its source and, where it joins a thread, at that thread's
//!   exit; an edge whose assumption is false then leads nowhere, and `assume x = c` makes `x` known;
//! * a thread that an edge starts knows at its entry what is known behind the edge;
//! * nothing is known at `l` of a variable that another thread may write while `t` is there (`concurrency`), unless all
//!   those writes write the same value;
//! * at the moment of an edge, a flag is false, or it was raised by somebody who can be there then (`flags`).
//!
//! *Invariant*: in every reachable state with `t` at `l`, what `at(t, l)` says is true. Steps of `t` keep it by the second
//! rule: a joined thread is at its exit then, so what is known there is true as well. Steps of others keep it by the fourth.

use super::concurrency::{Concurrency, Threads};
use super::flags::{FlagState, Flags};
use super::{Automaton, Edge};
use crate::ast::Release;
use crate::cfa::{Location, Relation, Step, StepKind, ThreadId};
use braid_logic::{Node, Substitution, Term, TermPool, Var};
use rustc_hash::FxHashMap;

/// Larger constants (arrays with many cells) are not carried around.
const MAX_SIZE: u32 = 64;

/// What is known at a location.
type Known = Substitution;

/// A write of an edge, seen by others.
struct Write {
    thread: ThreadId,
    /// Which edge of the thread.
    edge: usize,
    /// What is written, if it is the same in all states.
    value: Option<Term>,
}

struct Constants<'a> {
    pool: &'a TermPool,
    /// Is a deadlock a violation?
    waits: bool,
    concurrency: Concurrency,
    exits: Vec<Location>,
    writes: FxHashMap<Var, Vec<Write>>,
    /// Who may be there when each edge of each thread happens.
    during: Vec<Vec<Threads>>,
    /// What is known of flags when each edge of each thread happens.
    flags: Vec<Vec<Vec<FlagState>>>,
    /// What is known at each location; none if it was never reached.
    at: Vec<Vec<Option<Known>>>,
}

/// Replaces constants, and removes edges that cannot happen. Was any edge removed?
pub(super) fn propagate(pool: &TermPool, automata: &mut [Automaton], waits: bool) -> bool {
    let mut constants = Constants::new(pool, automata, waits);
    constants.solve(automata);
    let mut removed = false;
    for (number, automaton) in automata.iter_mut().enumerate() {
        let thread = ThreadId(number as u32);
        let before = automaton.edges.len();
        let edges = std::mem::take(&mut automaton.edges).into_iter();
        let rewritten = |(at, edge): (usize, Edge)| {
            let (steps, _) = constants.run(thread, (at, &edge))?;
            Some(Edge { steps, ..edge })
        };
        automaton.edges = edges.enumerate().filter_map(rewritten).collect();
        removed |= automaton.edges.len() < before;
    }
    removed
}

impl<'a> Constants<'a> {
    fn new(pool: &'a TermPool, automata: &[Automaton], waits: bool) -> Constants<'a> {
        let concurrency = Concurrency::of(automata);
        let mut writes: FxHashMap<Var, Vec<Write>> = FxHashMap::default();
        let relations: Vec<Vec<Relation>> = automata
            .iter()
            .map(|automaton| automaton.edges.iter().map(|edge| Relation::of_steps(pool, &edge.steps)).collect())
            .collect();
        let flags = Flags::of(pool, automata, &concurrency, &relations);
        let (mut during, mut raised) = (Vec::new(), Vec::new());
        for (number, (automaton, relations)) in automata.iter().zip(&relations).enumerate() {
            let thread = ThreadId(number as u32);
            let (mut of_thread, mut known) = (Vec::new(), Vec::new());
            for (number, (edge, relation)) in automaton.edges.iter().zip(relations).enumerate() {
                for &(var, value) in &relation.updates {
                    let value = Some(value).filter(|&value| is_constant(pool, value));
                    writes.entry(var).or_default().push(Write { thread, edge: number, value });
                }
                let there = concurrency.during(thread, edge);
                known.push(flags.known((pool, &concurrency), (thread, edge), relation, &there, !waits));
                of_thread.push(there);
            }
            during.push(of_thread);
            raised.push(known);
        }
        let mut at: Vec<Vec<Option<Known>>> =
            automata.iter().map(|automaton| vec![None; automaton.locations.len()]).collect();
        at[0][automata[0].entry.index()] = Some(Known::default());
        let exits = automata.iter().map(|automaton| automaton.exit).collect();
        Constants { pool, waits, concurrency, exits, writes, during, flags: raised, at }
    }

    fn solve(&mut self, automata: &[Automaton]) {
        // Locations that changed since their edges were last followed.
        let mut dirty: Vec<Vec<bool>> = automata.iter().map(|a| vec![false; a.locations.len()]).collect();
        dirty[0][automata[0].entry.index()] = true;
        while dirty.iter().flatten().any(|&dirty| dirty) {
            let fresh = std::mem::replace(
                &mut dirty,
                automata.iter().map(|automaton| vec![false; automaton.locations.len()]).collect(),
            );
            for (number, automaton) in automata.iter().enumerate() {
                let thread = ThreadId(number as u32);
                for (at, edge) in automaton.edges.iter().enumerate() {
                    let ended = |child: &ThreadId| fresh[child.index()][self.exits[child.index()].index()];
                    if !fresh[number][edge.source.index()] && !edge.joins.iter().any(ended) {
                        continue;
                    }
                    let Some((_, Some(after))) = self.run(thread, (at, edge)) else { continue };
                    for &child in &edge.forks {
                        let entry = automata[child.index()].entry;
                        dirty[child.index()][entry.index()] |= self.meet(child, entry, &after);
                    }
                    dirty[number][edge.target.index()] |= self.meet(thread, edge.target, &after);
                }
            }
        }
    }

    /// Learns one more way to a location. Is less known there now (or is it reached only now)?
    fn meet(&mut self, thread: ThreadId, location: Location, after: &Known) -> bool {
        let stays = |var: Var, value: Term| after.get(&var) == Some(&value);
        match &mut self.at[thread.index()][location.index()] {
            Some(known) => {
                let before = known.len();
                known.retain(|&var, &mut value| stays(var, value));
                known.len() < before
            }
            None => {
                let lasting = |(var, value): (&Var, &Term)| self.lasts(thread, location, *var, *value);
                let known = after.iter().map(|(&var, &value)| (var, value));
                let known = known.filter(|(var, value)| lasting((var, value))).collect();
                self.at[thread.index()][location.index()] = Some(known);
                true
            }
        }
    }

    /// Does a variable keep its value while the thread is at the location?
    fn lasts(&self, thread: ThreadId, location: Location, var: Var, value: Term) -> bool {
        let there = self.concurrency.at(thread, location);
        let changes = |write: &Write| {
            write.value != Some(value)
                && there.contains(write.thread)
                && self.during[write.thread.index()][write.edge].contains(thread)
        };
        !self.writes.get(&var).is_some_and(|writes| writes.iter().any(changes))
    }

    /// The steps of an edge with all constants put in, and what is known afterwards. None if it cannot happen; but if it waits
    /// for what never comes, nothing follows it, and it is kept where waiting can be a deadlock.
    fn run(&self, thread: ThreadId, (number, edge): (usize, &Edge)) -> Option<(Vec<Step>, Option<Known>)> {
        let mut known = self.at[thread.index()][edge.source.index()].clone()?;
        let mut flags: Vec<&FlagState> = self.flags[thread.index()][number].iter().collect();
        known.extend(flags.iter().filter_map(|state| state.is_down()).map(|flag| (flag, Term::FALSE)));
        let mut happens = true;
        for &child in &edge.joins {
            match &self.at[child.index()][self.exits[child.index()].index()] {
                Some(ended) => known.extend(ended.iter().map(|(&var, &value)| (var, value))),
                None if self.waits => happens = false,
                None => return None,
            }
        }
        let mut steps = Vec::new();
        for Step { kind, span } in &edge.steps {
            let kind = match kind {
                StepKind::Assume(formula) => match self.settled(*formula, &known, &flags) {
                    Term::TRUE => continue,
                    // It waits before it cannot go on.
                    Term::FALSE if self.waits && steps.iter().any(Step::waits) => {
                        steps.push(Step { kind: StepKind::Assume(Term::FALSE), span: *span });
                        return Some((steps, None));
                    }
                    Term::FALSE => return None,
                    formula => {
                        self.learn(formula, &mut known);
                        StepKind::Assume(formula)
                    }
                },
                StepKind::Await(formula, release) => match self.pool.substitute(*formula, &known) {
                    Term::TRUE if *release != Release::Over => continue,
                    formula => {
                        let release = release.map(|identity| self.pool.substitute(*identity, &known));
                        let step = Step { kind: StepKind::Await(formula, release), span: *span };
                        if formula == Term::FALSE {
                            steps.push(step);
                            return Some((steps, None));
                        }
                        self.learn(formula, &mut known);
                        step.kind
                    }
                },
                StepKind::Assign(assignments) => {
                    let assigned: Vec<(Var, Term)> =
                        assignments.iter().map(|(var, term)| (*var, self.pool.substitute(*term, &known))).collect();
                    let new = |(var, value): &&(Var, Term)| known.get(var) != Some(value);
                    let kept: Vec<(Var, Term)> = assigned.iter().filter(new).copied().collect();
                    for (var, value) in assigned {
                        if is_constant(self.pool, value) {
                            known.insert(var, value);
                        } else {
                            known.remove(&var);
                        }
                    }
                    if kept.is_empty() {
                        continue;
                    }
                    StepKind::Assign(kept)
                }
                StepKind::Havoc(vars) => {
                    vars.iter().for_each(|var| _ = known.remove(var));
                    StepKind::Havoc(vars.clone())
                }
            };
            forget_written(&mut flags, &kind);
            steps.push(Step { kind, span: *span });
        }
        Some((steps, happens.then_some(known)))
    }

    /// A formula with all constants put in, and what is known of flags.
    fn settled(&self, formula: Term, known: &Known, flags: &[&FlagState]) -> Term {
        let formula = self.pool.substitute(formula, known);
        flags.iter().fold(formula, |formula, state| state.settle(self.pool, formula))
    }

    /// What an assumption says of single variables.
    fn learn(&self, formula: Term, known: &mut Known) {
        match self.pool.node(formula) {
            Node::And(conjuncts) => conjuncts.iter().for_each(|&conjunct| self.learn(conjunct, known)),
            Node::Var(var) => _ = known.insert(*var, Term::TRUE),
            Node::Not(inner) => {
                if let Node::Var(var) = self.pool.node(*inner) {
                    known.insert(*var, Term::FALSE);
                }
            }
            Node::Zero(linear) => {
                if let [(part, factor)] = &linear.parts[..]
                    && let (Node::Var(var), Some(factor), Some(constant)) =
                        (self.pool.node(*part), factor.to_i64(), linear.constant.to_i64())
                    && [1, -1].contains(&factor)
                    && let Some(value) = constant.checked_mul(-factor)
                {
                    known.insert(*var, self.pool.int(value));
                }
            }
            _ => {}
        }
    }
}

/// What was known of flags before an edge says nothing of those that a step writes.
fn forget_written(flags: &mut Vec<&FlagState>, step: &StepKind) {
    match step {
        StepKind::Assign(assignments) => {
            flags.retain(|state| !assignments.iter().any(|(var, _)| state.is_about(*var)));
        }
        StepKind::Havoc(vars) => flags.retain(|state| !vars.iter().any(|var| state.is_about(*var))),
        StepKind::Assume(_) | StepKind::Await(..) => {}
    }
}

/// Is this a term that means the same in all states, and small?
fn is_constant(pool: &TermPool, term: Term) -> bool {
    pool.free_vars(term).is_empty() && pool.size(term) <= MAX_SIZE
}
