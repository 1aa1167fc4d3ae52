//! Variables and values of automata in the words of the program: `q.head->next`, `-1`, `&arr[3]`, `malloc at line 25`.
//!
//! What the user did not write has no name here, and is left out of stories: temporaries, the parts of locks, markers of checks.

use braid_frontend::c::legend::{At, Inside, Kind, Legend, Meaning, Part, Shape, library_type, path};
use braid_frontend::c::tree::{Type, Unit};
use braid_logic::{ArrayBase, Value, Var};
use braid_program::ast;
use braid_program::cfa::{Program, ThreadId, Variable};
use braid_program::source::Span;
use braid_program::{Interpreter, State};
use rustc_hash::FxHashMap;

/// What the prelude calls the parts of a lock that say who has it.
const LOCK_PARTS: [&str; 5] = [".owner", ".state", ".locked", ".held", ".count"];

/// The types of locks.
const LOCKS: [&str; 4] = ["pthread_mutex_t", "_pthread_mutex_t", "mtx_t", "pthread_rwlock_t"];

/// How temporaries begin that the compiler's own headers declare, in macros such as `atomic_load`.
const HEADER_NAMES: &str = "__atomic_";

/// A variable, or one element of an array, or of an array of arrays.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    pub var: Var,
    pub at: Vec<Value>,
}

impl Cell {
    pub fn whole(var: Var) -> Cell {
        Cell { var, at: Vec::new() }
    }
}

/// Who speaks, and when: names depend on what a thread's own pointers point to.
#[derive(Clone, Copy)]
pub struct Moment<'s> {
    pub state: &'s State,
    pub thread: ThreadId,
    /// What the thread is at, where that is one place: names are those of its function first.
    pub at: Option<Span>,
}

/// The dictionary of a program.
pub struct Words<'a, 'p> {
    program: &'a Program<'p>,
    structured: &'a ast::Program,
    interpreter: Interpreter<'a, 'p>,
    c: Option<(&'a Legend, &'a Unit)>,
    variables: FxHashMap<Var, &'a Variable>,
    /// The variables that exist once, by what they are in the structured program.
    globals: FxHashMap<ast::VarId, Var>,
    /// Variables and arrays that hold pointers, for names through them.
    pointers: Vec<(Var, Part)>,
    /// Where functions with a body begin, in order.
    functions: Vec<Span>,
}

impl<'a, 'p> Words<'a, 'p> {
    pub fn new(program: &'a Program<'p>, structured: &'a ast::Program, c: Option<(&'a Legend, &'a Unit)>) -> Self {
        let variables: FxHashMap<Var, &Variable> = program.variables.iter().map(|known| (known.var, known)).collect();
        let globals = program.variables.iter().filter(|known| known.owner.is_none());
        let globals = globals.filter_map(|known| Some((known.source?, known.var))).collect();
        let bodies = c.into_iter().flat_map(|(_, unit)| &unit.functions).filter(|function| function.body.is_some());
        let mut functions: Vec<Span> = bodies.map(|function| function.span).collect();
        functions.sort();
        let mut words = Words {
            program,
            structured,
            interpreter: Interpreter::new(program),
            c,
            variables,
            globals,
            pointers: Vec::new(),
            functions,
        };
        for known in &program.variables {
            let Some(Meaning::Part(part)) = words.meaning(known.var) else { continue };
            if part.shape == Shape::Pointer && part.offsets.len() == 1 && words.is_own(part.object) {
                words.pointers.push((known.var, part.clone()));
            }
        }
        words
    }

