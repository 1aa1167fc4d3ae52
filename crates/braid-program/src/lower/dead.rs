//! Dead values: what is written and never read again is not written, and what is only used inside one action is put in
//! where it is used. States get smaller, and proofs have less to say.
//!
//! A variable is *private* to a thread if no other thread touches it, but for its parent, who writes it when it starts the
//! thread, and those who join the thread, who read it then. Whether a private variable is read again is a matter of
//! the thread's automaton alone: liveness, backwards along its edges. At the exit those are live that a join reads; and
//! for a branch of a `par`, which may be started again, those that are live at its entry. Every other variable that
//! anybody reads counts as live all the time; but a write that the same action overwrites is dead in any case.
//!
//! A value may also be *tested* only: read by nothing but assumptions about this variable alone, which hold for 0. (A C
//! variable without a first value is any number in the range of its type, and most are set before they are used.) An
//! arbitrary value that is only tested may as well be 0: it is one of the values, and it passes where any does.
//!
//! *Invariant*: executions stay the same up to values that nobody reads.

use super::{Automaton, Edge};
use crate::cfa::{Origin, Step, StepKind, ThreadId};
use braid_logic::{Integer, SortKind, Substitution, Term, TermPool, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// A value is not put in where it is used if that makes a larger term than this.
const MAX_SIZE: u32 = 200;

/// Who touches a variable, apart from starting and joining.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    Private(ThreadId),
    Shared,
}

/// What happens to the value that a variable has, until it gets another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Use {
    Dead,
    Tested,
    Live,
}

/// How the values of variables are used; those that are not here are dead.
type Uses = FxHashMap<Var, Use>;

struct Liveness<'a> {
    pool: &'a TermPool,
    /// Whose instance a variable belongs to.
    owners: &'a FxHashMap<Var, ThreadId>,
    access: FxHashMap<Var, Access>,
    /// The variables that somebody reads.
    read: FxHashSet<Var>,
    /// How the private variables are used from each location of each thread on.
    uses: Vec<Vec<Uses>>,
    entries: Vec<usize>,
}

/// Removes dead writes, and values that only one action uses. `visible` are variables that must stay.
pub(super) fn eliminate(
    pool: &TermPool,
    automata: &mut [Automaton],
    owners: &FxHashMap<Var, ThreadId>,
    visible: &[Term],
) {
    let liveness = Liveness::of(pool, automata, owners, visible);
    for (number, automaton) in automata.iter_mut().enumerate() {
        let thread = ThreadId(number as u32);
        for edge in &mut automaton.edges {
            let at_end = |var: Var| liveness.use_after(thread, edge, var);
            let needed = needed_steps(pool, &edge.steps, at_end).0;
            edge.steps = put_in(pool, needed, |var| at_end(var) != Use::Dead);
        }
    }
}

