//! Number, character and string literals.

use super::*;

/// Reads a number with its suffix, or a character (C11 6.4.4).
pub fn number(text: &str, model: DataModel) -> Result<(ExprKind, Type), &'static str> {
    if text.ends_with('\'') {
        return character(text, model).map(|(value, ty)| (ExprKind::Int(Integer::from(value)), ty));
    }
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', b'0'..=b'9', ..] => (8, &lower[1..]),
        _ => (10, lower.as_str()),
    };
    if lower.contains('.') || lower.contains(if radix == 16 { 'p' } else { 'e' }) {
        return float(&lower, model).ok_or("this is not a number");
    }
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let (is_unsigned, least_rank) = match suffix {
        "" => (false, 3),
        "u" => (true, 3),
        "l" => (false, 4),
        "ul" | "lu" => (true, 4),
        "ll" => (false, 5),
        "ull" | "llu" => (true, 5),
        "i" | "j" => return Err("an imaginary number is not supported"),
        _ => return Err("this is not a number"),
    };
    let value = match digits {
        "" if radix == 8 => 0,
        _ => u128::from_str_radix(digits, radix).map_err(|_| "this is not a number")?,
    };
    if value > u128::from(u64::MAX) {
        return Err("this number is too large for any integer type");
    }
    for rank in least_rank..=5 {
        for signed in [true, false] {
            let ty = types::integer(model, rank, signed);
            let Type::Int { bits, .. } = ty else { continue };
            let allowed = if signed { !is_unsigned } else { is_unsigned || radix != 10 };
            if allowed && value >> (bits - u32::from(signed)) == 0 {
                return Ok((ExprKind::Int(Integer::from(value as i128)), ty));
            }
        }
    }
    // A decimal literal that no signed type holds.
    Ok((ExprKind::Int(Integer::from(value as i128)), types::integer(model, 6, true)))
}

fn float(text: &str, model: DataModel) -> Option<(ExprKind, Type)> {
    let text = Some(text).filter(|text| !text.contains('_'))?;
    let single = Type::Float { bits: 32 };
    let long = types::long_double(model);
    let suffixes =
        [(types::DOUBLE, ["", "f64", "f32x", "d"].as_slice()), (single, &["f", "f32"]), (long, &["l", "f64x", "w"])];
    suffixes.into_iter().find_map(|(ty, suffixes)| {
        let format = floats::format(&ty)?;
        let bits = suffixes.iter().find_map(|suffix| format.parse(text.strip_suffix(suffix)?))?;
        Some((ExprKind::Float(Integer::from(bits)), ty))
    })
}

/// The value and type of a character literal, with its prefix and quotes.
fn character(text: &str, model: DataModel) -> Result<(i128, Type), &'static str> {
    let (prefix, body) = unquoted(text, '\'');
    let units = units(body, !prefix.is_empty())?;
    match (prefix, units.as_slice()) {
        ("", []) => Err("there is no character between the quotes"),
        ("", [byte]) => Ok((i128::from(*byte as i8), INT)),
        ("", many) => Ok((i128::from(many.iter().fold(0, |value, &byte| (value << 8) | byte as i32)), INT)),
        (_, [unit]) => Ok((i128::from(*unit), wide_type(prefix, model).unwrap_or(INT))),
        _ => Err("there is not one character between the quotes"),
    }
}

/// The type of characters, if it is not `int`.
fn wide_type(prefix: &str, model: DataModel) -> Option<Type> {
    match prefix {
        "u" => Some(types::integer(model, 2, false)),
        "U" => Some(types::UNSIGNED),
        _ => None,
    }
}

/// The characters of adjacent literals one of which is wide, with the final 0, and their type.
pub fn wide_string(pieces: &[&str], model: DataModel) -> Result<(Vec<u32>, Type), &'static str> {
    let (mut all, mut ty) = (Vec::new(), INT);
    for piece in pieces {
        let (prefix, body) = unquoted(piece, '"');
        all.extend(units(body, true)?);
        ty = wide_type(prefix, model).unwrap_or(ty);
    }
    if ty != INT && ty != types::UNSIGNED && all.iter().any(|&unit| unit > 0xffff) {
        return Err("a character of more than 16 bits is not supported here");
    }
    all.push(0);
    Ok((all, ty))
}

/// The bytes of adjacent string literals, without the final 0; absent for wide ones.
pub fn string(pieces: &[&str]) -> Result<Option<Vec<u8>>, &'static str> {
    let mut all = Vec::new();
    for piece in pieces {
        let (prefix, body) = unquoted(piece, '"');
        if !matches!(prefix, "" | "u8") {
            return Ok(None);
        }
        all.extend(units(body, false)?.into_iter().map(|unit| unit as u8));
    }
    Ok(Some(all))
}

/// The same for messages and names: what cannot be read is left out.
pub fn text(pieces: &[&str]) -> String {
    let bytes = string(pieces).ok().flatten().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn unquoted(text: &str, quote: char) -> (&str, &str) {
    let open = text.find(quote).unwrap_or(0);
    let inner = text.get(open + 1..text.len().saturating_sub(1)).unwrap_or("");
    (&text[..open], inner)
}

/// The numbers of wide characters, or the bytes of others.
fn units(body: &str, wide: bool) -> Result<Vec<u32>, &'static str> {
    let mut out = Vec::with_capacity(body.len());
    let give = |out: &mut Vec<u32>, c: char| match (wide, crate::latin::byte(c)) {
        (_, Some(byte)) => out.push(u32::from(byte)),
        (true, None) => out.push(c as u32),
        (false, None) => out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
    };
    let mut rest = body.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            give(&mut out, c);
            continue;
        }
        let from_digit = rest.clone();
        let escaped = rest.next().ok_or("there is nothing behind the backslash")?;
        let code = match escaped {
            // In the order of their codes.
            'a' | 'b' | 't' | 'n' | 'v' | 'f' | 'r' => 7 + "abtnvfr".find(escaped).unwrap_or(0) as u32,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => escaped as u32,
            '\n' => continue,
            '0'..='7' => {
                rest = from_digit;
                digits(&mut rest, 8, 3).unwrap_or(0)
            }
            'x' => digits(&mut rest, 16, usize::MAX).ok_or("there are no digits behind `\\x`")?,
            'u' | 'U' => {
                let code = digits(&mut rest, 16, if escaped == 'u' { 4 } else { 8 });
                give(&mut out, code.and_then(char::from_u32).ok_or("there is no character with this number")?);
                continue;
            }
            _ => return Err("the character behind the backslash has no meaning"),
        };
        out.push(if wide { code } else { code & 0xff });
    }
    Ok(out)
}

/// Digits as long as there are any, at most so many; the last 32 bits count.
fn digits(rest: &mut std::str::Chars<'_>, radix: u32, most: usize) -> Option<u32> {
    let mut code = None;
    for _ in 0..most {
        let Some(digit) = rest.clone().next().and_then(|c| c.to_digit(radix)) else { break };
        code = Some(code.unwrap_or(0_u32).wrapping_mul(radix).wrapping_add(digit));
        rest.next();
    }
    code
}
