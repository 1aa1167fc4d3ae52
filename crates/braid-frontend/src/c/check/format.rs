//! Formats of `printf` and its family, taken apart: what a call writes, and how much, is a chain of calls of the prelude (`format.c`), one for
//! each piece. *Invariant*: all arguments are evaluated, once and in order, before anything is written.

use super::expressions::int;
use super::places::Operand;
use super::types::{CHAR, DOUBLE, INT, plain, pointer_bits, size_type};
use super::variadic::LIST;
use super::{Check, Checker, ResultUse};
use crate::c::translate::walk;
use crate::c::tree::{BinaryOp, Callee, Expr, ExprKind, PlaceKind, Type, uncast};
use braid_program::source::Span;
use std::collections::VecDeque;

/// Which arguments of a function are the place that is written to, its size, and the format.
struct Shape {
    to: To,
    size: Option<usize>,
    format: usize,
    /// Is a list of arguments behind the format, rather than the arguments themselves?
    from_list: bool,
}

/// Where a function writes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    /// Not into memory.
    Nowhere,
    Memory(usize),
    /// To memory that it allocates, whose address goes there.
    Allocated(usize),
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
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = name.trim_start_matches('_');
    let is_checked = plain.ends_with("_chk");
    let plain = plain.strip_suffix("_chk").unwrap_or(plain);
    let from_list = plain.starts_with('v');
    // Checked ones have a flag, and those that write to memory its size, in front of the format.
    let shape = |to, size, format: usize, checks| {
        let format = if is_checked { format + checks } else { format };
        Some(Shape { to, size, format, from_list })
    };
    match plain.strip_prefix('v').unwrap_or(plain) {
        "sprintf" => shape(To::Memory(0), None, 1, 2),
        "snprintf" => shape(To::Memory(0), Some(1), 2, 2),
        "asprintf" => shape(To::Allocated(0), None, 1, 1),
        "printf" => shape(To::Nowhere, None, 0, 1),
        "fprintf" | "dprintf" => shape(To::Nowhere, None, 1, 1),
        _ => None,
    }
}

