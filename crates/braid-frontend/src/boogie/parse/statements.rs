//! Statements. One that is wrong is reported, and the next one is read.

use super::Parser;
use crate::boogie::lex::TokenKind;
use crate::boogie::syntax::{Clause, Expr, Name, Stmt, StmtKind, Target, Test};
use crate::boogie::{MOST_ERRORS, Read};

const STATEMENTS: [&str; 13] =
    ["assert", "assume", "havoc", "call", "if", "while", "break", "goto", "return", "fork", "join", "atomic", "var"];

impl Parser<'_, '_> {
    /// Statements up to the closing brace.
    pub(super) fn statements(&mut self) -> Vec<Stmt> {
        let mut read = Vec::new();
        while !self.is("}") && !self.at_fresh_start() && self.errors.len() < MOST_ERRORS {
            let (before, depth) = (self.at, self.depth);
            match self.nested(Self::statement) {
                Ok(statement) => read.push(statement),
                Err(error) => {
                    self.errors.push(error);
                    self.depth = depth;
                    self.at = self.at.max(before);
                    self.skip_statement(self.at == before);
                }
            }
        }
        read
    }

    /// Goes behind the next semicolon, but not out of the block.
    fn skip_statement(&mut self, first: bool) {
        if first {
            self.next();
        }
        while !self.is("}") && !self.at_fresh_start() {
            if self.next().text == ";" {
                return;
            }
        }
    }

    fn statement(&mut self) -> Read<Stmt> {
        let start = self.peek();
        let is_word = start.kind == TokenKind::Word;
        let kind = match start.text {
            "atomic" if self.ahead(1).text == "{" => {
                self.next();
                StmtKind::Atomic(self.block("behind `atomic`")?)
            }
            "while" if self.ahead(1).text == "(" => {
                self.next();
                self.while_loop()?
            }
            _ if self.is_name() && self.ahead(1).text == ":" => {
                let name = self.name("a label")?;
                self.next();
                StmtKind::Label(name)
            }
            _ if self.is_name() && [":=", "[", ","].contains(&self.ahead(1).text) => self.assignment()?,
            "if" if is_word => {
                self.next();
                self.conditional()?
            }
            word if is_word && STATEMENTS.contains(&word) => {
                self.next();
                let kind = self.simple(word)?;
                self.expect(";", "behind the statement")?;
                kind
            }
            _ => {
                let error = self.unknown_word("a statement should stand here", &STATEMENTS);
                return Err(match start.text {
                    "async" => error.hint("an asynchronous call is written `call {:async} p();`"),
                    "par" => error.hint("threads are started by `fork 1 p();` or by `call {:async} p();`"),
                    "yield" => error.hint("a place where tasks switch is written `assume {:yield} true;`"),
                    _ => error,
                });
            }
        };
        Ok(Stmt { kind, span: self.since(start.span) })
    }

    /// What stands between a keyword and a semicolon.
    fn simple(&mut self, word: &str) -> Read<StmtKind> {
        Ok(match word {
            "assert" => {
                self.attributes()?;
                StmtKind::Assert(self.expr()?)
            }
            "assume" => {
                let attributes = self.attributes()?;
                StmtKind::Assume(attributes, self.expr()?)
            }
            "havoc" => StmtKind::Havoc(self.names("the name of a variable")?),
            "call" => self.call()?,
            "break" => StmtKind::Break(if self.is(";") { None } else { Some(self.name("a label")?) }),
            "goto" => StmtKind::Goto(self.names("a label")?),
            "return" => StmtKind::Return,
            "fork" => {
                let identity = self.separated(Self::expr)?;
                let procedure = self.name("the name of a procedure")?;
                StmtKind::Fork { identity, procedure, arguments: self.arguments()? }
            }
            "join" => {
                let identity = self.separated(Self::expr)?;
                let results = if self.eat("assign") { self.names("the name of a variable")? } else { Vec::new() };
                StmtKind::Join { identity, results }
            }
            "var" => {
                self.at -= 1;
                let error = self.unexpected("a variable is declared behind a statement");
                return Err(error.hint("declarations come first in the body of a procedure"));
            }
            _ => return Err(self.unexpected("a statement should stand here")),
        })
    }

    fn call(&mut self) -> Read<StmtKind> {
        let attributes = self.attributes()?;
        if self.is("forall") {
            return Err(self.unexpected("`call forall` is not supported"));
        }
        let first = self.name("the name of a procedure or of a variable")?;
        let (results, procedure) = if self.is("(") {
            (Vec::new(), first)
        } else {
            let mut results = vec![first];
            while self.eat(",") {
                results.push(self.name("the name of a variable")?);
            }
            self.expect(":=", "before the name of the procedure")?;
            (results, self.name("the name of a procedure")?)
        };
        Ok(StmtKind::Call { attributes, results, procedure, arguments: self.arguments()? })
    }

    /// `(e, …)`.
    pub(super) fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.expect("(", "before the arguments")?;
        let read = if self.is(")") { Vec::new() } else { self.separated(Self::expr)? };
        self.expect(")", "behind the arguments")?;
        Ok(read)
    }

    fn assignment(&mut self) -> Read<StmtKind> {
        let targets = self.separated(Self::target)?;
        self.expect(":=", "behind the targets of the assignment")?;
        let values = self.separated(Self::expr)?;
        self.expect(";", "behind the statement")?;
        Ok(StmtKind::Assign(targets, values))
    }

    fn target(&mut self) -> Read<Target> {
        let name: Name = self.name("the name of a variable")?;
        let mut indices = Vec::new();
        while self.eat("[") {
            indices.push(self.separated(Self::expr)?);
            self.expect("]", "behind the index")?;
        }
        let span = self.since(name.span);
        Ok(Target { name, indices, span })
    }

    fn block(&mut self, place: &str) -> Read<Vec<Stmt>> {
        self.expect("{", place)?;
        let statements = self.statements();
        self.expect("}", "behind the block")?;
        Ok(statements)
    }

    /// `(e)` or `(*)`.
    fn test(&mut self) -> Read<Test> {
        self.expect("(", "before the test")?;
        let test = if self.eat("*") { None } else { Some(self.expr()?) };
        self.expect(")", "behind the test")?;
        Ok(test)
    }

    fn conditional(&mut self) -> Read<StmtKind> {
        let test = self.test()?;
        let then = self.block("behind the test")?;
        let other = if !self.eat("else") {
            Vec::new()
        } else if self.is("if") {
            vec![self.nested(Self::statement)?]
        } else {
            self.block("behind `else`")?
        };
        Ok(StmtKind::If(test, then, other))
    }

    fn while_loop(&mut self) -> Read<StmtKind> {
        let test = self.test()?;
        let mut invariants = Vec::new();
        while self.is("invariant") || self.is("free") {
            let free = self.eat("free");
            self.expect("invariant", "behind `free`")?;
            self.attributes()?;
            invariants.push(Clause { free, formula: self.expr()? });
            self.expect(";", "behind the invariant")?;
        }
        let body = self.block("before the body of the loop")?;
        Ok(StmtKind::While { test, invariants, body })
    }
}
