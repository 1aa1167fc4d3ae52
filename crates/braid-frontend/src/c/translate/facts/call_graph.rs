//! Who calls and starts whom, and how often: counts saturate at *many*.

use crate::c::check::library::{PROGRAM_ENDS, THREAD_ENDS};
use crate::c::primitives::Primitive;
use crate::c::translate::{Met, PointsTo, primitive_of, walk};
use crate::c::tree::{Callee, Expr, ExprKind, Function, FunctionId, Unit};
use braid_program::graph::reached;
use rustc_hash::FxHashSet;

/// More than one is many.
const MANY: u8 = 2;

#[derive(Clone, Copy)]
struct Edge {
    from: FunctionId,
    to: FunctionId,
    repeats: bool,
}

/// What is known of each function, by its number.
pub struct CallGraph {
    /// How often it runs: 0, 1, or many.
    executions: Vec<u8>,
    /// How many threads run it.
    threads: Vec<u8>,
    recursive: Vec<bool>,
    /// Does any thread but the first run it?
    pub in_thread: Vec<bool>,
    /// Does it start or join threads, itself or by calls?
    pub handles_threads: Vec<bool>,
    /// Can it end the thread, itself or by calls?
    pub exits: Vec<bool>,
    /// Is it called, rather than started?
    pub called: Vec<bool>,
    /// Is it what a thread begins with?
    pub started: Vec<bool>,
    /// Are there any threads but the first?
    pub has_threads: bool,
    /// Whom each function calls, and with which functions threads begin.
    callees: Vec<Vec<usize>>,
    entries: Vec<FunctionId>,
}

fn function_that(unit: &Unit, is: impl Fn(&Function) -> bool) -> Option<FunctionId> {
    unit.functions.iter().position(is).map(|number| FunctionId(number as u32))
}

/// Where the program starts.
pub fn main_of(unit: &Unit) -> Option<FunctionId> {
    function_that(unit, |function| function.name == "main" && function.body.is_some())
}

/// What every thread does at its end.
pub fn thread_ends(unit: &Unit) -> Option<FunctionId> {
    function_that(unit, |function| function.inline && function.name == THREAD_ENDS)
}

/// What the program does at its end.
pub fn program_ends(unit: &Unit) -> Option<FunctionId> {
    function_that(unit, |function| function.inline && function.name == PROGRAM_ENDS)
}

/// The functions with a body that an execution may need: called or mentioned, from `main` on.
pub fn reachable(unit: &Unit, main: FunctionId) -> Vec<FunctionId> {
    let mut found = FxHashSet::default();
    let mut work = vec![main];
    work.extend(thread_ends(unit).into_iter().chain(program_ends(unit)));
    let mention = |met: Met<'_>, work: &mut Vec<FunctionId>| {
        if let Met::Expr(Expr { kind: ExprKind::Function(id) | ExprKind::Call(Callee::Direct(id), _), .. }) = met {
            work.push(*id);
        }
    };
    for init in unit.variables.iter().filter_map(|variable| variable.init.as_ref()) {
        Met::Init(init).each(walk::Context::default(), &mut |met, _| mention(met, &mut work));
    }
    while let Some(id) = work.pop() {
        let function = &unit.functions[id.index()];
        if function.body.is_some() && primitive_of(function).is_none() && found.insert(id) {
            walk::functions(unit, &[id], &mut |_, met, _| mention(met, &mut work));
        }
    }
    let mut order: Vec<FunctionId> = found.into_iter().collect();
    order.sort_unstable();
    order
}

