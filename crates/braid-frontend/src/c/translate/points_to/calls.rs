//! Calls: arguments flow into parameters, results flow back. Library functions have flows of their own.

use super::{Analysis, Call, Node};
use crate::c::translate::library::{self, Flow};
use crate::c::translate::objects::{ObjectKind, site};
use crate::c::tree::{Expr, FunctionId, Type};

impl Analysis<'_> {
    pub(super) fn direct(
        &mut self,
        call: &Expr,
        callee: FunctionId,
        arguments: &[Expr],
        function: FunctionId,
    ) -> Vec<Node> {
        let declared = &self.unit.functions[callee.index()];
        let flow = library::flow(&declared.name, declared.body.is_some());
        if let Some(Flow::StartThread) = flow {
            let values: Vec<Vec<Node>> = arguments.iter().map(|argument| self.value(argument, function)).collect();
            self.handles.extend(values.first().and_then(|handle| handle.first()));
            if let [_, _, start, argument] = &values[..]
                && let [start] = start[..]
            {
                let call = Call { arguments: vec![argument.clone()], result: Vec::new(), thread: true };
                self.call_through(start, call);
            }
            return vec![self.node()];
        }
        let values: Vec<Vec<Node>> = arguments.iter().map(|argument| self.value(argument, function)).collect();
        let first = |n: usize| values.get(n).and_then(|nodes| nodes.first()).copied();
        match flow {
            None => {
                let result: Vec<Node> = (0..self.width(&call.ty)).map(|_| self.node()).collect();
                self.link(callee, &values, &result, false);
                return result;
            }
            Some(Flow::Allocate) => {
                let object = self.objects.of(ObjectKind::Heap(site(call)));
                let node = self.node();
                self.add(node, super::Target { object, position: Some(0) });
                return vec![node];
            }
            Some(Flow::Join) => {
                if let Some(to) = first(1) {
                    let access = self.pointer_access(self.joined);
                    self.store_through(to, access);
                }
            }
            Some(Flow::Exit) => {
                if let Some(value) = first(0) {
                    self.copy(value, self.joined, None);
                }
            }
            Some(Flow::CopyMemory) => {
                if let (Some(to), Some(from)) = (first(0), first(1)) {
                    self.moves.push((to, from));
                    return vec![to];
                }
            }
            Some(Flow::First) => {
                if let Some(value) = first(0) {
                    return vec![value];
                }
            }
            Some(Flow::SetSpecific) => {
                if let Some(value) = first(1) {
                    self.copy(value, self.specific, None);
                }
            }
            Some(Flow::GetSpecific) => return vec![self.specific],
            Some(Flow::Atomic) => {
                if let (Some(place), Some(Type::Pointer(pointee))) = (first(0), arguments.first().map(|a| &a.ty)) {
                    let old = self.load_through(place, &pointee.ty);
                    // Values, and pointers to values, come from and go to the other arguments.
                    for (argument, nodes) in arguments.iter().zip(&values).skip(1) {
                        let (Some(&node), Some(&old)) = (nodes.first(), old.first()) else { continue };
                        let access = self.pointer_access(node);
                        self.store_through(place, access);
                        if let Type::Pointer(inner) = &argument.ty {
                            let access = self.pointer_access(old);
                            self.store_through(node, access);
                            for value in self.load_through(node, &inner.ty) {
                                let access = self.pointer_access(value);
                                self.store_through(place, access);
                            }
                        }
                    }
                    if self.width(&call.ty) == 1 && old.len() == 1 {
                        return old;
                    }
                }
            }
            Some(Flow::CallFunction(argument)) => {
                if let Some(start) = first(argument) {
                    self.call_through(start, Call { arguments: Vec::new(), result: Vec::new(), thread: false });
                }
            }
            Some(Flow::MakeKey) => {
                if let Some(destructor) = first(1) {
                    let arguments = vec![vec![self.specific]];
                    self.call_through(destructor, Call { arguments, result: Vec::new(), thread: false });
                }
            }
            Some(Flow::Nothing) | Some(Flow::StartThread) => {}
        }
        (0..self.width(&call.ty)).map(|_| self.node()).collect()
    }

    pub(super) fn indirect(
        &mut self,
        callee: &Expr,
        arguments: &[Expr],
        ty: &Type,
        function: FunctionId,
        thread: bool,
    ) -> Vec<Node> {
        let node = self.single(callee, function);
        let values = arguments.iter().map(|argument| self.value(argument, function)).collect();
        let result: Vec<Node> = (0..self.width(ty)).map(|_| self.node()).collect();
        self.call_through(node, Call { arguments: values, result: result.clone(), thread });
        result
    }

    fn call_through(&mut self, node: Node, call: Call) {
        for target in self.sets[node.0 as usize].clone() {
            self.call_target(target, &call);
        }
        self.calls[node.0 as usize].push(call);
    }

    /// Connects a call with a function that has a body.
    pub(super) fn link(&mut self, callee: FunctionId, arguments: &[Vec<Node>], result: &[Node], thread: bool) {
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
            let joined = self.joined;
            for from in values {
                self.copy(from, joined, None);
            }
        }
    }
}
