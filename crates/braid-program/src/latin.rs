//! Texts in Latin-1 and its like, which C files may be in: bytes above 127 are characters for private use, so that literals get their bytes
//! back whatever the encoding was.

/// The character of the byte 0.
const FIRST: u32 = 0xf700;

/// A text of which nobody knows the encoding.
pub fn decoded(bytes: &[u8]) -> String {
    let character = |&byte: &u8| match byte {
        0..128 => char::from(byte),
        _ => char::from_u32(FIRST + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    bytes.iter().map(character).collect()
}

/// The byte that a character stands for.
pub fn byte(c: char) -> Option<u8> {
    let byte = u8::try_from((c as u32).checked_sub(FIRST)?).ok()?;
    (byte >= 128).then_some(byte)
}
