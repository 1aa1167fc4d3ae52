//! Functions inside of functions (GNU C). They are functions like others, whose bodies may name variables of the function around them.
//!
//! *Invariant*: a body is checked where it stands, for only there its names mean what they should.

use super::*;

impl<'t> Checker<'t> {
    /// `auto int f(int);`: a function that is defined later in this block.
    pub(super) fn declare_nested(&mut self, name: Name<'t>, ty: FunctionType) -> Check<()> {
        let index = self.new_function(name.text, ty, name.span);
        self.functions[index].is_pending = true;
        self.scopes.declare(name.text, Entity::Function(index));
        Ok(())
    }

    /// A definition in a function.
    pub(super) fn nested_function(&mut self, definition: &'t FunctionDefinition<'t>) -> Check<()> {
        let declared = definition.head.declared();
        let Some(name) = declared.declarator.name else { return Ok(()) };
        let ty = self.declared_type(declared)?.ty;
        let (Type::Function(ty), Some(Derived::Function(parameters))) = (ty, declared.declarator.derived.last()) else {
            return self.error(name.span, "this is not a function");
        };
        if ty.variadic || !parameters.names.is_empty() {
            return self.unsupported(name.span, "a function inside of a function with `...` or without types");
        }
        let is_awaited = |index: usize| {
            let function = &self.functions[index];
            function.definition.is_none() && function.is_pending
        };
        let index = match self.scopes.find(name.text) {
            Some(&Entity::Function(index)) if is_awaited(index) => index,
            _ => {
                self.declare_nested(name, (*ty).clone())?;
                self.functions.len() - 1
            }
        };
        let function = &mut self.functions[index];
        function.definition = Some(definition);
        function.ty = *ty;
        function.attributes = function.attributes.union(declared.promises());
        let id = self.function_id(index);
        self.update_function(index);
        let outer_labels = self.outer_labels.clone();
        let names = self.context.labels.iter().flat_map(FxHashMap::keys).copied();
        self.outer_labels.extend(names);
        let context = std::mem::take(&mut self.context);
        self.body_of(index, id);
        self.context = context;
        self.outer_labels = outer_labels;
        Ok(())
    }
}
