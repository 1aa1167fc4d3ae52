//! Local variables that hold what a thread has calculated from its own number: a thread of a template writes such a value to the locks
//! that it takes. Elsewhere numbers are constants, and lowering has put them in.
//!
//! *Invariant*: whenever a thread stands at a location, each variable that is known there has the value that is told. Only variables of
//! the thread itself are known, so nobody else changes them.

use braid_logic::{Substitution, Term, TermPool, Var};
use braid_program::cfa::{Action, Program, Step, StepKind, ThreadId};
use rustc_hash::FxHashSet;

/// What is known, by thread and location.
pub struct Copies {
    /// None where a thread never gets to; nothing in threads whose numbers are constants.
    known: Vec<Vec<Option<Substitution>>>,
    /// The local variables of threads whose numbers are not constants.
    own: Vec<FxHashSet<Var>>,
}

/// What is known in the middle of an action.
pub struct Known<'a> {
    number: Option<Var>,
    own: &'a FxHashSet<Var>,
    values: Substitution,
}

impl Copies {
    pub fn of(program: &Program<'_>) -> Copies {
        let nothing = Some(Substitution::default());
        let (mut known, mut own) = (Vec::new(), Vec::new());
        for (id, thread) in program.thread_ids().zip(&program.threads) {
            let is_open = thread.number.is_some();
            let mut of_thread = vec![if is_open { None } else { nothing.clone() }; thread.locations.len()];
            of_thread[thread.entry.index()] = nothing.clone();
            known.push(of_thread);
            let variables = program.variables.iter().filter(|variable| is_open && variable.owner == Some(id));
            own.push(variables.map(|variable| variable.var).collect());
        }
        let mut copies = Copies { known, own };
        for id in program.thread_ids().filter(|&id| program.thread(id).number.is_some()) {
            copies.follow(program, id);
        }
        copies
    }

    fn follow(&mut self, program: &Program<'_>, id: ThreadId) {
        let mut changed = true;
        while changed {
            changed = false;
            for action in program.actions.iter().filter(|action| action.thread == id) {
                let Some(mut known) = self.before(program, action) else { continue };
                action.steps.iter().for_each(|step| _ = known.step(program.pool, step));
                let known = known.values;
                let target = &mut self.known[id.index()][action.target.index()];
                let mut met = target.clone().unwrap_or_else(|| known.clone());
                met.retain(|var, value| known.get(var) == Some(value));
                changed |= target.as_ref() != Some(&met);
                *target = Some(met);
            }
        }
    }

    /// What is known where an action begins; none if its thread never gets there.
    pub fn before(&self, program: &Program<'_>, action: &Action) -> Option<Known<'_>> {
        let thread = action.thread.index();
        let values = self.known[thread][action.source.index()].clone()?;
        Some(Known { number: program.threads[thread].number, own: &self.own[thread], values })
    }
}

impl Known<'_> {
    /// Follows a step: the variables that it assigns, with their values as far as they are known.
    pub fn step(&mut self, pool: &TermPool, step: &Step) -> Vec<(Var, Term)> {
        match &step.kind {
            StepKind::Assign(assignments) => {
                let resolved = |(var, value): &(Var, Term)| (*var, pool.substitute(*value, &self.values));
                let values: Vec<(Var, Term)> = assignments.iter().map(resolved).collect();
                values.iter().for_each(|&(var, value)| self.assign(pool, var, value));
                values
            }
            StepKind::Havoc(vars) => {
                vars.iter().for_each(|var| _ = self.values.remove(var));
                Vec::new()
            }
            StepKind::Assume(_) | StepKind::Await(..) => Vec::new(),
        }
    }

    fn assign(&mut self, pool: &TermPool, var: Var, value: Term) {
        let read = pool.free_vars(value);
        let is_copy = read.len() == 1 && read.first().copied() == self.number && Some(var) != self.number;
        match is_copy && self.own.contains(&var) {
            true => self.values.insert(var, value),
            false => self.values.remove(&var),
        };
    }
}
