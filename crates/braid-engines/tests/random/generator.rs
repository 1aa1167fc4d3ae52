//! Random small programs. The generator spends a list of numbers, so that proptest shrinks programs by shrinking numbers:
//! 0, and what comes when the list is used up, is always the simplest alternative.
//!
//! All assigned integers are taken modulo 3, array indices and function arguments modulo `CELLS`, and nothing is forked in
//! a loop: the programs have finitely many states once their inputs are bounded.

use crate::naive::CELLS;
use braid_program::ast::{
    Claim, Expr, ExprKind, FunId, Function, LabelId, Op, ProcId, Procedure, Program, Stmt, StmtKind, Storage, Type,
    VarId, Variable,
};
use braid_program::source::{Sources, Span};
use braid_testkit::Choices;

/// Are the inputs bounded by the program itself?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// A first step assumes that all are 0 or 1, and so does whatever makes new ones.
    Bounded,
    Open,
}

struct Generator<'a> {
    choices: Choices<'a>,
    inputs: Inputs,
    program: Program,
    /// The procedure that is being made.
    home: ProcId,
    /// The local variables that may be used here.
    visible: Vec<VarId>,
    /// Statements that may still be made.
    budget: usize,
    in_loop: bool,
    next_identity: i64,
    /// Is this a place where a lock is held (the number says which) and guarded variables are used?
    locked: Option<usize>,
    /// The locks, and the variables that each guards.
    locks: Vec<(VarId, VarId)>,
    /// The identity of the worker, which nobody writes.
    identity: Option<VarId>,
    /// Inside an atomic block?
    atomic: bool,
    next_label: u32,
}

const AT: Span = Span { file: braid_program::source::FileId(0), start: 0, end: 0 };

/// A program out of numbers.
pub fn program(choices: Choices<'_>, inputs: Inputs) -> Program {
    let mut sources = Sources::default();
    sources.add("random.braid", "");
    let program = Program {
        sources,
        variables: Vec::new(),
        functions: Vec::new(),
        procedures: Vec::new(),
        main: ProcId(0),
        seeds: Vec::new(),
        claim: Claim::AssertionsHold,
    };
    let mut generator = Generator {
        choices,
        inputs,
        program,
        home: ProcId(0),
        visible: Vec::new(),
        budget: 9,
        in_loop: false,
        next_identity: 1,
        locked: None,
        locks: Vec::new(),
        identity: None,
        atomic: false,
        next_label: 0,
    };
    generator.whole();
    generator.program
}

