//! Declarations of local variables. Each time that one is passed, the variable is a new one: it has its initial value, or holds anything.

use crate::c::translate::{
    Cell, Extra, Ints, Location, MOST_ELEMENTS, Met, ObjectId, ObjectKind, Result, Role, Scalar, Slot, Translator,
    element_offsets, elements, walk,
};
use crate::c::tree::{self, Callee, Expr, ExprKind, Init, PlaceKind, Stmt, StmtKind, Unit, VariableId};
use braid_program::ast::{self, StmtKind as AstStmt, VarId, build};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// A local variable comes to life.
    pub(crate) fn declare_variable(&mut self, id: VariableId, init: Option<&Init>, span: Span) -> Result<()> {
        if !matches!(self.unit.variables[id.index()].storage, tree::Storage::Local(_)) {
            return Ok(());
        }
        match init {
            None => self.declare_open(id, None, span),
            Some(init) => {
                let object = self.points.objects.of(ObjectKind::Variable(id));
                self.renew(object, span)?;
                self.initialise(id, init, span)
            }
        }
    }

    /// How often a large array can be declared in one execution.
    pub(crate) fn most_declarations(&self) -> i64 {
        if self.pointer().bits() == 32 { 1 << 10 } else { 1 << 24 }
    }

    /// Is a variable a new object, elsewhere, each time that it is declared?
    pub(crate) fn is_renewed(&self, object: ObjectId) -> bool {
        self.decisions.renewed.contains(&self.points.objects.get(object).kind)
    }

    /// Is a variable one of several objects, each with its number?
    pub(crate) fn is_numbered(&self, object: ObjectId) -> bool {
        self.is_per_thread(object) || self.is_renewed(object)
    }

    /// The variable that holds the number of the last declaration.
    pub(crate) fn declaration_number(&mut self, object: ObjectId, span: Span) -> VarId {
        let key = (self.frame.procedure, object);
        if let Some(&known) = self.cells.numbers.get(&key) {
            return known;
        }
        let name = format!("{}.number", self.object_name(object));
        let number = self.local(name, ast::Type::Int, span);
        self.cells.numbers.insert(key, number);
        number
    }

    /// A variable is another object from now on, if it is one at each declaration.
    pub(crate) fn renew(&mut self, object: ObjectId, span: Span) -> Result<()> {
        match self.is_renewed(object) {
            true => self.count_declaration(object, span),
            false => Ok(()),
        }
    }

    /// The next number is the one of this declaration.
    pub(crate) fn count_declaration(&mut self, object: ObjectId, span: Span) -> Result<()> {
        let most = self.most_declarations();
        let count = self.extra(object, Extra::Declared, span);
        let number = self.declaration_number(object, span);
        self.atomically(span, |t| {
            let next = build::add(t.var(count, span), build::int(1, span), span);
            t.emit(AstStmt::Assign(vec![(number, t.var(count, span)), (count, next)]), span);
            Ok(())
        })?;
        let is_room = build::lt(self.var(number, span), build::int(most, span), span);
        let what = format!("a large array that is declared more than {most} times is not supported");
        let stop = ast::Stmt { kind: AstStmt::Unmodelled(what), span };
        self.branch(is_room, Vec::new(), vec![stop], span);
        Ok(())
    }

    /// A local variable without an initial value: it may hold anything, unless it is written before it is read.
    pub(crate) fn declare_open(&mut self, id: VariableId, rest: Option<&[Stmt]>, span: Span) -> Result<()> {
        let variable = &self.unit.variables[id.index()];
        self.frame.constants.remove(&id);
        if !matches!(variable.storage, tree::Storage::Local(_)) {
            return Ok(());
        }
        let object = self.points.objects.of(ObjectKind::Variable(id));
        let scalar = match self.scalar(&variable.ty.ty) {
            Some(scalar) if self.drops(scalar) => return Ok(()),
            Some(scalar) => scalar,
            None => {
                self.declare_parts(object, span)?;
                return self.note_length(id, object, span);
            }
        };
        self.renew(object, span)?;
        if rest.is_some_and(|rest| written_first(self.unit, id, rest)) {
            return Ok(());
        }
        self.begin_without_value(id, span);
        let location = Location::object(object);
        let slot = self.only_slot(&location, scalar, span)?;
        match slot {
            // Procedures start with anything in their variables.
            Some(Slot { cell: Cell::Variable(variable), .. }) => {
                let global = self.variables[variable.index()].storage == ast::Storage::Global;
                if self.frame.repeats || (global && !self.is_declared_once(object)) {
                    self.emit(AstStmt::Havoc(vec![variable]), span);
                }
                let value = self.var(variable, span);
                // Pointers may be outside of their range anyhow, where arithmetic has moved them. What others may write before it is
                // read is in its range when it is read.
                if matches!(scalar, Scalar::Int { .. }) && !self.is_open(object) {
                    let range = self.ints.in_range(scalar, &value, span);
                    range.into_iter().for_each(|range| self.emit(AstStmt::Assume(range), span));
                }
                Ok(())
            }
            _ if self.is_declared_once(object) && (self.ints == Ints::Bits || matches!(scalar, Scalar::Pointer(_))) => {
                Ok(())
            }
            _ => {
                let value = self.arbitrary(scalar, span);
                self.store(&location, scalar, value, span)?;
                self.begin_without_value(id, span);
                Ok(())
            }
        }
    }

    /// Is the declaration passed at most once, or once in each thread that has a variable of its own? Memory holds anything at first.
    pub(crate) fn is_declared_once(&self, object: ObjectId) -> bool {
        let own_thread = self.is_per_thread(object) && self.frame.role == Role::Thread;
        !self.frame.repeats && (own_thread || self.graph.runs_once(self.frame.function))
    }

    /// A leaf of an object in an array by address holds anything, at offsets from the object's start.
    pub(crate) fn havoc_at(&mut self, object: ObjectId, leaf: usize, start: &ast::Expr, at: &[u64], span: Span) {
        let slot = self.slot_at(object, leaf, start.clone());
        let Cell::Element { array, .. } = slot.cell else { return };
        let (mut contents, mut anything) = (self.var(array, span), Vec::new());
        for &offset in at {
            let temporary = self.temporary(self.ints.cell_type(slot.scalar), span);
            let at = self.displaced(start.clone(), offset as i64, &[], span);
            contents = build::store(contents, at, self.var(temporary, span), span);
            anything.push(temporary);
        }
        self.emit(AstStmt::Havoc(anything), span);
        self.assign(array, contents, span);
    }

    /// The variables that live where a `goto` jumps to, and not where it stands.
    pub(crate) fn declare_jumped_over(&mut self, label: tree::LabelId, goto: &Stmt) -> Result<()> {
        let Some(body) = &self.unit.functions[self.frame.function.index()].body else { return Ok(()) };
        let (mut there, mut here) = (Vec::new(), Vec::new());
        let is_label = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Label(own, _) if own == label);
        scope_at(body.iter().map(Met::Stmt), &is_label, &mut there);
        scope_at(body.iter().map(Met::Stmt), &|stmt| std::ptr::eq(stmt, goto), &mut here);
        there.retain(|id| !here.contains(id));
        there.into_iter().try_for_each(|id| self.declare_open(id, None, goto.span))
    }

    /// The variables that live at a case, and not in front of its `switch`.
    pub(crate) fn declare_before(&mut self, case: &Stmt, body: &Stmt) -> Result<()> {
        let mut there = Vec::new();
        scope_at([Met::Stmt(body)], &|stmt| std::ptr::eq(stmt, case), &mut there);
        there.into_iter().try_for_each(|id| self.declare_open(id, None, case.span))
    }

    /// An array, struct or union holds anything. What it holds is one of its type when it is read.
    fn declare_parts(&mut self, object: ObjectId, span: Span) -> Result<()> {
        if self.is_renewed(object) {
            return self.renew(object, span);
        }
        let described = self.points.objects.get(object).clone();
        let once = self.is_declared_once(object);
        let behind_pointers = self.decisions.through_pointers.contains(&described.kind);
        if once || !(self.frame.repeats || behind_pointers) {
            return Ok(());
        }
        let mut anything: Vec<VarId> = Vec::new();
        for (number, leaf) in described.leaves.iter().enumerate() {
            if leaf.opaque || self.drops(leaf.scalar) {
                continue;
            }
            let count = elements(&leaf.dimensions).filter(|&count| count <= MOST_ELEMENTS);
            let dimensional = !leaf.dimensions.is_empty();
            if self.is_per_thread(object) || (dimensional && behind_pointers) {
                let base = self.address(object, span)?;
                let slot = self.slot_at(object, number, base.clone());
                let Cell::Element { array, .. } = slot.cell else { continue };
                if !self.is_per_thread(object) && self.decisions.is_alone((described.kind, number)) {
                    anything.push(array);
                } else if count.is_some() {
                    let offsets: Vec<u64> = element_offsets(leaf).collect();
                    self.havoc_at(object, number, &base, &offsets, span);
                } else {
                    self.learned.renewed.insert(described.kind);
                    return Ok(());
                }
            } else if !dimensional {
                anything.push(self.variable(object, number, None));
            } else if let Some(count) =
                count.filter(|_| !described.in_bytes && !self.decisions.indexed.contains(&described.kind))
            {
                anything.extend((0..count).map(|at| self.variable(object, number, Some(at))));
            } else {
                anything.push(self.variable(object, number, Some(u64::MAX)));
            }
        }
        if !anything.is_empty() {
            self.emit(AstStmt::Havoc(anything), span);
        }
        Ok(())
    }
}

