//! Statements that both dialects have.

use super::copies::MOST_COPIES;
use super::expressions::with_conversion_hint;
use super::scope::Meaning;
use super::words::{
    BRAID_DECLARATIONS, BRAID_STATEMENTS, DECLARATIONS, STATEMENTS, instead_of_operator, instead_of_statement,
};
use super::{Read, Reader, symbol, tick};
use crate::{Diagnostic, spelling};
use braid_logic::sexpr::{AtomKind, Sexpr};
use braid_program::ast::{Expr, Op, Stmt, StmtKind, VarId, Variable};
use braid_program::print::words::{BRAID, CORE};
use braid_program::source::Span;

impl Reader {
    pub(super) fn stmt(&mut self, item: &Sexpr) -> Read<Stmt> {
        self.copies.statement();
        let Some(word) = self.head(item) else {
            return Err(self.not_a_statement(item));
        };
        let parts = &item.as_list().unwrap_or_default()[1..];
        if self.atomic {
            self.check_in_atomic(item, word)?;
        }
        let kind = match word {
            "assume" => StmtKind::Assume(self.test(item, parts)?),
            "set!" => StmtKind::Assign(self.set(item, parts)?),
            "store!" => self.store(item, parts)?,
            "havoc!" => self.havoc(item, parts)?,
            "seq" => StmtKind::Seq(self.stmts(parts)),
            "cond" => StmtKind::Choice(self.stmts(parts)),
            "loop" => StmtKind::Loop(self.block(item, parts)),
            "par" => StmtKind::Par(self.branches(parts)),
            "atomic" => self.atomic(item, parts),
            "while" => self.while_loop(item, parts)?,
            "if" => self.conditional(item, parts)?,
            "declare" => return self.declare(item, false),
            "replicate" => self.replicate(item, parts)?,
            _ if BRAID_STATEMENTS.contains(&word) => self.braid_statement(item, word, parts)?,
            _ => return Err(self.unknown_statement(item, word)),
        };
        Ok(Stmt { kind, span: self.span(item) })
    }

    /// Statements in a row; each that is wrong is left out.
    pub(super) fn stmts(&mut self, items: &[Sexpr]) -> Vec<Stmt> {
        let mut read = Vec::new();
        for item in items {
            let result = self.stmt(item);
            self.keep(result, &mut read);
        }
        read
    }

