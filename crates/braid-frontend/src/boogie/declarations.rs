//! What is declared before any procedure is looked at: types, constants, functions, axioms, global variables.

use super::expressions::operation;
use super::scope::{Kind, Meaning, Moment, Scope, Typed};
use super::syntax::{Declaration, Name, Variables};
use super::types::Ty;
use super::{Read, Reader};
use crate::Diagnostic;
use braid_program::ast::{Expr, Op, Storage, VarId, Variable};
use braid_program::source::Span;

impl<'s> Reader<'s> {
    /// Reads all declarations; stops where errors would only cause more.
    pub(super) fn program(&mut self, declarations: &'s [Declaration], whole: Span) {
        let types = declarations.iter().filter_map(|declaration| match declaration {
            Declaration::Type(declaration) => Some(declaration),
            _ => None,
        });
        self.declare_types(&types.collect::<Vec<_>>());
        if !self.errors.is_empty() {
            return;
        }
        self.find_task_types(declarations);
        self.declare_globals(declarations);
        let functions = declarations.iter().filter_map(|declaration| match declaration {
            Declaration::Function(function) => Some(&**function),
            _ => None,
        });
        self.declare_functions(&functions.collect::<Vec<_>>());
        if !self.errors.is_empty() {
            return;
        }
        self.assume_axioms(declarations);
        self.declare_procedures(declarations);
        if self.errors.is_empty() {
            self.read_procedures(whole);
        }
    }

    fn declare_globals(&mut self, declarations: &[Declaration]) {
        for declaration in declarations {
            match declaration {
                Declaration::Globals(groups) => {
                    for group in groups {
                        self.declare_group(group, Kind::Global);
                    }
                }
                Declaration::Constants { unique, variables } => {
                    let declared = self.declare_group(variables, Kind::Constant);
                    if *unique {
                        self.uniques.extend(declared);
                    }
                }
                _ => {}
            }
        }
    }

    fn declare_group(&mut self, group: &Variables, kind: Kind) -> Vec<VarId> {
        let Some(ty) = self.kept_type(group) else { return Vec::new() };
        let mut declared = Vec::new();
        for name in &group.names {
            let result = self.variable(name, &ty, group.ty.span, Storage::Global, kind);
            let Some((id, meaning)) = self.kept(result) else { continue };
            if self.globals.insert(name.text.clone(), meaning).is_some() {
                self.errors.push(declared_twice(name));
            }
            declared.push(id);
        }
        declared
    }

    fn kept_type(&mut self, group: &Variables) -> Option<Ty> {
        let ty = self.ty(&group.ty);
        self.kept(ty)
    }

    /// A new variable, and what its name means.
    pub(super) fn variable(
        &mut self,
        name: &Name,
        ty: &Ty,
        type_span: Span,
        storage: Storage,
        kind: Kind,
    ) -> Read<(VarId, Meaning)> {
        let declared = self.ast_type(ty, type_span)?;
        let id = self.new_variable(Variable { name: name.text.clone(), ty: declared, storage, span: name.span });
        let value = Typed { expr: Expr::var(&self.program, id, name.span), ty: ty.clone() };
        Ok((id, Meaning { value, variable: Some(id), kind }))
    }

    /// Axioms, that unique constants differ, and the `where` clauses of global variables.
    fn assume_axioms(&mut self, declarations: &[Declaration]) {
        let constants = Scope { moment: Moment::Never, ..Scope::default() };
        let variables = Scope { moment: Moment::Now, ..Scope::default() };
        for declaration in declarations {
            match declaration {
                Declaration::Axiom(axiom) => {
                    let formula = self.formula(&constants, axiom);
                    let formula = self.kept(formula);
                    self.assumptions.extend(formula);
                }
                Declaration::Globals(groups) => {
                    for group in groups.iter() {
                        let Some(condition) = &group.condition else { continue };
                        let formula = self.formula(&variables, condition);
                        let Some(formula) = self.kept(formula) else { continue };
                        self.assumptions.push(formula.clone());
                        for name in &group.names {
                            if let Some(id) = self.globals.get(&name.text).and_then(|meaning| meaning.variable) {
                                self.conditions.insert(id, formula.clone());
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        self.assume_uniqueness();
    }

    /// Unique constants of one type are pairwise different.
    fn assume_uniqueness(&mut self) {
        let mut rest = std::mem::take(&mut self.uniques);
        while let Some(&first) = rest.first() {
            let ty = self.program.variable(first).ty.clone();
            let (same, others) = rest.into_iter().partition(|&id| self.program.variable(id).ty == ty);
            rest = others;
            let span = self.program.variable(first).span;
            let same: Vec<VarId> = same;
            if same.len() > 1 {
                let operands = same.iter().map(|&id| Expr::var(&self.program, id, span)).collect();
                let distinct = operation(Op::Distinct, operands, Ty::Bool, span);
                let distinct = self.kept(distinct);
                self.assumptions.extend(distinct.map(|distinct| distinct.expr));
            }
        }
    }
}

pub(super) fn declared_twice(name: &Name) -> Diagnostic {
    Diagnostic::new(name.span, format!("`{}` is declared twice", name.text))
}
