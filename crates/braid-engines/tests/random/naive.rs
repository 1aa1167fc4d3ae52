//! A second opinion: an enumerator of all interleavings and all inputs in a small domain, straight from the structured
//! program. It shares nothing with lowering, the interpreter or `explicit`: machine integers, maps, and one rule per
//! statement. Arrays have the indices `0 .. CELLS`, functions take arguments in `0 .. CELLS`; programs see to that.

use braid_program::ast::{
    Claim, Expr, ExprKind, FunId, LabelId, Op, ProcId, Program, Stmt, StmtKind, Storage, Type, VarId,
};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{Hash, Hasher};

pub const CELLS: usize = 2;
/// Where a frame keeps the identity of the thread that it belongs to.
const IDENTITY: VarId = VarId(u32::MAX);

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Val {
    Bool(bool),
    Int(i64),
    Array(Vec<i64>),
}

type Frame = BTreeMap<VarId, Val>;

/// A statement of the program, compared by where it is.
#[derive(Clone, Copy)]
struct At<'a>(&'a Stmt);

impl PartialEq for At<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for At<'_> {}

impl Hash for At<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

/// What a thread still has to do; frames are numbers into `State::frames`.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Work<'a> {
    Do(At<'a>, usize),
    /// Behind the last statement of a sequence with labels: jumps find them here.
    Scope(At<'a>, usize),
    /// Behind an atomic block.
    EndAtomic,
    /// Wait for the branches of a `par`.
    Await(Vec<usize>),
    /// Hand results over to the caller's variables, and drop the frame.
    Leave {
        procedure: ProcId,
        frame: usize,
        results: Vec<VarId>,
        caller: usize,
    },
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Thread<'a> {
    /// The next thing is last.
    work: Vec<Work<'a>>,
    /// Of forked threads: identity, procedure and frame, for who joins it.
    forked: Option<(i64, ProcId, usize)>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State<'a> {
    /// How many tasks were started.
    tasks: i64,
    globals: Frame,
    functions: BTreeMap<FunId, Vec<i64>>,
    frames: Vec<Option<Frame>>,
    threads: Vec<Option<Thread<'a>>>,
}

/// What the enumeration found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    Violation,
    NoViolation,
    /// Too many states: no opinion.
    GaveUp,
}

/// The states after a step, or a violation.
type Next<'a> = Result<Vec<State<'a>>, Violated>;
struct Violated;

pub struct Naive<'a> {
    program: &'a Program,
    /// The integers to try for inputs.
    domain: BTreeSet<i64>,
    most_states: usize,
    /// Was an atomic block left before all of its states were seen?
    gave_up: Cell<bool>,
}

impl<'a> Naive<'a> {
    pub fn new(program: &'a Program, domain: impl IntoIterator<Item = i64>, most_states: usize) -> Self {
        Naive { program, domain: domain.into_iter().collect(), most_states, gave_up: Cell::new(false) }
    }

    pub fn run(&self) -> Found {
        let mut seen = HashSet::new();
        let mut work = Vec::new();
        for state in self.initial_states() {
            if self.is_complete(&state) {
                return Found::Violation;
            }
            if seen.insert(state.clone()) {
                work.push(state);
            }
        }
        while let Some(state) = work.pop() {
            let Ok(next) = self.successors(&state) else { return Found::Violation };
            for state in next {
                if self.is_complete(&state) {
                    return Found::Violation;
                }
                if seen.len() > self.most_states || self.gave_up.get() {
                    return Found::GaveUp;
                }
                if seen.insert(state.clone()) {
                    work.push(state);
                }
            }
        }
        if self.gave_up.get() { Found::GaveUp } else { Found::NoViolation }
    }

    fn is_complete(&self, state: &State<'a>) -> bool {
        self.program.claim == Claim::NoCompleteExecution
            && state.threads[0].as_ref().is_some_and(|main| main.work.is_empty())
    }

    fn values(&self, ty: &Type) -> Vec<Val> {
        match ty {
            Type::Bool => vec![Val::Bool(false), Val::Bool(true)],
            Type::Int => self.domain.iter().map(|&value| Val::Int(value)).collect(),
            _ => self.rows().into_iter().map(Val::Array).collect(),
        }
    }

