//! The C library in C: what a library call means is written in the files of `prelude/`, which users can read and add to.

use super::preprocess::preprocess;
use super::tree::DataModel;
use crate::{Diagnostics, Preprocessor};
use std::path::PathBuf;

/// The texts, by name, in the order in which they are read.
pub const TEXTS: [(&str, &str); 7] = [
    ("prelude/builtins.c", include_str!("../../prelude/builtins.c")),
    ("prelude/threads.c", include_str!("../../prelude/threads.c")),
    ("prelude/atomics.c", include_str!("../../prelude/atomics.c")),
    ("prelude/strings.c", include_str!("../../prelude/strings.c")),
    ("prelude/numbers.c", include_str!("../../prelude/numbers.c")),
    ("prelude/floats.c", include_str!("../../prelude/floats.c")),
    ("prelude/system.c", include_str!("../../prelude/system.c")),
];

/// The name of a text, and the text.
pub type Text = (String, String);

/// The texts of the user's own files, by name. A definition there counts, and not the one above.
pub fn texts(files: &[PathBuf], model: DataModel, told: &Preprocessor) -> Result<Vec<Text>, Diagnostics> {
    let read = |file: &PathBuf| {
        let name = file.to_string_lossy().into_owned();
        let text = crate::load::read_text(file).map_err(|error| Diagnostics::of_text(&name, "", error.to_string()))?;
        let has_directives = text.lines().any(|line| line.trim_start().starts_with('#'));
        let text = if has_directives { preprocess(&name, &text, model, told)? } else { text };
        Ok((name, text))
    };
    files.iter().map(read).collect()
}