    /// The statements inside `item` as one.
    pub(super) fn block(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Box<Stmt> {
        Box::new(Stmt { kind: StmtKind::Seq(self.stmts(parts)), span: self.inner_span(item, parts) })
    }

    /// From the first to the last of the parts, or else the whole.
    fn inner_span(&self, item: &Sexpr, parts: &[Sexpr]) -> Span {
        match (parts.first(), parts.last()) {
            (Some(first), Some(last)) => self.span(first).to(self.span(last)),
            _ => self.span(item),
        }
    }

    fn branches(&mut self, parts: &[Sexpr]) -> Vec<Stmt> {
        let mut read = Vec::new();
        for part in parts {
            self.labels.enter();
            let result = self.stmt(part);
            self.end_labels();
            self.keep(result, &mut read);
        }
        read
    }

    /// The one formula of `assume` or `assert`.
    pub(super) fn test(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Read<Expr> {
        match parts {
            [formula] => self.formula(formula),
            _ => Err(self.wrong(item, "exactly one formula should stand here").hint("several are joined by `and`")),
        }
    }

    fn set(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Read<Vec<(VarId, Expr)>> {
        match parts {
            [targets, values] if targets.as_list().is_some() => self.simultaneous(targets, values),
            [target, value] => {
                let id = self.target(target)?;
                Ok(vec![(id, self.value_for(id, value)?)])
            }
            _ => Err(self.wrong(item, "`set!` takes a variable and its new value").hint("write `(set! x e)`")),
        }
    }

    /// An expression of the type of a variable.
    pub(super) fn value_for(&mut self, id: VarId, item: &Sexpr) -> Read<Expr> {
        let value = self.expr(item)?;
        let Variable { name, ty, .. } = self.program.variable(id);
        if value.ty == *ty {
            return Ok(value);
        }
        let error = self.wrong(item, format!("{} is of type {ty}, but this is of type {}", tick(name), value.ty));
        Err(with_conversion_hint(error, &value, ty))
    }

    fn store(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Read<StmtKind> {
        let [array, index, value] = parts else {
            let error = self.wrong(item, "`store!` takes an array variable, an index and a value");
            return Err(error.hint("write `(store! a i v)`"));
        };
        let id = self.target(array)?;
        let operands = vec![Expr::var(&self.program, id, self.span(array)), self.expr(index)?, self.expr(value)?];
        let stored = self.operation(item, Op::Store, operands, parts)?;
        Ok(StmtKind::Assign(vec![(id, stored)]))
    }

    fn havoc(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Read<StmtKind> {
        if parts.is_empty() {
            return Err(self.wrong(item, "`havoc!` takes the variables that get any value").hint("write `(havoc! x)`"));
        }
        Ok(StmtKind::Havoc(self.different_targets(parts)?))
    }

    fn atomic(&mut self, item: &Sexpr, parts: &[Sexpr]) -> StmtKind {
        let outer = std::mem::replace(&mut self.atomic, true);
        let body = self.block(item, parts);
        self.atomic = outer;
        StmtKind::Atomic(body)
    }

    /// Checks that a statement may stand inside `atomic`.
    fn check_in_atomic(&self, item: &Sexpr, word: &str) -> Read<()> {
        let allowed = if self.is_braid() {
            !["par", "replicate"].contains(&word)
        } else {
            ["assume", "set!", "store!", "havoc!", "atomic"].contains(&word)
        };
        if allowed || !STATEMENTS.contains(&word) && !BRAID_STATEMENTS.contains(&word) {
            return Ok(());
        }
        let error = self.wrong(item, format!("{} cannot stand inside `atomic`", tick(word)));
        Err(match word {
            _ if self.is_braid() => error.hint("its branches could not run one by one; `fork` starts a thread here"),
            "if" | "cond" => error.hint("use an `if` expression: `(set! x (if c a b))`"),
            "seq" => error.hint("`atomic` already runs its statements in order"),
            "declare" => error.hint("put it around the `atomic`"),
            _ => error.hint("`atomic` takes `assume`, `set!`, `store!` and `havoc!`; use `if` expressions"),
        })
    }

    fn while_loop(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Read<StmtKind> {
        let Some((test, body)) = parts.split_first() else {
            return Err(self.wrong(item, "`while` takes a test and statements").hint("write `(while c s …)`"));
        };
        let test = self.formula(test);
        let body = self.block(item, body);
        Ok(StmtKind::While(test?, body))
    }

    fn conditional(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Read<StmtKind> {
        let (test, then, other) = match parts {
            [test, then] => (test, then, None),
            [test, then, other] => (test, then, Some(other)),
            _ => {
                let error = self.wrong(item, "`if` takes a test, a statement, and perhaps another statement");
                return Err(error.hint("several statements become one by `(seq …)`"));
            }
        };
        let test = self.formula(test);
        let then = self.branch(then);
        let other = other.map(|other| self.branch(other));
        Ok(StmtKind::If(test?, then, other))
    }

    /// One statement; if it is wrong, the error is noted, and what stands around it is read on.
    fn branch(&mut self, item: &Sexpr) -> Box<Stmt> {
        let mut read = Vec::new();
        let result = self.stmt(item);
        self.keep(result, &mut read);
        Box::new(read.pop().unwrap_or(Stmt::skip(self.span(item))))
    }

    /// `(declare (NAME SORT) stmt*)`. As a top-level item it means the one top-level variable of that name and sort.
    pub(super) fn declare(&mut self, item: &Sexpr, top_level: bool) -> Read<Stmt> {
        let parts = &item.as_list().unwrap_or_default()[1..];
        let (name, ty, binding) = match parts.first().and_then(Sexpr::as_list) {
            Some([name, sort]) => (self.name(name, "the name of a variable")?, self.sort(sort)?, name),
            _ => {
                let error = self.wrong(parts.first().unwrap_or(item), "`declare` takes one name and its sort first");
                return Err(error.hint("write `(declare (x Int) s …)`"));
            }
        };
        let key = (name.to_owned(), ty.clone());
        let id = match self.top_level.get(&key) {
            Some(&id) if top_level => id,
            _ => self.new_variable(name, ty, self.span(binding)),
        };
        if top_level {
            self.top_level.insert(key, id);
        }
        self.scope.bind(name, Meaning::Var(id));
        let body = self.block(item, &parts[1..]);
        self.scope.unbind(name);
        Ok(Stmt { kind: StmtKind::Declare(id, body), span: self.span(item) })
    }

    /// `(replicate NUMERAL stmt*)`: so many branches, each with variables and labels of its own.
    fn replicate(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Read<StmtKind> {
        let Some((number, body)) = parts.split_first() else {
            return Err(self
                .wrong(item, "`replicate` takes a number and statements")
                .hint("write `(replicate 2 s …)`"));
        };
        let digits = number.as_atom(AtomKind::Numeral);
        let digits = digits.ok_or_else(|| self.wrong(number, "this should be a number such as 2"))?;
        let copies = digits.parse().unwrap_or(usize::MAX);
        if copies > MOST_COPIES {
            return Err(self.wrong(number, format!("`replicate` makes at most {MOST_COPIES} copies")));
        }
        let errors = self.errors.len();
        let mut branches = Vec::new();
        self.copies.enter();
        for _ in 0..copies {
            self.copies.statement();
            self.labels.enter();
            let mut copy = *self.block(item, body);
            if let StmtKind::Seq(items) = &mut copy.kind
                && items.len() == 1
            {
                copy = items.remove(0);
            }
            branches.push(copy);
            self.end_labels();
            if self.errors.len() > errors || self.copies.exceeded().is_some() {
                break;
            }
        }
        self.copies.leave();
        match self.copies.exceeded() {
            Some(reason) if self.errors.len() == errors => {
                Err(self.wrong(number, reason).hint("`replicate` writes its copies out; make fewer"))
            }
            _ => Ok(StmtKind::Par(branches)),
        }
    }

    fn not_a_statement(&self, item: &Sexpr) -> Diagnostic {
        match item.as_list() {
            Some([]) => {
                self.wrong(item, "a statement is missing between these parentheses").hint("`(seq)` does nothing")
            }
            Some([first, ..]) => self
                .wrong(first, "a statement starts with a word such as `assume` or `set!`")
                .hint("statements in a row stand inside `(seq …)`"),
            None => self
                .wrong(item, "a statement should stand here, in parentheses")
                .hint("several statements in a row need no extra parentheses"),
        }
    }

    fn unknown_statement(&self, item: &Sexpr, word: &str) -> Diagnostic {
        let head = item.as_list().and_then(|items| items.first()).unwrap_or(item);
        debug_assert_eq!(symbol(head), Some(word));
        let error = self.wrong(head, format!("there is no statement {}", tick(word)));
        if DECLARATIONS.contains(&word) || self.is_braid() && BRAID_DECLARATIONS.contains(&word) {
            let error = self.wrong(head, format!("the declaration {} stands after a statement", tick(word)));
            return match word {
                "var" => error.hint("all declarations come first; here, use `(declare (x Int) …)`"),
                _ => error.hint("all declarations come first"),
            };
        }
        if BRAID_DECLARATIONS.contains(&word) {
            return self.not_weaver(head, &tick(word));
        }
        if let Some(hint) = instead_of_statement(word) {
            return error.hint(hint);
        }
        let statements = STATEMENTS.iter().chain(if self.is_braid() { &BRAID_STATEMENTS[..] } else { &[] });
        if let Some(near) = spelling::nearest(word, statements.copied()) {
            return error.hint(format!("did you mean {}?", tick(near)));
        }
        let operator = CORE.iter().chain(&BRAID).any(|(known, _)| *known == word);
        if operator || instead_of_operator(word).is_some() || self.scope.get(word).is_some() {
            return error.hint("this looks like an expression; a test is written `(assume …)`");
        }
        error
    }
}
