//! Livelocks: threads go round in circles for ever, and nothing comes of it, whatever the scheduler does.
//!
//! A thread *progresses* by a step that changes a variable that is not a local one of its own, that starts or joins a thread, or that
//! gets it to its end or to an error. A live thread *spins* in a state if, alone and from there on, it gets to finitely many states
//! only, waits in none of them, never progresses, and can go on for ever. It *waits* as [`crate::deadlock`] has it.
//!
//! A *livelock* is a state in which every live thread spins or waits, and at least one spins.
//!
//! *It lasts for ever.* A step of a thread that spins changes its location and its own local variables. Others read those only
//! where they join it, and nobody ends. So what a thread can do does not depend on the steps of others: those that spin go on
//! spinning, those that wait go on waiting, in every schedule.
//!
//! What follows from that:
//!
//! * Where all threads wait there is no livelock. That is a deadlock.
//! * A thread that changes a variable and changes it back progresses: it may do its work for ever.
//! * Where a thread gets to an `assume` that does not hold, there is no execution. (Lowering lets loops guess whether they go on, where
//!   their tests have effects.) So such ways do not count, and a thread that has no other ones does not spin.
//! * Where the program is over, nobody spins.
//!
//! *Invariant*: this looks at a state and at steps only, as the interpreter runs them.

use crate::cfa::{ActionId, Location, StepKind, ThreadId};
use crate::deadlock::{Doing, Wait};
use crate::interpreter::{Interpreter, State, Stuck};
use braid_logic::{Open, Sort, Value, Var};
use rustc_hash::FxHashMap;

/// A thread that gets to more states than this without progress is not followed any further.
const MOST_STATES: usize = 4096;
/// So many ways to choose values are followed for one action.
const MOST_CHOICES: usize = 64;

/// Threads that go round in circles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Livelock {
    /// All live threads.
    pub members: Vec<Member>,
}

/// A thread in a livelock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Who.
    pub thread: ThreadId,
    /// What it does for ever.
    pub ongoing: Ongoing,
}

/// What a thread in a livelock does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ongoing {
    /// It takes these actions, and then the same again. It may have other ways to spin.
    Spins(Vec<ActionId>),
    /// It waits; for each of its actions, for what.
    Waits(Vec<Wait>),
}

/// What can be said of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Circling {
    /// There is no livelock.
    None,
    /// Nothing is known: a thread has too many states, or values to choose from.
    Undetermined,
    /// There is one.
    Livelock(Livelock),
}

/// What becomes of a thread if nobody else does anything.
enum Prospect {
    /// It progresses, comes to wait, or gets nowhere at all.
    GoesOn,
    Undetermined,
    Stays(Ongoing),
}

/// What an action leads to.
#[derive(Default)]
struct Outcomes {
    states: Vec<State>,
    /// One of these steps is progress.
    progress: bool,
    /// Not all values were tried.
    cut: bool,
}

impl Interpreter<'_, '_> {
    /// Is a state a livelock?
    pub fn circling(&self, state: &State) -> Circling {
        let (mut members, mut undetermined) = (Vec::new(), false);
        for thread in self.program().thread_ids().filter(|&thread| self.is_live(state, thread)) {
            match self.prospect(state, thread) {
                Prospect::GoesOn => return Circling::None,
                Prospect::Undetermined => undetermined = true,
                Prospect::Stays(ongoing) => members.push(Member { thread, ongoing }),
            }
        }
        let spins = |member: &Member| matches!(member.ongoing, Ongoing::Spins(_));
        match undetermined {
            true => Circling::Undetermined,
            false if members.iter().any(spins) => Circling::Livelock(Livelock { members }),
            false => Circling::None,
        }
    }

    fn prospect(&self, state: &State, thread: ThreadId) -> Prospect {
        match self.doing(state, thread) {
            Doing::Over => return Prospect::GoesOn,
            Doing::Waits(waits) => return Prospect::Stays(Ongoing::Waits(waits)),
            Doing::Other | Doing::Undetermined => {}
        }
        let mut numbers: FxHashMap<State, usize> = FxHashMap::default();
        let mut states = vec![state.clone()];
        // Where the thread gets to from each state, by which action.
        let mut ways: Vec<Vec<(ActionId, usize)>> = Vec::new();
        numbers.insert(state.clone(), 0);
        let mut undetermined = false;
        while let Some(from) = states.get(ways.len()).cloned() {
            let mut way = Vec::new();
            for &action in self.program().thread(thread).outgoing(from.locations.location(thread)) {
                let Outcomes { states: found, progress, cut } = self.outcomes(&from, action);
                if progress {
                    return Prospect::GoesOn;
                }
                undetermined |= cut;
                for next in found {
                    let number = *numbers.entry(next).or_insert_with_key(|next| {
                        states.push(next.clone());
                        states.len() - 1
                    });
                    way.push((action, number));
                }
            }
            if way.is_empty() && matches!(self.doing(&from, thread), Doing::Waits(_) | Doing::Over) {
                return Prospect::GoesOn;
            }
            if states.len() > MOST_STATES {
                return Prospect::Undetermined;
            }
            ways.push(way);
        }
        prune(&mut ways);
        match undetermined {
            true => Prospect::Undetermined,
            // No execution leads on from here.
            false if ways[0].is_empty() => Prospect::GoesOn,
            false => Prospect::Stays(Ongoing::Spins(circle(&ways))),
        }
    }

