//! Functions that GCC knows without a declaration.

use super::*;

pub(super) const BUILTIN: &str = "__builtin_";

impl<'t> Checker<'t> {
    /// Reads what functions give that need no declaration.
    pub(super) fn builtins(&mut self, externals: &'t [External<'t>]) {
        self.in_prelude(|checker| externals.iter().for_each(|external| checker.external(external)));
        let known = self.functions.iter().map(|function| (function.name, function.ty.result.clone()));
        self.builtins = known.collect();
    }

    /// `__builtin_memcpy` and `__builtin___memcpy_chk` are `memcpy`; other names stay.
    fn library_name(&self, name: &'t str) -> &'t str {
        let Some(library) = name.strip_prefix(BUILTIN) else { return name };
        let library = library.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk")).unwrap_or(library);
        if self.builtins.contains_key(library) { library } else { name }
    }

    /// A function that is called without a declaration: it gives an `int`, unless the compiler knows it. Where the prelude defines
    /// a builtin, it has that type, and takes arguments of any type as they are.
    pub(super) fn undeclared_function(&mut self, name: &'t str, span: Span) -> usize {
        let plain = name.strip_prefix(BUILTIN).filter(|plain| self.of_the_library(plain).is_some());
        let plain = plain.filter(|_| self.of_the_library(name).is_none());
        let library_name = plain.unwrap_or_else(|| self.library_name(name));
        let index = match self.found(library_name) {
            Some(Entity::Function(index)) => index,
            _ => {
                let model = if name.starts_with(BUILTIN) { self.of_the_library(library_name) } else { None };
                let result = self.builtins.get(library_name).cloned().unwrap_or(INT);
                let open = FunctionType { result, parameters: Vec::new(), variadic: false, open: true };
                let ty = model.map_or(open, |model| self.functions[model].ty.clone());
                self.new_function(library_name, ty, span)
            }
        };
        for name in [name, library_name] {
            self.scopes.declare_at_file_level(name, Entity::Function(index));
        }
        index
    }

    /// Builtins that the compiler answers itself.
    pub(super) fn answered(&mut self, name: &str, arguments: Arguments<'t>, span: Span) -> Check<Option<Operand>> {
        let value = match (name, arguments) {
            ("__builtin_expect", [value, _]) | ("__builtin_expect_with_probability", [value, _, _]) => {
                let value = self.expr(value)?;
                self.converted(value, &types::integer(self.model, 4, true), span)?
            }
            ("__builtin_constant_p", [value]) => {
                let value = Self::value_of(self.unevaluated(value)?);
                let is_literal = matches!(value.kind, ExprKind::Float(_) | ExprKind::String(_));
                int(i128::from(is_literal || self.constant(&value).is_some()), INT, span)
            }
            ("__builtin_choose_expr", [test, then, other]) => {
                let chosen = if self.constant_expression(test)? != 0 { then } else { other };
                return self.operand(chosen).map(Some);
            }
            ("__builtin_object_size" | "__builtin_dynamic_object_size", [_, _]) => {
                let ty = types::size_type(self.model);
                int(self.wrapped(-1, &ty).unwrap_or(0), ty, span)
            }
            ("__builtin_va_start", [list, ..]) => self.start_arguments(list, span)?,
            ("__builtin_va_copy", [to, from]) => self.copy_arguments(to, from, span)?,
            ("__builtin_va_end", [list]) => {
                Expr { kind: ExprKind::Cast(Box::new(self.expr(list)?)), ty: Type::Void, span }
            }
            ("__builtin_inf" | "__builtin_huge_val" | "__builtin_nan", _) => self.special(name, types::DOUBLE, span),
            ("__builtin_inff" | "__builtin_huge_valf" | "__builtin_nanf", _) => {
                self.special(name, Type::Float { bits: 32 }, span)
            }
            ("__builtin_infl" | "__builtin_huge_vall" | "__builtin_nanl", _) => {
                self.special(name, types::long_double(self.model), span)
            }
            _ => return Ok(None),
        };
        Ok(Some(Operand::Value(value)))
    }

    /// Infinity, or what is not a number; of the latter there is one.
    fn special(&self, name: &str, ty: Type, span: Span) -> Expr {
        let format = floats::format(&ty).unwrap_or(braid_logic::Format::DOUBLE);
        let bits = if name.contains("nan") { format.nan() } else { format.infinity() };
        Expr { kind: ExprKind::Float(Integer::from(bits)), ty, span }
    }
}
