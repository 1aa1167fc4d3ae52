//! Expressions: names are resolved, types checked, and functions with a body written out.

use super::scope::{Kind, Meaning, Moment, Scope, Typed};
use super::syntax::{Binary, Expr as Syntax, ExprKind, Name, Unary, Variables};
use super::types::{Ty, WIDEST, count};
use super::{Read, Reader};
use crate::{Diagnostic, spelling};
use braid_logic::{BvOp, Integer, Quantifier};
use braid_program::ast::{Expr, ExprKind as Kinds, Op, Storage, Type, VarId};
use braid_program::source::Span;

/// `(forall i :: a[i] == e)` without the quantifier: the map is one that holds `e` everywhere.
fn same_everywhere(index: VarId, formula: &Expr) -> Option<Expr> {
    let Kinds::Op(Op::Eq, sides) = &formula.kind else { return None };
    let [a, b] = sides.as_slice() else { return None };
    let is_free = |expr: &Expr| {
        let mut free = true;
        expr.for_each_var(&mut |id| free &= id != index);
        free
    };
    [(a, b), (b, a)].into_iter().find_map(|(read, element)| {
        let Kinds::Op(Op::Select, operands) = &read.kind else { return None };
        let [map, at] = operands.as_slice() else { return None };
        if at.kind != Kinds::Var(index) || !is_free(map) || !is_free(element) {
            return None;
        }
        let span = formula.span;
        let everywhere = Expr { kind: Kinds::ConstArray(Box::new(element.clone())), ty: map.ty.clone(), span };
        Some(Expr { kind: Kinds::Op(Op::Eq, vec![map.clone(), everywhere]), ty: Type::Bool, span })
    })
}

/// Longer numbers are not read.
const MOST_DIGITS: usize = 10_000;

