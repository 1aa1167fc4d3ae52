//! The family of `scanf`. Input may be anything. So may be what is in a text that was filled with input: a violation that gets past it is not
//! believed. Another text of the program's own is read as its format says: that is a chain of calls of the prelude (`scan.c`), one for each
//! piece. *Invariant*: all arguments are evaluated, once and in order, before anything is read.

use super::expressions::int;
use super::format::integer_bits;
use super::types::{CHAR, INT, plain, pointer_bits, pointer_to, size_type};
use super::{Check, Checker};
use crate::c::translate::walk;
use crate::c::tree::{Expr, ExprKind, Type, uncast};
use braid_program::source::Span;

/// A piece of a format.
enum Piece {
    /// White space, any amount of it.
    Space,
    Text(Vec<u8>),
    Value {
        kind: Kind,
        /// The largest number of characters; 0: any.
        width: i128,
        is_stored: bool,
    },
}

/// What a conversion reads.
enum Kind {
    /// An integer of so many bits.
    Number { base: i128, bits: u32 },
    /// A floating-point number of so many bits.
    Real(u32),
    /// As many of these characters as there are, or of the others.
    Characters { set: Vec<u8>, others: bool },
    /// One character, whatever it is.
    Character,
    /// Nothing: where the next piece begins.
    Place,
}

