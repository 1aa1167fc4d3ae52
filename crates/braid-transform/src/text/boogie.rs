//! Sequential programs in Boogie.

use super::{Lines, Names, Said, comparisons, infix, joined, not_modelled, not_sequential};
use braid_logic::{BvOp, Quantifier};
use braid_program::Diagnostic;
use braid_program::ast::{Expr, ExprKind, Op, ProcId, Program, Stmt, StmtKind, Type};
use braid_program::print::words;
use braid_program::print::words::BOOGIE_KEYWORDS;
use std::collections::BTreeMap;

/// Words that are names for Braid's own reader, but not for others.
const RESERVED_ELSEWHERE: [&str; 17] = [
    "async", "atomic", "bv", "iff", "par", "pure", "uses", "while", "yield", "is", "bits", "rmode", "float", "string",
    "regex", "hide", "reveal",
];

struct Printer<'a> {
    program: &'a Program,
    names: Names,
    out: Lines,
    /// Constant arrays by their text, with their types.
    constants: BTreeMap<String, (String, String)>,
    /// Functions on bit-vectors by their declarations.
    operators: BTreeMap<String, String>,
}

pub(super) fn program(program: &Program) -> Said<String> {
    let mut names = Names::new(program, &[&BOOGIE_KEYWORDS[..], &RESERVED_ELSEWHERE].concat());
    let sorts = sorts(program).into_iter().map(|sort| (sort.clone(), names.unique(&sort))).collect::<Vec<_>>();
    let mut printer =
        Printer { program, names, out: Lines::default(), constants: BTreeMap::new(), operators: BTreeMap::new() };
    for number in 0..program.procedures.len() {
        printer.procedure(ProcId(number as u32), &sorts)?;
    }
    let bodies = std::mem::take(&mut printer.out.text);
    for (_, sort) in &sorts {
        printer.out.line(&format!("type {sort};"));
    }
    for (function, name) in program.functions.iter().zip(printer.names.functions.clone()) {
        let arguments: Vec<String> = function.arguments.iter().map(|argument| ty(argument, &sorts)).collect();
        let result = ty(&function.result, &sorts);
        printer.out.line(&format!("function {name}({}) returns ({result});", arguments.join(", ")));
    }
    let operators: Vec<String> = printer.operators.values().cloned().collect();
    operators.iter().for_each(|operator| printer.out.line(operator));
    for (element, (name, array)) in printer.constants.clone() {
        let index = array.split(']').next().unwrap_or_default().trim_start_matches('[').to_owned();
        printer.out.line(&format!("const {name}: {array};"));
        printer.out.line(&format!("axiom (forall i: {index} :: {name}[i] == {element});"));
    }
    let globals: Vec<_> = printer.names.globals(program).collect();
    for id in globals {
        let line = format!("var {}: {};", printer.names.variable(id), ty(&program.variable(id).ty, &sorts));
        printer.out.line(&line);
    }
    Ok(printer.out.text + &bodies)
}

/// The uninterpreted types.
fn sorts(program: &Program) -> Vec<String> {
    fn collect(ty: &Type, into: &mut Vec<String>) {
        match ty {
            Type::Named(name) if !into.contains(name) => into.push(name.clone()),
            Type::Array(index, element) => {
                collect(index, into);
                collect(element, into);
            }
            _ => {}
        }
    }
    let mut names = Vec::new();
    program.variables.iter().for_each(|variable| collect(&variable.ty, &mut names));
    for function in &program.functions {
        function.arguments.iter().chain([&function.result]).for_each(|ty| collect(ty, &mut names));
    }
    names
}

fn ty(of: &Type, sorts: &[(String, String)]) -> String {
    match of {
        Type::Bool => "bool".into(),
        Type::Int => "int".into(),
        Type::BitVec(width) => format!("bv{width}"),
        Type::Array(index, element) => format!("[{}]{}", ty(index, sorts), ty(element, sorts)),
        Type::Named(name) => sorts.iter().find(|(sort, _)| sort == name).map_or(name.clone(), |(_, used)| used.clone()),
    }
}

/// What solvers call an operation.
fn builtin(op: BvOp) -> String {
    match op {
        BvOp::ZeroExtend(by) => format!("zero_extend {by}"),
        BvOp::SignExtend(by) => format!("sign_extend {by}"),
        BvOp::FromInt(width) => format!("(_ int2bv {width})"),
        _ => {
            let known = words::BRAID.iter().find(|(_, known)| *known == Op::Bv(op));
            known.map_or_else(|| format!("{op:?}").to_lowercase(), |(word, _)| (*word).to_owned())
        }
    }
}

