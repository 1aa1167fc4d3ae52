//! Declarations and function definitions.

use super::{Parse, Parser, reject};
use crate::Diagnostic;
use crate::c::syntax::{
    Declaration, Declarator, Derived, External, FunctionDefinition, Specifiers, StmtKind, StorageClass, TypeName,
};
use braid_program::source::Span;

impl<'t> Parser<'_, 't> {
    /// One thing at file level, or a stray `;`.
    pub(super) fn external(&mut self) -> Parse<Option<External<'t>>> {
        if self.eat(";") {
            return Ok(None);
        }
        if matches!(self.peek().text, "asm" | "__asm__" | "__asm") && self.peek_ahead(1).text == "(" {
            let start = self.peek().span;
            return match self.assembly()? {
                StmtKind::Skip => Ok(None),
                _ => reject(start, "`asm` at file level is not supported"),
            };
        }
        let start = self.peek().span;
        let first = self.at;
        let specifiers = self.specifiers()?;
        if self.at != first && self.eat(";") {
            let span = self.span_from(start);
            return Ok(Some(External::Declaration(Declaration { specifiers, declarators: Vec::new(), span })));
        }
        let declarator = self.declarator()?;
        if declarator.name.is_none() {
            return self.unexpected(if self.at == first { "a declaration" } else { "a name" });
        }
        let is_function = matches!(declarator.derived.last(), Some(Derived::Function(_)));
        if is_function && (self.is("{") || self.starts_declaration()) {
            return Ok(Some(External::Function(Box::new(self.function(TypeName { specifiers, declarator })?))));
        }
        if self.at == first + 1 && !is_function && !matches!(self.peek().text, ";" | "=" | "," | "[") {
            // A lone word: most likely a type that is not known.
            self.at = first;
            return self.unexpected("a declaration");
        }
        Ok(Some(External::Declaration(self.declaration_rest(specifiers, declarator, start)?)))
    }

    fn function(&mut self, head: TypeName<'t>) -> Parse<FunctionDefinition<'t>> {
        if let Some(name) = head.declarator.name {
            self.declare(name.text, false);
        }
        self.scoped(|parser| {
            let mut old_style = Vec::new();
            while !parser.is("{") {
                old_style.push(parser.declaration()?);
            }
            if let Some(Derived::Function(parameters)) = head.declarator.derived.last() {
                let names = parameters.list.iter().filter_map(|parameter| parameter.declarator.name);
                names.for_each(|name| parser.declare(name.text, false));
            }
            let body = parser.nested(Parser::block)?;
            Ok(FunctionDefinition { head, old_style, body })
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
        let declarator = self.named_declarator()?;
        self.declaration_rest(specifiers, declarator, start)
    }

    fn named_declarator(&mut self) -> Parse<Declarator<'t>> {
        let declarator = self.declarator()?;
        if declarator.name.is_none() { self.unexpected("a name") } else { Ok(declarator) }
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
            let value = if self.eat("=") { Some(self.initialiser()?) } else { None };
            declarators.push((declarator, value));
            if !self.eat(",") {
                break;
            }
            declarator = self.named_declarator()?;
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
}
