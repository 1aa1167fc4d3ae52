//! Expressions. From loose to tight: `<==>`; `==>` and `<==`; `&&` and `||`; comparisons; `++`; `+ -`; `* / div mod`;
//! `**`; `! -`; brackets behind an operand.

use super::Parser;
use crate::Diagnostic;
use crate::boogie::Read;
use crate::boogie::lex::TokenKind;
use crate::boogie::syntax::{Binary, Expr, ExprKind, Name, Unary};

/// How tight an operator binds.
type Level = u8;

const IMPLICATION: Level = 1;
const LOGIC: Level = 2;
const COMPARISON: Level = 3;
const POWER: Level = 7;

fn operator(text: &str) -> Option<(Level, Binary)> {
    Some(match text {
        "<==>" => (0, Binary::Iff),
        "==>" | "<==" => (IMPLICATION, Binary::Implies),
        "&&" => (LOGIC, Binary::And),
        "||" => (LOGIC, Binary::Or),
        "==" => (COMPARISON, Binary::Eq),
        "!=" => (COMPARISON, Binary::Ne),
        "<" => (COMPARISON, Binary::Lt),
        "<=" => (COMPARISON, Binary::Le),
        ">" => (COMPARISON, Binary::Gt),
        ">=" => (COMPARISON, Binary::Ge),
        "<:" => (COMPARISON, Binary::Below),
        "++" => (4, Binary::Concat),
        "+" => (5, Binary::Add),
        "-" => (5, Binary::Sub),
        "*" => (6, Binary::Mul),
        "/" => (6, Binary::Divide),
        "div" => (6, Binary::Div),
        // Ultimate's programs have the sign as well as the word.
        "mod" | "%" => (6, Binary::Mod),
        "**" => (POWER, Binary::Power),
        _ => return None,
    })
}

/// Can operands in a row be one operation?
fn is_flat(operator: Binary) -> bool {
    matches!(operator, Binary::And | Binary::Or | Binary::Add | Binary::Sub | Binary::Mul)
}

fn binary(operator: Binary, left: Expr, right: Expr, can_extend: bool) -> Expr {
    let span = left.span.to(right.span);
    match left.kind {
        ExprKind::Binary(before, mut operands) if can_extend && before == operator => {
            operands.push(right);
            Expr { kind: ExprKind::Binary(operator, operands), span }
        }
        kind => {
            let left = Expr { kind, span: left.span };
            Expr { kind: ExprKind::Binary(operator, vec![left, right]), span }
        }
    }
}

impl Parser<'_, '_> {
    pub(super) fn expr(&mut self) -> Read<Expr> {
        self.nested(|parser| parser.operation(0))
    }

    /// An expression whose operators bind at least as tight as the level.
    fn operation(&mut self, level: Level) -> Read<Expr> {
        let mut left = self.unary()?;
        let mut wrapped = 0;
        // The operator that the left operand is made of, without parentheses.
        let mut last: Option<(Level, Binary)> = None;
        loop {
            let token = self.peek();
            let is_operator = matches!(token.kind, TokenKind::Mark | TokenKind::Word);
            let found = operator(token.text).filter(|_| is_operator).filter(|(found, _)| *found >= level);
            let Some((found, op)) = found else { return Ok(left) };
            if found == COMPARISON && last.is_some_and(|(last, _)| last == COMPARISON) {
                let error = Diagnostic::new(token.span, "comparisons do not stand in a row");
                return Err(error.hint("write `a < b && b < c`, or use parentheses"));
            }
            if found == LOGIC && last.is_some_and(|(level, before)| level == LOGIC && before != op) {
                let error = Diagnostic::new(token.span, "`&&` and `||` stand next to each other");
                return Err(error.hint("parentheses say which comes first"));
            }
            self.next();
            let right_associative = token.text == "==>" || found == POWER;
            let right = self.nested(|parser| parser.operation(if right_associative { found } else { found + 1 }))?;
            let can_extend = is_flat(op) && last.is_some_and(|(_, before)| before == op);
            if !can_extend {
                wrapped += 1;
                if self.depth + wrapped > super::DEEPEST {
                    return Err(Diagnostic::new(token.span, "these are too many operators in a row"));
                }
            }
            left = match token.text {
                "<==" => binary(op, right, left, false),
                _ => binary(op, left, right, can_extend),
            };
            last = Some((found, op));
        }
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.peek();
        let operator = match start.text {
            "!" => Unary::Not,
            "-" => Unary::Minus,
            _ => return self.postfix(),
        };
        self.next();
        let operand = self.nested(Self::unary)?;
        Ok(Expr { kind: ExprKind::Unary(operator, Box::new(operand)), span: self.since(start.span) })
    }

