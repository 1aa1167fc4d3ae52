//! Formats of `printf` and its family, taken apart: what a call writes, and how much, is a chain of calls of the prelude (`format.c`), one for
//! each piece. *Invariant*: all arguments are evaluated, once and in order, before anything is written.

use super::expressions::int;
use super::types::{CHAR, INT, plain, pointer_bits, size_type};
use super::{Check, Checker};
use crate::c::translate::walk;
use crate::c::tree::{Callee, Expr, ExprKind, PlaceKind, Type, uncast};
use braid_program::source::Span;
use std::collections::VecDeque;

/// Which arguments of a function are the place that is written to, its size, and the format.
struct Shape {
    to: Option<usize>,
    size: Option<usize>,
    format: usize,
}

/// A piece of a format.
enum Piece {
    Text(Vec<u8>),
    /// What the prelude calls it, flags, and where width and precision come from.
    Value {
        name: &'static str,
        flags: i128,
        width: Number,
        precision: Number,
        signed: Option<u32>,
    },
}

#[derive(Clone, Copy)]
enum Number {
    Known(i128),
    /// `*`: the next argument.
    Given,
}

fn shape(name: &str) -> Option<Shape> {
    let shape = |to, size, format| Some(Shape { to, size, format });
    match name.strip_prefix("__builtin_").unwrap_or(name) {
        "sprintf" => shape(Some(0), None, 1),
        "snprintf" => shape(Some(0), Some(1), 2),
        "__sprintf_chk" | "___sprintf_chk" => shape(Some(0), None, 3),
        "__snprintf_chk" | "___snprintf_chk" => shape(Some(0), Some(1), 4),
        "printf" => shape(None, None, 0),
        "fprintf" | "dprintf" | "__printf_chk" => shape(None, None, 1),
        "__fprintf_chk" => shape(None, None, 2),
        _ => None,
    }
}

impl Checker<'_> {
    /// What a call writes; none where nobody can tell a difference, where it is not one of the family, or where the format is not
    /// understood.
    pub(super) fn printed(&mut self, name: &str, arguments: &[Expr], span: Span) -> Check<Option<Expr>> {
        let Some(shape) = shape(name) else { return Ok(None) };
        if shape.to.is_none() && self.discarded == Some(span) || arguments.len() <= shape.format {
            return Ok(None);
        }
        let ExprKind::String(format) = uncast(&arguments[shape.format]).kind else { return Ok(None) };
        // The format ends at the first zero.
        let format = self.strings[format as usize].split(|&byte| byte == 0).next().unwrap_or_default();
        let Some(pieces) = pieces(format, pointer_bits(self.model)) else { return Ok(None) };
        let mut first: Vec<Expr> = Vec::new();
        let word = size_type(self.model);
        let to = match shape.to {
            Some(to) => self.settled(arguments[to].clone(), &mut first)?,
            None => int(0, Type::Pointer(Box::new(plain(CHAR))), span),
        };
        let size = match (shape.size, shape.to) {
            (Some(size), _) => self.settled(arguments[size].clone(), &mut first)?,
            (None, Some(_)) => int(i128::from(i32::MAX), word.clone(), span),
            (None, None) => int(0, word.clone(), span),
        };
        let mut values: VecDeque<Expr> = VecDeque::new();
        for argument in &arguments[shape.format + 1..] {
            values.push_back(self.settled(argument.clone(), &mut first)?);
        }
        let mut at = int(0, word, span);
        for piece in pieces {
            at = match piece {
                Piece::Text(text) => {
                    let length = int(text.len() as i128, INT, span);
                    let id = self.string_number(text);
                    let ty = Type::Pointer(Box::new(plain(CHAR)));
                    let text = Expr { kind: ExprKind::String(id), ty, span };
                    self.prelude_call("__put_text", vec![to.clone(), size.clone(), at, text, length], span)?
                }
                Piece::Value { name, flags, width, precision, signed } => {
                    let mut number = |number: Number| match number {
                        Number::Known(known) => Some(int(known, INT, span)),
                        Number::Given => values.pop_front(),
                    };
                    let (width, precision) = (number(width), number(precision));
                    let (Some(width), Some(precision), Some(value)) = (width, precision, values.pop_front()) else {
                        return self.error(span, "the format asks for more arguments than there are");
                    };
                    // Numbers are read in the type that the format says.
                    let value = match signed {
                        Some(bits) => {
                            let signed = name == "__put_signed";
                            self.cast(value, &Type::Int { bits, signed, rank: 3 })
                        }
                        None => value,
                    };
                    let flags = int(flags, INT, span);
                    let given = vec![to.clone(), size.clone(), at, value, width, precision, flags];
                    self.prelude_call(name, given, span)?
                }
            };
        }
        let end = self.prelude_call("__put_end", vec![to, size, at], span)?;
        Ok(Some(first.into_iter().rev().fold(end, |rest, first| {
            let ty = rest.ty.clone();
            Expr { kind: ExprKind::Comma(Box::new(first), Box::new(rest)), ty, span }
        })))
    }

    /// A value that stays what it is: a constant, the address of a variable, or what is put into a variable first.
    fn settled(&mut self, value: Expr, first: &mut Vec<Expr>) -> Check<Expr> {
        let is_fixed = match &uncast(&value).kind {
            ExprKind::Int(_) | ExprKind::String(_) => true,
            ExprKind::AddressOf(place) => walk::root(place).is_some() && !matches!(place.kind, PlaceKind::Element(..)),
            _ => false,
        };
        if is_fixed {
            return Ok(value);
        }
        let span = value.span;
        let id = self.new_local("printed", plain(value.ty.clone()), span);
        let place = self.variable_place(id, span);
        first.push(self.assign(place, value, span)?);
        Ok(self.variable_value(id, span))
    }

    /// A call of a function of the prelude.
    pub(super) fn prelude_call(&mut self, name: &'static str, arguments: Vec<Expr>, span: Span) -> Check<Expr> {
        let Some(model) = self.of_the_library(name) else { return self.unsupported(span, "this call") };
        let signature = self.functions[model].ty.clone();
        let mut values = Vec::with_capacity(arguments.len());
        for (argument, parameter) in arguments.into_iter().zip(&signature.parameters) {
            values.push(self.cast(argument, parameter));
        }
        let (ty, id) = (signature.result.clone(), self.instance(model, signature, span));
        Ok(Expr { kind: ExprKind::Call(Callee::Direct(id), values), ty, span })
    }
}

