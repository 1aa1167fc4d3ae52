//! A canonical program as text.

use super::Dialect;
use super::layout::Doc;
use super::scopes::main_is_top_level;
use super::words;
use crate::ast::{
    Check, Claim, Expr, ExprKind, LabelId, Op, ProcId, Procedure, Program, Release, Stmt, StmtKind, Storage, Type,
    VarId, Variable,
};

/// The text of a program in canonical form.
pub(super) fn render(program: &Program, dialect: Dialect) -> String {
    let printer = Printer { program };
    let mut items = Vec::new();
    let claim = match program.claim {
        Claim::NoCompleteExecution if dialect == Dialect::Braid => Some("no-complete-execution"),
        Claim::NoDeadlock => Some("no-deadlock"),
        Claim::Progress => Some("progress"),
        Claim::NoCompleteExecution | Claim::AssertionsHold => None,
    };
    items.extend(claim.map(|claim| Doc::list(vec![Doc::atom("claim"), Doc::atom(claim)])));
    items.extend(printer.sorts().iter().map(|name| Doc::list(vec![Doc::atom("sort"), Doc::atom(quoted(name))])));
    items.extend(printer.globals());
    items.extend(printer.functions());
    if !program.seeds.is_empty() {
        let seeds = program.seeds.iter().map(|seed| printer.expr(seed)).collect();
        items.push(Doc::block(vec![Doc::atom("use")], seeds, 2));
    }
    let (main, others) = program.procedures.split_last().expect("there is a main procedure");
    let mut parts = vec![items];
    parts.extend(others.iter().map(|procedure| vec![printer.procedure(procedure)]));
    parts.push(if main_is_top_level(program) { printer.block(&main.body) } else { vec![printer.procedure(main)] });
    parts.retain(|part| !part.is_empty());
    let text = |part: &Vec<Doc>| part.iter().map(Doc::text).collect::<String>();
    parts.iter().map(text).collect::<Vec<_>>().join("\n")
}

