//! Bodies of functions.

use super::Checker;
use super::scope::Entity;
use super::types::{INT, plain};
use crate::Diagnostic;
use crate::c::syntax::{Derived, FunctionDefinition, Name};
use crate::c::tree::{FunctionId, LabelId, Qualified, Storage, Type, VariableId};
use braid_program::source::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What the statements of a function's body need to know about it.
pub(super) struct FunctionContext<'t> {
    pub id: FunctionId,
    pub name: &'t str,
    pub result: Type,
    pub labels: FxHashMap<&'t str, Label>,
    /// Around the current statement.
    pub loops: u32,
    /// The switches around the current statement.
    pub switches: Vec<Switch>,
    /// Loops and switches.
    pub breakable: u32,
}

/// A `switch` whose body is being checked.
pub(super) struct Switch {
    /// The promoted type of what it looks at.
    pub ty: Type,
    /// The values that have cases: first and last of each range.
    pub cases: BTreeMap<i128, i128>,
    pub has_default: bool,
}

pub(super) struct Label {
    pub id: LabelId,
    pub is_defined: bool,
    /// Of the first mention.
    pub span: Span,
}

impl<'t> Checker<'t> {
    pub(super) fn function_body(&mut self, index: usize) {
        let function = &self.functions[index];
        let Some(id) = function.id else { return };
        self.unit_functions[id.index()].ty = function.ty.clone();
        self.body_of(index, id);
    }

    /// Checks the body of a function, as that of a function of the program.
    pub(super) fn body_of(&mut self, index: usize, id: FunctionId) {
        let function = &self.functions[index];
        let Some(definition) = function.definition else { return };
        let (name, ty) = (function.name, self.unit_functions[id.index()].ty.clone());
        self.context = Some(FunctionContext {
            id,
            name,
            result: ty.result.clone(),
            labels: FxHashMap::default(),
            loops: 0,
            switches: Vec::new(),
            breakable: 0,
        });
        self.scopes.enter();
        let parameters = self.parameter_variables(definition, &ty.parameters, id);
        let body = self.block(&definition.body);
        self.scopes.leave();
        if let Some(context) = self.context.take() {
            for (name, label) in context.labels {
                if !label.is_defined {
                    self.errors
                        .push(Diagnostic::new(label.span, format!("there is no label `{name}` in this function")));
                }
            }
        }
        let function = &mut self.unit_functions[id.index()];
        function.parameters = parameters;
        function.body = Some(body);
    }

    fn parameter_variables(
        &mut self,
        definition: &'t FunctionDefinition<'t>,
        types: &[Type],
        id: FunctionId,
    ) -> Vec<VariableId> {
        let Some(Derived::Function(parameters)) = definition.declarator.derived.last() else { return Vec::new() };
        let mut variables = Vec::new();
        if parameters.names.is_empty() {
            for (position, (parameter, ty)) in parameters.list.iter().zip(types).enumerate() {
                self.parameter_lists += 1;
                let declared = self.declared_type(&parameter.specifiers, &parameter.declarator);
                self.parameter_lists -= 1;
                let qualified = match declared {
                    // What qualifies an array's elements does not qualify the pointer.
                    Ok(declared) if !matches!(declared.ty, Type::Array(..) | Type::Function(_)) => {
                        Qualified { ty: ty.clone(), ..declared }
                    }
                    _ => plain(ty.clone()),
                };
                let made_up = format!("parameter{position}");
                let name = parameter.declarator.name;
                let span = name.map_or(parameter.declarator.span, |name| name.span);
                let shown = name.map_or(made_up.as_str(), |name| name.text);
                let variable = self.new_variable(shown, qualified, Storage::Local(id), span);
                if let Some(name) = name {
                    self.scopes.declare(name.text, Entity::Local(variable));
                }
                variables.push(variable);
            }
            return variables;
        }
        for (position, &Name { text, span }) in parameters.names.iter().enumerate() {
            let ty = types.get(position).cloned().unwrap_or(INT);
            let variable = self.new_variable(text, plain(ty), Storage::Local(id), span);
            self.scopes.declare(text, Entity::Local(variable));
            variables.push(variable);
        }
        variables
    }
}