    /// Takes an action, with every value that it needs, or some where there are many.
    fn outcomes(&self, state: &State, id: ActionId) -> Outcomes {
        let program = self.program();
        let action = program.action(id);
        let mut outcomes = Outcomes::default();
        if !program.is_enabled(&state.locations, action) {
            return outcomes;
        }
        let target = Location::index(action.target);
        let thread = program.thread(action.thread);
        let ends = action.target == thread.exit || thread.locations[target].violation.is_some();
        let moves = ends || !action.forks.is_empty() || !action.joins.is_empty();
        let mut trials = vec![(state.clone(), Vec::<Option<Value>>::new())];
        let mut tried = 0;
        while let Some((from, choices)) = trials.pop() {
            tried += 1;
            if tried > MOST_CHOICES {
                outcomes.cut = true;
                break;
            }
            match self.run(&from, id, &choices) {
                Ok(next) => {
                    outcomes.progress |= moves || self.changes(&from, id, &next);
                    outcomes.states.push(next);
                }
                Err(Stuck::Blocked | Stuck::Waits) => {}
                Err(Stuck::Choice(number)) => {
                    let var = action.havocked().nth(number).expect("the action has such a havoc");
                    for value in self.some_values(var, &mut outcomes.cut) {
                        let mut choices = choices.clone();
                        choices.resize(choices.len().max(number + 1), None);
                        choices[number] = Some(value);
                        trials.push((from.clone(), choices));
                    }
                }
                Err(Stuck::Input(open @ Open::Var(var))) => {
                    for value in self.some_values(var, &mut outcomes.cut) {
                        let mut from = from.clone();
                        self.settle(&mut from, &open, value);
                        trials.push((from, choices.clone()));
                    }
                }
                Err(Stuck::Input(_)) => outcomes.cut = true,
            }
        }
        outcomes
    }

    /// Does a step change more than local variables of its thread?
    fn changes(&self, before: &State, id: ActionId, after: &State) -> bool {
        let action = self.program().action(id);
        let foreign = |var: Var| self.program().variables[self.slot(var)].owner != Some(action.thread);
        let differs = |var: Var| foreign(var) && self.value(before, var) != self.value(after, var);
        action.steps.iter().any(|step| match &step.kind {
            StepKind::Assign(assignments) => assignments.iter().any(|(var, _)| differs(*var)),
            StepKind::Havoc(vars) => vars.iter().any(|&var| differs(var)),
            StepKind::Assume(_) | StepKind::Await(..) => false,
        })
    }

    /// Values of a variable's sort; says if there are more.
    fn some_values(&self, var: Var, cut: &mut bool) -> Vec<Value> {
        let pool = self.program().pool;
        let sort = pool.var_sort(var);
        if sort == Sort::BOOL {
            return vec![Value::Bool(false), Value::Bool(true)];
        }
        *cut = true;
        let first = pool.first_value(sort);
        if sort == Sort::INT { vec![first, Value::Int(1.into())] } else { vec![first] }
    }
}

/// Leaves those ways that never end.
fn prune(ways: &mut [Vec<(ActionId, usize)>]) {
    loop {
        let is_end: Vec<bool> = ways.iter().map(Vec::is_empty).collect();
        let before = ways.iter().map(Vec::len).sum::<usize>();
        ways.iter_mut().for_each(|way| way.retain(|(_, to)| !is_end[*to]));
        if ways.iter().map(Vec::len).sum::<usize>() == before {
            return;
        }
    }
}

/// The circle that first ways lead into, from the first state on.
fn circle(ways: &[Vec<(ActionId, usize)>]) -> Vec<ActionId> {
    let (mut at, mut path, mut seen) = (0, Vec::new(), vec![None; ways.len()]);
    while seen[at].is_none() {
        seen[at] = Some(path.len());
        let (action, next) = ways[at][0];
        path.push(action);
        at = next;
    }
    path.split_off(seen[at].unwrap_or_default())
}
