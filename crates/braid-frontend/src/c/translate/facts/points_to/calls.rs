//! Calls: arguments flow into parameters, results flow back. Library functions have flows of their own.

use super::{Call, OUTSIDE, PointsTo, PointsToNode, Shift};
use crate::c::primitives::Primitive;
use crate::c::translate::{ObjectKind, Target, primitive_of, site};
use crate::c::tree::{Expr, FunctionId, Type};

impl PointsTo<'_> {
    pub(super) fn direct(&mut self, call: &Expr, callee: FunctionId, arguments: &[Expr]) -> Vec<PointsToNode> {
        let declared = &self.unit.functions[callee.index()];
        let values: Vec<Vec<PointsToNode>> = arguments.iter().map(|argument| self.value(argument)).collect();
        let first = |n: usize| values.get(n).and_then(|nodes| nodes.first()).copied();
        match primitive_of(declared) {
            None if declared.body.is_some() => {
                let result = self.new_value(&call.ty);
                self.link(callee, &values, &result, false);
                return result;
            }
            Some(Primitive::Start) => {
                self.handles.extend(first(0));
                if let (Some(start), Some(argument)) = (first(1), values.get(2)) {
                    let call = Call { arguments: vec![argument.clone()], result: Vec::new(), thread: true };
                    self.call_through(start, call);
                }
            }
            Some(Primitive::Allocate(_)) => {
                let object = self.objects.of(ObjectKind::Heap(site(call)));
                let node = self.node();
                self.add(node, Target::at(object, Some(0)));
                return vec![node];
            }
            Some(Primitive::Join) => return vec![self.joined],
            Some(Primitive::ExitThread) => {
                if let Some(value) = first(0) {
                    self.copy(value, self.joined, None);
                }
            }
            Some(Primitive::Copy) => {
                if let (Some(to), Some(from)) = (first(0), first(1)) {
                    self.moves.push((to, from));
                    return vec![to];
                }
            }
            Some(Primitive::Fill) => {
                if let Some(value) = first(0) {
                    return vec![value];
                }
            }
            // A pointer may be moved as an integer.
            Some(Primitive::Wrapping(_)) => {
                let node = self.node();
                for from in [first(0), first(1)].into_iter().flatten() {
                    self.copy(from, node, None);
                    self.copy(from, node, Some(Shift::Stride(1)));
                }
                return vec![node];
            }
            _ => {}
        }
        if primitive_of(declared).is_none() {
            self.given.extend(values.iter().flatten());
        }
        (0..self.width(&call.ty)).map(|_| self.outside()).collect()
    }

    pub(super) fn indirect(&mut self, callee: &Expr, arguments: &[Expr], ty: &Type) -> Vec<PointsToNode> {
        let node = self.single(callee);
        let arguments = arguments.iter().map(|argument| self.value(argument)).collect();
        let result = self.new_value(ty);
        self.call_through(node, Call { arguments, result: result.clone(), thread: false });
        result
    }

    /// A value that the program does not know.
    pub(super) fn outside(&mut self) -> PointsToNode {
        let node = self.node();
        self.add(node, OUTSIDE);
        node
    }

    fn call_through(&mut self, node: PointsToNode, call: Call) {
        for target in self.sets[node.0 as usize].clone() {
            self.call_target(target, &call);
        }
        self.leaving[node.0 as usize].calls.push(call);
    }

    /// Connects a call with a function that has a body.
    pub(super) fn link(
        &mut self,
        callee: FunctionId,
        arguments: &[Vec<PointsToNode>],
        result: &[PointsToNode],
        thread: bool,
    ) {
        let declared = &self.unit.functions[callee.index()];
        if declared.body.is_none() {
            return;
        }
        for (&parameter, values) in declared.parameters.iter().zip(arguments) {
            let object = self.variable(parameter);
            for (leaf, &value) in values.iter().enumerate() {
                let to = self.content(object, leaf);
                self.copy(value, to, None);
            }
        }
        let values = self.result(callee);
        for (&from, &to) in values.iter().zip(result) {
            self.copy(from, to, None);
        }
        if thread {
            values.into_iter().for_each(|from| self.copy(from, self.joined, None));
        }
    }
}