impl Checker<'_> {
    /// Where the inputs of a function of the family begin.
    pub(super) fn first_input(&self, index: usize) -> Option<usize> {
        let function = &self.functions[index];
        let name = function.name;
        let name = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
        match name {
            _ if function.definition.is_some() => None,
            "scanf" => Some(1),
            "fscanf" | "sscanf" => Some(2),
            _ => None,
        }
    }

    /// A call of the family: its format says what goes where.
    pub(super) fn scan(&mut self, first: usize, arguments: Vec<Expr>, span: Span) -> Check<Expr> {
        let format = arguments.get(first - 1).map(|format| &uncast(format).kind);
        let Some(ExprKind::String(format)) = format else {
            return self.unsupported(span, "`scanf` with a format that is not a string literal");
        };
        let format = self.strings[*format as usize].split(|&byte| byte == 0).next().unwrap_or_default();
        let Some(pieces) = pieces(format, pointer_bits(self.model)) else {
            return self.unsupported(span, "this format of `scanf`");
        };
        match arguments.first().filter(|_| first > 1) {
            Some(from) if from.ty.pointee().is_none_or(|to| to.ty != CHAR) => {
                self.scan_input(&pieces, (first, Some("__scan_file")), arguments, span)
            }
            Some(from) if self.is_from_outside(from) => self.scan_input(&pieces, (first, None), arguments, span),
            Some(from) if !matches!(uncast(from).kind, ExprKind::String(_)) && self.has_read_texts() => {
                self.scan_input(&pieces, (first, Some("__scan_text")), arguments, span)
            }
            Some(_) => self.scan_text(&pieces, arguments, span),
            None => self.scan_input(&pieces, (first, None), arguments, span),
        }
    }

    /// Does the program read texts from somewhere, as far as it was looked at? To follow what is found in such a text costs much, and
    /// little is learned.
    fn has_read_texts(&self) -> bool {
        self.unit_functions.iter().any(|function| READ_TEXTS.contains(&function.name.as_str()))
    }

    /// Reads input: what is read is anything. A function of the prelude looks at where it comes from.
    fn scan_input(
        &mut self,
        pieces: &[Piece],
        (first, source): (usize, Option<&'static str>),
        arguments: Vec<Expr>,
        span: Span,
    ) -> Check<Expr> {
        let mut widths = Vec::new();
        for piece in pieces {
            let Piece::Value { kind, width, is_stored } = piece else { continue };
            let Some(width) = kind.width_as_input(*width) else {
                return self.unsupported(span, "this format of `scanf`");
            };
            widths.extend(is_stored.then_some(width));
        }
        // An argument of the program says nothing that is not in the input.
        let source = source.zip(arguments.first().cloned());
        let inputs = arguments.into_iter().skip(first);
        if inputs.len() != widths.len() {
            return self.unsupported(span, "`scanf` with so many inputs");
        }
        let name = match widths.len() {
            0 => "__scan_0",
            1 => "__scan_1",
            2 => "__scan_2",
            3 => "__scan_3",
            _ => return self.unsupported(span, "`scanf` with so many inputs"),
        };
        let values = inputs.zip(widths).flat_map(|(input, width)| {
            // Words are written as characters, whatever they are written to; values as what they are.
            let input = if width == 0 { input } else { self.cast(input, &pointer_to(plain(CHAR))) };
            let width = int(width, size_type(self.model), input.span);
            [input, width]
        });
        let values = values.collect();
        let call = self.prelude_call(name, values, span)?;
        Ok(match source {
            Some((name, from)) => {
                let from = self.prelude_call(name, vec![from], span)?;
                let ty = call.ty.clone();
                Expr { kind: ExprKind::Comma(Box::new(from), Box::new(call)), ty, span }
            }
            None => call,
        })
    }

    /// Reads a text of the program.
    fn scan_text(&mut self, pieces: &[Piece], arguments: Vec<Expr>, span: Span) -> Check<Expr> {
        let mut first = Vec::new();
        let mut settled = Vec::new();
        for (number, argument) in arguments.into_iter().enumerate() {
            // The format is known.
            if number != 1 {
                settled.push(self.settled(argument, &mut first)?);
            }
        }
        let mut inputs = settled.into_iter();
        let Some(text) = inputs.next() else { return self.unsupported(span, "this call") };
        let mut at = int(0, Type::Int { bits: 64, signed: true, rank: 5 }, span);
        let mut count = 0;
        for piece in pieces {
            let number = |value: i128| int(value, INT, span);
            let mut given = vec![text.clone(), at];
            let name = match piece {
                Piece::Space => "__take_space",
                Piece::Text(bytes) => {
                    given.extend([number(count), self.text(bytes, span), number(bytes.len() as i128)]);
                    "__take_text"
                }
                Piece::Value { kind, width, is_stored } => {
                    let to = if *is_stored { inputs.next() } else { None };
                    if *is_stored && !to.as_ref().is_some_and(|to| self.fits(kind, &to.ty)) {
                        return self
                            .unsupported(span, "`sscanf` with an argument of another type than its format says");
                    }
                    let to = to.unwrap_or_else(|| int(0, kind.pointer(), span));
                    given.push(number(count));
                    count += i128::from(*is_stored && !matches!(kind, Kind::Place));
                    let (name, more) = match kind {
                        Kind::Number { base, .. } => ("__take_number", vec![number(*base), number(*width)]),
                        Kind::Real(_) if *width > 0 => return self.unsupported(span, "this format of `scanf`"),
                        Kind::Real(_) => ("__take_real", Vec::new()),
                        Kind::Characters { set, others } => {
                            let set = [self.text(set, span), number(set.len() as i128)];
                            let more = set.into_iter().chain([number(i128::from(*others)), number(*width)]);
                            ("__take_characters", more.collect())
                        }
                        Kind::Character if *width > 1 => return self.unsupported(span, "this format of `scanf`"),
                        Kind::Character => ("__take_character", Vec::new()),
                        Kind::Place => ("__take_place", Vec::new()),
                    };
                    given.extend(more);
                    given.push(to);
                    name
                }
            };
            at = self.prelude_call(name, given, span)?;
        }
        // Arguments that the format does not ask for are evaluated, and that is all.
        let end = self.prelude_call("__taken", vec![at, int(count, INT, span)], span)?;
        Ok(first.into_iter().rev().fold(end, |rest, first| {
            let ty = rest.ty.clone();
            Expr { kind: ExprKind::Comma(Box::new(first), Box::new(rest)), ty, span }
        }))
    }

    /// May what is read be stored where the pointer leads?
    fn fits(&self, kind: &Kind, to: &Type) -> bool {
        let Some(to) = to.pointee() else { return false };
        match (kind, &to.ty) {
            (Kind::Number { bits, .. }, Type::Int { bits: own, .. }) => bits == own,
            (Kind::Real(bits), Type::Float { bits: own }) => bits == own,
            (Kind::Characters { .. } | Kind::Character, Type::Int { bits, .. }) => *bits == 8,
            (Kind::Place, ty) => *ty == INT,
            _ => false,
        }
    }

    /// Is it one of the arguments that the program is started with?
    fn is_from_outside(&self, text: &Expr) -> bool {
        let mut named = false;
        walk::expression(text, Default::default(), &mut |met, _| {
            if let walk::Met::Place(place) = met {
                named |= walk::root(place).is_some_and(|id| self.variables[id.index()].name == "argv");
            }
        });
        named
    }
}

impl Kind {
    /// A pointer to something of this kind.
    fn pointer(&self) -> Type {
        let to = match self {
            Kind::Number { bits, .. } => Type::Int { bits: *bits, signed: true, rank: 5 },
            Kind::Real(bits) => Type::Float { bits: *bits },
            _ => CHAR,
        };
        pointer_to(plain(to))
    }