impl<'a> Liveness<'a> {
    fn of(
        pool: &'a TermPool,
        automata: &[Automaton],
        owners: &'a FxHashMap<Var, ThreadId>,
        visible: &[Term],
    ) -> Liveness<'a> {
        let mut liveness = Liveness {
            pool,
            owners,
            access: FxHashMap::default(),
            read: FxHashSet::default(),
            uses: automata.iter().map(|automaton| vec![Uses::default(); automaton.locations.len()]).collect(),
            entries: automata.iter().map(|automaton| automaton.entry.index()).collect(),
        };
        for &var in visible.iter().flat_map(|&term| pool.free_vars(term)) {
            liveness.access.insert(var, Access::Shared);
            liveness.read.insert(var);
        }
        let mut at_exit: Vec<FxHashSet<Var>> = vec![FxHashSet::default(); automata.len()];
        for (number, automaton) in automata.iter().enumerate() {
            for edge in &automaton.edges {
                let (reads, writes) = touched(pool, &edge.steps);
                for &var in reads.iter().chain(&writes) {
                    liveness.note(ThreadId(number as u32), edge, var);
                }
                for &var in &reads {
                    if let Some(owner) = owners.get(&var).filter(|owner| edge.joins.contains(owner)) {
                        at_exit[owner.index()].insert(var);
                    }
                }
                liveness.read.extend(reads);
            }
        }
        // Children stand behind their parents, who ask what is live at a child's entry.
        for (number, automaton) in automata.iter().enumerate().rev() {
            liveness.solve(ThreadId(number as u32), automaton, &at_exit[number]);
        }
        liveness
    }

    /// Notes that a thread touches a variable.
    fn note(&mut self, thread: ThreadId, edge: &Edge, var: Var) {
        let by = match self.owners.get(&var) {
            Some(owner) if edge.forks.contains(owner) || edge.joins.contains(owner) => *owner,
            _ => thread,
        };
        let access = self.access.entry(var).or_insert(Access::Private(by));
        if *access != Access::Private(by) {
            *access = Access::Shared;
        }
    }

    fn solve(&mut self, thread: ThreadId, automaton: &Automaton, at_exit: &FxHashSet<Var>) {
        let (number, exit) = (thread.index(), automaton.exit.index());
        self.uses[number][exit].extend(at_exit.iter().map(|&var| (var, Use::Live)));
        loop {
            let mut changed = false;
            if matches!(automaton.origin, Origin::Branch { .. }) {
                let again = self.uses[number][automaton.entry.index()].clone();
                changed |= grow(&mut self.uses[number][exit], again);
            }
            for edge in automaton.edges.iter().rev() {
                let (_, touched) = needed_steps(self.pool, &edge.steps, |var| self.use_after(thread, edge, var));
                let mut before = self.uses[number][edge.target.index()].clone();
                let is_private = |var: &Var| self.access.get(var) == Some(&Access::Private(thread));
                before.extend(touched.into_iter().filter(|(var, _)| is_private(var)));
                changed |= grow(&mut self.uses[number][edge.source.index()], before);
            }
            if !changed {
                return;
            }
        }
    }

    /// How the value that a variable has after an edge is used.
    fn use_after(&self, thread: ThreadId, edge: &Edge, var: Var) -> Use {
        let at = |thread: ThreadId, location: usize| {
            self.uses[thread.index()][location].get(&var).copied().unwrap_or(Use::Dead)
        };
        match self.access.get(&var) {
            _ if !self.read.contains(&var) => Use::Dead,
            Some(Access::Private(owner)) if *owner == thread => at(thread, edge.target.index()),
            Some(Access::Private(owner)) if edge.forks.contains(owner) => at(*owner, self.entries[owner.index()]),
            _ => Use::Live,
        }
    }
}

/// Adds uses; was anything new?
fn grow(uses: &mut Uses, more: Uses) -> bool {
    let mut grew = false;
    for (var, new) in more {
        let known = uses.entry(var).or_insert(Use::Dead);
        grew |= new > *known;
        *known = new.max(*known);
    }
    grew
}

/// The variable that an assumption is about, if it is about one alone and holds for 0.
fn tested(pool: &TermPool, formula: Term) -> Option<Var> {
    let &[var] = pool.free_vars(formula) else { return None };
    let zero = Substitution::from_iter([(var, zero(pool, var)?)]);
    (pool.substitute(formula, &zero) == Term::TRUE).then_some(var)
}

/// The 0 of a variable's sort, if there is one.
fn zero(pool: &TermPool, var: Var) -> Option<Term> {
    match pool.sort_kind(pool.var_sort(var)) {
        SortKind::Bool => Some(Term::FALSE),
        SortKind::Int => Some(pool.int(0)),
        SortKind::BitVec(width) => Some(pool.bv_value(&Integer::ZERO, *width)),
        _ => None,
    }
}

/// The variables that steps read, and those that they write.
fn touched(pool: &TermPool, steps: &[Step]) -> (Vec<Var>, Vec<Var>) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for step in steps {
        match &step.kind {
            StepKind::Assume(formula) => reads.extend_from_slice(pool.free_vars(*formula)),
            StepKind::Await(formula, release) => {
                reads.extend_from_slice(pool.free_vars(*formula));
                release.thread().iter().for_each(|&&identity| reads.extend_from_slice(pool.free_vars(identity)));
            }
            StepKind::Assign(assignments) => {
                for (var, value) in assignments {
                    reads.extend_from_slice(pool.free_vars(*value));
                    writes.push(*var);
                }
            }
            StepKind::Havoc(vars) => writes.extend_from_slice(vars),
        }
    }
    (reads, writes)
}

