//! Procedures and implementations: headers, contracts, where the program begins.
//!
//! A procedure with a body is the body, with its `ensures` clauses checked at the end. One without a body is an indivisible step: its
//! results and the variables that it modifies get any values that its `ensures` clauses allow. Callers check `requires`
//! clauses before the call; those of the procedure that runs first are assumed.

use super::declarations::declared_twice;
use super::scope::{Kind, Meaning, Moment, Scope, Typed};
use super::statements::BreakTarget;
use super::syntax::{Body, Clause, Contract, Declaration, Header, Variables};
use super::types::Ty;
use super::{Read, Reader};
use crate::Diagnostic;
use braid_program::ast::{Check, Expr, LabelId, Op, ProcId, Procedure, Stmt, StmtKind, Storage, VarId, Variable};
use braid_program::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// A declared procedure.
#[derive(Clone)]
pub(super) struct ProcedureInfo<'s> {
    pub id: ProcId,
    pub header: &'s Header,
    pub contract: &'s Contract,
    /// The body, with the header that names its parameters.
    pub body: Option<(&'s Header, &'s Body)>,
    pub parameters: Vec<(VarId, Ty)>,
    pub results: Vec<(VarId, Ty)>,
}

/// The procedure that is being read.
#[derive(Default)]
pub(super) struct Frame {
    pub procedure: Option<ProcId>,
    pub scope: Scope,
    /// The global variables that it may write.
    pub modifies: FxHashSet<VarId>,
    pub labels: FxHashMap<String, LabelId>,
    /// What `break` can leave, the innermost last.
    pub breaks: Vec<BreakTarget>,
    /// The variables that keep what global variables were at the beginning.
    before: Vec<(VarId, VarId)>,
    /// What is known of the values of a local variable.
    pub conditions: FxHashMap<VarId, Expr>,
    /// Where `return` goes, if something is to be done at the end.
    pub exit: Option<LabelId>,
    /// Is this inside an atomic block?
    pub atomic: bool,
}

impl<'s> Reader<'s> {
    pub(super) fn declare_procedures(&mut self, declarations: &'s [Declaration]) {
        for declaration in declarations {
            let Declaration::Procedure { header, contract, body } = declaration else { continue };
            let result = self.declare_procedure(header, contract, body.as_ref());
            if let Some(info) = self.kept(result)
                && self.procedures.insert(header.name.text.clone(), info).is_some()
            {
                self.errors.push(declared_twice(&header.name));
            }
        }
        for declaration in declarations {
            let Declaration::Implementation { header, body } = declaration else { continue };
            let result = self.implement(header, body);
            self.kept(result);
        }
    }

