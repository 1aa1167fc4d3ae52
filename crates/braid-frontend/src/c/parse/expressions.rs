//! Expressions, by precedence.

use super::{DEEPEST, Parse, Parser, join};
use crate::c::lex::TokenKind;
use crate::c::syntax::{Expr, ExprKind, TypeName};
use crate::c::tree::{BinaryOp, CompareOp, UnaryOp};
use braid_program::source::Span;

/// What stands between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    Compare(CompareOp),
    And,
    Or,
}

/// An infix operator and how strongly it binds.
fn infix(text: &str) -> Option<(Infix, u8)> {
    use BinaryOp::*;
    use CompareOp::*;
    Some(match text {
        "*" => (Infix::Binary(Multiply), 10),
        "/" => (Infix::Binary(Divide), 10),
        "%" => (Infix::Binary(Remainder), 10),
        "+" => (Infix::Binary(Add), 9),
        "-" => (Infix::Binary(Subtract), 9),
        "<<" => (Infix::Binary(ShiftLeft), 8),
        ">>" => (Infix::Binary(ShiftRight), 8),
        "<" => (Infix::Compare(Less), 7),
        "<=" => (Infix::Compare(LessEqual), 7),
        ">" => (Infix::Compare(Greater), 7),
        ">=" => (Infix::Compare(GreaterEqual), 7),
        "==" => (Infix::Compare(Equal), 6),
        "!=" => (Infix::Compare(NotEqual), 6),
        "&" => (Infix::Binary(BitAnd), 5),
        "^" => (Infix::Binary(BitXor), 4),
        "|" => (Infix::Binary(BitOr), 3),
        "&&" => (Infix::And, 2),
        "||" => (Infix::Or, 1),
        _ => return None,
    })
}

fn assignment(text: &str) -> Option<Option<BinaryOp>> {
    use BinaryOp::*;
    Some(match text {
        "=" => None,
        "+=" => Some(Add),
        "-=" => Some(Subtract),
        "*=" => Some(Multiply),
        "/=" => Some(Divide),
        "%=" => Some(Remainder),
        "<<=" => Some(ShiftLeft),
        ">>=" => Some(ShiftRight),
        "&=" => Some(BitAnd),
        "|=" => Some(BitOr),
        "^=" => Some(BitXor),
        _ => return None,
    })
}

