//! The data model: a program that is read as one for a machine with 32-bit pointers is compiled for this machine all the same.
//!
//! That says something about the program as it was read only where both readings are the same program, but for how large numbers
//! may become.

use crate::input;
use braid_frontend::Reading;
use braid_frontend::c::tree::DataModel;
use braid_frontend::c::{Kind, default_model};
use std::path::Path;

/// What is said where the data model gets in the way.
pub const APART: &str = "the verdict is for ILP32, cc compiles for LP64";

/// Numbers from here on are bounds of types and of memory.
const LARGE: u128 = (1 << 31) - 1;

/// Is the program read as one for another machine than the compiler's?
pub fn is_other(file: &Path, reading: &Reading) -> bool {
    let kind =
        if file.extension().is_some_and(|extension| extension == "i") { Kind::Preprocessed } else { Kind::Source };
    let default = || default_model(&String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()), kind);
    reading.data_model.unwrap_or_else(default) == DataModel::Ilp32
}

/// Does it matter which machine the program is read for? None if it cannot be read.
pub fn matters(file: &Path, reading: &Reading) -> Option<bool> {
    let text = |model: DataModel| {
        let reading = Reading { data_model: Some(model), ..reading.clone() };
        input::read(file, &reading).ok().map(|loaded| braid_program::print::to_text(&loaded.program))
    };
    Some(!is_same(&text(DataModel::Ilp32)?, &text(DataModel::Lp64)?))
}

/// Do two texts differ only in numbers that are large in both?
fn is_same(narrow: &str, wide: &str) -> bool {
    let is_large = |word: &str| word.trim_start_matches('-').parse::<u128>().is_ok_and(|number| number >= LARGE);
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| c.is_whitespace() || "()".contains(c)).map(str::to_owned).collect()
    };
    let (narrow, wide) = (words(narrow), words(wide));
    narrow.len() == wide.len() && narrow.iter().zip(&wide).all(|(a, b)| a == b || (is_large(a) && is_large(b)))
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn bounds_of_types_do_not_count() {
        assert!(is_same("(<= x 4294967295)", "(<= x 18446744073709551615)"));
        assert!(is_same("(<= -2147483648 x)", "(<= -9223372036854775808 x)"));
        assert!(!is_same("(= x 4)", "(= x 8)"));
        assert!(!is_same("(= x 4294967296)", "(= x 8)"));
        assert!(!is_same("(skip)", "(seq (skip))"));
    }
}
