//! Calls and forks: arguments and results fit the procedure, and what it requires is checked first.

use super::procedures::ProcedureInfo;
use super::scope::{Kind, Meaning, Moment, Scope, Typed};
use super::statements::indivisible;
use super::syntax::{Attribute, Expr as Syntax, Name};
use super::tasks::attribute;
use super::types::{Ty, count};
use super::{Read, Reader};
use crate::{Diagnostic, spelling};
use braid_program::ast::{Expr, Stmt, StmtKind, VarId};
use braid_program::source::Span;

/// Undeclared procedures of such names do nothing.
const RECORDS: &str = "boogie_si_record_";

impl<'s> Reader<'s> {
    /// `call x := p(e);`, in its place or as a task.
    pub(super) fn call(
        &mut self,
        scope: &Scope,
        attributes: &[Attribute],
        results: &[Name],
        (procedure, arguments): (&Name, &[Syntax]),
        span: Span,
    ) -> Read<Vec<Stmt>> {
        if self.records(procedure) && results.is_empty() {
            for argument in arguments {
                self.expr(scope, argument)?;
            }
            return Ok(Vec::new());
        }
        let callee = self.callee(procedure)?;
        let arguments = self.arguments(scope, &callee, procedure, arguments, span)?;
        let mut all = self.requirements(&callee, &arguments, span)?;
        let results = self.results(scope, &callee, results, span)?;
        if let Some(attribute) = attribute(attributes, "async") {
            all.push(self.start_task(scope, attribute, &callee, arguments, span)?);
            return Ok(all);
        }
        all.push(Stmt { kind: StmtKind::Call { results, procedure: callee.id, arguments }, span });
        Ok(if callee.body.is_none() { vec![indivisible(all, span)] } else { all })
    }

    /// `fork 1, 2 p(e);`
    pub(super) fn fork(
        &mut self,
        scope: &Scope,
        identity: &[Syntax],
        (procedure, arguments): (&Name, &[Syntax]),
        span: Span,
    ) -> Read<Vec<Stmt>> {
        let callee = self.callee(procedure)?;
        let list = identity.iter().map(|part| self.expr(scope, part)).collect::<Read<Vec<_>>>()?;
        let arguments = self.arguments(scope, &callee, procedure, arguments, span)?;
        let mut all = self.requirements(&callee, &arguments, span)?;
        let identity = self.identity(list, span);
        all.push(Stmt { kind: StmtKind::Fork { identity, procedure: callee.id, arguments }, span });
        Ok(all)
    }

    /// Is this one of the undeclared procedures by which Corral's users ask for values in traces?
    fn records(&self, procedure: &Name) -> bool {
        procedure.text.starts_with(RECORDS) && !self.procedures.contains_key(&procedure.text)
    }

    fn callee(&self, name: &Name) -> Read<ProcedureInfo<'s>> {
        let Some(info) = self.procedures.get(&name.text) else {
            let error = Diagnostic::new(name.span, format!("there is no procedure `{}`", name.text));
            return Err(match spelling::nearest(&name.text, self.procedures.keys().map(String::as_str)) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error,
            });
        };
        if info.id == self.program.main {
            let message = format!("`{}` is where the program begins, and cannot be called", name.text);
            return Err(Diagnostic::new(name.span, message));
        }
        Ok(info.clone())
    }

    fn arguments(
        &mut self,
        scope: &Scope,
        callee: &ProcedureInfo<'s>,
        name: &Name,
        arguments: &[Syntax],
        span: Span,
    ) -> Read<Vec<Expr>> {
        if arguments.len() != callee.parameters.len() {
            let wanted = count(callee.parameters.len(), "argument");
            let message = format!("`{}` takes {wanted}, but here are {}", name.text, arguments.len());
            return Err(Diagnostic::new(span, message));
        }
        let pairs = arguments.iter().zip(&callee.parameters);
        pairs.map(|(argument, (_, ty))| self.expr_of(scope, argument, ty)).collect()
    }

    fn results(&mut self, scope: &Scope, callee: &ProcedureInfo<'s>, names: &[Name], span: Span) -> Read<Vec<VarId>> {
        if names.len() != callee.results.len() {
            let gives = count(callee.results.len(), "result");
            let message = format!("`{}` gives {gives}, but here are {}", callee.header.name.text, names.len());
            return Err(Diagnostic::new(span, message));
        }
        let ids = self.different(scope, names)?;
        for (name, (_, ty)) in names.iter().zip(&callee.results) {
            let own = &self.meaning(scope, &name.text, name.span)?.value.ty;
            if own != ty {
                let message = format!("`{}` is of type {own}, but the result is of type {ty}", name.text);
                return Err(Diagnostic::new(name.span, message));
            }
        }
        Ok(ids)
    }

    /// Checks the `requires` clauses of a procedure for given arguments.
    fn requirements(&mut self, callee: &ProcedureInfo<'s>, arguments: &[Expr], span: Span) -> Read<Vec<Stmt>> {
        let names = callee.header.parameters.iter().flat_map(|group| &group.names);
        let values = arguments.iter().zip(&callee.parameters);
        let meaning = |(value, (_, ty)): (&Expr, &(VarId, Ty))| Meaning {
            value: Typed { expr: value.clone(), ty: ty.clone() },
            variable: None,
            kind: Kind::Parameter,
        };
        let names = names.map(|name| name.text.clone()).zip(values.map(meaning)).collect();
        let scope = Scope { names, moment: Moment::Now };
        let clauses = callee.contract.requires.iter();
        clauses.map(|clause| Ok(Stmt { span, ..self.clause(&scope, clause)? })).collect()
    }
}
