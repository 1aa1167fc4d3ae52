//! Functions without a body and without a model. They return anything of their type, and may write what their arguments reach.
//!
//! What is reached is decided by the values of pointers, not by the points-to sets alone: an object that a pointer only could have
//! meant keeps its value, so that a violation needs no effect that no function could have. *Invariant*: no address is made up. What
//! holds an address keeps it or becomes null, and locks stay as they are; both are assumptions.

mod object;
mod reach;

use self::reach::Reach;
use crate::c::primitives::{is_numeric, is_of_a_known_library};
use crate::c::translate::{
    LibraryCall, Location, Object, ObjectId, ObjectKind, Result, Scalar, Stop, Target, Translator, Value, reject, root,
    uncast,
};
use crate::c::tree::{Expr, ExprKind, Storage, Type, Unit, VariableId};
use crate::diagnostic::{Diagnostic, Hint};
use crate::{Assumption, Effect};
use braid_program::ast;
use braid_program::source::Span;

/// Objects that one call may reach.
const MOST_OBJECTS: u32 = 64;

/// What makes files that a program can both write and read, and what reads them. Input is anything, which is wrong for its own output.
const CHANNELS: [&str; 10] =
    ["fopen", "fopen64", "freopen", "fdopen", "tmpfile", "open", "creat", "pipe", "socketpair", "mkstemp"];
const READERS: [&str; 5] = ["fgets", "fgetc", "getc", "read", "recv"];

/// Functions of the library that only answer, of which no more is known.
const QUESTIONS: [&str; 8] = ["feof", "ferror", "ftell", "ftello", "lseek", "isatty", "sysconf", "fileno"];

/// A pointer that a function can use.
struct Way {
    address: ast::Expr,
    /// Where on the machine it stands.
    reach: Reach,
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
    /// Where on the machine it is.
    reach: Reach,
    visited: u32,
}

