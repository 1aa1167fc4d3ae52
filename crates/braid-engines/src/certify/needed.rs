//! Which of the assertions that are known in a state the rest of a graph needs: those that make a step impossible, that let an action sleep
//! behind a step, or that a needed one behind a step follows from.

use super::graph::Visited;
use braid_logic::{Answer, BitSet, Solver, Term};
use braid_program::cfa::{ActionId, Program};
use braid_proof::FloydHoareAutomaton;
use braid_reduction::Commutativity;
use rustc_hash::FxHashMap;

/// For each state, what it needs.
pub(super) struct Needed<'a, 'p> {
    program: &'a Program<'p>,
    assertions: &'a [Term],
    sets: Vec<BitSet>,
    /// For an action and what holds behind it (none: nothing comes behind it): premises that suffice.
    cores: FxHashMap<(ActionId, Option<usize>), Vec<BitSet>>,
}

impl<'a, 'p> Needed<'a, 'p> {
    /// Works backwards until nothing more is needed.
    pub fn of(
        program: &'a Program<'p>,
        solver: &mut Solver<'p>,
        proof: &'a FloydHoareAutomaton,
        commutativity: &mut Commutativity,
        visited: &[Visited],
    ) -> Self {
        let known: Vec<BitSet> =
            visited.iter().map(|state| proof.known_ids(state.known).map(|id| id.index()).collect()).collect();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); visited.len()];
        for (number, state) in visited.iter().enumerate() {
            state.steps.iter().filter_map(|(_, target)| *target).for_each(|to| before[to as usize].push(number as u32));
        }
        let sets = vec![BitSet::new(); visited.len()];
        let mut needed = Needed { program, assertions: proof.assertions(), sets, cores: FxHashMap::default() };
        for (number, state) in visited.iter().enumerate() {
            for &(action, target) in &state.steps {
                let Some(target) = target else {
                    let core = needed.core(solver, &known[number], action, None);
                    needed.sets[number].extend(&core);
                    continue;
                };
                for other in visited[target as usize].asleep.iter().map(|other| ActionId(other as u32)) {
                    if !commutativity.always(solver, program, action, other) {
                        needed.sets[number].extend(&proof.known_about(program, state.known, [action, other]));
                    }
                }
            }
        }
        let mut work: Vec<u32> = (0..visited.len() as u32).collect();
        while let Some(number) = work.pop() {
            let mut own = needed.sets[number as usize].clone();
            for &(action, target) in &visited[number as usize].steps {
                let Some(target) = target else { continue };
                for assertion in needed.sets[target as usize].clone().iter() {
                    let core = needed.core(solver, &known[number as usize], action, Some(assertion));
                    own.extend(&core);
                }
            }
            if own != needed.sets[number as usize] {
                needed.sets[number as usize] = own;
                work.extend_from_slice(&before[number as usize]);
                work.push(number);
            }
        }
        needed
    }

    /// The sets, state by state.
    pub fn sets(&self) -> &[BitSet] {
        &self.sets
    }

    /// Premises among the known ones that suffice for a triple.
    fn core(&mut self, solver: &mut Solver<'_>, known: &BitSet, action: ActionId, after: Option<usize>) -> BitSet {
        let pool = self.program.pool;
        let relation = self.program.action(action).relation(pool);
        let conclusion = after.map_or(Term::FALSE, |after| self.assertions[after]);
        let vars = pool.free_vars(conclusion);
        let framed = !relation.writes.iter().any(|var| vars.binary_search(var).is_ok());
        if let Some(after) = after.filter(|after| framed && known.contains(*after)) {
            return [after].into_iter().collect();
        }
        let cores = self.cores.entry((action, after)).or_default();
        if let Some(core) = cores.iter().find(|core| core.is_subset(known)) {
            return core.clone();
        }
        let violated = pool.not(relation.before(pool, conclusion));
        let mut query: Vec<Term> = known.iter().map(|assertion| self.assertions[assertion]).collect();
        query.extend([relation.guard, violated]);
        query.retain(|&formula| formula != Term::TRUE);
        let core = match solver.check_assuming(&query) {
            Answer::Unsat => {
                let core = solver.core();
                known.iter().filter(|&assertion| core.contains(&self.assertions[assertion])).collect()
            }
            _ => known.clone(),
        };
        cores.push(core.clone());
        core
    }
}