    /// What `scan_one` of the prelude is told of it: 0 for one value; otherwise how long a word may be, with the character, if it is one alone, that
    /// ends it. None: that is not supported.
    fn width_as_input(&self, width: i128) -> Option<i128> {
        const NEXT_SET: i128 = 1 << 23;
        let length = if width == 0 { NEXT_SET - 1 } else { width.min(NEXT_SET - 1) };
        match self {
            Kind::Number { .. } | Kind::Real(_) | Kind::Character => (width == 0).then_some(0),
            Kind::Characters { set, others: true } if set == SPACES => Some(length),
            Kind::Characters { set, others: true } => match set[..] {
                [excluded] => Some(length + (i128::from(excluded) + 1) * NEXT_SET),
                _ => None,
            },
            Kind::Characters { .. } | Kind::Place => None,
        }
    }

    /// Is white space skipped before it?
    fn skips_space(&self) -> bool {
        match self {
            Kind::Number { .. } | Kind::Real(_) => true,
            Kind::Characters { set, others } => *others && set == SPACES,
            Kind::Character | Kind::Place => false,
        }
    }
}

/// Functions that fill a text with input.
const READ_TEXTS: [&str; 9] = ["fgets", "gets", "getline", "getdelim", "fread", "read", "pread", "recv", "recvfrom"];

/// What `%s` stops at. `%[` has its own.
const SPACES: &[u8] = b" \t\n\x0b\x0c\r";

/// The pieces of a format; none where it is not understood.
fn pieces(format: &[u8], long: u32) -> Option<Vec<Piece>> {
    let (mut pieces, mut rest) = (Vec::new(), format);
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if SPACES.contains(&byte) {
            pieces.push(Piece::Space);
        } else if byte != b'%' {
            match pieces.last_mut() {
                Some(Piece::Text(text)) => text.push(byte),
                _ => pieces.push(Piece::Text(vec![byte])),
            }
        } else if let Some(behind) = rest.strip_prefix(b"%") {
            pieces.extend([Piece::Space, Piece::Text(b"%".to_vec())]);
            rest = behind;
        } else {
            let (kind, width, is_stored, behind) = conversion(rest, long)?;
            pieces.extend(kind.skips_space().then_some(Piece::Space));
            pieces.push(Piece::Value { kind, width, is_stored });
            rest = behind;
        }
    }
    Some(pieces)
}

/// A conversion behind `%`: what it reads, how much, whether that is stored, and what comes behind it.
fn conversion(text: &[u8], long: u32) -> Option<(Kind, i128, bool, &[u8])> {
    let is_stored = !text.starts_with(b"*");
    let rest = text.strip_prefix(b"*").unwrap_or(text);
    let (digits, rest) = rest.split_at(rest.iter().take_while(|byte| byte.is_ascii_digit()).count());
    let width = if digits.is_empty() { 0 } else { std::str::from_utf8(digits).ok()?.parse().ok()? };
    let (modifier, rest) = rest.split_at(rest.iter().take_while(|byte| b"hljztL".contains(byte)).count());
    let (&letter, rest) = rest.split_first()?;
    let bits = integer_bits(modifier, long)?;
    let kind = match letter {
        b'd' | b'u' => Kind::Number { base: 10, bits },
        b'i' => Kind::Number { base: 0, bits },
        b'x' | b'X' => Kind::Number { base: 16, bits },
        b'o' => Kind::Number { base: 8, bits },
        b'f' | b'e' | b'g' | b'E' | b'G' if modifier.is_empty() => Kind::Real(32),
        b'f' | b'e' | b'g' | b'E' | b'G' if modifier == b"l" => Kind::Real(64),
        b's' if modifier.is_empty() => Kind::Characters { set: SPACES.to_vec(), others: true },
        b'c' if modifier.is_empty() => Kind::Character,
        b'n' if modifier.is_empty() => Kind::Place,
        b'[' if modifier.is_empty() => {
            let (set, others, rest) = set(rest)?;
            return Some((Kind::Characters { set, others }, width, is_stored, rest));
        }
        _ => return None,
    };
    Some((kind, width, is_stored, rest))
}

/// What stands between `[` and `]`: the characters, and whether it is the others that are meant.
fn set(text: &[u8]) -> Option<(Vec<u8>, bool, &[u8])> {
    let others = text.starts_with(b"^");
    let text = text.strip_prefix(b"^").unwrap_or(text);
    // One that stands first belongs to them.
    let end = text.iter().skip(1).position(|&byte| byte == b']')? + 1;
    let (inside, mut set, mut at) = (&text[..end], Vec::new(), 0);
    while at < end {
        match inside[at..] {
            [low, b'-', high, ..] => {
                set.extend(low..=high);
                at += 3;
            }
            [byte, ..] => {
                set.push(byte);
                at += 1;
            }
            [] => break,
        }
    }
    Some((set, others, &text[end + 1..]))
}
