//! A program as templates: threads that are there once, and those of which there may be any number.
//!
//! Lowering gives two like threads for each template ([`braid_program::LowerOptions::templates`]). Here one of them stands
//! for the template; that they are alike is checked, not believed: every action of one, and every action that starts or
//! joins one, must be an action of the other under renaming. Otherwise there is no system.
//!
//! A state of the system has values of the shared variables, and a set of instances. Each is at a location of its template, with
//! values of the template's local variables. There is at most one instance of a template that is no template of many; its variables
//! are shared variables here. A move of an instance may start new instances, and may need and remove instances that have
//! ended.

use braid_logic::{Integer, Node, Substitution, Term, TermPool, Var};
use braid_program::cfa::{Action, Location, Program, Relation, TemplateId, ThreadId};
use braid_program::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Which of the instances in a formula is spoken of. The first has the variables of the template themselves.
pub type Copy = u32;
/// The copy of an instance that a move joins.
pub const JOINED: Copy = 3;
/// The copy of a new instance that the formula does not speak of.
pub const NEWBORN: Copy = 4;

/// A location of a template.
#[derive(Clone, std::marker::Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The template, by its number.
    pub template: usize,
    /// The location.
    pub location: Location,
}

/// What an instance can do.
pub struct Move {
    /// Where it starts.
    pub source: Location,
    /// Where it ends.
    pub target: Location,
    /// Over shared variables, the mover's own, those of new instances, and the [`JOINED`] copy of what ended instances have.
    pub relation: Relation,
    /// The templates of the instances that it starts, each at most once.
    pub forks: Vec<usize>,
    /// The template of the instance that it needs to have ended, and removes.
    pub joins: Vec<usize>,
}

/// A template.
pub struct Template {
    /// Its name, for people.
    pub name: String,
    /// The thread that stands for it.
    pub thread: ThreadId,
    /// May there be any number of instances?
    pub any: bool,
    /// The variables that each instance has for itself.
    pub locals: Vec<Var>,
    /// The one that holds its number; no two instances have the same.
    pub number: Option<Var>,
    /// Where an instance starts.
    pub entry: Location,
    /// Where it ends.
    pub exit: Location,
    /// How many locations.
    pub size: usize,
    /// Where each of them is in the source.
    pub spans: Vec<Span>,
    /// The locations that must not be reached.
    pub errors: Vec<Location>,
    /// What instances can do.
    pub moves: Vec<Move>,
}

/// A program as templates. The first is the thread that runs first.
pub struct System<'p> {
    /// Where its terms live.
    pub pool: &'p TermPool,
    /// The templates.
    pub templates: Vec<Template>,
    /// The variables that all instances have in common.
    pub shared: Vec<Var>,
    /// Numbers of threads that are there once are below this one; all others are not.
    pub numbers_from: i64,
    /// The shared variables that count instances at places, if there are any.
    pub counters: FxHashMap<Place, Var>,
    /// The shared variable that holds which numbers were given to threads, if there is one.
    pub given: Option<Var>,
}

impl<'p> System<'p> {
    /// The system of a program that was lowered with templates; why there is none, as a clause.
    pub fn of(program: &Program<'p>) -> Result<System<'p>, String> {
        let grouped = Groups::of(program)?;
        let mut templates = Vec::new();
        for &thread in &grouped.representatives {
            templates.push(grouped.template(program, thread)?);
        }
        let many: FxHashSet<Var> = grouped.locals.iter().flatten().copied().collect();
        let shared = program.variables.iter().map(|variable| variable.var).filter(|var| !many.contains(var)).collect();
        Ok(System {
            pool: program.pool,
            templates,
            shared,
            numbers_from: program.threads.len() as i64,
            counters: FxHashMap::default(),
            given: None,
        })
    }

    /// Is it a variable of the program?
    pub(crate) fn has(&self, var: Var) -> bool {
        self.shared.contains(&var) || self.templates.iter().any(|template| template.locals.contains(&var))
    }

    /// The variable of an instance.
    pub fn copy(&self, var: Var, copy: Copy) -> Var {
        copy_of(self.pool, var, copy)
    }

    /// A formula about the template's variables, as said of a copy.
    pub fn renaming(&self, template: usize, from: Copy, to: Copy) -> impl Iterator<Item = (Var, Term)> + '_ {
        let locals = self.templates[template].locals.iter();
        locals.map(move |&var| (self.copy(var, from), self.pool.of_var(self.copy(var, to))))
    }

