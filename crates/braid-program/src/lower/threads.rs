//! Thread instances, their variables, and who can join whom.

use super::cycles::{self, Site};
use super::expr::sort;
use super::fork::Unnumbered;
use super::recursion::{Level, Recursion};
use super::{Automaton, Edge, LowerOptions};
use crate::ast::{self, LabelId, ProcId, Stmt, Storage, VarId};
use crate::cfa::{Location, Origin, Step, StepKind, TemplateId, ThreadId, Variable, Violation};
use crate::source::Span;
use braid_logic::{Fun, Node, Sort, Term, TermPool, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// Why a program cannot be lowered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LowerError {
    /// The place to blame.
    pub span: Span,
    /// What is wrong, as a sentence.
    pub message: String,
}

impl LowerError {
    pub(super) fn new(span: Span, message: impl Into<String>) -> LowerError {
        LowerError { span, message: message.into() }
    }
}

/// One running instance of a procedure.
pub(super) struct Frame {
    pub procedure: ProcId,
    /// The instance's copies of the procedure's local variables.
    locals: FxHashMap<VarId, Var>,
    /// The identity of the thread that it runs in.
    pub identity: Term,
    /// Where `return` goes, and in which thread that is.
    pub return_to: (ThreadId, Location),
    /// The places of the labels, with the thread each belongs to.
    pub labels: RefCell<FxHashMap<LabelId, LabelPlace>>,
    /// The procedures whose calls this one stands in, outermost first, this one last; forks count as calls.
    pub stack: Rc<[ProcId]>,
    /// Where it stands among calls that share bodies, if it does.
    pub level: Option<Level>,
}

/// Where a label is.
#[derive(Clone, Copy)]
pub(super) struct LabelPlace {
    pub thread: ThreadId,
    pub location: Location,
}

/// How a forked instance is named by those who join it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Fork,
    Async,
}

/// A forked thread instance that can be joined.
struct Instance {
    thread: ThreadId,
    start: Start,
    /// The identity: for tasks a constant, for forked threads a variable set by the fork.
    identity: Term,
    /// The value of that variable, where all forks of the instance give the same.
    known: Term,
    results: Vec<Var>,
}

/// A join whose candidates are known only when all threads are.
pub(super) struct PendingJoin {
    pub thread: ThreadId,
    pub source: Location,
    pub target: Location,
    pub start: Start,
    pub identity: Term,
    pub results: Vec<Var>,
    pub span: Span,
}

/// The state of lowering.
pub(super) struct Lowering<'a, 'p> {
    pub program: &'a ast::Program,
    pub pool: &'p TermPool,
    pub options: LowerOptions,
    pub automata: Vec<Automaton>,
    pub variables: Vec<Variable>,
    pub functions: Vec<Fun>,
    /// Why some places are not modelled.
    pub unmodelled: Vec<String>,
    /// The global variables, and those that are bound in formulas.
    globals: FxHashMap<VarId, Var>,
    /// The copies of local variables, by thread, procedure and depth of recursion.
    locals: FxHashMap<(ThreadId, ProcId, u32), FxHashMap<VarId, Var>>,
    instances: Vec<Instance>,
    pub recursion: Recursion,
    pub pending: Vec<PendingJoin>,
    /// Variables of lowering's own, with the values that they start with.
    initial: Vec<(Var, Term)>,
    /// The statements of each procedure that lie on a cycle of it.
    cycles: FxHashMap<ProcId, Rc<FxHashSet<Site>>>,
    /// Whose instance a local variable belongs to.
    pub owners: FxHashMap<Var, ThreadId>,
    /// The templates by who starts them, and at which of his sites.
    pub templates: FxHashMap<(Result<TemplateId, ThreadId>, u32), TemplateId>,
    /// The counters of forks that can be passed more than once, with how many instances there are.
    pub fork_counters: FxHashMap<Var, Term>,
    /// The threads beyond these numbers of instances whose handles somebody keeps.
    pub unnumbered: Vec<Unnumbered>,
}

