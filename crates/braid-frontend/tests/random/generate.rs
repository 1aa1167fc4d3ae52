//! Programs out of a tape of random bytes. When the tape ends every choice is the first, which is the smallest; so shorter
//! tapes are smaller programs, and failures shrink well. Names clash on purpose.

use braid_logic::{BvOp, Integer};
use braid_program::ast::{
    Check, Claim, Expr, ExprKind, FunId, Function, LabelId, Op, ProcId, Procedure, Program, Stmt, StmtKind, Storage,
    Type, VarId, Variable,
};
use braid_program::source::{Sources, Span};
use braid_testkit::Choices;

/// Which language the program can be said in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    Weaver,
    Braid,
}

const NAMES: [&str; 12] = ["x", "x", "y", "x_1", "a b", "true", "_", "div", "and", "5", "", "x|y"];

struct Generator<'a> {
    tape: Choices<'a>,
    flavour: Flavour,
    program: Program,
    /// The procedure at hand.
    here: ProcId,
    /// The labels of the branch at hand.
    labels: Vec<LabelId>,
    next_label: u32,
    atomic: bool,
}

/// The program of a tape.
pub fn program(tape: &[u8], flavour: Flavour) -> Program {
    let program = Program::new(Sources::default(), Claim::NoCompleteExecution);
    let mut generator = Generator {
        tape: Choices::new(tape),
        flavour,
        program,
        here: ProcId(0),
        labels: vec![],
        next_label: 0,
        atomic: false,
    };
    generator.declarations();
    generator.bodies();
    generator.program
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

impl Generator<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.tape.below(limit)
    }

    fn is_braid(&self) -> bool {
        self.flavour == Flavour::Braid
    }

    fn name(&mut self) -> String {
        NAMES[self.below(NAMES.len())].to_owned()
    }

    fn ty(&mut self, depth: usize) -> Type {
        let kinds = if self.is_braid() { 6 } else { 4 };
        match self.below(kinds) {
            1 | 2 => Type::Bool,
            3 if depth > 0 => Type::Array(Box::new(self.ty(depth - 1)), Box::new(self.ty(depth - 1))),
            4 => Type::BitVec(1 + self.below(8) as u32),
            5 => Type::Named("Node".into()),
            _ => Type::Int,
        }
    }

    fn variable(&mut self, storage: Storage) -> VarId {
        let (name, ty) = (self.name(), self.ty(1));
        self.program.variables.push(Variable { name, ty, storage, span: Span::default() });
        VarId(self.program.variables.len() as u32 - 1)
    }

    fn declarations(&mut self) {
        let procedures = if self.is_braid() { 1 + self.below(3) } else { 1 };
        self.program.main = ProcId(self.below(procedures) as u32);
        if self.is_braid() && self.below(2) == 0 {
            self.program.claim = Claim::AssertionsHold;
        }
        for _ in 0..self.below(5) {
            self.variable(Storage::Global);
        }
        for _ in 0..self.below(3) {
            let arguments = (0..1 + self.below(2)).map(|_| self.ty(1)).collect();
            let function = Function { name: self.name(), arguments, result: self.ty(1), span: Span::default() };
            self.program.functions.push(function);
        }
        for number in 0..procedures as u32 {
            let home = Storage::Local(ProcId(number));
            let is_main = self.program.main == ProcId(number);
            let mut header = || if is_main { Vec::new() } else { self.header(home) };
            let (parameters, results) = (header(), header());
            let identity = (self.is_braid() && self.below(3) == 0).then(|| self.identity(home));
            for _ in 0..if self.is_braid() { self.below(3) } else { 0 } {
                self.variable(home);
            }
            let body = Stmt::skip(Span::default());
            let (name, span) = (["f", "f", "main", "|"][self.below(4)].to_owned(), Span::default());
            self.program.procedures.push(Procedure { name, parameters, results, identity, body, span });
        }
        for _ in 0..self.below(2) {
            let seed = self.global_formula();
            self.program.seeds.push(seed);
        }
    }

    fn identity(&mut self, storage: Storage) -> VarId {
        let variable = Variable { name: self.name(), ty: Type::Int, storage, span: Span::default() };
        self.program.variables.push(variable);
        VarId(self.program.variables.len() as u32 - 1)
    }

    fn header(&mut self, home: Storage) -> Vec<VarId> {
        (0..self.below(3)).map(|_| self.variable(home)).collect()
    }

    /// A formula over global variables.
    fn global_formula(&mut self) -> Expr {
        self.here = ProcId(u32::MAX);
        self.expr(&Type::Bool, 2)
    }

    fn bodies(&mut self) {
        for number in 0..self.program.procedures.len() {
            self.here = ProcId(number as u32);
            self.program.procedures[number].body = self.branch(4);
        }
    }

    /// A statement with labels of its own.
    fn branch(&mut self, depth: usize) -> Stmt {
        let count = if self.is_braid() { self.below(3) as u32 } else { 0 };
        let own: Vec<LabelId> = (0..count).map(|number| LabelId(self.next_label + number)).collect();
        self.next_label += count;
        let outer = std::mem::replace(&mut self.labels, own);
        let body = self.stmt(depth);
        let own = std::mem::replace(&mut self.labels, outer);
        if own.is_empty() {
            return body;
        }
        let labels = own.into_iter().map(|label| stmt(StmtKind::Label(label)));
        stmt(StmtKind::Seq(std::iter::once(body).chain(labels).collect()))
    }

    fn stmts(&mut self, depth: usize) -> Vec<Stmt> {
        (0..self.below(4)).map(|_| self.stmt(depth)).collect()
    }

    fn boxed(&mut self, depth: usize) -> Box<Stmt> {
        Box::new(self.stmt(depth))
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        let kind = match self.below(if depth == 0 { 4 } else { 18 }) {
            0 => StmtKind::Assume(self.expr(&Type::Bool, 2)),
            1 => StmtKind::Assign(self.assignments()),
            2 => self.havoc(),
            3 if self.is_braid() => {
                StmtKind::Assert(Check::ALL[self.below(Check::ALL.len())], self.expr(&Type::Bool, 2))
            }
            4 => StmtKind::Atomic(self.atomic(depth - 1)),
            5 | 6 if self.atomic && !self.is_braid() => StmtKind::Seq(self.stmts(0)),
            _ if self.atomic && !self.is_braid() => StmtKind::Assume(self.expr(&Type::Bool, 2)),
            5 | 6 => StmtKind::Seq(self.stmts(depth - 1)),
            7 => StmtKind::Choice(self.stmts(depth - 1)),
            8 => {
                let other = (self.below(2) == 1).then(|| self.boxed(depth - 1));
                StmtKind::If(self.expr(&Type::Bool, 1), self.boxed(depth - 1), other)
            }
            9 | 10 => self.declare(depth),
            11 => StmtKind::While(self.expr(&Type::Bool, 1), self.boxed(depth - 1)),
            12 => StmtKind::Loop(self.boxed(depth - 1)),
            13 if self.atomic => self.call(ProcId(0)),
            13 => StmtKind::Par((0..self.below(4)).map(|_| self.branch(depth - 1)).collect()),
            _ if self.is_braid() => self.braid_stmt(),
            _ => StmtKind::Seq(Vec::new()),
        };
        stmt(kind)
    }

    fn atomic(&mut self, depth: usize) -> Box<Stmt> {
        let outer = std::mem::replace(&mut self.atomic, true);
        let body = self.boxed(depth);
        self.atomic = outer;
        body
    }

    fn declare(&mut self, depth: usize) -> StmtKind {
        let visible = self.visible();
        if visible.is_empty() || self.below(3) > 0 {
            let home = if self.is_braid() { Storage::Local(self.here) } else { Storage::Global };
            let home = if self.here == self.program.main { Storage::Global } else { home };
            let id = self.variable(home);
            return StmtKind::Declare(id, self.boxed(depth - 1));
        }
        let id = visible[self.below(visible.len())];
        StmtKind::Declare(id, self.boxed(depth - 1))
    }

    /// The variables that may be mentioned here.
    fn visible(&self) -> Vec<VarId> {
        let fits = |variable: &Variable| [Storage::Global, Storage::Local(self.here)].contains(&variable.storage);
        let all = self.program.variables.iter().enumerate();
        all.filter(|(_, variable)| fits(variable)).map(|(number, _)| VarId(number as u32)).collect()
    }

    fn of_type(&mut self, ty: &Type) -> Option<VarId> {
        let visible = self.visible();
        self.one_of(visible, ty)
    }

    fn target_of_type(&mut self, ty: &Type) -> Option<VarId> {
        let targets = self.targets();
        self.one_of(targets, ty)
    }

    fn one_of(&mut self, mut fitting: Vec<VarId>, ty: &Type) -> Option<VarId> {
        fitting.retain(|id| self.program.variable(*id).ty == *ty);
        let choice = self.below(fitting.len().max(1));
        fitting.get(choice).copied()
    }

    /// The variables that may be written here.
    fn targets(&self) -> Vec<VarId> {
        let is_identity = |id: &VarId| self.program.procedures.iter().any(|p| p.identity == Some(*id));
        self.visible().into_iter().filter(|id| !is_identity(id)).collect()
    }

    fn different(&mut self, most: usize) -> Vec<VarId> {
        let visible = self.targets();
        let mut chosen = Vec::new();
        for _ in 0..self.below(most + 1) {
            let choice = self.below(visible.len().max(1));
            chosen.extend(visible.get(choice).filter(|id| !chosen.contains(*id)).copied());
        }
        chosen
    }

    fn assignments(&mut self) -> Vec<(VarId, Expr)> {
        let mut targets = self.different(if self.is_braid() { 3 } else { 1 });
        if targets.is_empty() && !self.is_braid() {
            let id = self.visible().first().copied();
            targets.push(id.unwrap_or_else(|| self.variable(Storage::Global)));
        }
        let with_value = |id: VarId| {
            let ty = self.program.variable(id).ty.clone();
            (id, self.expr(&ty, 2))
        };
        targets.into_iter().map(with_value).collect()
    }

    fn havoc(&mut self) -> StmtKind {
        StmtKind::Havoc(self.different(2))
    }

    fn braid_stmt(&mut self) -> StmtKind {
        let procedure = ProcId(self.below(self.program.procedures.len()) as u32);
        match self.below(8) {
            0 => StmtKind::Return,
            1 if !self.labels.is_empty() => {
                let labels = self.labels.clone();
                StmtKind::Goto((0..self.below(3)).map(|_| labels[self.below(labels.len())]).collect())
            }
            2 => StmtKind::Fork { identity: self.expr(&Type::Int, 1), procedure, arguments: self.arguments(procedure) },
            3 => StmtKind::Join { results: self.different(2), identity: self.expr(&Type::Int, 1) },
            4 => {
                let handle = if self.below(2) == 0 { None } else { self.target_of_type(&Type::Int) };
                StmtKind::Async { handle, procedure, arguments: self.arguments(procedure) }
            }
            5 => StmtKind::Wait { results: self.different(2), handle: self.expr(&Type::Int, 1) },
            _ => self.call(procedure),
        }
    }

    fn call(&mut self, procedure: ProcId) -> StmtKind {
        let given = self.program.procedure(procedure).results.clone();
        let mut results = Vec::new();
        for id in given {
            let ty = self.program.variable(id).ty.clone();
            match self.target_of_type(&ty) {
                Some(target) if !results.contains(&target) => results.push(target),
                _ => return StmtKind::Return,
            }
        }
        StmtKind::Call { results, procedure, arguments: self.arguments(procedure) }
    }

    fn arguments(&mut self, procedure: ProcId) -> Vec<Expr> {
        let parameters = self.program.procedure(procedure).parameters.clone();
        let types: Vec<Type> = parameters.iter().map(|id| self.program.variable(*id).ty.clone()).collect();
        types.iter().map(|ty| self.expr(ty, 1)).collect()
    }

    fn several(&mut self, ty: &Type, least: usize, depth: usize) -> Vec<Expr> {
        (0..least + self.below(3)).map(|_| self.expr(ty, depth)).collect()
    }

    fn op(&mut self, op: Op, operands: Vec<Expr>) -> Expr {
        Expr::op(op, operands, Span::default()).expect("the operands fit")
    }

    fn expr(&mut self, ty: &Type, depth: usize) -> Expr {
        let choice = self.below(if depth == 0 { 2 } else { 5 });
        if choice == 0 {
            return self.leaf(ty, depth);
        }
        if choice == 1 {
            return match self.of_type(ty) {
                Some(id) => Expr::var(&self.program, id, Span::default()),
                None => self.leaf(ty, depth),
            };
        }
        let depth = depth - 1;
        if choice == 2 {
            return self.application(ty, depth);
        }
        if choice == 3 {
            let operands = vec![self.expr(&Type::Bool, depth), self.expr(ty, depth), self.expr(ty, depth)];
            return self.op(Op::Ite, operands);
        }
        match ty {
            Type::Bool => self.formula(depth),
            Type::Int => self.number(depth),
            Type::BitVec(width) => {
                let op = [BvOp::Add, BvOp::Mul, BvOp::Udiv, BvOp::Ashr][self.below(4)];
                let operands = vec![self.expr(ty, depth), self.expr(&Type::BitVec(*width), depth)];
                self.op(Op::Bv(op), operands)
            }
            Type::Array(index, element) => {
                let operands = vec![self.expr(ty, depth), self.expr(index, depth), self.expr(element, depth)];
                self.op(Op::Store, operands)
            }
            Type::Named(_) => self.leaf(ty, depth),
        }
    }

    /// The smallest expression of a type. Types without literals get a variable.
    fn leaf(&mut self, ty: &Type, depth: usize) -> Expr {
        let kind = match ty {
            Type::Bool => ExprKind::Bool(self.below(2) == 0),
            Type::Int if self.below(20) == 7 => {
                ExprKind::Int("123456789012345678901".parse().expect("this is a number"))
            }
            Type::Int => ExprKind::Int(Integer::from(self.below(7) as i64 - 2)),
            Type::BitVec(_) => ExprKind::BitVec(Integer::from(self.below(300) as i64 - 20)),
            Type::Array(_, element) if self.is_braid() => {
                ExprKind::ConstArray(Box::new(self.expr(element, depth.saturating_sub(1))))
            }
            Type::Array(..) | Type::Named(_) => {
                let id = self.of_type(ty).unwrap_or_else(|| self.fresh(ty));
                return Expr::var(&self.program, id, Span::default());
            }
        };
        Expr { kind, ty: ty.clone(), span: Span::default() }
    }

    fn fresh(&mut self, ty: &Type) -> VarId {
        let variable = Variable { name: self.name(), ty: ty.clone(), storage: Storage::Global, span: Span::default() };
        self.program.variables.push(variable);
        VarId(self.program.variables.len() as u32 - 1)
    }

    fn application(&mut self, ty: &Type, depth: usize) -> Expr {
        let fitting = self.program.functions.iter().position(|function| function.result == *ty);
        let Some(number) = fitting else { return self.leaf(ty, depth) };
        let types = self.program.functions[number].arguments.clone();
        let arguments = types.iter().map(|ty| self.expr(ty, depth)).collect();
        Expr::apply(&self.program, FunId(number as u32), arguments, Span::default()).expect("the arguments fit")
    }

    fn formula(&mut self, depth: usize) -> Expr {
        match self.below(if self.is_braid() { 8 } else { 7 }) {
            0 => {
                let operand = self.expr(&Type::Bool, depth);
                self.op(Op::Not, vec![operand])
            }
            choice @ 1..=3 => {
                let operands = self.several(&Type::Bool, 0, depth);
                self.op([Op::And, Op::Or, Op::Implies][choice - 1], operands)
            }
            choice @ 4..=5 => {
                let ty = self.ty(1);
                let operands = self.several(&ty, 1, depth);
                self.op([Op::Eq, Op::Distinct][choice - 4], operands)
            }
            6 => {
                let op = [Op::Lt, Op::Le, Op::Gt, Op::Ge][self.below(4)];
                let operands = vec![self.expr(&Type::Int, depth), self.expr(&Type::Int, depth)];
                self.op(op, operands)
            }
            _ => {
                let ty = Type::BitVec(1 + self.below(8) as u32);
                let op = [BvOp::Ult, BvOp::Ule, BvOp::Slt, BvOp::Sle][self.below(4)];
                let operands = vec![self.expr(&ty, depth), self.expr(&ty, depth)];
                self.op(Op::Bv(op), operands)
            }
        }
    }

    fn number(&mut self, depth: usize) -> Expr {
        match self.below(if self.is_braid() { 7 } else { 4 }) {
            choice @ 0..=2 => {
                let operands = self.several(&Type::Int, 0, depth);
                self.op([Op::Add, Op::Sub, Op::Mul][choice], operands)
            }
            3 => {
                let ty = Type::Array(Box::new(Type::Int), Box::new(Type::Int));
                let operands = vec![self.expr(&ty, depth), self.expr(&Type::Int, depth)];
                self.op(Op::Select, operands)
            }
            choice @ 4..=5 => {
                let operands = vec![self.expr(&Type::Int, depth), self.expr(&Type::Int, depth)];
                self.op([Op::Div, Op::Mod][choice - 4], operands)
            }
            _ => self.through_bits(depth),
        }
    }

    /// A number by way of a bit-vector that is cut and extended.
    fn through_bits(&mut self, depth: usize) -> Expr {
        let number = self.expr(&Type::Int, depth);
        let bits = self.op(Op::Bv(BvOp::FromInt(8)), vec![number]);
        let cut = self.op(Op::Bv(BvOp::Extract { high: 5, low: 2 }), vec![bits]);
        let op = if self.below(2) == 0 { BvOp::ZeroExtend(3) } else { BvOp::SignExtend(3) };
        let extended = self.op(Op::Bv(op), vec![cut]);
        let joined = self.op(Op::Bv(BvOp::Concat), vec![extended.clone(), extended]);
        self.op(Op::Bv(BvOp::ToInt), vec![joined])
    }
}
