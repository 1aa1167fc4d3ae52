//! From the tree to constraints. An expression gives one node for each leaf of its type.

use super::{Access, Analysis, Node, OUTSIDE, PlaceFlow, Shift, Target};
use crate::c::translate::{BitField, ObjectId, ObjectKind, site};
use crate::c::tree::{
    BinaryOp, Callee, Expr, ExprKind, FunctionId, Init, Place, PlaceKind, Stmt, StmtKind, Storage, Type, VariableId,
};

impl Analysis<'_> {
    /// The initial values of variables with static storage; what is declared only, and what `main` is given, is not known.
    pub(crate) fn statics(&mut self) {
        let main = self.unit.functions.iter().find(|function| function.name == "main" && function.body.is_some());
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
    pub(crate) fn holds_anything(&mut self, object: ObjectId) {
        for leaf in 0..self.objects.get(object).leaves.len() {
            let content = self.content(object, leaf);
            self.add(content, OUTSIDE);
        }
    }

    pub(crate) fn function(&mut self, id: FunctionId) {
        let Some(body) = &self.unit.functions[id.index()].body else { return };
        body.iter().for_each(|stmt| self.statement(stmt, id));
    }

    fn statement(&mut self, stmt: &Stmt, function: FunctionId) {
        match &stmt.kind {
            StmtKind::Expr(expr) => {
                self.value(expr, function);
            }
            StmtKind::Declare(variable, Some(init)) => {
                let object = self.variable(*variable);
                let ty = &self.unit.variables[variable.index()].ty.ty;
                self.init_in(init, ty, PlaceFlow::Fixed(object, Some(0)), function);
            }
            StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| self.statement(stmt, function)),
            StmtKind::If(test, then, other) => {
                self.value(test, function);
                self.statement(then, function);
                if let Some(other) = other {
                    self.statement(other, function);
                }
            }
            StmtKind::While(test, body) | StmtKind::DoWhile(body, test) | StmtKind::Switch(test, body) => {
                self.value(test, function);
                self.statement(body, function);
            }
            StmtKind::For { init, test, step, body } => {
                self.statement(init, function);
                for expr in [test, step].into_iter().flatten() {
                    self.value(expr, function);
                }
                self.statement(body, function);
            }
            StmtKind::Case { then, .. } | StmtKind::Default(then) | StmtKind::Label(_, then) => {
                self.statement(then, function)
            }
            StmtKind::Return(Some(expr)) => {
                let values = self.value(expr, function);
                let results = self.result(function);
                for (&value, &result) in values.iter().zip(&results) {
                    self.copy(value, result, None);
                }
            }
            StmtKind::Declare(variable, None) => {
                if matches!(self.unit.variables[variable.index()].storage, Storage::Local(_)) {
                    let object = self.variable(*variable);
                    self.holds_anything(object);
                }
            }
            StmtKind::Return(None) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Skip => {}
        }
    }

    fn init(&mut self, init: &Init, ty: &Type, at: PlaceFlow) {
        // Constants of static initial values belong to no function; none of them calls or returns.
        self.init_in(init, ty, at, FunctionId(0));
    }

    fn init_in(&mut self, init: &Init, ty: &Type, at: PlaceFlow, function: FunctionId) {
        match init {
            Init::String(..) => {}
            Init::Expr(expr) => {
                let values = self.value(expr, function);
                self.store(at, ty, None, &values);
            }
            Init::List(list) => {
                for (number, init) in list {
                    match ty {
                        Type::Array(element, _) => self.init_in(init, &element.ty, at, function),
                        Type::Record(record) => {
                            let fields = &self.unit.records[record.index()].fields;
                            if let Some(field) = fields.get(*number as usize) {
                                let inner = self.moved(at, field.offset);
                                self.init_in(init, &field.ty.ty, inner, function);
                            }
                        }
                        _ => self.init_in(init, ty, at, function),
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

    fn place(&mut self, place: &Place, function: FunctionId) -> (PlaceFlow, Option<BitField>) {
        match &place.kind {
            PlaceKind::Variable(variable) => (PlaceFlow::Fixed(self.variable(*variable), Some(0)), None),
            PlaceKind::Deref(pointer) => {
                let node = self.single(pointer, function);
                self.accesses.push((node, place.ty.ty.clone()));
                (PlaceFlow::Through(node, 0), None)
            }
            PlaceKind::Field(inner, number) => {
                let (at, _) = self.place(inner, function);
                let Type::Record(record) = &inner.ty.ty else { return (at, None) };
                match self.unit.records[record.index()].fields.get(*number as usize) {
                    Some(field) => (self.moved(at, field.offset), BitField::of(field, *number)),
                    None => (at, None),
                }
            }
            PlaceKind::Element(inner, index) => {
                self.value(index, function);
                (self.place(inner, function).0, None)
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

    fn load(&mut self, at: PlaceFlow, ty: &Type, bit_field: Option<BitField>) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (offset, bits, bit_field) in self.parts(ty, bit_field) {
            let value = self.node();
            let access = Access { offset, bits, bit_field, value };
            match at {
                PlaceFlow::Fixed(object, position) => self.load_from(Target { object, position }, access),
                PlaceFlow::Through(node, base) => {
                    let access = Access { offset: base + offset, ..access };
                    self.loads[node.0 as usize].push(access);
                    for target in self.sets[node.0 as usize].clone() {
                        self.load_from(target, access);
                    }
                }
            }
            nodes.push(value);
        }
        nodes
    }

    fn store(&mut self, at: PlaceFlow, ty: &Type, bit_field: Option<BitField>, values: &[Node]) {
        for ((offset, bits, bit_field), &value) in self.parts(ty, bit_field).into_iter().zip(values) {
            let access = Access { offset, bits, bit_field, value };
            match at {
                PlaceFlow::Fixed(object, position) => self.store_to(Target { object, position }, access),
                PlaceFlow::Through(node, base) => self.store_through(node, Access { offset: base + offset, ..access }),
            }
        }
    }

    pub(crate) fn store_through(&mut self, node: Node, access: Access) {
        self.stores[node.0 as usize].push(access);
        for target in self.sets[node.0 as usize].clone() {
            self.store_to(target, access);
        }
    }

    pub(crate) fn single(&mut self, expr: &Expr, function: FunctionId) -> Node {
        self.value(expr, function).first().copied().unwrap_or_else(|| self.node())
    }

    /// The nodes of an expression's value.
    pub(crate) fn value(&mut self, expr: &Expr, function: FunctionId) -> Vec<Node> {
        let nodes = self.compute(expr, function);
        match nodes[..] {
            [node] => drop(self.nodes.insert(site(expr), node)),
            _ => drop(self.records.insert(site(expr), nodes.clone())),
        }
        nodes
    }

    fn pointing(&mut self, object: ObjectId, position: Option<u64>) -> Vec<Node> {
        let node = self.node();
        self.add(node, Target { object, position });
        vec![node]
    }

    fn compute(&mut self, expr: &Expr, function: FunctionId) -> Vec<Node> {
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
                let (at, bit_field) = self.place(place, function);
                self.load(at, &place.ty.ty, bit_field)
            }
            ExprKind::AddressOf(place) => match self.place(place, function).0 {
                PlaceFlow::Fixed(object, position) => self.pointing(object, position),
                PlaceFlow::Through(node, offset) => {
                    // Only an address is calculated: the place's own access, noted last, is none.
                    self.casts.extend(self.accesses.pop());
                    let moved = self.node();
                    self.copy(node, moved, Some(Shift::By(offset)));
                    vec![moved]
                }
            },
            ExprKind::Unary(_, a) => {
                let a = self.single(a, function);
                let node = self.node();
                self.copy(a, node, Some(Shift::Lost));
                vec![node]
            }
            ExprKind::Not(a) => {
                self.value(a, function);
                vec![self.node()]
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.single(a, function), self.single(b, function));
                let node = self.node();
                self.copy(a, node, Some(calculated(*op)));
                self.copy(b, node, Some(calculated(*op)));
                vec![node]
            }
            ExprKind::Compare(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.value(a, function);
                self.value(b, function);
                vec![self.node()]
            }
            ExprKind::PointerDiff { left, right, .. } => {
                let (left, right) = (self.single(left, function), self.single(right, function));
                let node = self.node();
                self.copy(left, node, Some(Shift::Lost));
                self.copy(right, node, Some(Shift::Lost));
                vec![node]
            }
            ExprKind::Conditional(test, then, other) => {
                let test = self.value(test, function);
                let yes = then.as_ref().map_or(test, |then| self.value(then, function));
                let no = self.value(other, function);
                let merge = |analysis: &mut Self, (&a, &b): (&Node, &Node)| {
                    let node = analysis.node();
                    analysis.copy(a, node, None);
                    analysis.copy(b, node, None);
                    node
                };
                let pairs: Vec<(Node, Node)> = yes.iter().copied().zip(no.iter().copied()).collect();
                pairs.iter().map(|(a, b)| merge(self, (a, b))).collect()
            }
            ExprKind::Comma(a, b) => {
                self.value(a, function);
                self.value(b, function)
            }
            ExprKind::PointerAdd { pointer, count, size, negative } => {
                let (from, by) = (self.single(pointer, function), self.single(count, function));
                let node = self.node();
                self.copy(by, node, Some(Shift::Stride(1)));
                let constant = self.objects.layouts.constant(count).and_then(|n| n.checked_mul(*size as i64));
                let shift = match constant {
                    Some(by) => Shift::Elements(if *negative { by.wrapping_neg() } else { by }, *size),
                    None => Shift::Stride(*size),
                };
                self.copy(from, node, Some(shift));
                vec![node]
            }
            ExprKind::Assign(place, value) => {
                let values = self.value(value, function);
                let (at, bit_field) = self.place(place, function);
                self.store(at, &place.ty.ty, bit_field, &values);
                values
            }
            ExprKind::Update { place, value, op, pointer_size, .. } => {
                let by = self.single(value, function);
                let (at, bit_field) = self.place(place, function);
                let old = self.load(at, &place.ty.ty, bit_field);
                let node = self.node();
                for value in old {
                    self.copy(value, node, None);
                    self.copy(value, node, Some(pointer_size.map_or(calculated(*op), Shift::Stride)));
                }
                self.copy(by, node, Some(if pointer_size.is_some() { Shift::Lost } else { calculated(*op) }));
                self.store(at, &place.ty.ty, bit_field, &[node]);
                vec![node]
            }
            ExprKind::Cast(inner) => {
                let values = self.value(inner, function);
                if let (Type::Pointer(pointee), [node]) = (&expr.ty, &values[..])
                    && !matches!(pointee.ty, Type::Void | Type::Function(_))
                {
                    self.casts.push((*node, pointee.ty.clone()));
                }
                // An address that is made up.
                if let (Type::Pointer(_), ExprKind::Int(number)) = (&expr.ty, &inner.kind)
                    && !number.is_zero()
                {
                    return vec![self.outside()];
                }
                if self.width(&expr.ty) == values.len() { values } else { vec![self.node()] }
            }
            ExprKind::Call(Callee::Direct(callee), arguments) => self.direct(expr, *callee, arguments, function),
            ExprKind::Call(Callee::Pointer(callee), arguments) => {
                self.indirect(callee, arguments, &expr.ty, function, false)
            }
            ExprKind::Statements(stmts) => {
                let Some((last, rest)) = stmts.split_last() else { return vec![self.node()] };
                rest.iter().for_each(|stmt| self.statement(stmt, function));
                match &last.kind {
                    StmtKind::Expr(value) => self.value(value, function),
                    _ => {
                        self.statement(last, function);
                        (0..self.width(&expr.ty)).map(|_| self.node()).collect()
                    }
                }
            }
            ExprKind::Literal(variable, init) => {
                let object = self.variable(*variable);
                let ty = &self.unit.variables[variable.index()].ty.ty;
                self.init_in(init, ty, PlaceFlow::Fixed(object, Some(0)), function);
                self.load(PlaceFlow::Fixed(object, Some(0)), ty, None)
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
