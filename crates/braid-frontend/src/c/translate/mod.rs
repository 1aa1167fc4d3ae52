//! From the typed tree of a C program to a structured program.
//!
//! *Exactness*: the structured program has exactly the executions of the C program that have no undefined behaviour, each step being
//! one access to memory that another thread may see; or more than those, where that is asked for (`defined`). What cannot
//! be said exactly is rejected by name. Where C or the verification community leaves a choice, this is it:
//!
//! * `malloc` succeeds.
//! * A function without a body returns any value and does nothing else; it is rejected where it gets a function that it could
//!   call, or the handle of a thread that it could join.
//! * Memory is sequentially consistent. Threads that are blocked forever violate nothing.
//!
//! The translation makes decisions (is an array a set of variables, which thread is in a handle) that depend on the whole
//! program. It learns them by trying: an attempt that learned something new is thrown away and repeated with what is known.

mod access;
mod addresses;
mod assumed;
mod bytes;
mod call_graph;
mod cells;
mod condition;
mod decisions;
mod declarations;
mod defined;
mod ending;
mod expand;
mod expression;
mod floats;
mod freeing;
mod function;
mod heap;
mod initial;
mod integers;
mod layout;
mod library;
mod loops;
mod objects;
mod outside;
mod place;
mod points_to;
mod races;
mod records;
mod scalar;
mod sections;
mod statement;
mod statics;
pub(super) mod walk;

pub use crate::subject::Place;
pub(super) use build::power;
pub use integers::Ints;

use crate::c::tree::{FunctionId, LabelId, Unit, VariableId};
use crate::diagnostic::Diagnostic;
use crate::{Assumption, Effect, Externs, Reading};
use braid_logic::Integer;
use braid_program::ast::{self, Claim, ProcId, Procedure, Program, Stmt, StmtKind, Type, VarId, build};
use braid_program::source::Span;
use call_graph::CallGraph;
use decisions::Decisions;
use layout::{Bytes, Layouts};
use points_to::PointsTo;
use rustc_hash::{FxHashMap, FxHashSet};
use scalar::{Scalar, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Attempts before the translation gives up; each learns at least one thing about one object.
const ATTEMPTS: usize = 40;

/// A translated program.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The program.
    pub program: Program,
    /// How its integers are represented.
    pub ints: Ints,
    /// The variables that exist from the start, and what holds their contents.
    pub statics: Vec<(VariableId, Place)>,
    /// What the program relies on, in order.
    pub assumptions: Vec<Assumption>,
}

/// Why an attempt ended.
enum Stop {
    Rejected(Diagnostic),
    /// Mathematical integers do not do.
    NeedsBits(Span),
    /// What was learned changes what memory is: the rest of the attempt is of no use.
    Again,
}

type Result<T> = std::result::Result<T, Stop>;

fn reject<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Stop::Rejected(Diagnostic::new(span, message)))
}

/// Translates a program.
pub fn translate(unit: &Unit, options: &Reading) -> std::result::Result<Translation, Diagnostic> {
    let named = |f: &crate::c::tree::Function| f.name == "main" && f.body.is_some();
    let Some(main) = unit.functions.iter().position(named) else {
        return Err(Diagnostic::new(Span::default(), "there is no function `main`"));
    };
    let main = FunctionId(main as u32);
    let functions = call_graph::reachable(unit, main);
    let typed = Bytes::default();
    let layouts = Layouts { unit, bytes: &typed, floats_are_bits: true };
    let unrefined = PointsTo::of(layouts, &functions, FxHashMap::default());
    let graph = CallGraph::of(unit, main, &functions, &unrefined);
    let allocations = heap::types(layouts, &functions, &unrefined, &graph);
    let mut ints = options.ints.unwrap_or(Ints::Math);
    let mut decisions = Decisions::knowing(unit);
    for _ in 0..ATTEMPTS {
        let layouts = Layouts { unit, bytes: &decisions.bytes, floats_are_bits: ints == Ints::Bits };
        let points = PointsTo::of(layouts, &functions, allocations.clone());
        let mut translator = Translator::new(unit, options, ints, &graph, points, &decisions, &functions);
        match translator.program(main) {
            Ok(program) if translator.learned == decisions => {
                let statics = translator.statics();
                let assumptions = translator.assumptions(&functions);
                return Ok(Translation { program, ints, statics, assumptions });
            }
            Ok(_) | Err(Stop::Again) => decisions = translator.learned,
            Err(Stop::NeedsBits(span)) if options.ints.is_some() => {
                let error = Diagnostic::new(span, "mathematical integers do not describe this operation exactly");
                return Err(error.hint("use --ints bv"));
            }
            Err(Stop::NeedsBits(_)) => {
                decisions = Decisions::knowing(unit);
                ints = Ints::Bits;
            }
            Err(Stop::Rejected(error)) => return Err(error),
        }
    }
    Err(Diagnostic::new(
        unit.functions[main.index()].span,
        "the memory of this program is too entangled to be translated",
    ))
}

