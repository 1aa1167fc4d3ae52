//! Expressions. Operator words come first, at the arities that they have; any other head must be a declared function.

use super::scope::Meaning;
use super::words::{BRAID_EXPRESSIONS, instead_of_operator};
use super::{Read, Reader, count, symbol, there_are, tick};
use crate::{Diagnostic, spelling};
use braid_logic::Integer;
use braid_logic::sexpr::{Atom, AtomKind, Sexpr};
use braid_program::ast::{Expr, ExprKind, FunId, Op, Type, TypeError};
use braid_program::print::words::{self, BRAID, CORE};

/// How many digits a numeral may have.
const MOST_DIGITS: usize = 4_000;

impl Reader {
    /// An expression of type Bool.
    pub(super) fn formula(&mut self, item: &Sexpr) -> Read<Expr> {
        self.expr_of(item, &Type::Bool)
    }

    /// An expression of a type that is known from outside.
    pub(super) fn expr_of(&mut self, item: &Sexpr, expected: &Type) -> Read<Expr> {
        let expr = self.expr(item)?;
        if expr.ty == *expected {
            return Ok(expr);
        }
        let message = format!("this should be of type {expected}, but it is of type {}", expr.ty);
        Err(with_conversion_hint(self.wrong(item, message), &expr, expected))
    }

    pub(super) fn expr(&mut self, item: &Sexpr) -> Read<Expr> {
        self.copies.expression();
        match item {
            Sexpr::Atom(atom, _) => self.atom(item, atom),
            Sexpr::List(items, _) => {
                let Some((head, operands)) = items.split_first() else {
                    return Err(self.wrong(item, "an expression is missing between these parentheses"));
                };
                match symbol(head) {
                    Some("_") if self.is_numeral_head(operands) => self.bit_vector_numeral(item, operands),
                    Some(word) => self.application(item, head, word, operands),
                    None if head.as_list().is_some() => self.indexed_application(item, head, operands),
                    None => Err(self
                        .wrong(head, "an expression in parentheses starts with an operator or a function")
                        .hint("parentheses do not group; `(x)` is written only for names")),
                }
            }
        }
    }

    /// Does `_` with these operands stand for a bit-vector and not for a name?
    fn is_numeral_head(&self, operands: &[Sexpr]) -> bool {
        match self.scope.get("_") {
            Some(Meaning::Fun(_)) => false,
            Some(Meaning::Var(_)) => self.is_braid() && !operands.is_empty(),
            None => self.is_braid(),
        }
    }

    fn atom(&mut self, item: &Sexpr, atom: &Atom) -> Read<Expr> {
        let span = self.span(item);
        match atom.kind {
            AtomKind::Numeral => Ok(Expr::int(self.numeral(item, &atom.text, 10)?, span)),
            AtomKind::Hex => Ok(Expr::int(self.numeral(item, &atom.text, 16)?, span)),
            AtomKind::Binary => Ok(Expr::int(self.numeral(item, &atom.text, 2)?, span)),
            AtomKind::Symbol | AtomKind::QuotedSymbol => match (&*atom.text, self.scope.get(&atom.text)) {
                ("true", _) => Ok(Expr::bool(true, span)),
                ("false", _) => Ok(Expr::bool(false, span)),
                (_, Some(Meaning::Var(id))) => Ok(Expr::var(&self.program, id, span)),
                (name, Some(Meaning::Fun(id))) => Err(self.function_as_value(item, name, id)),
                (name, None) => Err(self.unknown_name(item, name)),
            },
            AtomKind::Decimal => Err(self.wrong(item, "there are no decimal numbers, only integers")),
            AtomKind::String => Err(self.wrong(item, "there are no strings in expressions")),
            AtomKind::Keyword => Err(self.wrong(item, "there are no keywords in expressions")),
        }
    }

    fn function_as_value(&self, item: &Sexpr, name: &str, id: FunId) -> Diagnostic {
        let arguments = self.program.function(id).arguments.len();
        let error = self.wrong(item, format!("{} is a function of {}", tick(name), count(arguments, "argument")));
        error.hint(format!("apply it: `({name}{})`", " …".repeat(arguments.min(5))))
    }

