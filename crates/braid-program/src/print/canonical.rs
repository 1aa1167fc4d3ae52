//! The one form of a program that all programs with the same text have.
//!
//! Spans and sources are gone; variables, functions and labels are numbered in the order of the text, with `main` last;
//! names are unambiguous; blocks are sequences; what has no syntax of its own is said in other words (a negative numeral
//! is the negative of a numeral). Invariant: lowering a program and its canonical form gives the same automata.

use super::names::{Names, clean, fresh};
use super::scopes::{Entity, kept_declares, main_is_top_level, mentions, mentions_of_expr};
use crate::ast::{
    Expr, ExprKind, Fold, FunId, Function, LabelId, Op, ProcId, Procedure, Program, Stmt, StmtKind, Storage, Type,
    VarId, Variable, fold_expr, fold_stmt,
};
use crate::source::{Sources, Span};
use braid_logic::Integer;
use rustc_hash::{FxHashMap, FxHashSet};

/// The canonical form.
pub fn canonical(program: &Program) -> Program {
    let mut rewriter = Rewriter::new(program);
    rewriter.globals();
    let seeds = program.seeds.iter().map(|seed| rewriter.expr(seed)).collect();
    let procedures = rewriter.procedures();
    Program {
        sources: Sources::default(),
        variables: rewriter.variables,
        functions: rewriter.functions,
        main: ProcId(procedures.len() as u32 - 1),
        procedures,
        seeds,
        claim: program.claim,
    }
}

struct Rewriter<'a> {
    program: &'a Program,
    /// For each variable: does it keep its `Declare`?
    kept: Vec<bool>,
    names: Names,
    /// The new numbers.
    var_ids: FxHashMap<VarId, VarId>,
    fun_ids: FxHashMap<FunId, FunId>,
    proc_ids: FxHashMap<ProcId, ProcId>,
    label_ids: FxHashMap<LabelId, LabelId>,
    variables: Vec<Variable>,
    functions: Vec<Function>,
    /// The variables whose declarations are top-level items: reading takes equal ones for one variable.
    top_level: FxHashSet<(String, Type)>,
}