    fn meaning(&self, var: Var) -> Option<&'a Meaning> {
        let (legend, _) = self.c?;
        legend.variables.get(&self.variables.get(&var)?.source?)
    }

    /// Is an object one of the user's, not one of the library's?
    fn is_own(&self, object: usize) -> bool {
        self.c.is_some_and(|(legend, unit)| {
            let described = &legend.objects[object];
            let is_hidden = matches!(&described.kind, Kind::Variable { name, .. } if name.starts_with(HEADER_NAMES));
            described.span.file < unit.prelude && !is_hidden
        })
    }

    /// The thread whose variable it is.
    pub fn owner(&self, var: Var) -> Option<ThreadId> {
        self.variables.get(&var)?.owner
    }

    /// The name of a cell; none of what the user does not know.
    pub fn name(&self, cell: &Cell, moment: Moment<'_>) -> Option<String> {
        let variable = self.variables.get(&cell.var)?;
        if self.c.is_none() {
            let name = &self.structured.variable(variable.source?).name;
            let at = cell.at.iter().map(|at| format!("[{}]", plain_value(at)));
            return Some(name.clone() + &at.collect::<String>());
        }
        match (self.meaning(cell.var)?, cell.at.as_slice()) {
            (Meaning::Part(part), []) if self.is_block(part.object) && !part.library => {
                let base = self.base(part.object)?;
                self.lvalue(base.checked_add(i64::try_from(*part.offsets.first()?).ok()?)?, moment)
            }
            (Meaning::Part(part), []) if !part.library && self.is_own(part.object) => {
                let name = self.object(part.object)?;
                match (&part.path, part.offsets.as_slice()) {
                    (Some(path), _) => Some(name + path),
                    (None, &[offset]) => Some(name + &self.path(part.object, offset)?),
                    (None, _) => Some(name),
                }
            }
            (Meaning::Part(part), [at]) if !part.library && self.is_own(part.object) => {
                let offset = *part.offsets.get(usize::try_from(number(at)?).ok()?)?;
                Some(self.object(part.object)? + &self.path(part.object, offset)?)
            }
            (Meaning::Memory(_), [at]) => self.lvalue(i64::try_from(number(at)?).ok()?, moment),
            _ => None,
        }
    }

    /// Is it a program in C?
    pub fn is_c(&self) -> bool {
        self.c.is_some()
    }

    /// The lock that a variable is a part of.
    pub fn lock(&self, var: Var) -> Option<String> {
        match self.meaning(var)? {
            Meaning::Part(part) if part.library && self.is_own(part.object) => {
                let path = match (&part.path, part.offsets.as_slice()) {
                    (Some(path), _) => path.clone(),
                    (None, &[offset]) => self.path(part.object, offset)?,
                    (None, _) => String::new(),
                };
                let path = LOCK_PARTS.iter().find_map(|own| path.strip_suffix(own)).unwrap_or(&path);
                Some(self.object(part.object)? + path)
            }
            _ => None,
        }
    }

    /// Is a cell a part of a lock, by its type?
    pub fn is_lock(&self, cell: &Cell, state: &State) -> bool {
        let part = match (self.meaning(cell.var), cell.at.as_slice()) {
            (Some(Meaning::Part(part)), at) => {
                let element = at.first().map_or(Some(0), |at| usize::try_from(number(at)?).ok());
                element.and_then(|element| Some((part.object, *part.offsets.get(element)?)))
            }
            (Some(Meaning::Memory(_)), [at]) => {
                let found = number(at).and_then(|at| self.inside(i64::try_from(at).ok()?, state));
                found.and_then(|found| Some((found.object, found.offset?)))
            }
            _ => None,
        };
        let Some((legend, unit)) = self.c else { return false };
        let ty = part.and_then(|(object, offset)| library_type(unit, &legend.objects[object].ty, offset));
        ty.is_some_and(|ty| LOCKS.contains(&ty))
    }

    /// What a thread would call the lock that a cell is a part of.
    pub fn lock_name(&self, cell: &Cell, moment: Moment<'_>) -> Option<String> {
        match (self.meaning(cell.var)?, cell.at.as_slice()) {
            (Meaning::Part(part), []) if part.library && self.is_block(part.object) => {
                let base = self.base(part.object)?;
                self.lvalue(base.checked_add(i64::try_from(*part.offsets.first()?).ok()?)?, moment)
            }
            (Meaning::Part(part), [at]) if part.library && self.is_own(part.object) => {
                let offset = *part.offsets.get(usize::try_from(number(at)?).ok()?)?;
                Some(self.object(part.object)? + &self.path(part.object, offset)?)
            }
            _ => self.lock(cell.var).or_else(|| self.name(cell, moment)),
        }
    }

    /// Does a variable hold an address?
    pub fn is_pointer(&self, var: Var) -> bool {
        matches!(self.meaning(var), Some(Meaning::Part(Part { shape: Shape::Pointer, .. })))
    }

    /// Is what a variable or its elements hold an address?
    pub fn is_address(&self, var: Var) -> bool {
        self.is_pointer(var) || matches!(self.meaning(var), Some(Meaning::Memory(Shape::Pointer)))
    }

    /// The object of which a variable says that it is gone.
    pub fn gone(&self, var: Var) -> Option<usize> {
        match self.meaning(var)? {
            Meaning::Free(object) => Some(*object),
            _ => None,
        }
    }

    /// The object at an address.
    pub fn at(&self, address: i128, state: &State) -> Option<usize> {
        Some(self.inside(i64::try_from(address).ok()?, state)?.object)
    }

    /// How large the object at an address is, in words, if that is known.
    pub fn size(&self, address: i128, state: &State) -> Option<String> {
        let (legend, _) = self.c?;
        let object = &legend.objects[self.at(address, state)?];
        match (&object.ty, object.size?) {
            (Type::Array(_, Some(1)), _) => Some("1 element".to_owned()),
            (Type::Array(_, Some(count)), _) => Some(format!("{count} elements")),
            (_, 1) => Some("1 byte".to_owned()),
            (_, size) => Some(format!("{size} bytes")),
        }
    }

    /// The name of an object, if it is a variable.
    pub fn variable(&self, object: usize) -> Option<String> {
        match &self.c?.0.objects[object].kind {
            Kind::Variable { name, .. } => Some(name.clone()),
            _ => None,
        }
    }

    /// The value of a cell as the program would write it.
    pub fn value(&self, cell: &Cell, value: &Value, moment: Moment<'_>) -> String {
        let shape = match self.meaning(cell.var) {
            Some(Meaning::Part(part)) => part.shape,
            Some(Meaning::Memory(shape)) => *shape,
            Some(Meaning::Free(_)) | None => return plain_value(value),
        };
        let Some(number) = number(value) else { return "…".to_owned() };
        match shape {
            Shape::Bool => number.to_string(),
            Shape::Int { bits, signed } if bits <= 64 => wrapped(number, bits, signed).to_string(),
            Shape::Int { .. } => number.to_string(),
            Shape::Float { bits: 32 } => format!("{:?}", f32::from_bits(number as u32)),
            Shape::Float { bits: 64 } => format!("{:?}", f64::from_bits(number as u64)),
            Shape::Float { .. } => "…".to_owned(),
            Shape::Pointer => self.pointer(number, moment.state),
        }
    }

    /// The value of a cell in a state.
    pub fn current(&self, cell: &Cell, state: &State) -> Option<Value> {
        let mut value = self.interpreter.value(state, cell.var)?.clone();
        for at in &cell.at {
            let Value::Array(array) = &value else { return None };
            value = match (array.cells.get(at), &array.base) {
                (Some(value), _) | (None, ArrayBase::Constant(value)) => value.clone(),
                (None, ArrayBase::Input(_)) => return None,
            };
        }
        Some(value)
    }

    fn pointer(&self, address: i128, state: &State) -> String {
        if address == 0 {
            return "NULL".to_owned();
        }
        let found = i64::try_from(address).ok().and_then(|address| self.inside(address, state));
        let told = found.and_then(|found| self.pointed(found));
        told.unwrap_or_else(|| format!("{address:#x}"))
    }

    fn pointed(&self, Inside { object, number, offset }: Inside) -> Option<String> {
        let (legend, _) = self.c?;
        let described = &legend.objects[object];
        Some(match &described.kind {
            Kind::Function(name) => name.clone(),
            Kind::String(text) if offset == Some(0) => format!("\"{text}\""),
            Kind::String(text) => format!("\"{text}\" + {}", offset?),
            Kind::Variable { name, .. } => {
                let path = self.path(object, offset?).unwrap_or_default();
                // The first part begins where the whole does.
                let whole = offset == Some(0) && !path.starts_with('[');
                format!("&{name}{}", if whole { "" } else { path.as_str() })
            }
            Kind::Block => {
                let block = self.block(object, number);
                match offset {
                    None | Some(0) => block,
                    Some(offset) => match self.path(object, offset).filter(|path| path.starts_with('.')) {
                        Some(path) => format!("&({block}){path}"),
                        None => format!("{block} + {offset} bytes"),
                    },
                }
            }
            Kind::Outside => return None,
        })
    }

    /// A block by the call that allocated it.
    fn block(&self, object: usize, number: Option<i64>) -> String {
        let Some((legend, _)) = self.c else { return String::new() };
        let span = legend.objects[object].span;
        let text = self.program.sources.excerpt(span, 40);
        let function = text.split('(').next().unwrap_or_default().trim();
        let line = self.program.sources.position(span).line;
        let which = number.filter(|_| legend.objects[object].many).map(|number| format!(" #{}", number + 1));
        let which = which.unwrap_or_default();
        if self.program.sources.file(span.file).system {
            return format!("memory of the library{which}");
        }
        format!("{function} at line {line}{which}")
    }

    fn object(&self, object: usize) -> Option<String> {
        let (legend, _) = self.c?;
        match &legend.objects[object].kind {
            Kind::Variable { name, .. } => Some(name.clone()),
            Kind::Block => Some(format!("({})", self.block(object, None))),
            Kind::String(_) | Kind::Function(_) | Kind::Outside => None,
        }
    }

    fn is_block(&self, object: usize) -> bool {
        self.c.is_some_and(|(legend, _)| legend.objects[object].kind == Kind::Block)
    }

    /// Where an object is, if that is not chosen.
    fn base(&self, object: usize) -> Option<i64> {
        match self.c?.0.objects[object].at {
            At::Address(base) => Some(base),
            At::Nowhere | At::Chosen(..) => None,
        }
    }

    fn path(&self, object: usize, offset: u64) -> Option<String> {
        let (legend, unit) = self.c?;
        path(unit, &legend.objects[object].ty, offset)
    }

    fn inside(&self, address: i64, state: &State) -> Option<Inside> {
        let (legend, _) = self.c?;
        legend.inside(address, |variable| {
            let value = self.interpreter.value(state, *self.globals.get(&variable)?)?;
            i64::try_from(number(value)?).ok()
        })
    }

    /// What is at an address, as an expression that may be assigned: by a pointer that points there, or by its object.
    fn lvalue(&self, address: i64, moment: Moment<'_>) -> Option<String> {
        let (legend, _) = self.c?;
        let found = self.inside(address, moment.state)?;
        let described = &legend.objects[found.object];
        if !self.is_own(found.object) || matches!(described.kind, Kind::String(_)) {
            return None;
        }
        let offset = found.offset;
        let path = offset.and_then(|offset| self.path(found.object, offset));
        if let Kind::Variable { name, .. } = &described.kind {
            return Some(format!("{name}{}", path?));
        }
        let start = address.checked_sub(i64::try_from(offset?).ok()?)?;
        let through = self.pointer_to(start, moment);
        Some(match (through, path) {
            (Some(pointer), Some(path)) if path.starts_with('.') => format!("{pointer}->{}", &path[1..]),
            (Some(pointer), Some(path)) if path.is_empty() => format!("*{pointer}"),
            (Some(pointer), Some(path)) => format!("{pointer}{path}"),
            (None, Some(path)) => format!("({}){path}", self.block(found.object, found.number)),
            (_, None) => format!("({})[{}]", self.block(found.object, found.number), offset?),
        })
    }

    /// A variable that points to an address: one of the thread's own first.
    fn pointer_to(&self, address: i64, moment: Moment<'_>) -> Option<String> {
        let points = |var: Var| {
            let value = self.interpreter.value(moment.state, var)?;
            Some(number(value)? == i128::from(address))
        };
        let seen = |var: Var| self.owner(var).is_none_or(|owner| owner == moment.thread);
        let all = self.pointers.iter().filter(|(var, _)| seen(*var) && points(*var) == Some(true));
        let function = moment.at.and_then(|span| self.function(span));
        let is_near = |part: &Part| function.is_some() && self.function_of(part.object) == function;
        // What was declared last is nearest: parameters of a function come after the variables of its callers.
        let best = all.rev().min_by_key(|(var, part)| (!is_near(part), self.owner(*var).is_none()))?;
        self.name(&Cell::whole(best.0), moment)
    }

    /// The function that a place is in, if it is in one: the last that begins before it in its file.
    fn function(&self, span: Span) -> Option<usize> {
        let after = self.functions.partition_point(|known| (known.file, known.start) <= (span.file, span.start));
        after.checked_sub(1).filter(|&at| self.functions[at].file == span.file)
    }

    /// The function that an object is a variable of.
    fn function_of(&self, object: usize) -> Option<usize> {
        let described = &self.c?.0.objects[object];
        match described.kind {
            Kind::Variable { local: true, .. } => self.function(described.span),
            _ => None,
        }
    }

    /// The place of a span.
    pub fn place(&self, span: Span) -> super::Place {
        place(self.program, span)
    }
}

/// The place of a span.
pub fn place(program: &Program<'_>, span: Span) -> super::Place {
    let sources = &program.sources;
    let (first, last) = (sources.position(span), sources.position(Span { start: span.end, ..span }));
    super::Place {
        file: sources.file(span.file).name.clone(),
        line: first.line,
        column: first.column,
        end_line: last.line,
        end_column: last.column,
    }
}

/// A value as a number, if it is one.
pub fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(value) => Some(i128::from(*value)),
        Value::Int(value) => value.to_string().parse().ok(),
        Value::BitVec(value, _) => value.to_string().parse().ok(),
        Value::Element(_) | Value::Array(_) => None,
    }
}

/// A value of a language that has no other notation.
fn plain_value(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::BitVec(value, _) => value.to_string(),
        Value::Element(number) => format!("@{number}"),
        Value::Array(_) => "…".to_owned(),
    }
}

/// A number as so many bits hold it.
fn wrapped(number: i128, bits: u32, signed: bool) -> i128 {
    let (all, half) = (1i128 << bits, 1i128 << (bits - 1));
    let rest = number.rem_euclid(all);
    if signed && rest >= half { rest - all } else { rest }
}