    /// The error of a name that is not in scope.
    pub(super) fn unknown_name(&self, item: &Sexpr, name: &str) -> Diagnostic {
        let digits = name.strip_prefix('-').unwrap_or_default();
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let error = self.wrong(item, format!("{} is not a number but a name, and it is not declared", tick(name)));
            return error.hint(format!("write `(- {digits})`"));
        }
        let error = self.wrong(item, format!("{} is not declared", tick(name)));
        match spelling::nearest(name, self.scope.names()) {
            Some(near) => error.hint(format!("did you mean {}?", tick(near))),
            None => error,
        }
    }

    /// The value of the digits of a number.
    pub(super) fn numeral(&self, item: &Sexpr, digits: &str, radix: u32) -> Read<Integer> {
        if digits.len() > MOST_DIGITS {
            return Err(self.wrong(item, format!("a number has at most {MOST_DIGITS} digits")));
        }
        let base = Integer::from(i64::from(radix));
        let digit = |c: char| Integer::from(i64::from(c.to_digit(radix).unwrap_or(0)));
        Ok(digits.chars().fold(Integer::ZERO, |value, c| &(&value * &base) + &digit(c)))
    }

    /// `(WORD EXPR*)`.
    fn application(&mut self, item: &Sexpr, head: &Sexpr, word: &str, operands: &[Sexpr]) -> Read<Expr> {
        if let Some(op) = words::core_operator(word, operands.len()) {
            let built = self.operands(operands)?;
            return self.operation(item, op, built, operands);
        }
        if word == "/" && operands.len() == 2 {
            return Err(self.division(item));
        }
        match self.scope.get(word) {
            Some(Meaning::Fun(id)) => {
                let arguments = self.operands(operands)?;
                let span = self.span(item);
                Expr::apply(&self.program, id, arguments, span).map_err(|error| {
                    let message = format!("{} is a function of {}", tick(word), self.signature(id));
                    self.type_error(item, operands, error).hint(message)
                })
            }
            Some(Meaning::Var(id)) if operands.is_empty() => Ok(Expr::var(&self.program, id, self.span(item))),
            meaning => {
                if self.is_braid()
                    && let Some(expr) = self.braid_application(item, word, operands)?
                {
                    return Ok(expr);
                }
                Err(self.not_an_operator(head, word, operands.len(), meaning))
            }
        }
    }

    pub(super) fn operands(&mut self, operands: &[Sexpr]) -> Read<Vec<Expr>> {
        operands.iter().map(|operand| self.expr(operand)).collect()
    }

    /// An operator applied to operands, `sources` being what they were read from.
    pub(super) fn operation(&self, item: &Sexpr, op: Op, built: Vec<Expr>, sources: &[Sexpr]) -> Read<Expr> {
        Expr::op(op, built, self.span(item)).map_err(|error| self.type_error(item, sources, error))
    }

    fn type_error(&self, item: &Sexpr, operands: &[Sexpr], error: TypeError) -> Diagnostic {
        let to_blame = error.operand.and_then(|operand| operands.get(operand)).unwrap_or(item);
        self.wrong(to_blame, error.message)
    }

    fn signature(&self, id: FunId) -> String {
        let function = self.program.function(id);
        let arguments: Vec<String> = function.arguments.iter().take(8).map(Type::to_string).collect();
        let more = if function.arguments.len() > arguments.len() { " …" } else { "" };
        format!("({}{more}) to {}", arguments.join(" "), function.result)
    }

    fn division(&self, item: &Sexpr) -> Diagnostic {
        let error = self.wrong(item, "integer division is not part of the language");
        if self.is_braid() {
            error.hint("write `(div a b)`; the remainder is `(mod a b)`")
        } else {
            error.hint("solvers take `/` as division of real numbers; `.braid` files have `(div a b)` and `(mod a b)`")
        }
    }

    /// The error of a head that is no operator at this arity and no function.
    fn not_an_operator(&self, head: &Sexpr, word: &str, operands: usize, meaning: Option<Meaning>) -> Diagnostic {
        let operators = || CORE.iter().chain(if self.is_braid() { &BRAID[..] } else { &[] });
        if operators().any(|(known, _)| *known == word) {
            return self.arity(head, word, operands);
        }
        if let Some(Meaning::Var(_)) = meaning {
            let error = self.wrong(head, format!("{} is a variable and takes no arguments", tick(word)));
            return error
                .hint(format!("a function is declared as `(var {word} (Int) Int)`, an array is read by `select`"));
        }
        let only_braid = BRAID.iter().any(|(known, _)| *known == word) || BRAID_EXPRESSIONS.contains(&word);
        if !self.is_braid() && only_braid {
            let error = self.wrong(head, format!("{} is not part of Weaver's language", tick(word)));
            return error.hint("files named `.braid` may use it");
        }
        let error = self.wrong(head, format!("there is no operator or function {}", tick(word)));
        if let Some(hint) = instead_of_operator(word) {
            return error.hint(hint);
        }
        let known = operators().map(|(known, _)| *known).chain(self.scope.names());
        match spelling::nearest(word, known) {
            Some(near) => error.hint(format!("did you mean {}?", tick(near))),
            None => error.hint(format!("a function is declared as `(var {word} (Int) Int)`")),
        }
    }

    /// The error of an operator with the wrong number of operands.
    fn arity(&self, head: &Sexpr, word: &str, operands: usize) -> Diagnostic {
        let takes = match word {
            "=" | "/=" => "at least one operand",
            "if" | "ite" => "three operands: a test and two values",
            "store" => "three operands: an array, an index and a value",
            "select" => "two operands: an array and an index",
            "not" | "bvneg" | "bvnot" | "ubv_to_int" | "bv2nat" | "bv2int" => "one operand",
            _ => "two operands",
        };
        let error = self.wrong(head, format!("{} takes {takes}, but {}", tick(word), there_are(operands)));
        match word {
            "<" | "<=" | ">" | ">=" if operands > 2 => error.hint("chains are written with `and`"),
            _ => error,
        }
    }
}

/// The error with a hint, if a number stands where a bit-vector should.
pub(super) fn with_conversion_hint(error: Diagnostic, found: &Expr, expected: &Type) -> Diagnostic {
    match (&found.kind, &found.ty, expected) {
        (ExprKind::Int(value), _, Type::BitVec(width)) => {
            error.hint(format!("as a bit-vector it is written `(_ bv{value} {width})`"))
        }
        (_, Type::Int, Type::BitVec(width)) => error.hint(format!("convert it: `((_ int_to_bv {width}) e)`")),
        (_, Type::BitVec(_), Type::Int) => error.hint("convert it: `(ubv_to_int e)`"),
        _ => error,
    }
}
