//! Statements. Each one that is wrong leaves a diagnostic, and the next one is read.

use super::scope::{Kind, Meaning, Scope};
use super::syntax::{Clause, Expr as Syntax, Name, Stmt as StmtSyntax, StmtKind as Kinds, Target, Test};
use super::tasks::attribute;
use super::types::count;
use super::{Read, Reader};
use crate::{Diagnostic, spelling};
use braid_program::ast::{Check, ExprKind, LabelId, Stmt, StmtKind, VarId};
use braid_program::source::Span;

/// Calls of these are the ends of an atomic block, as in C.
const ATOMIC_BEGIN: &str = "__VERIFIER_atomic_begin";
const ATOMIC_END: &str = "__VERIFIER_atomic_end";

/// A statement that `break` can leave.
pub(super) struct BreakTarget {
    /// The label before it.
    name: Option<String>,
    is_loop: bool,
    /// The place behind it.
    behind: LabelId,
    used: bool,
}

impl<'s> Reader<'s> {
    /// Notes the labels of a body.
    pub(super) fn find_labels(&mut self, statements: &[StmtSyntax]) {
        let mut todo: Vec<&StmtSyntax> = statements.iter().rev().collect();
        while let Some(stmt) = todo.pop() {
            if let Kinds::Label(name) = &stmt.kind {
                let label = self.new_label();
                if self.frame.labels.insert(name.text.clone(), label).is_some() {
                    let message = format!("the label `{}` stands at two places", name.text);
                    self.errors.push(Diagnostic::new(name.span, message));
                }
            }
            let children: Vec<&StmtSyntax> = stmt.children().collect();
            todo.extend(children.into_iter().rev());
        }
    }

    /// Statements in a row; each that is wrong is left out.
    pub(super) fn statements(&mut self, statements: &[StmtSyntax]) -> Vec<Stmt> {
        let mut read = Vec::new();
        let mut at = 0;
        while let Some(stmt) = statements.get(at) {
            at += 1;
            if is_call(stmt, ATOMIC_BEGIN) {
                let rest = &statements[at..];
                let Some(length) = matching_end(rest) else {
                    let error = Diagnostic::new(stmt.span, "this atomic block does not end among these statements");
                    self.errors.push(error.hint(format!("`call {ATOMIC_END}();` should stand in the same block")));
                    continue;
                };
                let body = self.atomic(&rest[..length]);
                read.push(Stmt { kind: body, span: stmt.span.to(rest[length].span) });
                at += length + 1;
                continue;
            }
            let label = match at.checked_sub(2).map(|before| &statements[before].kind) {
                Some(Kinds::Label(name)) => Some(name.text.as_str()),
                _ => None,
            };
            let result = self.statement(stmt, label);
            read.extend(self.kept(result).into_iter().flatten());
        }
        read
    }

    fn block(&mut self, statements: &[StmtSyntax], span: Span) -> Box<Stmt> {
        let span = match (statements.first(), statements.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => span,
        };
        Box::new(Stmt { kind: StmtKind::Seq(self.statements(statements)), span })
    }

    fn atomic(&mut self, statements: &[StmtSyntax]) -> StmtKind {
        let outer = std::mem::replace(&mut self.frame.atomic, true);
        let span = statements.first().map_or(Span::default(), |first| first.span);
        let body = self.block(statements, span);
        self.frame.atomic = outer;
        StmtKind::Atomic(body)
    }

