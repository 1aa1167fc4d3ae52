//! The fixpoint: each new target of a node is pushed along the constraints that leave it.

use super::{Access, Call, Leaving, OUTSIDE, PointsTo, PointsToNode, Shift, Target};
use crate::c::translate::{ObjectKind, Objects};

impl PointsTo<'_> {
    pub(super) fn solve(&mut self) {
        loop {
            while let Some((node, target)) = self.work.pop() {
                self.push(node, target);
            }
            if !self.move_memory() {
                return;
            }
        }
    }

    fn push(&mut self, node: PointsToNode, target: Target) {
        let Leaving { copies, accesses, calls } = self.leaving[node.0 as usize].clone();
        for (to, shift) in copies {
            if let Some(moved) = self.shifted_by(target, shift) {
                self.add(to, moved);
            }
        }
        accesses.into_iter().for_each(|access| self.access_at(target, access));
        calls.iter().for_each(|call| self.call_target(target, call));
    }

    /// An access to the contents that it can mean.
    pub(super) fn access_at(&mut self, target: Target, access: Access) {
        let target = self.shifted(target, access.offset);
        for leaf in self.objects.leaves_at(target.object, target.position, access.bits, access.bit_field) {
            let cell = self.content(target.object, leaf);
            let (from, to) = if access.writes { (access.value, cell) } else { (cell, access.value) };
            self.copy(from, to, None);
        }
    }

    /// A target moved, if it leads anywhere.
    pub(super) fn shifted_by(&self, target: Target, shift: Option<Shift>) -> Option<Target> {
        match shift {
            Some(Shift::Count) if target == OUTSIDE => None,
            Some(shift) => Some(shifted(&self.objects, target, shift)),
            None => Some(target),
        }
    }

    pub(super) fn call_target(&mut self, target: Target, call: &Call) {
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
        self.fill_given();
        !self.work.is_empty()
    }

    /// Memory that functions without a body are given holds what the program does not know, and so does what it leads to.
    fn fill_given(&mut self) {
        let mut next = 0;
        while next < self.given.len() {
            let targets: Vec<Target> = self.sets[self.given[next].0 as usize].iter().copied().collect();
            for object in targets.into_iter().map(|target| target.object) {
                self.holds_anything(object);
                for leaf in 0..self.objects.get(object).leaves.len() {
                    let content = self.content(object, leaf);
                    if !self.given.contains(&content) {
                        self.given.push(content);
                    }
                }
            }
            next += 1;
        }
    }
}

/// How far outside of its object an address is followed.
const FARTHEST: u64 = 1 << 12;

/// A target moved.
pub(super) fn shifted(objects: &Objects<'_>, target: Target, shift: Shift) -> Target {
    if target == OUTSIDE || shift == Shift::Lost {
        return OUTSIDE;
    }
    let Some(position) = target.position else { return target };
    if let Shift::Through(record) = shift {
        let described = objects.get(target.object);
        let mut dimensions = described.leaves.iter().flat_map(|leaf| &leaf.dimensions);
        let has_arrays = !described.in_bytes && dimensions.any(|dimension| dimension.stride < record);
        return Target { record: if has_arrays { record } else { 0 }, ..target };
    }
    let mut strides = objects.strides(target.object, position);
    // The record begins with an array, or the record is a view of a part of one: nobody knows where in the array it is.
    let is_in_array = strides.iter().any(|&stride| stride < target.record);
    strides.retain(|&stride| stride >= target.record);
    let multiple = |by: u64| strides.iter().any(|&stride| stride > 0 && by.is_multiple_of(stride));
    let position = match shift {
        Shift::By(0) | Shift::Elements(0, _) => Some(position),
        Shift::Elements(_, size) if multiple(size) => Some(position),
        Shift::By(_) | Shift::Elements(..) if is_in_array => None,
        Shift::By(by) | Shift::Elements(by, _) => {
            let moved = (position as i64).checked_add(by);
            // Outside of the object, the distance is known where no array is around; who comes back is where he was.
            let outside = moved.filter(|moved| strides.is_empty() && moved.unsigned_abs() < FARTHEST);
            match moved.and_then(|moved| objects.canonical(target.object, moved)) {
                // In the middle of an array that it may leave again.
                Some(inside) if target.record > 0 && moved != i64::try_from(inside).ok() => None,
                inside => inside.or(outside.map(|moved| moved as u64)),
            }
        }
        Shift::Stride(by) => multiple(by).then_some(position),
        Shift::Count => multiple(1).then_some(position),
        Shift::Through(_) | Shift::Lost => None,
    };
    Target { position, ..target }
}
