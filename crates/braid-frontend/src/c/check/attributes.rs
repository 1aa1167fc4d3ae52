//! What attributes do to types, variables and functions.

use super::*;

impl<'t> Checker<'t> {
    /// Reports an attribute that is not supported.
    pub(super) fn supported(&mut self, attributes: &Attributes<'t>) -> Check<()> {
        match attributes.unsupported {
            Some((name, span)) => self.unsupported(span, &format!("the attribute `{name}`")),
            None => Ok(()),
        }
    }

    /// A type after `mode`, which names an integer by its size.
    pub(super) fn with_mode(&mut self, ty: Qualified, attributes: &Attributes<'t>) -> Check<Qualified> {
        let Some((mode, span)) = attributes.mode else { return Ok(ty) };
        let Type::Int { signed, .. } = ty.ty else {
            return self.unsupported(span, "the attribute `mode` of something that is not an integer");
        };
        let is_narrow = self.model == DataModel::Ilp32;
        let rank = match mode {
            "QI" | "byte" => 1,
            "HI" => 2,
            "SI" => 3,
            "word" | "pointer" | "unwind_word" if is_narrow => 3,
            "DI" if is_narrow => 5,
            "DI" | "word" | "pointer" | "unwind_word" => 4,
            "TI" => 6,
            _ => return self.unsupported(span, &format!("the mode `{mode}`")),
        };
        Ok(Qualified { ty: types::integer(self.model, rank, signed), ..ty })
    }

    /// The strictest alignment that attributes ask for.
    pub(super) fn requested_alignment(&mut self, attributes: &[&'t Attributes<'t>]) -> Check<Option<u64>> {
        let mut strictest = None;
        for alignment in attributes.iter().flat_map(|attributes| &attributes.aligned) {
            let value = match alignment {
                None => 16,
                Some(Typed::Type(name)) => self.alignment_of_type(name, false)?,
                Some(Typed::Expr(expr)) => {
                    let value = self.constant_expression(expr)?;
                    match u64::try_from(value).ok().filter(|value| *value <= 1 << 28) {
                        Some(0) => 1,
                        Some(value) if value.is_power_of_two() => value,
                        _ => return self.error(expr.span, "an alignment must be a power of two"),
                    }
                }
            };
            strictest = strictest.max(Some(value));
        }
        Ok(strictest)
    }

    /// What a declaration asks for: its own attributes, or those of the typedef that it uses for objects or arrays.
    pub(super) fn declared_alignment(&mut self, declared: Declared<'t>) -> Check<Option<u64>> {
        let own = self.requested_alignment(&declared.attributes())?;
        Ok(own.or_else(|| self.typedef_alignment(declared)))
    }

    /// The alignment that a typedef gives to objects and arrays of its type.
    pub(super) fn typedef_alignment(&self, declared: Declared<'t>) -> Option<u64> {
        let Base::Typedef(name) = &declared.specifiers.base else { return None };
        let is_object = declared.declarator.derived.iter().all(|derived| matches!(derived, Derived::Array(..)));
        match self.scopes.find(name.text) {
            Some(Entity::Typedef(_, align)) if is_object => *align,
            _ => None,
        }
    }

    /// `_Alignof(type)`, or (`preferred`) `__alignof__(type)`.
    pub(super) fn alignment_of_type(&mut self, name: &'t TypeName<'t>, preferred: bool) -> Check<u64> {
        let ty = self.type_name(name)?.ty;
        let own = || if preferred { self.preferred_alignment(&ty) } else { self.align_of(&ty) };
        Ok(self.typedef_alignment(name.declared()).unwrap_or_else(own))
    }

    /// The alignment of objects that are not in records: for 32 bits those of 64 bits have more than they need.
    fn preferred_alignment(&self, ty: &Type) -> u64 {
        let large = matches!(types::element(ty), Type::Int { bits: 64, .. } | Type::Float { bits: 64 });
        if large { 8 } else { self.align_of(ty) }
    }

    /// What the linker is told of a name is looked at when all definitions are known.
    pub(super) fn note_linkage(&mut self, name: Name<'t>, declared: Declared<'t>) {
        let told = declared.attributes().into_iter().filter_map(|attributes| attributes.linkage.as_ref());
        self.linkage.extend(told.map(|(linkage, span)| (name.text, linkage, *span)));
    }