/// How a function is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
enum Role {
    #[default]
    Main,
    Thread,
    Called {
        /// From an atomic section? Where data races are checked, that makes a difference to its accesses.
        atomic: bool,
    },
}

/// Where `break` and `continue` go; labels are made when they are needed.
#[derive(Clone, Copy, Default)]
struct Jumps {
    break_to: Option<ast::LabelId>,
    continue_to: Option<ast::LabelId>,
    /// `continue` in a `switch` belongs to the loop around it.
    is_switch: bool,
}

/// A `switch` around what is being translated.
struct Switch {
    /// Of its cases, by site.
    labels: FxHashMap<usize, ast::LabelId>,
    written: FxHashSet<VariableId>,
}

/// The function that is being translated.
#[derive(Default)]
struct Frame {
    function: FunctionId,
    procedure: ProcId,
    role: Role,
    /// The result's parts; of a thread: the one value that others can join.
    results: Vec<VarId>,
    /// Whether the thread ends inside this function, and with which value.
    exit: Option<(VarId, VarId)>,
    /// How many atomic blocks this stands in.
    atomic: u32,
    /// May this be passed more than once?
    repeats: bool,
    /// The values of local variables, where they are known.
    constants: FxHashMap<VariableId, Integer>,
    jumps: Vec<Jumps>,
    switches: Vec<Switch>,
    labels: FxHashMap<LabelId, ast::LabelId>,
    identity: Option<VarId>,
    /// How many sections between `__VERIFIER_atomic_begin` and `__VERIFIER_atomic_end` are open.
    sections: u32,
    /// What follows where a section ends inside of other statements.
    section_exits: Vec<(ast::LabelId, Vec<Stmt>)>,
    temporaries: u32,
    /// What the parameters of expanded functions stand for.
    bound: FxHashMap<VariableId, expand::Bound>,
    /// The call that is being expanded.
    expansion: Option<expand::Expansion>,
    /// The calls of the cleanup handlers that are pushed here, the last one at the end.
    cleanups: Vec<Vec<Stmt>>,
}

/// One attempt.
struct Translator<'u, 'd> {
    unit: &'u Unit,
    options: &'d Reading,
    ints: Ints,
    graph: &'d CallGraph,
    points: PointsTo<'d>,
    decisions: &'d Decisions,
    learned: Decisions,
    facts: Facts,
    observed: points_to::Observed,
    variables: Vec<ast::Variable>,
    procedures: Vec<Option<Procedure>>,
    /// The procedures of functions by role.
    of_function: FxHashMap<(FunctionId, Role), ProcId>,
    cells: cells::Cells,
    labels: u32,
    /// The threads started so far, where each start happens once.
    started: i64,
    /// The member that is used of each union whose members overlap.
    unions: FxHashMap<crate::c::tree::RecordId, u32>,
    frame: Frame,
    assumptions: BTreeSet<Assumption>,
    /// The functions without a body that are called.
    outside_calls: BTreeMap<String, Effect>,
    out: Vec<Stmt>,
}

/// What the tree says about variables.
#[derive(Default)]
struct Facts {
    /// Variables whose address is taken.
    addressed: FxHashSet<VariableId>,
    /// Variables that are written by name, other than by their initial value.
    written: FxHashSet<VariableId>,
    /// Variables that code of threads mentions.
    in_thread: FxHashSet<VariableId>,
    /// Local variables that are declared without an initial value.
    open: FxHashSet<VariableId>,
}

