//! Functions that GCC knows without a declaration.

use super::expressions::int;
use super::places::Operand;
use super::scope::Entity;
use super::types::{self, INT, UNSIGNED};
use super::{Arguments, Check, Checker, Written};
use crate::c::floats;
use crate::c::tree::{Expr, ExprKind, FunctionType, Type};
use braid_logic::{Format, Integer};
use braid_program::source::Span;

pub(super) const BUILTIN: &str = "__builtin_";

/// `__builtin_memcpy` is `memcpy`; other names stay.
fn library_name(name: &str) -> &str {
    let Some(library) = name.strip_prefix(BUILTIN) else { return name };
    let library = library.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk")).unwrap_or(library);
    if is_library(library) { library } else { name }
}

/// Functions of the C library whose types GCC knows.
fn is_library(name: &str) -> bool {
    const NAMES: &str = "abort abs alloca bcmp bzero calloc exit _exit fabs fprintf fputc fputs free labs llabs \
        malloc memchr memcmp memcpy memmove memset mempcpy printf putchar puts realloc snprintf sprintf strcat \
        strchr strcmp strcpy strdup strlen strncat strncmp strncpy strrchr strstr";
    NAMES.split_whitespace().any(|known| known == name)
}

impl<'t> Checker<'t> {
    /// A function that is called without a declaration: it gives an `int`, unless the compiler knows it. Where the prelude defines
    /// a builtin, it has that type, and takes arguments of any type as they are.
    pub(super) fn undeclared_function(&mut self, name: &'t str, span: Span) -> usize {
        let plain = name.strip_prefix(BUILTIN).filter(|plain| self.library.contains_key(plain));
        let library_name = match plain.filter(|_| !self.library.contains_key(name)) {
            Some(plain) => plain,
            None => library_name(name),
        };
        let index = match self.scopes.find_at_file_level(library_name) {
            Some(&Entity::Function(index)) => index,
            _ => {
                let model = self.library.get(library_name).filter(|_| name.starts_with(BUILTIN));
                let ty = match model {
                    Some(&model) => self.functions[model].ty.clone(),
                    None => FunctionType {
                        result: self.builtin_result(name),
                        parameters: Vec::new(),
                        variadic: false,
                        open: true,
                    },
                };
                self.new_function(library_name, ty, span)
            }
        };
        for name in [name, library_name] {
            self.scopes.declare_at_file_level(name, Entity::Function(index));
        }
        index
    }

    /// What a function gives that has no declaration.
    fn builtin_result(&self, name: &str) -> Type {
        let known = name.strip_prefix(BUILTIN).or(is_library(name).then_some(name)).unwrap_or("");
        match known.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk")).unwrap_or(known) {
            "malloc" | "calloc" | "realloc" | "alloca" | "memcpy" | "memmove" | "memset" | "memchr" | "mempcpy"
            | "frame_address" | "return_address" | "assume_aligned" | "alloca_with_align" => {
                types::pointer_to(types::plain(Type::Void))
            }
            "strcat" | "strchr" | "strcpy" | "strdup" | "strncat" | "strncpy" | "strrchr" | "strstr" => {
                types::pointer_to(types::plain(types::CHAR))
            }
            "strlen" | "object_size" | "dynamic_object_size" => types::size_type(self.model),
            "free" | "abort" | "exit" | "_exit" | "trap" | "unreachable" | "prefetch" | "va_start" | "va_end"
            | "va_copy" | "bzero" | "ia32_pause" | "__clear_cache" => Type::Void,
            "bswap16" => types::integer(self.model, 2, false),
            "bswap32" => UNSIGNED,
            "bswap64" => types::integer(self.model, 5, false),
            "labs" => types::integer(self.model, 4, true),
            "llabs" => types::integer(self.model, 5, true),
            known if known.ends_with("_overflow") => Type::Bool,
            _ => INT,
        }
    }

    /// Builtins that the compiler answers itself.
    pub(super) fn folded_builtin(
        &mut self,
        name: &str,
        arguments: Arguments<'t>,
        span: Span,
    ) -> Option<Check<Operand>> {
        Some(match (name, arguments) {
            ("__builtin_expect", [value, _]) | ("__builtin_expect_with_probability", [value, _, _]) => {
                let long = types::integer(self.model, 4, true);
                self.expr(value).and_then(|value| self.converted(value, &long, span)).map(Operand::Value)
            }
            ("__builtin_inf" | "__builtin_huge_val" | "__builtin_nan", _) => {
                Ok(self.special(name, types::DOUBLE, span))
            }
            ("__builtin_inff" | "__builtin_huge_valf" | "__builtin_nanf", _) => {
                Ok(self.special(name, Type::Float { bits: 32 }, span))
            }
            ("__builtin_infl" | "__builtin_huge_vall" | "__builtin_nanl", _) => {
                Ok(self.special(name, types::long_double(self.model), span))
            }
            ("__builtin_constant_p", [value]) => self.type_and_constant(value, span),
            ("__builtin_choose_expr", [test, then, other]) => {
                self.constant_expression(test).and_then(|test| self.operand(if test != 0 { then } else { other }))
            }
            ("__builtin_object_size" | "__builtin_dynamic_object_size", [_, _]) => {
                let ty = types::size_type(self.model);
                let all_ones = self.wrapped(-1, &ty).unwrap_or(0);
                Ok(Operand::Value(int(all_ones, ty, span)))
            }
            ("__builtin_va_start", [list, ..]) => self.start_arguments(list, span).map(Operand::Value),
            ("__builtin_va_copy", [to, from]) => self.copy_arguments(to, from, span).map(Operand::Value),
            ("__builtin_va_end", [list]) => {
                let list = self.expr(list);
                list.map(|list| Operand::Value(Expr { kind: ExprKind::Cast(Box::new(list)), ty: Type::Void, span }))
            }
            _ => return None,
        })
    }

    /// Infinity, or what is not a number; of the latter there is one.
    fn special(&self, name: &str, ty: Type, span: Span) -> Operand {
        let format = floats::format(&ty).unwrap_or(Format::DOUBLE);
        let bits = if name.contains("nan") { format.nan() } else { format.infinity() };
        Operand::Value(Expr { kind: ExprKind::Float(Integer::from(bits)), ty, span })
    }

    fn type_and_constant(&mut self, value: Written<'t>, span: Span) -> Check<Operand> {
        let checked = Self::value_of(self.unevaluated(value)?);
        let is_constant =
            matches!(checked.kind, ExprKind::Float(_) | ExprKind::String(_)) || self.constant(&checked).is_some();
        Ok(Operand::Value(int(i128::from(is_constant), INT, span)))
    }
}