impl Checker<'_> {
    /// What a call writes; none where nobody can tell a difference, where it is not one of the family, or where the format is not
    /// understood.
    pub(super) fn printed(
        &mut self,
        name: &str,
        arguments: &[Expr],
        result: ResultUse,
        span: Span,
    ) -> Check<Option<Expr>> {
        let Some(shape) = shape(name) else { return Ok(None) };
        if shape.to == To::Nowhere && result == ResultUse::Dropped {
            return Ok(None);
        }
        let Some(pieces) = self.pieces_of(&shape, arguments) else { return Ok(None) };
        let mut first: Vec<Expr> = Vec::new();
        let word = size_type(self.model);
        let mut to = match shape.to {
            To::Memory(to) | To::Allocated(to) => self.settled(arguments[to].clone(), &mut first)?,
            To::Nowhere => int(0, Type::Pointer(Box::new(plain(CHAR))), span),
        };
        let mut size = match (shape.size, shape.to) {
            (Some(size), _) => self.settled(arguments[size].clone(), &mut first)?,
            (None, To::Memory(_)) => int(i128::from(i32::MAX), word.clone(), span),
            (None, _) => int(0, word.clone(), span),
        };
        let mut values: VecDeque<Expr> = VecDeque::new();
        if shape.from_list {
            values = self.values_of_list(&pieces, arguments, &mut first, span)?;
        } else {
            for argument in &arguments[shape.format + 1..] {
                values.push_back(self.settled(argument.clone(), &mut first)?);
            }
        }
        if matches!(shape.to, To::Allocated(_)) {
            let nowhere = int(0, Type::Pointer(Box::new(plain(CHAR))), span);
            let length = self.written(&pieces, (&nowhere, &size), values.clone(), span)?;
            let room = self.binary(BinaryOp::Add, length, int(1, INT, span), span)?;
            size = self.settled(room, &mut first)?;
            let block = self.prelude_call("__put_block", vec![size.clone()], span)?;
            let block = self.settled(block, &mut first)?;
            let target = self.deref(to, span)?;
            let Operand::Place(target) = target else { return self.unsupported(span, "this call") };
            first.push(self.assign(target, block.clone(), span)?);
            to = block;
        }
        let end = self.written(&pieces, (&to, &size), values, span)?;
        Ok(Some(first.into_iter().rev().fold(end, |rest, first| {
            let ty = rest.ty.clone();
            Expr { kind: ExprKind::Comma(Box::new(first), Box::new(rest)), ty, span }
        })))
    }

    /// The pieces of the format of a call; none where it is not understood.
    fn pieces_of(&mut self, shape: &Shape, arguments: &[Expr]) -> Option<Vec<Piece>> {
        let format = arguments.get(shape.format)?;
        let format = match uncast(format).kind {
            ExprKind::String(format) => format,
            _ => self.known_literal(format)?,
        };
        // The format ends at the first zero.
        let format = self.strings[format as usize].split(|&byte| byte == 0).next().unwrap_or_default();
        pieces(format, pointer_bits(self.model))
    }

    /// The arguments of a call whose result nobody uses: the texts among them are read.
    pub(super) fn with_texts_read(&mut self, name: &str, mut arguments: Vec<Expr>, span: Span) -> Check<Vec<Expr>> {
        let Some(shape) = shape(name).filter(|shape| shape.to == To::Nowhere && !shape.from_list) else {
            return Ok(arguments);
        };
        let mut at = shape.format + 1;
        let mut fit = true;
        for piece in self.pieces_of(&shape, &arguments).unwrap_or_default() {
            let Piece::Value { name, width, precision, .. } = piece else { continue };
            at += [width, precision].into_iter().filter(|number| matches!(number, Number::Given)).count();
            fit &= arguments.get(at).is_some_and(|argument| is_printed_by(name, &argument.ty));
            if let ("__put_string", Number::Known(most), Some(text)) = (name, precision, arguments.get(at))
                && !matches!(uncast(text).kind, ExprKind::String(_))
                && text.ty.is_pointer()
            {
                let given = vec![text.clone(), int(most, INT, span)];
                let reader = if self.may_be_argument(text) { "__read_argument" } else { "__read_text" };
                arguments[at] = self.prelude_call(reader, given, span)?;
            }
            at += 1;
        }
        if !fit {
            let format = arguments[shape.format].clone();
            let undefined = self.builtin_call("__builtin_unreachable", span)?;
            let ty = format.ty.clone();
            let kind = ExprKind::Comma(Box::new(undefined), Box::new(format));
            arguments[shape.format] = Expr { kind, ty, span };
        }
        Ok(arguments)
    }

    /// Could a text be one that the program is started with? Arrays of the program's own are none.
    fn may_be_argument(&self, text: &Expr) -> bool {
        let mut is_array = false;
        walk::expression(text, Default::default(), &mut |met, _| {
            if let walk::Met::Place(place) = met {
                is_array |=
                    walk::root(place).is_some_and(|id| matches!(self.variables[id.index()].ty.ty, Type::Array(..)));
            }
        });
        !is_array && self.functions.iter().any(|function| function.name == "main" && !function.ty.parameters.is_empty())
    }

    /// What pieces write with these values, to a place of that size; gives how much it would be.
    fn written(
        &mut self,
        pieces: &[Piece],
        (to, size): (&Expr, &Expr),
        mut values: VecDeque<Expr>,
        span: Span,
    ) -> Check<Expr> {
        let mut at = int(0, size_type(self.model), span);
        for piece in pieces {
            at = match piece {
                Piece::Text(text) => {
                    let length = int(text.len() as i128, INT, span);
                    let text = self.text(text, span);
                    self.prelude_call("__put_text", vec![to.clone(), size.clone(), at, text, length], span)?
                }
                Piece::Value { name, flags, width, precision, signed } => {
                    let mut number = |number: Number| match number {
                        Number::Known(known) => Some(int(known, INT, span)),
                        Number::Given => values.pop_front(),
                    };
                    let (width, precision) = (number(*width), number(*precision));
                    let (Some(width), Some(precision), Some(value)) = (width, precision, values.pop_front()) else {
                        return self.error(span, "the format asks for more arguments than there are");
                    };
                    // Numbers are read in the type that the format says.
                    let value = match *signed {
                        Some(bits) => {
                            let signed = *name == "__put_signed";
                            self.cast(value, &Type::Int { bits, signed, rank: 3 })
                        }
                        None => value,
                    };
                    let flags = int(*flags, INT, span);
                    let given = vec![to.clone(), size.clone(), at, value, width, precision, flags];
                    self.prelude_call(name, given, span)?
                }
            };
        }
        self.prelude_call("__put_end", vec![to.clone(), size.clone(), at], span)
    }

    /// The arguments of a list that a format asks for, in order.
    fn values_of_list(
        &mut self,
        pieces: &[Piece],
        arguments: &[Expr],
        first: &mut Vec<Expr>,
        span: Span,
    ) -> Check<VecDeque<Expr>> {
        let Some(list) = arguments.last() else { return self.unsupported(span, "this call") };
        let own = self.new_local("list", plain(LIST), span);
        let place = self.variable_place(own, span);
        first.push(self.assign(place.clone(), list.clone(), span)?);
        let mut values = VecDeque::new();
        for piece in pieces {
            let Piece::Value { name, width, precision, signed, .. } = piece else { continue };
            let mut types: Vec<Type> = Vec::new();
            let given = [width, precision].into_iter().filter(|number| matches!(number, Number::Given));
            types.extend(given.map(|_| INT));
            types.push(match *signed {
                Some(64) => Type::Int { bits: 64, signed: true, rank: 5 },
                None if *name == "__put_string" => Type::Pointer(Box::new(plain(CHAR))),
                None if FLOATS.contains(name) => DOUBLE,
                _ => INT,
            });
            for ty in types {
                let value = self.argument_at(place.clone(), ty, span)?;
                values.push_back(self.settled(value, first)?);
            }
        }
        Ok(values)
    }

    /// A value that stays what it is: a constant, the address of a variable, or what is put into a variable first.
    pub(super) fn settled(&mut self, value: Expr, first: &mut Vec<Expr>) -> Check<Expr> {
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

    /// A text as a literal.
    pub(super) fn text(&mut self, bytes: &[u8], span: Span) -> Expr {
        let id = self.string_number(bytes.to_vec());
        Expr { kind: ExprKind::String(id), ty: Type::Pointer(Box::new(plain(CHAR))), span }
    }

    /// A call of a function of the prelude, whose parameters of any type have those of the arguments.
    pub(super) fn prelude_call(&mut self, name: &'static str, arguments: Vec<Expr>, span: Span) -> Check<Expr> {
        let Some(model) = self.of_the_library(name) else { return self.unsupported(span, "this call") };
        let mut signature = self.functions[model].ty.clone();
        let mut values = Vec::with_capacity(arguments.len());
        for (argument, parameter) in arguments.into_iter().zip(&mut signature.parameters) {
            if *parameter == Type::Void {
                *parameter = argument.ty.clone();
            }
            values.push(self.cast(argument, parameter));
        }
        let (ty, id) = (signature.result.clone(), self.instance(model, signature, span));
        Ok(Expr { kind: ExprKind::Call(Callee::Direct(id), values), ty, span })
    }
}

