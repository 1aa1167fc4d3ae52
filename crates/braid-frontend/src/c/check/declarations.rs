//! Declarations at file level and in functions.

use super::scope::Entity;
use super::types::{compatible, plain};
use super::{Check, Checker, Global, GlobalFunction};
use crate::c::syntax::{
    Declaration, Declarator, Derived, External, FunctionDefinition, Initialiser, Name, Specifiers, StorageClass,
};
use crate::c::tree::{FunctionAttributes, FunctionType, Init, Qualified, Stmt, StmtKind, Storage, Type};
use braid_program::source::Span;

impl<'t> Checker<'t> {
    /// What stands at file level. What is wrong with a declaration is reported when the program uses it.
    pub(super) fn external(&mut self, external: &'t External<'t>) {
        let before = self.errors.len();
        match external {
            External::StaticAssert(assertion) => drop(self.static_assert(assertion)),
            External::Declaration(declaration) => {
                let base = self.base_type(&declaration.specifiers);
                let broken = self.errors.split_off(before);
                for (declarator, value) in &declaration.declarators {
                    let result = match &base {
                        Ok(base) => self.derived_type(base.clone(), declarator).and_then(|ty| {
                            self.declare_global(&declaration.specifiers, declarator, ty, value.as_ref())
                        }),
                        Err(_) => {
                            self.errors.extend(broken.iter().cloned());
                            Err(super::Reported)
                        }
                    };
                    self.keep_for_later(result, declarator.name, before);
                }
            }
            External::Function(definition) => {
                let result = self.define_function(definition);
                self.keep_for_later(result, definition.declarator.name, before);
            }
        }
    }

    fn keep_for_later(&mut self, result: Check<()>, name: Option<Name<'t>>, before: usize) {
        if result.is_err() {
            let errors = self.errors.split_off(before);
            if let Some(name) = name {
                self.scopes.declare(name.text, Entity::Broken(errors));
            }
        }
    }

    fn declare_global(
        &mut self,
        specifiers: &'t Specifiers<'t>,
        declarator: &'t Declarator<'t>,
        ty: Qualified,
        value: Option<&'t Initialiser<'t>>,
    ) -> Check<()> {
        let Some(name) = declarator.name else { return Ok(()) };
        if specifiers.storage == Some(StorageClass::Typedef) {
            return self.declare_typedef(name, ty, specifiers, declarator);
        }
        self.note_linkage(name, &specifiers.attributes);
        self.note_linkage(name, &declarator.attributes);
        if let Type::Function(function) = ty.ty {
            let index = self.declare_function(name, *function, Self::function_attributes(specifiers, declarator))?;
            self.note_constructor(index, specifiers, declarator);
            return Ok(());
        }
        let is_extern = specifiers.storage == Some(StorageClass::Extern) && value.is_none();
        let storage = match (specifiers.thread_local, is_extern) {
            (true, _) => Storage::Thread,
            (false, true) => Storage::Extern,
            (false, false) => Storage::Static,
        };
        let align = self.declared_alignment(specifiers, declarator)?;
        let index = self.global_variable(name, ty, storage, value)?;
        self.align_global(index, align);
        self.scopes.declare(name.text, Entity::Global(index));
        Ok(())
    }

    fn declare_typedef(
        &mut self,
        name: Name<'t>,
        ty: Qualified,
        specifiers: &'t Specifiers<'t>,
        declarator: &'t Declarator<'t>,
    ) -> Check<()> {
        let align = self.declared_alignment(specifiers, declarator)?;
        let promises = Self::function_attributes(specifiers, declarator);
        if matches!(ty.ty, Type::Function(_)) && promises != FunctionAttributes::default() {
            return self.unsupported(name.span, "an attribute of a function's type");
        }
        if let Type::Record(id) = ty.ty {
            if declarator.attributes.transparent_union {
                self.transparent.insert(id);
            }
            let record = &mut self.records[id.index()];
            if record.name.starts_with("anonymous") {
                record.name = name.text.to_owned();
            }
        }
        self.scopes.declare(name.text, Entity::Typedef(ty, align));
        Ok(())
    }

