//! Objects whose addresses the program looks at: calculates with, orders, compares with numbers. C leaves open what it finds there.
//!
//! What is only passed on, compared for equality with other addresses, or moved inside of one object is not looked at. Pointers that can
//! mean the same objects are taken to be into one of them when they are ordered: otherwise C does not define it.

use super::PointsTo;
use crate::c::translate::{Met, ObjectId, ObjectKind, Scalar, walk};
use crate::c::tree::{BinaryOp, Callee, CompareOp, Expr, ExprKind, FunctionId, Place, PlaceKind, Stmt, StmtKind, Type};
use braid_program::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The objects, with the first place where the program looks.
#[derive(Default, Debug)]
pub struct Observed {
    /// At all.
    pub looked_at: FxHashMap<ObjectKind, Span>,
    /// At which of two is less, or how far they are apart.
    pub ordered: FxHashMap<ObjectKind, Span>,
    /// Allocations whose blocks are compared with each other.
    pub compared: FxHashSet<ObjectKind>,
    /// Two allocations whose addresses are compared as numbers, and where.
    pub elsewhere: Vec<([ObjectKind; 2], Span)>,
    /// Allocations whose blocks are freed.
    pub freed: FxHashSet<ObjectKind>,
    /// Allocations whose blocks get another size.
    pub resized: FxHashSet<ObjectKind>,
}

impl PointsTo<'_> {
    /// What the functions look at.
    pub fn observed(&self, functions: &[FunctionId]) -> Observed {
        let mut observed = Observed::default();
        walk::functions(self.objects.layouts.unit, functions, &mut |_, met, _| match met {
            Met::Expr(expr) => self.look(expr, &mut observed),
            Met::Place(Place { kind: PlaceKind::Element(_, index), .. }) => self.calculated(&[index], &mut observed),
            Met::Stmt(Stmt { kind: StmtKind::Switch(value, _), .. }) => self.calculated(&[value], &mut observed),
            _ => {}
        });
        observed
    }

    /// The objects that an expression may point to, in order.
    pub fn objects_at(&self, expr: &Expr) -> Vec<ObjectId> {
        let mut objects: Vec<ObjectId> = self.targets(expr).iter().map(|target| target.object).collect();
        objects.dedup();
        objects
    }

    /// The bits of all addresses in the expressions are looked at.
    fn calculated(&self, exprs: &[&Expr], observed: &mut Observed) {
        for expr in exprs {
            for object in self.objects_at(expr) {
                observed.looked_at.entry(self.objects.get(object).kind).or_insert(expr.span);
            }
        }
    }

    /// Two addresses are ordered, as pointers or as numbers.
    fn ordered(&self, a: &Expr, b: &Expr, observed: &mut Observed) {
        let (mut left, right) = (self.objects_at(a), self.objects_at(b));
        let pointers = matches!((&a.ty, &b.ty), (Type::Pointer(_), Type::Pointer(_)));
        let is_many = |&object: &ObjectId| self.objects.get(object).many;
        let same = left.len() == right.len() && left.iter().all(|object| right.contains(object));
        if same && (pointers || left.len() == 1 && !is_many(&left[0])) {
            return;
        }
        left.extend(right);
        for object in left.into_iter().filter(|object| !pointers || !is_many(object)) {
            let kind = self.objects.get(object).kind;
            observed.looked_at.entry(kind).or_insert(a.span);
            observed.ordered.entry(kind).or_insert(a.span);
        }
    }

    fn look(&self, expr: &Expr, observed: &mut Observed) {
        let is_zero = |expr: &Expr| matches!(&walk::uncast(expr).kind, ExprKind::Int(value) if value.is_zero());
        match &expr.kind {
            ExprKind::Compare(CompareOp::Equal | CompareOp::NotEqual, a, b) => {
                let (left, right) = (self.objects_at(a), self.objects_at(b));
                // An address that is kept in a variable may be one of a block that is gone. A comparison with what is in memory
                // now is one of live blocks, unless it is a compare-and-swap, which has both in variables.
                let is_kept = |expr: &Expr| match &walk::uncast(expr).kind {
                    ExprKind::Load(place) => walk::root(place).is_some(),
                    _ => false,
                };
                let both = left.iter().filter(|object| right.contains(object) && is_kept(a) && is_kept(b));
                observed.compared.extend(both.map(|&object| self.objects.get(object).kind));
                let heap = |objects: &[ObjectId]| {
                    let kinds = objects.iter().map(|&object| self.objects.get(object).kind);
                    kinds.filter(|kind| matches!(kind, ObjectKind::Heap(_))).collect::<Vec<_>>()
                };
                if !matches!((&a.ty, &b.ty), (Type::Pointer(_), _) | (_, Type::Pointer(_))) {
                    let pairs = heap(&left).into_iter().flat_map(|a| heap(&right).into_iter().map(move |b| [a, b]));
                    observed.elsewhere.extend(pairs.filter(|[a, b]| a != b).map(|pair| (pair, expr.span)));
                }
                let alone = left.is_empty() != right.is_empty();
                if alone && !matches!(a.ty, Type::Pointer(_)) && !is_zero(a) && !is_zero(b) {
                    self.calculated(&[a, b], observed);
                }
            }
            ExprKind::Compare(_, a, b) => self.ordered(a, b, observed),
            ExprKind::Binary(BinaryOp::Subtract, a, b)
                if !self.objects_at(a).is_empty() && !self.objects_at(b).is_empty() =>
            {
                self.ordered(a, b, observed);
            }
            ExprKind::Binary(_, a, b) => self.calculated(&[a, b], observed),
            ExprKind::Unary(_, a) => self.calculated(&[a], observed),
            ExprKind::Update { value, pointer_size: None, .. } => self.calculated(&[expr, value], observed),
            ExprKind::Update { value: count, .. } | ExprKind::PointerAdd { count, .. } => {
                self.calculated(&[count], observed);
            }
            ExprKind::Call(Callee::Direct(callee), arguments) => {
                let name = self.objects.layouts.unit.functions[callee.index()].name.as_str();
                let kinds = |pointer| self.objects_at(pointer).into_iter().map(|object| self.objects.get(object).kind);
                match (name, &arguments[..]) {
                    ("free" | "kfree" | "cfree", [pointer]) => observed.freed.extend(kinds(pointer)),
                    ("__braid_stays", [pointer, _]) => observed.resized.extend(kinds(pointer)),
                    _ => {}
                }
            }
            ExprKind::Cast(inner) => {
                let pointer = Scalar::pointer(self.objects.layouts.unit.data_model).bits();
                if matches!(expr.ty, Type::Int { bits, .. } if bits < pointer) {
                    self.calculated(&[inner], observed);
                }
            }
            _ => {}
        }
    }
}
