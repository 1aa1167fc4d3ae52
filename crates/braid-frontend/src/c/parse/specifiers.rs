//! Declaration specifiers: storage, qualifiers, and the words that name a type.

use super::*;

const OTHER_FLOAT: &str = "a floating type other than `float`, `double` and `long double`";

impl<'t> Parser<'_, 't> {
    /// Whether a type name starts with the token.
    pub(super) fn starts_type(&self, token: Token<'t>) -> bool {
        token.kind == TokenKind::Word
            && match token.text {
                "struct" | "union" | "enum" | "typeof" | "__typeof__" | "__typeof" | "__auto_type"
                | "__attribute__" | "__attribute" | "_Alignas" | "_BitInt" => true,
                word if self.is_newer(word) => true,
                word => !basic(word).is_empty() || qualifier(word, &mut plain(Type::Void)) || self.is_type_name(word),
            }
    }

    /// Is it a word that C has since 2023, and no name of the program's own?
    fn is_newer(&self, word: &str) -> bool {
        let is_in_front = word != "constexpr" || self.peek_ahead(1).kind == TokenKind::Word;
        matches!(word, "bool" | "typeof_unqual" | "constexpr") && is_in_front && !self.is_name_declared(word)
    }

    /// Whether a declaration starts with the next token. `__attribute__((fallthrough));` and its like declare nothing.
    pub(super) fn starts_declaration(&self) -> bool {
        let token = self.peek();
        match token.text {
            "[" => self.is_double_bracket(),
            "typedef" | "extern" | "static" | "auto" | "register" | "inline" | "__inline" | "__inline__"
            | "_Noreturn" | "_Thread_local" | "__thread" | "_Static_assert" => true,
            _ => self.starts_type(token),
        }
    }

    /// Reads as many specifiers as there are.
    pub(super) fn specifiers(&mut self) -> Parse<Specifiers<'t>> {
        let start = self.peek().span;
        let first = self.at;
        let mut storage = None;
        let mut thread_local = false;
        let mut qualifiers = plain(Type::Void);
        let mut attributes = Attributes::default();
        let mut words = Vec::new();
        let mut base = None;
        loop {
            let token = self.peek();
            let is_open = base.is_none() && words.is_empty();
            match token.text {
                "[" if self.is_double_bracket() => self.attributes(&mut attributes)?,
                _ if token.kind != TokenKind::Word => break,
                "__attribute__" | "__attribute" | "_Alignas" => self.attributes(&mut attributes)?,
                "_Atomic" if self.peek_ahead(1).text == "(" && is_open => {
                    self.advance();
                    let name = self.parenthesised(|parser| parser.nested(Parser::type_name))?;
                    base = Some(Base::Atomic(Box::new(name)));
                }
                "_Static_assert" if self.at == first => base = Some(self.static_assert()?),
                "struct" | "union" if is_open => base = Some(Base::Record(Box::new(self.nested(Parser::record)?))),
                "enum" if is_open => base = Some(Base::Enum(Box::new(self.nested(Parser::enumeration)?))),
                "typeof" | "__typeof__" | "__typeof" if is_open => {
                    self.advance();
                    base = Some(Base::TypeOf(self.parenthesised(|parser| parser.typed(Parser::expression))?));
                }
                "typeof_unqual" if is_open && self.is_newer("typeof_unqual") => {
                    self.advance();
                    base = Some(Base::Unqualified(self.parenthesised(|parser| parser.typed(Parser::expression))?));
                }
                "_BitInt" => {
                    self.advance();
                    self.parenthesised(Parser::conditional)?;
                    base = Some(Base::Unsupported("an integer of any width (`_BitInt`)"));
                }
                text => {
                    match text {
                        "bool" if is_open && self.is_newer("bool") => words.push("_Bool"),
                        "constexpr" if self.is_newer("constexpr") => qualifiers.constant = true,
                        "typedef" => storage = Some(StorageClass::Typedef),
                        "extern" => storage = Some(StorageClass::Extern),
                        "static" => storage = Some(StorageClass::Static),
                        "auto" | "register" => storage = storage.or(Some(StorageClass::Automatic)),
                        "_Thread_local" | "__thread" => thread_local = true,
                        "inline" | "__inline" | "__inline__" => {}
                        "_Noreturn" => attributes.function.noreturn = true,
                        "__auto_type" if is_open => base = Some(Base::Auto),
                        _ if qualifier(text, &mut qualifiers) => {}
                        _ if base.is_none() && !basic(text).is_empty() => words.extend(basic(text).split(' ')),
                        _ if is_open && self.is_type_name(text) => {
                            base = Some(Base::Typedef(token));
                        }
                        _ => break,
                    }
                    self.advance();
                }
            }
        }
        let span = if self.at == first { start } else { self.span_from(start) };
        let Some(base) = base.or_else(|| basic_type(words, self.model)) else {
            return reject(span, "these words do not make a type");
        };
        Ok(Specifiers { storage, thread_local, qualifiers, base, attributes, span })
    }

    /// At least one specifier.
    pub(super) fn some_specifiers(&mut self, expected: &str) -> Parse<Specifiers<'t>> {
        let first = self.at;
        let specifiers = self.specifiers()?;
        if self.at == first { self.unexpected(expected) } else { Ok(specifiers) }
    }

    /// A type name, or an expression of the given form.
    pub(super) fn typed(&mut self, expr: fn(&mut Self) -> Parse<Expr<'t>>) -> Parse<Typed<'t>> {
        if self.starts_type(self.peek()) {
            return Ok(Typed::Type(Box::new(self.nested(Parser::type_name)?)));
        }
        Ok(Typed::Expr(Box::new(expr(self)?)))
    }

    /// The head of a record or an enumeration.
    fn tag(&mut self) -> Parse<(Option<Name<'t>>, Attributes<'t>)> {
        self.advance();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        Ok((if self.is("{") { None } else { Some(self.name()?) }, attributes))
    }

    fn record(&mut self) -> Parse<RecordSpecifier<'t>> {
        let Token { text, span: start, .. } = self.peek();
        let (tag, mut attributes) = self.tag()?;
        let (mut fields, mut pack) = (None, 0);
        if self.eat("{") {
            let mut list = Vec::new();
            while !self.is("}") {
                list.extend(self.field_declaration()?);
            }
            pack = self.advance().pack;
            fields = Some(list);
            self.attributes(&mut attributes)?;
        }
        let span = tag.map_or(start, |tag| join(start, tag.span));
        Ok(RecordSpecifier { is_union: text == "union", tag, fields, attributes, pack, span })
    }

    fn field_declaration(&mut self) -> Parse<Option<FieldDeclaration<'t>>> {
        if self.eat(";") {
            return Ok(None);
        }
        let specifiers = self.some_specifiers("a type")?;
        let mut declarators = Vec::new();
        while !self.is(";") && !self.is("}") {
            let mut declarator = self.declarator()?;
            let width = if self.eat(":") { Some(self.conditional()?) } else { None };
            self.attributes(&mut declarator.attributes)?;
            declarators.push((declarator, width));
            if !self.eat(",") {
                break;
            }
        }
        // GCC's plan9 extension aside, a tagged record without a name declares no field.
        if declarators.is_empty() && matches!(&specifiers.base, Base::Record(inner) if inner.tag.is_none()) {
            declarators.push((Declarator::unnamed(specifiers.span), None));
        }
        // GCC only warns if the last one has no `;`.
        if !self.is("}") {
            self.expect(";")?;
        }
        Ok(Some((specifiers, declarators)))
    }

    /// The `;` behind it belongs to it, and is left to whoever reads declarations.
    fn static_assert(&mut self) -> Parse<Base<'t>> {
        let start = self.advance().span;
        let (condition, message) = self.parenthesised(|parser| {
            let condition = parser.conditional()?;
            let message = if parser.eat(",") { parser.some_strings("a string")? } else { Vec::new() };
            Ok((condition, message))
        })?;
        if !self.is(";") {
            return self.unexpected("`;`");
        }
        Ok(Base::StaticAssert(Box::new(condition), message, join(start, self.peek().span)))
    }

    fn enumeration(&mut self) -> Parse<EnumSpecifier<'t>> {
        let (tag, mut attributes) = self.tag()?;
        let mut constants = None;
        if self.eat("{") {
            constants = Some(self.list("}", |parser| {
                let name = parser.name()?;
                parser.harmless_attributes()?;
                let value = if parser.eat("=") { Some(parser.conditional()?) } else { None };
                parser.declare(name.text, false);
                Ok((name, value))
            })?);
            self.attributes(&mut attributes)?;
        }
        Ok(EnumSpecifier { tag, constants, attributes })
    }
}