impl Printer<'_> {
    fn procedure(&mut self, id: ProcId, sorts: &[(String, String)]) -> Said<()> {
        let program = self.program;
        let procedure = program.procedure(id);
        let typed = |names: &Names, id| format!("{}: {}", names.variable(id), ty(&program.variable(id).ty, sorts));
        // Parameters cannot be assigned.
        let mut copied = Vec::new();
        let mut parameters = Vec::new();
        for &parameter in &procedure.parameters {
            if self.names.written.contains(&parameter) {
                let given = self.names.unique(&format!("{}_given", program.variable(parameter).name));
                parameters.push(format!("{given}: {}", ty(&program.variable(parameter).ty, sorts)));
                copied.push((parameter, given));
            } else {
                parameters.push(typed(&self.names, parameter));
            }
        }
        let results: Vec<String> = procedure.results.iter().map(|&id| typed(&self.names, id)).collect();
        // Tools that check one procedure at a time must look into those that are called.
        let entry = if id == program.main { "{:entrypoint} " } else { "{:inline 3} " };
        let returns = if results.is_empty() { String::new() } else { format!(" returns ({})", results.join(", ")) };
        self.out.line("");
        self.out.line(&format!("procedure {entry}{}({}){returns}", self.names.procedure(id), parameters.join(", ")));
        let globals = self.names.globals(program).filter(|id| self.names.written.contains(id));
        let globals: Vec<&str> = globals.map(|id| self.names.variable(id)).collect();
        if !globals.is_empty() {
            let modifies = format!("  modifies {};", globals.join(", "));
            self.out.line(&modifies);
        }
        self.out.open("{");
        let locals: Vec<_> = self.names.locals(program, id).chain(copied.iter().map(|(id, _)| *id)).collect();
        for local in locals {
            let line = format!("var {};", typed(&self.names, local));
            self.out.line(&line);
        }
        for (parameter, given) in copied {
            let line = format!("{} := {given};", self.names.variable(parameter));
            self.out.line(&line);
        }
        self.stmt(&procedure.body, sorts)?;
        self.out.close("}");
        Ok(())
    }

    fn block(&mut self, head: &str, body: &Stmt, sorts: &[(String, String)]) -> Said<()> {
        self.out.open(head);
        self.stmt(body, sorts)?;
        self.out.depth -= 1;
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt, sorts: &[(String, String)]) -> Said<()> {
        match &stmt.kind {
            StmtKind::Assume(test) | StmtKind::Await(test, _) => {
                let line = format!("assume {};", self.expr(test, sorts)?);
                self.out.line(&line);
            }
            StmtKind::Assert(_, test) => {
                let line = format!("assert {};", self.expr(test, sorts)?);
                self.out.line(&line);
            }
            StmtKind::Unmodelled(reason) => return Err(not_modelled(stmt, reason)),
            StmtKind::Assign(pairs) if pairs.is_empty() => {}
            StmtKind::Assign(pairs) => {
                let targets: Vec<String> = pairs.iter().map(|(id, _)| self.names.variable(*id).to_owned()).collect();
                let values: Said<Vec<String>> = pairs.iter().map(|(_, value)| self.expr(value, sorts)).collect();
                self.out.line(&format!("{} := {};", targets.join(", "), values?.join(", ")));
            }
            StmtKind::Havoc(targets) if targets.is_empty() => {}
            StmtKind::Havoc(targets) => {
                let targets: Vec<&str> = targets.iter().map(|&id| self.names.variable(id)).collect();
                let line = format!("havoc {};", targets.join(", "));
                self.out.line(&line);
            }
            StmtKind::Seq(items) => return items.iter().try_for_each(|item| self.stmt(item, sorts)),
            StmtKind::Atomic(body) | StmtKind::Declare(_, body) => return self.stmt(body, sorts),
            StmtKind::Choice(ways) => match ways.split_last() {
                None => self.out.line("assume false;"),
                Some((last, [])) => return self.stmt(last, sorts),
                Some((last, others)) => {
                    for (number, way) in others.iter().enumerate() {
                        self.block(if number == 0 { "if (*) {" } else { "} else if (*) {" }, way, sorts)?;
                    }
                    self.block("} else {", last, sorts)?;
                    self.out.line("}");
                }
            },
            StmtKind::If(test, then, other) => {
                let head = format!("if ({}) {{", self.expr(test, sorts)?);
                self.block(&head, then, sorts)?;
                if let Some(other) = other {
                    self.block("} else {", other, sorts)?;
                }
                self.out.line("}");
            }
            StmtKind::While(test, body) => {
                let head = format!("while ({}) {{", self.expr(test, sorts)?);
                self.block(&head, body, sorts)?;
                self.out.line("}");
            }
            StmtKind::Loop(body) => {
                self.block("while (*) {", body, sorts)?;
                self.out.line("}");
            }
            StmtKind::Call { results, procedure, arguments } => {
                let arguments: Said<Vec<String>> = arguments.iter().map(|value| self.expr(value, sorts)).collect();
                let results: Vec<&str> = results.iter().map(|&id| self.names.variable(id)).collect();
                let results = if results.is_empty() { String::new() } else { format!("{} := ", results.join(", ")) };
                let callee = self.names.procedure(*procedure);
                let line = format!("call {results}{callee}({});", arguments?.join(", "));
                self.out.line(&line);
            }
            StmtKind::Return => self.out.line("return;"),
            StmtKind::Label(label) if !self.names.targets.contains(label) => {}
            StmtKind::Label(label) => self.out.line(&format!("{}:", self.names.label(*label))),
            StmtKind::Goto(labels) if labels.is_empty() => self.out.line("assume false;"),
            StmtKind::Goto(labels) => {
                let labels: Vec<String> = labels.iter().map(|&label| self.names.label(label)).collect();
                self.out.line(&format!("goto {};", labels.join(", ")));
            }
            _ => return Err(not_sequential(stmt)),
        }
        Ok(())
    }

    fn expr(&mut self, expr: &Expr, sorts: &[(String, String)]) -> Said<String> {
        Ok(match &expr.kind {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Int(value) => {
                let text = value.to_string();
                if text.starts_with('-') { format!("({text})") } else { text }
            }
            ExprKind::BitVec(value) => format!("{value}{}", ty(&expr.ty, sorts)),
            ExprKind::Var(id) => self.names.variable(*id).to_owned(),
            ExprKind::Apply(function, arguments) => {
                let arguments: Said<Vec<String>> = arguments.iter().map(|value| self.expr(value, sorts)).collect();
                format!("{}({})", self.names.functions[function.index()], arguments?.join(", "))
            }
            ExprKind::ConstArray(element) => {
                let mut open = false;
                element.for_each_var(&mut |_| open = true);
                if open {
                    let message = "an array of one element can be written in Boogie only if the element is a constant";
                    return Err(Diagnostic::new(expr.span, message));
                }
                let (element, array) = (self.expr(element, sorts)?, ty(&expr.ty, sorts));
                if let Some((name, known)) = self.constants.get(&element)
                    && *known == array
                {
                    return Ok(name.clone());
                }
                let name = self.names.unique("everywhere");
                self.constants.insert(element, (name.clone(), array));
                name
            }
            ExprKind::Quantified(quantifier, bound, body) => {
                let word = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                };
                let variable =
                    |&id| format!("{}: {}", self.names.variable(id), ty(&self.program.variable(id).ty, sorts));
                let bound: Vec<String> = bound.iter().map(variable).collect();
                format!("({word} {} :: {})", bound.join(", "), self.expr(body, sorts)?)
            }
            ExprKind::Op(op, operands) => {
                let texts: Said<Vec<String>> = operands.iter().map(|operand| self.expr(operand, sorts)).collect();
                self.op(*op, operands, &texts?, expr)?
            }
        })
    }

    fn op(&mut self, op: Op, operands: &[Expr], texts: &[String], expr: &Expr) -> Said<String> {
        Ok(match op {
            Op::Implies => match texts.split_last() {
                None => "true".into(),
                Some((last, others)) => {
                    others.iter().rev().fold(last.clone(), |so_far, premise| format!("({premise} ==> {so_far})"))
                }
            },
            Op::Eq => joined(&comparisons(texts, false, |a, b| format!("{a} == {b}")), " && ", "true"),
            Op::Distinct => joined(&comparisons(texts, true, |a, b| format!("{a} != {b}")), " && ", "true"),
            Op::Ite => format!("(if {} then {} else {})", texts[0], texts[1], texts[2]),
            Op::Div => joined(texts, " div ", "0"),
            Op::Mod => joined(texts, " mod ", "0"),
            Op::Select => format!("{}[{}]", texts[0], texts[1]),
            Op::Store => format!("{}[{} := {}]", texts[0], texts[1], texts[2]),
            Op::Bv(BvOp::Concat) => joined(texts, " ++ ", "true"),
            Op::Bv(BvOp::Extract { high, low }) => format!("{}[{}:{low}]", texts[0], high + 1),
            Op::Bv(BvOp::Float(..)) => {
                return Err(Diagnostic::new(expr.span, "floating-point operations cannot be written in Boogie"));
            }
            Op::Bv(op) => {
                let builtin = builtin(op);
                let types: Vec<String> = operands.iter().map(|operand| ty(&operand.ty, &[])).collect();
                let result = ty(&expr.ty, &[]);
                let clean: String = builtin.chars().filter(char::is_ascii_alphanumeric).collect();
                let name = format!("{clean}_{}_{result}", types.join("_"));
                let declaration =
                    format!("function {{:bvbuiltin \"{builtin}\"}} {name}({}) returns ({result});", types.join(", "));
                self.operators.insert(name.clone(), declaration);
                format!("{name}({})", texts.join(", "))
            }
            _ => {
                let written = infix(op, texts, "true", "false");
                return written.ok_or_else(|| Diagnostic::new(expr.span, "this cannot be written in Boogie"));
            }
        })
    }
}
