//! Which local variables may be pointed to after their end.

use super::PointsTo;
use crate::c::translate::{CallGraph, ObjectKind, Variables};
use crate::c::tree::{FunctionId, Stmt, StmtKind, Storage, VariableId};
use rustc_hash::FxHashSet;

impl PointsTo<'_> {
    /// The local variables whose address may be somewhere that lives longer than they do: in static or allocated memory, in the
    /// result of a function, with another thread, in a variable of a caller, or in one of an outer block.
    ///
    /// A pointer in a variable of another function that nobody points to is one that was handed down: it is gone before. What stands in
    /// the outermost block of `main` is there until the program ends, unless `main` ends as a thread.
    pub fn outliving(&self, graph: &CallGraph, facts: &Variables, main: FunctionId) -> FxHashSet<VariableId> {
        let mut outermost = FxHashSet::default();
        for function in &self.unit.functions {
            outermost.extend(function.parameters.iter().copied());
            outermost.extend(function.body.iter().flatten().filter_map(declared));
        }
        let stays = |id: VariableId, function: FunctionId| {
            function == main && outermost.contains(&id) && !graph.exits[main.index()]
        };
        let mut found = FxHashSet::default();
        let mut held = |node: super::PointsToNode, longer: &dyn Fn(VariableId, FunctionId) -> bool| {
            for target in &self.sets[node.0 as usize] {
                let ObjectKind::Variable(id) = self.objects.get(target.object).kind else { continue };
                let Storage::Local(function) = self.unit.variables[id.index()].storage else { continue };
                let expanded = self.unit.functions[function.index()].inline;
                if !expanded && !stays(id, function) && longer(id, function) {
                    found.insert(id);
                }
            }
        };
        for (&(holder, _), &node) in &self.contents {
            let ObjectKind::Variable(holder) = self.objects.get(holder).kind else {
                held(node, &|_, _| true);
                continue;
            };
            let Storage::Local(at) = self.unit.variables[holder.index()].storage else {
                held(node, &|_, _| true);
                continue;
            };
            let started = graph.started[at.index()];
            let parameter = self.unit.functions[at.index()].parameters.contains(&holder);
            held(node, &|id, function| {
                if at == function {
                    !outermost.contains(&id) && holder != id
                } else {
                    facts.addressed.contains(&holder) || (parameter && started)
                }
            });
        }
        let results = self.results.values().flatten().chain([&self.joined]);
        results.for_each(|&node| held(node, &|_, _| true));
        found
    }
}

/// The variable that a statement declares, labels apart.
fn declared(stmt: &Stmt) -> Option<VariableId> {
    match &stmt.kind {
        StmtKind::Declare(id, _) => Some(*id),
        StmtKind::Label(_, then) => declared(then),
        _ => None,
    }
}
