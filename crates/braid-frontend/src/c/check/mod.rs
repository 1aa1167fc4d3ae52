//! Syntax to the typed tree: names are resolved, types computed, silent conversions made visible.
//!
//! Only what the entry (`main`) can reach is checked: a function's body is looked at when the first reference to it is found, and so is the initial
//! value of a variable at file level. What headers define beside that may be as exotic as it likes. *Invariant*: the
//! checker is as lenient as GCC where GCC only warns, and what it cannot understand is an error, never a guess.

mod anything;
mod attributes;
mod builtins;
mod calls;
mod constants;
mod convert;
mod declarations;
mod declarators;
mod expressions;
mod format;
mod functions;
mod initialisers;
mod jumps;
mod lengths;
pub(super) mod library;
mod link;
mod literals;
mod nested;
mod operators;
mod places;
mod records;
mod scan;
mod scope;
mod statements;
pub(super) mod types;
mod variadic;

// The words that the files of the checker share: what stands in the tree has plain names, what was written and is called the same is `syntax::…`.
use super::syntax::{
    self, Attributes, Base, Declaration, Declarator, Declared, Derived, Designator, EnumSpecifier, External,
    FunctionDefinition, Infix, Initialiser, Linkage, Name, Parameters, RecordSpecifier, Specifiers, StorageClass,
    TypeName, Typed,
};
use super::tree::{
    BinaryOp, Callee, CompareOp, DataModel, Expr, ExprKind, Field, Function, FunctionAttributes, FunctionId,
    FunctionType, Init, LabelId, Place, PlaceKind, Qualified, Record, RecordId, Stmt, StmtKind, Storage, Type, UnaryOp,
    Unit, UpdateValue, Variable, VariableId,
};
use super::{floats, primitives};
use crate::{Diagnostic, Diagnostics};
use braid_logic::Integer;
use braid_program::source::{FileId, Sources, Span};
use calls::ResultUse;
use expressions::int;
use functions::{FunctionContext, Switch};
use jumps::{Cleanup, Label};
use lengths::Length;
use places::Operand;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Entity, Scopes, Tag};
use types::{INT, compatible, plain, pointer_to};

/// So many errors are reported.
const MOST_ERRORS: usize = 50;

/// The file that the prelude is, and the first one of the program.
const PRELUDE: usize = 0;
const FIRST_FILE: usize = 1;

/// The error is in the list already.
#[derive(Debug)]
struct Reported;

type Check<T> = Result<T, Reported>;

/// An expression of the text.
type Written<'t> = &'t syntax::Expr<'t>;
/// What stands in the parentheses of a call.
type Arguments<'t> = &'t [syntax::Expr<'t>];
/// For each parameter: the string literal that it is, if that is known.
type Literals = Vec<Option<u32>>;
/// An initial value in the text.
type Initial<'t> = &'t Initialiser<'t>;

/// What came of an attempt.
pub enum Checked {
    /// The program, or everything that is wrong with it.
    Done(Box<Result<Unit, Diagnostics>>),
    /// The program calls functions of the prelude that were left out.
    Asks { names: Vec<String>, sources: Sources },
}

/// Checks what stands at file level.
pub fn program<'t>(
    files: &'t [Vec<External<'t>>],
    prelude: Prelude<'t>,
    sources: Sources,
    model: DataModel,
    entry: &str,
) -> Checked {
    let Prelude { builtins, externals, left_out, arguments, first } = prelude;
    let mut checker = Checker { model, file: FIRST_FILE, left_out, ..Checker::default() };
    checker.rooms.resize_with(FIRST_FILE + files.len(), Scopes::default);
    checker.builtins(builtins);
    checker.read_files(files);
    checker.find_roots(entry);
    checker.prelude(&externals);
    checker.adopt_variables();
    while checker.next() {
        if checker.errors.len() >= MOST_ERRORS {
            break;
        }
    }
    if checker.start_with_arguments(entry, arguments) {
        while checker.next() {}
    }
    checker.run_constructors(entry);
    while checker.next() {}
    if !checker.asked.is_empty() {
        return Checked::Asks { names: checker.asked, sources };
    }
    checker.complete_tentative_arrays();
    let opaque = checker.opaque_records(first);
    let Checker { records, variables, unit_functions, strings, mut errors, link_errors, .. } = checker;
    errors.extend(link_errors);
    if errors.is_empty() {
        let (data_model, functions, prelude) = (model, unit_functions, first);
        let unit = Unit { sources, data_model, records, variables, functions, strings, opaque, prelude };
        return Checked::Done(Box::new(Ok(unit)));
    }
    errors.sort_by_key(|error| error.span);
    errors.dedup();
    Checked::Done(Box::new(Err(Diagnostics { sources, errors })))
}

