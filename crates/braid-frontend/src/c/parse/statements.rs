//! Statements.

use super::*;

impl<'t> Parser<'_, 't> {
    /// `{ … }`, in a scope of its own.
    pub(super) fn block(&mut self) -> Parse<Vec<Stmt<'t>>> {
        self.expect("{")?;
        self.scoped(|parser| {
            let mut statements = Vec::new();
            while !parser.eat("}") {
                if parser.peek().kind == TokenKind::End {
                    return parser.unexpected("a statement or `}`");
                }
                statements.push(parser.block_item()?);
            }
            Ok(statements)
        })
    }

    fn block_item(&mut self) -> Parse<Stmt<'t>> {
        let start = self.peek().span;
        let kind = if self.eat("__label__") {
            StmtKind::Labels(self.list(";", Parser::name)?)
        } else if self.starts_declaration() && !self.is_label() {
            self.declaration_or_function()?
        } else {
            return self.statement();
        };
        Ok(Stmt { kind, span: self.span_from(start) })
    }

    fn is_label(&self) -> bool {
        self.peek().kind == TokenKind::Word
            && self.peek_ahead(1).text == ":"
            && !matches!(self.peek().text, "default" | "case")
    }

    pub(super) fn statement(&mut self) -> Parse<Stmt<'t>> {
        self.nested(|parser| {
            let start = parser.peek().span;
            let kind = parser.statement_kind()?;
            Ok(Stmt { kind, span: parser.span_from(start) })
        })
    }

    fn boxed(&mut self) -> Parse<Box<Stmt<'t>>> {
        Ok(Box::new(self.statement()?))
    }

    fn statement_kind(&mut self) -> Parse<StmtKind<'t>> {
        let token = self.peek();
        match token.text {
            "{" => Ok(StmtKind::Block(self.block()?)),
            "[" if self.is_double_bracket() => {
                self.harmless_attributes()?;
                self.statement_kind()
            }
            ";" => self.last(StmtKind::Skip),
            _ if self.is_label() => {
                let name = self.name()?;
                self.advance();
                if self.is("__attribute__") || self.is_double_bracket() {
                    self.harmless_attributes()?;
                }
                Ok(StmtKind::Label(name, self.labelled()?))
            }
            "if" => {
                let (test, then) = (self.test()?, self.boxed()?);
                let other = if self.eat("else") { Some(self.boxed()?) } else { None };
                Ok(StmtKind::If(test, then, other))
            }
            "while" => Ok(StmtKind::While(self.test()?, self.boxed()?)),
            "do" => {
                self.advance();
                let body = self.boxed()?;
                self.expect("while")?;
                let test = self.parenthesised(Parser::expression)?;
                self.last(StmtKind::DoWhile(body, test))
            }
            "for" => self.scoped(Parser::for_loop),
            "switch" => Ok(StmtKind::Switch(self.test()?, self.boxed()?)),
            "case" => {
                self.advance();
                let low = self.conditional()?;
                let high = if self.eat("...") { Some(self.conditional()?) } else { None };
                self.expect(":")?;
                Ok(StmtKind::Case(low, high, self.labelled()?))
            }
            "default" => {
                self.advance();
                self.expect(":")?;
                Ok(StmtKind::Default(self.labelled()?))
            }
            "break" | "continue" => {
                self.advance();
                self.last(if token.text == "break" { StmtKind::Break } else { StmtKind::Continue })
            }
            "goto" => {
                self.advance();
                let kind = match self.eat("*") {
                    true => StmtKind::GotoValue(self.expression()?),
                    false => StmtKind::Goto(self.name()?),
                };
                self.last(kind)
            }
            "return" => {
                self.advance();
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.last(StmtKind::Return(value))
            }
            "asm" | "__asm__" | "__asm" => self.assembly(),
            "__attribute__" | "__attribute" => {
                self.harmless_attributes()?;
                self.last(StmtKind::Skip)
            }
            _ => self.expression_statement(),
        }
    }

    /// A statement that ends with the `;` at hand.
    fn last(&mut self, kind: StmtKind<'t>) -> Parse<StmtKind<'t>> {
        self.expect(";")?;
        Ok(kind)
    }

    fn expression_statement(&mut self) -> Parse<StmtKind<'t>> {
        let value = self.expression()?;
        self.last(StmtKind::Expr(value))
    }

    /// What stands behind a label: a statement; in newer C also a declaration or nothing.
    fn labelled(&mut self) -> Parse<Box<Stmt<'t>>> {
        if self.is("}") {
            return Ok(Box::new(Stmt { kind: StmtKind::Skip, span: self.peek().span }));
        }
        Ok(Box::new(self.block_item()?))
    }

    /// What stands in parentheses behind the word at hand.
    fn test(&mut self) -> Parse<Expr<'t>> {
        self.advance();
        self.parenthesised(Parser::expression)
    }

    fn for_loop(&mut self) -> Parse<StmtKind<'t>> {
        self.advance();
        self.expect("(")?;
        let start = self.peek().span;
        let kind = if self.eat(";") {
            StmtKind::Skip
        } else if self.starts_declaration() {
            StmtKind::Declaration(self.declaration()?)
        } else {
            self.expression_statement()?
        };
        let init = Box::new(Stmt { kind, span: self.span_from(start) });
        let test = if self.is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let step = if self.is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        Ok(StmtKind::For(init, test, step, self.boxed()?))
    }
}
