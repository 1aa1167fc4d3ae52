//! Names of threads: Ultimate's lists of values, as one number each.
//!
//! `fork 2, i p();` and `join 2, i;` meet if the lists are of equal length and equal types, and have equal values. The program has
//! one number for that, so lists are numbered: each kind of list (its types) has a remainder of its own, positions that
//! hold literals everywhere are counted, and at most one position varies. Equal lists get equal numbers, others do not.

use super::Reader;
use super::scope::Typed;
use super::types::Ty;
use crate::Diagnostic;
use braid_logic::{BvOp, Integer};
use braid_program::ast::{Expr, ExprKind, Op, Stmt, StmtKind};
use braid_program::source::Span;

/// The lists of all forks and joins, numbered in the order they were read.
#[derive(Default)]
pub(super) struct Identities {
    sites: Vec<Vec<Typed>>,
}

/// The value of a literal, as a number: types are compared elsewhere.
fn literal(expr: &Expr) -> Option<Integer> {
    match &expr.kind {
        ExprKind::Int(value) | ExprKind::BitVec(value) => Some(value.clone()),
        ExprKind::Bool(value) => Some(Integer::from(i64::from(*value))),
        ExprKind::Op(Op::Sub, operands) if operands.len() == 1 => literal(&operands[0]).map(|value| -&value),
        _ => None,
    }
}

impl Reader<'_> {
    /// Notes the list; until all are known, its number stands for it.
    pub(super) fn identity(&mut self, list: Vec<Typed>, span: Span) -> Expr {
        self.identities.sites.push(list);
        Expr::int(self.identities.sites.len() as i64 - 1, span)
    }

    /// Gives all forks and joins the numbers of their lists.
    pub(super) fn number_identities(&mut self) {
        let sites = std::mem::take(&mut self.identities.sites);
        let types = |site: &[Typed]| site.iter().map(|part| part.ty.clone()).collect::<Vec<Ty>>();
        let mut kinds: Vec<Vec<Ty>> = Vec::new();
        for site in &sites {
            if !kinds.contains(&types(site)) {
                kinds.push(types(site));
            }
        }
        let numbered: Vec<Option<Expr>> = sites
            .iter()
            .map(|site| {
                let kind = kinds.iter().position(|kind| *kind == types(site)).unwrap_or(0);
                let same: Vec<&Vec<Typed>> = sites.iter().filter(|other| types(other) == kinds[kind]).collect();
                let number = number(site, &same, kind, kinds.len());
                self.kept(number)
            })
            .collect();
        for procedure in &mut self.program.procedures {
            replace(&mut procedure.body, &numbered);
        }
    }
}

/// The number of a list, given all lists of its kind.
fn number(site: &[Typed], same: &[&Vec<Typed>], kind: usize, kinds: usize) -> Result<Expr, Diagnostic> {
    let span = site.first().map_or(Span::default(), |part| part.expr.span);
    if let ([Typed { ty: Ty::Int, expr }], 1) = (site, kinds) {
        return Ok(expr.clone());
    }
    let (mut varying, mut choice, mut choices): (Option<usize>, Integer, Integer) = (None, Integer::ZERO, Integer::ONE);
    for position in 0..site.len() {
        let column: Vec<Option<Integer>> = same.iter().map(|other| literal(&other[position].expr)).collect();
        let Some(mut values) = column.into_iter().collect::<Option<Vec<Integer>>>() else {
            let repeats =
                |earlier: usize| same.iter().all(|other| are_one(&other[earlier].expr, &other[position].expr));
            match varying {
                Some(earlier) if repeats(earlier) => {}
                Some(_) => {
                    let error = Diagnostic::new(site[position].expr.span, "two parts of this thread's name vary");
                    return Err(error.hint("at most one part may be other than a literal"));
                }
                None => varying = Some(position),
            }
            continue;
        };
        values.sort();
        values.dedup();
        let own = literal(&site[position].expr).unwrap_or(Integer::ZERO);
        let index = values.iter().position(|value| *value == own).unwrap_or(0);
        choice = &(&choice * &Integer::from(values.len() as i64)) + &Integer::from(index as i64);
        choices = &choices * &Integer::from(values.len() as i64);
    }
    let constant = &(&choice * &Integer::from(kinds as i64)) + &Integer::from(kind as i64);
    let factor = &choices * &Integer::from(kinds as i64);
    let Some(position) = varying else { return Ok(Expr::int(constant, span)) };
    let value = as_integer(&site[position])?;
    if let ExprKind::Int(value) = &value.kind {
        return Ok(Expr::int(&(value * &factor) + &constant, span));
    }
    if factor.is_one() {
        return Ok(value);
    }
    let wrong = |error: braid_program::ast::TypeError| Diagnostic::new(span, error.message);
    let scaled = Expr::op(Op::Mul, vec![Expr::int(factor, span), value], span).map_err(wrong)?;
    Expr::op(Op::Add, vec![scaled, Expr::int(constant, span)], span).map_err(wrong)
}

/// Are these surely the same value?
fn are_one(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
        _ => literal(a).is_some() && literal(a) == literal(b),
    }
}

/// Different values are different numbers.
fn as_integer(part: &Typed) -> Result<Expr, Diagnostic> {
    let span = part.expr.span;
    let wrong = |error: braid_program::ast::TypeError| Diagnostic::new(span, error.message);
    if let Some(value) = literal(&part.expr) {
        return Ok(Expr::int(value, span));
    }
    match part.ty {
        Ty::Int => Ok(part.expr.clone()),
        Ty::Bool => {
            Expr::op(Op::Ite, vec![part.expr.clone(), Expr::int(1, span), Expr::int(0, span)], span).map_err(wrong)
        }
        Ty::BitVec(_) => Expr::op(Op::Bv(BvOp::ToInt), vec![part.expr.clone()], span).map_err(wrong),
        _ => {
            let message = format!("the name of a thread cannot be of type {}", part.ty);
            Err(Diagnostic::new(span, message).hint("use integers, truth values or bit-vectors"))
        }
    }
}

fn replace(stmt: &mut Stmt, numbered: &[Option<Expr>]) {
    match &mut stmt.kind {
        StmtKind::Fork { identity, .. } | StmtKind::Join { identity, .. } => {
            if let ExprKind::Int(site) = &identity.kind
                && let Some(Some(number)) = site.to_i64().and_then(|site| numbered.get(site as usize))
            {
                *identity = number.clone();
            }
        }
        StmtKind::Seq(items) | StmtKind::Choice(items) | StmtKind::Par(items) => {
            items.iter_mut().for_each(|item| replace(item, numbered));
        }
        StmtKind::If(_, then, other) => {
            replace(then, numbered);
            other.iter_mut().for_each(|other| replace(other, numbered));
        }
        StmtKind::While(_, body) | StmtKind::Loop(body) | StmtKind::Atomic(body) | StmtKind::Declare(_, body) => {
            replace(body, numbered);
        }
        _ => {}
    }
}
