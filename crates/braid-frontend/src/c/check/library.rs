//! The C library, as the prelude defines it.
//!
//! The prelude has a file scope of its own: its types and helpers never meet the program's names. A call of a function that the
//! program does not define, and the prelude does, becomes a call of an *instance*: the body is checked once more for each call,
//! with variables of its own. A parameter of type `__auto_type` has the type of the argument, so generic functions are plain C.
//!
//! *Invariant*: instances are checked after the program itself, when it is known which functions it calls.

use super::*;
use crate::c::primitives::Primitive;
use crate::c::translate::walk::{self, uncast};

/// What every thread runs at its end, if somebody looks at what has become of it.
pub const THREAD_ENDS: &str = "__thread_ends";

/// What the program runs at its end, where it has asked for that.
pub const PROGRAM_ENDS: &str = "__program_ends";

impl<'t> Checker<'t> {
    /// Reads the declarations of the prelude.
    pub(super) fn prelude(&mut self, externals: &[&'t External<'t>]) {
        self.in_prelude(|checker| externals.iter().for_each(|external| checker.external(external)));
        for (index, function) in self.functions.iter().enumerate().filter(|(_, function)| function.is_prelude()) {
            // What is `static` there is nobody else's business.
            let is_public =
                |definition: &FunctionDefinition<'_>| definition.head.specifiers.storage != Some(StorageClass::Static);
            if function.definition.is_some_and(is_public) {
                self.library.insert(function.name, index);
            }
        }
    }

    /// The function of the prelude that has this name. One that was left out is asked for: this attempt comes to nothing.
    pub(super) fn of_the_library(&mut self, name: &str) -> Option<usize> {
        let found = self.library.get(name).copied();
        if found.is_none() && self.left_out.contains(name) {
            self.asked.push(name.to_owned());
        }
        found
    }

    /// The records of the prelude that say what types of the library are made of.
    pub(super) fn opaque_records(&self, prelude: FileId) -> FxHashMap<String, RecordId> {
        // Types of the user's own files are the program's.
        let own = |span: Span| span.file.0 < prelude.0 + crate::c::prelude::TEXTS.len() as u32;
        let records = self.rooms[PRELUDE].tags().filter_map(|(name, tag)| {
            let Tag::Record(id) = tag else { return None };
            let record = &self.records[id.index()];
            (record.complete && own(record.span)).then(|| ((*name).to_owned(), *id))
        });
        records.collect()
    }

    /// The definition in the prelude of a function that the program does not define.
    fn model(&mut self, index: usize) -> Option<usize> {
        let function = &self.functions[index];
        let name = function.name;
        match function.definition {
            Some(_) => function.is_prelude().then_some(index),
            None if primitives::is_primitive(name) => None,
            None => self.of_the_library(name),
        }
    }