impl Reader<'_> {
    pub(super) fn formula(&mut self, scope: &Scope, syntax: &Syntax) -> Read<Expr> {
        self.expr_of(scope, syntax, &Ty::Bool)
    }

    /// An expression of the given type.
    pub(super) fn expr_of(&mut self, scope: &Scope, syntax: &Syntax, expected: &Ty) -> Read<Expr> {
        let typed = self.expr(scope, syntax)?;
        expect_type(&typed, expected)?;
        Ok(typed.expr)
    }

    pub(super) fn expr(&mut self, scope: &Scope, syntax: &Syntax) -> Read<Typed> {
        let span = syntax.span;
        match &syntax.kind {
            ExprKind::Bool(value) => Ok(Typed { expr: Expr::bool(*value, span), ty: Ty::Bool }),
            ExprKind::Int(digits) => Ok(Typed { expr: Expr::int(integer(digits, span)?, span), ty: Ty::Int }),
            ExprKind::BitVec(digits, width) => bitvector(digits, *width, span),
            ExprKind::Decimal => Err(Diagnostic::new(span, "real numbers are not supported")),
            ExprKind::Name(name) => self.name(scope, name, span),
            ExprKind::Apply(name, arguments) => self.apply(scope, name, arguments, span),
            ExprKind::Unary(operator, operand) => {
                let operand = self.expr(scope, operand)?;
                let (op, ty) = match operator {
                    Unary::Not => (Op::Not, Ty::Bool),
                    Unary::Minus => (Op::Sub, Ty::Int),
                };
                expect_type(&operand, &ty)?;
                operation(op, vec![operand.expr], ty, span)
            }
            ExprKind::Binary(operator, operands) => {
                let operands = operands.iter().map(|operand| self.expr(scope, operand)).collect::<Read<Vec<_>>>()?;
                binary(*operator, operands, span)
            }
            ExprKind::If(test, then, other) => {
                let test = self.formula(scope, test)?;
                let then = self.expr(scope, then)?;
                let other = self.expr_of(scope, other, &then.ty)?;
                operation(Op::Ite, vec![test, then.expr, other], then.ty, span)
            }
            ExprKind::Select(map, indices) => {
                let map = self.expr(scope, map)?;
                let indices = self.indices(scope, &map, indices, span)?;
                select(map, indices, span)
            }
            ExprKind::Store(map, indices, value) => {
                let map = self.expr(scope, map)?;
                let indices = self.indices(scope, &map, indices, span)?;
                let Ty::Map(_, element) = &map.ty else { return Err(no_map(&map)) };
                let value = self.expr_of(scope, value, element)?;
                store(map, &indices, value, span)
            }
            ExprKind::Extract(operand, high, low) => {
                let operand = self.expr(scope, operand)?;
                let Ty::BitVec(width) = operand.ty else {
                    let message = format!("this should be a bit-vector, but it is of type {}", operand.ty);
                    return Err(Diagnostic::new(operand.expr.span, message));
                };
                if low >= high || *high > width {
                    let message = format!("`[{high}:{low}]` does not take bits out of a bv{width}");
                    return Err(Diagnostic::new(span, message).hint("the first number is one above the highest bit"));
                }
                let op = Op::Bv(BvOp::Extract { high: high - 1, low: *low });
                operation(op, vec![operand.expr], Ty::BitVec(high - low), span)
            }
            ExprKind::Typed(operand, ty) => {
                let ty = self.ty(ty)?;
                let expr = self.expr_of(scope, operand, &ty)?;
                Ok(Typed { expr, ty })
            }
            ExprKind::Bound { word, type_parameters, variables, body } => {
                let quantifier = match word.text.as_str() {
                    "forall" => Quantifier::Forall,
                    "exists" => Quantifier::Exists,
                    _ => return Err(Diagnostic::new(word.span, format!("`{}` is not supported", word.text))),
                };
                if let Some(parameter) = type_parameters.first() {
                    return Err(Diagnostic::new(parameter.span, "quantifiers over types are not supported"));
                }
                self.quantified(scope, quantifier, variables, body, span)
            }
        }
    }

    /// `(forall x: T where e :: f)`: the condition is a premise, and in `exists` a conjunct.
    fn quantified(
        &mut self,
        scope: &Scope,
        quantifier: Quantifier,
        groups: &[Variables],
        body: &Syntax,
        span: Span,
    ) -> Read<Typed> {
        let mut inner = scope.clone();
        let mut bound = Vec::new();
        for group in groups {
            let ty = self.ty(&group.ty)?;
            for name in &group.names {
                let (id, meaning) = self.variable(name, &ty, group.ty.span, Storage::Bound, Kind::Parameter)?;
                inner.names.insert(name.text.clone(), meaning);
                bound.push(id);
            }
        }
        let conditions = groups.iter().filter_map(|group| group.condition.as_ref());
        let mut parts = conditions.map(|condition| self.formula(&inner, condition)).collect::<Read<Vec<_>>>()?;
        parts.push(self.formula(&inner, body)?);
        let op = if quantifier == Quantifier::Forall { Op::Implies } else { Op::And };
        let formula = match parts.len() {
            1 => parts.remove(0),
            _ => operation(op, parts, Ty::Bool, span)?.expr,
        };
        if let (Quantifier::Forall, [index]) = (quantifier, bound.as_slice())
            && let Some(expr) = same_everywhere(*index, &formula)
        {
            return Ok(Typed { expr: Expr { span, ..expr }, ty: Ty::Bool });
        }
        let kind = Kinds::Quantified(quantifier, bound, Box::new(formula));
        Ok(Typed { expr: Expr { kind, ty: Type::Bool, span }, ty: Ty::Bool })
    }

    fn name(&mut self, scope: &Scope, name: &str, span: Span) -> Read<Typed> {
        let meaning = self.meaning(scope, name, span)?.clone();
        let mut value = meaning.value;
        if let (Kind::Global, Some(id)) = (meaning.kind, meaning.variable) {
            match scope.moment {
                Moment::Never => {
                    let message = format!("`{name}` is a variable: functions and axioms speak of constants only");
                    return Err(Diagnostic::new(span, message).hint("give it to the function as an argument"));
                }
                Moment::Before => value.expr.kind = Kinds::Var(self.before(id)),
                Moment::Now | Moment::NowOrBefore => {}
            }
        }
        if meaning.variable.is_some() {
            value.expr.span = span;
        }
        Ok(value)
    }

    /// What a name of a variable means.
    pub(super) fn meaning<'s>(&'s self, scope: &'s Scope, name: &str, span: Span) -> Read<&'s Meaning> {
        if let Some(meaning) = scope.names.get(name).or_else(|| self.globals.get(name)) {
            return Ok(meaning);
        }
        let error = Diagnostic::new(span, format!("there is no variable or constant `{name}`"));
        if self.functions.contains_key(name) {
            return Err(error.hint("it is a function: its arguments stand in parentheses"));
        }
        let known = scope.names.keys().chain(self.globals.keys()).map(String::as_str);
        Err(match spelling::nearest(name, known) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error,
        })
    }

    fn apply(&mut self, scope: &Scope, name: &Name, arguments: &[Syntax], span: Span) -> Read<Typed> {
        match name.text.as_str() {
            "old" => return self.old(scope, arguments, span),
            "int" | "real" => return Err(Diagnostic::new(span, "real numbers are not supported")),
            _ => {}
        }
        let arguments = arguments.iter().map(|argument| self.expr(scope, argument)).collect::<Read<Vec<_>>>()?;
        self.call_function(name, arguments, span)
    }

    /// `old(e)`: global variables mean what they were when the procedure was entered.
    fn old(&mut self, scope: &Scope, arguments: &[Syntax], span: Span) -> Read<Typed> {
        let [argument] = arguments else {
            return Err(Diagnostic::new(span, "`old` takes one expression"));
        };
        if matches!(scope.moment, Moment::Never | Moment::Now) {
            return Err(Diagnostic::new(span, "`old` has no meaning here")
                .hint("it stands in procedures and in `ensures` clauses"));
        }
        self.expr(&Scope { moment: Moment::Before, ..scope.clone() }, argument)
    }

    fn indices(&mut self, scope: &Scope, map: &Typed, indices: &[Syntax], span: Span) -> Read<Vec<Expr>> {
        let Ty::Map(expected, _) = &map.ty else { return Err(no_map(map)) };
        if expected.len() != indices.len() {
            let message = format!("this map takes {}, not {}", count(expected.len(), "index"), indices.len());
            return Err(Diagnostic::new(span, message.replace("indexs", "indices")));
        }
        indices.iter().zip(expected.clone()).map(|(index, ty)| self.expr_of(scope, index, &ty)).collect()
    }

    /// A map with one entry changed, where the brackets stand one behind the other: `m[i][j, k] := value`.
    pub(super) fn updated(
        &mut self,
        scope: &Scope,
        map: Typed,
        brackets: &[Vec<Syntax>],
        value: &Syntax,
        span: Span,
    ) -> Read<Expr> {
        let Some((first, rest)) = brackets.split_first() else { return self.expr_of(scope, value, &map.ty) };
        let indices = self.indices(scope, &map, first, span)?;
        let inner = select(map.clone(), indices.clone(), span)?;
        let value = self.updated(scope, inner, rest, value, span)?;
        Ok(store(map, &indices, value, span)?.expr)
    }
}