/// The pieces of a format; none where it is not understood.
fn pieces(format: &[u8], long: u32) -> Option<Vec<Piece>> {
    let (mut pieces, mut text, mut rest) = (Vec::new(), Vec::new(), format);
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'%' {
            text.push(byte);
        } else if let Some(behind) = rest.strip_prefix(b"%") {
            text.push(b'%');
            rest = behind;
        } else {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            let (piece, behind) = conversion(rest, long)?;
            pieces.push(piece);
            rest = behind;
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Some(pieces)
}

/// A conversion behind `%`, and what comes behind it.
fn conversion(text: &[u8], long: u32) -> Option<(Piece, &[u8])> {
    const FLAGS: &[u8] = b"-0+ #";
    let mut rest = text;
    let mut flags = 0;
    while let Some(flag) = rest.first().and_then(|byte| FLAGS.iter().position(|flag| flag == byte)) {
        flags |= 1 << flag;
        rest = &rest[1..];
    }
    let number = |rest: &mut &[u8]| {
        if let Some(behind) = rest.strip_prefix(b"*") {
            *rest = behind;
            return Some(Number::Given);
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (known, behind) = rest.split_at(digits);
        *rest = behind;
        std::str::from_utf8(known).ok()?.parse().ok().map(Number::Known)
    };
    let width = number(&mut rest).unwrap_or(Number::Known(0));
    let precision = match rest.strip_prefix(b".") {
        Some(behind) => {
            rest = behind;
            number(&mut rest).unwrap_or(Number::Known(0))
        }
        None => Number::Known(-1),
    };
    let modifiers = rest.iter().take_while(|byte| b"hljztL".contains(byte)).count();
    let (modifier, behind) = rest.split_at(modifiers);
    let (&letter, rest) = behind.split_first()?;
    let bits = match modifier {
        b"" => 32,
        b"h" => 16,
        b"hh" => 8,
        b"l" | b"z" | b"t" => long,
        b"ll" | b"j" => 64,
        _ => return None,
    };
    const UPPER: i128 = 32;
    let (name, signed, more) = match letter {
        b'd' | b'i' => ("__put_signed", Some(bits), 0),
        b'u' => ("__put_unsigned", Some(bits), 0),
        b'o' => ("__put_octal", Some(bits), 0),
        b'x' => ("__put_hex", Some(bits), 0),
        b'X' => ("__put_hex", Some(bits), UPPER),
        b'c' if modifier.is_empty() => ("__put_char", None, 0),
        b's' if modifier.is_empty() => ("__put_string", None, 0),
        _ => return None,
    };
    Some((Piece::Value { name, flags: flags | more, width, precision, signed }, rest))
}