/// The texts of the prelude.
pub struct Prelude<'t> {
    /// The first of them, which the program needs from its start: it declares what compilers know.
    pub builtins: &'t [External<'t>],
    pub externals: Vec<&'t External<'t>>,
    /// Functions that it defines, and that were not read.
    pub left_out: FxHashSet<&'t str>,
    /// Does it say what the program is started with?
    pub arguments: bool,
    /// The first of them among the sources.
    pub first: FileId,
}

/// What is still to be checked.
#[derive(Clone, Copy)]
enum Pending {
    /// The body of a function, as that of one of the program: there is one for each call of a function of the prelude, and one for each
    /// list of types behind `...`. The place is the call's, in the prelude.
    Body(usize, FunctionId, Span),
    Global(usize),
}

/// A variable at file level, or one that is declared `extern` in a function.
struct Global<'t> {
    /// As it is in the program, but for its initial value.
    variable: Variable,
    value: Option<Initial<'t>>,
    id: Option<VariableId>,
    /// Its initial value is checked, or waits for it.
    is_pending: bool,
    /// Where it is defined.
    file: usize,
    /// Whose declaration gave it its type: another file's records become the same only when all files are read.
    typed_in: usize,
}

/// A function of the whole program.
struct GlobalFunction<'t> {
    name: &'t str,
    ty: FunctionType,
    attributes: FunctionAttributes,
    definition: Option<&'t FunctionDefinition<'t>>,
    span: Span,
    id: Option<FunctionId>,
    is_pending: bool,
    /// Where it is defined.
    file: usize,
}

impl GlobalFunction<'_> {
    fn is_prelude(&self) -> bool {
        self.file == PRELUDE
    }
}

