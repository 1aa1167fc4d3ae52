//! What is emitted: statements one after the other, temporaries, arbitrary values.

use crate::c::translate::{Result, Scalar, Translator, Value};
use braid_logic::Integer;
use braid_program::ast::{self, Release, Stmt, StmtKind, Type, VarId, build};
use braid_program::source::Span;

/// Statements as one.
pub fn block(stmts: Vec<Stmt>, span: Span) -> Box<Stmt> {
    Box::new(Stmt { kind: StmtKind::Seq(stmts), span })
}

/// One of two statements.
pub fn if_else(test: ast::Expr, yes: Stmt, no: Stmt) -> Stmt {
    let span = yes.span;
    Stmt { kind: StmtKind::If(test, Box::new(yes), Some(Box::new(no))), span }
}

impl Translator<'_, '_> {
    pub(crate) fn scalar(&self, ty: &crate::c::tree::Type) -> Option<Scalar> {
        Scalar::of(ty, self.unit.data_model)
    }

    pub(crate) fn pointer(&self) -> Scalar {
        Scalar::pointer(self.unit.data_model)
    }

    pub(crate) fn emit(&mut self, kind: StmtKind, span: Span) {
        let span = self.frame.expansion.as_ref().map_or(span, |expansion| expansion.span);
        self.out.push(Stmt { kind, span });
    }

    pub(crate) fn assign(&mut self, variable: VarId, value: ast::Expr, span: Span) {
        self.emit(StmtKind::Assign(vec![(variable, value)]), span);
    }

    pub(crate) fn assume(&mut self, formula: ast::Expr, span: Span) {
        if formula.kind != ast::ExprKind::Bool(true) {
            self.emit(StmtKind::Assume(formula), span);
        }
    }

    /// The whole program is over.
    pub(crate) fn stop(&mut self, span: Span) {
        let never = ast::Expr::bool(false, span);
        let deadlocks = self.is_about_waiting();
        self.emit(
            if deadlocks { StmtKind::Await(never, Box::new(Release::Over)) } else { StmtKind::Assume(never) },
            span,
        );
    }

    /// What `work` emits, apart.
    pub(crate) fn apart<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<(Vec<Stmt>, T)> {
        let before = std::mem::take(&mut self.out);
        let result = work(self);
        let emitted = std::mem::replace(&mut self.out, before);
        Ok((emitted, result?))
    }

    /// Emits what `work` emits as one indivisible step.
    pub(crate) fn atomically<T>(&mut self, span: Span, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.frame.atomic > 0 {
            return work(self);
        }
        self.frame.atomic += 1;
        let result = self.apart(work);
        self.frame.atomic -= 1;
        let (mut stmts, result) = result?;
        let single =
            matches!(&stmts[..], [Stmt { kind: StmtKind::Assign(_) | StmtKind::Assume(_) | StmtKind::Await(..), .. }]);
        match stmts.len() {
            0 => {}
            1 if single => self.out.append(&mut stmts),
            _ => self.emit(StmtKind::Atomic(block(stmts, span)), span),
        }
        Ok(result)
    }

    /// Two ways of which one is taken, the first one first: what they emit, and what they give.
    pub(crate) fn both_ways<T>(&mut self, way: impl Fn(&mut Self, bool) -> Result<T>) -> Result<[(Vec<Stmt>, T); 2]> {
        let before = self.frame.constants.clone();
        let yes = self.apart(|t| way(t, true))?;
        let after = std::mem::replace(&mut self.frame.constants, before);
        let no = self.apart(|t| way(t, false))?;
        self.join_constants(&after);
        Ok([yes, no])
    }

    /// The values of the way that is taken.
    pub(crate) fn one_of(&mut self, test: ast::Expr, ways: [(Vec<Stmt>, Vec<Value>); 2], span: Span) -> Vec<Value> {
        let [(mut yes, values), (mut no, others)] = ways;
        let mut results = Vec::new();
        for (a, b) in values.into_iter().zip(others) {
            let temporary = self.temporary(a.expr.ty.clone(), span);
            let assign = |value| Stmt { kind: StmtKind::Assign(vec![(temporary, value)]), span };
            yes.push(assign(a.expr));
            no.push(assign(b.expr));
            results.push(Value { expr: self.var(temporary, span), range: a.range.hull(&b.range), reads: false });
        }
        self.emit(StmtKind::If(test, block(yes, span), Some(block(no, span))), span);
        results
    }