impl<'t> Parser<'_, 't> {
    /// With commas.
    pub(super) fn expression(&mut self) -> Parse<Expr<'t>> {
        let mut left = self.assignment()?;
        while self.eat(",") {
            let right = self.assignment()?;
            left = self.pair(left, right, ExprKind::Comma)?;
        }
        Ok(left)
    }

    /// Without commas at the top.
    pub(super) fn assignment(&mut self) -> Parse<Expr<'t>> {
        self.nested(|parser| {
            let left = parser.conditional()?;
            let token = parser.peek();
            match assignment(token.text).filter(|_| token.kind == TokenKind::Mark) {
                Some(op) => {
                    parser.advance();
                    let right = parser.assignment()?;
                    parser.pair(left, right, |left, right| ExprKind::Assign(op, left, right))
                }
                None => Ok(left),
            }
        })
    }

    pub(super) fn conditional(&mut self) -> Parse<Expr<'t>> {
        let test = self.infix(1)?;
        if !self.eat("?") {
            return Ok(test);
        }
        let then = if self.is(":") { None } else { Some(Box::new(self.expression()?)) };
        self.expect(":")?;
        let other = self.nested(Parser::conditional)?;
        let span = join(test.span, other.span);
        let height = test.height.max(other.height).max(then.as_ref().map_or(0, |then| then.height));
        self.node(ExprKind::Conditional(Box::new(test), then, Box::new(other)), span, height)
    }

    /// Operators that bind at least so strongly.
    fn infix(&mut self, strength: u8) -> Parse<Expr<'t>> {
        let mut left = self.cast()?;
        loop {
            let token = self.peek();
            if token.kind != TokenKind::Mark {
                return Ok(left);
            }
            let Some((op, found)) = infix(token.text).filter(|&(_, found)| found >= strength) else {
                return Ok(left);
            };
            self.advance();
            let right = self.infix(found + 1)?;
            left = self.pair(left, right, |left, right| match op {
                Infix::Binary(op) => ExprKind::Binary(op, left, right),
                Infix::Compare(op) => ExprKind::Compare(op, left, right),
                Infix::And => ExprKind::And(left, right),
                Infix::Or => ExprKind::Or(left, right),
            })?;
        }
    }

    fn cast(&mut self) -> Parse<Expr<'t>> {
        let start = self.peek().span;
        if !(self.is("(") && self.starts_type(self.peek_ahead(1))) {
            return self.unary();
        }
        self.nested(|parser| {
            parser.advance();
            let (name, height) = parser.measured(Parser::type_name)?;
            let name = Box::new(name);
            parser.expect(")")?;
            if parser.is("{") {
                let literal = parser.compound_literal(name, start)?;
                return parser.postfix(literal);
            }
            let operand = parser.cast()?;
            let (span, height) = (join(start, operand.span), operand.height.max(height));
            parser.node(ExprKind::Cast(name, Box::new(operand)), span, height)
        })
    }

    fn compound_literal(&mut self, name: Box<TypeName<'t>>, start: Span) -> Parse<Expr<'t>> {
        let (value, height) = self.measured(Parser::initialiser)?;
        let span = self.span_from(start);
        self.node(ExprKind::Literal(name, Box::new(value)), span, height)
    }

    fn unary(&mut self) -> Parse<Expr<'t>> {
        let token = self.peek();
        let is_operator = match token.kind {
            TokenKind::Mark => matches!(token.text, "+" | "-" | "!" | "~" | "*" | "&" | "&&" | "++" | "--"),
            TokenKind::Word => {
                matches!(
                    token.text,
                    "sizeof" | "_Alignof" | "__alignof__" | "__alignof" | "__real__" | "__imag__" | "__real" | "__imag"
                )
            }
            _ => false,
        };
        if !is_operator {
            let first = self.primary()?;
            return self.postfix(first);
        }
        self.nested(|parser| parser.prefix())
    }

    fn prefix(&mut self) -> Parse<Expr<'t>> {
        let token = self.advance();
        match token.text {
            "sizeof" => return self.size_or_alignment(token.span, None),
            "_Alignof" | "__alignof__" | "__alignof" => return self.size_or_alignment(token.span, Some(token.text)),
            "&&" => {
                let name = self.name()?;
                let span = join(token.span, name.span);
                return self.node(ExprKind::Unsupported("the address of a label (`&&label`)"), span, 0);
            }
            "++" | "--" => {
                let op = if token.text == "++" { BinaryOp::Add } else { BinaryOp::Subtract };
                let operand = self.unary()?;
                return self.prefixed(token.span, operand, |operand| ExprKind::Step { operand, op, prefix: true });
            }
            _ => {}
        }
        let operand = self.cast()?;
        self.prefixed(token.span, operand, |operand| match token.text {
            "+" => ExprKind::Plus(operand),
            "-" => ExprKind::Unary(UnaryOp::Negate, operand),
            "~" => ExprKind::Unary(UnaryOp::Complement, operand),
            "!" => ExprKind::Not(operand),
            "*" => ExprKind::Deref(operand),
            "&" => ExprKind::AddressOf(operand),
            _ => ExprKind::Unsupported("a part of a complex number"),
        })
    }

    fn size_or_alignment(&mut self, start: Span, alignment: Option<&str>) -> Parse<Expr<'t>> {
        let kind = if alignment.is_none() { ExprKind::SizeOf } else { ExprKind::AlignOf };
        if self.is("(") && self.starts_type(self.peek_ahead(1)) {
            let open = self.advance().span;
            let (name, height) = self.measured(Parser::type_name)?;
            let name = Box::new(name);
            self.expect(")")?;
            if self.is("{") {
                let literal = self.compound_literal(name, open)?;
                let operand = Box::new(self.postfix(literal)?);
                let (span, height) = (join(start, operand.span), operand.height);
                return self.node(kind(operand), span, height);
            }
            let span = self.span_from(start);
            let kind = match alignment {
                None => ExprKind::SizeOfType(name),
                Some(word) => ExprKind::AlignOfType(name, word != "_Alignof"),
            };
            return self.node(kind, span, height);
        }
        let operand = self.unary()?;
        self.prefixed(start, operand, kind)
    }

    fn postfix(&mut self, first: Expr<'t>) -> Parse<Expr<'t>> {
        let mut base = first;
        loop {
            let token = self.peek();
            if token.kind != TokenKind::Mark {
                return Ok(base);
            }
            let (start, height) = (base.span, base.height);
            let (kind, height) = match token.text {
                "[" => {
                    self.advance();
                    let index = self.expression()?;
                    self.expect("]")?;
                    let height = height.max(index.height);
                    (ExprKind::Index(Box::new(base), Box::new(index)), height)
                }
                "(" => {
                    self.advance();
                    let arguments = self.arguments()?;
                    let height = arguments.iter().map(|argument| argument.height).fold(height, u32::max);
                    (ExprKind::Call(Box::new(base), arguments), height)
                }
                "." | "->" => {
                    self.advance();
                    let name = self.name()?;
                    (ExprKind::Member { base: Box::new(base), name, arrow: token.text == "->" }, height)
                }
                "++" | "--" => {
                    self.advance();
                    let op = if token.text == "++" { BinaryOp::Add } else { BinaryOp::Subtract };
                    (ExprKind::Step { operand: Box::new(base), op, prefix: false }, height)
                }
                _ => return Ok(base),
            };
            let span = self.span_from(start);
            base = self.node(kind, span, height)?;
        }
    }

    /// Up to and with the closing parenthesis.
    fn arguments(&mut self) -> Parse<Vec<Expr<'t>>> {
        let mut arguments = Vec::new();
        if self.eat(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.eat(",") {
                self.expect(")")?;
                return Ok(arguments);
            }
        }
    }

    pub(super) fn leaf(&mut self, kind: ExprKind<'t>) -> Parse<Expr<'t>> {
        let span = self.advance().span;
        self.node(kind, span, 0)
    }

    fn prefixed(
        &mut self,
        start: Span,
        operand: Expr<'t>,
        make: impl FnOnce(Box<Expr<'t>>) -> ExprKind<'t>,
    ) -> Parse<Expr<'t>> {
        let (span, height) = (join(start, operand.span), operand.height);
        self.node(make(Box::new(operand)), span, height)
    }

    pub(super) fn pair(
        &mut self,
        left: Expr<'t>,
        right: Expr<'t>,
        make: impl FnOnce(Box<Expr<'t>>, Box<Expr<'t>>) -> ExprKind<'t>,
    ) -> Parse<Expr<'t>> {
        let (span, height) = (join(left.span, right.span), left.height.max(right.height));
        self.node(make(Box::new(left), Box::new(right)), span, height)
    }

    /// Reads something, and gives the height of the highest expression in it too.
    pub(super) fn measured<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<(T, u32)> {
        let outside = std::mem::take(&mut self.highest);
        let result = parse(self)?;
        let height = self.highest;
        self.highest = height.max(outside);
        Ok((result, height))
    }

    /// An expression above others of the given height.
    pub(super) fn node(&mut self, kind: ExprKind<'t>, span: Span, below: u32) -> Parse<Expr<'t>> {
        if below >= DEEPEST {
            return self.too_deep(span);
        }
        self.highest = self.highest.max(below + 1);
        Ok(Expr { kind, span, height: below + 1 })
    }
}