#[derive(Default)]
struct Checker<'t> {
    model: DataModel,
    scopes: Scopes<'t>,
    records: Vec<Record>,
    /// What is wrong with definitions of records: reported if somebody needs them.
    record_errors: FxHashMap<RecordId, Vec<Diagnostic>>,
    /// Unions whose members can be given for them.
    transparent: FxHashSet<RecordId>,
    globals: Vec<Global<'t>>,
    functions: Vec<GlobalFunction<'t>>,
    /// Of the program: those that are referred to.
    variables: Vec<Variable>,
    unit_functions: Vec<Function>,
    strings: Vec<Vec<u8>>,
    string_numbers: FxHashMap<Vec<u8>, u32>,
    /// Which of `globals` a variable is.
    global_of: FxHashMap<VariableId, usize>,
    /// Values of local variables that are `const` with a constant initial value.
    local_constants: FxHashMap<VariableId, i128>,
    errors: Vec<Diagnostic>,
    pending: Vec<Pending>,
    /// The file whose names are in `scopes`.
    file: usize,
    /// The names of all other files.
    rooms: Vec<Scopes<'t>>,
    /// What names mean that several files can use.
    linked: FxHashMap<&'t str, Entity>,
    /// Names of the prelude that are not `static`.
    public: FxHashSet<&'t str>,
    /// Names that several files declare, with the types they say.
    declared: Vec<(Entity, Type, Span)>,
    /// What does not fit together.
    link_errors: Vec<Diagnostic>,
    inside_prelude: bool,
    /// What functions give that need no declaration.
    builtins: FxHashMap<&'t str, Type>,
    /// The functions of the prelude, by name.
    library: FxHashMap<&'t str, usize>,
    /// Others, which were not read.
    left_out: FxHashSet<&'t str>,
    /// Those of them that are needed.
    asked: Vec<String>,
    /// Calls of them, which wait for the end of the program.
    instances: Vec<Pending>,
    /// The names of the functions that are called.
    called: FxHashSet<&'t str>,
    /// Those whose results are used.
    used: FxHashSet<&'t str>,
    /// This is a statement of its own: if it is a call, the result is not used. Places do not tell: all that a macro makes has one place.
    discarded: Option<Written<'t>>,
    wants_thread_ends: bool,
    /// Is there a function that runs when the program ends?
    wants_program_ends: bool,
    /// The call whose instance is being checked.
    instance_span: Option<Span>,
    /// Functions that are used as values.
    mentioned: Vec<usize>,
    /// Which of `functions` a function of the program is.
    index_of: FxHashMap<FunctionId, usize>,
    /// Functions with `...`, or that are handed a list of arguments: one for each list of types that follow,
    /// and for each list of literals that they get.
    variadic: FxHashMap<(usize, Vec<Type>, Literals), FunctionId>,
    /// The literals that parameters of functions are.
    literals: FxHashMap<FunctionId, Literals>,
    /// How many labels there are so far.
    labels: u32,
    /// What the linker is told of names.
    linkage: Vec<(&'t str, &'t Linkage<'t>, Span)>,
    /// Functions that run before `main`, with their priorities.
    constructors: Vec<(u32, usize)>,
    /// The same for those that run when it is over.
    destructors: Vec<(u32, usize)>,
    /// The labels of the functions around a function inside of them.
    outer_labels: FxHashSet<&'t str>,
    /// The function whose body is being checked.
    context: FunctionContext<'t>,
    /// Inside of how many `sizeof`, `typeof` and their like: nothing there is run.
    unevaluated: u32,
    /// Inside of how many lists of parameters.
    parameter_lists: u32,
    /// The types of variables of variable length, which are flat arrays themselves.
    views: FxHashMap<VariableId, Qualified>,
    /// The lengths of arrays of variable length in the type that is being read: they are evaluated where it is declared.
    lengths: Vec<Length>,
}

impl<'t> Checker<'t> {
    /// Checks what comes next; is there anything?
    fn next(&mut self) -> bool {
        let next = self.pending.pop().or_else(|| {
            self.mentioned_models();
            self.instances.pop()
        });
        match next {
            None => return false,
            Some(Pending::Global(index)) => {
                self.in_file(self.globals[index].file, |checker| checker.global_value(index));
            }
            Some(Pending::Body(index, id, call)) => {
                if self.functions[index].is_prelude() {
                    self.instance_span = Some(call);
                }
                self.in_file(self.functions[index].file, |checker| checker.body_of(index, id));
            }
        }
        true
    }

    /// An array that never got a size has one element (C11 6.9.2).
    fn complete_tentative_arrays(&mut self) {
        for variable in self.variables.iter_mut().filter(|variable| variable.storage == Storage::Static) {
            if let Type::Array(_, count @ None) = &mut variable.ty.ty {
                *count = Some(1);
            }
        }
    }

    fn find_roots(&mut self, entry: &str) {
        let is_defined = |index: &usize| self.functions[*index].definition.is_some();
        let roots: Vec<usize> = match self.found(entry) {
            Some(Entity::Function(main)) if is_defined(&main) => {
                let around = self.constructors.iter().chain(&self.destructors);
                std::iter::once(main).chain(around.map(|(_, index)| *index)).collect()
            }
            _ => (0..self.functions.len()).filter(is_defined).collect(),
        };
        for index in roots {
            self.function_id(index);
        }
        // A stack would check the last one first.
        self.pending.reverse();
    }

    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Check<T> {
        // What is wrong in the prelude is wrong with the call.
        let span = if self.inside_prelude { self.instance_span.unwrap_or(span) } else { span };
        self.report(vec![Diagnostic::new(span, message)])
    }

    fn reject_if(&mut self, is_wrong: bool, span: Span, message: &str) -> Check<()> {
        if is_wrong { self.error(span, message) } else { Ok(()) }
    }

