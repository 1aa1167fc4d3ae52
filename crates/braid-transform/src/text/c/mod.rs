//! Sequential programs in C, as the Software Verification Competition writes them: a violated assertion is a call of `reach_error`.
//!
//! Integers are `int`, uninterpreted types are too. An array is a structure with cells for the indices from 0 to [`CELLS`] − 1; an execution
//! that uses another index is left out. Results of procedures are written through pointers.

mod values;

use super::{Lines, Names, Said, not_modelled, not_sequential};
use braid_program::ast::{Expr, ExprKind, Op, ProcId, Procedure, Program, Stmt, StmtKind, VarId};
use std::collections::BTreeMap;

/// How many cells an array has.
const CELLS: u32 = 64;

const KEYWORDS: [&str; 46] = [
    "abort",
    "assume",
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Bool",
    "reach_error",
    "euclid_div",
    "euclid_mod",
    "in_range",
    "i",
    "r",
    "a",
    "b",
    "printf",
];

const HEAD: &str = "\
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}
static void assume(_Bool condition) { if (!condition) abort(); }
static int in_range(int i) { assume(0 <= i && i < 64); return i; }
static int euclid_mod(int a, int b) { int r = a % b; return r < 0 ? (b < 0 ? r - b : r + b) : r; }
static int euclid_div(int a, int b) { return (a - euclid_mod(a, b)) / b; }
";

struct Printer<'a> {
    program: &'a Program,
    names: Names,
    out: Lines,
    /// The structures of arrays by the types of their cells.
    arrays: BTreeMap<String, String>,
    declarations: String,
    /// The procedure at hand.
    here: ProcId,
}

pub(super) fn program(program: &Program) -> Said<String> {
    let names = Names::new(program, &KEYWORDS);
    let mut printer = Printer {
        program,
        names,
        out: Lines::default(),
        arrays: BTreeMap::new(),
        declarations: String::new(),
        here: program.main,
    };
    let globals: Vec<VarId> = printer.names.globals(program).collect();
    let mut variables = String::new();
    for id in globals {
        let line = format!("{} {};\n", printer.variable_type(id)?, printer.names.variable(id));
        variables.push_str(&line);
    }
    let mut functions = String::new();
    for (number, function) in program.functions.iter().enumerate() {
        let arguments: Said<Vec<String>> = function.arguments.iter().map(|ty| printer.ty(ty, function.span)).collect();
        let result = printer.ty(&function.result, function.span)?;
        let line = format!("extern {result} {}({});\n", printer.names.functions[number], arguments?.join(", "));
        functions.push_str(&line);
    }
    if !functions.is_empty() {
        functions.insert_str(0, "/* Functions in the sense of mathematics: equal arguments give equal results. */\n");
    }
    let mut headers = String::new();
    for number in 0..program.procedures.len() {
        let id = ProcId(number as u32);
        headers.push_str(&format!("{};\n", printer.header(id)?));
        printer.procedure(id)?;
    }
    Ok([HEAD, &printer.declarations, &functions, &variables, &headers, &printer.out.text].concat())
}

/// The index and the element, if the value is a variable's own with one cell changed.
fn stored_into(value: &Expr, target: VarId) -> Option<(&Expr, &Expr)> {
    match &value.kind {
        ExprKind::Op(Op::Store, operands) if operands[0].kind == ExprKind::Var(target) => {
            Some((&operands[1], &operands[2]))
        }
        _ => None,
    }
}