pub(super) fn expect_type(typed: &Typed, expected: &Ty) -> Read<()> {
    if typed.ty == *expected {
        return Ok(());
    }
    let message = format!("this should be of type {expected}, but it is of type {}", typed.ty);
    let error = Diagnostic::new(typed.expr.span, message);
    Err(match (&typed.ty, expected) {
        (Ty::Int, Ty::BitVec(width)) if matches!(typed.expr.kind, Kinds::Int(_)) => {
            error.hint(format!("a bit-vector is written with its width, as in `7bv{width}`"))
        }
        _ => error,
    })
}

fn no_map(map: &Typed) -> Diagnostic {
    Diagnostic::new(map.expr.span, format!("this should be a map, but it is of type {}", map.ty))
}

/// An operation whose operands were checked.
pub(super) fn operation(op: Op, operands: Vec<Expr>, ty: Ty, span: Span) -> Read<Typed> {
    let expr = Expr::op(op, operands, span).map_err(|error| Diagnostic::new(span, error.message))?;
    Ok(Typed { expr, ty })
}

/// The number of a row of digits.
pub(super) fn integer(digits: &str, span: Span) -> Read<Integer> {
    if digits.len() > MOST_DIGITS {
        return Err(Diagnostic::new(span, format!("a number has at most {MOST_DIGITS} digits")));
    }
    let ten = Integer::from(10);
    let digit = |c: char| Integer::from(i64::from(c.to_digit(10).unwrap_or(0)));
    Ok(digits.chars().fold(Integer::ZERO, |value, c| &(&value * &ten) + &digit(c)))
}

