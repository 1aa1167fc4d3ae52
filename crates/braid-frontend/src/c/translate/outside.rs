//! Functions without a body and without a model. They return anything of their type, and may write what their arguments reach.
//!
//! What is reached is decided by the values of pointers, not by the points-to sets alone: an object that a pointer only could have
//! meant keeps its value, so that a violation needs no effect that no function could have. *Invariant*: no address is made up. What
//! holds an address keeps it or becomes null, and locks stay as they are; both are assumptions.

use super::build;
use super::cells::{self, Cell};
use super::layout::Leaf;
use super::library::LibraryCall;
use super::objects::{Object, ObjectId, ObjectKind};
use super::place::Location;
use super::points_to::Target;
use super::scalar::{Scalar, Value};
use super::walk::{root, uncast};
use super::{Result, Stop, Translator, reject};
use crate::c::primitives::is_of_a_known_library;
use crate::c::tree::{CompareOp, Expr, ExprKind, Qualified, Storage, Type};
use crate::diagnostic::Diagnostic;
use crate::{Assumption, Effect};
use braid_program::ast::{self, Stmt, StmtKind};
use braid_program::source::Span;

/// Elements of an array that are written one by one.
const MOST_ELEMENTS: u64 = 16;
/// Objects that one call may reach.
const MOST_OBJECTS: u32 = 64;

/// A pointer that a function can use.
struct Way {
    address: ast::Expr,
    targets: Vec<Target>,
    /// The variable that it is known to point into, if it stands there by name.
    named: Option<ObjectId>,
    /// Does it point to `const`?
    constant: bool,
    atomic: bool,
}

/// What a call has done so far.
struct Visit<'a> {
    call: LibraryCall<'a>,
    /// Does it write, or only read?
    writes: bool,
    /// The objects on the way to what is being visited.
    path: Vec<ObjectId>,
    visited: u32,
}

impl Translator<'_, '_> {
    /// A call of a function of which nothing is known.
    pub(super) fn unknown(&mut self, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        if is_of_a_known_library(call.name) {
            return reject(call.expr.span, format!("`{}` is not supported", call.name));
        }
        // It could call what it is given, or join it: neither with nor without that, an answer could be relied on.
        for argument in call.arguments {
            if let Some(function) = self.points.reachable_function(argument) {
                let (callee, name) = (call.name, &self.unit.functions[function.index()].name);
                return reject(argument.span, format!("`{callee}` has no body, and could call `{name}`"));
            }
            if self.graph.has_threads && self.points.is_handle(argument) {
                return reject(argument.span, format!("`{}` has no body, and could join a thread", call.name));
            }
        }
        let named = self.options.externs.named(call.name);
        let effect = named.unwrap_or(self.options.externs.others());
        self.assumptions.insert(Assumption::Outside { effect, name: call.name.to_owned() });
        let reads = named.is_some() || effect != Effect::Pure;
        self.outside(call, effect, reads)?;
        self.any_result(call)
    }

    /// Evaluates the arguments, each once and in order, and then lets the function do what it may: read what they reach, if it
    /// does that at all, and have its effect.
    pub(super) fn outside(&mut self, call: LibraryCall<'_>, effect: Effect, reads: bool) -> Result<()> {
        let writes = effect != Effect::Pure;
        let mut ways = Vec::new();
        for argument in call.arguments {
            match writes || (reads && self.watches()) {
                true => self.ways(argument, &mut ways)?,
                false => self.read_argument(argument)?,
            }
        }
        let mut visit = Visit { call, writes, path: Vec::new(), visited: 0 };
        for way in &ways {
            self.follow_way(way, &mut visit)?;
        }
        if effect == Effect::Anything {
            for object in self.statics_known() {
                let location = Location::object(object);
                let constant = self.is_constant(object);
                self.visit(object, &location, constant, &mut visit)?;
            }
        }
        Ok(())
    }

    /// Evaluates an argument; adds the pointers that it hands over.
    fn ways(&mut self, argument: &Expr, ways: &mut Vec<Way>) -> Result<()> {
        let span = argument.span;
        let Some(scalar) = self.scalar(&argument.ty) else {
            // Of a struct or union any part can be a pointer to whatever any part points to.
            let targets = self.points.targets_in_record(argument);
            if targets.is_empty() {
                return self.read_argument(argument);
            }
            let values = self.record(argument)?;
            let pointers = values.into_iter().filter(|value| value.expr.ty == self.ints.ty(self.pointer()));
            ways.extend(pointers.map(|value| Way {
                address: value.expr,
                targets: targets.clone(),
                named: None,
                constant: false,
                atomic: false,
            }));
            return Ok(());
        };
        let targets = self.points.targets(argument);
        if targets.is_empty() || matches!(scalar, Scalar::Float | Scalar::Bool) {
            return self.read_argument(argument);
        }
        let value = self.value(argument)?;
        let value = self.settled(value, span);
        let address = self.ints.convert(scalar, self.pointer(), value, span).expr;
        let named = match &uncast(argument).kind {
            ExprKind::AddressOf(place) => root(place).map(|id| self.points.objects.of(ObjectKind::Variable(id))),
            _ => None,
        };
        let (constant, atomic) = match &argument.ty {
            Type::Pointer(pointee) => (pointee.constant, pointee.atomic),
            _ => (false, false),
        };
        ways.push(Way { address, targets, named, constant, atomic });
        Ok(())
    }

