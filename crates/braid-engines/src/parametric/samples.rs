//! Some executions of the system, drawn at random: what does not hold there is no fact.

use crate::{Control, StopReason};
use braid_check::threads::{JOINED, Move, Place, System};
use braid_logic::{Integer, Model, SortKind, Value, Var};
use braid_program::Random;
use rustc_hash::{FxHashMap, FxHashSet};

const WALKS: usize = 120;
const STEPS: usize = 160;
/// So many instances are there at once at most.
const CROWD: usize = 4;
/// So many states are kept for each place, and for each two.
const KEPT: usize = 160;
/// Where short walks leave places out, so many long ones follow, each with so many steps for
/// each round of the longest loop that is not too long, and with so many instances at most. Of these walks so many states more are kept.
const FAR_WALKS: usize = 4;
const FAR_STEPS: usize = 30;
const FAR_BOUND: i64 = 1_000;
const FAR_CROWD: usize = 4_096;
const FAR_KEPT: usize = 60;
/// So many of the oldest instances that have ended are tried where one is joined.
const OLDEST: usize = 8;

/// An instance in a state.
#[derive(Clone)]
struct Instance {
    place: Place,
    locals: Vec<Value>,
}

/// States by who is where: values of the shared variables and of copies 0 and 1.
#[derive(Default)]
pub(super) struct Samples {
    pub one: FxHashMap<Place, Vec<Model>>,
    pub two: FxHashMap<(Place, Place), Vec<Model>>,
    /// Was a place reached that must not be?
    pub error: bool,
}

struct Walk<'a, 'p> {
    system: &'a System<'p>,
    shared: Model,
    crowd: Vec<Instance>,
    /// So many instances may be there at once.
    room: usize,
    next_number: i64,
    random: Random,
    constants: Vec<Integer>,
}

impl Samples {
    pub fn draw(system: &System<'_>, control: &Control) -> Result<Samples, StopReason> {
        let mut samples = Samples::default();
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        samples.draw_near(system, control, &mut seen)?;
        let is_missing = |place: Place| {
            let t = &system.templates[place.template];
            !t.any && !samples.one.contains_key(&place) && !t.errors.contains(&place.location)
        };
        if !samples.error && system.places().any(is_missing) {
            samples.draw_far(system, control, &mut seen)?;
        }
        Ok(samples)
    }

