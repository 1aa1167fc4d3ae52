//! Attributes: GNU's `__attribute__((…))`, `[[…]]`, `_Alignas`, and assembler names.
//!
//! *Invariant*: an attribute is modelled, harmless, or kept as unsupported and reported where the program uses what it belongs
//! to. A name that nothing here knows is unsupported.

use super::*;

/// Warnings and documentation.
const WARNINGS: &str = "access deprecated unavailable error warning format format_arg nonnull returns_nonnull \
    nonstring sentinel warn_unused_result nodiscard unused maybe_unused fallthrough designated_init fd_arg \
    fd_arg_read fd_arg_write null_terminated_string_arg tainted_args no_dangling warn_if_not_aligned annotate \
    analyzer_noreturn abi_tag diagnose_if enum_extensibility flag_enum";
/// Optimisers: the program means the same with and without. What returns twice is known by its name.
const OPTIMISERS: &str = "alloc_align alloc_size always_inline artificial assume_aligned cold flatten gnu_inline \
    hot leaf malloc may_alias noclone noinline noipa no_icf no_reorder nothrow simd target target_clones counted_by \
    strict_flex_array likely unlikely minsize optnone returns_twice";
/// Linkers, debuggers, instruments.
const LINKERS: &str = "common nocommon externally_visible no_instrument_function no_profile_instrument_function \
    no_sanitize_address no_address_safety_analysis no_sanitize_memory \
    no_sanitize_undefined no_split_stack no_stack_limit no_stack_protector stack_protect nodebug noplt \
    patchable_function_entry retain section tls_model used visibility zero_call_used_regs indirect_return";
/// Calling conventions: caller and callee agree.
const CONVENTIONS: &str = "cdecl fastcall force_align_arg_pointer gcc_struct ms_abi nocf_check pcs preserve_most \
    regparm stdcall sysv_abi thiscall";
/// Nothing that an execution shows.
const HARMLESS: [&str; 4] = [WARNINGS, OPTIMISERS, LINKERS, CONVENTIONS];

/// When constructors without a priority run.
const LAST: u32 = 65_535;

impl<'t> Parser<'_, 't> {
    /// Reads attributes, `_Alignas(…)` and `asm("name")` as long as there are any.
    pub(super) fn attributes(&mut self, attributes: &mut Attributes<'t>) -> Parse<()> {
        loop {
            let token = self.peek();
            match token.text {
                "__attribute__" | "__attribute" => {
                    self.advance();
                    self.parenthesised(|parser| {
                        parser.expect("(")?;
                        parser.attribute_list(")", attributes)
                    })?;
                }
                "[" if self.is_double_bracket() => {
                    self.advance();
                    self.advance();
                    self.attribute_list("]", attributes)?;
                    self.expect("]")?;
                }
                "_Alignas" => {
                    self.advance();
                    attributes.aligned.push(Some(self.alignment()?));
                }
                "asm" | "__asm__" | "__asm" if self.peek_ahead(1).text == "(" => {
                    self.advance();
                    let pieces = self.parenthesised(|parser| parser.some_strings("a name"))?;
                    attributes.linkage = Some((Linkage::Name(pieces), token.span));
                }
                _ => return Ok(()),
            }
        }
    }

    /// Attributes of a statement, a label or a constant, none of which may mean anything.
    pub(super) fn harmless_attributes(&mut self) -> Parse<()> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        match attributes.unsupported {
            None => Ok(()),
            Some((name, span)) => reject(span, format!("the attribute `{name}` is not supported")),
        }
    }

    /// Whether `[[` opens attributes here.
    pub(super) fn is_double_bracket(&self) -> bool {
        self.is("[") && self.peek_ahead(1).text == "["
    }

    /// Up to and with what closes the list.
    fn attribute_list(&mut self, end: &str, attributes: &mut Attributes<'t>) -> Parse<()> {
        while !self.eat(end) {
            self.attribute(attributes)?;
            if !self.is(end) {
                self.expect(",")?;
            }
        }
        Ok(())
    }

    fn alignment(&mut self) -> Parse<Typed<'t>> {
        self.parenthesised(|parser| parser.typed(Parser::conditional))
    }

    /// The one table of names, with what they do.
    fn attribute(&mut self, attributes: &mut Attributes<'t>) -> Parse<()> {
        if self.peek().kind != TokenKind::Word {
            // An empty entry.
            let is_empty = self.is(",") || self.is(")") || self.is("]");
            return if is_empty { Ok(()) } else { self.unexpected("an attribute") };
        }
        let mut token = self.advance();
        if self.is(":") && matches!(token.text, "gnu" | "__gnu__") {
            self.advance();
            self.expect(":")?;
            token = self.advance();
        }
        let (name, span) = (token.text.trim_matches('_'), token.span);
        match name {
            "packed" => attributes.packed = true,
            "aligned" if self.is("(") => attributes.aligned.push(Some(self.alignment()?)),
            "aligned" => attributes.aligned.push(None),
            "const" | "unsequenced" => attributes.function.constant = true,
            "pure" | "reproducible" => attributes.function.pure = true,
            "noreturn" | "Noreturn" => attributes.function.noreturn = true,
            "no_sanitize_thread" => attributes.function.may_race = true,
            "no_sanitize" => attributes.function.may_race |= self.peek_ahead(1).text == "\"thread\"",
            "transparent_union" => attributes.transparent_union = true,
            "weak" => attributes.linkage = attributes.linkage.take().or(Some((Linkage::Weak, span))),
            "alias" => {
                let pieces = self.parenthesised(|parser| Ok(parser.strings()))?;
                attributes.linkage = Some((Linkage::Alias(pieces), span));
            }
            "cleanup" => attributes.cleanup = Some(self.parenthesised(Parser::name)?),
            "constructor" | "destructor" => {
                let priority = match self.is("(") {
                    true => self.parenthesised(|parser| Ok(parser.advance().text.parse()))?,
                    false => Ok(LAST),
                };
                if priority.is_err() {
                    attributes.reject(name, span);
                }
                let priority = Some(priority.unwrap_or(LAST));
                match name {
                    "constructor" => attributes.constructor = priority,
                    _ => attributes.destructor = priority,
                }
            }
            "mode" => {
                let mode = self.parenthesised(|parser| Ok(parser.advance()))?;
                attributes.mode = Some((mode.text.trim_matches('_'), mode.span));
            }
            "optimize" => {
                // Levels change nothing; other options can change what the program means.
                let option = self.peek_ahead(1).text.trim_matches('"').trim_start_matches('-').trim_start_matches('f');
                let is_level = option.trim_start_matches('O').chars().all(|c| c.is_ascii_digit() || c == 's');
                if !is_level && option != "no-strict-aliasing" {
                    attributes.reject(name, span);
                }
            }
            _ if HARMLESS.iter().any(|names| names.split_whitespace().any(|known| known == name)) => {}
            _ => attributes.reject(name, span),
        }
        if self.is("(") { self.skip_parentheses() } else { Ok(()) }
    }

    /// Goes behind the parenthesis that closes the one at hand.
    fn skip_parentheses(&mut self) -> Parse<()> {
        self.advance();
        while !self.eat(")") {
            match self.peek().text {
                "(" => self.nested(Parser::skip_parentheses)?,
                "" => return self.unexpected("`)`"),
                _ => drop(self.advance()),
            }
        }
        Ok(())
    }
}
