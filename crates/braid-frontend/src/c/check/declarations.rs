//! Declarations at file level and in functions.

use super::*;

impl<'t> Checker<'t> {
    /// What stands at file level. What is wrong with a declaration is reported when the program uses it.
    pub(super) fn external(&mut self, external: &'t External<'t>) {
        let before = self.errors.len();
        match external {
            External::Declaration(declaration) => {
                let base = self.base_type(&declaration.specifiers);
                if matches!(declaration.specifiers.base, Base::StaticAssert(..)) {
                    return;
                }
                let broken = self.errors.split_off(before);
                for (declarator, value) in &declaration.declarators {
                    let (specifiers, value) = (&declaration.specifiers, value.as_ref());
                    let declared = Declared { specifiers, declarator, value };
                    let result = match &base {
                        Ok(base) => {
                            let ty = self.derived_type(base.clone(), declarator);
                            ty.and_then(|ty| self.declare_global(declared, ty))
                        }
                        Err(_) => self.report(broken.clone()),
                    };
                    self.keep_for_later(result, declarator.name, before);
                }
            }
            External::Function(definition) => {
                let result = self.define_function(definition);
                self.keep_for_later(result, definition.head.declarator.name, before);
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

    fn declare_global(&mut self, declared: Declared<'t>, ty: Qualified) -> Check<()> {
        let Some(name) = declared.declarator.name else { return Ok(()) };
        if declared.is_typedef() {
            return self.declare_typedef(name, ty, declared);
        }
        self.note_linkage(name, declared);
        if let Type::Function(function) = ty.ty {
            let index = self.declare_function(name, *function, declared)?;
            self.note_constructor(index, declared);
            return Ok(());
        }
        let is_extern = declared.specifiers.storage == Some(StorageClass::Extern) && declared.value.is_none();
        let storage = match (declared.specifiers.thread_local, is_extern) {
            (true, _) => Storage::Thread,
            (false, true) => Storage::Extern,
            (false, false) => Storage::Static,
        };
        let align = self.declared_alignment(declared)?;
        let is_own = declared.specifiers.storage == Some(StorageClass::Static);
        let new = Variable { align, ..variable(name, ty, storage) };
        let index = self.global_variable(name, new, declared.value, is_own)?;
        self.scopes.declare(name.text, Entity::Global(index));
        Ok(())
    }

    fn declare_typedef(&mut self, name: Name<'t>, ty: Qualified, declared: Declared<'t>) -> Check<()> {
        let align = self.declared_alignment(declared)?;
        if matches!(ty.ty, Type::Function(_)) && declared.promises() != FunctionAttributes::default() {
            return self.unsupported(name.span, "an attribute of a function's type");
        }
        if let Type::Record(id) = ty.ty {
            if declared.declarator.attributes.transparent_union {
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
    /// `is_own`: it is this file's alone.
    fn global_variable(
        &mut self,
        name: Name<'t>,
        new: Variable,
        value: Option<Initial<'t>>,
        is_own: bool,
    ) -> Check<usize> {
        let align = new.align;
        let index = match self.found_for(name.text, is_own) {
            Some(Entity::Global(index)) => {
                let is_linked = self.is_linked(name.text) || self.globals[index].typed_in != self.file;
                if is_linked {
                    self.note_global(index, &new, value.is_some(), name.span);
                }
                let known = &mut self.globals[index].variable;
                if !is_linked && !compatible(&known.ty.ty, &new.ty.ty) {
                    let earlier = self.show(&self.globals[index].variable.ty.ty);
                    let message = format!("`{}` is declared with another type, `{earlier}`, before", name.text);
                    return self.error(name.span, message);
                }
                if matches!(known.ty.ty, Type::Array(_, None)) {
                    known.ty = new.ty;
                    self.globals[index].typed_in = self.file;
                }
                let known = &mut self.globals[index].variable;
                if known.storage == Storage::Extern {
                    known.storage = new.storage;
                    known.span = name.span;
                    self.globals[index].file = self.file;
                }
                index
            }
            Some(Entity::Function(_) | Entity::Typedef(..) | Entity::Constant(..)) => return self.taken(name),
            _ => {
                let file = self.file;
                self.globals.push(Global {
                    variable: new,
                    value: None,
                    id: None,
                    is_pending: false,
                    file,
                    typed_in: file,
                });
                self.globals.len() - 1
            }
        };
        self.link(name.text, Entity::Global(index), is_own);
        let global = &mut self.globals[index];
        if value.is_some() {
            global.value = value;
            global.variable.span = name.span;
            global.file = self.file;
        }
        if let (ty @ Type::Array(_, None), Some(value)) = (global.variable.ty.ty.clone(), value) {
            self.scopes.declare_at_file_level(name.text, Entity::Global(index));
            self.unevaluated += 1;
            let sized = self.initial_value(&ty, value);
            self.unevaluated -= 1;
            self.globals[index].variable.ty.ty = sized?.1;
        }
        let global = &mut self.globals[index];
        global.variable.align = global.variable.align.max(align);
        if let Some(id) = global.id {
            let init = self.variables[id.index()].init.take();
            self.variables[id.index()] = Variable { init, ..global.variable.clone() };
        }
        Ok(index)
    }

    fn taken<T>(&mut self, name: Name<'t>) -> Check<T> {
        self.error(name.span, format!("`{}` is declared as something else before", name.text))
    }

    /// Notes a function that runs before `main`, or after it.
    fn note_constructor(&mut self, index: usize, declared: Declared<'t>) {
        if let Some(priority) = declared.attributes().into_iter().find_map(|attributes| attributes.destructor)
            && self.destructors.iter().all(|(_, known)| *known != index)
        {
            self.destructors.push((priority, index));
        }
        if let Some(priority) = declared.attributes().into_iter().find_map(|attributes| attributes.constructor)
            && self.constructors.iter().all(|(_, known)| *known != index)
        {
            self.constructors.push((priority, index));
        }
    }

    /// A function, declared once more or for the first time.
    fn declare_function(&mut self, name: Name<'t>, ty: FunctionType, declared: Declared<'t>) -> Check<usize> {
        let is_own = declared.specifiers.storage == Some(StorageClass::Static);
        let index = match self.found_for(name.text, is_own) {
            Some(Entity::Function(index)) => {
                if self.is_linked(name.text) {
                    self.declared.push((Entity::Function(index), Type::Function(Box::new(ty.clone())), name.span));
                }
                let known = &mut self.functions[index];
                // GCC rejects types that do not fit together; between the lines of a preprocessed task they do happen.
                let is_better = known.ty.open || (known.definition.is_none() && !ty.open);
                if is_better {
                    known.ty = ty;
                }
                index
            }
            Some(Entity::Global(_) | Entity::Typedef(..) | Entity::Constant(..)) => return self.taken(name),
            _ => self.new_function(name.text, ty, name.span),
        };
        self.link(name.text, Entity::Function(index), is_own);
        self.scopes.declare_at_file_level(name.text, Entity::Function(index));
        let function = &mut self.functions[index];
        function.attributes = function.attributes.union(declared.promises());
        self.update_function(index);
        Ok(index)
    }

    /// Lets the program know what has become known of a function.
    pub(super) fn update_function(&mut self, index: usize) {
        let GlobalFunction { ty, attributes, span, id, .. } = &self.functions[index];
        if let Some(id) = id {
            let function = &mut self.unit_functions[id.index()];
            (function.ty, function.attributes, function.span) = (ty.clone(), *attributes, *span);
        }
    }

    pub(super) fn new_function(&mut self, name: &'t str, ty: FunctionType, span: Span) -> usize {
        let (attributes, file) = (FunctionAttributes::default(), self.file);
        let (definition, id, is_pending) = (None, None, false);
        self.functions.push(GlobalFunction { name, ty, attributes, definition, span, id, is_pending, file });
        self.functions.len() - 1
    }

    fn define_function(&mut self, definition: &'t FunctionDefinition<'t>) -> Check<()> {
        let declared = definition.head.declared();
        let Some(name) = declared.declarator.name else { return Ok(()) };
        let ty = self.declared_type(declared)?.ty;
        let (Type::Function(ty), Some(Derived::Function(parameters))) = (ty, declared.declarator.derived.last()) else {
            return self.error(name.span, "this is not a function");
        };
        let mut ty = *ty;
        if !parameters.names.is_empty() {
            ty.parameters = self.old_style_types(&parameters.names, &definition.old_style)?;
        }
        let index = self.declare_function(name, ty.clone(), declared)?;
        self.note_linkage(name, declared);
        self.note_constructor(index, declared);
        self.note_definition(index, name.span);
        let function = &mut self.functions[index];
        // `extern inline` bodies may be replaced by a real definition: the last one counts.
        function.definition = Some(definition);
        function.file = self.file;
        function.ty = ty;
        function.span = name.span;
        self.update_function(index);
        Ok(())
    }

    /// A declaration in a function: what has to be done when it is passed.
    pub(super) fn local_declaration(&mut self, declaration: &'t Declaration<'t>, out: &mut Vec<Stmt>) -> Check<()> {
        let specifiers = &declaration.specifiers;
        if matches!(specifiers.base, Base::Auto) {
            return self.auto_declaration(declaration, out);
        }
        let base = self.base_type(specifiers);
        let mut outcome = base.as_ref().map_or(Err(Reported), |_| Ok(()));
        for (declarator, value) in &declaration.declarators {
            let declared = Declared { specifiers, declarator, value: value.as_ref() };
            let ty = base.as_ref().map_or(Err(Reported), |base| self.derived_type(base.clone(), declarator));
            let result = ty.and_then(|ty| self.local_variable(declared, ty, out));
            if result.is_err() {
                if let Some(name) = declarator.name {
                    self.scopes.declare(name.text, Entity::Broken(Vec::new()));
                }
                outcome = result;
            }
        }
        outcome
    }

    fn local_variable(&mut self, declared: Declared<'t>, ty: Qualified, out: &mut Vec<Stmt>) -> Check<()> {
        let Declared { specifiers, declarator, value } = declared;
        out.extend(Self::declared_lengths(std::mem::take(&mut self.lengths)));
        let Some(name) = declarator.name else { return Ok(()) };
        if declared.is_typedef() {
            return self.declare_typedef(name, ty, declared);
        }
        if let Type::Function(function) = ty.ty {
            if specifiers.storage == Some(StorageClass::Automatic) {
                return self.declare_nested(name, *function);
            }
            let index = self.declare_function(name, *function, declared)?;
            self.scopes.declare(name.text, Entity::Function(index));
            return Ok(());
        }
        if specifiers.storage == Some(StorageClass::Extern) {
            let storage = if specifiers.thread_local { Storage::Thread } else { Storage::Extern };
            let index = self.global_variable(name, variable(name, ty, storage), None, false)?;
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
        let is_variable_length = matches!(ty.ty, Type::Sized(..));
        let is_wrong = is_variable_length && (value.is_some() || storage != self.local_storage());
        self.reject_if(
            is_wrong,
            name.span,
            "an array of variable length is neither static nor has it an initial value",
        )?;
        let id = self.declared_variable(name, ty.clone(), storage);
        self.variables[id.index()].align = self.declared_alignment(declared)?;
        self.scopes.declare(name.text, Entity::Local(id));
        let init = match value {
            None => None,
            Some(value) => {
                let (init, sized) = self.initial_value(&ty.ty, value)?;
                self.note_lock_kinds(&sized, &init);
                self.variables[id.index()].ty.ty = sized;
                Some(init)
            }
        };
        let complete = self.variables[id.index()].ty.ty.clone();
        self.reject_if(complete == Type::Void, name.span, "a variable cannot be `void`")?;
        if !is_variable_length {
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
            self.note_cleanup(id, declared)?;
        }
        Ok(())
    }

    fn auto_declaration(&mut self, declaration: &'t Declaration<'t>, out: &mut Vec<Stmt>) -> Check<()> {
        let [(declarator, Some(Initialiser::Expr(value)))] = declaration.declarators.as_slice() else {
            return self.error(declaration.span, "`__auto_type` needs one variable with an initial value");
        };
        let Some(name) = declarator.name else { return Ok(()) };
        let value = self.expr(value)?;
        let ty = Qualified { ty: value.ty.clone(), ..declaration.specifiers.qualifiers.clone() };
        let id = self.new_local(name.text, ty, name.span);
        self.scopes.declare(name.text, Entity::Local(id));
        let span = crate::c::parse::join(name.span, value.span);
        out.push(Stmt { kind: StmtKind::Declare(id, Some(Init::Expr(value))), span });
        self.note_cleanup(id, Declared { specifiers: &declaration.specifiers, declarator, value: None })
    }
}

/// A variable without an initial value.
fn variable(name: Name<'_>, ty: Qualified, storage: Storage) -> Variable {
    Variable { name: name.text.to_owned(), ty, storage, init: None, align: None, lengths: Vec::new(), span: name.span }
}
