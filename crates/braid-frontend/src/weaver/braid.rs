//! What only Braid's own text form (`.braid`) has. Everything of the Weaver language is also in it.
//!
//! ```text
//! program  ::= decl* stmt*                       ; the statements are the procedure `main`
//! decl     ::= (var NAME+ SORT) | (var NAME+ (SORT*) SORT) | (use BEXPR*)        ; as in Weaver
//!            | (sort NAME)                       ; an uninterpreted sort, declared before it is used
//!            | (claim assertions)                ; no execution violates an `assert`: this is the default
//!            | (claim no-complete-execution)     ; as Weaver reads a program
//!            | (proc NAME ((NAME SORT)*) ((NAME SORT)*) (identity NAME)? stmt*)   ; parameters, results, body
//! SORT     ::= Int | Bool | (Array SORT SORT) | (_ BitVec NUMERAL) | NAME
//!
//! stmt     ::= …                                 ; as in Weaver
//!            | (assert BEXPR)
//!            | (set! (NAME*) (EXPR*))            ; all at once
//!            | (havoc! NAME+)                    ; any values
//!            | (call (NAME*) NAME EXPR*)         ; results, procedure, arguments
//!            | (return)
//!            | (fork EXPR NAME EXPR*)            ; identity, procedure, arguments
//!            | (join (NAME*) EXPR)               ; results, identity
//!            | (async NAME NAME EXPR*)           ; variable for the handle or `_`, procedure, arguments
//!            | (wait (NAME*) EXPR)               ; results, handle
//!            | (label NAME) | (goto NAME+)       ; several: any one of them
//!            | (atomic stmt*)                    ; without `par`, also in what it calls; no jump enters it
//!
//! EXPR     ::= …                                 ; as in Weaver
//!            | (div I I) | (mod I I)
//!            | (_ bvDIGITS NUMERAL)              ; a bit-vector: value and width; #x… and #b… are integers, as in Weaver
//!            | ((as const SORT) EXPR)            ; the array that holds one element everywhere
//!            | (forall ((NAME SORT)*) BEXPR) | (exists ((NAME SORT)*) BEXPR)
//!            | (OP EXPR EXPR?)                   ; bit-vectors, by SMT-LIB's names
//!            | ((_ extract I J) EXPR) | ((_ zero_extend N) EXPR) | ((_ sign_extend N) EXPR) | ((_ int_to_bv N) EXPR)
//! OP       ::= bvneg | bvnot | bvadd | bvsub | bvmul | bvudiv | bvurem | bvsdiv | bvsrem | bvand | bvor | bvxor | bvshl
//!            | bvlshr | bvashr | concat | bvult | bvule | bvugt | bvuge | bvslt | bvsle | bvsgt | bvsge | ubv_to_int
//! ```
//!
//! * Procedures may call each other whatever their order. A procedure named `main`, without parameters and results, may
//!   stand instead of top-level statements. Names of procedures, of sorts, of labels and of variables do not clash.
//! * `(identity me)` gives a name to the identity of the thread that the procedure runs in, an integer that nobody writes:
//!   what `async` or `fork` gave when they started the thread, 0 in the first one. Branches of `par` share it.
//! * Inside a procedure, `declare` makes a variable of which each running instance has its own.
//! * A label is defined once in its procedure or branch of `par`, and jumps stay inside that.
//! * The results of `join` and `wait` are not checked here: which thread is meant is known only when the program runs.
//! * A declared function comes before an operator that Weaver does not have, so that Weaver's programs keep their meaning.

use super::scope::Meaning;
use super::{Read, Reader, symbol, tick};
use crate::Diagnostic;
use braid_logic::sexpr::Sexpr;
use braid_program::ast::{Claim, ProcId, Procedure, Stmt, StmtKind, Storage, Type, VarId};

impl Reader {
    /// Checks that this is Braid, where something stands that Weaver does not have.
    pub(super) fn only_braid(&self, item: &Sexpr, what: &str) -> Read<()> {
        if self.is_braid() { Ok(()) } else { Err(self.not_weaver(item, what)) }
    }

    /// The error of something that Weaver does not have.
    pub(super) fn not_weaver(&self, item: &Sexpr, what: &str) -> Diagnostic {
        self.wrong(item, format!("Weaver's language does not have {what}")).hint("files named `.braid` may use it")
    }