    /// A weak name without a definition can be null, unless it is the library's own (`__…`), and a name for the linker can mean something that the program defines: these are
    /// not supported. Otherwise the program is all there is, and such words change nothing.
    pub(super) fn check_linkage(&mut self) {
        for (name, linkage, span) in std::mem::take(&mut self.linkage) {
            let broken = match linkage {
                Linkage::Weak => (!self.is_defined(name) && !primitives::is_primitive(name))
                    .then(|| "the attribute `weak` without a definition".to_owned()),
                Linkage::Alias(pieces) => {
                    let target = literals::text(pieces);
                    match self.scopes.find_at_file_level(&target).cloned() {
                        Some(entity) if self.is_defined(&target) => {
                            self.scopes.declare_at_file_level(name, entity);
                            None
                        }
                        _ => Some(format!("the alias `{target}` without a definition")),
                    }
                }
                Linkage::Name(pieces) => {
                    let label = literals::text(pieces);
                    let is_other = label != name && (self.is_defined(&label) || self.is_defined(name));
                    is_other.then(|| format!("the assembler name `{label}` of a definition"))
                }
            };
            if let Some(what) = broken {
                let error = Diagnostic::new(span, format!("{what} is not supported"));
                self.scopes.declare_at_file_level(name, Entity::Broken(vec![error]));
            }
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        match self.found(name) {
            Some(Entity::Function(index)) => self.functions[index].definition.is_some(),
            Some(Entity::Global(index)) => self.globals[index].variable.storage != Storage::Extern,
            _ => false,
        }
    }

    /// The strictest alignment of an expression's place: of a variable or a member, or of its type.
    pub(super) fn alignment_of_expression(&mut self, expr: Written<'t>, span: Span) -> Check<u64> {
        let Operand::Place(place) = self.unevaluated(expr)? else {
            return match self.type_of(expr)?.ty {
                Type::Function(_) => self.unsupported(span, "the alignment of a function"),
                ty => Ok(self.preferred_alignment(&ty)),
            };
        };
        let natural = self.preferred_alignment(&place.ty.ty);
        Ok(match &place.kind {
            PlaceKind::Variable(id) => self.variables[id.index()].align.unwrap_or(natural),
            PlaceKind::Field(base, index) => match base.ty.ty {
                Type::Record(id) => self.records[id.index()].fields[*index as usize].align,
                _ => return self.error(span, "this has no alignment"),
            },
            PlaceKind::Deref(_) | PlaceKind::Element(..) => natural,
        })
    }

    /// Functions that run after `main` are asked for in front of everything else, so that they run last: of them, those with smaller
    /// priorities, and of these the first one.
    fn destructor_calls(&mut self) -> Vec<Stmt> {
        let mut destructors = std::mem::take(&mut self.destructors);
        destructors.sort_by_key(|(priority, _)| *priority);
        let mut calls = Vec::new();
        for (_, index) in destructors {
            let GlobalFunction { id: Some(id), span, .. } = self.functions[index] else { continue };
            if !self.functions[index].ty.parameters.is_empty() {
                let _ = self.unsupported::<()>(span, "a destructor with parameters");
                continue;
            }
            let ty = pointer_to(plain(Type::Function(Box::new(self.functions[index].ty.clone()))));
            let function = Expr { kind: ExprKind::Function(id), ty, span };
            self.wants_program_ends = true;
            if let Ok(call) = self.prelude_call("atexit", vec![function], span) {
                calls.push(Stmt { kind: StmtKind::Expr(call), span });
            }
        }
        calls
    }

    /// Calls constructors in front of the entry's body, those with smaller priorities first.
    pub(super) fn run_constructors(&mut self, entry: &str) {
        let Some(Entity::Function(main)) = self.found(entry) else { return };
        let Some(main) = self.functions[main].id else { return };
        let mut calls = self.destructor_calls();
        let mut constructors = std::mem::take(&mut self.constructors);
        constructors.sort_by_key(|(priority, _)| *priority);
        for (_, index) in constructors {
            let GlobalFunction { id: Some(id), span, .. } = self.functions[index] else { continue };
            if !self.functions[index].ty.parameters.is_empty() {
                let _ = self.unsupported::<()>(span, "a constructor with parameters");
                continue;
            }
            let call = ExprKind::Call(Callee::Direct(id), Vec::new());
            let call = Expr { kind: call, ty: self.functions[index].ty.result.clone(), span };
            calls.push(Stmt { kind: StmtKind::Expr(call), span });
        }
        if let Some(body) = &mut self.unit_functions[main.index()].body {
            body.splice(0..0, calls);
        }
    }
}