    /// What is true of the numbers of some instances: those that get one when they start have different ones.
    pub fn different_numbers(&self, cast: &[(usize, Copy)]) -> Vec<Term> {
        let pool = self.pool;
        let number = |&(template, copy): &(usize, Copy)| {
            self.templates[template].number.map(|var| pool.of_var(self.copy(var, copy)))
        };
        let numbers: Vec<Term> = cast.iter().filter_map(number).collect();
        let mut known: Vec<Term> = numbers.iter().map(|&own| pool.ge(own, pool.int(self.numbers_from))).collect();
        for (at, &own) in numbers.iter().enumerate() {
            known.extend(numbers[..at].iter().map(|&other| pool.not(pool.eq(own, other))));
        }
        known
    }

    /// Where the first thread starts.
    pub fn first(&self) -> Place {
        Place { template: 0, location: self.templates[0].entry }
    }

    /// All places.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.templates.iter().enumerate().flat_map(|(template, t)| {
            (1..t.size as u32).map(move |location| Place { template, location: Location(location) })
        })
    }

    /// The integers in guards and updates.
    pub fn constants(&self) -> Vec<Integer> {
        let mut found: FxHashSet<Integer> = [0, 1, -1].into_iter().map(Integer::from).collect();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        for relation in self.templates.iter().flat_map(|t| &t.moves).map(|m| &m.relation) {
            let mut open: Vec<Term> = relation.updates.iter().map(|(_, term)| *term).chain([relation.guard]).collect();
            while let Some(term) = open.pop().filter(|_| found.len() < 64) {
                if !seen.insert(term) {
                    continue;
                }
                let node = self.pool.node(term);
                match node {
                    Node::Integer(value) => drop(found.insert(value.clone())),
                    Node::Le(linear) | Node::Zero(linear) | Node::Sum(linear) => {
                        found.insert(linear.constant.clone());
                        found.insert(-linear.constant.clone());
                    }
                    _ => {}
                }
                node.for_each_child(|part| open.push(part));
            }
        }
        let mut found: Vec<Integer> = found.into_iter().collect();
        found.sort();
        found
    }
}

fn copy_of(pool: &TermPool, var: Var, copy: Copy) -> Var {
    if copy == 0 { var } else { pool.copy_of(var, copy) }
}

/// Like threads, put together.
struct Groups {
    /// The threads that stand for templates, the first thread first.
    representatives: Vec<ThreadId>,
    /// For each thread the number of its template.
    template_of: Vec<usize>,
    /// For each thread of a template of many, its variables; those of like threads correspond.
    locals: Vec<Vec<Var>>,
    /// For each of these variables the one that stands for it.
    canonical: FxHashMap<Var, Var>,
}

impl Groups {
    fn of(program: &Program<'_>) -> Result<Groups, String> {
        let mut representatives: Vec<ThreadId> = Vec::new();
        let mut by_template: FxHashMap<TemplateId, usize> = FxHashMap::default();
        let (mut template_of, mut locals) = (Vec::new(), Vec::new());
        for id in program.thread_ids() {
            let thread = program.thread(id);
            let new = representatives.len();
            let number = thread.template.map_or(new, |template| *by_template.entry(template).or_insert(new));
            if number == new {
                representatives.push(id);
            }
            template_of.push(number);
            let own =
                program.variables.iter().filter(|variable| variable.owner == Some(id) && thread.template.is_some());
            locals.push(own.map(|variable| variable.var).collect::<Vec<_>>());
            let inside = thread.parent().is_some_and(|parent| program.thread(parent).template.is_some());
            if inside && thread.template.is_none() {
                return Err(format!("thread {} is part of one that may be there many times", thread.name));
            }
        }
        let mut groups = Groups { representatives, template_of, locals, canonical: FxHashMap::default() };
        for id in program.thread_ids() {
            let first = groups.representatives[groups.template_of[id.index()]];
            let (own, theirs) = (&groups.locals[id.index()], &groups.locals[first.index()]);
            let sorts = |vars: &[Var]| vars.iter().map(|&var| program.pool.var_sort(var)).collect::<Vec<_>>();
            if sorts(own) != sorts(theirs) {
                return Err(format!("threads like {} differ in their variables", program.thread(id).name));
            }
            groups.canonical.extend(own.iter().copied().zip(theirs.iter().copied()));
        }
        Ok(groups)
    }