    /// A call of a function of the library: of an instance of its own. The call's type is what the program's declaration says.
    pub(super) fn library_call(
        &mut self,
        id: FunctionId,
        arguments: Vec<Expr>,
        (ty, result): (&Type, ResultUse),
        span: Span,
    ) -> Check<Expr> {
        let index = self.index_of.get(&id).copied();
        let mut arguments = arguments;
        if let Some(index) =
            index.filter(|&index| self.functions[index].definition.is_none_or(|_| self.functions[index].is_prelude()))
        {
            let name = self.functions[index].name;
            if let Some(printed) = self.printed(name, &arguments, result, span)? {
                return Ok(printed);
            }
            arguments = self.with_texts_read(name, arguments, span)?;
        }
        if let Some((first, from_memory)) = index.and_then(|index| self.first_input(index)) {
            return self.scan((first, from_memory), arguments, span);
        }
        // A call with other arguments is one of a function of which nothing is known.
        let model = index.and_then(|index| Some((index, self.model(index)?)));
        let fits = |&(_, model): &(usize, usize)| {
            let FunctionType { parameters, variadic, .. } = &self.functions[model].ty;
            arguments.len() == parameters.len() || (arguments.len() > parameters.len() && *variadic)
        };
        let Some((index, model)) = model.filter(fits) else {
            // Arithmetic of the prelude has the type of its first operand.
            let name = &self.unit_functions[id.index()].name;
            let ty = match (primitives::primitive(name, false), arguments.first()) {
                (Some(Primitive::Wrapping(_) | Primitive::Float(_) | Primitive::CopySign), Some(first)) => {
                    first.ty.clone()
                }
                _ => ty.clone(),
            };
            return Ok(Expr { kind: ExprKind::Call(Callee::Direct(id), arguments), ty, span });
        };
        self.note_destructor(self.functions[model].name, &arguments);
        let open = self.functions[index].ty.open && !self.functions[index].is_prelude();
        let mut signature = self.functions[model].ty.clone();
        let mut values = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.into_iter().enumerate() {
            let at = argument.span;
            values.push(match signature.parameters.get_mut(position) {
                Some(generic @ Type::Void) => {
                    // What the declaration calls `void *` has a type of its own.
                    let inner = uncast(&argument);
                    let argument = if self.names_more(&argument.ty, &inner.ty) { inner.clone() } else { argument };
                    *generic = argument.ty.clone();
                    argument
                }
                // Records of the program stand for those of the prelude.
                Some(Type::Record(_)) | None => argument,
                Some(wanted) => self.converted(argument, wanted, at)?,
            });
        }
        // Where nothing is declared, the definition counts.
        let ty = if open { signature.result.clone() } else { ty.clone() };
        if signature.result == Type::Void {
            signature.result = ty.clone();
        }
        let is_generic =
            self.functions[model].definition.is_some_and(|model| matches!(model.head.specifiers.base, Base::Auto));
        let id = match ty == Type::Void && (self.inside_prelude || is_generic) {
            true => self.checked_instance(model, signature, span),
            false => self.instance(model, signature, span),
        };
        let result = self.unit_functions[id.index()].ty.result.clone();
        let is_same = ty == result || ty == Type::Void;
        let call = Expr { kind: ExprKind::Call(Callee::Direct(id), values), ty: result, span };
        if is_same { Ok(call) } else { self.converted(call, &ty, span) }
    }

    /// Does a pointer that was cast say more about what is at its place than the cast? To `void **` it must have room for a pointer, since that much
    /// is written.
    fn names_more(&self, cast: &Type, inner: &Type) -> bool {
        let (Some(to), Some(inner)) = (cast.pointee(), inner.pointee()) else { return false };
        let size = |ty| types::size_of(ty, self.model, &self.records);
        to.ty == Type::Void
            || to.ty.pointee().is_some_and(|to| to.ty == Type::Void)
                && matches!(inner.ty, Type::Int { .. } | Type::Pointer(_))
                && size(&inner.ty) == size(&to.ty)
    }

    /// Where the inputs of a function of the family `scanf` begin, and whether it reads from memory.
    fn first_input(&self, index: usize) -> Option<(usize, bool)> {
        let function = &self.functions[index];
        match function.name.strip_prefix("__isoc99_").unwrap_or(function.name) {
            _ if function.definition.is_some() => None,
            "scanf" => Some((1, false)),
            name @ ("fscanf" | "sscanf") => Some((2, name == "sscanf")),
            _ => None,
        }
    }

