//! Types: what Boogie says, and what the program's logic has for it.
//!
//! A map of several indices is an array of arrays; a type constructor with arguments is an uninterpreted type of its own for
//! each choice of arguments. Synonyms are written out. A type whose values name asynchronous tasks is a number.

use super::syntax::{Type as TypeSyntax, TypeDeclaration, TypeKind};
use super::{Read, Reader};
use crate::{Diagnostic, spelling};
use braid_program::ast::Type;
use braid_program::source::Span;
use rustc_hash::FxHashMap;
use std::fmt;

/// Wider bit-vectors are not read.
pub(super) const WIDEST: u32 = 1 << 16;
/// Types nested deeper, synonyms written out, are not read.
const DEEPEST: usize = 100;

/// A type with synonyms written out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Ty {
    Bool,
    Int,
    Real,
    BitVec(u32),
    Map(Vec<Ty>, Box<Ty>),
    Named(String, Vec<Ty>),
    /// A type parameter of the function that is being looked at.
    Parameter(String),
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Bool => f.write_str("bool"),
            Ty::Int => f.write_str("int"),
            Ty::Real => f.write_str("real"),
            Ty::BitVec(width) => write!(f, "bv{width}"),
            Ty::Map(indices, element) => {
                let indices: Vec<String> = indices.iter().map(Ty::to_string).collect();
                write!(f, "[{}]{element}", indices.join(", "))
            }
            Ty::Named(name, arguments) => {
                f.write_str(name)?;
                arguments.iter().try_for_each(|argument| match argument {
                    Ty::Named(_, inner) if !inner.is_empty() => write!(f, " ({argument})"),
                    Ty::Map(..) => write!(f, " ({argument})"),
                    _ => write!(f, " {argument}"),
                })
            }
            Ty::Parameter(name) => f.write_str(name),
        }
    }
}

/// What the type parameters of a function stand for.
pub(super) type Instance = FxHashMap<String, Ty>;

impl Ty {
    /// Finds what parameters must stand for, so that this type is the other; false if nothing does.
    pub fn matches(&self, other: &Ty, instance: &mut Instance) -> bool {
        match (self, other) {
            (Ty::Parameter(name), _) => match instance.get(name) {
                Some(known) => known == other,
                None => {
                    instance.insert(name.clone(), other.clone());
                    true
                }
            },
            (Ty::Map(indices, element), Ty::Map(others, other)) => {
                indices.len() == others.len()
                    && indices.iter().zip(others).all(|(index, other)| index.matches(other, instance))
                    && element.matches(other, instance)
            }
            (Ty::Named(name, arguments), Ty::Named(other, others)) => {
                name == other
                    && arguments.len() == others.len()
                    && arguments.iter().zip(others).all(|(argument, other)| argument.matches(other, instance))
            }
            _ => self == other,
        }
    }

    /// The type with parameters replaced; none if one of them is not known.
    pub fn instantiated(&self, instance: &Instance) -> Option<Ty> {
        let all = |types: &[Ty]| types.iter().map(|ty| ty.instantiated(instance)).collect::<Option<Vec<Ty>>>();
        Some(match self {
            Ty::Parameter(name) => instance.get(name)?.clone(),
            Ty::Map(indices, element) => Ty::Map(all(indices)?, Box::new(element.instantiated(instance)?)),
            Ty::Named(name, arguments) => Ty::Named(name.clone(), all(arguments)?),
            _ => self.clone(),
        })
    }

    fn depth(&self) -> usize {
        match self {
            Ty::Map(indices, element) => 1 + indices.iter().map(Ty::depth).max().unwrap_or(0).max(element.depth()),
            Ty::Named(_, arguments) => 1 + arguments.iter().map(Ty::depth).max().unwrap_or(0),
            _ => 1,
        }
    }
}