/// Collects the variables that live at a statement, which may stand in an expression; false if it is not there.
pub(crate) fn scope_at<'a>(
    parts: impl IntoIterator<Item = Met<'a>>,
    is: &dyn Fn(&Stmt) -> bool,
    scope: &mut Vec<VariableId>,
) -> bool {
    let outside = scope.len();
    for part in parts {
        if let Met::Stmt(Stmt { kind: StmtKind::Declare(id, _), .. }) = part {
            scope.push(*id);
        }
        let mut inside = part.children();
        // What stands first in a `for` lives in its body.
        if let Met::Stmt(Stmt { kind: StmtKind::For { init, .. }, .. }) = part
            && matches!(init.kind, StmtKind::Block(_))
        {
            inside.splice(..1, Met::Stmt(init).children());
        }
        if matches!(part, Met::Stmt(stmt) if is(stmt)) || scope_at(inside, is, scope) {
            return true;
        }
    }
    scope.truncate(outside);
    false
}

/// Is the variable surely written by the first of the statements that mentions it?
fn written_first(unit: &Unit, id: VariableId, rest: &[Stmt]) -> bool {
    let Some(first) = rest.iter().position(|stmt| mentions(Met::Stmt(stmt), id)) else { return true };
    let is_jump = |met: Met<'_>| matches!(met, Met::Stmt(Stmt { kind: StmtKind::Goto(_), .. }));
    if rest[..first].iter().any(|stmt| Met::Stmt(stmt).any(&is_jump)) {
        return false;
    }
    match &rest[first].kind {
        StmtKind::Expr(expr) | StmtKind::If(expr, ..) | StmtKind::While(expr, _) | StmtKind::Switch(expr, _) => {
            assigned_by(unit, id, expr)
        }
        StmtKind::For { init, .. } => {
            mentions(Met::Stmt(init), id) && written_first(unit, id, std::slice::from_ref(init))
        }
        StmtKind::Block(stmts) => written_first(unit, id, stmts),
        _ => false,
    }
}

