//! What the tree says about variables.

use crate::c::translate::{CallGraph, Context, Met, is_visible, walk};
use crate::c::tree::{FunctionId, StmtKind, Unit, VariableId};
use crate::{Effect, Externs};
use rustc_hash::FxHashSet;

/// What the tree says about variables.
#[derive(Default)]
pub struct Variables {
    /// Variables whose address is taken.
    pub addressed: FxHashSet<VariableId>,
    /// Variables that are written by name, other than by their initial value.
    pub written: FxHashSet<VariableId>,
    /// Variables that code of threads mentions.
    pub in_thread: FxHashSet<VariableId>,
    /// Local variables that are declared without an initial value.
    pub open: FxHashSet<VariableId>,
}

impl Variables {
    pub fn of(unit: &Unit, functions: &[FunctionId], graph: &CallGraph, externs: &Externs) -> Variables {
        let mut facts = Variables { addressed: walk::captured(unit, functions), ..Variables::default() };
        // Functions without a body may write what nobody names.
        if externs.0.iter().any(|known| known.effect == Effect::Anything) {
            let variables = (0..unit.variables.len() as u32).map(VariableId);
            facts.written.extend(variables.filter(|&id| is_visible(unit, id)));
            facts.in_thread.clone_from(&facts.written);
        }
        for init in unit.variables.iter().filter_map(|variable| variable.init.as_ref()) {
            Met::Init(init).each(Context::default(), &mut |met, _| facts.addressed.extend(walk::addressed(&met)));
        }
        walk::functions(unit, functions, &mut |function, met, _| {
            facts.addressed.extend(walk::addressed(&met));
            match &met {
                Met::Stmt(stmt) => facts.open.extend(match stmt.kind {
                    StmtKind::Declare(id, None) => Some(id),
                    _ => None,
                }),
                Met::Place(place) if graph.in_thread[function.index()] => facts.in_thread.extend(walk::root(place)),
                _ => facts.written.extend(walk::written(&met)),
            }
        });
        facts
    }
}