impl Reader<'_> {
    /// Notes the declared types, and checks what they stand for.
    pub(super) fn declare_types(&mut self, declarations: &[&TypeDeclaration]) {
        for declaration in declarations {
            let name = &declaration.name;
            if self.types.insert(name.text.clone(), (*declaration).clone()).is_some() {
                let error = Diagnostic::new(name.span, format!("the type `{}` is declared twice", name.text));
                self.errors.push(error);
            }
        }
        for declaration in declarations {
            if let Some(meaning) = &declaration.meaning {
                let parameters = declaration.parameters.iter();
                let instance = parameters.map(|name| (name.text.clone(), Ty::Parameter(name.text.clone()))).collect();
                if let Err(error) = self.ty_in(meaning, &instance, 0) {
                    self.errors.push(error);
                }
            }
        }
    }

    /// The type of a place without type parameters.
    pub(super) fn ty(&self, syntax: &TypeSyntax) -> Read<Ty> {
        self.ty_in(syntax, &Instance::default(), 0)
    }

    /// The type where some words stand for types.
    pub(super) fn ty_in(&self, syntax: &TypeSyntax, instance: &Instance, depth: usize) -> Read<Ty> {
        if depth > DEEPEST {
            let error = Diagnostic::new(syntax.span, "this type is nested too deep");
            return Err(error.hint("does a synonym stand for itself?"));
        }
        let ty = match &syntax.kind {
            TypeKind::Map { parameters, indices, element } => {
                if let Some(parameter) = parameters.first() {
                    return Err(Diagnostic::new(parameter.span, "maps with type parameters are not supported"));
                }
                if indices.is_empty() {
                    return Err(Diagnostic::new(syntax.span, "maps without an index are not supported"));
                }
                let indices = indices.iter().map(|index| self.ty_in(index, instance, depth + 1));
                Ty::Map(indices.collect::<Read<_>>()?, Box::new(self.ty_in(element, instance, depth + 1)?))
            }
            TypeKind::Named(name, arguments) => {
                let read = arguments.iter().map(|argument| self.ty_in(argument, instance, depth + 1));
                let read = read.collect::<Read<Vec<Ty>>>()?;
                self.named(name, read, syntax.span, instance, depth)?
            }
        };
        if ty.depth() > DEEPEST {
            return Err(Diagnostic::new(syntax.span, "this type is nested too deep"));
        }
        Ok(ty)
    }

    fn named(&self, name: &str, arguments: Vec<Ty>, span: Span, instance: &Instance, depth: usize) -> Read<Ty> {
        if arguments.is_empty() {
            if let Some(ty) = instance.get(name) {
                return Ok(ty.clone());
            }
            match name {
                "bool" => return Ok(Ty::Bool),
                "int" => return Ok(Ty::Int),
                "real" => return Ok(Ty::Real),
                _ => {}
            }
            if let Some(width) = name.strip_prefix("bv").and_then(|width| width.parse::<u32>().ok()) {
                return match width {
                    1..=WIDEST => Ok(Ty::BitVec(width)),
                    _ => Err(Diagnostic::new(span, format!("a bit-vector has from 1 to {WIDEST} bits"))),
                };
            }
        }
        let Some(declaration) = self.types.get(name) else {
            let error = Diagnostic::new(span, format!("there is no type `{name}`"));
            let known = ["bool", "int", "real"].into_iter().chain(self.types.keys().map(String::as_str));
            return Err(match spelling::nearest(name, known) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error.hint(format!("declare it: `type {name};`")),
            });
        };
        let expected = declaration.parameters.len();
        if arguments.len() != expected {
            let message = format!("`{name}` takes {}, but here are {}", count(expected, "type"), arguments.len());
            return Err(Diagnostic::new(span, message));
        }
        match &declaration.meaning {
            None => Ok(Ty::Named(name.to_owned(), arguments)),
            Some(meaning) => {
                let names = declaration.parameters.iter().map(|parameter| parameter.text.clone());
                let inner: Instance = names.zip(arguments).collect();
                self.ty_in(meaning, &inner, depth + 1)
            }
        }
    }

    /// The type in the logic.
    pub(super) fn ast_type(&self, ty: &Ty, span: Span) -> Read<Type> {
        Ok(match ty {
            Ty::Bool => Type::Bool,
            Ty::Int => Type::Int,
            Ty::BitVec(width) => Type::BitVec(*width),
            Ty::Real => return Err(Diagnostic::new(span, "real numbers are not supported")),
            Ty::Named(name, _) if self.task_types.contains(name) => Type::Int,
            Ty::Named(..) | Ty::Parameter(_) => Type::Named(ty.to_string()),
            Ty::Map(indices, element) => {
                let mut array = self.ast_type(element, span)?;
                for index in indices.iter().rev() {
                    array = Type::Array(Box::new(self.ast_type(index, span)?), Box::new(array));
                }
                array
            }
        })
    }
}

/// So many things, in words.
pub(super) fn count(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("one {thing}"),
        _ => format!("{number} {thing}s"),
    }
}
