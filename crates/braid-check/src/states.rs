//! Checks that a program has finitely many reachable states and none of them violates the claim, by visiting them all. There
//! is no reduction here, and no solver: the interpreter runs the program's own steps.

use crate::{Checked, Refusal};
use braid_logic::{Open, Sort, Value};
use braid_program::cfa::{ActionId, Program};
use braid_program::{Interpreter, State, Stuck};
use rustc_hash::FxHashSet;

/// Visits all states; there must be as many as said.
pub(crate) fn check(program: &Program<'_>, count: u64, goes_on: &dyn Fn() -> bool) -> Result<Checked, Refusal> {
    let interpreter = Interpreter::new(program);
    let mut search = Search { program, interpreter, seen: FxHashSet::default(), work: Vec::new(), steps: 0 };
    search.found(search.interpreter.open_state())?;
    while let Some(state) = search.work.pop() {
        if !goes_on() {
            return Err(Refusal::Stopped);
        }
        if search.seen.len() as u64 > count {
            return Err(Refusal::new(format!("There are more than {count} states.")));
        }
        for action in program.enabled(&state.locations) {
            search.follow(&state, action)?;
        }
    }
    let states = search.seen.len() as u64;
    if states != count {
        return Err(Refusal::new(format!("There are {states} states, not {count}.")));
    }
    Ok(Checked { states, steps: search.steps, queries: 0 })
}

struct Search<'a, 'p> {
    program: &'a Program<'p>,
    interpreter: Interpreter<'a, 'p>,
    seen: FxHashSet<State>,
    work: Vec<State>,
    steps: u64,
}

impl Search<'_, '_> {
    fn found(&mut self, state: State) -> Result<(), Refusal> {
        if self.program.accepted(&state.locations).is_some() {
            return Err(Refusal::new("A state that violates the claim, or leaves a bound, is reached."));
        }
        self.steps += 1;
        if self.seen.insert(state.clone()) {
            self.work.push(state);
        }
        Ok(())
    }

    /// Runs an action, with each truth value that it has to choose.
    fn follow(&mut self, from: &State, action: ActionId) -> Result<(), Refusal> {
        let mut trials: Vec<(State, Vec<Option<Value>>)> = vec![(from.clone(), Vec::new())];
        while let Some((state, choices)) = trials.pop() {
            match self.interpreter.run(&state, action, &choices) {
                Ok(next) => self.found(next)?,
                Err(Stuck::Blocked | Stuck::Waits) => {}
                Err(Stuck::Choice(number)) if self.is_truth(action, number) => {
                    for value in [false, true] {
                        let mut choices = choices.clone();
                        choices.resize(choices.len().max(number + 1), None);
                        choices[number] = Some(Value::Bool(value));
                        trials.push((state.clone(), choices));
                    }
                }
                Err(Stuck::Input(Open::Var(var))) if self.program.pool.var_sort(var) == Sort::BOOL => {
                    for value in [false, true] {
                        let mut state = state.clone();
                        self.interpreter.settle(&mut state, &Open::Var(var), Value::Bool(value));
                        trials.push((state, choices.clone()));
                    }
                }
                Err(_) => return Err(Refusal::new("Not all states can be visited: an input has many values.")),
            }
        }
        Ok(())
    }

    fn is_truth(&self, action: ActionId, number: usize) -> bool {
        let var = self.program.action(action).havocked().nth(number);
        var.is_some_and(|var| self.program.pool.var_sort(var) == Sort::BOOL)
    }
}