/// A name as a symbol: in bars if it must be.
pub fn quoted(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-/*=%?!.$_~&^<>@".contains(&byte);
    let starts = name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    if starts && name.bytes().all(plain) { name.to_owned() } else { format!("|{name}|") }
}

struct Printer<'a> {
    program: &'a Program,
}

impl Printer<'_> {
    /// The names of the uninterpreted sorts, in the order of their appearance.
    fn sorts(&self) -> Vec<String> {
        let mut names = Vec::new();
        for variable in &self.program.variables {
            collect_sorts(&variable.ty, &mut names);
        }
        for function in &self.program.functions {
            function.arguments.iter().chain([&function.result]).for_each(|ty| collect_sorts(ty, &mut names));
        }
        let in_statements = self.program.statements().flat_map(Stmt::exprs);
        for expr in self.program.seeds.iter().chain(in_statements).flat_map(Expr::all) {
            if let ExprKind::ConstArray(_) = expr.kind {
                collect_sorts(&expr.ty, &mut names);
            }
        }
        names
    }

    /// The variables that are declared around everything, equal types in a row together.
    fn globals(&self) -> Vec<Doc> {
        let declared = self.declared();
        let is_global = |id: usize| self.program.variables[id].storage == Storage::Global && !declared[id];
        let globals: Vec<&Variable> =
            (0..declared.len()).filter(|id| is_global(*id)).map(|id| &self.program.variables[id]).collect();
        let same = |a: &&Variable, b: &&Variable| a.ty == b.ty;
        globals.chunk_by(same).map(|group| self.var(group.iter().map(|v| &v.name), &[], &group[0].ty)).collect()
    }

    fn functions(&self) -> Vec<Doc> {
        let functions: Vec<_> = self.program.functions.iter().collect();
        let groups = functions.chunk_by(|a, b| a.arguments == b.arguments && a.result == b.result);
        groups.map(|group| self.var(group.iter().map(|f| &f.name), &group[0].arguments, &group[0].result)).collect()
    }

    fn var<'n>(&self, names: impl Iterator<Item = &'n String>, arguments: &[Type], result: &Type) -> Doc {
        let mut items = vec![Doc::atom("var")];
        items.extend(names.map(|name| Doc::atom(quoted(name))));
        if !arguments.is_empty() {
            items.push(Doc::list(arguments.iter().map(sort).collect()));
        }
        items.push(sort(result));
        Doc::list(items)
    }

    /// For each variable: is there a `Declare` of it?
    fn declared(&self) -> Vec<bool> {
        let mut declared = vec![false; self.program.variables.len()];
        for stmt in self.program.statements() {
            if let StmtKind::Declare(id, _) = &stmt.kind {
                declared[id.index()] = true;
            }
        }
        declared
    }

    fn procedure(&self, procedure: &Procedure) -> Doc {
        let header = |ids: &[VarId]| Doc::list(ids.iter().map(|&id| self.binding(id)).collect());
        let head = vec![
            Doc::atom("proc"),
            Doc::atom(quoted(&procedure.name)),
            header(&procedure.parameters),
            header(&procedure.results),
        ];
        let identity = procedure.identity.map(|id| Doc::list(vec![Doc::atom("identity"), self.name(id)]));
        Doc::block(head, identity.into_iter().chain(self.block(&procedure.body)).collect(), 1)
    }

    /// `(x Int)`.
    fn binding(&self, id: VarId) -> Doc {
        Doc::list(vec![self.name(id), sort(&self.program.variable(id).ty)])
    }

    fn name(&self, id: VarId) -> Doc {
        Doc::atom(quoted(&self.program.variable(id).name))
    }

    fn names(&self, ids: &[VarId]) -> Doc {
        Doc::list(ids.iter().map(|&id| self.name(id)).collect())
    }

    fn procedure_name(&self, id: ProcId) -> Doc {
        Doc::atom(quoted(&self.program.procedure(id).name))
    }

    /// The statements of a sequence.
    fn block(&self, stmt: &Stmt) -> Vec<Doc> {
        match &stmt.kind {
            StmtKind::Seq(items) => items.iter().map(|item| self.stmt(item)).collect(),
            _ => vec![self.stmt(stmt)],
        }
    }

    /// A statement without others inside. Apart from those that have some: they nest, and need a small frame on the stack.
    #[inline(never)]
    fn simple(&self, stmt: &Stmt) -> Doc {
        match &stmt.kind {
            StmtKind::Assume(test) => Doc::list(vec![Doc::atom("assume"), self.expr(test)]),
            StmtKind::Await(_, release) if **release == Release::Over => Doc::list(vec![Doc::atom("stop")]),
            StmtKind::Await(test, release) => {
                let parts = std::iter::once(test).chain(release.thread()).map(|part| self.expr(part));
                Doc::list(std::iter::once(Doc::atom("await")).chain(parts).collect())
            }
            StmtKind::Assert(Check::Assertion, test) => Doc::list(vec![Doc::atom("assert"), self.expr(test)]),
            StmtKind::Assert(check, test) => {
                Doc::list(vec![Doc::atom("check"), Doc::atom(check.name()), self.expr(test)])
            }
            StmtKind::Unmodelled(reason) => {
                Doc::list(vec![Doc::atom("unmodelled"), Doc::atom(format!("|{}|", reason.replace('|', "!")))])
            }
            StmtKind::Assign(pairs) => self.assign(pairs),
            StmtKind::Havoc(targets) => {
                Doc::list(std::iter::once(Doc::atom("havoc!")).chain(targets.iter().map(|&id| self.name(id))).collect())
            }
            StmtKind::Call { results, procedure, arguments } => {
                self.operation("call", vec![self.names(results), self.procedure_name(*procedure)], arguments)
            }
            StmtKind::Return => Doc::list(vec![Doc::atom("return")]),
            StmtKind::Fork { identity, procedure, arguments } => {
                self.operation("fork", vec![self.expr(identity), self.procedure_name(*procedure)], arguments)
            }
            StmtKind::Join { results, identity } => {
                Doc::list(vec![Doc::atom("join"), self.names(results), self.expr(identity)])
            }
            StmtKind::Async { handle, procedure, arguments } => {
                let handle = handle.map_or(Doc::atom("_"), |id| self.name(id));
                self.operation("async", vec![handle, self.procedure_name(*procedure)], arguments)
            }
            StmtKind::Wait { results, handle } => {
                Doc::list(vec![Doc::atom("wait"), self.names(results), self.expr(handle)])
            }
            StmtKind::Label(label) => Doc::list(vec![Doc::atom("label"), label_name(*label)]),
            StmtKind::Goto(labels) => Doc::list(
                std::iter::once(Doc::atom("goto")).chain(labels.iter().map(|&label| label_name(label))).collect(),
            ),
            StmtKind::Seq(_)
            | StmtKind::Choice(_)
            | StmtKind::Par(_)
            | StmtKind::Loop(_)
            | StmtKind::Atomic(_)
            | StmtKind::If(..)
            | StmtKind::While(..)
            | StmtKind::Declare(..) => self.stmt(stmt),
        }
    }

    fn stmt(&self, stmt: &Stmt) -> Doc {
        let word = |word: &str, body: Vec<Doc>| Doc::block(vec![Doc::atom(word)], body, 1);
        let items = |items: &[Stmt]| items.iter().map(|item| self.stmt(item)).collect();
        match &stmt.kind {
            StmtKind::Seq(inner) => word("seq", items(inner)),
            StmtKind::Choice(inner) => word("cond", items(inner)),
            StmtKind::Par(inner) => word("par", items(inner)),
            StmtKind::Loop(body) => word("loop", self.block(body)),
            StmtKind::Atomic(body) => Doc::block(vec![Doc::atom("atomic")], self.block(body), usize::MAX),
            StmtKind::If(test, then, other) => {
                let branches = std::iter::once(&**then).chain(other.as_deref()).map(|branch| self.stmt(branch));
                Doc::block(vec![Doc::atom("if"), self.expr(test)], branches.collect(), 2)
            }
            StmtKind::While(test, body) => Doc::block(vec![Doc::atom("while"), self.expr(test)], self.block(body), 1),
            StmtKind::Declare(id, body) => {
                Doc::block(vec![Doc::atom("declare"), self.binding(*id)], self.block(body), 1)
            }
            _ => self.simple(stmt),
        }
    }

    fn operation(&self, word: &str, head: Vec<Doc>, arguments: &[Expr]) -> Doc {
        let head = std::iter::once(Doc::atom(word)).chain(head);
        let arguments = arguments.iter().map(|argument| self.expr(argument)).collect();
        Doc::block(head.collect(), arguments, usize::MAX)
    }

    fn assign(&self, pairs: &[(VarId, Expr)]) -> Doc {
        if let [(target, value)] = pairs {
            return match &value.kind {
                ExprKind::Op(Op::Store, operands) if operands[0].kind == ExprKind::Var(*target) => {
                    self.operation("store!", vec![self.name(*target)], &operands[1..])
                }
                _ => self.operation("set!", vec![self.name(*target)], std::slice::from_ref(value)),
            };
        }
        let targets = pairs.iter().map(|(target, _)| self.name(*target)).collect();
        let values = pairs.iter().map(|(_, value)| self.expr(value)).collect();
        Doc::list(vec![Doc::atom("set!"), Doc::list(targets), Doc::list(values)])
    }

    fn expr(&self, expr: &Expr) -> Doc {
        let applied = |head: Doc, operands: &[Expr]| {
            Doc::list(std::iter::once(head).chain(operands.iter().map(|operand| self.expr(operand))).collect())
        };
        match &expr.kind {
            ExprKind::Bool(value) => Doc::atom(value.to_string()),
            ExprKind::Int(value) => Doc::atom(value.to_string()),
            ExprKind::BitVec(value) => match &expr.ty {
                Type::BitVec(width) => Doc::atom(format!("(_ bv{value} {width})")),
                _ => Doc::atom(value.to_string()),
            },
            ExprKind::Var(id) => self.name(*id),
            ExprKind::Op(op, operands) => applied(operator(*op), operands),
            ExprKind::Apply(id, arguments) => applied(Doc::atom(quoted(&self.program.function(*id).name)), arguments),
            ExprKind::ConstArray(element) => {
                let head = Doc::list(vec![Doc::atom("as"), Doc::atom("const"), sort(&expr.ty)]);
                Doc::list(vec![head, self.expr(element)])
            }
            ExprKind::Quantified(quantifier, bound, body) => {
                let bound = Doc::list(bound.iter().map(|&id| self.binding(id)).collect());
                Doc::list(vec![Doc::atom(words::quantifier_word(*quantifier)), bound, self.expr(body)])
            }
        }
    }
}

fn operator(op: Op) -> Doc {
    let (word, numbers) = words::head(op);
    if numbers.is_empty() {
        return Doc::atom(word);
    }
    let numbers = numbers.iter().map(|number| Doc::atom(number.to_string()));
    Doc::list([Doc::atom("_"), Doc::atom(word)].into_iter().chain(numbers).collect())
}

fn label_name(label: LabelId) -> Doc {
    Doc::atom(format!("l{}", label.0))
}

fn sort(ty: &Type) -> Doc {
    match ty {
        Type::Array(index, element) => Doc::list(vec![Doc::atom("Array"), sort(index), sort(element)]),
        Type::Named(name) => Doc::atom(quoted(name)),
        _ => Doc::atom(ty.to_string()),
    }
}

fn collect_sorts(ty: &Type, names: &mut Vec<String>) {
    match ty {
        Type::Named(name) if !names.contains(name) => names.push(name.clone()),
        Type::Array(index, element) => {
            collect_sorts(index, names);
            collect_sorts(element, names);
        }
        _ => {}
    }
}