fn bitvector(digits: &str, width: u32, span: Span) -> Read<Typed> {
    let value = integer(digits, span)?;
    let fits = (1..=WIDEST).contains(&width) && value.to_big().bits() <= u64::from(width);
    if !fits {
        return Err(Diagnostic::new(span, format!("this number does not fit into a bv{width}")));
    }
    let expr = Expr { kind: Kinds::BitVec(value), ty: Type::BitVec(width), span };
    Ok(Typed { expr, ty: Ty::BitVec(width) })
}

fn select(map: Typed, indices: Vec<Expr>, span: Span) -> Read<Typed> {
    let Ty::Map(_, element) = map.ty.clone() else { return Err(no_map(&map)) };
    indices.into_iter().try_fold(Typed { ty: *element, ..map }, |map, index| {
        operation(Op::Select, vec![map.expr, index], map.ty, span)
    })
}

fn store(map: Typed, indices: &[Expr], value: Expr, span: Span) -> Read<Typed> {
    let Some((first, rest)) = indices.split_first() else { return Ok(Typed { expr: value, ty: map.ty }) };
    let value = if rest.is_empty() {
        value
    } else {
        let inner = operation(Op::Select, vec![map.expr.clone(), first.clone()], map.ty.clone(), span)?;
        store(inner, rest, value, span)?.expr
    };
    operation(Op::Store, vec![map.expr, first.clone(), value], map.ty, span)
}

fn binary(operator: Binary, operands: Vec<Typed>, span: Span) -> Read<Typed> {
    let all = |ty: &Ty| operands.iter().try_for_each(|operand| expect_type(operand, ty));
    let (op, result) = match operator {
        Binary::Iff => {
            all(&Ty::Bool)?;
            (Op::Eq, Ty::Bool)
        }
        Binary::Implies | Binary::And | Binary::Or => {
            all(&Ty::Bool)?;
            let op = match operator {
                Binary::Implies => Op::Implies,
                Binary::And => Op::And,
                _ => Op::Or,
            };
            (op, Ty::Bool)
        }
        Binary::Eq | Binary::Ne => {
            if let Some(first) = operands.first() {
                all(&first.ty)?;
            }
            (if operator == Binary::Eq { Op::Eq } else { Op::Distinct }, Ty::Bool)
        }
        Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => {
            all(&Ty::Int)?;
            let op = match operator {
                Binary::Lt => Op::Lt,
                Binary::Le => Op::Le,
                Binary::Gt => Op::Gt,
                _ => Op::Ge,
            };
            (op, Ty::Bool)
        }
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Mod => {
            all(&Ty::Int)?;
            let op = match operator {
                Binary::Add => Op::Add,
                Binary::Sub => Op::Sub,
                Binary::Mul => Op::Mul,
                Binary::Div => Op::Div,
                _ => Op::Mod,
            };
            (op, Ty::Int)
        }
        Binary::Concat => {
            let width = |operand: &Typed| match operand.ty {
                Ty::BitVec(width) => Ok(width),
                _ => {
                    let message = format!("this should be a bit-vector, but it is of type {}", operand.ty);
                    Err(Diagnostic::new(operand.expr.span, message))
                }
            };
            let width = operands.iter().try_fold(0_u32, |sum, operand| Ok(sum.saturating_add(width(operand)?)))?;
            (Op::Bv(BvOp::Concat), Ty::BitVec(width))
        }
        Binary::Divide => {
            return Err(Diagnostic::new(span, "`/` divides real numbers, which are not supported")
                .hint("integers are divided by `div`"));
        }
        Binary::Power => return Err(Diagnostic::new(span, "`**` is not supported")),
        Binary::Below => return Err(Diagnostic::new(span, "the order of constants, `<:`, is not supported")),
    };
    operation(op, operands.into_iter().map(|operand| operand.expr).collect(), result, span)
}
