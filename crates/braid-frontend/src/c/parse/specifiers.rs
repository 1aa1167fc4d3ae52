//! Declaration specifiers: storage, qualifiers, and the words that name a type.

use super::{Parse, Parser, join};
use crate::Diagnostic;
use crate::c::lex::{Token, TokenKind};
use crate::c::syntax::{
    Attributes, Base, EnumSpecifier, FieldDeclaration, FieldDeclarator, Name, Qualifiers, RecordSpecifier, Specifiers,
    StorageClass,
};

/// The basic type words of one list of specifiers, counted.
#[derive(Default)]
struct Words {
    void: bool,
    boolean: bool,
    char: bool,
    short: bool,
    int: bool,
    long: u8,
    int128: bool,
    signed: Option<bool>,
    /// Bits, by [`Base::Float`].
    float: Option<u32>,
    complex: bool,
    any: bool,
}

impl<'t> Parser<'_, 't> {
    /// Whether a type name starts with the token.
    pub(super) fn starts_type(&self, token: Token<'t>) -> bool {
        if token.kind != TokenKind::Word {
            return false;
        }
        match token.text {
            "void" | "_Bool" | "char" | "short" | "int" | "long" | "float" | "double" | "signed" | "unsigned"
            | "__signed__" | "__signed" | "_Complex" | "__complex__" | "__complex" | "struct" | "union" | "enum"
            | "const" | "volatile" | "restrict" | "_Atomic" | "__const" | "__const__" | "__volatile"
            | "__volatile__" | "__restrict" | "__restrict__" | "typeof" | "__typeof__" | "__typeof" | "__auto_type"
            | "__int128" | "__int128_t" | "__uint128_t" | "_Float16" | "_Float32" | "_Float64" | "_Float128"
            | "_Float32x" | "_Float64x" | "__float128" | "_Decimal32" | "_Decimal64" | "_Decimal128"
            | "__attribute__" | "__attribute" | "_Alignas" => true,
            word => self.is_type_name(word),
        }
    }

    /// Whether a declaration starts with the next token.
    pub(super) fn starts_declaration(&self) -> bool {
        let token = self.peek();
        if token.kind != TokenKind::Word {
            return self.is_double_bracket() && !self.is_attribute_statement();
        }
        match token.text {
            "typedef" | "extern" | "static" | "auto" | "register" | "inline" | "__inline" | "__inline__"
            | "_Noreturn" | "_Thread_local" | "__thread" => true,
            "__attribute__" | "__attribute" => !self.is_attribute_statement(),
            _ => self.starts_type(token),
        }
    }

    /// Reads as many specifiers as there are.
    pub(super) fn specifiers(&mut self) -> Parse<Specifiers<'t>> {
        let start = self.peek().span;
        let first = self.at;
        let mut storage = None;
        let mut thread_local = false;
        let mut qualifiers = Qualifiers::default();
        let mut attributes = Attributes::default();
        let mut words = Words::default();
        let mut base = None;
        loop {
            let token = self.peek();
            if self.is_double_bracket() {
                self.attributes(&mut attributes)?;
                continue;
            }
            if token.kind != TokenKind::Word {
                break;
            }
            match token.text {
                "typedef" => storage = Some(StorageClass::Typedef),
                "extern" => storage = Some(StorageClass::Extern),
                "static" => storage = Some(StorageClass::Static),
                "auto" | "register" => storage = storage.or(Some(StorageClass::Automatic)),
                "_Thread_local" | "__thread" => thread_local = true,
                "inline" | "__inline" | "__inline__" => {}
                "_Noreturn" => attributes.function.noreturn = true,
                "_Atomic" if self.peek_ahead(1).text == "(" && base.is_none() && !words.any => {
                    base = Some(self.atomic_specifier()?);
                    continue;
                }
                "__attribute__" | "__attribute" | "_Alignas" => {
                    self.attributes(&mut attributes)?;
                    continue;
                }
                "struct" | "union" if base.is_none() && !words.any => {
                    base = Some(Base::Record(Box::new(self.nested(Parser::record)?)));
                    continue;
                }
                "enum" if base.is_none() && !words.any => {
                    base = Some(Base::Enum(Box::new(self.nested(Parser::enumeration)?)));
                    continue;
                }
                "typeof" | "__typeof__" | "__typeof" if base.is_none() && !words.any => {
                    base = Some(self.type_of()?);
                    continue;
                }
                "__auto_type" if base.is_none() && !words.any => base = Some(Base::Auto),
                text if qualifier(text, &mut qualifiers) => {}
                text if base.is_none() && words.read(text) => {}
                text if base.is_none() && !words.any && self.is_type_name(text) => {
                    base = Some(Base::Typedef(Name { text, span: token.span }));
                }
                _ => break,
            }
            self.advance();
        }
        let span = if self.at == first { start } else { self.span_from(start) };
        let base = match base {
            Some(base) => base,
            None => words.base().map_err(|message| Box::new(Diagnostic::new(span, message)))?,
        };
        Ok(Specifiers { storage, thread_local, qualifiers, base, attributes, span })
    }

    fn atomic_specifier(&mut self) -> Parse<Base<'t>> {
        self.advance();
        self.expect("(")?;
        let name = self.nested(Parser::type_name)?;
        self.expect(")")?;
        Ok(Base::Atomic(Box::new(name)))
    }

    fn type_of(&mut self) -> Parse<Base<'t>> {
        self.advance();
        self.expect("(")?;
        let base = if self.starts_type(self.peek()) {
            Base::TypeOfType(Box::new(self.nested(Parser::type_name)?))
        } else {
            Base::TypeOf(Box::new(self.expression()?))
        };
        self.expect(")")?;
        Ok(base)
    }

    fn record(&mut self) -> Parse<RecordSpecifier<'t>> {
        let start = self.peek().span;
        let is_union = self.advance().text == "union";
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = if self.is("{") { None } else { Some(self.name()?) };
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
        Ok(RecordSpecifier { is_union, tag, fields, attributes, pack, span })
    }

    fn field_declaration(&mut self) -> Parse<Option<FieldDeclaration<'t>>> {
        if self.eat(";") {
            return Ok(None);
        }
        if self.is("_Static_assert") {
            return Ok(Some(FieldDeclaration::StaticAssert(self.static_assert()?)));
        }
        let first = self.at;
        let specifiers = self.specifiers()?;
        if self.at == first {
            return self.unexpected("a type");
        }
        let mut declarators = Vec::new();
        while !self.is(";") && !self.is("}") {
            let declarator = self.declarator()?;
            let width = if self.eat(":") { Some(self.conditional()?) } else { None };
            let mut declarator = declarator;
            self.attributes(&mut declarator.attributes)?;
            declarators.push(FieldDeclarator { declarator, width });
            if !self.eat(",") {
                break;
            }
        }
        // GCC only warns if the last one has no `;`.
        if !self.is("}") {
            self.expect(";")?;
        }
        Ok(Some(FieldDeclaration::Fields(specifiers, declarators)))
    }

    fn enumeration(&mut self) -> Parse<EnumSpecifier<'t>> {
        self.advance();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = if self.is("{") { None } else { Some(self.name()?) };
        let mut constants = None;
        if self.eat("{") {
            let mut list = Vec::new();
            while !self.eat("}") {
                let name = self.name()?;
                self.harmless_attributes()?;
                let value = if self.eat("=") { Some(self.conditional()?) } else { None };
                self.declare(name.text, false);
                list.push((name, value));
                if !self.eat(",") {
                    self.expect("}")?;
                    break;
                }
            }
            constants = Some(list);
            self.attributes(&mut attributes)?;
        }
        Ok(EnumSpecifier { tag, constants, attributes })
    }
}