    fn unsupported<T>(&mut self, span: Span, what: &str) -> Check<T> {
        let mut error = Diagnostic::unsupported(span, what);
        if what.contains("asm") {
            error = error.hint("write in C what it does");
        } else if what.contains("va_") {
            error = error.hint("give the function a fixed list of parameters");
        }
        self.report(vec![error])
    }

    /// What was found wrong before matters now.
    fn report<T>(&mut self, errors: Vec<Diagnostic>) -> Check<T> {
        self.errors.extend(errors);
        Err(Reported)
    }

    /// A type for a message.
    fn show(&self, ty: &Type) -> String {
        types::display(ty, &self.records)
    }

    /// A size in bytes, or an error.
    fn size_of(&mut self, ty: &Type, span: Span) -> Check<u64> {
        if let Some(size) = types::size_of(ty, self.model, &self.records) {
            return Ok(size);
        }
        if let Type::Record(id) = ty
            && let Some(errors) = self.record_errors.get(id)
        {
            return self.report(errors.clone());
        }
        let error = Diagnostic::new(span, format!("the size of `{}` is not known here", self.show(ty)));
        self.report(vec![error])
    }

    fn align_of(&self, ty: &Type) -> u64 {
        types::align_of(ty, self.model, &self.records)
    }

    /// The number of a string literal; equal ones share one.
    fn string_number(&mut self, bytes: Vec<u8>) -> u32 {
        *self.string_numbers.entry(bytes).or_insert_with_key(|bytes| {
            self.strings.push(bytes.clone());
            self.strings.len() as u32 - 1
        })
    }

    fn new_variable(&mut self, name: &str, ty: Qualified, storage: Storage, span: Span) -> VariableId {
        self.variables.push(Variable {
            name: name.to_owned(),
            ty,
            storage,
            init: None,
            align: None,
            lengths: Vec::new(),
            span,
        });
        VariableId(self.variables.len() as u32 - 1)
    }

    /// Where a variable without `static` lives at this place.
    fn local_storage(&self) -> Storage {
        self.context.id.map_or(Storage::Static, Storage::Local)
    }

    fn new_local(&mut self, name: &str, ty: Qualified, span: Span) -> VariableId {
        self.new_variable(name, ty, self.local_storage(), span)
    }

    /// The function's number in the program, which it gets when it is first referred to.
    fn function_id(&mut self, index: usize) -> FunctionId {
        let id = self.functions[index].id.unwrap_or_else(|| {
            let id = self.new_unit_function(index, self.functions[index].ty.clone());
            self.index_of.insert(id, index);
            id
        });
        let function = &mut self.functions[index];
        function.id = Some(id);
        let is_own = function.definition.is_some() && !function.is_prelude();
        if self.unevaluated == 0 && is_own && !std::mem::replace(&mut function.is_pending, true) {
            self.pending.push(Pending::Body(index, id, function.span));
        }
        id
    }

    /// One more function of the program, without a body so far.
    fn new_unit_function(&mut self, index: usize, ty: FunctionType) -> FunctionId {
        let GlobalFunction { name, attributes, span, .. } = self.functions[index];
        let (name, parameters) = (name.to_owned(), Vec::new());
        self.unit_functions.push(Function { name, ty, parameters, body: None, attributes, inline: false, span });
        FunctionId(self.unit_functions.len() as u32 - 1)
    }

    /// The variable's number in the program, which it gets when it is first referred to.
    fn global_id(&mut self, index: usize) -> VariableId {
        let global = &mut self.globals[index];
        if self.unevaluated == 0 && global.value.is_some() && !std::mem::replace(&mut global.is_pending, true) {
            self.pending.push(Pending::Global(index));
        }
        *global.id.get_or_insert_with(|| {
            let id = VariableId(self.variables.len() as u32);
            self.variables.push(global.variable.clone());
            self.global_of.insert(id, index);
            id
        })
    }

    fn global_value(&mut self, index: usize) {
        let Global { value: Some(value), id: Some(id), ref variable, .. } = self.globals[index] else { return };
        let ty = variable.ty.ty.clone();
        if let Ok((init, _)) = self.initial_value(&ty, value) {
            self.note_lock_kinds(&ty, &init);
            self.variables[id.index()].init = Some(init);
        }
    }
}