    /// An operand with brackets behind it.
    fn postfix(&mut self) -> Read<Expr> {
        let mut read = self.operand()?;
        let mut wrapped = 0;
        while self.is("[") {
            wrapped += 1;
            if self.depth + wrapped > super::DEEPEST {
                return Err(self.unexpected("these are too many brackets in a row"));
            }
            self.next();
            let start = read.span;
            let kind = self.brackets(Box::new(read))?;
            self.expect("]", "behind the index")?;
            read = Expr { kind, span: self.since(start) };
        }
        Ok(read)
    }

    fn brackets(&mut self, operand: Box<Expr>) -> Read<ExprKind> {
        if self.peek().kind == TokenKind::Number && self.ahead(1).text == ":" {
            let high = self.bit()?;
            self.next();
            return Ok(ExprKind::Extract(operand, high, self.bit()?));
        }
        let indices = if self.is("]") || self.is(":=") { Vec::new() } else { self.separated(Self::expr)? };
        if self.eat(":=") {
            return Ok(ExprKind::Store(operand, indices, Box::new(self.expr()?)));
        }
        Ok(ExprKind::Select(operand, indices))
    }

    fn bit(&mut self) -> Read<u32> {
        let token = self.next();
        token.text.parse().map_err(|_| Diagnostic::new(token.span, "the number of a bit should stand here"))
    }

    fn operand(&mut self) -> Read<Expr> {
        let start = self.peek();
        let kind = match start.kind {
            TokenKind::Number => {
                self.next();
                match start.text.split_once("bv") {
                    None => ExprKind::Int(start.text.to_owned()),
                    Some((digits, width)) => {
                        let width = width.parse().ok();
                        let width = width.ok_or_else(|| Diagnostic::new(start.span, "this is too wide"))?;
                        ExprKind::BitVec(digits.to_owned(), width)
                    }
                }
            }
            TokenKind::Decimal => {
                self.next();
                ExprKind::Decimal
            }
            _ if self.is("true") || self.is("false") => ExprKind::Bool(self.next().text == "true"),
            _ if self.is("if") => {
                self.next();
                let test = Box::new(self.expr()?);
                self.expect("then", "behind the condition")?;
                let then = Box::new(self.expr()?);
                self.expect("else", "behind the first value")?;
                ExprKind::If(test, then, Box::new(self.expr()?))
            }
            _ if self.is("(") => return self.parenthesised(),
            _ if self.is("old") || self.is("int") || self.is("real") => {
                self.next();
                let name = Name { text: start.text.to_owned(), span: start.span };
                ExprKind::Apply(name, self.arguments()?)
            }
            _ if self.is_name() => {
                let name = self.name("a name")?;
                if self.is("(") { ExprKind::Apply(name, self.arguments()?) } else { ExprKind::Name(name.text) }
            }
            _ => return Err(self.unexpected("an expression should stand here")),
        };
        Ok(Expr { kind, span: self.since(start.span) })
    }

    fn parenthesised(&mut self) -> Read<Expr> {
        let start = self.next().span;
        if ["forall", "exists", "lambda"].iter().any(|word| self.is(word)) {
            let word = self.next();
            let word = Name { text: word.text.to_owned(), span: word.span };
            let type_parameters = self.type_parameters()?;
            let variables = if self.is("::") { Vec::new() } else { self.separated(Self::variables)? };
            self.expect("::", "behind the bound variables")?;
            self.attributes()?;
            while self.eat("{") {
                self.separated(Self::expr)?;
                self.expect("}", "behind the trigger")?;
                self.attributes()?;
            }
            let body = Box::new(self.expr()?);
            self.expect(")", "behind the formula")?;
            let kind = ExprKind::Bound { word, type_parameters, variables, body };
            return Ok(Expr { kind, span: self.since(start) });
        }
        let inner = self.expr()?;
        let kind = if self.eat(":") { ExprKind::Typed(Box::new(inner), self.ty()?) } else { inner.kind };
        self.expect(")", "behind the expression")?;
        Ok(Expr { kind, span: self.since(start) })
    }
}