impl Facts {
    fn of(unit: &Unit, functions: &[FunctionId], graph: &CallGraph, externs: &Externs) -> Facts {
        let mut facts = Facts::default();
        // Functions without a body may write what nobody names.
        if externs.0.iter().any(|known| known.effect == Effect::Anything) {
            let variables = (0..unit.variables.len() as u32).map(VariableId);
            facts.written.extend(variables.filter(|&id| outside::is_visible(unit, id)));
            facts.in_thread.clone_from(&facts.written);
        }
        for init in unit.variables.iter().filter_map(|variable| variable.init.as_ref()) {
            walk::initial(init, walk::Context::default(), &mut |met, _| {
                facts.addressed.extend(walk::addressed(&met));
            });
        }
        for &function in functions {
            let Some(body) = &unit.functions[function.index()].body else { continue };
            let in_thread = graph.in_thread[function.index()];
            walk::body(body, &mut |met, _| {
                facts.addressed.extend(walk::addressed(&met));
                match &met {
                    walk::Met::Stmt(stmt) => facts.open.extend(match stmt.kind {
                        crate::c::tree::StmtKind::Declare(id, None) => Some(id),
                        _ => None,
                    }),
                    _ => facts.written.extend(walk::written(&met)),
                }
                if let walk::Met::Place(place) = &met
                    && in_thread
                {
                    facts.in_thread.extend(walk::root(place));
                }
            });
        }
        facts
    }
}

impl<'u, 'd> Translator<'u, 'd> {
    fn new(
        unit: &'u Unit,
        options: &'d Reading,
        ints: Ints,
        graph: &'d CallGraph,
        points: PointsTo<'d>,
        decisions: &'d Decisions,
        functions: &[FunctionId],
    ) -> Self {
        let observed = points.observed(functions);
        Translator {
            unit,
            facts: Facts::of(unit, functions, graph, &options.externs),
            options,
            ints,
            graph,
            points,
            decisions,
            learned: decisions.for_next_attempt(),
            observed,
            variables: Vec::new(),
            procedures: Vec::new(),
            of_function: FxHashMap::default(),
            cells: cells::Cells::default(),
            labels: 0,
            started: 0,
            unions: FxHashMap::default(),
            frame: Frame::default(),
            assumptions: BTreeSet::new(),
            outside_calls: BTreeMap::new(),
            out: Vec::new(),
        }
    }

    fn program(&mut self, main: FunctionId) -> Result<Program> {
        let main = self.procedure(main, Role::Main)?;
        let mut initial = self.initial_values()?;
        self.learned.unions = std::mem::take(&mut self.unions);
        let procedures: Vec<Procedure> =
            self.procedures.drain(..).map(|p| p.expect("every procedure that was begun has been finished")).collect();
        let mut program = Program {
            sources: self.unit.sources.clone(),
            variables: std::mem::take(&mut self.variables),
            functions: Vec::new(),
            procedures,
            main,
            seeds: Vec::new(),
            claim: Claim::AssertionsHold,
        };
        let body = &mut program.procedures[main.index()].body;
        let span = body.span;
        initial.push(std::mem::replace(body, Stmt::skip(span)));
        *body = Stmt { kind: StmtKind::Seq(initial), span };
        Ok(program)
    }

    fn scalar(&self, ty: &crate::c::tree::Type) -> Option<Scalar> {
        Scalar::of(ty, self.unit.data_model)
    }

    fn pointer(&self) -> Scalar {
        Scalar::pointer(self.unit.data_model)
    }

    fn emit(&mut self, kind: StmtKind, span: Span) {
        let span = self.frame.expansion.as_ref().map_or(span, |expansion| expansion.span);
        self.out.push(Stmt { kind, span });
    }

    fn assign(&mut self, variable: VarId, value: ast::Expr, span: Span) {
        self.emit(StmtKind::Assign(vec![(variable, value)]), span);
    }

