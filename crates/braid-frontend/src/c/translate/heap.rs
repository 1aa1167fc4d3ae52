//! What allocations hold: the type that the memory is used as, and whether there is one object or any number.

use super::call_graph::CallGraph;
use super::layout::Layouts;
use super::library::primitive_of;
use super::objects::{HeapType, Site, site};
use super::points_to::PointsTo;
use super::walk::{self, Met};
use crate::c::primitives::{Allocation, Primitive};
use crate::c::tree::{Callee, Expr, ExprKind, FunctionId, Qualified, Type, Unit};
use rustc_hash::FxHashMap;

/// The allocations of the functions.
pub fn types(
    unit: &Unit,
    functions: &[FunctionId],
    points: &PointsTo<'_>,
    graph: &CallGraph,
) -> FxHashMap<Site, HeapType> {
    let layouts = Layouts { unit, floats_are_bits: true };
    let used_as = points.heap_types();
    let mut known = FxHashMap::default();
    for &function in functions {
        let Some(body) = &unit.functions[function.index()].body else { continue };
        walk::body(body, &mut |met, context| {
            let Met::Expr(call) = met else { return };
            let ExprKind::Call(Callee::Direct(callee), arguments) = &call.kind else { return };
            let declared = &unit.functions[callee.index()];
            let Some(Primitive::Allocate(allocation)) = primitive_of(declared) else { return };
            let complete = |ty: &&Type| layouts.size(ty) > 0 && layouts.leaves(ty).is_some();
            let types = used_as.get(&site(call)).map(Vec::as_slice).unwrap_or_default();
            // A record says more than a scalar, and of two records the larger one more than the other.
            let rank = |ty: &&Type| (matches!(ty, Type::Record(_)), layouts.size(ty));
            let Some(ty) = types.iter().filter(complete).max_by_key(rank) else { return };
            let once = graph.runs_once(function) && !context.repeats;
            let bytes = allocated(&declared.name, arguments);
            let zeroed = allocation == Allocation::Zeroed;
            let count = bytes.and_then(|bytes| {
                let size = layouts.size(ty);
                (size > 0 && bytes.is_multiple_of(size) && bytes > 0).then_some(bytes / size)
            });
            let element = || Qualified { ty: ty.clone(), atomic: false, volatile: false, constant: false };
            let (ty, many) = match count {
                Some(1) if once => (ty.clone(), false),
                Some(count) if once => (Type::Array(Box::new(element()), Some(count)), false),
                _ => (ty.clone(), true),
            };
            known.insert(site(call), HeapType { ty, many, bytes, zeroed });
        });
    }
    known
}

/// The bytes that a call allocates, if they are constant.
fn allocated(name: &str, arguments: &[Expr]) -> Option<u64> {
    let constant = |expr: &Expr| match &walk::uncast(expr).kind {
        ExprKind::Int(value) => value.to_i64().and_then(|value| u64::try_from(value).ok()),
        ExprKind::Binary(crate::c::tree::BinaryOp::Multiply, a, b) => {
            let factor = |expr: &Expr| match &walk::uncast(expr).kind {
                ExprKind::Int(value) => value.to_i64().and_then(|value| u64::try_from(value).ok()),
                _ => None,
            };
            factor(a)?.checked_mul(factor(b)?)
        }
        _ => None,
    };
    match (name, arguments) {
        ("calloc", [count, size]) => constant(count)?.checked_mul(constant(size)?),
        (_, [size, ..]) => constant(size),
        _ => None,
    }
}
