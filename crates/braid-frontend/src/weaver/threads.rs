//! The statements that only Braid has: assertions, calls, threads by name, tasks, jumps, and simultaneous assignment.

use super::words::BRAID_STATEMENTS;
use super::{Read, Reader, count, symbol, there_are, tick};
use crate::spelling;
use braid_logic::sexpr::Sexpr;
use braid_program::ast::{Check, Expr, ProcId, Release, StmtKind, Type, VarId};

impl Reader {
    /// A statement with one of the words of [`BRAID_STATEMENTS`].
    pub(super) fn braid_statement(&mut self, item: &Sexpr, word: &str, parts: &[Sexpr]) -> Read<StmtKind> {
        debug_assert!(BRAID_STATEMENTS.contains(&word));
        if !self.is_braid() {
            let error = self.not_weaver(item, &tick(word));
            return Err(match word {
                "assert" => error.hint("Weaver claims that no execution ends: write a last `(assume (not …))`"),
                "fork" | "async" => error.hint("Weaver's threads are the branches of `par`; `.braid` files have more"),
                _ => error,
            });
        }
        match (word, parts) {
            ("assert", _) => Ok(StmtKind::Assert(Check::Assertion, self.test(item, parts)?)),
            ("await", [test]) => Ok(StmtKind::Await(self.formula(test)?, Box::new(Release::Anyone))),
            ("await", [test, identity]) => {
                let test = self.formula(test)?;
                Ok(StmtKind::Await(test, Box::new(Release::Thread(self.expr_of(identity, &Type::Int)?))))
            }
            ("stop", []) => Ok(StmtKind::Await(Expr::bool(false, self.span(item)), Box::new(Release::Over))),
            ("check", [name, rest @ ..]) => {
                let word = self.name(name, "the name of a check")?;
                let check = Check::of_name(word).ok_or_else(|| self.wrong(name, "there is no such check"))?;
                Ok(StmtKind::Assert(check, self.test(item, rest)?))
            }
            ("unmodelled", [reason]) => {
                Ok(StmtKind::Unmodelled(self.name(reason, "why it is not modelled, in bars")?.to_owned()))
            }
            ("call", [results, name, arguments @ ..]) => self.call(results, name, arguments),
            ("return", []) => Ok(StmtKind::Return),
            ("fork", [identity, name, arguments @ ..]) => {
                let identity = self.expr_of(identity, &Type::Int)?;
                let procedure = self.procedure(name)?;
                let arguments = self.arguments(procedure, name, arguments)?;
                Ok(StmtKind::Fork { identity, procedure, arguments })
            }
            ("join", [results, identity]) => {
                let results = self.results(results)?;
                Ok(StmtKind::Join { results, identity: self.expr_of(identity, &Type::Int)? })
            }
            ("async", [handle, name, arguments @ ..]) => {
                let handle = self.handle(handle)?;
                let procedure = self.procedure(name)?;
                let arguments = self.arguments(procedure, name, arguments)?;
                Ok(StmtKind::Async { handle, procedure, arguments })
            }
            ("wait", [results, handle]) => {
                let results = self.results(results)?;
                Ok(StmtKind::Wait { results, handle: self.expr_of(handle, &Type::Int)? })
            }
            ("label", [name_item]) => {
                let name = self.name(name_item, "the name of a label")?;
                let span = self.span(name_item);
                self.labels.define(name, span).map(StmtKind::Label).map_err(|first| self.twice(name_item, name, first))
            }
            ("goto", [_, ..]) => {
                let label = |item| Ok(self.labels.mention(self.name(item, "the name of a label")?, self.span(item)));
                Ok(StmtKind::Goto(parts.iter().map(label).collect::<Read<_>>()?))
            }
            _ => Err(self.wrong(item, format!("this is not how {} is written", tick(word))).hint(usage(word))),
        }
    }

    /// `(set! (x y) (e1 e2))`.
    pub(super) fn simultaneous(&mut self, targets: &Sexpr, values: &Sexpr) -> Read<Vec<(VarId, Expr)>> {
        if !self.is_braid() {
            let error = self.wrong(targets, "the name of a variable should stand here");
            return Err(error.hint(
                "an element of an array is set by `(store! a i v)`; `.braid` files have `(set! (x y) (e1 e2))`",
            ));
        }
        let targets = targets.as_list().unwrap_or_default();
        let values = match values.as_list() {
            Some(items) if items.len() == targets.len() => items,
            Some(items) => {
                let message =
                    format!("there are {} for {}", count(items.len(), "value"), count(targets.len(), "variable"));
                return Err(self.wrong(values, message).hint("write `(set! (x y) (e1 e2))`"));
            }
            None => {
                return Err(self
                    .wrong(values, "a list of values should stand here")
                    .hint("write `(set! (x y) (e1 e2))`"));
            }
        };
        let ids = self.different_targets(targets)?;
        ids.into_iter().zip(values).map(|(id, value)| Ok((id, self.value_for(id, value)?))).collect()
    }

