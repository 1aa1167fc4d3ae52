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
    next_number: i64,
    random: Random,
    constants: Vec<Integer>,
}

impl Samples {
    pub fn draw(system: &System<'_>, control: &Control) -> Result<Samples, StopReason> {
        let mut samples = Samples::default();
        let mut seen: FxHashSet<u64> = FxHashSet::default();
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
                walk.record(&mut samples, &mut seen);
                if samples.error || walk.crowd.is_empty() {
                    break;
                }
            }
        }
        Ok(samples)
    }
}

impl<'a, 'p> Walk<'a, 'p> {
    fn new(system: &'a System<'p>, seed: u64, constants: Vec<Integer>) -> Walk<'a, 'p> {
        let mut walk = Walk {
            system,
            shared: Model::default(),
            crowd: Vec::new(),
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
            let crowded = !m.forks.is_empty() && self.crowd.len() + m.forks.len() > CROWD;
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

    fn take(&mut self, who: usize, m: &Move) -> bool {
        let (system, pool) = (self.system, self.system.pool);
        let mut state = self.shared.clone();
        let template = self.crowd[who].place.template;
        for (&var, value) in system.templates[template].locals.iter().zip(&self.crowd[who].locals) {
            state.vars.insert(var, value.clone());
        }
        let mut joined: Vec<usize> = Vec::new();
        for &t in &m.joins {
            let exit = Place { template: t, location: system.templates[t].exit };
            let ended: Vec<usize> =
                (0..self.crowd.len()).filter(|&other| other != who && self.crowd[other].place == exit).collect();
            if ended.is_empty() {
                return false;
            }
            let one = ended[self.random.below(ended.len())];
            for (&var, value) in system.templates[t].locals.iter().zip(&self.crowd[one].locals) {
                state.vars.insert(system.copy(var, JOINED), value.clone());
            }
            joined.push(one);
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
        joined.sort_unstable();
        joined.into_iter().rev().for_each(|one| {
            self.crowd.remove(one);
        });
        true
    }

    fn record(&self, samples: &mut Samples, seen: &mut FxHashSet<u64>) {
        let system = self.system;
        for (at, one) in self.crowd.iter().enumerate() {
            let t = &system.templates[one.place.template];
            samples.error |= t.errors.contains(&one.place.location);
            let kept = samples.one.entry(one.place).or_default();
            if kept.len() < KEPT && seen.insert(self.hash(&[at])) {
                kept.push(self.model(&[one]));
            }
            for (second, other) in self.crowd.iter().enumerate() {
                if at == second || one.place > other.place {
                    continue;
                }
                let kept = samples.two.entry((one.place, other.place)).or_default();
                if kept.len() < KEPT && seen.insert(self.hash(&[at, second])) {
                    kept.push(self.model(&[one, other]));
                }
            }
        }
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
