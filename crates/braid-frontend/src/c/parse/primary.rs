//! Expressions that stand alone: names, literals, what is in parentheses, forms of their own; and initial values.

use super::*;

impl<'t> Parser<'_, 't> {
    pub(super) fn primary(&mut self) -> Parse<Expr<'t>> {
        let token = self.peek();
        let kind = match (token.kind, token.text) {
            (TokenKind::Mark, "(") => return self.in_parentheses(),
            (TokenKind::String, _) => return self.form(|parser| Ok(ExprKind::String(parser.strings()))),
            (TokenKind::Word, "_Generic") => return self.special(Parser::generic),
            (TokenKind::Word, "__builtin_offsetof") => return self.special(Parser::offset_of),
            (TokenKind::Word, "__builtin_types_compatible_p") => return self.special(Parser::compatible),
            (TokenKind::Word, "__builtin_va_arg") => return self.special(Parser::va_arg),
            (TokenKind::Number | TokenKind::Char, text) => ExprKind::Number(text),
            (TokenKind::Word, text) if self.is_name() => ExprKind::Name(text),
            _ => return self.unexpected("an expression"),
        };
        self.form(|parser| {
            parser.advance();
            Ok(kind)
        })
    }

    /// A word and what belongs to it in parentheses.
    fn special(&mut self, parse: fn(&mut Self) -> Parse<ExprKind<'t>>) -> Parse<Expr<'t>> {
        self.form(|parser| {
            parser.advance();
            parser.parenthesised(parse)
        })
    }

    /// Adjacent string literals, as they are written.
    pub(super) fn strings(&mut self) -> Vec<&'t str> {
        let mut pieces = Vec::new();
        while self.peek().kind == TokenKind::String {
            pieces.push(self.advance().text);
        }
        pieces
    }

    /// At least one.
    pub(super) fn some_strings(&mut self, expected: &str) -> Parse<Vec<&'t str>> {
        let pieces = self.strings();
        if pieces.is_empty() { self.unexpected(expected) } else { Ok(pieces) }
    }

    fn in_parentheses(&mut self) -> Parse<Expr<'t>> {
        if self.peek_ahead(1).text == "{" {
            return self
                .form(|parser| Ok(ExprKind::Statements(parser.parenthesised(|parser| parser.nested(Parser::block))?)));
        }
        let start = self.peek().span;
        let mut inner = self.parenthesised(Parser::expression)?;
        inner.span = self.span_from(start);
        Ok(inner)
    }

    fn generic(&mut self) -> Parse<ExprKind<'t>> {
        let subject = Box::new(self.assignment()?);
        let mut cases = Vec::new();
        while self.eat(",") {
            let name = if self.eat("default") { None } else { Some(self.type_name()?) };
            self.expect(":")?;
            cases.push((name, self.assignment()?));
        }
        Ok(ExprKind::Generic(subject, cases))
    }

    fn offset_of(&mut self) -> Parse<ExprKind<'t>> {
        let name = Box::new(self.type_name()?);
        self.expect(",")?;
        let mut path = vec![Designator::Member(self.name()?)];
        path.extend(self.path(Parser::expression)?);
        Ok(ExprKind::OffsetOf(name, path))
    }

    fn compatible(&mut self) -> Parse<ExprKind<'t>> {
        let left = Box::new(self.type_name()?);
        self.expect(",")?;
        Ok(ExprKind::Compatible(left, Box::new(self.type_name()?)))
    }

    fn va_arg(&mut self) -> Parse<ExprKind<'t>> {
        self.reads_arguments = true;
        let list = Box::new(self.assignment()?);
        self.expect(",")?;
        Ok(ExprKind::VaArg(list, Box::new(self.type_name()?)))
    }

    pub(super) fn initialiser(&mut self) -> Parse<Initialiser<'t>> {
        if !self.is("{") {
            return Ok(Initialiser::Expr(self.assignment()?));
        }
        self.nested(|parser| {
            let start = parser.advance().span;
            let items = parser.list("}", |parser| Ok((parser.designators()?, parser.initialiser()?)))?;
            Ok(Initialiser::List(items, parser.span_from(start)))
        })
    }

    fn designators(&mut self) -> Parse<Vec<Designator<'t>>> {
        let is_old_form = self.peek().kind == TokenKind::Word && self.peek_ahead(1).text == ":";
        if is_old_form {
            let member = Designator::Member(self.name()?);
            self.advance();
            return Ok(vec![member]);
        }
        let path = self.path(Parser::conditional)?;
        if !path.is_empty() {
            // The GNU form without `=` is old, but read.
            self.eat("=");
        }
        Ok(path)
    }

    /// `.member` and `[index]` as long as there are any.
    fn path(&mut self, index: fn(&mut Self) -> Parse<Expr<'t>>) -> Parse<Vec<Designator<'t>>> {
        let mut path = Vec::new();
        loop {
            if self.eat(".") {
                path.push(Designator::Member(self.name()?));
            } else if self.eat("[") {
                let low = Box::new(index(self)?);
                let high = if self.eat("...") { Some(Box::new(index(self)?)) } else { None };
                self.expect("]")?;
                path.push(Designator::Index(low, high));
            } else {
                return Ok(path);
            }
            if path.len() as u32 > DEEPEST {
                return too_deep(self.peek().span);
            }
        }
    }
}
