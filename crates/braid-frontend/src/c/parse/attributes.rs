//! Attributes: GNU's `__attribute__((…))`, `[[…]]`, `_Alignas`, and assembler names.
//!
//! *Invariant*: an attribute is modelled ([`Meaning`]), harmless, or kept as unsupported and reported where the program uses
//! what it belongs to. [`meaning`] is the one table of names; a name that is not there is unsupported.

use super::{Parse, Parser};
use crate::Diagnostic;
use crate::c::lex::TokenKind;
use crate::c::syntax::{Alignment, Attributes, Linkage};
use braid_program::source::Span;

/// What an attribute asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    /// Nothing that an execution shows: advice for optimisers, warnings, linkers and calling conventions.
    Harmless,
    Packed,
    Aligned,
    Constant,
    Pure,
    NoReturn,
    Constructor,
    Destructor,
    TransparentUnion,
    Mode,
    Weak,
    Alias,
    Optimize,
}

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
    no_sanitize no_sanitize_address no_address_safety_analysis no_sanitize_memory no_sanitize_thread \
    no_sanitize_undefined no_split_stack no_stack_limit no_stack_protector stack_protect nodebug noplt \
    patchable_function_entry retain section tls_model used visibility zero_call_used_regs indirect_return";
/// Calling conventions: caller and callee agree.
const CONVENTIONS: &str = "cdecl fastcall force_align_arg_pointer gcc_struct ms_abi nocf_check pcs preserve_most \
    regparm stdcall sysv_abi thiscall";
const HARMLESS: [&str; 4] = [WARNINGS, OPTIMISERS, LINKERS, CONVENTIONS];

/// The table; absent: not supported.
fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "packed" => Meaning::Packed,
        "aligned" => Meaning::Aligned,
        "const" | "unsequenced" => Meaning::Constant,
        "pure" | "reproducible" => Meaning::Pure,
        "noreturn" | "Noreturn" => Meaning::NoReturn,
        "constructor" => Meaning::Constructor,
        "destructor" => Meaning::Destructor,
        "transparent_union" => Meaning::TransparentUnion,
        "mode" => Meaning::Mode,
        "weak" => Meaning::Weak,
        "alias" => Meaning::Alias,
        "optimize" => Meaning::Optimize,
        _ if HARMLESS.iter().any(|names| names.split_whitespace().any(|known| known == name)) => Meaning::Harmless,
        _ => return None,
    })
}

impl<'t> Parser<'_, 't> {
    /// Reads attributes, `_Alignas(…)` and `asm("name")` as long as there are any.
    pub(super) fn attributes(&mut self, attributes: &mut Attributes<'t>) -> Parse<()> {
        loop {
            let token = self.peek();
            match token.text {
                "__attribute__" | "__attribute" if token.kind == TokenKind::Word => {
                    self.advance();
                    self.expect("(")?;
                    self.expect("(")?;
                    self.attribute_list(")", attributes)?;
                    self.expect(")")?;
                }
                "[" if self.is_double_bracket() => {
                    self.advance();
                    self.advance();
                    self.attribute_list("]", attributes)?;
                    self.expect("]")?;
                }
                "_Alignas" => {
                    self.advance();
                    self.expect("(")?;
                    attributes.aligned.push(self.alignment()?);
                    self.expect(")")?;
                }
                "asm" | "__asm__" | "__asm" if self.peek_ahead(1).text == "(" => {
                    self.advance();
                    self.advance();
                    let pieces = self.strings();
                    if pieces.is_empty() {
                        return self.unexpected("a name");
                    }
                    self.expect(")")?;
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
            Some((name, span)) => {
                Err(Box::new(Diagnostic::new(span, format!("the attribute `{name}` is not supported"))))
            }
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

    fn alignment(&mut self) -> Parse<Alignment<'t>> {
        if self.starts_type(self.peek()) {
            return Ok(Alignment::Type(Box::new(self.nested(Parser::type_name)?)));
        }
        Ok(Alignment::Expr(self.conditional()?))
    }

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
        let name = token.text.trim_matches('_');
        match meaning(name) {
            None => attributes.reject(name, token.span),
            Some(Meaning::Harmless) => {}
            Some(Meaning::Packed) => attributes.packed = true,
            Some(Meaning::Aligned) if self.eat("(") => {
                attributes.aligned.push(self.alignment()?);
                self.expect(")")?;
            }
            Some(Meaning::Aligned) => attributes.aligned.push(Alignment::Largest),
            Some(Meaning::Constant) => attributes.function.constant = true,
            Some(Meaning::Pure) => attributes.function.pure = true,
            Some(Meaning::NoReturn) => attributes.function.noreturn = true,
            Some(Meaning::TransparentUnion) => attributes.transparent_union = true,
            Some(Meaning::Weak) => attributes.linkage = attributes.linkage.take().or(Some((Linkage::Weak, token.span))),
            Some(Meaning::Destructor) => attributes.destructor = Some(token.span),
            Some(Meaning::Alias) => {
                self.expect("(")?;
                attributes.linkage = Some((Linkage::Alias(self.strings()), token.span));
                self.expect(")")?;
            }
            Some(Meaning::Constructor) => self.constructor(token.span, attributes)?,
            Some(Meaning::Mode) => {
                self.expect("(")?;
                let mode = self.advance();
                attributes.mode = Some((mode.text.trim_matches('_'), mode.span));
                self.expect(")")?;
            }
            Some(Meaning::Optimize) => {
                // Levels change nothing; other options can change what the program means.
                let option = self.peek_ahead(1).text.trim_matches('"').trim_start_matches('-').trim_start_matches('f');
                let is_level = option.trim_start_matches('O').chars().all(|c| c.is_ascii_digit() || c == 's');
                if !is_level && option != "no-strict-aliasing" {
                    attributes.reject(name, token.span);
                }
            }
        }
        if self.is("(") {
            self.skip_parentheses()?;
        }
        Ok(())
    }

    /// `constructor(priority)`; without a number it runs last.
    fn constructor(&mut self, span: Span, attributes: &mut Attributes<'t>) -> Parse<()> {
        let mut priority = 65_535;
        if self.eat("(") {
            match self.advance().text.parse() {
                Ok(number) => priority = number,
                Err(_) => attributes.reject("constructor", span),
            }
            self.expect(")")?;
        }
        attributes.constructor = Some(priority);
        Ok(())
    }

    /// Goes behind the parenthesis that closes the one at hand.
    fn skip_parentheses(&mut self) -> Parse<Span> {
        let mut depth = 0_usize;
        loop {
            let token = self.peek();
            match (token.kind, token.text) {
                (TokenKind::End, _) => return self.unexpected("`)`"),
                (TokenKind::Mark, "(") => depth += 1,
                (TokenKind::Mark, ")") => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return Ok(token.span);
            }
        }
    }
}