impl<'a, 'p> Lowering<'a, 'p> {
    pub fn new(program: &'a ast::Program, pool: &'p TermPool, options: LowerOptions) -> Self {
        let functions = program.functions.iter().map(|function| {
            let arguments: Vec<Sort> = function.arguments.iter().map(|ty| sort(pool, ty)).collect();
            pool.fun(&function.name, &arguments, sort(pool, &function.result))
        });
        let mut lowering = Lowering {
            program,
            pool,
            options,
            automata: Vec::new(),
            variables: Vec::new(),
            unmodelled: Vec::new(),
            functions: functions.collect(),
            globals: FxHashMap::default(),
            locals: FxHashMap::default(),
            instances: Vec::new(),
            recursion: Recursion::of(program),
            pending: Vec::new(),
            initial: Vec::new(),
            cycles: FxHashMap::default(),
            owners: FxHashMap::default(),
            templates: FxHashMap::default(),
            fork_counters: FxHashMap::default(),
            unnumbered: Vec::new(),
        };
        for (number, variable) in program.variables.iter().enumerate() {
            let sort = sort(pool, &variable.ty);
            let var = match variable.storage {
                Storage::Global => lowering.declare_as(&variable.name, sort, variable.span, Some(VarId(number as u32))),
                // It is never free, so nothing that is put into a formula can be captured.
                Storage::Bound => lowering.unused(&variable.name, sort),
                Storage::Local(_) => continue,
            };
            lowering.globals.insert(VarId(number as u32), var);
        }
        lowering
    }

    /// A variable of lowering's own.
    pub fn declare(&mut self, name: &str, sort: Sort, span: Span) -> Var {
        self.declare_as(name, sort, span, None)
    }

    /// A variable of the program, or a copy of one.
    fn declare_as(&mut self, name: &str, sort: Sort, span: Span, source: Option<VarId>) -> Var {
        let var = self.unused(name, sort);
        self.variables.push(Variable { var, span, owner: None, source });
        var
    }

    /// A variable of the wanted name, or of that name with a number where it is taken.
    fn unused(&self, name: &str, sort: Sort) -> Var {
        let mut unique = name.to_owned();
        let mut number = 2;
        while self.pool.find_var(&unique).is_some() || self.pool.find_fun(&unique).is_some() {
            unique = format!("{name}.{number}");
            number += 1;
        }
        self.pool.var(&unique, sort)
    }

    pub fn main(&mut self) -> Result<(), LowerError> {
        let main = self.program.main;
        let span = self.program.procedure(main).body.span;
        self.automata.push(Automaton::new("main".into(), Origin::Initial, false, span));
        let frame = self.frame((ThreadId::MAIN, self.pool.int(0)), main, &[], self.automata[0].exit);
        let (entry, exit) = (self.automata[0].entry, self.automata[0].exit);
        self.body(ThreadId::MAIN, &frame, entry, exit)
    }

    /// Gives lowering's own variables their first values, by a first action of the first thread.
    pub fn initialise(&mut self) {
        if self.initial.is_empty() {
            return;
        }
        let main = &mut self.automata[0];
        let (span, old) = (main.locations[main.entry.index()].span, main.entry);
        main.entry = main.location(span);
        let assignments = std::mem::take(&mut self.initial);
        main.edge(main.entry, old, vec![Step { kind: StepKind::Assign(assignments), span }], span);
    }

    /// The copy of a variable that the frame's instance has.
    pub fn var(&self, frame: &Frame, id: VarId) -> Var {
        let global = || self.globals.get(&id);
        *frame.locals.get(&id).or_else(global).expect("a procedure uses only globals and its own locals")
    }

    /// A frame for a procedure that runs in a thread of the given identity.
    pub fn frame(
        &mut self,
        (thread, identity): (ThreadId, Term),
        procedure: ProcId,
        callers: &[ProcId],
        exit: Location,
    ) -> Rc<Frame> {
        self.frame_at((thread, identity), procedure, callers, exit, None)
    }

