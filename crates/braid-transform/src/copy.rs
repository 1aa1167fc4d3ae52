//! Variable-disjoint copies of a program inside of another one.
//!
//! A copy has variables, procedures and labels of its own; uninterpreted functions are shared, for they are no part of a
//! run. A failing assertion ends a run like a failing assumption: the copy then has no end to speak of.

use braid_logic::Integer;
use braid_program::ast::{
    Expr, ExprKind, Fold, FunId, LabelId, Op, ProcId, Procedure, Program, Stmt, StmtKind, Storage, Type, VarId,
    Variable, build, fold_expr, fold_stmt,
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
            let variables = |ids: &[VarId]| ids.iter().map(|id| work.variables[id.index()]).collect();
            let (parameters, results) = (variables(&procedure.parameters), variables(&procedure.results));
            let identity = procedure.identity.map(|id| work.variables[id.index()]);
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
    let any = |is: fn(&StmtKind) -> bool| program.statements().any(|stmt| is(&stmt.kind));
    (any(|kind| matches!(kind, StmtKind::Fork { .. })), any(|kind| matches!(kind, StmtKind::Async { .. })))
}

impl Fold for Work<'_, '_> {
    fn var(&mut self, id: VarId) -> VarId {
        self.variables[id.index()]
    }

    fn function(&mut self, id: FunId) -> FunId {
        self.functions[id.index()]
    }

    fn procedure(&mut self, id: ProcId) -> ProcId {
        ProcId(id.0 + self.procedures)
    }

    fn label(&mut self, id: LabelId) -> LabelId {
        let moved = id.0 + self.copier.labels;
        self.most_label = self.most_label.max(moved + 1);
        LabelId(moved)
    }

    fn span(&mut self, span: Span) -> Span {
        Span { file: FileId(span.file.0 + self.copier.files), ..span }
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        match &expr.kind {
            ExprKind::Var(id) if self.identities.contains(id) => {
                let span = self.span(expr.span);
                self.own_identity(self.variables[id.index()], span)
            }
            _ => fold_expr(self, expr),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let mut copy = fold_stmt(self, stmt);
        match &mut copy.kind {
            StmtKind::Await(test, _) | StmtKind::Assert(_, test) => copy.kind = StmtKind::Assume(test.clone()),
            StmtKind::Fork { identity, .. } | StmtKind::Join { identity, .. } => {
                *identity = self.apart(identity.clone())
            }
            _ => {}
        }
        copy
    }
}

impl Work<'_, '_> {
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
}
