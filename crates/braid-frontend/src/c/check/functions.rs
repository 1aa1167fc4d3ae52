//! Bodies of functions.

use super::declarators::adjusted;
use super::*;
use crate::c::translate::walk;
use std::collections::BTreeMap;

/// What the statements of a function's body need to know about it.
#[derive(Default)]
pub(super) struct FunctionContext<'t> {
    /// Absent at file level.
    pub id: Option<FunctionId>,
    pub name: &'t str,
    pub result: Type,
    /// The function's own, and those of the blocks around the current statement that declare some.
    pub labels: Vec<FxHashMap<&'t str, Label>>,
    /// The labels whose addresses are taken.
    pub label_values: &'t [Name<'t>],
    /// Around the current statement.
    pub loops: u32,
    /// What runs at the end of variables' lives, the last one first.
    pub cleanups: Vec<Cleanup>,
    /// How many of those there were around the loops and switches, and around the loops.
    pub break_levels: Vec<usize>,
    pub continue_levels: Vec<usize>,
    /// The switches around the current statement.
    pub switches: Vec<Switch>,
    /// Parameters that are string literals, and whether that has been used.
    pub literals: FxHashMap<VariableId, (u32, bool)>,
    /// The arguments behind the parameters, where it is known which there are.
    pub arguments: Option<Vec<VariableId>>,
}

/// A `switch` whose body is being checked.
pub(super) struct Switch {
    /// The promoted type of what it looks at.
    pub ty: Type,
    /// The values that have cases: first and last of each range.
    pub cases: BTreeMap<i128, i128>,
    pub has_default: bool,
}

impl<'t> Checker<'t> {
    /// Checks the body of a function, as that of a function of the program.
    pub(super) fn body_of(&mut self, index: usize, id: FunctionId) {
        let function = &self.functions[index];
        let Some(definition) = function.definition else { return };
        let (name, ty) = (function.name, self.unit_functions[id.index()].ty.clone());
        self.context = FunctionContext { id: Some(id), name, result: ty.result.clone(), ..Default::default() };
        self.context.label_values = &definition.label_values;
        self.enter_labels(&definition.body);
        self.scopes.enter();
        let mut parameters = self.parameter_variables(definition, &ty.parameters);
        if let Some(literals) = self.literals.get(&id) {
            let known = parameters.iter().zip(literals).filter_map(|(&id, literal)| Some((id, ((*literal)?, false))));
            self.context.literals = known.collect();
        }
        if self.literals.contains_key(&id) {
            let span = definition.head.declarator.span;
            let arguments = self.argument_variables(&ty.parameters[parameters.len()..], span);
            parameters.extend(&arguments);
            self.context.arguments = Some(arguments);
        }
        let mut body: Vec<Stmt> = Self::declared_lengths(std::mem::take(&mut self.lengths)).collect();
        body.extend(self.block(&definition.body));
        self.scopes.leave();
        self.leave_labels(0);
        self.context = FunctionContext::default();
        let function = &mut self.unit_functions[id.index()];
        function.parameters = parameters;
        function.body = Some(body);
    }

    /// The first function gets what the program is started with, if it looks at it, or if that is given.
    pub(super) fn start_with_arguments(&mut self, entry: &str, given: bool) -> bool {
        let Some(Entity::Function(main)) = self.found(entry) else { return false };
        let Some(id) = self.functions[main].id else { return false };
        let function = &self.unit_functions[id.index()];
        let (&[count, list, ..], Some(body), span) = (&function.parameters[..], &function.body, function.span) else {
            return false;
        };
        let mut used = given;
        walk::body(body, &mut |met, _| {
            used |= matches!(met, walk::Met::Place(place) if walk::root(place) == Some(list));
        });
        if !used
            || !self.variables[list.index()].ty.ty.is_pointer()
            || !self.variables[count.index()].ty.ty.is_integer()
        {
            return false;
        }
        let Some(model) = self.of_the_library("__arguments") else { return false };
        let signature = self.functions[model].ty.clone();
        let instance = self.instance(model, signature.clone(), span);
        let to = Box::new(self.variable_place(list, span));
        let address = Expr { kind: ExprKind::AddressOf(to), ty: signature.parameters[0].clone(), span };
        let call = Expr { kind: ExprKind::Call(Callee::Direct(instance), vec![address]), ty: signature.result, span };
        let place = Box::new(self.variable_place(count, span));
        let ty = place.ty.ty.clone();
        let start = Expr { kind: ExprKind::Assign(place, Box::new(self.cast(call, &ty))), ty, span };
        if let Some(body) = &mut self.unit_functions[id.index()].body {
            body.insert(0, Stmt { kind: StmtKind::Expr(start), span });
        }
        true
    }

    fn parameter_variables(&mut self, definition: &'t FunctionDefinition<'t>, types: &[Type]) -> Vec<VariableId> {
        let Some(Derived::Function(parameters)) = definition.head.declarator.derived.last() else { return Vec::new() };
        let mut variables = Vec::new();
        for (position, (parameter, ty)) in parameters.list.iter().zip(types).enumerate() {
            let qualified = match self.parameter_type(parameter.declared()) {
                Ok(declared) if mentions_length(&declared.ty) => declared,
                // What qualifies an array's elements does not qualify the pointer.
                Ok(declared) if !matches!(declared.ty, Type::Array(..) | Type::Function(_)) => {
                    Qualified { ty: ty.clone(), ..declared }
                }
                _ => plain(ty.clone()),
            };
            variables.push(match parameter.declarator.name {
                Some(name) => self.parameter(name, qualified),
                None => self.new_local(&format!("parameter{position}"), qualified, parameter.declarator.span),
            });
        }
        for (position, &name) in parameters.names.iter().enumerate() {
            let ty = types.get(position).cloned().unwrap_or(INT);
            variables.push(self.parameter(name, plain(ty)));
        }
        variables
    }

    /// The type of a parameter of a definition. Lengths in it are evaluated when the function is called, but for the outermost one, which says nothing.
    fn parameter_type(&mut self, declared: Declared<'t>) -> Check<Qualified> {
        let (errors, lengths) = (self.errors.len(), self.lengths.len());
        if let Ok(ty) = self.declared_type(declared) {
            if let Type::Sized(_, outermost) = ty.ty {
                self.lengths.retain(|length| length.variable != outermost);
            }
            return Ok(if mentions_length(&ty.ty) { plain(adjusted(ty)) } else { ty });
        }
        self.errors.truncate(errors);
        self.lengths.truncate(lengths);
        self.parameter_lists += 1;
        let ty = self.declared_type(declared);
        self.parameter_lists -= 1;
        ty
    }

    fn parameter(&mut self, name: Name<'t>, ty: Qualified) -> VariableId {
        let variable = self.new_local(name.text, ty, name.span);
        self.scopes.declare(name.text, Entity::Local(variable));
        variable
    }
}

/// Does a pointer lead to an array of variable length?
fn mentions_length(ty: &Type) -> bool {
    match ty {
        Type::Pointer(inner) | Type::Array(inner, _) => mentions_length(&inner.ty),
        Type::Sized(..) => true,
        _ => false,
    }
}