    /// Variables that are written to at once, and so must differ.
    pub(super) fn different_targets(&self, items: &[Sexpr]) -> Read<Vec<VarId>> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut ids = Vec::new();
        for item in items {
            let id = self.target(item)?;
            if !seen.insert(id) {
                return Err(self.wrong(item, "this variable is written twice by one statement"));
            }
            ids.push(id);
        }
        Ok(ids)
    }

    fn results(&self, list: &Sexpr) -> Read<Vec<VarId>> {
        match list.as_list() {
            Some(items) => self.different_targets(items),
            None => Err(self
                .wrong(list, "a list of variables for the results should stand here")
                .hint("write `()` for none")),
        }
    }

    fn handle(&self, item: &Sexpr) -> Read<Option<VarId>> {
        if item.as_symbol() == Some("_") {
            return Ok(None);
        }
        let id = self.target(item)?;
        match &self.program.variable(id).ty {
            Type::Int => Ok(Some(id)),
            other => Err(self
                .wrong(item, format!("the handle of a task is an Int, but this is of type {other}"))
                .hint("write `_` if the handle is not needed")),
        }
    }

    fn procedure(&self, item: &Sexpr) -> Read<ProcId> {
        let name = self.name(item, "the name of a procedure")?;
        self.procedures.get(name).copied().ok_or_else(|| {
            let error = self.wrong(item, format!("there is no procedure {}", tick(name)));
            match spelling::nearest(name, self.procedures.keys().map(String::as_str)) {
                Some(near) => error.hint(format!("did you mean {}?", tick(near))),
                None => error.hint(format!("declare it: `(proc {name} () () …)`")),
            }
        })
    }

    fn arguments(&mut self, procedure: ProcId, name: &Sexpr, items: &[Sexpr]) -> Read<Vec<Expr>> {
        let parameters = self.program.procedure(procedure).parameters.clone();
        if parameters.len() != items.len() {
            let (word, takes) = (symbol(name).unwrap_or_default(), count(parameters.len(), "argument"));
            return Err(self.wrong(name, format!("{} takes {takes}, but {}", tick(word), there_are(items.len()))));
        }
        parameters.into_iter().zip(items).map(|(parameter, item)| self.value_for(parameter, item)).collect()
    }

    fn call(&mut self, results: &Sexpr, name: &Sexpr, arguments: &[Sexpr]) -> Read<StmtKind> {
        let targets = self.results(results)?;
        let procedure = self.procedure(name)?;
        let arguments = self.arguments(procedure, name, arguments)?;
        let given = &self.program.procedure(procedure).results;
        if given.len() != targets.len() {
            let (word, gives) = (symbol(name).unwrap_or_default(), count(given.len(), "result"));
            return Err(self.wrong(results, format!("{} gives {gives}, but {}", tick(word), there_are(targets.len()))));
        }
        let items = results.as_list().unwrap_or_default();
        for ((&target, &result), item) in targets.iter().zip(given).zip(items) {
            let (target, result) = (self.program.variable(target), self.program.variable(result));
            if target.ty != result.ty {
                let message =
                    format!("{} is of type {}, but the result is of type {}", tick(&target.name), target.ty, result.ty);
                return Err(self.wrong(item, message));
            }
        }
        Ok(StmtKind::Call { results: targets, procedure, arguments })
    }
}

/// How a statement is written.
fn usage(word: &str) -> &'static str {
    match word {
        "call" => "write `(call (result …) name argument …)`",
        "return" => "write `(return)`; results are variables of the procedure, set them before",
        "fork" => "write `(fork identity name argument …)`",
        "join" => "write `(join (result …) identity)`",
        "async" => "write `(async variable name argument …)`, with `_` if the handle is not needed",
        "wait" => "write `(wait (result …) handle)`",
        "await" => "write `(await formula)`, or `(await formula identity)` if only one thread can make it true",
        "stop" => "write `(stop)`",
        "label" => "write `(label name)`",
        _ => "write `(goto name …)`",
    }
}