    fn statement(&mut self, stmt: &StmtSyntax, label: Option<&str>) -> Read<Vec<Stmt>> {
        let span = stmt.span;
        // What is read does not change which names there are.
        let scope = std::mem::take(&mut self.frame.scope);
        self.frame.scope = scope.clone();
        let scope = &scope;
        let one = |kind| Ok(vec![Stmt { kind, span }]);
        match &stmt.kind {
            Kinds::Label(name) => match self.frame.labels.get(&name.text) {
                Some(&label) => one(StmtKind::Label(label)),
                None => Ok(Vec::new()),
            },
            Kinds::Assert(formula) => one(StmtKind::Assert(Check::Assertion, self.formula(scope, formula)?)),
            Kinds::Assume(attributes, formula) => {
                let formula = self.formula(scope, formula)?;
                let mut all = if let Some(wait) = attribute(attributes, "wait") {
                    self.wait(scope, wait, span)?
                } else if attribute(attributes, "yield").is_some() {
                    self.yield_here(span)?
                } else {
                    return one(StmtKind::Assume(formula));
                };
                if formula.kind != ExprKind::Bool(true) {
                    all.push(Stmt { kind: StmtKind::Assume(formula), span });
                }
                Ok(all)
            }
            Kinds::Havoc(names) => {
                let ids = self.different(scope, names)?;
                let known = ids.iter().filter_map(|id| self.frame.conditions.get(id).or(self.conditions.get(id)));
                let known = known.cloned().collect();
                let havoc = Stmt { kind: StmtKind::Havoc(ids), span };
                Ok(match self.conjunction(known, span) {
                    None => vec![havoc],
                    Some(assume) => vec![indivisible(vec![havoc, assume], span)],
                })
            }
            Kinds::Assign(targets, values) => one(self.assignment(scope, targets, values, span)?),
            Kinds::Call { attributes, results, procedure, arguments } => {
                self.call(scope, attributes, results, (procedure, arguments), span)
            }
            Kinds::If(test, then, other) => self.conditional(scope, test, then, other, label, span),
            Kinds::While { test, invariants, body } => self.while_loop(scope, test, invariants, body, label, span),
            Kinds::Break(name) => {
                let wanted = |target: &&mut BreakTarget| match name {
                    None => target.is_loop,
                    Some(name) => target.name.as_ref() == Some(&name.text),
                };
                match self.frame.breaks.iter_mut().rev().find(wanted) {
                    Some(target) => {
                        target.used = true;
                        one(StmtKind::Goto(vec![target.behind]))
                    }
                    None => Err(Diagnostic::new(span, "there is nothing around this `break` that it could leave")),
                }
            }
            Kinds::Goto(names) => {
                let labels = names.iter().map(|name| self.label(name)).collect::<Read<Vec<_>>>()?;
                one(StmtKind::Goto(labels))
            }
            Kinds::Return => one(match self.frame.exit {
                Some(exit) => StmtKind::Goto(vec![exit]),
                None => StmtKind::Return,
            }),
            Kinds::Fork { identity, procedure, arguments } => self.fork(scope, identity, (procedure, arguments), span),
            Kinds::Join { identity, results } => {
                let list = identity.iter().map(|part| self.expr(scope, part)).collect::<Read<Vec<_>>>()?;
                let results = self.different(scope, results)?;
                let identity = self.identity(list, span);
                one(StmtKind::Join { results, identity })
            }
            Kinds::Atomic(body) => one(self.atomic(body)),
        }
    }

    /// A variable that may be written here.
    pub(super) fn target(&self, scope: &Scope, name: &Name) -> Read<VarId> {
        let Meaning { variable, kind, .. } = self.meaning(scope, &name.text, name.span)?;
        let wrong = |what: &str| Diagnostic::new(name.span, format!("`{}` is {what}", name.text));
        match (kind, variable) {
            (Kind::Local, Some(id)) => Ok(*id),
            (Kind::Global, Some(id)) if self.frame.modifies.contains(id) => Ok(*id),
            (Kind::Global, _) => Err(wrong("not among the variables that this procedure modifies")
                .hint(format!("add `modifies {};` to the procedure", name.text))),
            (Kind::Parameter, _) => Err(wrong("a parameter, and keeps its value").hint("use a local variable")),
            (Kind::Constant, _) | (_, None) => Err(wrong("a constant, and keeps its value")),
        }
    }

    /// Variables that may be written here, each once.
    pub(super) fn different(&self, scope: &Scope, names: &[Name]) -> Read<Vec<VarId>> {
        let mut ids = Vec::new();
        for name in names {
            let id = self.target(scope, name)?;
            if ids.contains(&id) {
                return Err(Diagnostic::new(name.span, format!("`{}` is written twice at once", name.text)));
            }
            ids.push(id);
        }
        Ok(ids)
    }

