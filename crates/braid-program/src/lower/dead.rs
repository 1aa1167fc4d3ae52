//! Dead values: what is written and never read again is not written, and what is only used inside one action is put in
//! where it is used. States get smaller, and proofs have less to say.
//!
//! A variable is *private* to a thread if no other thread touches it, but for its parent, who writes it when it starts the
//! thread, and those who join the thread, who read it then. Whether a private variable is read again is a matter of
//! the thread's automaton alone: liveness, backwards along its edges. At the exit those are live that a join reads; and
//! for a branch of a `par`, which may be started again, those that are live at its entry. Every other variable that
//! anybody reads counts as live all the time; but a write that the same action overwrites is dead in any case.
//!
//! *Invariant*: executions stay the same up to values that nobody reads.

use super::{Automaton, Edge};
use crate::cfa::{Origin, Step, StepKind, ThreadId};
use braid_logic::{Substitution, Term, TermPool, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// A value is not put in where it is used if that makes a larger term than this.
const MAX_SIZE: u32 = 200;

/// Who touches a variable, apart from starting and joining.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    Private(ThreadId),
    Shared,
}

struct Liveness<'a> {
    pool: &'a TermPool,
    /// Whose instance a variable belongs to.
    owners: &'a FxHashMap<Var, ThreadId>,
    access: FxHashMap<Var, Access>,
    /// The variables that somebody reads.
    read: FxHashSet<Var>,
    /// The private variables that are live at each location of each thread.
    live: Vec<Vec<FxHashSet<Var>>>,
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
            let at_end = |var: Var| liveness.is_live_after(thread, edge, var);
            let needed = needed_steps(pool, &edge.steps, at_end).0;
            let steps = put_in(pool, needed, at_end);
            edge.steps = steps;
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
            live: automata.iter().map(|automaton| vec![FxHashSet::default(); automaton.locations.len()]).collect(),
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
        self.live[number][exit].extend(at_exit);
        loop {
            let mut changed = false;
            if matches!(automaton.origin, Origin::Branch { .. }) {
                let again = self.live[number][automaton.entry.index()].clone();
                changed |= grow(&mut self.live[number][exit], again);
            }
            for edge in automaton.edges.iter().rev() {
                let (_, known) = needed_steps(self.pool, &edge.steps, |var| self.is_live_after(thread, edge, var));
                let mut before = self.live[number][edge.target.index()].clone();
                before.retain(|var| known.get(var) != Some(&false));
                let read = known.into_iter().filter(|(_, live)| *live).map(|(var, _)| var);
                before.extend(read.filter(|var| self.access.get(var) == Some(&Access::Private(thread))));
                changed |= grow(&mut self.live[number][edge.source.index()], before);
            }
            if !changed {
                return;
            }
        }
    }

    /// May the value that a variable has after an edge be read?
    fn is_live_after(&self, thread: ThreadId, edge: &Edge, var: Var) -> bool {
        match self.access.get(&var) {
            _ if !self.read.contains(&var) => false,
            Some(Access::Private(owner)) if *owner == thread => {
                self.live[thread.index()][edge.target.index()].contains(&var)
            }
            Some(Access::Private(owner)) if edge.forks.contains(owner) => {
                self.live[owner.index()][self.entries[owner.index()]].contains(&var)
            }
            _ => true,
        }
    }
}

fn grow(set: &mut FxHashSet<Var>, more: impl IntoIterator<Item = Var>) -> bool {
    let before = set.len();
    set.extend(more);
    set.len() > before
}

/// The variables that steps read, and those that they write.
fn touched(pool: &TermPool, steps: &[Step]) -> (Vec<Var>, Vec<Var>) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for step in steps {
        match &step.kind {
            StepKind::Assume(formula) => reads.extend_from_slice(pool.free_vars(*formula)),
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

/// The steps without dead writes, and which of the variables that they touch are live before them.
fn needed_steps(pool: &TermPool, steps: &[Step], at_end: impl Fn(Var) -> bool) -> (Vec<Step>, FxHashMap<Var, bool>) {
    let mut live: FxHashMap<Var, bool> = FxHashMap::default();
    let mut needed = Vec::new();
    for Step { kind, span } in steps.iter().rev() {
        let is_live = |live: &FxHashMap<Var, bool>, var: Var| live.get(&var).copied().unwrap_or_else(|| at_end(var));
        let kind = match kind {
            StepKind::Assume(formula) => {
                live.extend(pool.free_vars(*formula).iter().map(|&var| (var, true)));
                StepKind::Assume(*formula)
            }
            StepKind::Assign(assignments) => {
                let kept: Vec<(Var, Term)> =
                    assignments.iter().filter(|(var, _)| is_live(&live, *var)).copied().collect();
                live.extend(assignments.iter().map(|(var, _)| (*var, false)));
                for (_, value) in &kept {
                    live.extend(pool.free_vars(*value).iter().map(|&var| (var, true)));
                }
                if kept.is_empty() {
                    continue;
                }
                StepKind::Assign(kept)
            }
            StepKind::Havoc(vars) => {
                let kept: Vec<Var> = vars.iter().filter(|&&var| is_live(&live, var)).copied().collect();
                live.extend(vars.iter().map(|var| (*var, false)));
                if kept.is_empty() {
                    continue;
                }
                StepKind::Havoc(kept)
            }
        };
        needed.push(Step { kind, span: *span });
    }
    needed.reverse();
    (needed, live)
}

/// The steps with values that are dead at the end put in where they are used, if they still mean the same there.
fn put_in(pool: &TermPool, steps: Vec<Step>, at_end: impl Fn(Var) -> bool) -> Vec<Step> {
    let mut values = Substitution::default();
    let mut result: Vec<Step> = Vec::new();
    for number in 0..steps.len() {
        let Step { kind, span } = &steps[number];
        let kind = match kind {
            StepKind::Assume(formula) => StepKind::Assume(pool.substitute(*formula, &values)),
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