    /// Short walks with few instances: all that is met on the way is kept.
    fn draw_near(
        &mut self,
        system: &System<'_>,
        control: &Control,
        seen: &mut FxHashSet<u64>,
    ) -> Result<(), StopReason> {
        let constants = system.constants();
        // Several times as much, too: where threads share something out, there must be enough for some of them.
        let much: Vec<Integer> = constants.iter().map(|value| value.clone() * Integer::from(3)).collect();
        for number in 0..WALKS {
            let constants = if number % 4 == 3 { &much } else { &constants };
            let mut walk = Walk::new(system, number as u64, constants.clone());
            let mut favourite = 0;
            for _ in 0..STEPS {
                control.poll_now()?;
                // In turns of different length, so that threads get far, and meet.
                if walk.random.below(1 + number % 6) == 0 {
                    favourite = walk.random.below(walk.crowd.len());
                }
                if !walk.step(favourite) && !(0..walk.crowd.len()).any(|other| walk.step(other)) {
                    break;
                }
                favourite = favourite.min(walk.crowd.len().saturating_sub(1));
                walk.record(self, seen);
                if self.error || walk.crowd.is_empty() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Long walks with many instances, for what comes after a loop that starts many of them. Who has moved is kept, with the first and with some other
    /// instance.
    fn draw_far(
        &mut self,
        system: &System<'_>,
        control: &Control,
        seen: &mut FxHashSet<u64>,
    ) -> Result<(), StopReason> {
        let constants = system.constants();
        let rounds = constants.iter().filter_map(|value| value.to_i64()).filter(|value| *value <= FAR_BOUND).max();
        let steps = FAR_STEPS * rounds.map_or(1, |rounds| rounds.max(1) as usize);
        for number in 0..FAR_WALKS {
            let mut walk = Walk::new(system, (WALKS + number) as u64, constants.clone());
            walk.room = FAR_CROWD;
            let mut who = 0;
            for _ in 0..steps {
                control.poll_now()?;
                // The first thread has its turn more often in some walks than in others.
                if walk.random.below(1 + number) == 0 {
                    who = walk.random.below(walk.crowd.len());
                }
                let Some(moved) = walk.step_from(who) else { break };
                if self.error || walk.crowd.is_empty() {
                    break;
                }
                let moved = moved.min(walk.crowd.len() - 1);
                walk.record_some(moved, self, seen);
                who = if walk.random.below(2) == 0 { 0 } else { moved };
            }
        }
        Ok(())
    }

    /// Keeps a state of one instance or of two, if there are not enough of them.
    fn keep(&mut self, walk: &Walk<'_, '_>, who: &[usize], most: usize, seen: &mut FxHashSet<u64>) {
        let crowd: Vec<&Instance> = who.iter().map(|&one| &walk.crowd[one]).collect();
        let kept = match crowd[..] {
            [one] => self.one.entry(one.place).or_default(),
            [one, other] => self.two.entry((one.place, other.place)).or_default(),
            _ => return,
        };
        if kept.len() < most && seen.insert(walk.hash(who)) {
            kept.push(walk.model(&crowd));
        }
    }
}

impl<'a, 'p> Walk<'a, 'p> {
    fn new(system: &'a System<'p>, seed: u64, constants: Vec<Integer>) -> Walk<'a, 'p> {
        let mut walk = Walk {
            system,
            shared: Model::default(),
            crowd: Vec::new(),
            room: CROWD,
            next_number: system.numbers_from,
            random: Random::new(seed),
            constants,
        };
        for &var in &system.shared {
            let value = walk.value(var);
            walk.shared.vars.insert(var, value);
        }
        for (&place, &counter) in &system.counters {
            walk.shared.vars.insert(counter, Value::Int(system.first_count(place).into()));
        }
        if let Some(given) = system.given {
            let none = system.pool.first_value(system.pool.var_sort(given));
            walk.shared.vars.insert(given, none);
        }
        walk.crowd.push(Instance { place: system.first(), locals: Vec::new() });
        walk
    }

    /// Some value for an input.
    fn value(&mut self, var: Var) -> Value {
        let (pool, sort) = (self.system.pool, self.system.pool.var_sort(var));
        match pool.sort_kind(sort) {
            SortKind::Bool => Value::Bool(self.random.below(2) == 1),
            SortKind::Int if self.random.below(3) > 0 => Value::Int([0, 1, 2, 3, 5][self.random.below(5)].into()),
            SortKind::Int => Value::Int(self.constants[self.random.below(self.constants.len())].clone()),
            SortKind::BitVec(width) => Value::BitVec((self.random.below(4) as u32).into(), *width),
            _ => pool.first_value(sort),
        }
    }

    /// One step of an instance, if it can.
    fn step(&mut self, who: usize) -> bool {
        let place = self.crowd[who].place;
        let system = self.system;
        let mut moves: Vec<&Move> =
            system.templates[place.template].moves.iter().filter(|m| m.source == place.location).collect();
        while !moves.is_empty() {
            let m = moves.swap_remove(self.random.below(moves.len()));
            let alone =
                |&t: &usize| !system.templates[t].any && self.crowd.iter().any(|other| other.place.template == t);
            let crowded = !m.forks.is_empty() && self.crowd.len() + m.forks.len() > self.room;
            if crowded || m.forks.iter().any(alone) {
                continue;
            }
            // Inputs can make it possible, so it is tried more than once where there are some.
            let tries = if m.relation.choices.is_empty() { 1 } else { 4 };
            if (0..tries).any(|_| self.take(who, m)) {
                return true;
            }
        }
        false
    }

    /// A move, with some instance that it joins. Handles are mostly joined in the order in which threads were started, so the oldest ones are tried, too.
    fn take(&mut self, who: usize, m: &Move) -> bool {
        if m.joins.is_empty() {
            return self.take_with(who, m, &[]);
        }
        (0..=OLDEST).any(|try_| {
            let mut joined: Vec<usize> = Vec::new();
            for &t in &m.joins {
                let exit = Place { template: t, location: self.system.templates[t].exit };
                let ended = |other: &usize| *other != who && self.crowd[*other].place == exit;
                let mut ended = (0..self.crowd.len()).filter(ended);
                let one = if try_ == 0 {
                    let ended: Vec<usize> = ended.collect();
                    (!ended.is_empty()).then(|| ended[self.random.below(ended.len())])
                } else {
                    ended.nth(try_ - 1)
                };
                joined.extend(one);
            }
            joined.len() == m.joins.len() && self.take_with(who, m, &joined)
        })
    }

    fn take_with(&mut self, who: usize, m: &Move, joined: &[usize]) -> bool {
        let (system, pool) = (self.system, self.system.pool);
        let mut state = self.shared.clone();
        let template = self.crowd[who].place.template;
        for (&var, value) in system.templates[template].locals.iter().zip(&self.crowd[who].locals) {
            state.vars.insert(var, value.clone());
        }
        for (&t, &one) in m.joins.iter().zip(joined) {
            for (&var, value) in system.templates[t].locals.iter().zip(&self.crowd[one].locals) {
                state.vars.insert(system.copy(var, JOINED), value.clone());
            }
        }
        for &choice in &m.relation.choices {
            let value = self.value(choice);
            state.vars.insert(choice, value);
        }
        for &child in &m.forks {
            let number = system.templates[child].number;
            let chosen = m.relation.updates.iter().find(|(var, _)| Some(*var) == number).map(|(_, term)| *term);
            if let Some([choice]) = chosen.map(|term| pool.free_vars(term)) {
                state.vars.insert(*choice, Value::Int(self.next_number.into()));
                self.next_number += 1;
            }
        }
        if pool.holds_in(m.relation.guard, &state) != Some(true) {
            return false;
        }
        let updates = m.relation.updates.iter().map(|(var, term)| Some((*var, pool.evaluate_in(*term, &state)?)));
        let Some(updates) = updates.collect::<Option<FxHashMap<Var, Value>>>() else { return false };
        for var in &system.shared {
            if let Some(value) = updates.get(var) {
                self.shared.vars.insert(*var, value.clone());
            }
        }
        for (at, var) in system.templates[template].locals.iter().enumerate() {
            if let Some(value) = updates.get(var) {
                self.crowd[who].locals[at] = value.clone();
            }
        }
        self.crowd[who].place.location = m.target;
        for &child in &m.forks {
            let t = &system.templates[child];
            let locals = t
                .locals
                .iter()
                .map(|var| updates.get(var).cloned().unwrap_or_else(|| pool.first_value(pool.var_sort(*var))));
            self.crowd.push(Instance { place: Place { template: child, location: t.entry }, locals: locals.collect() });
        }
        let mut joined = joined.to_vec();
        joined.sort_unstable();
        joined.into_iter().rev().for_each(|one| {
            self.crowd.remove(one);
        });
        true
    }

    /// One step of this instance, or of the next one that can move: who has moved, if anybody has.
    fn step_from(&mut self, who: usize) -> Option<usize> {
        let all = self.crowd.len();
        (0..all).map(|later| (who + later) % all).find(|&one| self.step(one))
    }

    /// Keeps all instances, and all two of them.
    fn record(&self, samples: &mut Samples, seen: &mut FxHashSet<u64>) {
        for at in 0..self.crowd.len() {
            samples.error |= self.is_error(at);
            samples.keep(self, &[at], KEPT, seen);
            for second in (0..self.crowd.len()).filter(|&second| second != at) {
                if self.crowd[at].place <= self.crowd[second].place {
                    samples.keep(self, &[at, second], KEPT, seen);
                }
            }
        }
    }

    /// Keeps an instance alone, with the first and with some other one.
    fn record_some(&mut self, who: usize, samples: &mut Samples, seen: &mut FxHashSet<u64>) {
        let some = self.random.below(self.crowd.len());
        samples.error |= self.is_error(who);
        for one in [0, who, some] {
            samples.keep(self, &[one], KEPT + FAR_KEPT, seen);
        }
        for (one, other) in [(0, who), (0, some), (who, some)].into_iter().filter(|(one, other)| one != other) {
            let pair = if self.crowd[one].place <= self.crowd[other].place { [one, other] } else { [other, one] };
            samples.keep(self, &pair, KEPT + FAR_KEPT, seen);
        }
    }

    fn is_error(&self, who: usize) -> bool {
        let place = self.crowd[who].place;
        self.system.templates[place.template].errors.contains(&place.location)
    }

    fn hash(&self, who: &[usize]) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        who.len().hash(&mut hasher);
        for &one in who {
            self.crowd[one].place.hash(&mut hasher);
            self.crowd[one].locals.hash(&mut hasher);
        }
        for var in &self.system.shared {
            self.shared.vars.get(var).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn model(&self, who: &[&Instance]) -> Model {
        let mut model = self.shared.clone();
        for (copy, one) in who.iter().enumerate() {
            let locals = self.system.templates[one.place.template].locals.iter();
            for (&var, value) in locals.zip(&one.locals) {
                model.vars.insert(self.system.copy(var, copy as u32), value.clone());
            }
        }
        model
    }
}