    /// A variable of the whole program, declared or defined once more or for the first time.
    pub(super) fn global_variable(
        &mut self,
        name: Name<'t>,
        ty: Qualified,
        storage: Storage,
        value: Option<&'t Initialiser<'t>>,
    ) -> Check<usize> {
        let index = match self.scopes.find_at_file_level(name.text) {
            Some(&Entity::Global(index)) => {
                let known = &mut self.globals[index];
                if !compatible(&known.ty.ty, &ty.ty) {
                    let earlier = self.show(&self.globals[index].ty.ty.clone());
                    let message = format!("`{}` is declared with another type, `{earlier}`, before", name.text);
                    return self.error(name.span, message);
                }
                if matches!(known.ty.ty, Type::Array(_, None)) {
                    known.ty = ty.clone();
                }
                if known.storage == Storage::Extern {
                    known.storage = storage;
                    known.span = name.span;
                }
                index
            }
            Some(Entity::Function(_) | Entity::Typedef(..) | Entity::Constant(..)) => {
                return self.error(name.span, format!("`{}` is declared as something else before", name.text));
            }
            _ => {
                let (value, align, id) = (None, None, None);
                self.globals.push(Global {
                    name: name.text,
                    ty,
                    storage,
                    value,
                    align,
                    span: name.span,
                    id,
                    is_pending: false,
                    is_prelude: self.inside_prelude,
                });
                self.globals.len() - 1
            }
        };
        if value.is_some() {
            self.globals[index].value = value;
            self.globals[index].span = name.span;
        }
        if let (Type::Array(_, None), Some(value)) = (&self.globals[index].ty.ty, value) {
            let ty = self.globals[index].ty.ty.clone();
            self.scopes.declare_at_file_level(name.text, Entity::Global(index));
            self.unevaluated += 1;
            let sized = self.initial_value(&ty, value);
            self.unevaluated -= 1;
            self.globals[index].ty.ty = sized?.1;
        }
        if let Some(id) = self.globals[index].id {
            let global = &self.globals[index];
            let variable = &mut self.variables[id.index()];
            (variable.ty, variable.storage, variable.span) = (global.ty.clone(), global.storage, global.span);
        }
        Ok(index)
    }

    /// Notes what a declaration asks for.
    fn align_global(&mut self, index: usize, align: Option<u64>) {
        let global = &mut self.globals[index];
        global.align = global.align.max(align);
        if let Some(id) = global.id {
            self.variables[id.index()].align = global.align;
        }
    }

    /// Notes a function that runs before `main`.
    fn note_constructor(&mut self, index: usize, specifiers: &Specifiers<'t>, declarator: &Declarator<'t>) {
        for span in [specifiers.attributes.destructor, declarator.attributes.destructor].into_iter().flatten() {
            let _ = self.unsupported::<()>(span, "the attribute `destructor`");
        }
        let priority = specifiers.attributes.constructor.or(declarator.attributes.constructor);
        if let Some(priority) = priority
            && self.constructors.iter().all(|(_, known)| *known != index)
        {
            self.constructors.push((priority, index));
        }
    }

    /// A function, declared once more or for the first time.
    pub(super) fn declare_function(
        &mut self,
        name: Name<'t>,
        ty: FunctionType,
        attributes: FunctionAttributes,
    ) -> Check<usize> {
        let index = match self.scopes.find_at_file_level(name.text) {
            Some(&Entity::Function(index)) => {
                let known = &mut self.functions[index];
                // GCC rejects types that do not fit together; between the lines of a preprocessed task they do happen.
                let is_better = known.ty.open || (known.definition.is_none() && !ty.open);
                if is_better {
                    known.ty = ty;
                }
                index
            }
            Some(Entity::Global(_) | Entity::Typedef(..) | Entity::Constant(..)) => {
                return self.error(name.span, format!("`{}` is declared as something else before", name.text));
            }
            _ => self.new_function(name.text, ty, name.span),
        };
        self.scopes.declare_at_file_level(name.text, Entity::Function(index));
        let function = &mut self.functions[index];
        function.attributes = function.attributes.union(attributes);
        if let Some(id) = function.id {
            let unit_function = &mut self.unit_functions[id.index()];
            (unit_function.ty, unit_function.attributes) = (function.ty.clone(), function.attributes);
        }
        Ok(index)
    }

    pub(super) fn new_function(&mut self, name: &'t str, ty: FunctionType, span: Span) -> usize {
        self.functions.push(GlobalFunction {
            name,
            ty,
            attributes: FunctionAttributes::default(),
            definition: None,
            span,
            id: None,
            is_pending: false,
            is_prelude: self.inside_prelude,
        });
        self.functions.len() - 1
    }

    fn define_function(&mut self, definition: &'t FunctionDefinition<'t>) -> Check<()> {
        let declarator = &definition.declarator;
        let Some(name) = declarator.name else { return Ok(()) };
        let declared = self.declared_type(&definition.specifiers, declarator)?;
        let (Type::Function(ty), Some(Derived::Function(parameters))) = (declared.ty, declarator.derived.last()) else {
            return self.error(name.span, "this is not a function");
        };
        let mut ty = *ty;
        if !parameters.names.is_empty() {
            ty.parameters = self.old_style_parameters(parameters, &definition.old_style)?;
        }
        let attributes = Self::function_attributes(&definition.specifiers, declarator);
        let index = self.declare_function(name, ty.clone(), attributes)?;
        self.note_linkage(name, &definition.specifiers.attributes);
        self.note_linkage(name, &declarator.attributes);
        self.note_constructor(index, &definition.specifiers, declarator);
        let function = &mut self.functions[index];
        // `extern inline` bodies may be replaced by a real definition: the last one counts.
        function.definition = Some(definition);
        function.ty = ty;
        function.span = name.span;
        if let Some(id) = function.id {
            (self.unit_functions[id.index()].ty, self.unit_functions[id.index()].span) =
                (function.ty.clone(), name.span);
        }
        Ok(())
    }