/// Notes a qualifier; `restrict` says nothing about what a program does.
pub(super) fn qualifier(text: &str, qualifiers: &mut Qualified) -> bool {
    match text {
        "const" | "__const" | "__const__" => qualifiers.constant = true,
        "volatile" | "__volatile" | "__volatile__" => qualifiers.volatile = true,
        "_Atomic" => qualifiers.atomic = true,
        "restrict" | "__restrict" | "__restrict__" => {}
        _ => return false,
    }
    true
}

/// The plain spelling of a word for a basic type, or of two; empty for other words.
fn basic(text: &str) -> &str {
    match text {
        "void" | "_Bool" | "char" | "short" | "int" | "long" | "__int128" | "unsigned" | "_Float64x" => text,
        "signed" | "__signed__" | "__signed" => "signed",
        "__int128_t" => "__int128 signed",
        "__uint128_t" => "__int128 unsigned",
        "float" | "_Float32" => "float",
        "double" | "_Float64" | "_Float32x" => "double",
        "_Float16" | "_Float128" | "__float128" | "_Decimal32" | "_Decimal64" | "_Decimal128" => "_Float16",
        "_Complex" | "__complex__" | "__complex" => "_Complex",
        _ => "",
    }
}

/// The type that basic words name together, in any order.
fn basic_type<'t>(mut words: Vec<&str>, model: DataModel) -> Option<Base<'t>> {
    let is_sign = |word: &&str| matches!(*word, "signed" | "unsigned");
    let signed = words.iter().rev().find(|word| is_sign(word)).map(|word| *word == "signed");
    words.retain(|word| !is_sign(word));
    words.sort_unstable();
    let int = |rank| types::integer(model, rank, signed.unwrap_or(true));
    Some(Base::Basic(match (words.as_slice(), signed) {
        (words, _) if words.contains(&"_Complex") => return Some(Base::Unsupported("a complex number")),
        ([] | ["int"], _) => int(3),
        (["char"], _) => int(u8::from(signed != Some(true))),
        (["short"] | ["int", "short"], _) => int(2),
        (["long"] | ["int", "long"], _) => int(4),
        (["long", "long"] | ["int", "long", "long"], _) => int(5),
        (["__int128"] | ["__int128", "int"], _) => int(6),
        (["void"], None) => Type::Void,
        (["_Bool"], None) => Type::Bool,
        (["float"], None) => Type::Float { bits: 32 },
        (["double"], None) => types::DOUBLE,
        (["_Float16"], None) => return Some(Base::Unsupported(OTHER_FLOAT)),
        (["_Float64x"] | ["double", "long"], None) => types::long_double(model),
        _ => return None,
    }))
}