impl Translator<'_, '_> {
    /// A call of a function of which nothing is known.
    pub(crate) fn unknown(&mut self, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        self.note_world(call.expr.span);
        let is_dropped = self.scalar(&call.expr.ty).is_some_and(|scalar| self.drops(scalar));
        let numeric = is_numeric(call.name);
        if (numeric && self.options.defined && !is_dropped) || (!numeric && is_of_a_known_library(call.name)) {
            return reject(call.expr.span, format!("`{}` is not supported", call.name));
        }
        let reads = |name: &str| READERS.contains(&name) || name.starts_with("__scan_");
        if CHANNELS.contains(&call.name) && self.unit.functions.iter().any(|f| f.body.is_some() && reads(&f.name)) {
            return reject(call.expr.span, format!("`{}` where input could be the program's own output", call.name));
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
        let declared = self.unit.functions.iter().find(|function| function.name == call.name);
        let promised = declared.is_some_and(|function| function.attributes.constant || function.attributes.pure);
        let promised = (promised || QUESTIONS.contains(&call.name)).then_some(Effect::Pure);
        let named = self.options.externs.named(call.name).or(promised);
        let effect = named.unwrap_or(self.options.externs.others());
        let again = self.outside_calls.insert(call.name.to_owned(), effect).is_some();
        let often = again || self.frame.repeats || !self.graph.runs_once(self.frame.function);
        let is_number = !matches!(call.expr.ty, Type::Void | Type::Float { .. });
        if often && is_number && declared.is_some_and(|function| function.attributes.constant) {
            let what = "has no body, is called more than once, and its result depends on its arguments alone";
            return reject(call.expr.span, format!("`{}` {what}", call.name));
        }
        let reads = named.is_some() || effect != Effect::Pure;
        self.outside(call, effect, reads)?;
        self.any_result(call)
    }

    /// Evaluates the arguments, each once and in order, and then lets the function do what it may: read what they reach, if it
    /// does that at all, and have its effect.
    pub(crate) fn outside(&mut self, call: LibraryCall<'_>, effect: Effect, reads: bool) -> Result<()> {
        let writes = effect != Effect::Pure;
        let mut ways = Vec::new();
        for (argument, reach) in call.arguments.iter().zip(reach::of_arguments(&call)) {
            match writes || (reads && self.watches()) {
                true => self.ways(argument, reach, &mut ways)?,
                false => self.read_argument(argument)?,
            }
        }
        let mut visit = Visit { call, writes, path: Vec::new(), reach: Reach::default(), visited: 0 };
        for way in &ways {
            self.follow_way(way, &mut visit)?;
        }
        if effect == Effect::Anything {
            for object in self.statics_known() {
                let location = Location::object(object);
                let constant = self.is_constant(object);
                visit.reach = Reach::of_variable(&self.object_name(object));
                self.visit(object, &location, constant, &mut visit)?;
            }
        }
        Ok(())
    }

    /// Evaluates an argument; adds the pointers that it hands over.
    fn ways(&mut self, argument: &Expr, reach: Reach, ways: &mut Vec<Way>) -> Result<()> {
        let span = argument.span;
        let Some(scalar) = self.scalar(&argument.ty) else {
            // Of a struct or union any part can be a pointer to whatever any part points to.
            let targets = self.points.targets_in_record(argument);
            if targets.is_empty() {
                return self.read_argument(argument);
            }
            let parts = self.parts(&argument.ty, span)?;
            for (value, part) in self.record(argument)?.into_iter().zip(parts) {
                if matches!(part.scalar, Scalar::Pointer(_)) {
                    let (address, targets, reach) = (value.expr, targets.clone(), Reach::default());
                    ways.push(Way { address, reach, targets, named: None, constant: false, atomic: false });
                }
            }
            return Ok(());
        };
        let targets = self.points.targets(argument);
        if targets.is_empty() || matches!(scalar, Scalar::Float(_) | Scalar::Bool) {
            return self.read_argument(argument);
        }
        let value = self.stable(argument, span)?;
        let address = self.ints.convert(scalar, self.pointer(), value, span).expr;
        let named = match &uncast(argument).kind {
            ExprKind::AddressOf(place) => root(place).map(|id| self.points.objects.of(ObjectKind::Variable(id))),
            _ => None,
        };
        let (constant, atomic) = match &argument.ty {
            Type::Pointer(pointee) => (pointee.constant, pointee.atomic),
            _ => (false, false),
        };
        ways.push(Way { address, reach, targets, named, constant, atomic });
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
            let is_single = !described.many && !self.is_numbered(target.object);
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
                    let position = target.position.filter(|_| all == 1 && is_flat(&described));
                    let fits = !described.many || described.bytes == Some(described.size);
                    let start = match position {
                        Some(position) => Some(self.difference(&way.address, &self.fixed(position as i64, span), span)),
                        None => self.block_start(target.object, &way.address, span)?,
                    };
                    let Some(start) = start.filter(|_| fits) else { return too_much(&visit.call) };
                    let (low, high) = self.region(target.object, span)?;
                    let guard = self.between(&way.address, self.fixed(low, span), self.fixed(high, span), span);
                    (Location::at(start, target.object), Some(guard))
                }
            };
            let location = if way.atomic { location.into_atomic() } else { location };
            let constant = way.constant || self.is_constant(target.object);
            let outer = std::mem::replace(&mut visit.reach, way.reach.clone());
            let (stmts, ()) = self.apart(|t| t.visit(target.object, &location, constant, visit))?;
            visit.reach = outer;
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
        Ok(self.between(&way.address, start, end, span))
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
            if described.in_bytes {
                return too_much(&visit.call);
            }
            let Some(places) = self.elements(&described, leaf, at, span) else { return too_much(&visit.call) };
            let (atomic, constant) = self.qualifiers(&described, leaf);
            for (number, place) in places.into_iter().enumerate() {
                let place = if atomic { place.into_atomic() } else { place };
                let value = self.load(&place, leaf.scalar, span)?;
                let value = self.settled(value, span);
                let address = self.ints.convert(leaf.scalar, self.pointer(), value, span).expr;
                let reach = visit.reach.through(&described, leaf, number as u64);
                let way = Way { address, reach, targets: targets.clone(), named: None, constant, atomic: false };
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
                    for (element, place) in places.iter().enumerate() {
                        let reach = visit.reach.element(&described, leaf, element as u64);
                        self.touch((object, number, &reach), place, writes, &visit.call)?;
                    }
                }
                None if leaf.dimensions.iter().skip(usize::from(described.many)).any(|d| d.count.is_none()) => {
                    return too_much(&visit.call);
                }
                None => self.touch_array(object, number, &at, writes, visit)?,
            }
        }
        Ok(())
    }

    /// All objects with static storage that the program uses.
    fn statics_known(&self) -> Vec<ObjectId> {
        let is_static = |object: &Object| match object.kind {
            ObjectKind::Variable(id) => is_visible(self.unit, id),
            _ => false,
        };
        let objects = (0..).map(ObjectId).zip(&self.points.objects.list);
        objects.filter(|(_, object)| is_static(object) && !object.leaves.is_empty()).map(|(id, _)| id).collect()
    }

    /// Evaluates arguments whose values do not matter.
    pub(crate) fn evaluate(&mut self, arguments: &[Expr]) -> Result<()> {
        arguments.iter().try_for_each(|argument| self.read_argument(argument))
    }

    pub(crate) fn any_result(&mut self, call: LibraryCall<'_>) -> Result<Vec<Value>> {
        let span = call.expr.span;
        // What the program asks for by `__VERIFIER_nondet_*` is no assumption.
        let name = match call.name.starts_with("__VERIFIER_") {
            true => "any".to_owned(),
            false => format!("{}()", call.name),
        };
        match (self.scalar(&call.expr.ty), &call.expr.ty) {
            (_, Type::Void) => Ok(Vec::new()),
            (Some(scalar), _) if self.drops(scalar) => Ok(vec![self.number(scalar, 0, span)]),
            (Some(scalar), _) => Ok(vec![self.chosen(name, scalar, span)]),
            (None, ty) => {
                let parts = self.parts(ty, span)?;
                Ok(parts.iter().map(|part| self.chosen(name.clone(), part.scalar, span)).collect())
            }
        }
    }
}

/// Is it one of the program's own variables with static storage?
pub(crate) fn is_visible(unit: &Unit, id: VariableId) -> bool {
    let variable = &unit.variables[id.index()];
    !matches!(variable.storage, Storage::Local(_)) && variable.span.file < unit.prelude
}

/// Is nothing in the object repeated?
fn is_flat(object: &Object) -> bool {
    object.leaves.iter().all(|leaf| leaf.dimensions.len() == usize::from(object.many))
}

fn too_much<T>(call: &LibraryCall<'_>) -> Result<T> {
    let name = call.name;
    let message = format!("`{name}` has no body, and it is not known exactly what memory it could write");
    Err(Stop::Rejected(Diagnostic::new(call.expr.span, message).hint(Hint::Pure(name.to_owned()))))
}
