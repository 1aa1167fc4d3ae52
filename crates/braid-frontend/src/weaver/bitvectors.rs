//! The expressions that only Braid has: `div` and `mod`, bit-vectors, constant arrays, quantifiers.

use super::scope::Meaning;
use super::sorts::WIDEST;
use super::{Read, Reader, symbol, tick};
use braid_logic::sexpr::Sexpr;
use braid_logic::{BvOp, FloatOp, Quantifier};
use braid_program::ast::{Expr, ExprKind, Op, Storage, Type};
use braid_program::print::words::{self, BRAID};

impl Reader {
    /// An operator that only Braid has, if the word is one and there are so many operands.
    pub(super) fn braid_application(&mut self, item: &Sexpr, word: &str, operands: &[Sexpr]) -> Read<Option<Expr>> {
        let (op, swapped) = match word {
            "forall" => return self.quantified(item, Quantifier::Forall, operands).map(Some),
            "exists" => return self.quantified(item, Quantifier::Exists, operands).map(Some),
            "bvsub" if operands.len() == 2 => return self.difference(item, operands).map(Some),
            "bvugt" => (Op::Bv(BvOp::Ult), true),
            "bvuge" => (Op::Bv(BvOp::Ule), true),
            "bvsgt" => (Op::Bv(BvOp::Slt), true),
            "bvsge" => (Op::Bv(BvOp::Sle), true),
            _ => match BRAID.iter().find(|(known, _)| *known == word) {
                Some((_, op)) => (*op, false),
                None => return Ok(None),
            },
        };
        if !words::takes(op, operands.len()) {
            return Ok(None);
        }
        let mut built = self.operands(operands)?;
        if swapped {
            built.reverse();
            let sources = [operands[1].clone(), operands[0].clone()];
            return self.bit_operation(item, op, built, &sources).map(Some);
        }
        self.bit_operation(item, op, built, operands).map(Some)
    }

    /// `(forall ((NAME SORT)*) EXPR)`.
    fn quantified(&mut self, item: &Sexpr, quantifier: Quantifier, operands: &[Sexpr]) -> Read<Expr> {
        let [list, body] = operands else {
            let error = self.wrong(item, "a quantifier takes a list of variables and a formula");
            return Err(error.hint("write `(forall ((x Int)) …)`"));
        };
        let home = std::mem::replace(&mut self.home, Storage::Bound);
        let bound = self.header_variables(list, &[]);
        self.home = home;
        let bound = bound?;
        let names: Vec<String> = bound.iter().map(|&id| self.program.variable(id).name.clone()).collect();
        for (name, &id) in names.iter().zip(&bound) {
            self.scope.bind(name, Meaning::Var(id));
        }
        let body = self.formula(body);
        names.iter().for_each(|name| self.scope.unbind(name));
        let kind = ExprKind::Quantified(quantifier, bound, Box::new(body?));
        Ok(Expr { kind, ty: Type::Bool, span: self.span(item) })
    }

    /// `(bvsub a b)`: the sum of a and the negative of b.
    fn difference(&mut self, item: &Sexpr, operands: &[Sexpr]) -> Read<Expr> {
        let left = self.expr(&operands[0])?;
        let right = self.expr(&operands[1])?;
        let negative = self.bit_operation(&operands[1], Op::Bv(BvOp::Neg), vec![right], &operands[1..])?;
        self.bit_operation(item, Op::Bv(BvOp::Add), vec![left, negative], operands)
    }

    /// An operation whose result must not be too wide.
    fn bit_operation(&self, item: &Sexpr, op: Op, built: Vec<Expr>, sources: &[Sexpr]) -> Read<Expr> {
        let expr = self.operation(item, op, built, sources)?;
        match expr.ty {
            Type::BitVec(width) if width > WIDEST => {
                Err(self.wrong(item, format!("this bit-vector is wider than {WIDEST} bits")))
            }
            _ => Ok(expr),
        }
    }

    /// `(_ bvDIGITS WIDTH)`, the list's items behind `_` being given.
    pub(super) fn bit_vector_numeral(&self, item: &Sexpr, parts: &[Sexpr]) -> Read<Expr> {
        let value = parts.first().and_then(symbol).and_then(|word| word.strip_prefix("bv"));
        let value = value.filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
        match (value, parts) {
            (Some(digits), [_, width]) => {
                let width = self.width(width)?;
                let value = self.numeral(item, digits, 10)?;
                let span = self.span(item);
                Ok(Expr { kind: ExprKind::BitVec(value), ty: Type::BitVec(width), span })
            }
            _ => Err(self
                .wrong(item, "this is not a value")
                .hint("a bit-vector is written `(_ bv5 8)`: value 5, 8 bits")),
        }
    }

    /// `((as const SORT) EXPR)` or `((_ WORD NUMERAL*) EXPR)`.
    pub(super) fn indexed_application(&mut self, item: &Sexpr, head: &Sexpr, operands: &[Sexpr]) -> Read<Expr> {
        let parts = head.as_list().unwrap_or_default();
        let op = match (self.head(head), parts) {
            (Some("as"), [_, word, sort]) if symbol(word) == Some("const") => {
                self.only_braid(head, "constant arrays")?;
                return self.constant_array(item, sort, operands);
            }
            (Some("_"), [_, word, numbers @ ..]) => {
                self.only_braid(head, "operators with numbers")?;
                self.indexed_operator(head, symbol(word).unwrap_or_default(), numbers)?
            }
            _ => {
                let error = self.wrong(head, "an expression in parentheses starts with an operator or a function");
                return Err(error.hint("parentheses do not group"));
            }
        };
        let built = self.operands(operands)?;
        self.bit_operation(item, Op::Bv(op), built, operands)
    }

    fn indexed_operator(&self, head: &Sexpr, word: &str, numbers: &[Sexpr]) -> Read<BvOp> {
        if word.starts_with("float.") {
            let given = numbers.iter().map(|number| self.small(number)).collect::<Read<Vec<u32>>>()?;
            let known = FloatOp::named(word, &given).map(|(op, format)| BvOp::Float(op, format));
            return known
                .ok_or_else(|| self.wrong(head, format!("there is no operator {} with these numbers", tick(word))));
        }
        match (word, numbers) {
            ("extract", [high, low]) => Ok(BvOp::Extract { high: self.small(high)?, low: self.small(low)? }),
            ("zero_extend", [by]) => Ok(BvOp::ZeroExtend(self.small(by)?)),
            ("sign_extend", [by]) => Ok(BvOp::SignExtend(self.small(by)?)),
            ("int_to_bv" | "int2bv", [width]) => Ok(BvOp::FromInt(self.width(width)?)),
            _ => Err(self
                .wrong(
                    head,
                    format!("there is no operator {} with {}", tick(word), super::count(numbers.len(), "number")),
                )
                .hint("there are `(_ extract i j)`, `(_ zero_extend n)`, `(_ sign_extend n)` and `(_ int_to_bv n)`")),
        }
    }

    fn constant_array(&mut self, item: &Sexpr, sort: &Sexpr, operands: &[Sexpr]) -> Read<Expr> {
        let ty = self.sort(sort)?;
        let Type::Array(_, element) = &ty else {
            return Err(self.wrong(sort, format!("this should be an array sort, but it is {ty}")));
        };
        match operands {
            [value] => {
                let value = self.expr_of(value, element)?;
                Ok(Expr { kind: ExprKind::ConstArray(Box::new(value)), ty, span: self.span(item) })
            }
            _ => Err(self
                .wrong(item, "a constant array takes one element")
                .hint("write `((as const (Array Int Int)) 0)`")),
        }
    }
}
