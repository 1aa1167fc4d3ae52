//! The fixpoint: each new target of a node is pushed along the constraints that leave it.

use super::{Access, Analysis, Call, Node, OUTSIDE, Shift, Target};
use crate::c::translate::{ObjectKind, Objects};

impl Analysis<'_> {
    pub(crate) fn solve(&mut self) {
        loop {
            while let Some((node, target)) = self.work.pop() {
                self.push(node, target);
            }
            if !self.move_memory() {
                return;
            }
        }
    }

    fn push(&mut self, node: Node, target: Target) {
        for (to, shift) in self.copies[node.0 as usize].clone() {
            let moved = self.shifted(target, shift);
            self.add(to, moved);
        }
        for load in self.loads[node.0 as usize].clone() {
            self.load_from(target, load);
        }
        for store in self.stores[node.0 as usize].clone() {
            self.store_to(target, store);
        }
        for call in self.calls[node.0 as usize].clone() {
            self.call_target(target, &call);
        }
    }

    pub(crate) fn load_from(&mut self, target: Target, load: Access) {
        for cell in self.cells(target, load) {
            self.copy(cell, load.value, None);
        }
    }

    pub(crate) fn store_to(&mut self, target: Target, store: Access) {
        for cell in self.cells(target, store) {
            self.copy(store.value, cell, None);
        }
    }

    /// The contents that an access can mean.
    pub(crate) fn cells(&mut self, target: Target, access: Access) -> Vec<Node> {
        let target = self.shifted(target, Some(Shift::By(access.offset)));
        let leaves = self.objects.leaves_at(target.object, target.position, access.bits, access.bit_field);
        leaves.into_iter().map(|leaf| self.content(target.object, leaf)).collect()
    }

    pub(crate) fn shifted(&self, target: Target, shift: Option<Shift>) -> Target {
        shift.map_or(target, |shift| shifted(&self.objects, target, shift))
    }

    pub(crate) fn call_target(&mut self, target: Target, call: &Call) {
        let ObjectKind::Function(function) = self.objects.get(target.object).kind else { return };
        self.link(function, &call.arguments, &call.result, call.thread);
    }

    /// Contents that are copied as memory: leaf by leaf where the types are the same, everything to everything else.
    fn move_memory(&mut self) -> bool {
        for (to, from) in self.moves.clone() {
            for target in self.sets[to.0 as usize].clone() {
                for source in self.sets[from.0 as usize].clone() {
                    let same = self.objects.get(target.object).ty == self.objects.get(source.object).ty;
                    let count = self.objects.get(target.object).leaves.len();
                    for read in 0..self.objects.get(source.object).leaves.len() {
                        for write in (0..count).filter(|&write| !same || write == read) {
                            let (a, b) = (self.content(source.object, read), self.content(target.object, write));
                            self.copy(a, b, None);
                        }
                    }
                }
            }
        }
        !self.work.is_empty()
    }
}

/// A target moved.
pub(crate) fn shifted(objects: &Objects<'_>, target: Target, shift: Shift) -> Target {
    if target == OUTSIDE || shift == Shift::Lost {
        return OUTSIDE;
    }
    let Some(position) = target.position else { return target };
    let strides = objects.strides(target.object, position);
    let multiple = |by: u64| strides.iter().any(|&stride| stride > 0 && by.is_multiple_of(stride));
    let position = match shift {
        Shift::By(0) | Shift::Elements(0, _) => Some(position),
        Shift::Elements(_, size) if multiple(size) => Some(position),
        Shift::By(by) | Shift::Elements(by, _) => i64::try_from(position)
            .ok()
            .and_then(|position| position.checked_add(by))
            .and_then(|moved| objects.canonical(target.object, moved)),
        Shift::Stride(by) => multiple(by).then_some(position),
        Shift::Lost => None,
    };
    Target { position, ..target }
}