    /// A conditional statement, or what is left of it.
    pub(crate) fn branch(&mut self, test: ast::Expr, yes: Vec<Stmt>, no: Vec<Stmt>, span: Span) {
        let block = |stmts| block(stmts, span);
        match test.kind {
            ast::ExprKind::Bool(true) => self.out.extend(yes),
            ast::ExprKind::Bool(false) => self.out.extend(no),
            _ if yes.is_empty() && no.is_empty() => {}
            _ if yes.is_empty() => self.emit(StmtKind::If(build::not(test, span), block(no), None), span),
            _ if no.is_empty() => self.emit(StmtKind::If(test, block(yes), None), span),
            _ => self.emit(StmtKind::If(test, block(yes), Some(block(no))), span),
        }
    }

    pub(crate) fn declare(&mut self, name: String, ty: Type, storage: ast::Storage, span: Span) -> VarId {
        self.variables.push(ast::Variable { name, ty, storage, span });
        VarId(self.variables.len() as u32 - 1)
    }

    pub(crate) fn var(&self, id: VarId, span: Span) -> ast::Expr {
        build::var(id, self.variables[id.index()].ty.clone(), span)
    }

    pub(crate) fn temporary(&mut self, ty: Type, span: Span) -> VarId {
        self.frame.temporaries += 1;
        let name = format!("t{}", self.frame.temporaries);
        self.local(name, ty, span)
    }

    /// A variable of the procedure that is being translated.
    pub(crate) fn local(&mut self, name: String, ty: Type, span: Span) -> VarId {
        self.declare(name, ty, ast::Storage::Local(self.frame.procedure), span)
    }

    pub(crate) fn label(&mut self) -> ast::LabelId {
        self.labels += 1;
        ast::LabelId(self.labels - 1)
    }

    /// The value in a temporary, if it reads shared memory: the read is a step of its own.
    pub(crate) fn settled(&mut self, value: Value, span: Span) -> Value {
        if !value.reads {
            return value;
        }
        let temporary = self.temporary(value.expr.ty.clone(), span);
        self.assign(temporary, value.expr, span);
        Value { expr: self.var(temporary, span), range: value.range, reads: false }
    }

    /// The value in a temporary, whatever it reads; a constant stays one.
    pub(crate) fn kept(&mut self, value: Value, span: Span) -> Value {
        let known = build::numeral(&value.expr).is_some();
        if known { value } else { self.settled(Value { reads: true, ..value }, span) }
    }

    /// Like [`Translator::settled`], at an earlier place of the output: before what has been emitted since.
    pub(crate) fn settled_at(&mut self, mark: usize, value: Value, span: Span) -> Value {
        let later = self.out.split_off(mark);
        let value = self.settled(value, span);
        self.out.extend(later);
        value
    }

    /// An arbitrary value of a type.
    pub(crate) fn arbitrary(&mut self, scalar: Scalar, span: Span) -> Value {
        self.frame.temporaries += 1;
        self.chosen(format!("t{}", self.frame.temporaries), scalar, span)
    }

    /// The same, in a variable with a name.
    pub(crate) fn chosen(&mut self, name: String, scalar: Scalar, span: Span) -> Value {
        let temporary = self.local(name, self.ints.ty(scalar), span);
        self.emit(StmtKind::Havoc(vec![temporary]), span);
        let expr = self.var(temporary, span);
        if let Some(range) = self.ints.in_range(scalar, &expr, span) {
            self.emit(StmtKind::Assume(range), span);
        }
        self.ints.any(scalar, expr, false)
    }

    pub(crate) fn number(&self, scalar: Scalar, value: i64, span: Span) -> Value {
        self.ints.constant(scalar, &Integer::from(value), span)
    }

    /// The identity of the running thread, as a mathematical integer.
    pub(crate) fn identity(&mut self, span: Span) -> ast::Expr {
        let known = self.frame.identity;
        let id = known.unwrap_or_else(|| self.local("self".into(), Type::Int, span));
        self.frame.identity = Some(id);
        self.var(id, span)
    }
}
