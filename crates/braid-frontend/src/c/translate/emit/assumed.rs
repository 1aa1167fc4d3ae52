//! What the translation takes for granted, where the program gives reason to say it.

use crate::c::primitives::Primitive;
use crate::c::translate::{Met, ObjectId, ObjectKind, Translator, primitive_of, uncast, walk};
use crate::c::tree::{Callee, Expr, ExprKind, FunctionId, Place, PlaceKind, Type};
use crate::{Assumption, Effect};
use braid_program::ast::Check;

/// `memory_order_seq_cst`.
const STRONGEST: i64 = 5;

impl Translator<'_, '_> {
    /// All assumptions, in order; the functions are those that the program reaches.
    pub(crate) fn assumptions(mut self, functions: &[FunctionId]) -> Vec<Assumption> {
        let mut found = Vec::new();
        let names = || functions.iter().map(|id| &self.unit.functions[id.index()]).filter(|function| function.inline);
        let is_called = |name: &str| names().any(|function| function.name == name);
        found.extend(self.options.harness.has_any().then_some(Assumption::AnyArguments));
        let given = self.options.arguments.is_some();
        found.extend((!given && is_called("__arguments")).then_some(Assumption::Arguments));
        found.extend(is_called("getenv").then_some(Assumption::Environment));
        found.extend(is_called("sem_open").then_some(Assumption::NamedSemaphores));
        found.extend(is_called("getaddrinfo").then_some(Assumption::Addresses));
        walk::functions(self.unit, functions, &mut |function, met, _| {
            if let Met::Expr(expr) = met
                && !self.unit.functions[function.index()].inline
            {
                found.extend(self.called(expr));
                found.extend(self.is_unordered(expr).then_some(Assumption::Order));
                found.extend((self.graph.has_threads && self.tells_threads_apart(expr)).then_some(Assumption::Handles));
            }
        });
        self.assumptions.extend(found);
        let shared =
            (0..self.points.objects.list.len() as u32).map(ObjectId).any(|object| self.is_plainly_shared(object));
        self.assumptions.extend((shared && !self.checks(Check::Race)).then_some(Assumption::NoRaces));
        self.assumptions.extend(self.graph.has_threads.then_some(Assumption::Threads));
        for effect in [Effect::Pure, Effect::WritesArguments, Effect::Anything] {
            let called = self.outside_calls.iter().filter(|(_, known)| **known == effect);
            let names: Vec<String> = called.map(|(name, _)| name.clone()).collect();
            self.assumptions.extend((!names.is_empty()).then_some(Assumption::Outside { effect, names }));
        }
        self.assumptions.into_iter().collect()
    }

    /// What a call relies on.
    fn called(&self, expr: &Expr) -> Option<Assumption> {
        let ExprKind::Call(Callee::Direct(id), arguments) = &expr.kind else { return None };
        let function = &self.unit.functions[id.index()];
        if matches!(primitive_of(function), Some(Primitive::Allocate(_))) {
            return (!self.options.malloc_may_fail).then_some(Assumption::Allocation);
        }
        let name = function.name.as_str();
        let has_order = ["__atomic_", "__c11_atomic_"].iter().any(|prefix| name.starts_with(prefix));
        if !has_order || name.contains("lock_free") || name.ends_with("_init") {
            return None;
        }
        let orders = if name.contains("compare_exchange") { 2 } else { 1 };
        let is_weak = |order: &Expr| match &uncast(order).kind {
            ExprKind::Int(order) => order.to_i64() != Some(STRONGEST),
            _ => true,
        };
        arguments.iter().rev().take(orders).any(is_weak).then_some(Assumption::WeakOrders)
    }

    /// Does an expression ask which thread it runs in, or whether two handles are the same?
    fn tells_threads_apart(&self, expr: &Expr) -> bool {
        let is_handle = |expr: &Expr| !matches!(uncast(expr).ty, Type::Pointer(_)) && self.points.is_handle(expr);
        match &expr.kind {
            ExprKind::Call(Callee::Direct(id), _) => {
                let name = self.unit.functions[id.index()].name.as_str();
                ["pthread_self", "pthread_equal", "thrd_current", "thrd_equal"].contains(&name)
            }
            ExprKind::Compare(_, a, b) => is_handle(a) && is_handle(b),
            _ => false,
        }
    }

    /// May another thread access the object at the same time, without atomic operations?
    fn is_plainly_shared(&self, object: ObjectId) -> bool {
        let described = self.points.objects.get(object);
        let matters = match described.kind {
            ObjectKind::Variable(id) => self.unit.variables[id.index()].span.file < self.unit.prelude,
            kind => self.decisions.through_pointers.contains(&kind),
        };
        let is_plain = |leaf| !self.qualifiers(described, leaf).0;
        matters && self.is_shared(object) && described.leaves.iter().any(|leaf| !leaf.opaque && is_plain(leaf))
    }

    /// Are there two operands with effects whose order C leaves open?
    fn is_unordered(&self, expr: &Expr) -> bool {
        let operands: Vec<&Expr> = match &expr.kind {
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::PointerAdd { pointer: a, count: b, .. }
            | ExprKind::PointerDiff { left: a, right: b, .. } => vec![a, b],
            ExprKind::Assign(place, value) | ExprKind::Update { place, value, .. } => {
                indices(place).into_iter().chain([&**value]).collect()
            }
            ExprKind::Call(_, arguments) => arguments.iter().collect(),
            _ => return false,
        };
        operands.into_iter().filter(|operand| self.has_visible_effect(operand)).take(2).count() > 1
    }

    /// Does the evaluation change anything? Choosing any value does not.
    fn has_visible_effect(&self, expr: &Expr) -> bool {
        let has_effect = |expr: &Expr| match &expr.kind {
            ExprKind::Call(Callee::Direct(id), _) => {
                primitive_of(&self.unit.functions[id.index()]) != Some(Primitive::Nondet)
            }
            kind => matches!(kind, ExprKind::Assign(..) | ExprKind::Update { .. } | ExprKind::Call(..)),
        };
        Met::Expr(expr).any(&|met| matches!(met, Met::Expr(expr) if has_effect(expr)))
    }
}

/// The expressions that say which place it is.
fn indices(place: &Place) -> Vec<&Expr> {
    match &place.kind {
        PlaceKind::Variable(_) => Vec::new(),
        PlaceKind::Deref(pointer) => vec![pointer],
        PlaceKind::Field(inner, _) => indices(inner),
        PlaceKind::Element(inner, index) => indices(inner).into_iter().chain([&**index]).collect(),
    }
}
