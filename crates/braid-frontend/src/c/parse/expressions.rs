//! Expressions, by precedence.

use super::*;

/// What an expression is, before its place and height are known.
type Kind<'t> = Parse<ExprKind<'t>>;

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

/// `=`, or an operator that assigns.
fn assignment(text: &str) -> Option<Option<BinaryOp>> {
    match (text, infix(text.strip_suffix('=')?)) {
        ("=", _) => Some(None),
        (_, Some((Infix::Binary(op), _))) => Some(Some(op)),
        _ => None,
    }
}

impl<'t> Parser<'_, 't> {
    /// With commas.
    pub(super) fn expression(&mut self) -> Parse<Expr<'t>> {
        let mut left = self.assignment()?;
        while self.eat(",") {
            left = self.onwards(left, |parser, left| Ok(ExprKind::Comma(left, Box::new(parser.assignment()?))))?;
        }
        Ok(left)
    }

    /// Without commas at the top.
    pub(super) fn assignment(&mut self) -> Parse<Expr<'t>> {
        self.nested(|parser| {
            let left = parser.conditional()?;
            let Some(op) = assignment(parser.peek().text) else { return Ok(left) };
            parser.advance();
            parser.onwards(left, |parser, left| Ok(ExprKind::Assign(op, left, Box::new(parser.assignment()?))))
        })
    }

    pub(super) fn conditional(&mut self) -> Parse<Expr<'t>> {
        let test = self.infix(1)?;
        if !self.eat("?") {
            return Ok(test);
        }
        self.onwards(test, |parser, test| {
            let then = if parser.is(":") { None } else { Some(Box::new(parser.expression()?)) };
            parser.expect(":")?;
            Ok(ExprKind::Conditional(test, then, Box::new(parser.nested(Parser::conditional)?)))
        })
    }

    /// Operators that bind at least so strongly.
    fn infix(&mut self, strength: u8) -> Parse<Expr<'t>> {
        let mut left = self.cast()?;
        loop {
            let known = infix(self.peek().text).filter(|&(_, found)| found >= strength);
            let Some((op, found)) = known else { return Ok(left) };
            self.advance();
            left =
                self.onwards(left, |parser, left| Ok(ExprKind::Infix(op, left, Box::new(parser.infix(found + 1)?))))?;
        }
    }

    fn cast(&mut self) -> Parse<Expr<'t>> {
        if !self.is_type_in_parentheses() {
            return self.unary();
        }
        self.nested(|parser| parser.behind_type(|parser, name| Ok(ExprKind::Cast(name, Box::new(parser.cast()?)))))
    }

    fn is_type_in_parentheses(&self) -> bool {
        self.is("(") && self.starts_type(self.peek_ahead(1))
    }

    /// `(type){…}`, or what else stands behind `(type)`.
    fn behind_type(&mut self, otherwise: impl FnOnce(&mut Self, Box<TypeName<'t>>) -> Kind<'t>) -> Parse<Expr<'t>> {
        let expr = self.form(|parser| {
            let name = Box::new(parser.parenthesised(Parser::type_name)?);
            if parser.is("{") {
                return Ok(ExprKind::Literal(name, Box::new(parser.initialiser()?)));
            }
            otherwise(parser, name)
        })?;
        if matches!(expr.kind, ExprKind::Literal(..)) { self.postfix(expr) } else { Ok(expr) }
    }

    fn unary(&mut self) -> Parse<Expr<'t>> {
        match self.peek().text {
            "+" | "-" | "!" | "~" | "*" | "&" | "&&" | "++" | "--" | "sizeof" | "_Alignof" | "__alignof__"
            | "__alignof" | "__real__" | "__imag__" | "__real" | "__imag" => {
                self.nested(|parser| parser.form(Parser::prefix))
            }
            _ => {
                let first = self.primary()?;
                self.postfix(first)
            }
        }
    }

    fn prefix(&mut self) -> Parse<ExprKind<'t>> {
        let token = self.advance();
        match token.text {
            "sizeof" => self.size_or_alignment(ExprKind::SizeOf),
            "_Alignof" => self.size_or_alignment(|of| ExprKind::AlignOf(of, false)),
            "__alignof__" | "__alignof" => self.size_or_alignment(|of| ExprKind::AlignOf(of, true)),
            "&&" => {
                let name = self.name()?;
                self.label_values.push(name);
                Ok(ExprKind::LabelValue(name))
            }
            "++" | "--" => Ok(ExprKind::Step(Box::new(self.unary()?), step(token.text), UpdateValue::New)),
            sign => Ok(ExprKind::Prefix(sign, Box::new(self.cast()?))),
        }
    }

    fn size_or_alignment(&mut self, kind: fn(Typed<'t>) -> ExprKind<'t>) -> Parse<ExprKind<'t>> {
        if !self.is_type_in_parentheses() {
            return Ok(kind(Typed::Expr(Box::new(self.unary()?))));
        }
        let operand = self.behind_type(|_, name| Ok(kind(Typed::Type(name))))?;
        Ok(match operand.kind {
            ExprKind::SizeOf(_) | ExprKind::AlignOf(..) => operand.kind,
            _ => kind(Typed::Expr(Box::new(operand))),
        })
    }

    fn postfix(&mut self, first: Expr<'t>) -> Parse<Expr<'t>> {
        let mut base = first;
        loop {
            let token = self.peek();
            if !matches!(token.text, "[" | "(" | "." | "->" | "++" | "--") {
                return Ok(base);
            }
            self.advance();
            base = self.onwards(base, |parser, base| {
                Ok(match token.text {
                    "[" => {
                        let index = parser.expression()?;
                        parser.expect("]")?;
                        ExprKind::Index(base, Box::new(index))
                    }
                    "(" => ExprKind::Call(base, parser.list(")", Parser::assignment)?),
                    "." | "->" => ExprKind::Member(base, parser.name()?, token.text == "->"),
                    _ => ExprKind::Step(base, step(token.text), UpdateValue::Old),
                })
            })?;
        }
    }

    /// An expression that starts with the token at hand.
    pub(super) fn form(&mut self, parse: impl FnOnce(&mut Self) -> Parse<ExprKind<'t>>) -> Parse<Expr<'t>> {
        let start = self.peek().span;
        self.measured(start, 0, parse)
    }

    /// An expression that starts with another one.
    fn onwards<F: FnOnce(&mut Self, Box<Expr<'t>>) -> Kind<'t>>(
        &mut self,
        first: Expr<'t>,
        parse: F,
    ) -> Parse<Expr<'t>> {
        self.measured(first.span, first.height, |parser| parse(parser, Box::new(first)))
    }

    /// An expression above those that are read here, and above others of the given height.
    fn measured(&mut self, start: Span, below: u32, parse: impl FnOnce(&mut Self) -> Kind<'t>) -> Parse<Expr<'t>> {
        let outside = std::mem::replace(&mut self.highest, below);
        let kind = parse(self)?;
        let (span, height) = (self.span_from(start), self.highest + 1);
        if height > DEEPEST {
            return too_deep(span);
        }
        self.highest = height.max(outside);
        Ok(Expr { kind, span, height })
    }
}

/// What `++` or `--` does.
fn step(text: &str) -> BinaryOp {
    if text == "++" { BinaryOp::Add } else { BinaryOp::Subtract }
}
