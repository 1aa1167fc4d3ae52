//! Object files: how often something is called in one.

/// How many places of a 64-bit object file refer to a symbol; none if it is no such file.
pub fn references(file: &[u8], symbol: &str) -> Option<usize> {
    let word = |at: usize, size: usize| -> Option<u64> {
        let bytes = file.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    };
    if !file.starts_with(&[0x7f, b'E', b'L', b'F', 2, 1]) {
        return None;
    }
    let (table, size, count) = (word(40, 8)? as usize, word(58, 2)? as usize, word(60, 2)? as usize);
    let section = |number: usize| table.checked_add(number.checked_mul(size)?);
    // Kind, place, size and link of a section.
    let about = |number: usize| -> Option<(u64, usize, usize, usize)> {
        let at = section(number)?;
        Some((word(at + 4, 4)?, word(at + 24, 8)? as usize, word(at + 32, 8)? as usize, word(at + 40, 4)? as usize))
    };
    let mut found = 0;
    for number in 0..count {
        let (kind, place, length, symbols) = about(number)?;
        if kind != 4 {
            continue; // no relocations
        }
        let (_, symbols_at, _, names) = about(symbols)?;
        let (_, names_at, _, _) = about(names)?;
        for entry in 0..length / 24 {
            let index = (word(place + entry * 24 + 8, 8)? >> 32) as usize;
            let name = names_at + word(symbols_at + index * 24, 4)? as usize;
            let is_it = file.get(name..name + symbol.len()) == Some(symbol.as_bytes());
            found += usize::from(is_it && file.get(name + symbol.len()) == Some(&0));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::references;

    #[test]
    fn other_files_have_none() {
        assert_eq!(references(b"", "f"), None);
        assert_eq!(references(b"\x7fELF\x02\x01", "f"), None);
        assert_eq!(references(&[0; 100], "f"), None);
    }
}