fn mentions(part: Met<'_>, id: VariableId) -> bool {
    part.any(&|met| matches!(met, Met::Place(place) if walk::root(place) == Some(id)))
}

/// Is the variable written by the expression before it is read?
fn assigned_by(unit: &Unit, id: VariableId, expr: &Expr) -> bool {
    let mentions = |expr: &Expr| mentions(Met::Expr(expr), id);
    let in_order = |first: &Expr, second: &Expr| {
        if mentions(first) { assigned_by(unit, id, first) } else { assigned_by(unit, id, second) }
    };
    match &expr.kind {
        ExprKind::Assign(place, value) => match place.kind {
            PlaceKind::Variable(variable) if variable == id => !mentions(value) || assigned_by(unit, id, value),
            _ => walk::root(place) != Some(id) && assigned_by(unit, id, value),
        },
        ExprKind::Cast(inner) | ExprKind::Not(inner) => assigned_by(unit, id, inner),
        ExprKind::Comma(a, b) | ExprKind::Compare(_, a, b) => in_order(a, b),
        // The other operand may not be evaluated.
        ExprKind::And(a, _) | ExprKind::Or(a, _) => mentions(a) && assigned_by(unit, id, a),
        ExprKind::Call(Callee::Direct(callee), arguments) => {
            let writes = matches!(unit.functions[callee.index()].name.as_str(), "pthread_create" | "pthread_join");
            let own = |expr: &Expr| matches!(&walk::uncast(expr).kind, ExprKind::AddressOf(place) if walk::root(place) == Some(id));
            match arguments.iter().find(|argument| mentions(argument)) {
                Some(argument) if writes && own(argument) => true,
                Some(argument) => assigned_by(unit, id, argument),
                None => false,
            }
        }
        _ => false,
    }
}