    /// A frame for a procedure whose body may be shared.
    pub fn frame_at(
        &mut self,
        (thread, identity): (ThreadId, Term),
        procedure: ProcId,
        callers: &[ProcId],
        exit: Location,
        level: Option<Level>,
    ) -> Rc<Frame> {
        let depth = match level {
            Some(level) => level.depth(),
            None => callers.iter().filter(|&&caller| caller == procedure).count() as u32,
        };
        let key = (thread, procedure, depth);
        if !self.locals.contains_key(&key) {
            let name = &self.automata[thread.index()].name;
            let prefix = if thread == ThreadId::MAIN && procedure == self.program.main {
                String::new()
            } else {
                format!("{name}.")
            };
            let mut copies = FxHashMap::default();
            for (number, variable) in self.program.variables.iter().enumerate() {
                let is_identity = self.program.procedure(procedure).identity == Some(VarId(number as u32));
                if variable.storage == Storage::Local(procedure) && !is_identity {
                    let name = format!("{prefix}{}", variable.name);
                    let source = Some(VarId(number as u32));
                    let copy = self.declare_as(&name, sort(self.pool, &variable.ty), variable.span, source);
                    copies.insert(VarId(number as u32), copy);
                    self.owners.insert(copy, thread);
                }
            }
            self.locals.insert(key, copies);
        }
        let stack: Rc<[ProcId]> = callers.iter().copied().chain([procedure]).collect();
        let locals = self.locals[&key].clone();
        Rc::new(Frame {
            procedure,
            locals,
            identity,
            return_to: (thread, exit),
            labels: RefCell::default(),
            stack,
            level,
        })
    }

    /// The instance's local variables that are not parameters, in order of declaration.
    pub fn uninitialised(&self, frame: &Frame) -> Vec<Var> {
        let parameters = &self.program.procedure(frame.procedure).parameters;
        let mut locals: Vec<(VarId, Var)> =
            frame.locals.iter().filter(|(id, _)| !parameters.contains(id)).map(|(&id, &var)| (id, var)).collect();
        locals.sort_unstable();
        locals.into_iter().map(|(_, var)| var).collect()
    }

    /// Can this statement of the frame's procedure run more than once in its thread, or the thread be started again?
    pub fn repeats(&mut self, thread: ThreadId, frame: &Frame, stmt: &Stmt) -> bool {
        let body = &self.program.procedure(frame.procedure).body;
        let cycles = self.cycles.entry(frame.procedure).or_insert_with(|| Rc::new(cycles::repeating(body)));
        self.automata[thread.index()].repeats || cycles.contains(&std::ptr::from_ref(stmt))
    }

    /// A new thread for a branch of a `par` of `parent`.
    pub fn branch(&mut self, parent: ThreadId, group: u32, repeats: bool, span: Span) -> ThreadId {
        let automaton = &mut self.automata[parent.index()];
        automaton.branches += 1;
        let number = automaton.branches;
        let name = if parent == ThreadId::MAIN { format!("t{number}") } else { format!("{}.{number}", automaton.name) };
        self.automata.push(Automaton::new(name, Origin::Branch { parent, group }, repeats, span));
        ThreadId(self.automata.len() as u32 - 1)
    }

    /// A new forked thread, its body lowered; gives the thread and its identity.
    pub fn instance(
        &mut self,
        (parent, template): (ThreadId, Option<TemplateId>),
        procedure: ProcId,
        callers: &[ProcId],
        start: Start,
        known: Option<Term>,
    ) -> Result<(ThreadId, Rc<Frame>, Term), LowerError> {
        let declared = self.program.procedure(procedure);
        let same_name = |automaton: &Automaton| {
            automaton.name == declared.name || automaton.name.starts_with(&format!("{}.", declared.name))
        };
        let count = self.automata.iter().filter(|automaton| same_name(automaton)).count();
        let name = if count == 0 { declared.name.clone() } else { format!("{}.{}", declared.name, count + 1) };
        let thread = ThreadId(self.automata.len() as u32);
        // Where its fork can be passed again, a counter sees to it that the next one takes another instance.
        let mut automaton =
            Automaton::new(name.clone(), Origin::Forked { parent }, template.is_some(), declared.body.span);
        automaton.template = template;
        let (entry, exit) = (automaton.entry, automaton.exit);
        self.automata.push(automaton);
        let identity = match start {
            Start::Async if template.is_none() => self.pool.int(i64::from(thread.0)),
            Start::Fork | Start::Async => {
                let var = self.declare(&format!("{name}.identity"), Sort::INT, declared.span);
                self.owners.insert(var, thread);
                self.automata[thread.index()].number = Some(var).filter(|_| start == Start::Async);
                self.pool.of_var(var)
            }
        };
        let frame = self.frame((thread, identity), procedure, callers, exit);
        let results = declared.results.iter().map(|&result| self.var(&frame, result)).collect();
        self.instances.push(Instance { thread, start, identity, known: known.unwrap_or(identity), results });
        self.body(thread, &frame, entry, exit)?;
        Ok((thread, frame, identity))
    }

