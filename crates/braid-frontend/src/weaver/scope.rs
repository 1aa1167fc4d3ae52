//! What names in expressions mean: variables and functions share one space of names, inner scopes shadow outer ones.

use braid_program::ast::{FunId, VarId};
use rustc_hash::FxHashMap;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Var(VarId),
    Fun(FunId),
}

/// The names in scope.
#[derive(Default)]
pub(super) struct Scope {
    /// Each name with its meanings, the innermost last.
    meanings: FxHashMap<String, Vec<Meaning>>,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<Meaning> {
        self.meanings.get(name).and_then(|meanings| meanings.last()).copied()
    }

    /// Opens a scope of one name.
    pub(super) fn bind(&mut self, name: &str, meaning: Meaning) {
        self.meanings.entry(name.to_owned()).or_default().push(meaning);
    }

    /// Closes the innermost scope of the name.
    pub(super) fn unbind(&mut self, name: &str) {
        if let Some(meanings) = self.meanings.get_mut(name) {
            meanings.pop();
        }
    }

    /// The names in scope, of variables and functions.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.meanings.iter().filter(|(_, meanings)| !meanings.is_empty()).map(|(name, _)| name.as_str())
    }
}
