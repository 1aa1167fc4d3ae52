//! What a function that is not known could do with what it is given: call functions, or join threads.

use super::{PointsTo, Target};
use crate::c::translate::{ObjectId, ObjectKind, site, walk};
use crate::c::tree::{Expr, ExprKind, FunctionId, Place, PlaceKind};
use rustc_hash::FxHashSet;

impl PointsTo<'_> {
    /// A function with a body that can be reached from the value, through any number of pointers.
    pub fn reachable_function(&self, value: &Expr) -> Option<FunctionId> {
        let mut work: Vec<Target> = self.targets_in_record(value);
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        while let Some(target) = work.pop() {
            if !seen.insert(target.object) {
                continue;
            }
            let object = self.objects.get(target.object);
            if let ObjectKind::Function(id) = object.kind
                && self.objects.layouts.unit.functions[id.index()].body.is_some()
            {
                return Some(id);
            }
            let contents = (0..object.leaves.len()).filter_map(|leaf| self.contents.get(&(target.object, leaf)));
            work.extend(contents.flat_map(|node| self.sets[node.0 as usize].iter().copied()));
        }
        None
    }

    /// The allocations from which an object can be reached through pointers in allocated memory, itself included.
    pub fn leading_to(&self, object: ObjectId) -> Vec<ObjectId> {
        let mut found = vec![object];
        let mut next = 0;
        while next < found.len() {
            let to = found[next];
            for (&(holder, _), node) in &self.contents {
                let is_heap = matches!(self.objects.get(holder).kind, ObjectKind::Heap(_));
                let leads = self.sets[node.0 as usize].iter().any(|target| target.object == to);
                if is_heap && leads && !found.contains(&holder) {
                    found.push(holder);
                }
            }
            next += 1;
        }
        found.sort_unstable();
        found
    }

    /// Is the value a thread's handle, or a pointer to one?
    pub fn is_handle(&self, value: &Expr) -> bool {
        let value = walk::uncast(value);
        let read = match &value.kind {
            ExprKind::Load(place) => self.place_objects(place),
            _ => Vec::new(),
        };
        let pointed = self.targets(value).into_iter().map(|target| target.object);
        read.into_iter().chain(pointed).any(|object| self.holds_handle(object))
    }

    /// What a leaf of an object may point to, in order.
    pub fn targets_of_leaf(&self, object: ObjectId, leaf: usize) -> Vec<Target> {
        self.targets_among(self.contents.get(&(object, leaf)))
    }

    /// What the parts of a struct or union value may point to.
    pub fn targets_in_record(&self, value: &Expr) -> Vec<Target> {
        let mut targets = self.targets_among(self.records.get(&site(value)).into_iter().flatten());
        targets.extend(self.targets(value));
        targets
    }

    /// Is a thread's handle written to the object?
    pub fn holds_handle(&self, object: ObjectId) -> bool {
        self.handles.iter().any(|node| self.sets[node.0 as usize].iter().any(|target| target.object == object))
    }

    pub(super) fn place_objects(&self, place: &Place) -> Vec<ObjectId> {
        match &place.kind {
            PlaceKind::Variable(id) => self.objects.known(ObjectKind::Variable(*id)).into_iter().collect(),
            PlaceKind::Deref(pointer) => self.targets(pointer).into_iter().map(|target| target.object).collect(),
            PlaceKind::Field(inner, _) | PlaceKind::Element(inner, _) => self.place_objects(inner),
        }
    }
}