impl<'a> Rewriter<'a> {
    fn new(program: &'a Program) -> Rewriter<'a> {
        Rewriter {
            program,
            kept: kept_declares(program),
            names: Names::new(program),
            var_ids: FxHashMap::default(),
            fun_ids: FxHashMap::default(),
            proc_ids: FxHashMap::default(),
            label_ids: FxHashMap::default(),
            variables: Vec::new(),
            functions: Vec::new(),
            top_level: FxHashSet::default(),
        }
    }

    fn globals(&mut self) {
        for (number, function) in self.program.functions.iter().enumerate() {
            let name = self.names.function(&function.name, function.arguments.len());
            let id = FunId(number as u32);
            self.names.bind(&name, Entity::Fun(id));
            self.fun_ids.insert(id, id);
            self.functions.push(Function { name, span: Span::default(), ..function.clone() });
        }
        for (number, variable) in self.program.variables.iter().enumerate() {
            if variable.storage == Storage::Global && !self.kept[number] {
                let clashes = self.names.is_visible(&clean(&variable.name));
                let name = self.names.variable(&variable.name, &FxHashSet::default(), |_| clashes);
                self.top_level.insert((name.clone(), variable.ty.clone()));
                self.variable(VarId(number as u32), name);
            }
        }
    }

    /// A variable under its new name; it stays visible until [`Names::unbind`].
    fn variable(&mut self, id: VarId, name: String) -> VarId {
        let new = VarId(self.variables.len() as u32);
        self.names.bind(&name, Entity::Var(id));
        let Variable { ty, storage, .. } = self.program.variable(id).clone();
        let storage = match storage {
            Storage::Global => Storage::Global,
            Storage::Local(procedure) => Storage::Local(self.proc_ids[&procedure]),
            Storage::Bound => Storage::Bound,
        };
        self.variables.push(Variable { name, ty, storage, span: Span::default() });
        self.var_ids.insert(id, new);
        new
    }

    fn procedures(&mut self) -> Vec<Procedure> {
        let program = self.program;
        let ids = (0..program.procedures.len() as u32).map(ProcId).filter(|id| *id != program.main);
        let ids: Vec<ProcId> = ids.chain([program.main]).collect();
        self.proc_ids = ids.iter().enumerate().map(|(new, &id)| (id, ProcId(new as u32))).collect();
        let mut taken: FxHashSet<String> = program.procedures.iter().map(|p| clean(&p.name)).collect();
        let mut used: FxHashSet<String> = ["main".to_owned()].into_iter().collect();
        let mut procedures = Vec::new();
        for id in ids {
            let mut name = clean(&program.procedure(id).name);
            if id == program.main {
                name = "main".to_owned();
            } else if !used.insert(name.clone()) {
                name = fresh(&name, &mut taken);
                used.insert(name.clone());
            }
            procedures.push(self.renamed(id, name));
        }
        procedures
    }

    fn renamed(&mut self, id: ProcId, name: String) -> Procedure {
        let program = self.program;
        let procedure = program.procedure(id);
        let inside = mentions(&procedure.body);
        let header = procedure.parameters.iter().chain(&procedure.results).chain(&procedure.identity).copied();
        let mut header_names: FxHashSet<String> = FxHashSet::default();
        let mut bound = Vec::new();
        for variable in header {
            let wanted = &program.variable(variable).name;
            let name = self.names.variable(wanted, &inside, |name| header_names.contains(name));
            header_names.insert(name.clone());
            self.variable(variable, name.clone());
            bound.push(name);
        }
        let is_header = |id: &VarId| {
            procedure.parameters.contains(id) || procedure.results.contains(id) || procedure.identity == Some(*id)
        };
        let all = (0..program.variables.len() as u32).map(VarId);
        let loose = all.filter(|variable| {
            program.variable(*variable).storage == Storage::Local(id) && !self.kept[variable.index()]
        });
        let loose: Vec<VarId> = loose.filter(|variable| !is_header(variable)).collect();
        let mut declared = Vec::new();
        for variable in loose {
            let name = self.names.variable(&program.variable(variable).name, &inside, |_| false);
            declared.push(self.variable(variable, name.clone()));
            bound.push(name);
        }
        let top_level = id == program.main && main_is_top_level(program);
        let mut body = self.body(&procedure.body, top_level);
        if top_level && body.kind == StmtKind::Seq(Vec::new()) {
            body = seq(vec![body]);
        }
        for variable in declared.into_iter().rev() {
            body = seq(vec![plain(StmtKind::Declare(variable, Box::new(body)))]);
        }
        bound.iter().for_each(|name| self.names.unbind(name));
        let new = |ids: &[VarId]| ids.iter().map(|id| self.var_ids[id]).collect();
        let (parameters, results) = (new(&procedure.parameters), new(&procedure.results));
        let identity = procedure.identity.map(|id| self.var_ids[&id]);
        Procedure { name, parameters, results, identity, body, span: Span::default() }
    }

    /// A block: always a sequence.
    fn body(&mut self, stmt: &Stmt, top_level: bool) -> Stmt {
        let one = std::slice::from_ref(stmt);
        let items = match &stmt.kind {
            StmtKind::Seq(items) => items,
            _ => one,
        };
        seq(items.iter().map(|item| self.item(item, top_level)).collect())
    }

    fn block(&mut self, stmt: &Stmt) -> Box<Stmt> {
        Box::new(self.body(stmt, false))
    }

    fn item(&mut self, stmt: &Stmt, top_level: bool) -> Stmt {
        plain(match &stmt.kind {
            StmtKind::Havoc(targets) if targets.is_empty() => StmtKind::Atomic(Box::new(seq(Vec::new()))),
            StmtKind::While(test, body) => StmtKind::While(self.expr(test), self.block(body)),
            StmtKind::Loop(body) => StmtKind::Loop(self.block(body)),
            StmtKind::Atomic(body) => {
                let mut items = Vec::new();
                flatten(self.body(body, false), &mut items);
                StmtKind::Atomic(Box::new(seq(items)))
            }
            StmtKind::Declare(id, body) if self.kept[id.index()] => self.declare(*id, body, top_level),
            StmtKind::Declare(_, body) => self.body(body, false).kind,
            StmtKind::Goto(labels) if labels.is_empty() => StmtKind::Choice(Vec::new()),
            _ => return fold_stmt(self, stmt),
        })
    }

    fn declare(&mut self, id: VarId, body: &Stmt, top_level: bool) -> StmtKind {
        let variable = self.program.variable(id);
        let (taken, ty) = (&self.top_level, &variable.ty);
        let clashes = |name: &str| top_level && taken.contains(&(name.to_owned(), ty.clone()));
        let name = self.names.variable(&variable.name, &mentions(body), clashes);
        if top_level {
            self.top_level.insert((name.clone(), variable.ty.clone()));
        }
        let new = self.variable(id, name.clone());
        let body = self.block(body);
        self.names.unbind(&name);
        StmtKind::Declare(new, body)
    }
}

impl Fold for Rewriter<'_> {
    fn var(&mut self, id: VarId) -> VarId {
        self.var_ids[&id]
    }

