//! Variable-disjoint copies of a program inside of another one.
//!
//! A copy has variables, procedures and labels of its own; uninterpreted functions are shared, for they are no part of a
//! run. A failing assertion ends a run like a failing assumption: the copy then has no end to speak of.

use braid_logic::Integer;
use braid_program::ast::{
    Expr, ExprKind, FunId, LabelId, Op, ProcId, Procedure, Program, Stmt, StmtKind, Storage, Type, VarId, Variable,
    build,
};
use braid_program::source::{FileId, Span};

/// How a program is copied into another one.
pub struct Copier<'a> {
    /// The program that is copied.
    pub from: &'a Program,
    /// The variables that are there already, for those that the copy does not have to itself.
    pub given: Vec<Option<VarId>>,
    /// What stands before the names of procedures.
    pub prefix: String,
    /// How far files have moved.
    pub files: u32,
    /// Which copy this is, of how many: threads with the same identity in two copies are different.
    pub number: (u32, u32),
    /// The next free label.
    pub labels: u32,
}

/// A copier at work.
struct Work<'a, 'c> {
    copier: &'c Copier<'a>,
    variables: Vec<VarId>,
    functions: Vec<FunId>,
    procedures: u32,
    /// The variables that are identities of threads.
    identities: Vec<VarId>,
    most_label: u32,
}

impl Copier<'_> {
    /// Makes the copy. The error is a sentence.
    pub fn copy(&self, into: &mut Program, name: impl Fn(VarId, &Variable) -> String) -> Result<Copied, String> {
        let (forks, tasks) = starts(self.from);
        let identities: Vec<VarId> = self.from.procedures.iter().filter_map(|procedure| procedure.identity).collect();
        if forks && tasks && !identities.is_empty() {
            return Err("a program with threads and tasks that ask for their identity cannot be copied".into());
        }
        let procedures = into.procedures.len() as u32;
        let mut work = Work {
            copier: self,
            variables: Vec::new(),
            functions: Vec::new(),
            procedures,
            // Tasks have identities that nobody else has, copies or not.
            identities: if tasks { Vec::new() } else { identities },
            most_label: self.labels,
        };
        for (number, variable) in self.from.variables.iter().enumerate() {
            let given = self.given[number];
            work.variables.push(given.unwrap_or(VarId(into.variables.len() as u32)));
            if given.is_none() {
                let storage = match variable.storage {
                    Storage::Global => Storage::Global,
                    Storage::Bound => Storage::Bound,
                    Storage::Local(procedure) => Storage::Local(work.procedure(procedure)),
                };
                let name = name(VarId(number as u32), variable);
                let (ty, span) = (variable.ty.clone(), work.span(variable.span));
                into.variables.push(Variable { name, ty, storage, span });
            }
        }
        for function in &self.from.functions {
            let known = into.functions.iter().position(|known| known.name == function.name);
            let id = known.unwrap_or(into.functions.len());
            match known.map(|known| &into.functions[known]) {
                Some(known) if known.arguments != function.arguments || known.result != function.result => {
                    return Err(format!("the programs have different functions called `{}`", function.name));
                }
                Some(_) => {}
                None => {
                    let span = work.span(function.span);
                    into.functions.push(braid_program::ast::Function { span, ..function.clone() });
                }
            }
            work.functions.push(FunId(id as u32));
        }
        for procedure in &self.from.procedures {
            let variables = |ids: &[VarId]| ids.iter().map(|&id| work.variable(id)).collect();
            let (parameters, results) = (variables(&procedure.parameters), variables(&procedure.results));
            let identity = procedure.identity.map(|id| work.variable(id));
            let body = work.stmt(&procedure.body);
            into.procedures.push(Procedure {
                name: format!("{}{}", self.prefix, procedure.name),
                parameters,
                results,
                identity,
                body,
                span: work.span(procedure.span),
            });
        }
        let seeds: Vec<Expr> = self.from.seeds.iter().map(|seed| work.expr(seed)).collect();
        into.seeds.extend(seeds);
        let main = work.procedure(self.from.main);
        Ok(Copied { main, labels: work.most_label, variables: work.variables })
    }
}

/// What a copy is made of.
pub struct Copied {
    pub main: ProcId,
    /// The next free label.
    pub labels: u32,
    /// The copies of all variables.
    pub variables: Vec<VarId>,
}

/// Does the program start threads, and does it start tasks?
fn starts(program: &Program) -> (bool, bool) {
    let (mut forks, mut tasks) = (false, false);
    let mut open: Vec<&Stmt> = program.procedures.iter().map(|procedure| &procedure.body).collect();
    while let Some(stmt) = open.pop() {
        forks |= matches!(stmt.kind, StmtKind::Fork { .. });
        tasks |= matches!(stmt.kind, StmtKind::Async { .. });
        open.extend(stmt.children());
    }
    (forks, tasks)
}

impl Work<'_, '_> {
    fn variable(&self, id: VarId) -> VarId {
        self.variables[id.index()]
    }

    fn variables(&self, ids: &[VarId]) -> Vec<VarId> {
        ids.iter().map(|&id| self.variable(id)).collect()
    }

    fn procedure(&self, id: ProcId) -> ProcId {
        ProcId(id.0 + self.procedures)
    }