    /// Visits the object that a pointer points to, whichever it is.
    fn follow_way(&mut self, way: &Way, visit: &mut Visit<'_>) -> Result<()> {
        let span = visit.call.expr.span;
        let mut targets = way.targets.clone();
        targets.dedup_by_key(|target| target.object);
        for target in targets {
            let described = self.points.objects.get(target.object).clone();
            // Nobody looks into memory without a type.
            let is_object = matches!(described.kind, ObjectKind::Variable(_) | ObjectKind::Heap(_));
            if !is_object || described.leaves.is_empty() {
                continue;
            }
            let is_single = !described.many && !self.is_per_thread(target.object);
            let is_named = way.named == Some(target.object);
            if visit.path.contains(&target.object) {
                match is_single || is_named {
                    true => continue,
                    false => return too_much(&visit.call),
                }
            }
            visit.visited += 1;
            if visit.visited > MOST_OBJECTS {
                return too_much(&visit.call);
            }
            if !is_named {
                self.learned.through_pointers.insert(described.kind);
            }
            let (location, guard) = match is_single || is_named {
                true => {
                    let guard = if is_named { None } else { Some(self.points_into(way, target.object, span)?) };
                    (Location::object(target.object), guard)
                }
                false => {
                    let all = way.targets.iter().filter(|other| other.object == target.object).count();
                    let (Some(position), 1, true) = (target.position, all, is_alone(&described)) else {
                        return too_much(&visit.call);
                    };
                    let (low, high) = self.region(target.object);
                    let guard = self.between(&way.address, low, high, span);
                    let start = self.displaced(way.address.clone(), -(position as i64), &[], span);
                    (Location::at(start, target.object), Some(guard))
                }
            };
            let location = if way.atomic { location.into_atomic() } else { location };
            let constant = way.constant || self.is_constant(target.object);
            let (stmts, ()) = self.apart(|t| t.visit(target.object, &location, constant, visit))?;
            match guard {
                _ if stmts.is_empty() => {}
                Some(guard) => self.branch(guard, stmts, Vec::new(), span),
                None => self.out.extend(stmts),
            }
        }
        Ok(())
    }

    /// Does a pointer point into an object that exists once?
    fn points_into(&mut self, way: &Way, object: ObjectId, span: Span) -> Result<ast::Expr> {
        let start = self.address(object, span)?;
        let size = self.points.objects.get(object).size.max(1) as i64;
        let end = self.displaced(start.clone(), size, &[], span);
        let scalar = self.pointer();
        let above = self.ints.compare(CompareOp::LessEqual, scalar, start, way.address.clone(), span);
        let below = self.ints.compare(CompareOp::Less, scalar, way.address.clone(), end, span);
        Ok(build::and(above, below, span))
    }

    fn between(&self, value: &ast::Expr, low: i64, high: i64, span: Span) -> ast::Expr {
        let number = |n: i64| self.number(self.pointer(), n, span).expr;
        let compare = |op, a, b| self.ints.compare(op, self.pointer(), a, b, span);
        let above = compare(CompareOp::LessEqual, number(low), value.clone());
        build::and(above, compare(CompareOp::Less, value.clone(), number(high)), span)
    }