    /// A declaration in a function: what has to be done when it is passed.
    pub(super) fn local_declaration(&mut self, declaration: &'t Declaration<'t>, out: &mut Vec<Stmt>) -> Check<()> {
        let specifiers = &declaration.specifiers;
        if Self::is_auto(specifiers) {
            return self.auto_declaration(declaration, out);
        }
        let base = self.base_type(specifiers)?;
        let mut outcome = Ok(());
        for (declarator, value) in &declaration.declarators {
            let result = self
                .derived_type(base.clone(), declarator)
                .and_then(|ty| self.local_variable(specifiers, declarator, ty, value.as_ref(), out));
            if result.is_err() {
                let known = declarator.name.map(|name| name.text);
                if let Some(name) = known {
                    self.scopes.declare(name, Entity::Broken(Vec::new()));
                }
                outcome = result;
            }
        }
        outcome
    }

    fn local_variable(
        &mut self,
        specifiers: &'t Specifiers<'t>,
        declarator: &'t Declarator<'t>,
        ty: Qualified,
        value: Option<&'t Initialiser<'t>>,
        out: &mut Vec<Stmt>,
    ) -> Check<()> {
        let mut lengths = Vec::new();
        for length in std::mem::take(&mut self.lengths) {
            let (storage, span) = (self.local_storage(), length.span);
            let id = self.new_variable("length", plain(length.ty.clone()), storage, span);
            out.push(Stmt { kind: StmtKind::Declare(id, Some(Init::Expr(length))), span });
            lengths.push(id);
        }
        let Some(name) = declarator.name else { return Ok(()) };
        if specifiers.storage == Some(StorageClass::Typedef) {
            return self.declare_typedef(name, ty, specifiers, declarator);
        }
        if let Type::Function(function) = ty.ty {
            let index = self.declare_function(name, *function, Self::function_attributes(specifiers, declarator))?;
            self.scopes.declare(name.text, Entity::Function(index));
            return Ok(());
        }
        if specifiers.storage == Some(StorageClass::Extern) {
            let storage = if specifiers.thread_local { Storage::Thread } else { Storage::Extern };
            let index = self.global_variable(name, ty, storage, None)?;
            if self.scopes.find_at_file_level(name.text).is_none() {
                self.scopes.declare_at_file_level(name.text, Entity::Global(index));
            }
            self.scopes.declare(name.text, Entity::Global(index));
            return Ok(());
        }
        let is_static = specifiers.storage == Some(StorageClass::Static);
        let storage = match (specifiers.thread_local, is_static) {
            (true, _) => Storage::Thread,
            (false, true) => Storage::Static,
            (false, false) => self.local_storage(),
        };
        let id = self.new_variable(name.text, ty.clone(), storage, name.span);
        self.variables[id.index()].align = self.declared_alignment(specifiers, declarator)?;
        self.scopes.declare(name.text, Entity::Local(id));
        if !lengths.is_empty() && matches!(ty.ty, Type::Array(..)) {
            self.variable_lengths.insert(id, lengths);
        }
        let init = match value {
            None => None,
            Some(value) => {
                let (init, sized) = self.initial_value(&ty.ty, value)?;
                self.note_mutex_kinds(&sized, &init);
                self.variables[id.index()].ty.ty = sized;
                Some(init)
            }
        };
        let complete = self.variables[id.index()].ty.ty.clone();
        if complete == Type::Void {
            return self.error(name.span, "a variable cannot be `void`");
        }
        let is_variable_length = matches!(declarator.derived.last(), Some(Derived::Array(Some(_), _)));
        if !(is_variable_length && has_open_length(&complete)) {
            self.size_of(&complete, name.span)?;
        }
        if let (true, Some(Init::Expr(expr))) = (ty.constant && ty.ty.is_integer(), &init)
            && let Some(constant) = self.constant(expr)
        {
            self.local_constants.insert(id, constant);
        }
        if is_static || specifiers.thread_local {
            self.variables[id.index()].init = init;
        } else {
            let span = value.map_or(name.span, |value| crate::c::parse::join(name.span, value.span()));
            out.push(Stmt { kind: StmtKind::Declare(id, init), span });
        }
        Ok(())
    }

    fn auto_declaration(&mut self, declaration: &'t Declaration<'t>, out: &mut Vec<Stmt>) -> Check<()> {
        let [(declarator, Some(Initialiser::Expr(value)))] = declaration.declarators.as_slice() else {
            return self.error(declaration.span, "`__auto_type` needs one variable with an initial value");
        };
        let Some(name) = declarator.name else { return Ok(()) };
        let value = self.expr(value)?;
        let ty = declaration.specifiers.qualifiers.of(value.ty.clone());
        let storage = self.local_storage();
        let id = self.new_variable(name.text, ty, storage, name.span);
        self.scopes.declare(name.text, Entity::Local(id));
        let span = crate::c::parse::join(name.span, value.span);
        out.push(Stmt { kind: StmtKind::Declare(id, Some(Init::Expr(value))), span });
        Ok(())
    }
}

/// Is it an array of variable length, or an array of such?
fn has_open_length(ty: &Type) -> bool {
    matches!(ty, Type::Array(element, count) if count.is_none() || has_open_length(&element.ty))
}
