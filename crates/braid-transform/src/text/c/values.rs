//! Types and values of sequential programs in C.

use super::{CELLS, Printer};
use crate::text::{Said, comparisons, infix, joined};
use braid_program::Diagnostic;
use braid_program::ast::{Expr, ExprKind, Op, Type, VarId};
use braid_program::source::Span;

impl Printer<'_> {
    pub(super) fn ty(&mut self, ty: &Type, span: Span) -> Said<String> {
        Ok(match ty {
            Type::Bool => "_Bool".into(),
            Type::Int | Type::Named(_) => "int".into(),
            Type::Array(_, element) => self.array(element, span)?,
            Type::BitVec(_) => return Err(Diagnostic::new(span, "bit-vectors cannot be written in C yet")),
        })
    }

    pub(super) fn variable_type(&mut self, id: VarId) -> Said<String> {
        let variable = self.program.variable(id);
        self.ty(&variable.ty, variable.span)
    }

    /// The structure for arrays of an element type, with the functions on them.
    fn array(&mut self, element: &Type, span: Span) -> Said<String> {
        let cell = self.ty(element, span)?;
        if let Some(known) = self.arrays.get(&cell) {
            return Ok(known.clone());
        }
        let name = format!("struct array{}", self.arrays.len());
        let number = self.arrays.len();
        self.arrays.insert(cell.clone(), name.clone());
        let equal = match element {
            Type::Array(..) => format!("!{}", self.call_name("equal", &cell)) + "(a.at[i], b.at[i])",
            _ => "a.at[i] != b.at[i]".into(),
        };
        let any = self.any(element, span)?;
        self.declarations.push_str(&format!(
            "{name} {{ {cell} at[{CELLS}]; }};\n\
             static {name} store{number}({name} a, int i, {cell} r) {{ a.at[in_range(i)] = r; return a; }}\n\
             static {name} everywhere{number}({cell} r) {{ {name} a; for (int i = 0; i < {CELLS}; i++) a.at[i] = r; return a; }}\n\
             static {name} any{number}(void) {{ {name} a; for (int i = 0; i < {CELLS}; i++) a.at[i] = {any}; return a; }}\n\
             static _Bool equal{number}({name} a, {name} b) {{ for (int i = 0; i < {CELLS}; i++) if ({equal}) return 0; return 1; }}\n"
        ));
        Ok(name)
    }

    /// The function of that name on arrays of that structure.
    fn call_name(&self, function: &str, structure: &str) -> String {
        format!("{function}{}", structure.trim_start_matches("struct array"))
    }

    /// Any value of a type.
    pub(super) fn any(&mut self, ty: &Type, span: Span) -> Said<String> {
        let text = self.ty(ty, span)?;
        Ok(match ty {
            Type::Bool => "__VERIFIER_nondet_bool()".into(),
            Type::Array(..) => self.call_name("any", &text) + "()",
            _ => "__VERIFIER_nondet_int()".into(),
        })
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Said<String> {
        Ok(match &expr.kind {
            ExprKind::Bool(value) => u8::from(*value).to_string(),
            ExprKind::Int(value) => {
                let text = value.to_string();
                if text.starts_with('-') { format!("({text})") } else { text }
            }
            ExprKind::Var(id) => self.names.variable(*id).to_owned(),
            ExprKind::Apply(function, arguments) => {
                let arguments: Said<Vec<String>> = arguments.iter().map(|argument| self.expr(argument)).collect();
                format!("{}({})", self.names.functions[function.index()], arguments?.join(", "))
            }
            ExprKind::ConstArray(element) => {
                let structure = self.ty(&expr.ty, expr.span)?;
                format!("{}({})", self.call_name("everywhere", &structure), self.expr(element)?)
            }
            ExprKind::BitVec(_) => return Err(Diagnostic::new(expr.span, "bit-vectors cannot be written in C yet")),
            ExprKind::Quantified(..) => return Err(Diagnostic::new(expr.span, "C has no quantifiers")),
            ExprKind::Op(op, operands) => {
                let texts: Said<Vec<String>> = operands.iter().map(|operand| self.expr(operand)).collect();
                self.op(*op, operands, &texts?, expr.span)?
            }
        })
    }

    fn op(&mut self, op: Op, operands: &[Expr], texts: &[String], span: Span) -> Said<String> {
        let first = operands.first().map(|operand| operand.ty.clone());
        let structure = match &first {
            Some(ty @ Type::Array(..)) => Some(self.ty(ty, span)?),
            _ => None,
        };
        let on_arrays = |printer: &Self, function: &str| {
            structure.as_deref().map(|structure| printer.call_name(function, structure))
        };
        let equal = on_arrays(self, "equal");
        let is_equal = |a: &str, b: &str| match &equal {
            Some(function) => format!("{function}({a}, {b})"),
            None => format!("{a} == {b}"),
        };
        Ok(match op {
            Op::Implies => match texts.split_last() {
                None => "1".into(),
                Some((last, others)) => {
                    others.iter().rev().fold(last.clone(), |so_far, premise| format!("(!({premise}) || {so_far})"))
                }
            },
            Op::Eq => joined(&comparisons(texts, false, is_equal), " && ", "1"),
            Op::Distinct => joined(&comparisons(texts, true, |a, b| format!("!({})", is_equal(a, b))), " && ", "1"),
            Op::Ite => format!("({} ? {} : {})", texts[0], texts[1], texts[2]),
            Op::Div => format!("euclid_div({})", texts.join(", ")),
            Op::Mod => format!("euclid_mod({})", texts.join(", ")),
            Op::Select => format!("{}.at[in_range({})]", texts[0], texts[1]),
            Op::Store => format!("{}({})", on_arrays(self, "store").unwrap_or_default(), texts.join(", ")),
            _ => {
                let written = infix(op, texts, "1", "0");
                return written.ok_or_else(|| Diagnostic::new(span, "bit-vectors cannot be written in C yet"));
            }
        })
    }
}