    /// Reads and writes an object, after what its pointers lead to.
    fn visit(&mut self, object: ObjectId, at: &Location, constant: bool, visit: &mut Visit<'_>) -> Result<()> {
        let span = visit.call.expr.span;
        if self.graph.has_threads && self.points.holds_handle(object) {
            return reject(span, format!("`{}` has no body, and could join a thread", visit.call.name));
        }
        let described = self.points.objects.get(object).clone();
        visit.path.push(object);
        for (number, leaf) in described.leaves.iter().enumerate() {
            let targets = self.points.targets_of_leaf(object, number);
            if leaf.opaque || targets.is_empty() || !self.is_used(leaf) {
                continue;
            }
            let Some(places) = self.elements(&described, leaf, at, span) else { return too_much(&visit.call) };
            let (atomic, constant) = self.qualifiers(&described, leaf);
            for place in places {
                let place = if atomic { place.into_atomic() } else { place };
                let value = self.load(&place, leaf.scalar, span)?;
                let value = self.settled(value, span);
                let address = self.ints.convert(leaf.scalar, self.pointer(), value, span).expr;
                let way = Way { address, targets: targets.clone(), named: None, constant, atomic: false };
                self.follow_way(&way, visit)?;
            }
        }
        visit.path.pop();
        let writes = visit.writes && !constant;
        for (number, leaf) in described.leaves.iter().enumerate() {
            if leaf.opaque || !self.is_used(leaf) {
                self.assumptions.extend((leaf.opaque && writes).then_some(Assumption::LocksStay));
                continue;
            }
            let at = if self.qualifiers(&described, leaf).0 { at.clone().into_atomic() } else { at.clone() };
            match self.elements(&described, leaf, &at, span) {
                Some(places) => {
                    for place in places {
                        self.touch(object, number, &place, writes, &visit.call)?;
                    }
                }
                None if leaf.dimensions.iter().skip(usize::from(described.many)).any(|d| d.count.is_none()) => {
                    return too_much(&visit.call);
                }
                None => self.touch_array(object, number, &at, writes, &visit.call)?,
            }
        }
        Ok(())
    }

    /// One value that the function reads, and writes if it may.
    fn touch(
        &mut self,
        object: ObjectId,
        leaf: usize,
        place: &Location,
        writes: bool,
        call: &LibraryCall<'_>,
    ) -> Result<()> {
        let span = call.expr.span;
        let scalar = self.points.objects.get(object).leaves[leaf].scalar;
        if !writes {
            return if self.watches() { self.load(place, scalar, span).map(drop) } else { Ok(()) };
        }
        let name = format!("{}()->{}", call.name, self.name(object, leaf, None));
        let value = if self.holds_address(object, leaf) {
            self.assumptions.insert(Assumption::PointersStay);
            let old = self.load(place, scalar, span)?;
            let old = self.settled(old, span);
            let stays = self.chosen(name, Scalar::Bool, span);
            let stays = self.ints.truth(Scalar::Bool, &stays, span);
            let expr = build::ite(stays, old.expr, self.number(scalar, 0, span).expr, span);
            self.ints.any(scalar, expr, false)
        } else if scalar == Scalar::Float {
            self.number(scalar, 0, span)
        } else {
            self.chosen(name, scalar, span)
        };
        self.store(place, scalar, value, span).map(drop)
    }

    /// The same for an array of many elements: as a whole where it is one variable, else any elements, one after the other.
    fn touch_array(
        &mut self,
        object: ObjectId,
        leaf: usize,
        at: &Location,
        writes: bool,
        call: &LibraryCall<'_>,
    ) -> Result<()> {
        let span = call.expr.span;
        let described = self.points.objects.get(object).clone();
        let part = &described.leaves[leaf];
        let pointer = self.pointer();
        if !self.watches() && (!writes || part.scalar == Scalar::Float) {
            return Ok(());
        }
        let dimensions = &part.dimensions[usize::from(described.many)..];
        let mut indices = Vec::new();
        for dimension in dimensions {
            let index = self.temporary(self.ints.ty(pointer), span);
            indices.push((index, *dimension));
        }
        let places: Vec<(ast::Expr, u64)> = indices.iter().map(|(id, d)| (self.var(*id, span), d.stride)).collect();
        if at.is_object() && !self.watches() && !self.holds_address(object, leaf) {
            let slot = self.slot(object, leaf, &places, span)?;
            if let Cell::Element { array, .. } = slot.cell
                && !self.cells.arrays.values().any(|known| *known == array)
            {
                self.learned.outside.insert(described.kind);
                let name = format!("{}()->{}", call.name, self.name(object, leaf, None));
                let storage = ast::Storage::Local(self.frame.procedure);
                let new = self.declare(name, self.variables[array.index()].ty.clone(), storage, span);
                self.emit(StmtKind::Havoc(vec![new]), span);
                let new = self.var(new, span);
                self.assign(array, new, span);
                return Ok(());
            }
        }
        let again = self.temporary(ast::Type::Bool, span);
        self.emit(StmtKind::Havoc(vec![again]), span);
        let (stmts, ()) = self.apart(|t| {
            for (index, dimension) in &indices {
                t.emit(StmtKind::Havoc(vec![*index]), span);
                let index = t.var(*index, span);
                let inside = t.between(&index, 0, dimension.count.unwrap_or(0) as i64, span);
                t.assume(inside, span);
            }
            t.touch(object, leaf, &at.part(part.offset, places, part.bit_field), writes, call)?;
            t.emit(StmtKind::Havoc(vec![again]), span);
            Ok(())
        })?;
        let again = self.var(again, span);
        self.emit(StmtKind::While(again, Box::new(Stmt { kind: StmtKind::Seq(stmts), span })), span);
        Ok(())
    }