    fn label(&mut self, id: LabelId) -> LabelId {
        let moved = id.0 + self.copier.labels;
        self.most_label = self.most_label.max(moved + 1);
        LabelId(moved)
    }

    fn span(&self, span: Span) -> Span {
        Span { file: FileId(span.file.0 + self.copier.files), ..span }
    }

    fn expr(&self, expr: &Expr) -> Expr {
        let span = self.span(expr.span);
        let all = |operands: &[Expr]| operands.iter().map(|operand| self.expr(operand)).collect();
        let kind = match &expr.kind {
            ExprKind::Var(id) if self.identities.contains(id) => return self.own_identity(self.variable(*id), span),
            ExprKind::Var(id) => ExprKind::Var(self.variable(*id)),
            ExprKind::Op(op, operands) => ExprKind::Op(*op, all(operands)),
            ExprKind::Apply(function, operands) => ExprKind::Apply(self.functions[function.index()], all(operands)),
            ExprKind::ConstArray(element) => ExprKind::ConstArray(Box::new(self.expr(element))),
            ExprKind::Quantified(quantifier, bound, body) => {
                ExprKind::Quantified(*quantifier, self.variables(bound), Box::new(self.expr(body)))
            }
            constant @ (ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::BitVec(_)) => constant.clone(),
        };
        Expr { kind, ty: expr.ty.clone(), span }
    }

    fn exprs(&self, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// An identity that no thread of another copy has: `count · identity + number`.
    fn apart(&self, identity: Expr) -> Expr {
        let (number, count) = self.copier.number;
        let span = identity.span;
        let int = |value: u32| Expr::int(Integer::from(i64::from(value)), span);
        let scaled = build::op(Op::Mul, vec![int(count), identity], span);
        build::op(Op::Add, vec![scaled, int(number)], span)
    }

    /// The identity that the running thread would have without copies; that of the main thread is 0.
    fn own_identity(&self, variable: VarId, span: Span) -> Expr {
        let (number, count) = self.copier.number;
        let int = |value: u32| Expr::int(Integer::from(i64::from(value)), span);
        let read = || Expr { kind: ExprKind::Var(variable), ty: Type::Int, span };
        let is_main = build::op(Op::Eq, vec![read(), int(0)], span);
        let moved = build::op(Op::Sub, vec![read(), int(number)], span);
        let own = build::op(Op::Div, vec![moved, int(count)], span);
        build::op(Op::Ite, vec![is_main, int(0), own], span)
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Vec<Stmt> {
        stmts.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn boxed(&mut self, stmt: &Stmt) -> Box<Stmt> {
        Box::new(self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let kind = match &stmt.kind {
            StmtKind::Assume(test) | StmtKind::Await(test, _) | StmtKind::Assert(_, test) => {
                StmtKind::Assume(self.expr(test))
            }
            StmtKind::Unmodelled(reason) => StmtKind::Unmodelled(reason.clone()),
            StmtKind::Assign(pairs) => StmtKind::Assign(
                pairs.iter().map(|(target, value)| (self.variable(*target), self.expr(value))).collect(),
            ),
            StmtKind::Havoc(targets) => StmtKind::Havoc(self.variables(targets)),
            StmtKind::Seq(items) => StmtKind::Seq(self.stmts(items)),
            StmtKind::Choice(items) => StmtKind::Choice(self.stmts(items)),
            StmtKind::Par(items) => StmtKind::Par(self.stmts(items)),
            StmtKind::If(test, then, other) => {
                let then = self.boxed(then);
                StmtKind::If(self.expr(test), then, other.as_ref().map(|other| self.boxed(other)))
            }
            StmtKind::While(test, body) => StmtKind::While(self.expr(test), self.boxed(body)),
            StmtKind::Loop(body) => StmtKind::Loop(self.boxed(body)),
            StmtKind::Atomic(body) => StmtKind::Atomic(self.boxed(body)),
            StmtKind::Declare(id, body) => StmtKind::Declare(self.variable(*id), self.boxed(body)),
            StmtKind::Call { results, procedure, arguments } => StmtKind::Call {
                results: self.variables(results),
                procedure: self.procedure(*procedure),
                arguments: self.exprs(arguments),
            },
            StmtKind::Return => StmtKind::Return,
            StmtKind::Fork { identity, procedure, arguments } => StmtKind::Fork {
                identity: self.apart(self.expr(identity)),
                procedure: self.procedure(*procedure),
                arguments: self.exprs(arguments),
            },
            StmtKind::Join { results, identity } => {
                StmtKind::Join { results: self.variables(results), identity: self.apart(self.expr(identity)) }
            }
            StmtKind::Async { handle, procedure, arguments } => StmtKind::Async {
                handle: handle.map(|id| self.variable(id)),
                procedure: self.procedure(*procedure),
                arguments: self.exprs(arguments),
            },
            StmtKind::Wait { results, handle } => {
                StmtKind::Wait { results: self.variables(results), handle: self.expr(handle) }
            }
            StmtKind::Label(label) => StmtKind::Label(self.label(*label)),
            StmtKind::Goto(labels) => StmtKind::Goto(labels.iter().map(|&label| self.label(label)).collect()),
        };
        Stmt { kind, span: self.span(stmt.span) }
    }
}
