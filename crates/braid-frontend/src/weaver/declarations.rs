//! Declarations: `var`, `use`, and Braid's `sort`, `proc` and `claim` (see [`super::braid`] for how these are read).

use super::scope::Meaning;
use super::words::{BRAID_DECLARATIONS, DECLARATIONS};
use super::{Read, Reader, tick};
use crate::Diagnostic;
use braid_logic::sexpr::Sexpr;
use braid_program::ast::{Expr, FunId, Function, ProcId, Type};
use braid_program::source::Span;

impl Reader {
    /// Is this read as a declaration?
    pub(super) fn is_declaration(&self, item: &Sexpr) -> bool {
        self.head(item)
            .is_some_and(|word| DECLARATIONS.contains(&word) || self.is_braid() && BRAID_DECLARATIONS.contains(&word))
    }

    /// Reads declarations; gives the bodies of procedures, which are read when all declarations are.
    pub(super) fn declarations<'a>(&mut self, items: &'a [Sexpr]) -> Vec<(ProcId, &'a [Sexpr])> {
        let mut bodies = Vec::new();
        let mut done = Vec::new();
        for item in items {
            let parts = item.as_list().unwrap_or_default();
            let result = match self.head(item) {
                Some("var") => self.var(item, &parts[1..]),
                Some("use") => self.seeds(&parts[1..]),
                Some("sort") => self.sort_declaration(item, &parts[1..]),
                Some("claim") => self.claim(item, &parts[1..]),
                _ => self.procedure_header(item, parts).map(|body| bodies.push(body)),
            };
            self.keep(result, &mut done);
        }
        bodies
    }

    /// `(var NAME+ SORT)` or `(var NAME+ (SORT*) SORT)`.
    fn var(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Read<()> {
        let Some((result, before)) = parts.split_last() else {
            return Err(self.wrong(item, "this declares nothing").hint("write `(var x Int)` or `(var f (Int) Int)`"));
        };
        let (names, arguments) = match before.split_last() {
            Some((list, names)) if list.as_list().is_some() => (names, list.as_list().unwrap_or_default()),
            _ => (before, &[][..]),
        };
        for name in names {
            self.name(name, "the name of a variable")?;
        }
        let result = self.sort(result).map_err(|error| match self.head(result) {
            Some("Array" | "_") | None => error,
            Some(_) => error.hint("a function has argument sorts and a result sort: `(var f (Int) Int)`"),
        })?;
        let arguments = arguments.iter().map(|sort| self.sort(sort)).collect::<Read<Vec<Type>>>()?;
        for item in names {
            let name = self.name(item, "the name of a variable")?;
            self.undeclared(item, name)?;
            let span = self.span(item);
            if arguments.is_empty() {
                let id = self.new_variable(name, result.clone(), span);
                self.scope.bind(name, Meaning::Var(id));
                self.top_level.insert((name.to_owned(), result.clone()), id);
            } else {
                let id = FunId(self.program.functions.len() as u32);
                let (arguments, result) = (arguments.clone(), result.clone());
                self.program.functions.push(Function { name: name.to_owned(), arguments, result, span });
                self.scope.bind(name, Meaning::Fun(id));
            }
        }
        Ok(())
    }

    /// Checks that a global name is new.
    fn undeclared(&self, item: &Sexpr, name: &str) -> Read<()> {
        let first = match self.scope.get(name) {
            None => return Ok(()),
            Some(Meaning::Var(id)) => self.program.variable(id).span,
            Some(Meaning::Fun(id)) => self.program.function(id).span,
        };
        Err(self.twice(item, name, first))
    }

    /// The error that a name is declared twice.
    pub(super) fn twice(&self, item: &Sexpr, name: &str, first: Span) -> Diagnostic {
        let place = self.program.sources.position(first);
        let error = self.wrong(item, format!("{} is declared twice", tick(name)));
        error.hint(format!("the first declaration is at {}:{}", place.line, place.column))
    }

    /// `(use BEXPR*)`.
    fn seeds(&mut self, parts: &[Sexpr]) -> Read<()> {
        let seeds = parts.iter().map(|part| self.formula(part)).collect::<Read<Vec<Expr>>>()?;
        self.program.seeds.extend(seeds);
        Ok(())
    }
}
