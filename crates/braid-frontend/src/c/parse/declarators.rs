//! Declarators and type names: C's types are written around the name.

use super::specifiers::qualifier;
use super::{DEEPEST, Parse, Parser, too_deep};
use crate::c::check::types::plain;
use crate::c::lex::TokenKind;
use crate::c::syntax::{Attributes, Declarator, Derived, Parameters, TypeName};
use crate::c::tree::Type;

impl<'t> Parser<'_, 't> {
    pub(super) fn type_name(&mut self) -> Parse<TypeName<'t>> {
        self.type_or("a type")
    }

    fn type_or(&mut self, expected: &str) -> Parse<TypeName<'t>> {
        let specifiers = self.some_specifiers(expected)?;
        Ok(TypeName { specifiers, declarator: self.declarator()? })
    }

    /// With or without a name; whoever needs one looks for it.
    pub(super) fn declarator(&mut self) -> Parse<Declarator<'t>> {
        let mut attributes = Attributes::default();
        let declarator = self.declarator_with(&mut attributes)?;
        Ok(Declarator { attributes, ..declarator })
    }

    /// Its attributes go where those of the declarator around it go.
    fn declarator_with(&mut self, attributes: &mut Attributes<'t>) -> Parse<Declarator<'t>> {
        let declarator = self.nested(|parser| parser.declarator_inside(attributes))?;
        if declarator.derived.len() as u32 > DEEPEST / 4 {
            return too_deep(declarator.span);
        }
        Ok(declarator)
    }

    fn declarator_inside(&mut self, attributes: &mut Attributes<'t>) -> Parse<Declarator<'t>> {
        let start = self.peek().span;
        let first = self.at;
        self.attributes(attributes)?;
        let mut derived = Vec::new();
        while self.eat("*") {
            let mut qualifiers = plain(Type::Void);
            loop {
                let token = self.peek();
                if token.kind == TokenKind::Word && qualifier(token.text, &mut qualifiers) {
                    self.advance();
                } else if self.is("__attribute__") || self.is_double_bracket() {
                    self.attributes(attributes)?;
                } else {
                    break;
                }
            }
            derived.push(Derived::Pointer(qualifiers));
        }
        self.attributes(attributes)?;
        let (mut name, mut inner) = (None, Vec::new());
        if self.is("(") && self.is_nested_declarator() {
            Declarator { name, derived: inner, .. } =
                self.parenthesised(|parser| parser.declarator_with(attributes))?;
        } else if self.is_name() {
            name = Some(self.name()?);
        }
        let mut suffixes = Vec::new();
        loop {
            if self.is_double_bracket() {
                self.attributes(attributes)?;
            } else if self.is("[") {
                suffixes.push(self.array_suffix()?);
            } else if self.eat("(") {
                suffixes.push(Derived::Function(self.scoped(Parser::parameters)?));
            } else {
                break;
            }
        }
        derived.extend(suffixes.into_iter().rev());
        derived.extend(inner);
        self.attributes(attributes)?;
        let span = if self.at == first { start } else { self.span_from(start) };
        Ok(Declarator { name, derived, ..Declarator::unnamed(span) })
    }

    /// Whether the parenthesis groups a declarator, and does not open a list of parameters.
    fn is_nested_declarator(&self) -> bool {
        let next = self.peek_ahead(1);
        match next.kind {
            TokenKind::Mark => matches!(next.text, "*" | "(" | "["),
            TokenKind::Word if matches!(next.text, "__attribute__" | "__attribute") => true,
            TokenKind::Word => !self.starts_type(next) && next.text != "register",
            _ => false,
        }
    }

    fn array_suffix(&mut self) -> Parse<Derived<'t>> {
        let start = self.advance().span;
        let mut ignored = plain(Type::Void);
        while self.peek().kind == TokenKind::Word && (self.is("static") || qualifier(self.peek().text, &mut ignored)) {
            self.advance();
        }
        if self.is("*") && self.peek_ahead(1).text == "]" {
            self.advance();
        }
        let size = if self.is("]") { None } else { Some(Box::new(self.assignment()?)) };
        self.expect("]")?;
        Ok(Derived::Array(size, self.span_from(start)))
    }

    /// Up to and with the closing parenthesis.
    fn parameters(&mut self) -> Parse<Parameters<'t>> {
        let mut parameters = Parameters { list: Vec::new(), variadic: false, open: false, names: Vec::new() };
        if self.eat(")") {
            parameters.open = true;
            return Ok(parameters);
        }
        if self.is("void") && self.peek_ahead(1).text == ")" {
            self.advance();
            self.advance();
            return Ok(parameters);
        }
        let is_old_form = self.peek().kind == TokenKind::Word
            && !self.starts_declaration()
            && matches!(self.peek_ahead(1).text, "," | ")");
        if is_old_form {
            parameters.open = true;
            parameters.names = self.list(")", Parser::name)?;
            return Ok(parameters);
        }
        loop {
            if self.eat("...") {
                parameters.variadic = true;
                break;
            }
            let parameter = self.type_or("a parameter")?;
            if let Some(name) = parameter.declarator.name {
                self.declare(name.text, false);
            }
            parameters.list.push(parameter);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(parameters)
    }
}
