//! Functions: those with a body are written out where they are used, those that name an operator of the solver become
//! that operator, and the others are uninterpreted: one function for each choice of its type parameters.

use super::expressions::expect_type;
use super::scope::{Kind, Meaning, Moment, Scope, Typed};
use super::syntax::{AttributeArgument, Function as Syntax, Name};
use super::types::{Instance, Ty, count};
use super::{Read, Reader};
use crate::{Diagnostic, spelling};
use braid_program::ast::{Expr, ExprKind, FunId, Function, Storage, Variable};
use braid_program::source::Span;

/// Written-out functions may have this many operators and operands in the whole program.
const LARGEST: usize = 1_000_000;
/// And be nested this deep.
const DEEPEST: usize = 1_000;

/// A declared function.
#[derive(Clone)]
pub(super) struct Declared<'s> {
    syntax: &'s Syntax,
    parameters: Vec<Ty>,
    result: Ty,
    definition: Definition<'s>,
}

#[derive(Clone)]
enum Definition<'s> {
    Uninterpreted,
    /// The body, written out where the function is used.
    Body,
    /// An operator of SMT-LIB, by its name.
    Operator(&'s str),
    /// A term of SMT-LIB over the parameters.
    Term(&'s str),
}

impl<'s> Reader<'s> {
    pub(super) fn declare_functions(&mut self, functions: &[&'s Syntax]) {
        for &syntax in functions {
            let name = &syntax.name;
            match self.declared(syntax) {
                Ok(declared) => {
                    if self.functions.insert(name.text.clone(), declared).is_some() {
                        let message = format!("the function `{}` is declared twice", name.text);
                        self.errors.push(Diagnostic::new(name.span, message));
                    }
                }
                Err(error) => self.errors.push(error),
            }
        }
        if !self.errors.is_empty() {
            return;
        }
        for syntax in functions {
            if let Err(error) = self.check_definition(&syntax.name) {
                self.errors.push(error);
            }
        }
    }

    fn declared(&self, syntax: &'s Syntax) -> Read<Declared<'s>> {
        let names = syntax.type_parameters.iter();
        let instance: Instance = names.map(|name| (name.text.clone(), Ty::Parameter(name.text.clone()))).collect();
        let parameters = syntax.parameters.iter().map(|parameter| self.ty_in(&parameter.ty, &instance, 0));
        let parameters = parameters.collect::<Read<Vec<_>>>()?;
        let result = self.ty_in(&syntax.result, &instance, 0)?;
        let given = |wanted: &str| {
            let attribute = syntax.attributes.iter().find(|attribute| attribute.name == wanted)?;
            match attribute.arguments.first() {
                Some(AttributeArgument::Text(text)) => Some(text.as_str()),
                _ => None,
            }
        };
        let definition = if syntax.body.is_some() {
            Definition::Body
        } else if let Some(operator) = given("bvbuiltin").or_else(|| given("builtin")) {
            Definition::Operator(operator)
        } else if let Some(term) = given("smtdefined") {
            Definition::Term(term)
        } else {
            Definition::Uninterpreted
        };
        Ok(Declared { syntax, parameters, result, definition })
    }

    /// Checks the definition of a function, whether it is used or not.
    fn check_definition(&mut self, name: &Name) -> Read<()> {
        let Some(declared) = self.functions.get(&name.text).cloned() else { return Ok(()) };
        if matches!(declared.definition, Definition::Uninterpreted) {
            return Ok(());
        }
        // Types decide; any value does.
        let argument = |reader: &Self, ty: &Ty| -> Read<Typed> {
            let expr = Expr { ty: reader.ast_type(ty, name.span)?, ..Expr::bool(false, name.span) };
            Ok(Typed { expr, ty: ty.clone() })
        };
        let arguments = declared.parameters.iter().map(|ty| argument(self, ty)).collect::<Read<Vec<_>>>()?;
        self.definition(&declared, arguments, &declared.result, name.span).map(|_| ())
    }

    /// A function applied to arguments.
    pub(super) fn call_function(&mut self, name: &Name, arguments: Vec<Typed>, span: Span) -> Read<Typed> {
        let Some(declared) = self.functions.get(&name.text).cloned() else {
            let error = Diagnostic::new(name.span, format!("there is no function `{}`", name.text));
            return Err(if self.procedures.contains_key(&name.text) {
                error.hint(format!("it is a procedure: write `call x := {}(…);`", name.text))
            } else if let Some(near) = spelling::nearest(&name.text, self.functions.keys().map(String::as_str)) {
                error.hint(format!("did you mean `{near}`?"))
            } else {
                error
            });
        };
        let expected = declared.parameters.len();
        if arguments.len() != expected {
            let wanted = count(expected, "argument");
            let message = format!("`{}` takes {wanted}, but here are {}", name.text, arguments.len());
            return Err(Diagnostic::new(span, message));
        }
        let mut instance = Instance::default();
        for (argument, parameter) in arguments.iter().zip(&declared.parameters) {
            if !parameter.matches(&argument.ty, &mut instance) {
                let parameter = parameter.instantiated(&instance).unwrap_or(parameter.clone());
                expect_type(argument, &parameter)?;
            }
        }
        let Some(result) = declared.result.instantiated(&instance) else {
            let message = format!("the arguments do not say which type `{}` has here", name.text);
            return Err(Diagnostic::new(span, message));
        };
        match declared.definition {
            Definition::Uninterpreted => self.uninterpreted(&declared, arguments, &instance, result, span),
            _ => {
                let mut value = self.definition(&declared, arguments, &result, span)?;
                let (size, depth) = measure(&value.expr);
                self.written_out += size;
                if self.written_out > LARGEST || depth > DEEPEST {
                    let error = Diagnostic::new(span, "functions with a body are written out, and this gets too large");
                    return Err(error.hint("a function without a body, and an axiom, stay small"));
                }
                value.expr.span = span;
                Ok(value)
            }
        }
    }

    /// What a function means, given its arguments.
    fn definition(&mut self, declared: &Declared<'s>, arguments: Vec<Typed>, result: &Ty, span: Span) -> Read<Typed> {
        let syntax = declared.syntax;
        let named = syntax.parameters.iter().zip(arguments.iter().cloned());
        let named = named.filter_map(|(parameter, value)| Some((parameter.name.as_ref()?.text.clone(), value)));
        let value = match declared.definition {
            Definition::Operator(operator) => {
                let arguments = arguments.into_iter().map(|argument| argument.expr).collect();
                self.solver_operator(operator, arguments, span)?
            }
            Definition::Term(term) => {
                let named: Vec<(String, Expr)> = named.map(|(name, value)| (name, value.expr)).collect();
                self.solver_term(term, &named, span)?
            }
            Definition::Body | Definition::Uninterpreted => {
                let name = &syntax.name;
                let Some(body) = &syntax.body else { return Err(Diagnostic::new(span, "there is no definition")) };
                if self.writing_out.contains(&name.text.as_str()) {
                    let message = format!("the function `{}` is defined by itself, which is not supported", name.text);
                    return Err(Diagnostic::new(name.span, message));
                }
                let meaning = |value| Meaning { value, variable: None, kind: Kind::Parameter };
                let names = named.map(|(name, value)| (name, meaning(value))).collect();
                self.writing_out.push(&name.text);
                let value = self.expr(&Scope { names, moment: Moment::Never }, body);
                self.writing_out.pop();
                let value = value?;
                expect_type(&value, result)?;
                return Ok(value);
            }
        };
        let expected = self.ast_type(result, span)?;
        if value.ty != expected {
            let message = format!("the definition of `{}` is not of type {result}", syntax.name.text);
            return Err(Diagnostic::new(syntax.name.span, message));
        }
        Ok(Typed { expr: value, ty: result.clone() })
    }

    fn uninterpreted(
        &mut self,
        declared: &Declared<'s>,
        arguments: Vec<Typed>,
        instance: &Instance,
        ty: Ty,
        span: Span,
    ) -> Read<Typed> {
        let place = declared.syntax.name.span;
        let parameters = declared.syntax.type_parameters.iter();
        let types: Vec<String> =
            parameters.map(|name| instance.get(&name.text).map(Ty::to_string).unwrap_or_default()).collect();
        let mut name = declared.syntax.name.text.clone();
        if !types.is_empty() {
            name = format!("{name}<{}>", types.join(", "));
        }
        let result = self.ast_type(&ty, place)?;
        if arguments.is_empty() {
            let id = match self.nullary.get(&name) {
                Some(&id) => id,
                None => {
                    let variable = Variable { name: name.clone(), ty: result, storage: Storage::Global, span: place };
                    let id = self.new_variable(variable);
                    self.nullary.insert(name, id);
                    id
                }
            };
            return Ok(Typed { expr: Expr::var(&self.program, id, span), ty });
        }
        let id = match self.instances.get(&name) {
            Some(&id) => id,
            None => {
                let id = FunId(self.program.functions.len() as u32);
                let arguments = arguments.iter().map(|argument| argument.expr.ty.clone()).collect();
                self.program.functions.push(Function { name: name.clone(), arguments, result, span: place });
                self.instances.insert(name, id);
                id
            }
        };
        let arguments = arguments.into_iter().map(|argument| argument.expr).collect();
        let expr = Expr::apply(&self.program, id, arguments, span);
        Ok(Typed { expr: expr.map_err(|error| Diagnostic::new(span, error.message))?, ty })
    }
}

/// How many operators and operands there are, and how deep they are nested.
fn measure(expr: &Expr) -> (usize, usize) {
    let operands: &[Expr] = match &expr.kind {
        ExprKind::Op(_, operands) | ExprKind::Apply(_, operands) => operands,
        ExprKind::ConstArray(element) | ExprKind::Quantified(_, _, element) => std::slice::from_ref(element),
        _ => &[],
    };
    let parts = operands.iter().map(measure);
    let (size, depth) = parts.fold((0, 0), |(size, deepest), (part, depth)| (size + part, deepest.max(depth)));
    (size + 1, depth + 1)
}