/// The functions of the prelude that write a `double`: with a fixed point, with an exponent, and with whichever is shorter.
const FLOATS: [&str; 3] = ["__put_fixed", "__put_exponent", "__put_general"];

/// Is it the kind of value that a conversion is for: an integer, a float, a text? Integers of another size, which C does not allow either, are let
/// pass.
fn is_printed_by(name: &str, ty: &Type) -> bool {
    match name {
        "__put_string" => ty.is_pointer(),
        _ if FLOATS.contains(&name) => *ty == DOUBLE,
        _ => ty.is_integer(),
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
    let bits = integer_bits(modifier, long)?;
    const UPPER: i128 = 32;
    let is_double = matches!(modifier, b"" | b"l");
    let (name, signed, more) = match letter {
        b'f' if is_double => (FLOATS[0], None, 0),
        b'e' if is_double => (FLOATS[1], None, 0),
        b'E' if is_double => (FLOATS[1], None, UPPER),
        b'g' if is_double => (FLOATS[2], None, 0),
        b'G' if is_double => (FLOATS[2], None, UPPER),
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

/// How many bits an integer has that a format speaks of with a length modifier.
pub(super) fn integer_bits(modifier: &[u8], long: u32) -> Option<u32> {
    Some(match modifier {
        b"" => 32,
        b"h" => 16,
        b"hh" => 8,
        b"l" | b"z" | b"t" => long,
        b"ll" | b"j" => 64,
        _ => return None,
    })
}