impl CallGraph {
    pub fn of(unit: &Unit, main: FunctionId, functions: &[FunctionId], points: &PointsTo<'_>) -> CallGraph {
        let count = unit.functions.len();
        let (mut calls, mut starts) = (Vec::new(), Vec::new());
        let (mut handles_threads, mut exits) = (vec![false; count], vec![false; count]);
        walk::functions(unit, functions, &mut |from, met, context| {
            let Met::Expr(Expr { kind: ExprKind::Call(callee, arguments), .. }) = met else { return };
            let edge = |to| Edge { from, to, repeats: context.repeats };
            let id = match callee {
                Callee::Pointer(pointer) => return calls.extend(points.functions(pointer).into_iter().map(edge)),
                Callee::Direct(id) => *id,
            };
            let declared = &unit.functions[id.index()];
            match primitive_of(declared) {
                Some(Primitive::Start) => {
                    handles_threads[from.index()] = true;
                    let entries = arguments.get(1).map(|start| points.functions(start));
                    starts.extend(entries.unwrap_or_default().into_iter().map(edge));
                }
                Some(Primitive::Join) => handles_threads[from.index()] = true,
                Some(Primitive::ExitThread) => exits[from.index()] = true,
                Some(Primitive::Stop) if declared.name == "exit" => calls.extend(program_ends(unit).map(edge)),
                None if declared.body.is_some() => calls.push(edge(id)),
                _ => {}
            }
        });
        // Every thread ends.
        let ending = starts.iter().map(|edge: &Edge| edge.to).chain([main]);
        let ends = thread_ends(unit);
        calls.extend(ending.filter_map(|from| Some(Edge { from, to: ends?, repeats: false })));
        calls.extend(program_ends(unit).map(|to| Edge { from: main, to, repeats: false }));
        let mut called = vec![false; count];
        calls.iter().for_each(|edge| called[edge.to.index()] = true);
        let mut started = vec![false; count];
        starts.iter().for_each(|edge| started[edge.to.index()] = true);
        let reach = closure(count, &calls);
        let upwards = |flags: &mut Vec<bool>| {
            let own = flags.clone();
            for (from, reached) in reach.iter().enumerate() {
                flags[from] |= (0..count).any(|to| reached[to] && own[to]);
            }
        };
        upwards(&mut handles_threads);
        upwards(&mut exits);
        let executions = executions(count, main, &calls, &starts);
        let mut threads = vec![0u8; count];
        let mut in_thread = vec![false; count];
        let mut run = |root: FunctionId, instances: u8, first: bool| {
            for to in (0..count).filter(|&to| to == root.index() || reach[root.index()][to]) {
                threads[to] = (threads[to] + instances).min(MANY);
                in_thread[to] |= !first;
            }
        };
        run(main, 1, true);
        for edge in &starts {
            let often = if edge.repeats { MANY } else { executions[edge.from.index()] };
            run(edge.to, often.max(1), false);
        }
        let recursive = (0..count).map(|f| reach[f][f]).collect();
        let has_threads = !starts.is_empty();
        let mut callees = vec![Vec::new(); count];
        calls.iter().for_each(|edge| callees[edge.from.index()].push(edge.to.index()));
        let entries = starts.iter().map(|edge| edge.to).collect();
        CallGraph {
            executions,
            threads,
            recursive,
            in_thread,
            handles_threads,
            exits,
            called,
            started,
            has_threads,
            callees,
            entries,
        }
    }

    /// Can a thread get to a function without a call of the one around it?
    pub fn is_apart(&self, function: FunctionId, around: FunctionId) -> bool {
        let inside = |next: &usize| *next != around.index();
        let entries = self.entries.iter().map(|entry| entry.index()).filter(inside);
        let next = |from: usize| self.callees[from].iter().copied().filter(inside);
        reached(self.callees.len(), entries, next)[function.index()]
    }

    /// Does the function run at most once?
    pub fn runs_once(&self, function: FunctionId) -> bool {
        self.executions[function.index()] < MANY
    }

    /// Is there at most one running call of the function at any time?
    pub fn one_at_a_time(&self, function: FunctionId) -> bool {
        self.threads[function.index()] < MANY && !self.recursive[function.index()]
    }

    /// Can more than one thread run the function?
    pub fn in_several_threads(&self, function: FunctionId) -> bool {
        self.threads[function.index()] >= MANY
    }

    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[function.index()]
    }
}

/// Who is reached from whom, by at least one call.
fn closure(count: usize, calls: &[Edge]) -> Vec<Vec<bool>> {
    let mut next = vec![Vec::new(); count];
    calls.iter().for_each(|edge| next[edge.from.index()].push(edge.to.index()));
    (0..count).map(|start| reached(count, next[start].clone(), |to| next[to].clone())).collect()
}

fn executions(count: usize, main: FunctionId, calls: &[Edge], starts: &[Edge]) -> Vec<u8> {
    let mut executions = vec![0u8; count];
    loop {
        let mut new = vec![0u8; count];
        new[main.index()] = 1;
        for edge in calls.iter().chain(starts) {
            let often = executions[edge.from.index()];
            let often = if edge.repeats && often > 0 { MANY } else { often };
            new[edge.to.index()] = (new[edge.to.index()] + often).min(MANY);
        }
        if new == executions {
            return executions;
        }
        executions = new;
    }
}