    fn assignment(&mut self, scope: &Scope, targets: &[Target], values: &[Syntax], span: Span) -> Read<StmtKind> {
        if targets.len() != values.len() {
            let message = format!("{} cannot take {}", count(targets.len(), "variable"), count(values.len(), "value"));
            return Err(Diagnostic::new(span, message));
        }
        let names: Vec<Name> = targets.iter().map(|target| target.name.clone()).collect();
        let ids = self.different(scope, &names)?;
        let mut pairs = Vec::new();
        for ((target, value), id) in targets.iter().zip(values).zip(ids) {
            let mut map = self.meaning(scope, &target.name.text, target.name.span)?.value.clone();
            map.expr.span = target.name.span;
            pairs.push((id, self.updated(scope, map, &target.indices, value, target.span)?));
        }
        Ok(StmtKind::Assign(pairs))
    }

    fn label(&self, name: &Name) -> Read<LabelId> {
        self.frame.labels.get(&name.text).copied().ok_or_else(|| {
            let error = Diagnostic::new(name.span, format!("there is no label `{}` in this procedure", name.text));
            match spelling::nearest(&name.text, self.frame.labels.keys().map(String::as_str)) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error,
            }
        })
    }

    /// Reads what `break` can leave; adds the place behind it if there is a `break`.
    fn breakable(
        &mut self,
        label: Option<&str>,
        is_loop: bool,
        span: Span,
        read: impl FnOnce(&mut Self) -> Read<Vec<Stmt>>,
    ) -> Read<Vec<Stmt>> {
        let behind = self.new_label();
        self.frame.breaks.push(BreakTarget { name: label.map(str::to_owned), is_loop, behind, used: false });
        let result = read(self);
        let used = self.frame.breaks.pop().is_some_and(|target| target.used);
        let mut all = result?;
        if used {
            all.push(Stmt { kind: StmtKind::Label(behind), span });
        }
        Ok(all)
    }

    fn conditional(
        &mut self,
        scope: &Scope,
        test: &Test,
        then: &[StmtSyntax],
        other: &[StmtSyntax],
        label: Option<&str>,
        span: Span,
    ) -> Read<Vec<Stmt>> {
        self.breakable(label, false, span, |reader| {
            let test = test.as_ref().map(|test| reader.formula(scope, test)).transpose();
            let (then, other) = (reader.block(then, span), reader.block(other, span));
            let kind = match test? {
                Some(test) => StmtKind::If(test, then, Some(other)),
                None => StmtKind::Choice(vec![*then, *other]),
            };
            Ok(vec![Stmt { kind, span }])
        })
    }

    /// Invariants are checked whenever the loop begins a round or ends.
    fn while_loop(
        &mut self,
        scope: &Scope,
        test: &Test,
        invariants: &[Clause],
        body: &[StmtSyntax],
        label: Option<&str>,
        span: Span,
    ) -> Read<Vec<Stmt>> {
        self.breakable(label, true, span, |reader| {
            let test = test.as_ref().map(|test| reader.formula(scope, test)).transpose();
            let checks = invariants.iter().map(|clause| reader.clause(scope, clause)).collect::<Read<Vec<_>>>();
            let mut body = reader.block(body, span);
            let mut all = checks?;
            if !all.is_empty() {
                let inner = body.span;
                let round = std::iter::once(*body).chain(all.iter().cloned()).collect();
                body = Box::new(Stmt { kind: StmtKind::Seq(round), span: inner });
            }
            let kind = match test? {
                Some(test) => StmtKind::While(test, body),
                None => StmtKind::Loop(body),
            };
            all.push(Stmt { kind, span });
            Ok(all)
        })
    }
}

/// Statements as one step.
pub(super) fn indivisible(mut statements: Vec<Stmt>, span: Span) -> Stmt {
    let body = match statements.len() {
        1 => statements.remove(0),
        _ => Stmt { kind: StmtKind::Seq(statements), span },
    };
    Stmt { kind: StmtKind::Atomic(Box::new(body)), span }
}

fn is_call(stmt: &StmtSyntax, name: &str) -> bool {
    matches!(&stmt.kind, Kinds::Call { procedure, arguments, .. } if procedure.text == name && arguments.is_empty())
}

/// Where the block that was begun before these statements ends.
fn matching_end(statements: &[StmtSyntax]) -> Option<usize> {
    let mut open = 1;
    statements.iter().position(|stmt| {
        if is_call(stmt, ATOMIC_BEGIN) {
            open += 1;
        } else if is_call(stmt, ATOMIC_END) {
            open -= 1;
        }
        open == 0
    })
}
