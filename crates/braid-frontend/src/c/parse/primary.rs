//! Expressions that stand alone: names, literals, what is in parentheses, forms of their own; and initial values.

use super::{DEEPEST, Parse, Parser, is_keyword};
use crate::c::lex::TokenKind;
use crate::c::syntax::{Designator, Expr, ExprKind, Initialiser};

impl<'t> Parser<'_, 't> {
    pub(super) fn primary(&mut self) -> Parse<Expr<'t>> {
        let token = self.peek();
        match token.kind {
            TokenKind::Number => self.leaf(ExprKind::Number(token.text)),
            TokenKind::Char => self.leaf(ExprKind::Char(token.text)),
            TokenKind::String => {
                let pieces = self.strings();
                let span = self.span_from(token.span);
                self.node(ExprKind::String(pieces), span, 0)
            }
            TokenKind::Mark if token.text == "(" => self.parenthesised(),
            TokenKind::Word => match token.text {
                "_Generic" => self.generic(),
                "__builtin_offsetof" => self.offset_of(),
                "__builtin_types_compatible_p" => self.compatible(),
                "__builtin_va_arg" => self.va_arg(),
                text if !is_keyword(text) => self.leaf(ExprKind::Name(text)),
                _ => self.unexpected("an expression"),
            },
            _ => self.unexpected("an expression"),
        }
    }

    /// Adjacent string literals, as they are written.
    pub(super) fn strings(&mut self) -> Vec<&'t str> {
        let mut pieces = Vec::new();
        while self.peek().kind == TokenKind::String {
            pieces.push(self.advance().text);
        }
        pieces
    }

    fn parenthesised(&mut self) -> Parse<Expr<'t>> {
        let start = self.advance().span;
        if self.is("{") {
            let (block, height) = self.measured(|parser| parser.nested(Parser::block))?;
            self.expect(")")?;
            let span = self.span_from(start);
            return self.node(ExprKind::Statements(block), span, height);
        }
        let mut inner = self.expression()?;
        self.expect(")")?;
        inner.span = self.span_from(start);
        Ok(inner)
    }

    fn generic(&mut self) -> Parse<Expr<'t>> {
        let start = self.advance().span;
        self.expect("(")?;
        let subject = self.assignment()?;
        let mut cases = Vec::new();
        let mut height = subject.height;
        while self.eat(",") {
            let name = if self.eat("default") { None } else { Some(self.type_name()?) };
            self.expect(":")?;
            let value = self.assignment()?;
            height = height.max(value.height);
            cases.push((name, value));
        }
        self.expect(")")?;
        let span = self.span_from(start);
        self.node(ExprKind::Generic(Box::new(subject), cases), span, height)
    }

    fn offset_of(&mut self) -> Parse<Expr<'t>> {
        let start = self.advance().span;
        self.expect("(")?;
        let (name, height) = self.measured(Parser::type_name)?;
        let name = Box::new(name);
        self.expect(",")?;
        let mut path = vec![Designator::Member(self.name()?)];
        loop {
            if self.eat("[") {
                let index = Box::new(self.expression()?);
                self.expect("]")?;
                path.push(Designator::Index(index, None));
            } else if self.eat(".") {
                path.push(Designator::Member(self.name()?));
            } else {
                break;
            }
        }
        self.expect(")")?;
        let span = self.span_from(start);
        self.node(ExprKind::OffsetOf(name, path), span, height)
    }

    fn compatible(&mut self) -> Parse<Expr<'t>> {
        let start = self.advance().span;
        self.expect("(")?;
        let left = Box::new(self.type_name()?);
        self.expect(",")?;
        let right = Box::new(self.type_name()?);
        self.expect(")")?;
        let span = self.span_from(start);
        self.node(ExprKind::Compatible(left, right), span, 0)
    }

    fn va_arg(&mut self) -> Parse<Expr<'t>> {
        let start = self.advance().span;
        self.expect("(")?;
        let list = Box::new(self.assignment()?);
        self.expect(",")?;
        let name = Box::new(self.type_name()?);
        self.expect(")")?;
        let (span, height) = (self.span_from(start), list.height);
        self.node(ExprKind::VaArg(list, name), span, height)
    }

    pub(super) fn initialiser(&mut self) -> Parse<Initialiser<'t>> {
        if !self.is("{") {
            return Ok(Initialiser::Expr(self.assignment()?));
        }
        self.nested(|parser| {
            let start = parser.advance().span;
            let mut items = Vec::new();
            while !parser.eat("}") {
                let designators = parser.designators()?;
                items.push((designators, parser.initialiser()?));
                if !parser.eat(",") {
                    parser.expect("}")?;
                    break;
                }
            }
            Ok(Initialiser::List(items, parser.span_from(start)))
        })
    }

    fn designators(&mut self) -> Parse<Vec<Designator<'t>>> {
        let mut path = Vec::new();
        let is_old_form = self.peek().kind == TokenKind::Word && self.peek_ahead(1).text == ":";
        if is_old_form {
            path.push(Designator::Member(self.name()?));
            self.advance();
            return Ok(path);
        }
        loop {
            if self.eat(".") {
                path.push(Designator::Member(self.name()?));
            } else if self.eat("[") {
                let low = Box::new(self.conditional()?);
                let high = if self.eat("...") { Some(Box::new(self.conditional()?)) } else { None };
                self.expect("]")?;
                path.push(Designator::Index(low, high));
            } else {
                break;
            }
            if path.len() as u32 > DEEPEST {
                return self.too_deep(self.peek().span);
            }
        }
        if !path.is_empty() {
            // The GNU form without `=` is old, but read.
            self.eat("=");
        }
        Ok(path)
    }
}