/// Notes a qualifier; `restrict` says nothing about what a program does.
pub(super) fn qualifier(text: &str, qualifiers: &mut Qualifiers) -> bool {
    match text {
        "const" | "__const" | "__const__" => qualifiers.constant = true,
        "volatile" | "__volatile" | "__volatile__" => qualifiers.volatile = true,
        "_Atomic" => qualifiers.atomic = true,
        "restrict" | "__restrict" | "__restrict__" => {}
        _ => return false,
    }
    true
}

impl Words {
    fn read(&mut self, text: &str) -> bool {
        match text {
            "void" => self.void = true,
            "_Bool" => self.boolean = true,
            "char" => self.char = true,
            "short" => self.short = true,
            "int" => self.int = true,
            "long" => self.long += 1,
            "__int128" => self.int128 = true,
            "__int128_t" | "__uint128_t" => {
                self.int128 = true;
                self.signed = Some(text == "__int128_t");
            }
            "signed" | "__signed__" | "__signed" => self.signed = Some(true),
            "unsigned" => self.signed = Some(false),
            "float" | "_Float32" => self.float = Some(32),
            "double" | "_Float64" | "_Float32x" => self.float = Some(64),
            "_Float16" | "_Float128" | "__float128" | "_Decimal32" | "_Decimal64" | "_Decimal128" => {
                self.float = Some(crate::c::syntax::UNKNOWN_FLOAT)
            }
            "_Float64x" => self.float = Some(0),
            "_Complex" | "__complex__" | "__complex" => self.complex = true,
            _ => return false,
        }
        self.any = true;
        true
    }

    fn base<'t>(&self) -> Result<Base<'t>, &'static str> {
        let sizes = [self.char, self.short, self.long > 0, self.int128].into_iter().filter(|&size| size).count();
        let is_integer = sizes > 0 || self.int || self.signed.is_some();
        let kinds = [self.void, self.boolean, self.float.is_some(), is_integer].into_iter().filter(|&kind| kind);
        let is_long_double = self.float == Some(64) && self.long == 1 && sizes == 1 && !self.int;
        if self.complex {
            return Ok(Base::Unsupported("a complex number"));
        }
        if is_long_double && self.signed.is_none() {
            return Ok(Base::Float(0));
        }
        if kinds.count() > 1 || sizes > 1 || self.long > 2 || (self.char && self.int) {
            return Err("these words do not make a type");
        }
        Ok(match self.float {
            Some(bits) => Base::Float(bits),
            None if self.void => Base::Void,
            None if self.boolean => Base::Bool,
            None if self.char => Base::Int { rank: u8::from(self.signed != Some(true)), signed: self.signed },
            None if self.short => Base::Int { rank: 2, signed: self.signed },
            None if self.int128 => Base::Int { rank: 6, signed: self.signed },
            None if self.long > 0 => Base::Int { rank: 3 + self.long, signed: self.signed },
            None if is_integer => Base::Int { rank: 3, signed: self.signed },
            None => Base::Missing,
        })
    }
}
