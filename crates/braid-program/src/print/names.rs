//! Names under which everything can be told apart when the printed text is read.
//!
//! A name stays as it is in the source wherever that means the right thing; a variable or function that would be taken
//! for another one gets a suffix.

use super::scopes::Entity;
use super::words::{CORE, core_operator, head, quantifier_word};
use crate::ast::{Expr, ExprKind, Program, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names in use at a place of the text.
pub(super) struct Names {
    /// What each name means here, the innermost last.
    visible: FxHashMap<String, Vec<Entity>>,
    /// All names that occur anywhere, so that a new one clashes with none.
    taken: FxHashSet<String>,
    /// Words that mean something else than a variable.
    reserved: FxHashSet<&'static str>,
    /// Words of operators that occur and that a function of that name would hide.
    operators: FxHashSet<&'static str>,
}

impl Names {
    pub(super) fn new(program: &Program) -> Names {
        let variables = program.variables.iter().map(|variable| &variable.name);
        let functions = program.functions.iter().map(|function| &function.name);
        let mut names = Names {
            visible: FxHashMap::default(),
            taken: variables.chain(functions).map(|name| clean(name)).collect(),
            reserved: ["true", "false"].into_iter().collect(),
            operators: FxHashSet::default(),
        };
        program.seeds.iter().for_each(|seed| names.survey(seed));
        for stmt in program.statements() {
            if matches!(stmt.kind, StmtKind::Async { .. }) {
                names.reserved.insert("_");
            }
            stmt.exprs().into_iter().for_each(|expr| names.survey(expr));
        }
        names
    }

    fn survey(&mut self, expr: &Expr) {
        self.operators.extend(expr.all().filter_map(|expr| match &expr.kind {
            ExprKind::Op(op, _) if !CORE.iter().any(|(_, core)| core == op) => Some(head(*op).0),
            ExprKind::Quantified(quantifier, ..) => Some(quantifier_word(*quantifier)),
            ExprKind::BitVec(_) => Some("_"),
            _ => None,
        }));
    }

    /// A name for a function of so many arguments.
    pub(super) fn function(&mut self, wanted: &str, arguments: usize) -> String {
        let wanted = clean(wanted);
        let hidden = core_operator(&wanted, arguments).is_some() || wanted == "/" && arguments == 2;
        if hidden || self.operators.contains(wanted.as_str()) || self.visible.contains_key(&wanted) {
            return self.fresh(&wanted);
        }
        wanted
    }

    /// A name for a variable whose scope has these mentions. `clashes` says which names may not be used in any case.
    pub(super) fn variable(
        &mut self,
        wanted: &str,
        mentions: &FxHashSet<Entity>,
        clashes: impl Fn(&str) -> bool,
    ) -> String {
        let wanted = clean(wanted);
        let captured = self.visible.get(&wanted).and_then(|entities| entities.last());
        let captures = captured.is_some_and(|entity| mentions.contains(entity));
        if captures || self.reserved.contains(wanted.as_str()) || clashes(&wanted) {
            return self.fresh(&wanted);
        }
        wanted
    }

    pub(super) fn bind(&mut self, name: &str, entity: Entity) {
        self.visible.entry(name.to_owned()).or_default().push(entity);
    }

    pub(super) fn unbind(&mut self, name: &str) {
        if let Some(entities) = self.visible.get_mut(name) {
            entities.pop();
            if entities.is_empty() {
                self.visible.remove(name);
            }
        }
    }

    /// Is the name in scope?
    pub(super) fn is_visible(&self, name: &str) -> bool {
        self.visible.contains_key(name)
    }

    fn fresh(&mut self, wanted: &str) -> String {
        fresh(wanted, &mut self.taken)
    }
}

/// The wanted name with the first suffix that makes it new.
pub(super) fn fresh(wanted: &str, taken: &mut FxHashSet<String>) -> String {
    let mut number = 1;
    loop {
        let name = format!("{wanted}_{number}");
        if taken.insert(name.clone()) {
            return name;
        }
        number += 1;
    }
}

/// The name without the character that cannot be written.
pub(super) fn clean(name: &str) -> String {
    name.replace('|', "!")
}