/// The steps without dead writes, and how the variables that they touch are used from before them on.
fn needed_steps(pool: &TermPool, steps: &[Step], at_end: impl Fn(Var) -> Use) -> (Vec<Step>, Uses) {
    let mut uses = Uses::default();
    let mut needed = Vec::new();
    for Step { kind, span } in steps.iter().rev() {
        let used = |uses: &Uses, var: Var| uses.get(&var).copied().unwrap_or_else(|| at_end(var));
        let kind = match kind {
            StepKind::Assume(formula) => {
                match tested(pool, *formula) {
                    Some(var) => _ = uses.insert(var, used(&uses, var).max(Use::Tested)),
                    None => uses.extend(pool.free_vars(*formula).iter().map(|&var| (var, Use::Live))),
                }
                StepKind::Assume(*formula)
            }
            // A value that lets nobody wait says nothing about those that do.
            StepKind::Await(formula, release) => {
                let terms = std::iter::once(formula).chain(release.thread());
                uses.extend(terms.flat_map(|&term| pool.free_vars(term)).map(|&var| (var, Use::Live)));
                kind.clone()
            }
            StepKind::Assign(assignments) => {
                let kept: Vec<(Var, Term)> =
                    assignments.iter().filter(|(var, _)| used(&uses, *var) != Use::Dead).copied().collect();
                uses.extend(assignments.iter().map(|(var, _)| (*var, Use::Dead)));
                for (_, value) in &kept {
                    uses.extend(pool.free_vars(*value).iter().map(|&var| (var, Use::Live)));
                }
                if kept.is_empty() {
                    continue;
                }
                StepKind::Assign(kept)
            }
            StepKind::Havoc(vars) => {
                let kept: Vec<Var> = vars.iter().filter(|&&var| used(&uses, var) == Use::Live).copied().collect();
                let zero = |var: &Var| zero(pool, *var).map(|zero| (*var, zero));
                let zeros: Vec<(Var, Term)> =
                    vars.iter().filter(|&&var| used(&uses, var) == Use::Tested).filter_map(zero).collect();
                uses.extend(vars.iter().map(|var| (*var, Use::Dead)));
                if !zeros.is_empty() {
                    needed.push(Step { kind: StepKind::Assign(zeros), span: *span });
                }
                if kept.is_empty() {
                    continue;
                }
                StepKind::Havoc(kept)
            }
        };
        needed.push(Step { kind, span: *span });
    }
    needed.reverse();
    (needed, uses)
}

/// The steps with values that are dead at the end put in where they are used, if they still mean the same there.
fn put_in(pool: &TermPool, steps: Vec<Step>, at_end: impl Fn(Var) -> bool) -> Vec<Step> {
    let mut values = Substitution::default();
    let mut result: Vec<Step> = Vec::new();
    for number in 0..steps.len() {
        let Step { kind, span } = &steps[number];
        let kind = match kind {
            StepKind::Assume(formula) => StepKind::Assume(pool.substitute(*formula, &values)),
            StepKind::Await(formula, release) => {
                let put_in = |term: &Term| pool.substitute(*term, &values);
                StepKind::Await(put_in(formula), release.map(put_in))
            }
            StepKind::Assign(assignments) => {
                let assigned: Vec<(Var, Term)> =
                    assignments.iter().map(|(var, value)| (*var, pool.substitute(*value, &values))).collect();
                assigned.iter().for_each(|(var, _)| _ = values.remove(var));
                let mut kept = Vec::new();
                for (var, value) in assigned.iter().copied() {
                    let writes_own = |(other, _): &(Var, Term)| pool.free_vars(value).contains(other);
                    let here = !assigned.iter().any(writes_own) && pool.size(value) <= MAX_SIZE;
                    if !at_end(var) && here && can_wait(pool, &steps[number + 1..], var, value) {
                        values.insert(var, value);
                    } else {
                        kept.push((var, value));
                    }
                }
                if kept.is_empty() {
                    continue;
                }
                StepKind::Assign(kept)
            }
            StepKind::Havoc(vars) => {
                vars.iter().for_each(|var| _ = values.remove(var));
                StepKind::Havoc(vars.clone())
            }
        };
        result.push(Step { kind, span: *span });
    }
    result
}

/// Does a value mean the same wherever the following steps read the variable that has it?
fn can_wait(pool: &TermPool, steps: &[Step], var: Var, value: Term) -> bool {
    let mentioned = pool.free_vars(value);
    let mut changed = false;
    for step in steps {
        let (reads, writes) = touched(pool, std::slice::from_ref(step));
        if changed && reads.contains(&var) {
            return false;
        }
        if writes.contains(&var) {
            return true;
        }
        changed |= writes.iter().any(|written| mentioned.contains(written));
    }
    true
}
