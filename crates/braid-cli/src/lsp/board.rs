//! Who says what about which file. A program is one file with `main` and whatever it includes, so two programs can have
//! something to say about one header.

use lsp_types::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Diagnostics by the file that they are about.
pub type ByFile = BTreeMap<PathBuf, Vec<Diagnostic>>;

/// All that is said.
#[derive(Default)]
pub struct Board(BTreeMap<PathBuf, ByFile>);

impl Board {
    /// Takes what a program says now for what it said before, and gives all that is said about each file that this concerns, its own always.
    pub fn replace(&mut self, program: &Path, now: ByFile) -> ByFile {
        let before = self.0.insert(program.to_owned(), now).unwrap_or_default();
        let concerned: BTreeSet<PathBuf> =
            before.into_keys().chain(self.0[program].keys().cloned()).chain([program.to_owned()]).collect();
        let about = |file: &PathBuf| self.0.values().filter_map(|said| said.get(file)).flatten().cloned().collect();
        concerned.into_iter().map(|file| (file.clone(), about(&file))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_say_stays() {
        let said = |files: &[&str]| -> ByFile {
            files.iter().map(|file| (PathBuf::from(file), vec![Diagnostic::default()])).collect()
        };
        let counts = |all: ByFile| -> Vec<(String, usize)> {
            all.into_iter().map(|(file, said)| (file.display().to_string(), said.len())).collect()
        };
        let mut board = Board::default();
        assert_eq!(
            counts(board.replace(Path::new("a.c"), said(&["a.c", "h.h"]))),
            [("a.c".into(), 1), ("h.h".into(), 1)]
        );
        assert_eq!(counts(board.replace(Path::new("b.c"), said(&["h.h"]))), [("b.c".into(), 0), ("h.h".into(), 2)]);
        assert_eq!(counts(board.replace(Path::new("a.c"), said(&[]))), [("a.c".into(), 0), ("h.h".into(), 1)]);
        assert_eq!(counts(board.replace(Path::new("a.c"), said(&[]))), [("a.c".into(), 0)]);
    }
}