    /// A call of the family `scanf`: its format says what goes where.
    fn scan(&mut self, (first, from_memory): (usize, bool), arguments: Vec<Expr>, span: Span) -> Check<Expr> {
        let format = arguments.get(first - 1).map(|format| &uncast(format).kind);
        let Some(ExprKind::String(format)) = format else {
            return self.unsupported(span, "`scanf` with a format that is not a string literal");
        };
        let Some(widths) = conversions(&self.strings[*format as usize]) else {
            return self.unsupported(span, "this format of `scanf`");
        };
        // The file is evaluated; an argument of the program says nothing that is not in the input.
        let file = arguments.first().filter(|file| first > 1 && !self.is_from_outside(file)).cloned();
        let inputs = arguments.into_iter().skip(first);
        let model = self.of_the_library(&format!("__scan_{}", widths.len()));
        let (Some(model), true) = (model, inputs.len() == widths.len()) else {
            return self.unsupported(span, "`scanf` with so many inputs");
        };
        let mut signature = self.functions[model].ty.clone();
        let mut values = Vec::new();
        for ((input, width), types) in inputs.zip(widths).zip(signature.parameters.chunks_mut(2)) {
            // Words are written as characters, whatever they are written to; values as what they are.
            let input =
                if width == 0 { input } else { self.cast(input, &types::pointer_to(types::plain(types::CHAR))) };
            types[0] = input.ty.clone();
            let width = int(width, types[1].clone(), input.span);
            values.extend([input, width]);
        }
        let (ty, id) = (signature.result.clone(), self.instance(model, signature, span));
        let call = Expr { kind: ExprKind::Call(Callee::Direct(id), values), ty: ty.clone(), span };
        Ok(match file {
            Some(file) => {
                let source = if from_memory { "__scan_text" } else { "__scan_file" };
                let file = self.prelude_call(source, vec![file], span)?;
                Expr { kind: ExprKind::Comma(Box::new(file), Box::new(call)), ty, span }
            }
            None => call,
        })
    }

    /// Is it one of the arguments that the program is started with?
    fn is_from_outside(&self, text: &Expr) -> bool {
        let mut named = false;
        walk::expression(text, Default::default(), &mut |met, _| {
            if let walk::Met::Place(place) = met {
                named |= walk::root(place).is_some_and(|id| self.variables[id.index()].name == "argv");
            }
        });
        named
    }

    /// A function of the prelude once more.
    pub(super) fn instance(&mut self, model: usize, ty: FunctionType, call: Span) -> FunctionId {
        let id = self.new_unit_function(model, ty);
        self.unit_functions[id.index()].inline = true;
        if self.unevaluated == 0 {
            // In the prelude, the outer call counts.
            let call = self.instance_span.filter(|_| self.inside_prelude).unwrap_or(call);
            self.instances.push(Pending::Body(model, id, call));
        }
        id
    }

    /// An instance that is checked at once: what it gives decides what comes next.
    fn checked_instance(&mut self, model: usize, ty: FunctionType, call: Span) -> FunctionId {
        let (unevaluated, context) = (std::mem::take(&mut self.unevaluated), std::mem::take(&mut self.context));
        let id = self.instance(model, ty, call);
        self.instances.pop();
        if self.inside_prelude {
            let inner = self.scopes.take_inner();
            self.body_of(model, id);
            self.scopes.put_back(inner);
        } else {
            self.instance_span = Some(call);
            self.in_prelude(|checker| checker.body_of(model, id));
        }
        (self.unevaluated, self.context) = (unevaluated, context);
        id
    }

    /// Gives functions of the library that the program mentions without calling them a body.
    pub(super) fn mentioned_models(&mut self) {
        if std::mem::take(&mut self.wants_thread_ends)
            && let Some(model) = self.of_the_library(THREAD_ENDS)
        {
            self.instance(model, self.functions[model].ty.clone(), self.functions[model].span);
        }
        if std::mem::take(&mut self.wants_program_ends)
            && let Some(model) = self.of_the_library(PROGRAM_ENDS)
        {
            self.instance(model, self.functions[model].ty.clone(), self.functions[model].span);
        }
        for index in std::mem::take(&mut self.mentioned) {
            let (Some(id), Some(model)) = (self.functions[index].id, self.model(index)) else { continue };
            if self.unit_functions[id.index()].body.is_none() && self.functions[index].definition.is_none() {
                self.unit_functions[id.index()].ty = self.functions[model].ty.clone();
                self.unit_functions[id.index()].body = Some(Vec::new());
                self.instances.push(Pending::Body(model, id, self.functions[index].span));
            }
        }
    }