    fn rows(&self) -> Vec<Vec<i64>> {
        let mut rows = vec![Vec::new()];
        for _ in 0..CELLS {
            let longer = |row: &Vec<i64>| {
                let row = row.clone();
                self.domain.iter().map(move |&value| [row.clone(), vec![value]].concat())
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        rows
    }

    /// Every way to give values to variables.
    fn valuations(&self, vars: &[VarId]) -> Vec<Frame> {
        let mut all = vec![Frame::new()];
        for &var in vars {
            let values = self.values(&self.program.variable(var).ty);
            all = all
                .iter()
                .flat_map(|frame| {
                    values.iter().map(move |value| {
                        let mut frame = frame.clone();
                        frame.insert(var, value.clone());
                        frame
                    })
                })
                .collect();
        }
        all
    }

    fn variables(&self, storage: Storage) -> Vec<VarId> {
        let ids = (0..self.program.variables.len() as u32).map(VarId);
        ids.filter(|&id| self.program.variable(id).storage == storage && !self.is_identity(id)).collect()
    }

    fn is_identity(&self, id: VarId) -> bool {
        self.program.procedures.iter().any(|procedure| procedure.identity == Some(id))
    }

    fn initial_states(&self) -> Vec<State<'a>> {
        let mut tables = vec![BTreeMap::new()];
        for number in 0..self.program.functions.len() as u32 {
            tables = tables
                .iter()
                .flat_map(|table: &BTreeMap<FunId, Vec<i64>>| {
                    self.rows().into_iter().map(move |row| {
                        let mut table = table.clone();
                        table.insert(FunId(number), row);
                        table
                    })
                })
                .collect();
        }
        let main = self.program.main;
        let mut states = Vec::new();
        for globals in self.valuations(&self.variables(Storage::Global)) {
            for locals in self.valuations(&self.variables(Storage::Local(main))) {
                let mut locals = locals;
                locals.insert(IDENTITY, Val::Int(0));
                for functions in &tables {
                    let body = Work::Do(At(&self.program.procedure(main).body), 0);
                    let mut state = State {
                        tasks: 0,
                        globals: globals.clone(),
                        functions: functions.clone(),
                        frames: vec![Some(locals.clone())],
                        threads: vec![Some(Thread { work: vec![body], forked: None })],
                    };
                    self.settle(&mut state);
                    states.push(state);
                }
            }
        }
        states
    }

    /// Unpacks sequences and scopes, ends calls, and takes threads away that nobody will ask for.
    fn settle(&self, state: &mut State<'a>) {
        (0..state.threads.len()).for_each(|thread| self.settle_one(state, thread));
    }

    fn settle_one(&self, state: &mut State<'a>, thread: usize) {
        {
            while let Some(next) = state.threads[thread].as_mut().and_then(|thread| thread.work.pop()) {
                let Some(again) = self.unpack(state, thread, next) else { continue };
                state.threads[thread].as_mut().expect("it was there").work.push(again);
                break;
            }
        }
    }

    /// Does what is no step; gives back what is one.
    fn unpack(&self, state: &mut State<'a>, thread: usize, next: Work<'a>) -> Option<Work<'a>> {
        let work = &mut state.threads[thread].as_mut().expect("it was there").work;
        match next {
            Work::Do(At(stmt), frame) => match &stmt.kind {
                StmtKind::Seq(stmts) if stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Label(_))) => {
                    work.push(Work::Scope(At(stmt), frame));
                    work.extend(stmts.iter().rev().map(|stmt| Work::Do(At(stmt), frame)));
                }
                StmtKind::Label(_) => {}
                StmtKind::Seq(stmts) => work.extend(stmts.iter().rev().map(|stmt| Work::Do(At(stmt), frame))),
                StmtKind::Declare(_, body) => work.push(Work::Do(At(body), frame)),
                StmtKind::Return => while work.pop_if(|work| !matches!(work, Work::Leave { .. })).is_some() {},
                _ => return Some(next),
            },
            Work::Scope(..) | Work::EndAtomic => {}
            _ => return Some(next),
        }
        None
    }

    fn successors(&self, state: &State<'a>) -> Next<'a> {
        let mut all = Vec::new();
        for number in 0..state.threads.len() {
            all.extend(self.steps_of(state, number)?);
        }
        Ok(all)
    }

    /// The states after a step of one thread.
    fn steps_of(&self, state: &State<'a>, number: usize) -> Next<'a> {
        let Some(next) = state.threads[number].as_ref().and_then(|thread| thread.work.last()) else {
            return Ok(Vec::new());
        };
        let mut rest = state.clone();
        rest.threads[number].as_mut().expect("it is there").work.pop();
        let mut after = match next {
            Work::Do(At(stmt), frame) => self.step(rest, number, stmt, *frame)?,
            Work::Await(children) => {
                let over = |&child: &usize| rest.threads[child].as_ref().is_some_and(|t| t.work.is_empty());
                if !children.iter().all(over) {
                    return Ok(Vec::new());
                }
                children.iter().for_each(|&child| rest.threads[child] = None);
                vec![rest]
            }
            Work::Leave { procedure, frame, results, caller } => {
                self.hand_over(&mut rest, *procedure, *frame, results, *caller);
                rest.frames[*frame] = None;
                vec![rest]
            }
            Work::Scope(..) | Work::EndAtomic => unreachable!("these are no steps"),
        };
        after.iter_mut().for_each(|state| self.settle(state));
        Ok(after)
    }

    fn hand_over(&self, state: &mut State<'a>, procedure: ProcId, frame: usize, results: &[VarId], caller: usize) {
        let sources = &self.program.procedure(procedure).results;
        let values: Vec<Val> = sources.iter().map(|&var| self.get(state, frame, var)).collect();
        results.iter().zip(values).for_each(|(&var, value)| self.set(state, caller, var, value));
    }

    fn step(&self, mut state: State<'a>, thread: usize, stmt: &'a Stmt, frame: usize) -> Next<'a> {
        let push = |state: &mut State<'a>, work: Work<'a>| {
            state.threads[thread].as_mut().expect("it is there").work.push(work);
        };
        Ok(match &stmt.kind {
            StmtKind::Assume(_) | StmtKind::Assert(..) | StmtKind::Assign(_) | StmtKind::Havoc(_) => {
                self.simple(state, stmt, frame)?
            }
            StmtKind::Atomic(body) if is_atomic(&state, thread) => {
                push(&mut state, Work::Do(At(body), frame));
                vec![state]
            }
            StmtKind::Atomic(body) => {
                push(&mut state, Work::EndAtomic);
                push(&mut state, Work::Do(At(body), frame));
                self.atomically(state, thread)?
            }
            StmtKind::Goto(labels) => labels
                .iter()
                .map(|&label| {
                    let mut state = state.clone();
                    jump(&mut state.threads[thread].as_mut().expect("it is there").work, label);
                    state
                })
                .collect(),
            StmtKind::Choice(branches) => branches
                .iter()
                .map(|branch| {
                    let mut state = state.clone();
                    push(&mut state, Work::Do(At(branch), frame));
                    state
                })
                .collect(),
            StmtKind::If(test, then, other) => {
                let branch = if self.truth(&state, frame, test) { Some(&**then) } else { other.as_deref() };
                branch.into_iter().for_each(|branch| push(&mut state, Work::Do(At(branch), frame)));
                vec![state]
            }
            StmtKind::While(test, body) => {
                if self.truth(&state, frame, test) {
                    push(&mut state, Work::Do(At(stmt), frame));
                    push(&mut state, Work::Do(At(body), frame));
                }
                vec![state]
            }
            StmtKind::Loop(body) => {
                let mut again = state.clone();
                push(&mut again, Work::Do(At(stmt), frame));
                push(&mut again, Work::Do(At(body), frame));
                vec![state, again]
            }
            StmtKind::Par(branches) => {
                let start = |branch| Thread { work: vec![Work::Do(At(branch), frame)], forked: None };
                let children = branches.iter().map(|branch| place(&mut state.threads, start(branch))).collect();
                push(&mut state, Work::Await(children));
                vec![state]
            }
            StmtKind::Call { results, procedure, arguments } => {
                let enter = |mut state: State<'a>, callee: Frame| {
                    let callee = place(&mut state.frames, callee);
                    let (procedure, results) = (*procedure, results.clone());
                    push(&mut state, Work::Leave { procedure, frame: callee, results, caller: frame });
                    push(&mut state, Work::Do(At(&self.program.procedure(procedure).body), callee));
                    state
                };
                let identity = self.get(&state, frame, IDENTITY);
                let frames = self.callee_frames(&state, frame, *procedure, arguments, identity);
                frames.into_iter().map(|callee| enter(state.clone(), callee)).collect()
            }
            StmtKind::Fork { identity, procedure, arguments } => {
                let identity = self.int(&state, frame, identity);
                let start = |mut state: State<'a>, callee: Frame| {
                    let callee = place(&mut state.frames, callee);
                    let work = vec![Work::Do(At(&self.program.procedure(*procedure).body), callee)];
                    place(&mut state.threads, Thread { work, forked: Some((identity, *procedure, callee)) });
                    state
                };
                let frames = self.callee_frames(&state, frame, *procedure, arguments, Val::Int(identity));
                frames.into_iter().map(|callee| start(state.clone(), callee)).collect()
            }
            // All threads of a program are tasks, or none is: handles and identities are not told apart.
            StmtKind::Async { handle, procedure, arguments } => {
                state.tasks += 1;
                let identity = state.tasks;
                let start = |mut state: State<'a>, callee: Frame| {
                    let callee = place(&mut state.frames, callee);
                    let work = vec![Work::Do(At(&self.program.procedure(*procedure).body), callee)];
                    place(&mut state.threads, Thread { work, forked: Some((identity, *procedure, callee)) });
                    handle.iter().for_each(|&handle| self.set(&mut state, frame, handle, Val::Int(identity)));
                    state
                };
                let frames = self.callee_frames(&state, frame, *procedure, arguments, Val::Int(identity));
                frames.into_iter().map(|callee| start(state.clone(), callee)).collect()
            }
            StmtKind::Join { results, identity } | StmtKind::Wait { results, handle: identity } => {
                let identity = self.int(&state, frame, identity);
                let mut after = Vec::new();
                for (child, thread) in state.threads.iter().enumerate() {
                    let Some(Thread { work, forked: Some((name, procedure, callee)) }) = thread else { continue };
                    if work.is_empty() && *name == identity {
                        let mut state = state.clone();
                        self.hand_over(&mut state, *procedure, *callee, results, frame);
                        state.frames[*callee] = None;
                        state.threads[child] = None;
                        after.push(state);
                    }
                }
                after
            }
            other => unreachable!("the generator does not make {other:?}"),
        })
    }

    fn callee_frames(
        &self,
        state: &State<'a>,
        caller: usize,
        procedure: ProcId,
        arguments: &[Expr],
        identity: Val,
    ) -> Vec<Frame> {
        let parameters = &self.program.procedure(procedure).parameters;
        let locals: Vec<VarId> =
            self.variables(Storage::Local(procedure)).into_iter().filter(|local| !parameters.contains(local)).collect();
        let mut frames = self.valuations(&locals);
        for frame in &mut frames {
            frame.insert(IDENTITY, identity.clone());
            for (&parameter, argument) in parameters.iter().zip(arguments) {
                frame.insert(parameter, self.value(state, caller, argument));
            }
        }
        frames
    }

    fn simple(&self, mut state: State<'a>, stmt: &Stmt, frame: usize) -> Next<'a> {
        match &stmt.kind {
            StmtKind::Assume(formula) => Ok(if self.truth(&state, frame, formula) { vec![state] } else { vec![] }),
            StmtKind::Assert(_, formula) => {
                if self.truth(&state, frame, formula) {
                    Ok(vec![state])
                } else {
                    Err(Violated)
                }
            }
            StmtKind::Assign(assignments) => {
                let values: Vec<Val> = assignments.iter().map(|(_, expr)| self.value(&state, frame, expr)).collect();
                assignments.iter().zip(values).for_each(|((var, _), value)| self.set(&mut state, frame, *var, value));
                Ok(vec![state])
            }
            StmtKind::Havoc(vars) => {
                let write = |valuation: Frame| {
                    let mut state = state.clone();
                    valuation.into_iter().for_each(|(var, value)| self.set(&mut state, frame, var, value));
                    state
                };
                Ok(self.valuations(vars).into_iter().map(write).collect())
            }
            _ => unreachable!("only simple statements come here"),
        }
    }

    /// All ways through the atomic block that the thread has just entered, to where it is left.
    fn atomically(&self, mut state: State<'a>, thread: usize) -> Next<'a> {
        self.settle_one(&mut state, thread);
        let (mut seen, mut work, mut after) = (HashSet::new(), vec![state], Vec::new());
        while let Some(state) = work.pop() {
            if seen.len() > self.most_states / 4 {
                self.gave_up.set(true);
                break;
            }
            if !seen.insert(state.clone()) {
                continue;
            }
            if is_atomic(&state, thread) {
                work.extend(self.steps_of(&state, thread)?);
            } else {
                after.push(state);
            }
        }
        Ok(after)
    }

    fn get(&self, state: &State<'a>, frame: usize, var: VarId) -> Val {
        let var = if self.is_identity(var) { IDENTITY } else { var };
        match self.program.variables.get(var.index()).map(|variable| variable.storage) {
            Some(Storage::Global) => state.globals[&var].clone(),
            _ => state.frames[frame].as_ref().expect("the frame lives")[&var].clone(),
        }
    }

    fn set(&self, state: &mut State<'a>, frame: usize, var: VarId, value: Val) {
        match self.program.variable(var).storage {
            Storage::Global => state.globals.insert(var, value),
            Storage::Local(_) => state.frames[frame].as_mut().expect("the frame lives").insert(var, value),
            Storage::Bound => unreachable!("nothing writes a bound variable"),
        };
    }

    fn truth(&self, state: &State<'a>, frame: usize, expr: &Expr) -> bool {
        match self.value(state, frame, expr) {
            Val::Bool(value) => value,
            other => unreachable!("{other:?} is not a truth value"),
        }
    }

    fn int(&self, state: &State<'a>, frame: usize, expr: &Expr) -> i64 {
        match self.value(state, frame, expr) {
            Val::Int(value) => value,
            other => unreachable!("{other:?} is not an integer"),
        }
    }

    fn value(&self, state: &State<'a>, frame: usize, expr: &Expr) -> Val {
        let (op, operands) = match &expr.kind {
            ExprKind::Bool(value) => return Val::Bool(*value),
            ExprKind::Int(value) => return Val::Int(value.to_i64().expect("small numbers")),
            ExprKind::Var(var) => return self.get(state, frame, *var),
            ExprKind::Op(op, operands) => (*op, operands),
            ExprKind::Apply(fun, arguments) => {
                return Val::Int(state.functions[fun][self.int(state, frame, &arguments[0]) as usize]);
            }
            ExprKind::ConstArray(element) => return Val::Array(vec![self.int(state, frame, element); CELLS]),
            ExprKind::BitVec(_) => unreachable!("the generator makes no bit-vectors"),
            ExprKind::Quantified(..) => unreachable!("the generator makes no quantifiers"),
        };
        let int = |number: usize| self.int(state, frame, &operands[number]);
        let truth = |number: usize| self.truth(state, frame, &operands[number]);
        let value = |number: usize| self.value(state, frame, &operands[number]);
        match op {
            Op::Not => Val::Bool(!truth(0)),
            Op::And => Val::Bool((0..operands.len()).all(truth)),
            Op::Or => Val::Bool((0..operands.len()).any(truth)),
            Op::Implies => Val::Bool(!truth(0) || truth(1)),
            Op::Eq => Val::Bool(value(0) == value(1)),
            Op::Distinct => Val::Bool(value(0) != value(1)),
            Op::Ite => value(if truth(0) { 1 } else { 2 }),
            Op::Add => Val::Int(int(0) + int(1)),
            Op::Sub => Val::Int(int(0) - int(1)),
            Op::Mul => Val::Int(int(0) * int(1)),
            Op::Div => Val::Int(int(0).div_euclid(int(1))),
            Op::Mod => Val::Int(int(0).rem_euclid(int(1))),
            Op::Lt => Val::Bool(int(0) < int(1)),
            Op::Le => Val::Bool(int(0) <= int(1)),
            Op::Gt => Val::Bool(int(0) > int(1)),
            Op::Ge => Val::Bool(int(0) >= int(1)),
            Op::Select | Op::Store => {
                let Val::Array(mut cells) = value(0) else { unreachable!("only arrays have cells") };
                let index = int(1) as usize;
                if op == Op::Select {
                    return Val::Int(cells[index]);
                }
                cells[index] = int(2);
                Val::Array(cells)
            }
            Op::Bv(_) => unreachable!("the generator makes no bit-vectors"),
        }
    }
}

/// Puts a thing into the first free place.
fn place<T>(places: &mut Vec<Option<T>>, thing: T) -> usize {
    let free = places.iter().position(Option::is_none).unwrap_or(places.len());
    if free == places.len() {
        places.push(None);
    }
    places[free] = Some(thing);
    free
}

/// Is the thread inside an atomic block?
fn is_atomic(state: &State<'_>, thread: usize) -> bool {
    state.threads[thread].as_ref().expect("it is there").work.contains(&Work::EndAtomic)
}

/// Goes on behind a label of the innermost sequence that has it.
fn jump(work: &mut Vec<Work<'_>>, label: LabelId) {
    while let Some(next) = work.pop() {
        let Work::Scope(At(seq), frame) = next else { continue };
        let StmtKind::Seq(stmts) = &seq.kind else { unreachable!("only sequences have labels") };
        let Some(place) = stmts.iter().position(|stmt| stmt.kind == StmtKind::Label(label)) else { continue };
        work.push(next);
        work.extend(stmts[place + 1..].iter().rev().map(|stmt| Work::Do(At(stmt), frame)));
        return;
    }
    unreachable!("the generator jumps only to labels around the jump")
}