impl Printer<'_> {
    fn header(&mut self, id: ProcId) -> Said<String> {
        let Procedure { parameters, results, .. } = self.program.procedure(id);
        if id == self.program.main {
            return Ok("int main(void)".into());
        }
        let mut all = Vec::new();
        for &parameter in parameters {
            all.push(format!("{} {}", self.variable_type(parameter)?, self.names.variable(parameter)));
        }
        for &result in results {
            all.push(format!("{} *{}_out", self.variable_type(result)?, self.names.variable(result)));
        }
        let all = if all.is_empty() { "void".to_owned() } else { all.join(", ") };
        Ok(format!("static void {}({all})", self.names.procedure(id)))
    }

    fn procedure(&mut self, id: ProcId) -> Said<()> {
        self.here = id;
        let header = self.header(id)?;
        self.out.line("");
        self.out.open(&format!("{header} {{"));
        let results = self.program.procedure(id).results.clone();
        let locals: Vec<VarId> = self.names.locals(self.program, id).chain(results).collect();
        for local in locals {
            let any = self.any(&self.program.variable(local).ty, self.program.variable(local).span)?;
            let line = format!("{} {} = {any};", self.variable_type(local)?, self.names.variable(local));
            self.out.line(&line);
        }
        if id == self.program.main {
            // Global variables start with any values.
            let globals: Vec<VarId> = self.names.globals(self.program).collect();
            for global in globals {
                self.havoc(global)?;
            }
        }
        self.stmt(&self.program.procedure(id).body)?;
        self.leave();
        self.out.close("}");
        Ok(())
    }

    fn havoc(&mut self, id: VarId) -> Said<()> {
        let variable = self.program.variable(id);
        let any = self.any(&variable.ty, variable.span)?;
        let line = format!("{} = {any};", self.names.variable(id));
        self.out.line(&line);
        Ok(())
    }

    /// Writes the results, and returns.
    fn leave(&mut self) {
        if self.here == self.program.main {
            self.out.line("return 0;");
            return;
        }
        let results = self.program.procedure(self.here).results.iter();
        let written: Vec<String> = results
            .map(|&result| {
                let name = self.names.variable(result);
                format!("*{name}_out = {name};")
            })
            .collect();
        written.iter().for_each(|line| self.out.line(line));
        self.out.line("return;");
    }

    fn block(&mut self, head: &str, body: &Stmt) -> Said<()> {
        self.out.open(head);
        self.stmt(body)?;
        self.out.depth -= 1;
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Said<()> {
        match &stmt.kind {
            StmtKind::Assume(test) | StmtKind::Await(test, _) => {
                let line = format!("assume({});", self.expr(test)?);
                self.out.line(&line);
            }
            StmtKind::Assert(_, test) => {
                let line = format!("if (!({})) reach_error();", self.expr(test)?);
                self.out.line(&line);
            }
            StmtKind::Unmodelled(reason) => return Err(not_modelled(stmt, reason)),
            StmtKind::Assign(pairs) => self.assign(pairs)?,
            StmtKind::Havoc(targets) => return targets.iter().try_for_each(|&target| self.havoc(target)),
            StmtKind::Seq(items) => return items.iter().try_for_each(|item| self.stmt(item)),
            StmtKind::Atomic(body) | StmtKind::Declare(_, body) => return self.stmt(body),
            StmtKind::Choice(ways) => match ways.split_last() {
                None => self.out.line("abort();"),
                Some((last, [])) => return self.stmt(last),
                Some((last, others)) => {
                    for (number, way) in others.iter().enumerate() {
                        let head = if number == 0 { "" } else { "} else " };
                        self.block(&format!("{head}if (__VERIFIER_nondet_bool()) {{"), way)?;
                    }
                    self.block("} else {", last)?;
                    self.out.line("}");
                }
            },
            StmtKind::If(test, then, other) => {
                let head = format!("if ({}) {{", self.expr(test)?);
                self.block(&head, then)?;
                if let Some(other) = other {
                    self.block("} else {", other)?;
                }
                self.out.line("}");
            }
            StmtKind::While(test, body) => {
                let head = format!("while ({}) {{", self.expr(test)?);
                self.block(&head, body)?;
                self.out.line("}");
            }
            StmtKind::Loop(body) => {
                self.block("while (__VERIFIER_nondet_bool()) {", body)?;
                self.out.line("}");
            }
            StmtKind::Call { results, procedure, arguments } => {
                let arguments: Said<Vec<String>> = arguments.iter().map(|argument| self.expr(argument)).collect();
                let results = results.iter().map(|&id| format!("&{}", self.names.variable(id)));
                let all: Vec<String> = arguments?.into_iter().chain(results).collect();
                let line = format!("{}({});", self.names.procedure(*procedure), all.join(", "));
                self.out.line(&line);
            }
            StmtKind::Return => self.leave(),
            StmtKind::Label(label) if !self.names.targets.contains(label) => {}
            StmtKind::Label(label) => self.out.line(&format!("{}: ;", self.names.label(*label))),
            StmtKind::Goto(labels) => match labels.split_last() {
                None => self.out.line("abort();"),
                Some((last, others)) => {
                    for &label in others {
                        self.out.line(&format!("if (__VERIFIER_nondet_bool()) goto {};", self.names.label(label)));
                    }
                    self.out.line(&format!("goto {};", self.names.label(*last)));
                }
            },
            _ => return Err(not_sequential(stmt)),
        }
        Ok(())
    }

    /// Assigns all at once: values that are still to be read are kept first.
    fn assign(&mut self, pairs: &[(VarId, Expr)]) -> Said<()> {
        let mut late = Vec::new();
        let targets: Vec<VarId> = pairs.iter().map(|(target, _)| *target).collect();
        for (number, (target, value)) in pairs.iter().enumerate() {
            let text = self.expr(value)?;
            let name = self.names.variable(*target).to_owned();
            let mut read_later = false;
            for (_, later) in &pairs[number + 1..] {
                later.for_each_var(&mut |id| read_later |= id == *target);
            }
            if read_later && targets.len() > 1 {
                let ty = self.variable_type(*target)?;
                if late.is_empty() {
                    self.out.open("{");
                }
                self.out.line(&format!("{ty} new_{name} = {text};"));
                late.push(format!("{name} = new_{name};"));
            } else if let Some((index, element)) = stored_into(value, *target) {
                let (index, element) = (self.expr(index)?, self.expr(element)?);
                self.out.line(&format!("{name}.at[in_range({index})] = {element};"));
            } else {
                self.out.line(&format!("{name} = {text};"));
            }
        }
        if !late.is_empty() {
            late.iter().for_each(|line| self.out.line(line));
            self.out.close("}");
        }
        Ok(())
    }
}
