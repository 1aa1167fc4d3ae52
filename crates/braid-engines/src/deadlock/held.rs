//! Which locks a thread may hold where, and which it waits for there.
//!
//! A *lock* is a term `L`, a variable or an element of an array at a constant index, that some action awaits by `L = 0`, with `L - 1` as the number of
//! the only thread that can help. The thread with the number `n` *takes* it by writing `n + 1`, and *gives it back* by writing 0.
//!
//! `held(t, l)` is the least solution of: nothing at the entry; along an action what it takes is added, and what it gives back goes.
//! *Invariant*: in every reachable state, if `L` is the number of `t` plus 1, then `L` is in `held(t, l)` where `t` stands. For
//! only `t` writes that value, and what it writes is followed. This needs that all locks are used in this way ([`Locks::odd`] says if not),
//! and that they are 0 at first.

use super::copies::Copies;
use super::live::Live;
use braid_logic::{Integer, Node, Term, TermPool, Var};
use braid_program::ast::Release;
use braid_program::cfa::{Action, Location, Program, StepKind, ThreadId};
use braid_program::source::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A lock, by its place in [`Locks::terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LockId(pub u32);

/// The locks of a program, and who may hold them where.
pub struct Locks {
    /// The locks as terms.
    pub terms: Vec<Term>,
    numbers: FxHashMap<Term, LockId>,
    /// By thread and location.
    held: Vec<Vec<BTreeSet<LockId>>>,
    /// What a thread surely holds; none where it never gets to.
    surely: Vec<Vec<Option<BTreeSet<LockId>>>>,
    /// Something that is waited for and no lock, or a lock that is used in another way: what, and where.
    pub odd: Option<(&'static str, Span)>,
}

/// What an action does with a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    Takes(LockId),
    Gives(LockId),
}

impl Locks {
    /// The locks of a program.
    pub fn of(program: &Program<'_>) -> Locks {
        let mut locks =
            Locks { terms: Vec::new(), numbers: FxHashMap::default(), held: Vec::new(), surely: Vec::new(), odd: None };
        for step in program.actions.iter().flat_map(|action| &action.steps) {
            match step.kind {
                StepKind::Await(test, Release::Thread(identity)) => match lock(program.pool, test, identity) {
                    Some(term) => {
                        let next = LockId(locks.terms.len() as u32);
                        if *locks.numbers.entry(term).or_insert(next) == next {
                            locks.terms.push(term);
                        }
                    }
                    None => locks.is_odd("this is not a lock with one owner", step.span),
                },
                StepKind::Await(_, Release::Anyone) => locks.is_odd("any thread could end this wait", step.span),
                _ => {}
            }
        }
        locks.follow(program);
        locks
    }

    fn is_odd(&mut self, what: &'static str, span: Span) {
        self.odd.get_or_insert((what, span));
    }

    /// What a thread may hold at a location.
    pub fn held(&self, thread: ThreadId, location: Location) -> &BTreeSet<LockId> {
        &self.held[thread.index()][location.index()]
    }

    /// What a thread surely holds at a location: the lock has its number there.
    pub fn surely(&self, thread: ThreadId, location: Location) -> BTreeSet<LockId> {
        self.surely[thread.index()][location.index()].clone().unwrap_or_default()
    }

    /// The locks that an action waits for.
    pub fn wanted<'a>(&'a self, pool: &'a TermPool, action: &'a Action) -> impl Iterator<Item = (LockId, Term)> + 'a {
        action.steps.iter().filter_map(move |step| match step.kind {
            StepKind::Await(test, Release::Thread(identity)) => {
                Some((*self.numbers.get(&resource(pool, identity))?, test))
            }
            _ => None,
        })
    }

    fn follow(&mut self, program: &Program<'_>) {
        let bases = self.bases(program.pool);
        let copies = Copies::of(program);
        let uses: Vec<Vec<Use>> =
            program.actions.iter().map(|action| self.uses(program, (&bases, &copies), action)).collect();
        self.held = program.threads.iter().map(|thread| vec![BTreeSet::new(); thread.locations.len()]).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (action, uses) in program.actions.iter().zip(&uses) {
                let of_thread = &mut self.held[action.thread.index()];
                let mut held = of_thread[action.source.index()].clone();
                for used in uses {
                    match used {
                        Use::Takes(lock) => held.insert(*lock),
                        Use::Gives(lock) => held.remove(lock),
                    };
                }
                let target = &mut of_thread[action.target.index()];
                let before = target.len();
                target.extend(held);
                changed |= target.len() > before;
            }
        }
        self.follow_surely(program, &uses);
    }

    /// What is held on every way. A lock does not count if somebody gives it back who may not hold it, unless nobody else is there.
    fn follow_surely(&mut self, program: &Program<'_>, uses: &[Vec<Use>]) {
        let mut surely: Vec<Vec<Option<BTreeSet<LockId>>>> =
            program.threads.iter().map(|thread| vec![None; thread.locations.len()]).collect();
        for (thread, found) in program.threads.iter().zip(&mut surely) {
            found[thread.entry.index()] = Some(BTreeSet::new());
        }
        let mut careless: BTreeSet<LockId> = BTreeSet::new();
        let live = Live::of(program);
        let mut changed = true;
        while changed {
            changed = false;
            careless.clear();
            for (action, uses) in program.actions.iter().zip(uses) {
                let of_thread = &mut surely[action.thread.index()];
                let Some(mut held) = of_thread[action.source.index()].clone() else { continue };
                let alone = action.thread == ThreadId::MAIN && live.is_alone(action.source);
                for used in uses {
                    match used {
                        Use::Takes(lock) => _ = held.insert(*lock),
                        Use::Gives(lock) => {
                            if !held.remove(lock) && !alone {
                                careless.insert(*lock);
                            }
                        }
                    }
                }
                let target = &mut of_thread[action.target.index()];
                let met = match target {
                    Some(known) => known.intersection(&held).copied().collect(),
                    None => held,
                };
                changed |= target.as_ref() != Some(&met);
                *target = Some(met);
            }
        }
        surely.iter_mut().flatten().flatten().for_each(|held| held.retain(|lock| !careless.contains(lock)));
        self.surely = surely;
    }

    /// The locks that each variable is or has as elements.
    fn bases(&self, pool: &TermPool) -> FxHashMap<Var, Vec<LockId>> {
        let mut bases: FxHashMap<Var, Vec<LockId>> = FxHashMap::default();
        for (number, &term) in self.terms.iter().enumerate() {
            bases.entry(base(pool, term)).or_default().push(LockId(number as u32));
        }
        bases
    }

    /// What an action does with locks, in order.
    fn uses(
        &mut self,
        program: &Program<'_>,
        (bases, copies): (&FxHashMap<Var, Vec<LockId>>, &Copies),
        action: &Action,
    ) -> Vec<Use> {
        let own = mark(program, action.thread);
        let mut uses = Vec::new();
        // Where a thread never gets to, it does nothing.
        let Some(mut known) = copies.before(program, action) else { return uses };
        for step in &action.steps {
            let assigned = known.step(program.pool, step);
            let understood = match &step.kind {
                StepKind::Assign(_) => assigned
                    .iter()
                    .filter_map(|(var, value)| Some((*var, *value, bases.get(var)?)))
                    .all(|(var, value, locks)| self.written(program.pool, (var, value, locks), own, &mut uses)),
                StepKind::Havoc(vars) => !vars.iter().any(|var| bases.contains_key(var)),
                StepKind::Assume(_) | StepKind::Await(..) => true,
            };
            if !understood {
                self.is_odd("a lock is written in another way than by taking it and giving it back", step.span);
            }
        }
        uses
    }

    /// Notes what it means that a variable with locks gets a value; false if it is not clear.
    fn written(
        &self,
        pool: &TermPool,
        (var, value, locks): (Var, Term, &[LockId]),
        own: Option<Term>,
        uses: &mut Vec<Use>,
    ) -> bool {
        let set = |lock: LockId, value: Term, uses: &mut Vec<Use>| {
            let used = match () {
                () if is_zero(pool, value) => Some(Use::Gives(lock)),
                () => (Some(value) == own).then_some(Use::Takes(lock)),
            };
            uses.extend(used);
            used.is_some()
        };
        match pool.node(value) {
            Node::Store(array, index, element) => {
                if !self.written(pool, (var, *array, locks), own, uses) || !pool.free_vars(*index).is_empty() {
                    return false;
                }
                let cell = pool.select(pool.of_var(var), *index);
                self.numbers.get(&cell).is_none_or(|&lock| set(lock, *element, uses))
            }
            Node::ConstArray(element) if is_zero(pool, *element) => {
                uses.extend(locks.iter().map(|&lock| Use::Gives(lock)));
                true
            }
            Node::Var(same) if *same == var => true,
            _ => match self.numbers.get(&pool.of_var(var)) {
                Some(&lock) => set(lock, value, uses),
                None => false,
            },
        }
    }
}

/// What a thread writes to a lock that it takes: its number plus 1. Threads of a template have different numbers.
pub fn mark(program: &Program<'_>, thread: ThreadId) -> Option<Term> {
    let (pool, thread) = (program.pool, program.thread(thread));
    let fixed = thread.identity.map(|number| pool.int(number + 1));
    fixed.or_else(|| Some(pool.add([pool.of_var(thread.number?), pool.int(1)])))
}

/// The lock that is waited for, if that is what it is.
fn lock(pool: &TermPool, test: Term, identity: Term) -> Option<Term> {
    let term = resource(pool, identity);
    let fits = match pool.node(term) {
        Node::Var(_) => true,
        Node::Select(array, index) => matches!(pool.node(*array), Node::Var(_)) && pool.free_vars(*index).is_empty(),
        _ => false,
    };
    let free = pool.eq(term, pool.int(0));
    (fits && holds_if(pool, test, free)).then_some(term)
}

/// Is the first formula true where the second one is, at a glance?
pub fn holds_if(pool: &TermPool, formula: Term, premise: Term) -> bool {
    formula == premise || matches!(pool.node(formula), Node::Or(disjuncts) if disjuncts.contains(&premise))
}

/// What has an owner's number, plus 1.
fn resource(pool: &TermPool, identity: Term) -> Term {
    pool.add([identity, pool.int(1)])
}

/// The variable of a lock.
pub fn base(pool: &TermPool, lock: Term) -> Var {
    pool.free_vars(lock)[0]
}

fn is_zero(pool: &TermPool, term: Term) -> bool {
    matches!(pool.node(term), Node::Integer(value) if *value == Integer::ZERO)
}
