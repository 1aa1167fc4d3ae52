//! The C library, as the prelude defines it.
//!
//! The prelude has a file scope of its own: its types and helpers never meet the program's names. A call of a function that the
//! program does not define, and the prelude does, becomes a call of an *instance*: the body is checked once more for each call,
//! with variables of its own. A parameter of type `__auto_type` has the type of the argument, so generic functions are plain C.
//!
//! *Invariant*: instances are checked after the program itself, when it is known which functions it calls.

use super::*;
use crate::c::primitives::Primitive;
use crate::c::translate::walk::uncast;

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
        if let Some(first) = index.and_then(|index| self.first_input(index)) {
            return self.scan(first, arguments, span);
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
        let mut more = Vec::new();
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
                Some(Type::Record(_)) => argument,
                None => {
                    more.push(argument.ty.clone());
                    argument
                }
                Some(wanted) => self.converted(argument, wanted, at)?,
            });
        }
        if self.functions[model].definition.is_some_and(|model| model.reads_arguments) {
            signature.parameters.append(&mut more);
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

    /// A function of the prelude once more.
    pub(super) fn instance(&mut self, model: usize, ty: FunctionType, call: Span) -> FunctionId {
        let declared = self.functions[model].ty.parameters.len();
        let reads_more = ty.parameters.len() > declared;
        let id = self.new_unit_function(model, ty);
        self.unit_functions[id.index()].inline = true;
        if reads_more {
            self.literals.insert(id, vec![None; declared]);
        }
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
            if matches!(name, "pthread_tryjoin_np" | "pthread_timedjoin_np") {
                self.called.insert("__asked_for_end");
                self.wants_thread_ends = true;
            }
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

    /// Notes an initial value that makes a lock of another kind than the normal one.
    pub(super) fn note_lock_kinds(&mut self, ty: &Type, init: &Init) {
        let (Init::List(list), false) = (init, self.inside_prelude) else { return };
        let is = |name: &str| matches!(ty, Type::Record(id) if self.records[id.index()].name.contains(name));
        if list.iter().any(|(_, init)| has_number(init)) {
            self.called.extend(is("mutex_t").then_some("__static_mutex_kind"));
            self.called.extend(is("rwlock_t").then_some("__static_rwlock_kind"));
        }
        for (number, init) in list {
            if let Some(inner) = self.part(ty, *number) {
                self.note_lock_kinds(&inner, init);
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