    fn assume(&mut self, formula: ast::Expr, span: Span) {
        if formula.kind != ast::ExprKind::Bool(true) {
            self.emit(StmtKind::Assume(formula), span);
        }
    }

    /// What `work` emits, apart.
    fn apart<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<(Vec<Stmt>, T)> {
        let before = std::mem::take(&mut self.out);
        let result = work(self);
        let emitted = std::mem::replace(&mut self.out, before);
        Ok((emitted, result?))
    }

    /// Emits what `work` emits as one indivisible step.
    fn atomically<T>(&mut self, span: Span, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.frame.atomic > 0 {
            return work(self);
        }
        self.frame.atomic += 1;
        let result = self.apart(work);
        self.frame.atomic -= 1;
        let (mut stmts, result) = result?;
        let single = matches!(&stmts[..], [Stmt { kind: StmtKind::Assign(_) | StmtKind::Assume(_), .. }]);
        match stmts.len() {
            0 => {}
            1 if single => self.out.append(&mut stmts),
            _ => self.emit(StmtKind::Atomic(Box::new(Stmt { kind: StmtKind::Seq(stmts), span })), span),
        }
        Ok(result)
    }

    fn declare(&mut self, name: String, ty: Type, storage: ast::Storage, span: Span) -> VarId {
        self.variables.push(ast::Variable { name, ty, storage, span });
        VarId(self.variables.len() as u32 - 1)
    }

    fn var(&self, id: VarId, span: Span) -> ast::Expr {
        build::var(id, self.variables[id.index()].ty.clone(), span)
    }

    fn temporary(&mut self, ty: Type, span: Span) -> VarId {
        self.frame.temporaries += 1;
        let name = format!("t{}", self.frame.temporaries);
        self.declare(name, ty, ast::Storage::Local(self.frame.procedure), span)
    }

    fn label(&mut self) -> ast::LabelId {
        self.labels += 1;
        ast::LabelId(self.labels - 1)
    }

    /// The value in a temporary, if it reads shared memory: the read is a step of its own.
    fn settled(&mut self, value: Value, span: Span) -> Value {
        if !value.reads {
            return value;
        }
        let temporary = self.temporary(value.expr.ty.clone(), span);
        self.assign(temporary, value.expr, span);
        Value { expr: self.var(temporary, span), range: value.range, reads: false }
    }

    /// The value in a temporary, whatever it reads; a constant stays one.
    fn kept(&mut self, value: Value, span: Span) -> Value {
        let known = build::numeral(&value.expr).is_some();
        if known { value } else { self.settled(Value { reads: true, ..value }, span) }
    }

    /// Like [`Translator::settled`], at an earlier place of the output: before what has been emitted since.
    fn settled_at(&mut self, mark: usize, value: Value, span: Span) -> Value {
        let later = self.out.split_off(mark);
        let value = self.settled(value, span);
        self.out.extend(later);
        value
    }

    /// An arbitrary value of a type.
    fn arbitrary(&mut self, scalar: Scalar, span: Span) -> Value {
        self.frame.temporaries += 1;
        self.chosen(format!("t{}", self.frame.temporaries), scalar, span)
    }

    /// The same, in a variable with a name.
    fn chosen(&mut self, name: String, scalar: Scalar, span: Span) -> Value {
        let temporary = self.declare(name, self.ints.ty(scalar), ast::Storage::Local(self.frame.procedure), span);
        self.emit(StmtKind::Havoc(vec![temporary]), span);
        let expr = self.var(temporary, span);
        if let Some(range) = self.ints.in_range(scalar, &expr, span) {
            self.emit(StmtKind::Assume(range), span);
        }
        self.ints.any(scalar, expr, false)
    }

    fn number(&self, scalar: Scalar, value: i64, span: Span) -> Value {
        self.ints.constant(scalar, &Integer::from(value), span)
    }

    /// The identity of the running thread, as a mathematical integer.
    fn identity(&mut self, span: Span) -> ast::Expr {
        let id = match self.frame.identity {
            Some(id) => id,
            None => {
                let id = self.declare("self".into(), Type::Int, ast::Storage::Local(self.frame.procedure), span);
                self.frame.identity = Some(id);
                id
            }
        };
        self.var(id, span)
    }
}
