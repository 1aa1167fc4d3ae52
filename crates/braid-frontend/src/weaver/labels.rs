//! Labels and jumps. A procedure, and each branch of a `par` in it, has labels of its own: a jump stays in its branch.
//!
//! Numbers are given at the first mention, so jumps may go forward; what is mentioned but never defined is an error when
//! the branch ends.

use super::tick;
use crate::{Diagnostic, spelling};
use braid_program::ast::LabelId;
use braid_program::source::Span;
use rustc_hash::FxHashMap;

struct Label {
    id: LabelId,
    /// The first mention.
    first: Span,
    defined: Option<Span>,
}

/// The labels of the branches around this place.
#[derive(Default)]
pub(super) struct Labels {
    /// The labels of the procedure itself.
    outermost: FxHashMap<String, Label>,
    /// The labels of the branches inside it, the innermost last.
    branches: Vec<FxHashMap<String, Label>>,
    next: u32,
}

impl Labels {
    /// Starts a branch.
    pub(super) fn enter(&mut self) {
        self.branches.push(FxHashMap::default());
    }

    /// Ends the innermost branch, or else the procedure; gives the errors of jumps to labels that it does not have.
    pub(super) fn leave(&mut self) -> Vec<Diagnostic> {
        let ended = self.branches.pop().unwrap_or_else(|| std::mem::take(&mut self.outermost));
        let defined = || ended.iter().filter(|(_, label)| label.defined.is_some()).map(|(name, _)| name.as_str());
        let unknown = |(name, label): (&String, &Label)| {
            let error = Diagnostic::new(label.first, format!("there is no label {} here", tick(name)));
            match spelling::nearest(name, defined()) {
                Some(near) => error.hint(format!("did you mean {}?", tick(near))),
                None => error.hint("a jump goes to a `(label …)` of the same procedure and the same branch of `par`"),
            }
        };
        ended.iter().filter(|(_, label)| label.defined.is_none()).map(unknown).collect()
    }

    /// A jump to the label.
    pub(super) fn mention(&mut self, name: &str, span: Span) -> LabelId {
        self.label(name, span).id
    }

    /// The place of the label; if it already has one, that comes back.
    pub(super) fn define(&mut self, name: &str, span: Span) -> Result<LabelId, Span> {
        let label = self.label(name, span);
        match label.defined {
            Some(first) => Err(first),
            None => {
                label.defined = Some(span);
                Ok(label.id)
            }
        }
    }

    fn label(&mut self, name: &str, span: Span) -> &mut Label {
        let labels = self.branches.last_mut().unwrap_or(&mut self.outermost);
        labels.entry(name.to_owned()).or_insert_with(|| {
            let id = LabelId(self.next);
            self.next += 1;
            Label { id, first: span, defined: None }
        })
    }
}