    /// Notes a call by the program.
    pub(super) fn note_call(&mut self, name: &'t str, used: bool) {
        if self.unevaluated > 0 {
            return;
        }
        if self.called.insert(name) {
            // Every thread runs something at its end, or the program does.
            self.wants_program_ends |= name == "atexit";
            self.wants_thread_ends |= name == "pthread_mutexattr_setrobust";
        }
        if used && self.used.insert(name) && name == "pthread_detach" {
            // Every thread runs it at its end.
            self.wants_thread_ends = true;
        }
    }

    /// Notes that thread-specific values have a destructor: every thread runs it at its end.
    fn note_destructor(&mut self, name: &str, arguments: &[Expr]) {
        let is_null = |argument: &Expr| matches!(&uncast(argument).kind, ExprKind::Int(value) if value.is_zero());
        if let ("pthread_key_create" | "tss_create", [_, destructor]) = (name, arguments)
            && !is_null(destructor)
            && !self.inside_prelude
        {
            self.called.insert("__key_destructor");
            self.wants_thread_ends = true;
        }
    }

    /// Notes an initial value that makes a mutex of another kind than the normal one.
    pub(super) fn note_mutex_kinds(&mut self, ty: &Type, init: &Init) {
        let (Init::List(list), false) = (init, self.inside_prelude) else { return };
        let mutex = matches!(ty, Type::Record(id) if self.records[id.index()].name.contains("mutex_t"));
        if mutex && list.iter().any(|(_, init)| has_number(init)) {
            self.called.insert("__static_mutex_kind");
        }
        for (number, init) in list {
            if let Some(inner) = self.part(ty, *number) {
                self.note_mutex_kinds(&inner, init);
            }
        }
    }
}

/// Is there a number that is not zero?
fn has_number(init: &Init) -> bool {
    match init {
        Init::Expr(expr) => matches!(&expr.kind, ExprKind::Int(value) if !value.is_zero()),
        Init::String(..) => false,
        Init::List(list) => list.iter().any(|(_, init)| has_number(init)),
    }
}

/// What the conversions of a format of `scanf` read: a word of so many characters at most, or (0) one value. A set of all characters but one is a
/// word, too (`scan_one` of the prelude says how). None: not understood.
fn conversions(format: &[u8]) -> Option<Vec<i128>> {
    /// Without a width, words may have any length.
    const ANY_LENGTH: i128 = NEXT_SET - 1;
    const NEXT_SET: i128 = 1 << 23;
    let (mut widths, mut rest) = (Vec::new(), format);
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(b"%") {
            rest = after;
            continue;
        }
        let is_dropped = rest.starts_with(b"*");
        rest = &rest[usize::from(is_dropped)..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let width = std::str::from_utf8(&rest[..digits]).ok()?.parse::<i128>().ok();
        let modifiers = rest[digits..].iter().take_while(|byte| b"hljztL".contains(byte)).count();
        let conversion = *rest.get(digits + modifiers)?;
        rest = &rest[digits + modifiers + 1..];
        let read = match conversion {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'f' | b'e' | b'g' | b'E' | b'G' if width.is_none() => 0,
            b'c' if width.is_none() && modifiers == 0 => 0,
            b's' if modifiers == 0 => width.unwrap_or(ANY_LENGTH).min(ANY_LENGTH),
            b'[' => {
                let &[b'^', excluded, b']', ref after @ ..] = rest else { return None };
                rest = after;
                width.unwrap_or(ANY_LENGTH).min(ANY_LENGTH) + (i128::from(excluded) + 1) * NEXT_SET
            }
            _ => return None,
        };
        if !is_dropped {
            widths.push(read);
        }
    }
    Some(widths)
}
