//! What allocations hold: the type that the memory is used as, and whether there is one object or any number.

use crate::c::check::types::{UNSIGNED_CHAR, plain};
use crate::c::primitives::{Allocation, Primitive};
use crate::c::translate::{CallGraph, HeapType, Layouts, Met, ObjectKind, PointsTo, Site, primitive_of, site, walk};
use crate::c::tree::{Callee, Expr, ExprKind, FunctionId, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// Rounds before the analysis gives up, and before what changes once more is taken for any number of the larger type.
const ROUNDS: usize = 40;
const PATIENCE: usize = 4;

/// Who calls whom and how often, and what allocations hold. Each depends on the other: functions are called through pointers in allocated
/// memory, and how often a function runs says how many blocks it allocates. None if nothing comes to rest.
///
/// *Invariant*: the result is that of an analysis with itself as what is known, so no call is missed through what is in memory.
pub fn facts(
    layouts: Layouts<'_>,
    main: FunctionId,
    functions: &[FunctionId],
) -> Option<(CallGraph, FxHashMap<Site, HeapType>)> {
    let mut known = FxHashMap::default();
    for round in 0..ROUNDS {
        let points = PointsTo::of(layouts, functions, known.clone());
        let graph = CallGraph::of(layouts.unit, main, functions, &points);
        let mut found = types(functions, &points, &graph);
        if round >= PATIENCE {
            found.iter_mut().for_each(|(site, new)| settle(layouts, known.get(site), new));
        }
        if found == known {
            return Some((graph, known));
        }
        known = found;
    }
    None
}

/// What changes becomes larger only, so that it comes to rest.
fn settle(layouts: Layouts<'_>, old: Option<&HeapType>, new: &mut HeapType) {
    let Some(old) = old.filter(|old| *old != new) else { return };
    let element = |it: &HeapType| match &it.ty {
        Type::Array(element, _) if !it.many => element.ty.clone(),
        ty => ty.clone(),
    };
    let (before, now) = (element(old), element(new));
    new.ty = if rank(layouts, &before) >= rank(layouts, &now) { before } else { now };
    new.many = true;
}

/// A record says more than a scalar, and of two records the larger one more than the other.
fn rank(layouts: Layouts<'_>, ty: &Type) -> (bool, u64) {
    (matches!(ty, Type::Record(_)), layouts.size(ty))
}

/// The allocations of the functions.
fn types(functions: &[FunctionId], points: &PointsTo<'_>, graph: &CallGraph) -> FxHashMap<Site, HeapType> {
    let layouts = points.objects.layouts;
    let unit = layouts.unit;
    let used_as = points.heap_types();
    let resized = resized(functions, points);
    let mut known = FxHashMap::default();
    walk::functions(unit, functions, &mut |function, met, context| {
        let Met::Expr(call) = met else { return };
        let ExprKind::Call(Callee::Direct(callee), arguments) = &call.kind else { return };
        let declared = &unit.functions[callee.index()];
        let Some(Primitive::Allocate(allocation)) = primitive_of(declared) else { return };
        let complete = |ty: &&Type| layouts.size(ty) > 0 && layouts.leaves(ty).is_some();
        let types = used_as.get(&site(call)).map(Vec::as_slice).unwrap_or_default();
        let ty = types.iter().filter(complete).max_by_key(|ty| rank(layouts, ty)).unwrap_or(&UNSIGNED_CHAR);
        let once = graph.runs_once(function) && !context.repeats;
        let is_resized = resized.contains(&ObjectKind::Heap(site(call)));
        let bytes = allocated(layouts, &declared.name, arguments).filter(|_| !is_resized);
        let zeroed = allocation == Allocation::Zeroed;
        let frame_of = declared.name.ends_with("alloca").then_some(function);
        let automatic = frame_of.is_some() || declared.name == "__braid_allocate";
        let count = bytes.and_then(|bytes| {
            let size = layouts.size(ty);
            (size > 0 && bytes.is_multiple_of(size) && bytes > 0).then_some(bytes / size)
        });
        let (ty, many) = match count {
            Some(1) if once => (ty.clone(), false),
            Some(count) if once => (Type::Array(Box::new(plain(ty.clone())), Some(count)), false),
            _ => (ty.clone(), true),
        };
        known.insert(site(call), HeapType { ty, many, bytes, zeroed, automatic, frame_of, span: call.span });
    });
    known
}

/// The allocations whose blocks get another size, and whose addresses are compared.
fn resized(functions: &[FunctionId], points: &PointsTo<'_>) -> FxHashSet<ObjectKind> {
    let unit = points.objects.layouts.unit;
    if !unit.functions.iter().any(|function| primitive_of(function) == Some(Primitive::Stays)) {
        return FxHashSet::default();
    }
    let observed = points.observed(functions);
    observed.resized.intersection(&observed.compared).copied().collect()
}

/// The bytes that a call allocates, if they are constant.
fn allocated(layouts: Layouts<'_>, name: &str, arguments: &[Expr]) -> Option<u64> {
    let factors = if name == "calloc" { arguments } else { arguments.get(..1)? };
    let constant = |factor: &Expr| layouts.constant(factor).and_then(|value| u64::try_from(value).ok());
    factors.iter().try_fold(1u64, |product, factor| product.checked_mul(constant(factor)?))
}