    /// `(sort NAME)`.
    pub(super) fn sort_declaration(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Read<()> {
        let [part] = parts else {
            return Err(self.wrong(item, "`sort` takes one name").hint("write `(sort Thing)`"));
        };
        let name = self.name(part, "the name of a sort")?;
        if ["Int", "Bool", "Array", "BitVec"].contains(&name) {
            return Err(self.wrong(part, format!("the sort {} is always there", tick(name))));
        }
        if !self.sorts.insert(name.to_owned()) {
            return Err(self.wrong(part, format!("the sort {} is declared twice", tick(name))));
        }
        Ok(())
    }

    /// `(claim assertions)`, `(claim no-deadlock)`, `(claim progress)` or `(claim no-complete-execution)`.
    pub(super) fn claim(&mut self, item: &Sexpr, parts: &[Sexpr]) -> Read<()> {
        let claim = match parts {
            [part] => match symbol(part) {
                Some("assertions") => Some(Claim::AssertionsHold),
                Some("no-deadlock") => Some(Claim::NoDeadlock),
                Some("progress") => Some(Claim::Progress),
                Some("no-complete-execution") => Some(Claim::NoCompleteExecution),
                _ => None,
            },
            _ => None,
        };
        let Some(claim) = claim else {
            let error = self.wrong(item, "this is not a claim that can be made");
            let known = "`(claim no-deadlock)`, `(claim progress)` or `(claim no-complete-execution)`";
            return Err(error.hint(format!("write `(claim assertions)`, {known}")));
        };
        if std::mem::replace(&mut self.claimed, true) {
            return Err(self.wrong(item, "there is already a claim above"));
        }
        self.program.claim = claim;
        Ok(())
    }

    /// `(proc NAME (parameters) (results) stmt*)` without its body, which comes back.
    pub(super) fn procedure_header<'a>(&mut self, item: &Sexpr, parts: &'a [Sexpr]) -> Read<(ProcId, &'a [Sexpr])> {
        let [_, name_item, parameters, results, body @ ..] = parts else {
            let error = self.wrong(item, "`proc` takes a name, parameters, results and statements");
            return Err(error.hint("write `(proc f ((x Int)) ((r Int)) s …)`"));
        };
        let name = self.name(name_item, "the name of a procedure")?;
        if let Some(&first) = self.procedures.get(name) {
            return Err(self.twice(name_item, name, self.program.procedure(first).span));
        }
        let id = ProcId(self.program.procedures.len() as u32);
        self.home = Storage::Local(id);
        let header = self.header_variables(parameters, &[]).and_then(|parameters| {
            let results = self.header_variables(results, &parameters)?;
            let (identity, body) = self.identity(body, [&parameters[..], &results].concat())?;
            Ok((parameters, results, identity, body))
        });
        self.home = Storage::Global;
        let (parameters, results, identity, body) = header?;
        if name == "main" && !(parameters.is_empty() && results.is_empty()) {
            return Err(self.wrong(name_item, "the procedure `main` has neither parameters nor results"));
        }
        let span = self.span(name_item);
        let body_span = self.span(item);
        let (name, skip) = (name.to_owned(), Stmt::skip(body_span));
        self.program.procedures.push(Procedure { name, parameters, results, identity, body: skip, span });
        self.procedures.insert(self.program.procedure(id).name.clone(), id);
        Ok((id, body))
    }

    /// `(identity NAME)` where the body of a procedure starts, if it stands there, and the rest of the body.
    fn identity<'a>(&mut self, body: &'a [Sexpr], others: Vec<VarId>) -> Read<(Option<VarId>, &'a [Sexpr])> {
        let Some((first, rest)) = body.split_first().filter(|(first, _)| self.head(first) == Some("identity")) else {
            return Ok((None, body));
        };
        let Some([_, name_item]) = first.as_list() else {
            return Err(self.wrong(first, "`identity` takes one name").hint("write `(identity me)`"));
        };
        let name = self.name(name_item, "the name of a variable")?;
        if let Some(&first) = others.iter().find(|id| self.program.variable(**id).name == name) {
            return Err(self.twice(name_item, name, self.program.variable(first).span));
        }
        Ok((Some(self.new_variable(name, Type::Int, self.span(name_item))), rest))
    }

    /// Is the variable the identity of a thread?
    pub(super) fn is_identity(&self, id: VarId) -> bool {
        match self.program.variable(id).storage {
            Storage::Local(procedure) => self.program.procedure(procedure).identity == Some(id),
            Storage::Global | Storage::Bound => false,
        }
    }

    /// `((NAME SORT)*)`, with names that differ from each other and from those of `others`.
    pub(super) fn header_variables(&mut self, list: &Sexpr, others: &[VarId]) -> Read<Vec<VarId>> {
        let hint = "write `((x Int) (y Int))`, or `()` for none";
        let items = list.as_list().ok_or_else(|| self.wrong(list, "a list should stand here").hint(hint))?;
        let mut ids = Vec::new();
        for item in items {
            let Some([name_item, sort]) = item.as_list() else {
                return Err(self.wrong(item, "a name and its sort should stand here").hint(hint));
            };
            let name = self.name(name_item, "the name of a variable")?;
            let clash = |id: &&VarId| self.program.variable(**id).name == name;
            if let Some(&first) = others.iter().chain(&ids).find(clash) {
                return Err(self.twice(name_item, name, self.program.variable(first).span));
            }
            let ty = self.sort(sort)?;
            ids.push(self.new_variable(name, ty, self.span(name_item)));
        }
        Ok(ids)
    }

    /// Reads the body of a procedure whose header is known.
    pub(super) fn procedure_body(&mut self, id: ProcId, body: &[Sexpr]) {
        let procedure = self.program.procedure(id);
        let header = procedure.parameters.iter().chain(&procedure.results).chain(&procedure.identity);
        let header: Vec<VarId> = header.copied().collect();
        let names: Vec<String> = header.iter().map(|&id| self.program.variable(id).name.clone()).collect();
        let span = procedure.body.span;
        for (name, &variable) in names.iter().zip(&header) {
            self.scope.bind(name, Meaning::Var(variable));
        }
        self.home = Storage::Local(id);
        let body = self.stmts(body);
        self.end_labels();
        self.home = Storage::Global;
        names.iter().for_each(|name| self.scope.unbind(name));
        self.program.procedures[id.index()].body = Stmt { kind: StmtKind::Seq(body), span };
    }
}