    fn function(&mut self, id: FunId) -> FunId {
        self.fun_ids[&id]
    }

    fn procedure(&mut self, id: ProcId) -> ProcId {
        self.proc_ids[&id]
    }

    fn label(&mut self, label: LabelId) -> LabelId {
        let next = LabelId(self.label_ids.len() as u32);
        *self.label_ids.entry(label).or_insert(next)
    }

    fn span(&mut self, _: Span) -> Span {
        Span::default()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        self.item(stmt, false)
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        let kind = match &expr.kind {
            ExprKind::Int(value) if value.is_negative() => {
                ExprKind::Op(Op::Sub, vec![Expr::int(value.abs(), Span::default())])
            }
            ExprKind::BitVec(value) => ExprKind::BitVec(modulo(value, &expr.ty)),
            ExprKind::Quantified(quantifier, bound, body) => {
                let inside = mentions_of_expr(body).collect();
                let mut names: Vec<String> = Vec::new();
                let mut ids = Vec::new();
                for &id in bound {
                    let wanted = &self.program.variable(id).name;
                    let name = self.names.variable(wanted, &inside, |name| names.iter().any(|other| other == name));
                    ids.push(self.variable(id, name.clone()));
                    names.push(name);
                }
                let body = Box::new(self.expr(body));
                names.iter().for_each(|name| self.names.unbind(name));
                ExprKind::Quantified(*quantifier, ids, body)
            }
            _ => return fold_expr(self, expr),
        };
        Expr { kind, ty: expr.ty.clone(), span: Span::default() }
    }
}

fn plain(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

fn seq(items: Vec<Stmt>) -> Stmt {
    plain(StmtKind::Seq(items))
}

/// The statements of a sequence, with those of sequences in it.
fn flatten(stmt: Stmt, items: &mut Vec<Stmt>) {
    match stmt.kind {
        StmtKind::Seq(inner) => inner.into_iter().for_each(|item| flatten(item, items)),
        _ => items.push(stmt),
    }
}

/// The value of a bit-vector between 0 and 2 to its width.
fn modulo(value: &Integer, ty: &Type) -> Integer {
    let Type::BitVec(width) = ty else { return value.clone() };
    let two = Integer::from(2);
    let limit = (0..*width).fold(Integer::ONE, |power, _| &power * &two);
    value.rem_euclid(&limit)
}
