//! Declarations, function definitions, declarators and type names: C's types are written around the name.

use super::specifiers::qualifier;
use super::*;

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
            let declaration = Declaration { specifiers, declarators: Vec::new(), span };
            return Ok(Some(External::Declaration(Box::new(declaration))));
        }
        let declarator = self.declarator()?;
        if declarator.name.is_none() {
            return self.unexpected(if self.at == first { "a declaration" } else { "a name" });
        }
        let is_function = matches!(declarator.derived.last(), Some(Derived::Function(_)));
        let head = TypeName { specifiers, declarator };
        if is_function && (self.is("{") || self.starts_declaration()) {
            return Ok(Some(External::Function(Box::new(self.function(head)?))));
        }
        if self.at == first + 1 && !is_function && !matches!(self.peek().text, ";" | "=" | "," | "[") {
            // A lone word: most likely a type that is not known.
            self.at = first;
            return self.unexpected("a declaration");
        }
        Ok(Some(External::Declaration(Box::new(self.declaration_rest(head, start)?))))
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
            let outer = (std::mem::take(&mut parser.label_values), std::mem::take(&mut parser.reads_arguments));
            let body = parser.nested(Parser::block)?;
            let label_values = std::mem::replace(&mut parser.label_values, outer.0);
            let reads_arguments = std::mem::replace(&mut parser.reads_arguments, outer.1);
            Ok(FunctionDefinition { head, old_style, body, label_values, reads_arguments })
        })
    }

    /// A declaration in a function, or a function inside of it.
    pub(super) fn declaration_or_function(&mut self) -> Parse<StmtKind<'t>> {
        let start = self.peek().span;
        let specifiers = self.specifiers()?;
        if self.eat(";") {
            let span = self.span_from(start);
            return Ok(StmtKind::Declaration(Declaration { specifiers, declarators: Vec::new(), span }));
        }
        let declarator = self.named_declarator()?;
        let is_function = matches!(declarator.derived.last(), Some(Derived::Function(_)));
        let head = TypeName { specifiers, declarator };
        if is_function && self.is("{") {
            return Ok(StmtKind::Function(Box::new(self.function(head)?)));
        }
        Ok(StmtKind::Declaration(self.declaration_rest(head, start)?))
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
        self.declaration_rest(TypeName { specifiers, declarator }, start)
    }

    fn named_declarator(&mut self) -> Parse<Declarator<'t>> {
        let declarator = self.declarator()?;
        if declarator.name.is_none() { self.unexpected("a name") } else { Ok(declarator) }
    }

    /// From behind the first declarator.
    fn declaration_rest(&mut self, head: TypeName<'t>, start: Span) -> Parse<Declaration<'t>> {
        let TypeName { specifiers, mut declarator } = head;
        let is_type = specifiers.storage == Some(StorageClass::Typedef);
        let mut declarators = Vec::new();
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
        self.expect(";")?;
        Ok(Declaration { specifiers, declarators, span: self.span_from(start) })
    }

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
        let declarator = self.nested(|parser| parser.declarator_with(&mut attributes))?;
        Ok(Declarator { attributes, ..declarator })
    }

    /// Its attributes go where those of the declarator around it go.
    fn declarator_with(&mut self, attributes: &mut Attributes<'t>) -> Parse<Declarator<'t>> {
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
                self.parenthesised(|parser| parser.nested(|parser| parser.declarator_with(attributes)))?;
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
        if derived.len() as u32 > DEEPEST / 4 {
            return too_deep(span);
        }
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
