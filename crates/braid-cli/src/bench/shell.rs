//! Words as a shell reads them: command lines to copy, scripts, and lists of options in one cell.

/// A word that a shell, and [`crate::arguments::words`], read as it is.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Several words in a line.
pub fn line<W: AsRef<str>>(words: &[W]) -> String {
    words.iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::words;

    #[test]
    fn words_come_back() {
        let list = ["--engine", "gem", "", "a b", "it's", "\"x\"", "\\", "$HOME", "ü", "-D", "N=\"3\""];
        assert_eq!(words(&line(&list)), list);
        assert_eq!(line(&["--order", "seq", "a b"]), "--order seq 'a b'");
    }
}
