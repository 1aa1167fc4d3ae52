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

mod emit;
mod facts;
mod memory;

pub use braid_program::Place;
pub(super) use braid_program::ast::build::power;
pub use emit::integers::Ints;
pub(crate) use facts::call_graph::main_of;
pub(super) use facts::walk;

use crate::c::legend::Legend;
use crate::c::tree::{FunctionId, RecordId, Unit, VariableId};
use crate::diagnostic::{Diagnostic, Hint};
use crate::{Assumption, Effect, Reading};
use braid_program::ast::{self, Check, Claim, ProcId, Procedure, Program, Stmt, StmtKind};
use braid_program::source::Span;
use emit::defined::Operation;
use emit::expand::{Bound, Expansion};
use emit::frame::{Frame, Jumps, Role, Switch};
use emit::library::{Joinable, LibraryCall, has_effects, primitive_of};
use emit::loops::Loop;
use emit::output::{block, if_else};
use emit::outside::is_visible;
use emit::scalar::{BYTE, Range, Scalar, Value};
use emit::sections::{BEGIN, END};
use emit::statement::{collect_cases, writes};
use facts::call_graph::{self, CallGraph};
use facts::endings;
use facts::heap;
use facts::layout::{BitField, Bytes, Dimension, Layouts, Leaf};
use facts::objects::{HeapType, Object, ObjectId, ObjectKind, Objects, Site, site};
use facts::points_to::{Observed, PointsTo, Target};
use facts::variables::Variables;
use facts::walk::{Context, Met, root, uncast};
use memory::access::unfitting;
use memory::addresses::{DEPTH, Room};
use memory::bytes::{Joined, scalar_of};
use memory::cells::{Cell, Cells, Extra, MOST_ELEMENTS, Slot, elements};
use memory::decisions::{CellKey, Decisions, LeafKey};
use memory::declarations::scope_at;
use memory::initial::{Given, element_indices, element_offsets};
use memory::place::{Base, Candidate, Location, one_by_guard};
use memory::races::{Access, Marker};
use memory::records::Part;
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// Where effects have no order, and that is checked.
    pub unsequenced: Vec<Span>,
    /// The most rounds of a loop that is unrolled; none if loops were to stay loops.
    pub unrolled: Option<usize>,
    /// What its variables and addresses are in C.
    pub legend: Legend,
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
    let Some(main) = call_graph::main_of(unit) else {
        return Err(Diagnostic::new(Span::default(), "there is no function `main`").hint(Hint::Caller));
    };
    let functions = call_graph::reachable(unit, main);
    let entangled = || {
        let message = "the memory of this program is too entangled to be translated";
        Diagnostic::new(unit.functions[main.index()].span, message)
    };
    let captured = walk::captured(unit, &functions);
    let mut ints = options.ints.unwrap_or(Ints::Math);
    let mut decisions = Decisions::knowing(unit, &captured);
    for _ in 0..ATTEMPTS {
        let layouts = Layouts { unit, bytes: &decisions.bytes, floats_are_bits: ints == Ints::Bits };
        let (graph, allocations) = heap::facts(layouts, main, &functions).ok_or_else(entangled)?;
        let points = PointsTo::of(layouts, &functions, allocations);
        let facts = Variables::of(unit, &functions, &graph, &options.externs);
        let outliving = match options.defined || options.checks.contains(Check::Deref) {
            true => points.outliving(&graph, &facts, main),
            false => FxHashSet::default(),
        };
        let mut translator = Translator {
            unit,
            options,
            ints,
            graph: &graph,
            observed: points.observed(&functions),
            handed_over: points.handed_over(&graph, &captured),
            outliving,
            valueless: endings::valueless(unit, &functions),
            arguments_are_numbers: points.arguments_are_numbers(&functions),
            points,
            decisions: &decisions,
            learned: decisions.for_next_attempt(),
            facts,
            variables: Vec::new(),
            procedures: Vec::new(),
            of_function: FxHashMap::default(),
            cells: Cells::default(),
            labels: 0,
            started: 0,
            unions: FxHashMap::default(),
            frame: Frame::default(),
            assumptions: BTreeSet::new(),
            outside_calls: BTreeMap::new(),
            world: None,
            joinable: Joinable::default(),
            unsequenced: Vec::new(),
            unrolled: 0,
            out: Vec::new(),
        };
        match translator.program(main) {
            Ok(program) if translator.learned == decisions => {
                let statics = translator.statics();
                let unsequenced = std::mem::take(&mut translator.unsequenced);
                let legend = translator.legend();
                let unrolled = (!options.rolled).then_some(translator.unrolled);
                let assumptions = translator.assumptions(&functions);
                return Ok(Translation { program, ints, statics, assumptions, unsequenced, unrolled, legend });
            }
            Ok(_) => decisions = translator.learned,
            // Other memory has other parts: what is known of those it had is worth nothing.
            Err(Stop::Again) => {
                decisions = Decisions { bytes: translator.learned.bytes, ..Decisions::knowing(unit, &captured) }
            }
            Err(Stop::NeedsBits(span)) if options.ints.is_some() => {
                let error = Diagnostic::new(span, "mathematical integers do not describe this operation exactly");
                return Err(error.hint(Hint::BitVectors));
            }
            Err(Stop::NeedsBits(_)) => {
                decisions = Decisions::knowing(unit, &captured);
                ints = Ints::Bits;
            }
            Err(Stop::Rejected(error)) => return Err(error),
        }
    }
    Err(entangled())
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
    facts: Variables,
    observed: Observed,
    /// Objects that another thread than their own may get to.
    handed_over: FxHashSet<ObjectKind>,
    /// What of functions and threads may be pointed to after its end, where that matters.
    outliving: FxHashSet<ObjectKind>,
    /// The functions that may end without the value that they are to give.
    valueless: FxHashSet<FunctionId>,
    /// Does nobody look at the program's arguments but as numbers?
    arguments_are_numbers: bool,
    variables: Vec<ast::Variable>,
    procedures: Vec<Option<Procedure>>,
    /// The procedures of functions by role.
    of_function: FxHashMap<(FunctionId, Role), ProcId>,
    cells: Cells,
    labels: u32,
    /// The threads started so far, where each start happens once.
    started: i64,
    /// The member that is used of each union whose members overlap.
    unions: FxHashMap<RecordId, u32>,
    frame: Frame,
    assumptions: BTreeSet<Assumption>,
    /// The functions without a body that are called.
    outside_calls: BTreeMap<String, Effect>,
    /// What changes with everything that the world outside sees, if that matters.
    world: Option<ast::VarId>,
    joinable: Joinable,
    /// Where effects have no order, and that is checked.
    unsequenced: Vec<Span>,
    /// The most rounds of a loop that is unrolled.
    unrolled: usize,
    out: Vec<Stmt>,
}

impl Translator<'_, '_> {
    fn program(&mut self, main: FunctionId) -> Result<Program> {
        let main = self.procedure(main, Role::Main)?;
        let mut initial = self.initial_values()?;
        initial.extend(self.first_world());
        initial.extend(self.first_joinable());
        self.learned.starts = self.started;
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
            claim: match () {
                () if self.checks(Check::Deadlock) => Claim::NoDeadlock,
                () if self.checks(Check::Progress) => Claim::Progress,
                () => Claim::AssertionsHold,
            },
        };
        let body = &mut program.procedures[main.index()].body;
        let span = body.span;
        initial.push(std::mem::replace(body, Stmt::skip(span)));
        *body = Stmt { kind: StmtKind::Seq(initial), span };
        Ok(program)
    }
}