    /// The places of the elements of a leaf; none if there are many.
    fn elements(&self, object: &Object, leaf: &Leaf, at: &Location, span: Span) -> Option<Vec<Location>> {
        let dimensions = &leaf.dimensions[usize::from(object.many)..];
        let total = cells::elements(dimensions).filter(|&total| total <= MOST_ELEMENTS)?;
        let place = |number: u64| {
            let (mut rest, mut indices) = (number, Vec::new());
            for dimension in dimensions.iter().rev() {
                let count = dimension.count.unwrap_or(1).max(1);
                indices.push((self.number(self.pointer(), (rest % count) as i64, span).expr, dimension.stride));
                rest /= count;
            }
            indices.reverse();
            at.part(leaf.offset, indices, leaf.bit_field)
        };
        Some((0..total).map(place).collect())
    }

    /// Of members of a union that overlap, only those that the program uses have values.
    fn is_used(&self, leaf: &Leaf) -> bool {
        leaf.overlaps.iter().all(|(record, member)| self.decisions.unions.get(record) == Some(member))
    }

    fn holds_address(&self, object: ObjectId, leaf: usize) -> bool {
        let is_pointer = matches!(self.points.objects.get(object).leaves[leaf].scalar, Scalar::Pointer(_));
        is_pointer || !self.points.targets_of_leaf(object, leaf).is_empty()
    }

    fn is_constant(&self, object: ObjectId) -> bool {
        match self.points.objects.get(object).kind {
            ObjectKind::Variable(id) => self.unit.variables[id.index()].ty.constant,
            _ => false,
        }
    }

    /// Is a leaf of an atomic type, and does it point to `const`?
    fn qualifiers(&self, object: &Object, leaf: &Leaf) -> (bool, bool) {
        let (mut ty, mut offset) = (&object.ty, leaf.offset);
        let mut atomic = match object.kind {
            ObjectKind::Variable(id) => self.unit.variables[id.index()].ty.atomic,
            _ => false,
        };
        loop {
            let inner: Option<&Qualified> = match ty {
                Type::Array(element, _) => {
                    offset %= self.points.objects.layouts.size(&element.ty).max(1);
                    Some(element)
                }
                Type::Record(record) => {
                    let fields = &self.unit.records[record.index()].fields;
                    let field = fields.iter().rfind(|field| field.offset <= offset);
                    offset -= field.map_or(0, |field| field.offset);
                    field.map(|field| &field.ty)
                }
                Type::Pointer(pointee) => return (atomic, pointee.constant),
                _ => None,
            };
            let Some(inner) = inner else { return (atomic, false) };
            atomic |= inner.atomic;
            ty = &inner.ty;
        }
    }

    /// All objects with static storage that the program uses.
    fn statics_known(&self) -> Vec<ObjectId> {
        let is_static = |object: &Object| match object.kind {
            ObjectKind::Variable(id) => !matches!(self.unit.variables[id.index()].storage, Storage::Local(_)),
            _ => false,
        };
        let objects = (0..).map(ObjectId).zip(&self.points.objects.list);
        objects.filter(|(_, object)| is_static(object) && !object.leaves.is_empty()).map(|(id, _)| id).collect()
    }

    /// Evaluates arguments whose values do not matter.
    pub(super) fn evaluate(&mut self, arguments: &[Expr]) -> Result<()> {
        arguments.iter().try_for_each(|argument| self.read_argument(argument))
    }

    pub(super) fn any_result(&mut self, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        // What the program asks for by `__VERIFIER_nondet_*` is no assumption.
        let name = match call.name.starts_with("__VERIFIER_") {
            true => "any".to_owned(),
            false => format!("{}()", call.name),
        };
        match (self.scalar(&call.expr.ty), &call.expr.ty) {
            (_, Type::Void) => Ok(Vec::new()),
            (Some(Scalar::Float), _) => Ok(vec![self.number(Scalar::Float, 0, span)]),
            (Some(scalar), _) => Ok(vec![self.chosen(name, scalar, span)]),
            (None, ty) => {
                let parts = self.parts(ty, span)?;
                Ok(parts.iter().map(|part| self.chosen(name.clone(), part.scalar, span)).collect())
            }
        }
    }
}

/// Is there only one object in each block, and nothing in it that is repeated?
fn is_alone(object: &Object) -> bool {
    let outer = usize::from(object.many);
    (!object.many || object.bytes == Some(object.size))
        && object.leaves.iter().all(|leaf| leaf.dimensions.len() == outer)
}

fn too_much<T>(call: &LibraryCall<'_>) -> Result<T> {
    let name = call.name;
    let message = format!("`{name}` has no body, and it is not known exactly what memory it could write");
    let hint = format!("if it writes nothing, say so: --extern {name}=pure");
    Err(Stop::Rejected(Diagnostic::new(call.expr.span, message).hint(hint)))
}
