//! The C library in C: what a library call means is written in the files of `prelude/`, which users can read and add to.

use super::preprocess::preprocess;
use super::tree::DataModel;
use crate::{Diagnostics, Reading};
use std::path::PathBuf;

/// The texts, by name, in the order in which they are read.
pub const TEXTS: [(&str, &str); 20] = [
    ("prelude/builtins.c", include_str!("../../prelude/builtins.c")),
    ("prelude/threads.c", include_str!("../../prelude/threads.c")),
    ("prelude/locks.c", include_str!("../../prelude/locks.c")),
    ("prelude/waiting.c", include_str!("../../prelude/waiting.c")),
    ("prelude/robust.c", include_str!("../../prelude/robust.c")),
    ("prelude/atomics.c", include_str!("../../prelude/atomics.c")),
    ("prelude/strings.c", include_str!("../../prelude/strings.c")),
    ("prelude/wide.c", include_str!("../../prelude/wide.c")),
    ("prelude/memory.c", include_str!("../../prelude/memory.c")),
    ("prelude/numbers.c", include_str!("../../prelude/numbers.c")),
    ("prelude/floats.c", include_str!("../../prelude/floats.c")),
    ("prelude/format.c", include_str!("../../prelude/format.c")),
    ("prelude/decimal.c", include_str!("../../prelude/decimal.c")),
    ("prelude/scan.c", include_str!("../../prelude/scan.c")),
    ("prelude/system.c", include_str!("../../prelude/system.c")),
    ("prelude/network.c", include_str!("../../prelude/network.c")),
    ("prelude/files.c", include_str!("../../prelude/files.c")),
    ("prelude/signals.c", include_str!("../../prelude/signals.c")),
    ("prelude/ending.c", include_str!("../../prelude/ending.c")),
    ("prelude/time.c", include_str!("../../prelude/time.c")),
];

/// What replaces a part of that where it matters who waits.
const DEADLOCKS: (&str, &str) = ("prelude/deadlocks.c", include_str!("../../prelude/deadlocks.c"));

/// The name of a text, and the text.
pub type Text = (String, String);

/// The name of the text that says what the program is started with.
pub const ARGUMENTS: &str = "arguments of the program";

/// The texts that a reading asks for, by name: for deadlocks, the user's own files, and what the program is started with. A definition
/// there counts, and not the one above.
pub fn texts(reading: &Reading, model: DataModel) -> Result<Vec<Text>, Diagnostics> {
    let read = |file: &PathBuf| {
        let name = file.to_string_lossy().into_owned();
        let text = crate::load::read_text(file).map_err(|error| Diagnostics::of_text(&name, "", error.to_string()))?;
        let has_directives = text.lines().any(|line| line.trim_start().starts_with('#'));
        let text = if has_directives { preprocess(&name, &text, model, &reading.preprocessor)? } else { text };
        Ok((name, text))
    };
    let given = reading.arguments.iter().map(|words| Ok((ARGUMENTS.to_owned(), arguments(words))));
    let deadlocks = reading.checks.is_about_waiting().then_some(DEADLOCKS);
    let deadlocks = deadlocks.into_iter().map(|(name, text)| Ok((name.to_owned(), text.to_owned())));
    deadlocks.chain(reading.preludes.iter().map(read)).chain(given).collect()
}

/// C that starts the program with these words.
fn arguments(words: &[String]) -> String {
    let quoted = |word: &String| word.bytes().map(|byte| format!("\\{byte:03o}")).collect::<String>();
    let texts = words.iter().enumerate().map(|(n, word)| format!("static char given_{n}[] = \"{}\";\n", quoted(word)));
    let names: String = (0..words.len()).map(|n| format!("given_{n}, ")).collect();
    let count = words.len();
    texts.collect::<String>()
        + &format!(
            "static char *given[] = {{{names}0}};\nint __arguments(char ***to) {{ *to = given; return {count}; }}\n"
        )
}

#[cfg(test)]
mod tests {
    use super::TEXTS;

    /// The texts have one file scope, in which the last definition counts.
    #[test]
    fn no_function_is_defined_twice() {
        let mut names: Vec<&str> = Vec::new();
        for line in TEXTS.iter().flat_map(|(_, text)| text.lines()) {
            let begins_body = line.ends_with('{') || line.ends_with('}');
            let head = line.split('(').next().filter(|_| line.contains('(') && begins_body);
            if let Some(head) = head.filter(|head| head.starts_with(|c: char| c.is_alphabetic() || c == '_')) {
                let name = head.rsplit([' ', '*']).next().unwrap_or(head);
                assert!(!names.contains(&name), "`{name}` is defined twice in the prelude");
                names.push(name);
            }
        }
        assert!(names.contains(&"strtod"), "definitions are found");
    }
}
