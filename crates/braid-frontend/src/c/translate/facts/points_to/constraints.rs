//! From the tree to constraints. An expression gives one node for each leaf of its type.

use super::{Access, OUTSIDE, PlaceFlow, PointsTo, PointsToNode, Shift, Target};
use crate::c::translate::{BitField, Met, ObjectId, ObjectKind, call_graph, site};
use crate::c::tree::{
    BinaryOp, Callee, Expr, ExprKind, FunctionId, Init, Place, PlaceKind, Stmt, StmtKind, Storage, Type, VariableId,
};

impl PointsTo<'_> {
    /// The initial values of variables with static storage; what is declared only, and what `main` is given, is not known.
    pub(super) fn statics(&mut self) {
        let main = call_graph::main_of(self.unit).map(|main| &self.unit.functions[main.index()]);
        let given = main.map_or(Default::default(), |main| main.parameters.clone());
        for number in 0..self.unit.variables.len() {
            let id = VariableId(number as u32);
            if self.unit.variables[number].storage == Storage::Extern || given.contains(&id) {
                let object = self.variable(id);
                self.holds_anything(object);
            }
            if let Some(init) = &self.unit.variables[number].init {
                let object = self.variable(id);
                let ty = &self.unit.variables[number].ty.ty;
                self.init(init, ty, PlaceFlow::Fixed(object, Some(0)));
            }
        }
    }

    /// The object holds what the program does not know.
    pub(super) fn holds_anything(&mut self, object: ObjectId) {
        for leaf in 0..self.objects.get(object).leaves.len() {
            let content = self.content(object, leaf);
            self.add(content, OUTSIDE);
        }
    }

    pub(super) fn function(&mut self, id: FunctionId) {
        let Some(body) = &self.unit.functions[id.index()].body else { return };
        self.function = id;
        body.iter().for_each(|stmt| self.statement(stmt));
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Declare(variable, Some(init)) => {
                let object = self.variable(*variable);
                let ty = &self.unit.variables[variable.index()].ty.ty;
                self.init(init, ty, PlaceFlow::Fixed(object, Some(0)));
            }
            StmtKind::Return(Some(expr)) => {
                let values = self.value(expr);
                let results = self.result(self.function);
                for (&value, &result) in values.iter().zip(&results) {
                    self.copy(value, result, None);
                }
            }
            // What it holds points to nothing that an access may mean.
            StmtKind::Declare(_, None) => {}
            _ => Met::Stmt(stmt).children().into_iter().for_each(|child| match child {
                Met::Expr(expr) => drop(self.value(expr)),
                Met::Stmt(inner) => self.statement(inner),
                Met::Place(_) | Met::Init(_) => {}
            }),
        }
    }

    fn init(&mut self, init: &Init, ty: &Type, at: PlaceFlow) {
        match init {
            Init::String(..) => {}
            Init::Expr(expr) => {
                let values = self.value(expr);
                self.store(at, ty, None, &values);
            }
            Init::List(list) => {
                for (number, init) in list {
                    match ty {
                        Type::Array(element, _) => self.init(init, &element.ty, at),
                        Type::Record(record) => {
                            let fields = &self.unit.records[record.index()].fields;
                            if let Some(field) = fields.get(*number as usize) {
                                let inner = self.moved(at, field.offset);
                                self.init(init, &field.ty.ty, inner);
                            }
                        }
                        _ => self.init(init, ty, at),
                    }
                }
            }
        }
    }

    fn moved(&self, at: PlaceFlow, by: u64) -> PlaceFlow {
        match at {
            PlaceFlow::Fixed(object, position) => PlaceFlow::Fixed(object, position.map(|position| position + by)),
            PlaceFlow::Through(node, offset) => PlaceFlow::Through(node, offset + by as i64),
        }
    }

    fn place(&mut self, place: &Place) -> (PlaceFlow, Option<BitField>) {
        match &place.kind {
            PlaceKind::Variable(variable) => (PlaceFlow::Fixed(self.variable(*variable), Some(0)), None),
            PlaceKind::Deref(pointer) => {
                let node = self.single(pointer);
                self.accesses.push((node, place.ty.ty.clone()));
                (PlaceFlow::Through(node, 0), None)
            }
            PlaceKind::Field(inner, number) => {
                let (at, _) = self.place(inner);
                let Type::Record(record) = &inner.ty.ty else { return (at, None) };
                match self.unit.records[record.index()].fields.get(*number as usize) {
                    Some(field) => (self.moved(at, field.offset), BitField::of(field, *number)),
                    None => (at, None),
                }
            }
            PlaceKind::Element(inner, index) => {
                self.value(index);
                (self.place(inner).0, None)
            }
        }
    }

    /// The leaves of an access of a type: offset and bits of each.
    fn parts(&self, ty: &Type, bit_field: Option<BitField>) -> Vec<(i64, u32, Option<BitField>)> {
        match self.objects.layouts.scalar(ty) {
            Some(scalar) => vec![(0, scalar.bits(), bit_field)],
            None => {
                let leaves = self.objects.layouts.leaves(ty).unwrap_or_default();
                leaves.iter().map(|leaf| (leaf.offset as i64, leaf.scalar.bits(), leaf.bit_field)).collect()
            }
        }
    }

    /// An access to one value at a place.
    fn access(&mut self, at: PlaceFlow, access: Access) {
        match at {
            PlaceFlow::Fixed(object, position) => self.access_at(Target::at(object, position), access),
            PlaceFlow::Through(node, base) => {
                let access = Access { offset: base + access.offset, ..access };
                self.leaving[node.0 as usize].accesses.push(access);
                for target in self.sets[node.0 as usize].clone() {
                    self.access_at(target, access);
                }
            }
        }
    }

    fn load(&mut self, at: PlaceFlow, ty: &Type, bit_field: Option<BitField>) -> Vec<PointsToNode> {
        let parts = self.parts(ty, bit_field);
        let load = |(offset, bits, bit_field)| {
            let value = self.node();
            self.access(at, Access { offset, bits, bit_field, value, writes: false });
            value
        };
        parts.into_iter().map(load).collect()
    }

    fn store(&mut self, at: PlaceFlow, ty: &Type, bit_field: Option<BitField>, values: &[PointsToNode]) {
        for ((offset, bits, bit_field), &value) in self.parts(ty, bit_field).into_iter().zip(values) {
            self.access(at, Access { offset, bits, bit_field, value, writes: true });
        }
    }

    pub(super) fn single(&mut self, expr: &Expr) -> PointsToNode {
        self.value(expr).first().copied().unwrap_or_else(|| self.node())
    }

    /// The nodes of an expression's value.
    pub(super) fn value(&mut self, expr: &Expr) -> Vec<PointsToNode> {
        let nodes = self.compute(expr);
        match nodes[..] {
            [node] => drop(self.nodes.insert(site(expr), node)),
            _ => drop(self.records.insert(site(expr), nodes.clone())),
        }
        nodes
    }

    fn pointing(&mut self, object: ObjectId, position: Option<u64>) -> Vec<PointsToNode> {
        let node = self.node();
        self.add(node, Target::at(object, position));
        vec![node]
    }

    /// Whatever becomes of addresses in a calculation.
    fn derived(&mut self, from: &[PointsToNode], shift: Shift) -> Vec<PointsToNode> {
        let node = self.node();
        from.iter().for_each(|&from| self.copy(from, node, Some(shift)));
        vec![node]
    }

    fn compute(&mut self, expr: &Expr) -> Vec<PointsToNode> {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => vec![self.node()],
            ExprKind::String(id) => {
                let object = self.objects.of(ObjectKind::String(*id));
                self.pointing(object, Some(0))
            }
            ExprKind::Function(id) => {
                let object = self.objects.of(ObjectKind::Function(*id));
                self.pointing(object, Some(0))
            }
            ExprKind::Load(place) => {
                let (at, bit_field) = self.place(place);
                self.load(at, &place.ty.ty, bit_field)
            }
            ExprKind::AddressOf(place) => match self.place(place).0 {
                PlaceFlow::Fixed(object, position) => self.pointing(object, position),
                PlaceFlow::Through(node, offset) => {
                    // Only an address is calculated: the place's own access, noted last, is none.
                    self.casts.extend(self.accesses.pop());
                    self.derived(&[node], Shift::By(offset))
                }
            },
            ExprKind::Unary(_, a) => {
                let a = self.single(a);
                self.derived(&[a], Shift::Lost)
            }
            ExprKind::Not(a) => {
                self.value(a);
                vec![self.node()]
            }
            ExprKind::Binary(op, a, b) => {
                let operands = [self.single(a), self.single(b)];
                self.derived(&operands, calculated(*op))
            }
            ExprKind::Compare(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.value(a);
                self.value(b);
                vec![self.node()]
            }
            ExprKind::PointerDiff { left, right, .. } => {
                let operands = [self.single(left), self.single(right)];
                self.derived(&operands, Shift::Lost)
            }
            ExprKind::Conditional(test, then, other) => self.one_of(test, then.as_deref(), other),
            ExprKind::Comma(a, b) => {
                self.value(a);
                self.value(b)
            }
            ExprKind::PointerAdd { pointer, count, size, negative } => {
                self.pointer_sum([pointer, count], *size, *negative)
            }
            ExprKind::Assign(place, value) => {
                let values = self.value(value);
                let (at, bit_field) = self.place(place);
                self.store(at, &place.ty.ty, bit_field, &values);
                values
            }
            ExprKind::Update { place, value, op, pointer_size, .. } => self.updated((place, value), *op, *pointer_size),
            ExprKind::Cast(inner) => self.cast(inner, &expr.ty),
            ExprKind::Call(Callee::Direct(callee), arguments) => self.direct(expr, *callee, arguments),
            ExprKind::Call(Callee::Pointer(callee), arguments) => self.indirect(callee, arguments, &expr.ty),
            ExprKind::Statements(stmts) => self.last_of(stmts, &expr.ty),
            ExprKind::Literal(variable, init) => {
                let object = self.variable(*variable);
                let ty = &self.unit.variables[variable.index()].ty.ty;
                self.init(init, ty, PlaceFlow::Fixed(object, Some(0)));
                self.load(PlaceFlow::Fixed(object, Some(0)), ty, None)
            }
        }
    }

    fn one_of(&mut self, test: &Expr, then: Option<&Expr>, other: &Expr) -> Vec<PointsToNode> {
        let test = self.value(test);
        let yes = then.map_or(test, |then| self.value(then));
        let no = self.value(other);
        let merge = |(&a, &b): (&PointsToNode, &PointsToNode)| {
            let node = self.node();
            self.copy(a, node, None);
            self.copy(b, node, None);
            node
        };
        yes.iter().zip(&no).map(merge).collect()
    }

    /// Arithmetic on a pointer.
    fn pointer_sum(&mut self, [pointer, count]: [&Expr; 2], size: u64, negative: bool) -> Vec<PointsToNode> {
        let (from, by) = (self.single(pointer), self.single(count));
        let node = self.node();
        self.copy(by, node, Some(Shift::Count));
        let constant = self.objects.layouts.constant(count).and_then(|n| n.checked_mul(size as i64));
        let shift = match constant {
            Some(by) => Shift::Elements(if negative { by.wrapping_neg() } else { by }, size),
            None => Shift::Stride(size),
        };
        self.copy(from, node, Some(shift));
        vec![node]
    }

    /// An assignment that reads the place, too.
    fn updated(
        &mut self,
        (place, value): (&Place, &Expr),
        op: BinaryOp,
        pointer_size: Option<u64>,
    ) -> Vec<PointsToNode> {
        let by = self.single(value);
        let (at, bit_field) = self.place(place);
        let old = self.load(at, &place.ty.ty, bit_field);
        let node = self.node();
        for value in old {
            self.copy(value, node, None);
            self.copy(value, node, Some(pointer_size.map_or(calculated(op), Shift::Stride)));
        }
        self.copy(by, node, Some(if pointer_size.is_some() { Shift::Count } else { calculated(op) }));
        self.store(at, &place.ty.ty, bit_field, &[node]);
        vec![node]
    }

    fn cast(&mut self, inner: &Expr, ty: &Type) -> Vec<PointsToNode> {
        let values = self.value(inner);
        if let (Type::Pointer(pointee), [node]) = (ty, &values[..])
            && !matches!(pointee.ty, Type::Void | Type::Function(_))
        {
            self.casts.push((*node, pointee.ty.clone()));
        }
        // An address that is made up.
        if let (Type::Pointer(_), ExprKind::Int(number)) = (ty, &inner.kind)
            && !number.is_zero()
        {
            return vec![self.outside()];
        }
        match self.width(ty) == values.len() {
            true => self.seen_as(values, &inner.ty, ty),
            false => vec![self.node()],
        }
    }

    /// A pointer to a record becomes one to something else, or the other way round.
    fn seen_as(&mut self, values: Vec<PointsToNode>, from: &Type, to: &Type) -> Vec<PointsToNode> {
        let record = |ty: &Type| ty.pointee().map(|to| &to.ty).filter(|to| matches!(to, Type::Record(_))).cloned();
        let shift = match (record(from), record(to)) {
            (Some(record), None) => Shift::Through(self.objects.layouts.size(&record)),
            (None, Some(_)) => Shift::Through(0),
            _ => return values,
        };
        let moved = |value: PointsToNode| {
            let node = self.node();
            self.copy(value, node, Some(shift));
            node
        };
        values.into_iter().map(moved).collect()
    }

    /// Statements in an expression; the last one has its value.
    fn last_of(&mut self, stmts: &[Stmt], ty: &Type) -> Vec<PointsToNode> {
        let Some((last, rest)) = stmts.split_last() else { return vec![self.node()] };
        rest.iter().for_each(|stmt| self.statement(stmt));
        match &last.kind {
            StmtKind::Expr(value) => self.value(value),
            _ => {
                self.statement(last);
                self.new_value(ty)
            }
        }
    }
}

/// What becomes of an address in a calculation: it may be aligned, tagged or moved, or nobody knows.
fn calculated(op: BinaryOp) -> Shift {
    match op {
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => Shift::Lost,
        _ => Shift::Stride(1),
    }
}
