//! Actions: what a thread does in one indivisible step, and that step as a guarded parallel assignment.

use super::{Location, ThreadId};
use crate::ast::Release;
use crate::source::Span;
use braid_logic::{Substitution, Term, TermPool, Var};
use std::cell::OnceCell;

/// An action of one thread: an edge of its automaton.
#[derive(Clone, Debug)]
pub struct Action {
    /// Whose action it is.
    pub thread: ThreadId,
    /// Where it leaves from.
    pub source: Location,
    /// Where it leads.
    pub target: Location,
    /// What it does, in order, without interruption.
    pub steps: Vec<Step>,
    /// The threads that it starts.
    pub forks: Vec<ThreadId>,
    /// The threads whose end it waits for.
    pub joins: Vec<ThreadId>,
    /// Where it stands in the source.
    pub span: Span,
    relation: OnceCell<Relation>,
}

/// One statement of an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What it does.
    pub kind: StepKind,
    /// Where it stands in the source.
    pub span: Span,
}

impl Step {
    /// Does it wait for others?
    pub fn waits(&self) -> bool {
        matches!(self.kind, StepKind::Await(..))
    }
}

/// The kinds of statements inside an action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// The action cannot happen unless the formula holds.
    Assume(Term),
    /// The same, but where the action cannot happen because of this, its thread waits for others.
    Await(Term, Release<Term>),
    /// Assigns all at once.
    Assign(Vec<(Var, Term)>),
    /// Gives the variables any values.
    Havoc(Vec<Var>),
}

/// An action as one guarded parallel assignment: from a state where `guard` holds, every updated variable gets its
/// term's value there. Both may mention `choices`, variables of nobody else that stand for the havocked values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// When the action can happen.
    pub guard: Term,
    /// What changes, sorted by variable; no variable is updated to itself.
    pub updates: Vec<(Var, Term)>,
    /// One variable for each havocked value, in the order of the steps.
    pub choices: Vec<Var>,
    /// The program variables that guard and updates mention, sorted.
    pub reads: Vec<Var>,
    /// The updated variables, sorted.
    pub writes: Vec<Var>,
}

impl Action {
    /// An action; its relation is computed when first asked for.
    pub fn new(
        (thread, source, target): (ThreadId, Location, Location),
        steps: Vec<Step>,
        forks: Vec<ThreadId>,
        joins: Vec<ThreadId>,
        span: Span,
    ) -> Action {
        Action { thread, source, target, steps, forks, joins, span, relation: OnceCell::new() }
    }

    /// The action as a guarded parallel assignment.
    pub fn relation(&self, pool: &TermPool) -> &Relation {
        self.relation.get_or_init(|| Relation::of_steps(pool, &self.steps))
    }

    /// Does it change or test nothing but its own thread's location?
    pub fn is_skip(&self) -> bool {
        self.steps.is_empty() && self.forks.is_empty() && self.joins.is_empty()
    }

    /// Can its thread wait for others because of it?
    pub fn waits(&self) -> bool {
        !self.joins.is_empty() || self.steps.iter().any(Step::waits)
    }

    /// The havocked variables in the order of the steps: the meaning of the relation's choices.
    pub fn havocked(&self) -> impl Iterator<Item = Var> + '_ {
        self.steps
            .iter()
            .flat_map(|step| match &step.kind {
                StepKind::Havoc(vars) => vars.as_slice(),
                _ => &[],
            })
            .copied()
    }
}

impl StepKind {
    /// Changes symbolic values as the step does; gives the new variables that stand for what it chooses.
    pub fn change(&self, pool: &TermPool, values: &mut Substitution) -> Vec<Var> {
        match self {
            StepKind::Assume(_) | StepKind::Await(..) => Vec::new(),
            StepKind::Assign(assignments) => {
                let assigned: Vec<(Var, Term)> =
                    assignments.iter().map(|(var, term)| (*var, pool.substitute(*term, values))).collect();
                values.extend(assigned);
                Vec::new()
            }
            StepKind::Havoc(vars) => {
                let choices: Vec<Var> =
                    vars.iter().map(|&var| pool.fresh_var(pool.var_name(var), pool.var_sort(var))).collect();
                values.extend(vars.iter().zip(&choices).map(|(&var, &choice)| (var, pool.of_var(choice))));
                choices
            }
        }
    }
}

impl Relation {
    /// Runs the steps on symbolic values.
    pub fn of_steps(pool: &TermPool, steps: &[Step]) -> Relation {
        let mut values = Substitution::default();
        let (mut guards, mut choices) = (Vec::new(), Vec::new());
        for step in steps {
            match &step.kind {
                StepKind::Assume(formula) | StepKind::Await(formula, _) => {
                    guards.push(pool.substitute(*formula, &values))
                }
                StepKind::Assign(_) | StepKind::Havoc(_) => choices.extend(step.kind.change(pool, &mut values)),
            }
        }
        Relation::of_values(pool, guards, values, choices)
    }

    /// Goes on only if the formula holds.
    pub fn assumption(pool: &TermPool, formula: Term) -> Relation {
        Relation::of_values(pool, vec![formula], Substitution::default(), Vec::new())
    }

    /// All relations one after the other, as one. The choices of each are made its own by its position.
    pub fn sequence(pool: &TermPool, relations: &[&Relation]) -> Relation {
        let mut values = Substitution::default();
        let (mut guards, mut choices) = (Vec::new(), Vec::new());
        for (position, relation) in relations.iter().enumerate() {
            let mut before = values.clone();
            for &choice in &relation.choices {
                let own = pool.copy_of(choice, position as u32);
                choices.push(own);
                before.insert(choice, pool.of_var(own));
            }
            guards.push(pool.substitute(relation.guard, &before));
            values.extend(relation.updates.iter().map(|(var, term)| (*var, pool.substitute(*term, &before))));
        }
        Relation::of_values(pool, guards, values, choices)
    }

    fn of_values(pool: &TermPool, guards: Vec<Term>, values: Substitution, choices: Vec<Var>) -> Relation {
        let guard = pool.and(guards);
        let mut updates: Vec<(Var, Term)> =
            values.into_iter().filter(|(var, term)| pool.of_var(*var) != *term).collect();
        updates.sort_unstable_by_key(|(var, _)| *var);
        let mut reads: Vec<Var> = pool.free_vars(guard).to_vec();
        updates.iter().for_each(|(_, term)| reads.extend_from_slice(pool.free_vars(*term)));
        reads.sort_unstable();
        reads.dedup();
        reads.retain(|var| !choices.contains(var));
        let writes = updates.iter().map(|(var, _)| *var).collect();
        Relation { guard, updates, choices, reads, writes }
    }

    /// The same of other variables; `names` maps variables to variables.
    pub fn renamed(&self, pool: &TermPool, names: &Substitution) -> Relation {
        let name = |var: Var| names.get(&var).map_or(var, |&term| pool.free_vars(term)[0]);
        let updates = self.updates.iter().map(|&(var, term)| (name(var), pool.substitute(term, names)));
        let guard = pool.substitute(self.guard, names);
        Relation::of_values(pool, vec![guard], updates.collect(), self.choices.clone())
    }

    /// The formula with every updated variable replaced by its new value: what `formula` says of the state afterwards,
    /// said of the state before.
    pub fn before(&self, pool: &TermPool, formula: Term) -> Term {
        let free = pool.free_vars(formula);
        let substitution: Substitution =
            self.updates.iter().filter(|(var, _)| free.binary_search(var).is_ok()).copied().collect();
        pool.substitute(formula, &substitution)
    }
}