impl Generator<'_> {
    fn whole(&mut self) {
        if self.choices.chance(2) {
            self.program.claim = Claim::NoCompleteExecution;
        }
        self.variable("x", Type::Int, Storage::Global);
        self.variable("y", Type::Int, Storage::Global);
        if self.choices.chance(2) {
            self.variable("b", Type::Bool, Storage::Global);
        }
        if self.choices.chance(3) {
            let cells = Type::Array(Box::new(Type::Int), Box::new(Type::Int));
            self.variable("a", cells, Storage::Global);
        }
        if self.choices.chance(6) {
            let (arguments, result) = (vec![Type::Int], Type::Int);
            self.program.functions.push(Function { name: "f".into(), arguments, result, span: AT });
        }
        for _ in 0..self.choices.below(4).saturating_sub(1) {
            let lock = self.variable("m", Type::Int, Storage::Global);
            let guarded = self.variable("g", Type::Int, Storage::Global);
            self.locks.push((lock, guarded));
        }
        if self.choices.chance(2) {
            self.worker();
        }
        self.main();
    }

    fn variable(&mut self, name: &str, ty: Type, storage: Storage) -> VarId {
        self.program.variables.push(Variable { name: name.into(), ty, storage, span: AT });
        VarId(self.program.variables.len() as u32 - 1)
    }

    /// A procedure to call and to fork: one parameter, one local, one result.
    fn worker(&mut self) {
        let id = ProcId(self.program.procedures.len() as u32);
        let parameter = self.variable("p", Type::Int, Storage::Local(id));
        let result = self.variable("r", Type::Int, Storage::Local(id));
        let identity = self.choices.chance(3).then(|| self.variable("me", Type::Int, Storage::Local(id)));
        self.home = id;
        self.visible = [parameter, result].into_iter().chain(identity).collect();
        self.identity = identity;
        let budget = std::mem::replace(&mut self.budget, 3);
        let mut stmts = self.block(2);
        if self.choices.chance(4) {
            stmts.push(stmt(StmtKind::Return));
        }
        stmts.extend(self.block(1));
        self.budget = budget;
        if self.inputs == Inputs::Bounded {
            let mut locals = self.stored(Storage::Local(id));
            locals.retain(|&local| local != parameter && Some(local) != identity);
            stmts.insert(0, stmt(StmtKind::Assume(self.bounds(&locals))));
        }
        let body = stmt(StmtKind::Seq(stmts));
        let (name, parameters, results) = ("worker".into(), vec![parameter], vec![result]);
        self.program.procedures.push(Procedure { name, parameters, results, identity, body, span: AT });
    }

    fn main(&mut self) {
        let id = ProcId(self.program.procedures.len() as u32);
        self.home = id;
        self.visible.clear();
        self.program.main = id;
        let count = 1 + self.choices.below(3);
        let mut stmts = self.block(count);
        // Most programs start with free locks, and look at what they guard in the end.
        if !self.locks.is_empty() {
            if !self.choices.chance(5) {
                let free = self.locks.iter().map(|&(lock, _)| (lock, int(0))).collect();
                stmts.insert(0, stmt(StmtKind::Assign(free)));
            }
            self.locked = (!self.choices.chance(4)).then_some(0);
        }
        if self.program.claim == Claim::NoCompleteExecution {
            let post = self.truth(2);
            stmts.push(stmt(StmtKind::Assume(post)));
        } else {
            let claim = self.truth(2);
            stmts.push(stmt(StmtKind::Assert(braid_program::ast::Check::Assertion, claim)));
        }
        if self.inputs == Inputs::Bounded {
            let inputs = [self.stored(Storage::Global), self.stored(Storage::Local(id))].concat();
            stmts.insert(0, stmt(StmtKind::Assume(self.bounds(&inputs))));
        }
        let body = stmt(StmtKind::Seq(stmts));
        self.program.procedures.push(Procedure {
            name: "main".into(),
            parameters: vec![],
            results: vec![],
            identity: None,
            body,
            span: AT,
        });
    }

    /// All variables that live in one place.
    fn stored(&self, storage: Storage) -> Vec<VarId> {
        let ids = (0..self.program.variables.len() as u32).map(VarId);
        ids.filter(|&id| self.program.variable(id).storage == storage).collect()
    }

    /// The variables that may be used here.
    fn variables(&self) -> impl Iterator<Item = VarId> + use<> {
        let guarded = self.locked.map(|lock| self.locks[lock].1);
        let locks = self.locks.clone();
        let is_free = move |id: &VarId| !locks.iter().any(|(lock, guarded)| lock == id || guarded == id);
        let globals = self.stored(Storage::Global).into_iter().filter(is_free);
        // Where a lock is held, little else is used.
        guarded.into_iter().chain(guarded).chain(globals).chain(self.visible.clone())
    }

    /// The variables of a type that may be written here.
    fn targets(&self, ty: &Type) -> Vec<VarId> {
        let mut targets = self.of_type(ty);
        targets.retain(|&id| Some(id) != self.identity);
        targets
    }

    fn of_type(&self, ty: &Type) -> Vec<VarId> {
        self.variables().filter(|&id| self.program.variable(id).ty == *ty).collect()
    }

    fn array(&self) -> Option<VarId> {
        self.variables().find(|&id| matches!(self.program.variable(id).ty, Type::Array(..)))
    }

    /// Everything in the variables (and the function) is 0 or 1.
    fn bounds(&self, vars: &[VarId]) -> Expr {
        let mut parts = Vec::new();
        let mut bound = |expr: Expr| {
            parts.push(op(Op::Le, vec![int(0), expr.clone()]));
            parts.push(op(Op::Le, vec![expr, int(1)]));
        };
        for &var in vars {
            let expr = Expr::var(&self.program, var, AT);
            match expr.ty {
                Type::Bool => {}
                Type::Int => bound(expr),
                _ => (0..CELLS as i64).for_each(|index| bound(op(Op::Select, vec![expr.clone(), int(index)]))),
            }
        }
        if self.home == self.program.main && vars.len() > 1 && !self.program.functions.is_empty() {
            (0..CELLS as i64).for_each(|argument| bound(self.apply(int(argument))));
        }
        op(Op::And, parts)
    }

    fn apply(&self, argument: Expr) -> Expr {
        Expr::apply(&self.program, FunId(0), vec![argument], AT).expect("the types fit")
    }

    fn block(&mut self, most: usize) -> Vec<Stmt> {
        let count = 1 + self.choices.below(most);
        (0..count).map(|_| self.stmt(2)).collect()
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        if self.budget == 0 {
            return stmt(StmtKind::Seq(Vec::new()));
        }
        self.budget -= 1;
        let kind = if depth == 0 { self.choices.below(6) } else { self.choices.below(24) };
        let kind = match kind {
            0..=2 => self.assignment(),
            3 => self.havoc(),
            4 => StmtKind::Assert(braid_program::ast::Check::Assertion, self.truth(2)),
            5 => StmtKind::Assume(self.truth(1)),
            6..=9 if self.atomic => self.assignment(),
            6..=9 => {
                let count = 2 + self.choices.below(2);
                let branches = (0..count).map(|_| self.branch()).collect();
                StmtKind::Par(branches)
            }
            10 => StmtKind::Atomic(Box::new(self.atomic(2))),
            11 => StmtKind::Atomic(Box::new(stmt(StmtKind::Seq(vec![self.atomic(1), self.atomic(1)])))),
            12 => {
                let other = self.choices.chance(2).then(|| Box::new(self.stmt(depth - 1)));
                StmtKind::If(self.truth(1), Box::new(self.stmt(depth - 1)), other)
            }
            13 => StmtKind::Choice(vec![self.stmt(depth - 1), self.stmt(depth - 1)]),
            14 => self.repeat(depth, false),
            15 => self.repeat(depth, true),
            16 => self.jumps(depth),
            17 => {
                let outer = std::mem::replace(&mut self.atomic, true);
                let body = stmt(StmtKind::Seq(vec![self.stmt(depth), self.stmt(depth - 1)]));
                self.atomic = outer;
                StmtKind::Atomic(Box::new(body))
            }
            18..=20 if !self.locks.is_empty() && self.locked.is_none() => self.section(depth),
            _ => self.thread_operation(),
        };
        stmt(kind)
    }

    /// A branch of a `par`, maybe with a variable that only it uses.
    fn branch(&mut self) -> Stmt {
        let home = Storage::Local(self.home);
        if self.stored(home).len() > 2 || !self.choices.chance(3) {
            return stmt(StmtKind::Seq(self.block(2)));
        }
        let own = self.variable("own", Type::Int, home);
        self.visible.push(own);
        let body = stmt(StmtKind::Seq(self.block(3)));
        self.visible.pop();
        stmt(StmtKind::Declare(own, Box::new(body)))
    }

    fn repeat(&mut self, depth: usize, tested: bool) -> StmtKind {
        let before = std::mem::replace(&mut self.in_loop, true);
        let body = Box::new(self.stmt(depth - 1));
        self.in_loop = before;
        if tested { StmtKind::While(self.truth(1), body) } else { StmtKind::Loop(body) }
    }

    /// A block with a jump back to its start, or forward to its end.
    fn jumps(&mut self, depth: usize) -> StmtKind {
        let label = LabelId(self.next_label);
        self.next_label += 1;
        let back = self.choices.chance(2);
        let before = self.in_loop;
        self.in_loop |= back;
        let mut stmts = vec![self.stmt(depth - 1)];
        let jump = Box::new(stmt(StmtKind::Goto(vec![label])));
        stmts.push(stmt(StmtKind::If(self.truth(1), jump, None)));
        if back {
            stmts.insert(0, stmt(StmtKind::Label(label)));
            self.in_loop = before;
            stmts.push(self.stmt(depth - 1));
        } else {
            stmts.push(self.stmt(depth - 1));
            stmts.push(stmt(StmtKind::Label(label)));
        }
        self.in_loop = before;
        StmtKind::Seq(stmts)
    }

    /// A critical section, rarely with something wrong about the lock.
    fn section(&mut self, depth: usize) -> StmtKind {
        let number = self.choices.below(self.locks.len());
        let lock = self.locks[number].0;
        let is = |program: &Program, value| op(Op::Eq, vec![Expr::var(program, lock, AT), int(value)]);
        let set = |value| stmt(StmtKind::Assign(vec![(lock, int(value))]));
        let free = stmt(StmtKind::Assume(is(&self.program, 0)));
        let take = StmtKind::Atomic(Box::new(stmt(StmtKind::Seq(vec![free, set(1)]))));
        let mut stmts = vec![stmt(take)];
        self.locked = Some(number);
        stmts.extend(self.block(3));
        self.locked = None;
        match self.choices.below(14) {
            // Tried, not taken.
            10 => {
                let taken = stmt(StmtKind::Assume(op(Op::Not, vec![is(&self.program, 0)])));
                stmts.push(set(0));
                let section = stmt(StmtKind::Seq(stmts));
                return StmtKind::Choice(vec![section, taken]);
            }
            // Given back twice, or not at all, or not taken.
            11 => stmts.extend([set(0), self.stmt(depth - 1), set(0)]),
            12 => {}
            13 => {
                stmts.remove(0);
                stmts.push(set(0));
            }
            _ => stmts.push(set(0)),
        }
        StmtKind::Seq(stmts)
    }

    fn thread_operation(&mut self) -> StmtKind {
        // While the worker itself is being made, there is none.
        if self.program.procedures.is_empty() {
            return self.assignment();
        }
        let result = self.choices.of(&self.targets(&Type::Int));
        let arguments = vec![self.small(1)];
        let procedure = ProcId(0);
        if self.atomic && !self.in_loop && self.choices.chance(2) {
            return StmtKind::Fork { identity: int(1), procedure, arguments };
        }
        let has_par = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Par(_));
        if self.atomic && any_inside(&self.program.procedure(procedure).body, &has_par) {
            return self.assignment();
        }
        match self.choices.below(if self.in_loop || self.atomic { 1 } else { 4 }) {
            0 => StmtKind::Call { results: vec![result], procedure, arguments },
            1 | 2 => {
                let identity = self.next_identity;
                self.next_identity += 1;
                let fork = stmt(StmtKind::Fork { identity: int(identity), procedure, arguments });
                let between = self.stmt(1);
                let results = if self.choices.chance(2) { vec![result] } else { vec![] };
                let name = if self.choices.chance(4) { self.small(0) } else { int(identity) };
                let join = stmt(StmtKind::Join { results, identity: name });
                StmtKind::Seq(vec![fork, between, join])
            }
            _ => StmtKind::Fork { identity: int(1), procedure, arguments },
        }
    }

    /// What may stand in an atomic block.
    fn atomic(&mut self, depth: usize) -> Stmt {
        stmt(match self.choices.below(if depth == 0 { 4 } else { 7 }) {
            0 | 1 => self.assignment(),
            2 => StmtKind::Assume(self.truth(1)),
            3 => self.havoc(),
            4 => StmtKind::Seq(vec![self.atomic(depth - 1), self.atomic(depth - 1)]),
            5 => StmtKind::Choice(vec![self.atomic(depth - 1), self.atomic(depth - 1)]),
            _ => {
                let test = self.truth(1);
                let other = self.choices.chance(2).then(|| Box::new(self.atomic(depth - 1)));
                match self.choices.chance(3) {
                    true => StmtKind::Assert(braid_program::ast::Check::Assertion, test),
                    false => StmtKind::If(test, Box::new(self.atomic(depth - 1)), other),
                }
            }
        })
    }

    fn assignment(&mut self) -> StmtKind {
        if let Some(array) = self.array().filter(|_| self.choices.chance(4)) {
            let old = Expr::var(&self.program, array, AT);
            let value = match self.choices.below(4) {
                0 => {
                    let element = Box::new(self.small(1));
                    Expr { kind: ExprKind::ConstArray(element), ty: old.ty.clone(), span: AT }
                }
                _ => op(Op::Store, vec![old, self.index(), self.small(1)]),
            };
            return StmtKind::Assign(vec![(array, value)]);
        }
        let bools = self.targets(&Type::Bool);
        if !bools.is_empty() && self.choices.chance(5) {
            let target = self.choices.of(&bools);
            return StmtKind::Assign(vec![(target, self.truth(1))]);
        }
        let ints = self.targets(&Type::Int);
        let first = self.choices.of(&ints);
        let mut assignments = vec![(first, self.small(2))];
        let second = self.choices.of(&ints);
        if second != first && self.choices.chance(3) {
            assignments.push((second, self.small(1)));
        }
        StmtKind::Assign(assignments)
    }

    fn havoc(&mut self) -> StmtKind {
        let mut targets: Vec<VarId> = self.variables().collect();
        targets.retain(|&id| Some(id) != self.identity);
        let target = self.choices.of(&targets);
        let havoc = StmtKind::Havoc(vec![target]);
        if self.inputs == Inputs::Open || self.program.variable(target).ty == Type::Bool {
            return havoc;
        }
        let bound = stmt(StmtKind::Assume(self.bounds(&[target])));
        StmtKind::Atomic(Box::new(stmt(StmtKind::Seq(vec![stmt(havoc), bound]))))
    }

    /// An integer in 0, 1, 2.
    fn small(&mut self, depth: usize) -> Expr {
        match self.choices.below(2) {
            0 => int(self.choices.below(3) as i64),
            _ => op(Op::Mod, vec![self.int(depth), int(3)]),
        }
    }

    fn index(&mut self) -> Expr {
        op(Op::Mod, vec![self.int(0), int(CELLS as i64)])
    }

    fn int(&mut self, depth: usize) -> Expr {
        let count = if depth == 0 { 4 } else { 10 };
        match self.choices.below(count) {
            0..=2 => {
                let var = self.choices.of(&self.of_type(&Type::Int));
                Expr::var(&self.program, var, AT)
            }
            3 => int(self.choices.below(5) as i64 - 1),
            4 | 5 => op(Op::Add, vec![self.int(depth - 1), self.int(depth - 1)]),
            6 => op(Op::Sub, vec![self.int(depth - 1), self.int(depth - 1)]),
            7 => match self.choices.below(3) {
                0 => op(Op::Mul, vec![self.int(depth - 1), self.int(depth - 1)]),
                1 => op(Op::Div, vec![self.int(depth - 1), int(self.choices.of(&[2, -2, 3]))]),
                _ => op(Op::Mod, vec![self.int(depth - 1), int(self.choices.of(&[2, -3]))]),
            },
            8 => op(Op::Ite, vec![self.truth(depth - 1), self.int(depth - 1), self.int(depth - 1)]),
            _ => {
                let index = self.index();
                match (self.array(), self.program.functions.is_empty()) {
                    (Some(array), _) => op(Op::Select, vec![Expr::var(&self.program, array, AT), index]),
                    (None, false) => self.apply(index),
                    (None, true) => index,
                }
            }
        }
    }

    fn truth(&mut self, depth: usize) -> Expr {
        let bools = self.of_type(&Type::Bool);
        let kind = self.choices.below(if depth == 0 { 7 } else { 11 });
        match kind {
            0 | 1 => op(Op::Eq, vec![self.int(0), int(self.choices.below(3) as i64)]),
            2 => op(Op::Le, vec![self.int(1), self.int(0)]),
            3 => op(Op::Lt, vec![self.int(0), self.int(1)]),
            4 => op(Op::Ge, vec![self.int(0), self.int(0)]),
            5 => op(Op::Distinct, vec![self.int(1), self.int(0)]),
            6 if !bools.is_empty() => Expr::var(&self.program, self.choices.of(&bools), AT),
            6 => op(Op::Gt, vec![self.int(0), self.int(0)]),
            7 => op(Op::Not, vec![self.truth(depth - 1)]),
            8 => op(Op::And, vec![self.truth(depth - 1), self.truth(depth - 1)]),
            9 => op(Op::Or, vec![self.truth(depth - 1), self.truth(depth - 1)]),
            _ => op(Op::Implies, vec![self.truth(depth - 1), self.truth(depth - 1)]),
        }
    }
}

fn any_inside(stmt: &Stmt, test: &impl Fn(&Stmt) -> bool) -> bool {
    test(stmt) || stmt.children().into_iter().any(|child| any_inside(child, test))
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: AT }
}

fn int(value: i64) -> Expr {
    Expr::int(value, AT)
}

fn op(op: Op, operands: Vec<Expr>) -> Expr {
    Expr::op(op, operands, AT).expect("the types fit")
}