    fn template(&self, program: &Program<'_>, id: ThreadId) -> Result<Template, String> {
        let thread = program.thread(id);
        let number = self.template_of[id.index()];
        let mut moves: Vec<Move> = Vec::new();
        for like in program.thread_ids().filter(|like| self.template_of[like.index()] == number) {
            let other = program.thread(like);
            let same = (other.entry, other.exit, other.locations.len())
                == (thread.entry, thread.exit, thread.locations.len())
                && other.locations.iter().zip(&thread.locations).all(|(a, b)| a.violation == b.violation);
            if !same {
                return Err(format!("threads like {} differ", thread.name));
            }
            let actions = other.outgoing.iter().flatten().map(|&action| program.action(action));
            let own: Vec<Move> =
                actions.filter_map(|action| self.normal(program, action).transpose()).collect::<Result<_, _>>()?;
            if like == id {
                own.into_iter().for_each(|new| {
                    if !moves.iter().any(|known| alike(program.pool, known, &new)) {
                        moves.push(new);
                    }
                });
            } else if !own.iter().all(|new| moves.iter().any(|known| alike(program.pool, known, new)))
                || !moves.iter().all(|known| own.iter().any(|new| alike(program.pool, known, new)))
            {
                return Err(format!("threads like {} do not do the same", thread.name));
            }
        }
        let span = |location: Location| {
            let next = thread.outgoing(location).first().map(|&action| program.action(action).span);
            next.unwrap_or(thread.locations[location.index()].span)
        };
        let spans = (0..thread.locations.len() as u32).map(|location| span(Location(location))).collect();
        let is_end =
            |location: &Location| program.completion_is_violation && id == ThreadId::MAIN && *location == thread.exit;
        let all = (0..thread.locations.len() as u32).map(Location);
        let errors = all.filter(|l| thread.locations[l.index()].violation.is_some() || is_end(l)).collect();
        Ok(Template {
            name: thread.name.clone(),
            thread: id,
            any: thread.template.is_some(),
            locals: self.locals[id.index()].clone(),
            number: thread.number,
            entry: thread.entry,
            exit: thread.exit,
            size: thread.locations.len(),
            spans,
            errors,
            moves,
        })
    }

    /// An action over the variables that stand for those of like threads; none if it waits for its own thread.
    fn normal(&self, program: &Program<'_>, action: &Action) -> Result<Option<Move>, String> {
        let pool = program.pool;
        if action.joins.contains(&action.thread) {
            return Ok(None);
        }
        let mut names = Substitution::default();
        let actors = std::iter::once(&action.thread).chain(&action.forks).map(|id| (id, 0));
        for (id, copy) in actors.chain(action.joins.iter().map(|id| (id, JOINED))) {
            for &var in &self.locals[id.index()] {
                names.insert(var, pool.of_var(copy_of(pool, self.canonical[&var], copy)));
            }
        }
        let relation = action.relation(pool);
        let strange = |var: &&Var| self.canonical.contains_key(var) && !names.contains_key(var);
        if relation.reads.iter().chain(&relation.writes).any(|var| strange(&var)) {
            return Err(format!("thread {} accesses variables of another", program.thread(action.thread).name));
        }
        let of = |ids: &[ThreadId]| ids.iter().map(|id| self.template_of[id.index()]).collect::<Vec<_>>();
        let (forks, joins) = (of(&action.forks), of(&action.joins));
        let own = self.template_of[action.thread.index()];
        let twice = |all: &[usize]| (1..all.len()).any(|at| all[..at].contains(&all[at]));
        if twice(&forks) || forks.contains(&own) || twice(&joins) {
            return Err("an action starts or joins several like threads".into());
        }
        let relation = relation.renamed(pool, &names);
        Ok(Some(Move { source: action.source, target: action.target, relation, forks, joins }))
    }
}

/// Are two moves the same, but for the names of what they choose?
fn alike(pool: &TermPool, one: &Move, other: &Move) -> bool {
    let (a, b) = (&one.relation, &other.relation);
    let sorts = |vars: &[Var]| vars.iter().map(|&var| pool.var_sort(var)).collect::<Vec<_>>();
    if (one.source, one.target, &one.forks, &one.joins) != (other.source, other.target, &other.forks, &other.joins)
        || sorts(&a.choices) != sorts(&b.choices)
    {
        return false;
    }
    let names: Substitution = b.choices.iter().zip(&a.choices).map(|(&from, &to)| (from, pool.of_var(to))).collect();
    let renamed = |term: Term| pool.substitute(term, &names);
    renamed(b.guard) == a.guard
        && a.updates.len() == b.updates.len()
        && a.updates.iter().zip(&b.updates).all(|(x, y)| x.0 == y.0 && x.1 == renamed(y.1))
}
