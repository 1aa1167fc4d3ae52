//! Which objects another thread than the one that made them may get to.
//!
//! The variables of a call, a thread's own variables and allocated blocks belong to the thread that makes them. They are *handed over* if a pointer to
//! them may be in a variable with static storage, in what a thread is started with, in what a thread leaves to whoever joins it, with a
//! function that has no body, or in an object that is handed over itself. So are variables that functions inside of functions name.
//!
//! *Claim*: who does not own an object that is not handed over never has a pointer to it. Take the first moment at which some thread `u` gets a
//! pointer to such an object `o` of another thread `t`. It does not get it by being started or by a join. So `u` reads the pointer from an object `p`,
//! where a thread put it that had it before, and that is `t`. Objects with static storage hold no pointer to `o`. If `p` belongs to `u`, then `t` had a
//! pointer to `p`; otherwise `u` has one. As this is the first moment, `p` is handed over, and then so is `o`.

use super::{PointsTo, PointsToNode};
use crate::c::translate::{CallGraph, ObjectId, ObjectKind};
use crate::c::tree::{FunctionId, Storage, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

impl PointsTo<'_> {
    /// The objects that another thread than their own may get to; `captured` are variables that functions inside of functions name.
    pub fn handed_over(&self, graph: &CallGraph, captured: &FxHashSet<VariableId>) -> FxHashSet<ObjectKind> {
        let mut contents: FxHashMap<ObjectId, Vec<PointsToNode>> = FxHashMap::default();
        for (&(holder, _), &node) in &self.contents {
            contents.entry(holder).or_default().push(node);
        }
        let is_seen = |holder: ObjectId| match self.objects.get(holder).kind {
            ObjectKind::Variable(id) => match self.unit.variables[id.index()].storage {
                Storage::Local(function) => captured.contains(&id) || self.is_start_parameter(graph, function, id),
                Storage::Thread => false,
                _ => true,
            },
            ObjectKind::Heap(_) => false,
            _ => true,
        };
        let seen = contents.iter().filter(|(holder, _)| is_seen(**holder)).flat_map(|(_, nodes)| nodes);
        let mut work: Vec<PointsToNode> = seen.chain(&self.given).chain([&self.joined]).copied().collect();
        let mut found: FxHashSet<ObjectKind> = captured.iter().map(|&id| ObjectKind::Variable(id)).collect();
        while let Some(node) = work.pop() {
            for target in &self.sets[node.0 as usize] {
                if found.insert(self.objects.get(target.object).kind) {
                    work.extend(contents.get(&target.object).into_iter().flatten());
                }
            }
        }
        found
    }

    /// Is the variable what a thread is started with?
    fn is_start_parameter(&self, graph: &CallGraph, function: FunctionId, id: VariableId) -> bool {
        graph.started[function.index()] && self.unit.functions[function.index()].parameters.contains(&id)
    }
}