    fn declare_procedure(
        &mut self,
        header: &'s Header,
        contract: &'s Contract,
        body: Option<&'s Body>,
    ) -> Read<ProcedureInfo<'s>> {
        if let Some(parameter) = header.type_parameters.first() {
            return Err(Diagnostic::new(parameter.span, "procedures with type parameters are not supported"));
        }
        let id = ProcId(self.program.procedures.len() as u32);
        let span = header.span;
        self.program.procedures.push(Procedure {
            name: header.name.text.clone(),
            parameters: Vec::new(),
            results: Vec::new(),
            identity: None,
            body: Stmt::skip(span),
            span,
        });
        let parameters = self.header_variables(id, &header.parameters, Kind::Parameter)?;
        let results = self.header_variables(id, &header.results, Kind::Local)?;
        let declared = &mut self.program.procedures[id.index()];
        declared.parameters = parameters.iter().map(|(id, _)| *id).collect();
        declared.results = results.iter().map(|(id, _)| *id).collect();
        Ok(ProcedureInfo { id, header, contract, body: body.map(|body| (header, body)), parameters, results })
    }

    fn header_variables(&mut self, procedure: ProcId, groups: &[Variables], kind: Kind) -> Read<Vec<(VarId, Ty)>> {
        let mut declared = Vec::new();
        for group in groups {
            let ty = self.ty(&group.ty)?;
            for name in &group.names {
                let (id, _) = self.variable(name, &ty, group.ty.span, Storage::Local(procedure), kind)?;
                declared.push((id, ty.clone()));
            }
        }
        Ok(declared)
    }

    fn implement(&mut self, header: &'s Header, body: &'s Body) -> Read<()> {
        let name = &header.name;
        let Some(info) = self.procedures.get(&name.text).cloned() else {
            let message = format!("there is no procedure `{}` to implement", name.text);
            return Err(Diagnostic::new(name.span, message).hint("declare it: `procedure …;`"));
        };
        let types = |groups: &[Variables]| -> Read<Vec<Ty>> {
            let each = groups.iter().map(|group| Ok(vec![self.ty(&group.ty)?; group.names.len()]));
            Ok(each.collect::<Read<Vec<Vec<Ty>>>>()?.concat())
        };
        let declared = |variables: &[(VarId, Ty)]| variables.iter().map(|(_, ty)| ty.clone()).collect::<Vec<_>>();
        if types(&header.parameters)? != declared(&info.parameters)
            || types(&header.results)? != declared(&info.results)
        {
            let message = format!("the parameters and results are not those of the procedure `{}`", name.text);
            return Err(Diagnostic::new(header.span, message));
        }
        if info.body.is_some() {
            return Err(Diagnostic::new(name.span, format!("`{}` has a body already", name.text)));
        }
        if let Some(info) = self.procedures.get_mut(&name.text) {
            info.body = Some((header, body));
        }
        Ok(())
    }

    /// The procedure that runs first.
    fn entry(&self, whole: Span) -> Read<ProcedureInfo<'s>> {
        let marked =
            |info: &&ProcedureInfo<'s>| info.header.attributes.iter().any(|attribute| attribute.name == "entrypoint");
        let named = |name: &str| self.procedures.get(name);
        let marked = || self.procedures.values().filter(marked).min_by_key(|info| info.id);
        let found = named("ULTIMATE.start").or_else(marked).or_else(|| named("main")).or_else(|| named("Main"));
        let found = found.cloned().ok_or_else(|| {
            Diagnostic::new(whole, "the program does not say which procedure runs first")
                .hint("call it `main` or `ULTIMATE.start`, or give it the attribute `{:entrypoint}`")
        })?;
        if found.body.is_none() {
            let message = format!("`{}` runs first, but has no body", found.header.name.text);
            return Err(Diagnostic::new(found.header.span, message));
        }
        Ok(found)
    }

    /// Reads all bodies and contracts.
    pub(super) fn read_procedures(&mut self, whole: Span) {
        let entry = self.entry(whole);
        let Some(entry) = self.kept(entry) else { return };
        self.program.main = entry.id;
        let main = &mut self.program.procedures[entry.id.index()];
        // Nobody gives it arguments or asks for results: they are like other local variables.
        main.parameters.clear();
        main.results.clear();
        let mut infos: Vec<ProcedureInfo<'s>> = self.procedures.values().cloned().collect();
        infos.sort_by_key(|info| info.id);
        self.find_dialect(&infos);
        if !self.errors.is_empty() {
            return;
        }
        for info in &infos {
            let result = self.read_procedure(info);
            if let Some(body) = self.kept(result) {
                self.program.procedures[info.id.index()].body = body;
            }
        }
        self.number_identities();
    }

    fn read_procedure(&mut self, info: &ProcedureInfo<'s>) -> Read<Stmt> {
        let contract = self.names(info, info.header);
        let mut modifies = FxHashSet::default();
        for name in &info.contract.modifies {
            let meaning = self.globals.get(&name.text).filter(|meaning| meaning.kind == Kind::Global);
            match meaning.and_then(|meaning| meaning.variable) {
                Some(id) => drop(modifies.insert(id)),
                None => {
                    let message = format!("there is no global variable `{}`", name.text);
                    self.errors.push(Diagnostic::new(name.span, message));
                }
            }
        }
        let is_main = info.id == self.program.main;
        let needs_end = !info.contract.ensures.is_empty() || is_main && self.running.is_some();
        let exit = needs_end.then(|| self.new_label());
        self.frame = Frame { procedure: Some(info.id), modifies, exit, ..Frame::default() };
        self.read_conditions(&contract, &info.header.parameters)?;
        self.read_conditions(&contract, &info.header.results)?;
        match info.body {
            Some((header, body)) => self.read_body(info, &contract, header, body),
            None => self.specification(info, &contract),
        }
    }

    /// The names of a header, for the body or for the contract.
    fn names(&mut self, info: &ProcedureInfo<'s>, header: &Header) -> Scope {
        let mut scope = Scope { moment: Moment::NowOrBefore, ..Scope::default() };
        let groups =
            [(&header.parameters, &info.parameters, Kind::Parameter), (&header.results, &info.results, Kind::Local)];
        for (groups, variables, kind) in groups {
            let names = groups.iter().flat_map(|group| &group.names);
            for (name, (id, ty)) in names.zip(variables) {
                let value = Typed { expr: Expr::var(&self.program, *id, name.span), ty: ty.clone() };
                let meaning = Meaning { value, variable: Some(*id), kind };
                if scope.names.insert(name.text.clone(), meaning).is_some() {
                    self.errors.push(declared_twice(name));
                }
            }
        }
        scope
    }

    fn read_conditions(&mut self, scope: &Scope, groups: &[Variables]) -> Read<()> {
        let now = Scope { moment: Moment::Now, ..scope.clone() };
        for group in groups {
            let Some(condition) = &group.condition else { continue };
            let formula = self.formula(&now, condition)?;
            for name in &group.names {
                if let Some(id) = now.names.get(&name.text).and_then(|meaning| meaning.variable) {
                    self.frame.conditions.insert(id, formula.clone());
                }
            }
        }
        Ok(())
    }

    fn read_body(&mut self, info: &ProcedureInfo<'s>, contract: &Scope, header: &Header, body: &Body) -> Read<Stmt> {
        self.frame.scope = self.names(info, header);
        for group in &body.locals {
            let ty = self.ty(&group.ty)?;
            for name in &group.names {
                let (_, meaning) = self.variable(name, &ty, group.ty.span, Storage::Local(info.id), Kind::Local)?;
                if self.frame.scope.names.insert(name.text.clone(), meaning).is_some() {
                    self.errors.push(declared_twice(name));
                }
            }
        }
        let scope = self.frame.scope.clone();
        self.read_conditions(&scope, &body.locals)?;
        self.find_labels(&body.statements);
        let statements = self.statements(&body.statements);
        let span = body.span;
        let is_main = info.id == self.program.main;

        let mut known = self.all_conditions();
        let mut end = Vec::new();
        if is_main {
            known.splice(0..0, self.assumptions.clone());
            for clause in &info.contract.requires {
                known.push(self.formula(&Scope { moment: Moment::Now, ..contract.clone() }, &clause.formula)?);
            }
        }
        for clause in &info.contract.ensures {
            end.push(self.clause(contract, clause)?);
        }
        let mut all = Vec::new();
        all.extend(self.conjunction(known, info.header.span));
        all.extend(self.remember(span));
        if is_main {
            all.extend(self.begin_tasks(info.header.span));
        }
        all.extend(statements);
        all.extend(self.frame.exit.map(|exit| Stmt { kind: StmtKind::Label(exit), span: end_of(span) }));
        all.extend(end);
        if is_main {
            all.extend(self.give_way(end_of(span)));
        }
        Ok(Stmt { kind: StmtKind::Seq(all), span })
    }

    /// What a procedure without a body does.
    fn specification(&mut self, info: &ProcedureInfo<'s>, contract: &Scope) -> Read<Stmt> {
        let span = info.header.span;
        let mut ensured = Vec::new();
        for clause in &info.contract.ensures {
            ensured.push(self.formula(contract, &clause.formula)?);
        }
        let mut changed: Vec<VarId> = self.frame.modifies.iter().copied().collect();
        changed.sort_unstable();
        let conditions = changed.iter().filter_map(|id| self.conditions.get(id).cloned());
        ensured.splice(0..0, conditions);
        ensured.splice(0..0, self.all_conditions());
        let mut all = Vec::new();
        all.extend(self.remember(span));
        if !changed.is_empty() {
            all.push(Stmt { kind: StmtKind::Havoc(changed), span });
        }
        all.extend(self.conjunction(ensured, span));
        let body = Stmt { kind: StmtKind::Seq(all), span };
        Ok(Stmt { kind: StmtKind::Atomic(Box::new(body)), span })
    }

    /// A clause as a statement: checked, or assumed if it is free.
    pub(super) fn clause(&mut self, scope: &Scope, clause: &Clause) -> Read<Stmt> {
        let formula = self.formula(scope, &clause.formula)?;
        let kind = if clause.free { StmtKind::Assume(formula) } else { StmtKind::Assert(Check::Assertion, formula) };
        Ok(Stmt { kind, span: clause.formula.span })
    }

    /// The `where` clauses of the procedure, in order of declaration.
    fn all_conditions(&self) -> Vec<Expr> {
        let mut known: Vec<_> = self.frame.conditions.iter().collect();
        known.sort_by_key(|(id, _)| **id);
        let mut formulas: Vec<Expr> = known.into_iter().map(|(_, formula)| formula.clone()).collect();
        formulas.dedup();
        formulas
    }

    /// Assumes all of the formulas at once, if there are any.
    pub(super) fn conjunction(&self, mut formulas: Vec<Expr>, span: Span) -> Option<Stmt> {
        let formula = match formulas.len() {
            0 => return None,
            1 => formulas.pop()?,
            _ => Expr::op(Op::And, formulas, span).ok()?,
        };
        Some(Stmt { kind: StmtKind::Assume(formula), span })
    }

    /// The variable that keeps what a global variable was at the beginning of the procedure.
    pub(super) fn before(&mut self, id: VarId) -> VarId {
        if let Some((_, kept)) = self.frame.before.iter().find(|(global, _)| *global == id) {
            return *kept;
        }
        let Variable { name, ty, span, .. } = self.program.variable(id).clone();
        let storage = Storage::Local(self.frame.procedure.unwrap_or(self.program.main));
        let kept = self.new_variable(Variable { name: format!("old({name})"), ty, storage, span });
        self.frame.before.push((id, kept));
        kept
    }

    /// Keeps what global variables are now.
    fn remember(&self, span: Span) -> Option<Stmt> {
        if self.frame.before.is_empty() {
            return None;
        }
        let pairs = self.frame.before.iter();
        let pairs = pairs.map(|&(global, kept)| (kept, Expr::var(&self.program, global, span))).collect();
        Some(Stmt { kind: StmtKind::Assign(pairs), span })
    }
}

/// The last character.
fn end_of(span: Span) -> Span {
    Span { start: span.end.saturating_sub(1).max(span.start), ..span }
}
