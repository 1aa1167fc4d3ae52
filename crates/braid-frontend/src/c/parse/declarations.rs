//! Declarations and function definitions.

use super::{Parse, Parser};
use crate::Diagnostic;
use crate::c::lex::TokenKind;
use crate::c::syntax::{
    Declaration, Declarator, Derived, External, FunctionDefinition, Initialiser, Specifiers, StaticAssert, StmtKind,
    StorageClass,
};
use braid_program::source::Span;

impl<'t> Parser<'_, 't> {
    /// One thing at file level, or a stray `;`.
    pub(super) fn external(&mut self) -> Parse<Option<External<'t>>> {
        if self.eat(";") {
            return Ok(None);
        }
        if self.is("_Static_assert") {
            return Ok(Some(External::StaticAssert(self.static_assert()?)));
        }
        if matches!(self.peek().text, "asm" | "__asm__" | "__asm") && self.peek_ahead(1).text == "(" {
            let start = self.peek().span;
            return match self.assembly()? {
                StmtKind::Skip => Ok(None),
                _ => Err(Box::new(Diagnostic::new(start, "`asm` at file level is not supported"))),
            };
        }
        let start = self.peek().span;
        let first = self.at;
        let specifiers = self.specifiers()?;
        if self.at != first && self.is(";") {
            self.advance();
            let span = self.span_from(start);
            return Ok(Some(External::Declaration(Declaration { specifiers, declarators: Vec::new(), span })));
        }
        let declarator = self.declarator()?;
        if declarator.name.is_none() {
            return self.unexpected(if self.at == first { "a declaration" } else { "a name" });
        }
        let is_function = matches!(declarator.derived.last(), Some(Derived::Function(_)));
        if is_function && (self.is("{") || self.starts_declaration()) {
            return Ok(Some(External::Function(Box::new(self.function(specifiers, declarator)?))));
        }
        if self.at == first + 1 && !is_function && !matches!(self.peek().text, ";" | "=" | "," | "[") {
            // A lone word: most likely a type that is not known.
            self.at = first;
            return self.unexpected("a declaration");
        }
        Ok(Some(External::Declaration(self.declaration_rest(specifiers, declarator, start)?)))
    }

    fn function(&mut self, specifiers: Specifiers<'t>, declarator: Declarator<'t>) -> Parse<FunctionDefinition<'t>> {
        if let Some(name) = declarator.name {
            self.declare(name.text, false);
        }
        self.scoped(|parser| {
            let mut old_style = Vec::new();
            while !parser.is("{") {
                old_style.push(parser.declaration()?);
            }
            if let Some(Derived::Function(parameters)) = declarator.derived.last() {
                for parameter in &parameters.list {
                    if let Some(name) = parameter.declarator.name {
                        parser.declare(name.text, false);
                    }
                }
            }
            let body = parser.nested(Parser::block)?;
            Ok(FunctionDefinition { specifiers, declarator, old_style, body })
        })
    }

    /// Up to and with the `;`.
    pub(super) fn declaration(&mut self) -> Parse<Declaration<'t>> {
        let start = self.peek().span;
        let specifiers = self.specifiers()?;
        if self.eat(";") {
            let span = self.span_from(start);
            return Ok(Declaration { specifiers, declarators: Vec::new(), span });
        }
        let declarator = self.declarator()?;
        if declarator.name.is_none() {
            return self.unexpected("a name");
        }
        self.declaration_rest(specifiers, declarator, start)
    }

    /// From behind the first declarator.
    fn declaration_rest(
        &mut self,
        specifiers: Specifiers<'t>,
        first: Declarator<'t>,
        start: Span,
    ) -> Parse<Declaration<'t>> {
        let is_type = specifiers.storage == Some(StorageClass::Typedef);
        let mut declarators = Vec::new();
        let mut declarator = first;
        loop {
            if let Some(name) = declarator.name {
                self.declare(name.text, is_type);
            }
            let value = self.initial_value()?;
            declarators.push((declarator, value));
            if !self.eat(",") {
                break;
            }
            declarator = self.declarator()?;
            if declarator.name.is_none() {
                return self.unexpected("a name");
            }
        }
        if self.is("{")
            && matches!(declarators.last(), Some((last, None)) if matches!(last.derived.last(), Some(Derived::Function(_))))
        {
            let message = "a function inside of a function is not supported";
            return Err(Box::new(Diagnostic::new(self.peek().span, message).hint("move it out")));
        }
        self.expect(";")?;
        Ok(Declaration { specifiers, declarators, span: self.span_from(start) })
    }

    fn initial_value(&mut self) -> Parse<Option<Initialiser<'t>>> {
        if self.eat("=") { Ok(Some(self.initialiser()?)) } else { Ok(None) }
    }

    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert<'t>> {
        let start = self.advance().span;
        self.expect("(")?;
        let condition = self.conditional()?;
        let mut message = Vec::new();
        if self.eat(",") {
            if self.peek().kind != TokenKind::String {
                return self.unexpected("a string");
            }
            message = self.strings();
        }
        self.expect(")")?;
        self.expect(";")?;
        Ok(StaticAssert { condition, message, span: self.span_from(start) })
    }
}