    /// A variable of lowering's own with a first value.
    pub fn auxiliary(&mut self, name: &str, first: Term, span: Span) -> Var {
        let var = self.declare(name, self.pool.sort_of(first), span);
        self.initial.push((var, first));
        var
    }

    /// Gives every join one edge for each instance that it may wait for.
    pub fn resolve_joins(&mut self) {
        for join in std::mem::take(&mut self.pending) {
            if self.program.claim.is_about_waiting() {
                self.join_of_a_stranger(&join);
            }
            for instance in &self.instances {
                let sorts = |vars: &[Var]| vars.iter().map(|&var| self.pool.var_sort(var)).collect::<Vec<_>>();
                let fits = join.results.is_empty() || sorts(&join.results) == sorts(&instance.results);
                if instance.start != join.start || !fits || self.pool.surely_different(join.identity, instance.known) {
                    continue;
                }
                // Who waits for a thread looks at its identity before it ends.
                let waits = self.program.claim.is_about_waiting();
                let identity = if waits { instance.known } else { instance.identity };
                let same = self.pool.eq(join.identity, identity);
                let mut steps = vec![Step { kind: StepKind::Assume(same), span: join.span }];
                if !join.results.is_empty() {
                    let values = instance.results.iter().map(|&var| self.pool.of_var(var));
                    let assignments = join.results.iter().copied().zip(values).collect();
                    steps.push(Step { kind: StepKind::Assign(assignments), span: join.span });
                }
                self.automata[join.thread.index()].edges.push(Edge {
                    source: join.source,
                    target: join.target,
                    steps,
                    forks: Vec::new(),
                    joins: vec![instance.thread],
                    span: join.span,
                });
            }
        }
    }

    /// A join of a thread that was not started here (the first one, say) waits for what is not modelled. 0 is a handle that nobody was
    /// given, which counts where no thread is ever started.
    fn join_of_a_stranger(&mut self, join: &PendingJoin) {
        let pool = self.pool;
        let instances = self.instances.iter().filter(|instance| instance.start == join.start);
        let others: Vec<Term> = instances.map(|instance| pool.not(pool.eq(join.identity, instance.known))).collect();
        let least = pool.int(i64::from(!others.is_empty()));
        let stranger = pool.and(others.into_iter().chain([pool.ge(join.identity, least)]));
        if stranger != Term::FALSE {
            let reason = "a thread is joined that was not started";
            let number = self.unmodelled_reason(reason);
            let error = self.automata[join.thread.index()].error(Violation::Unmodelled(number), join.span);
            let step = Step { kind: StepKind::Assume(stranger), span: join.span };
            self.automata[join.thread.index()].edge(join.source, error, vec![step], join.span);
        }
    }

    /// The number of a reason why something is not modelled.
    pub fn unmodelled_reason(&mut self, reason: &str) -> u32 {
        let known = self.unmodelled.iter().position(|known| known == reason);
        known.unwrap_or_else(|| {
            self.unmodelled.push(reason.to_owned());
            self.unmodelled.len() - 1
        }) as u32
    }

    /// The identities that are not always the same.
    pub fn open_identities(&self) -> impl Iterator<Item = Term> + '_ {
        self.instances.iter().map(|instance| instance.known).filter(|known| !self.pool.free_vars(*known).is_empty())
    }

    /// The number that each thread is known by, if that is always the same and no other thread has it. Branches of a `par` share
    /// that of the thread around them.
    pub fn identities(&self) -> Vec<Option<i64>> {
        let mut found: Vec<Option<i64>> = vec![None; self.automata.len()];
        found[ThreadId::MAIN.index()] = Some(0);
        for instance in &self.instances {
            if let Node::Integer(value) = self.pool.node(instance.known) {
                found[instance.thread.index()] = value.to_i64();
            }
        }
        for automaton in self.automata.iter().rev() {
            if let Origin::Branch { parent, .. } = automaton.origin {
                found[parent.index()] = None;
            }
        }
        let is_shared = |number: &i64| found.iter().filter(|other| **other == Some(*number)).count() > 1;
        found.iter().map(|number| number.filter(|number| !is_shared(number))).collect()
    }

    /// The user's formulas, over global variables.
    pub fn seeds(&mut self) -> Vec<Term> {
        let main = self.program.main;
        let exit = self.automata[0].exit;
        let frame = self.frame((ThreadId::MAIN, self.pool.int(0)), main, &[], exit);
        self.program.seeds.iter().map(|seed| self.term(&frame, seed)).collect()
    }
}
