//! A sequential program as C, for people and for other checkers: a label for each location, and `goto`.
//!
//! Integers are mathematical in Braid and 64 bits wide in the text, which it says at its top. Arrays, bit-vectors and functions have no text.

use braid_logic::{Linear, Node, Sort, Term, TermPool, Var};
use braid_program::cfa::{Action, Location, Program, StepKind, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

const HEAD: &str = "\
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern long long __VERIFIER_nondet_longlong(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
static void assume(_Bool condition) { if (!condition) abort(); }
/* As in SMT-LIB: the remainder is never negative. */
static long long modulo(long long a, long long b) { long long r = a % b; return r < 0 ? r + (b < 0 ? -b : b) : r; }
static long long quotient(long long a, long long b) { return (a - modulo(a, b)) / b; }
";

/// The text of a program with one thread, with what holds where as comments; none if C cannot say it.
pub(super) fn c_text(program: &Program<'_>, annotation: Option<&[Term]>) -> Option<String> {
    let mut text = Text { pool: program.pool, names: FxHashMap::default() };
    text.choose_names(program);
    let thread = program.thread(ThreadId::MAIN);
    let mut out = format!(
        "/* Thread {} with its environment, as one sequential program. Integers stand for mathematical ones. */\n{HEAD}\n",
        thread.name
    );
    let mut vars: Vec<Var> = program.variables.iter().map(|variable| variable.var).collect();
    vars.sort_by_key(|var| text.names[var].clone());
    for &var in &vars {
        let _ = writeln!(out, "{} {};", text.kind(var)?, text.names[&var]);
    }
    out.push_str("\nint main(void) {\n");
    for &var in &vars {
        let _ = writeln!(out, "  {} = {};", text.names[&var], text.any(var)?);
    }
    let _ = writeln!(out, "  goto L{};", thread.entry.0);
    for number in 0..thread.locations.len() as u32 {
        let location = Location(number);
        let is_error = thread.locations[location.index()].violation.is_some();
        let outgoing = thread.outgoing(location);
        if let Some(annotation) = annotation {
            let _ = writeln!(out, "/* {} */", program.pool.infix(annotation[location.index()]));
        }
        if !is_error && outgoing.is_empty() {
            let _ = writeln!(out, "L{number}:\n  abort();");
            continue;
        }
        let _ = writeln!(out, "L{number}:");
        if is_error {
            out.push_str("  reach_error();\n  abort();\n");
            continue;
        }
        if outgoing.len() > 1 {
            out.push_str("  switch (__VERIFIER_nondet_int()) {\n");
        }
        for (choice, &action) in outgoing.iter().enumerate() {
            if outgoing.len() > 1 {
                let _ = writeln!(out, "  {}", if choice == 0 { "default:".into() } else { format!("case {choice}:") });
            }
            text.action(&mut out, program.action(action))?;
        }
        if outgoing.len() > 1 {
            out.push_str("  }\n");
        }
    }
    out.push_str("}\n");
    Some(out)
}

struct Text<'p> {
    pool: &'p TermPool,
    names: FxHashMap<Var, String>,
}

impl Text<'_> {
    /// Names that C accepts, each of one variable.
    fn choose_names(&mut self, program: &Program<'_>) {
        let mut used: FxHashSet<String> = FxHashSet::default();
        for variable in &program.variables {
            let is_plain = |c: char| c.is_ascii_alphanumeric();
            let name: String =
                self.pool.var_name(variable.var).chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
            // No keyword and no other name starts like this.
            let mut name = format!("v_{name}");
            while !used.insert(name.clone()) {
                name.push('_');
            }
            self.names.insert(variable.var, name);
        }
    }

    fn kind(&self, var: Var) -> Option<&'static str> {
        match self.pool.var_sort(var) {
            Sort::INT => Some("long long"),
            Sort::BOOL => Some("_Bool"),
            _ => None,
        }
    }

    fn any(&self, var: Var) -> Option<&'static str> {
        Some(if self.kind(var)? == "_Bool" { "__VERIFIER_nondet_bool()" } else { "__VERIFIER_nondet_longlong()" })
    }

    fn action(&self, out: &mut String, action: &Action) -> Option<()> {
        out.push_str("  {\n");
        for step in &action.steps {
            match &step.kind {
                StepKind::Assume(formula) | StepKind::Await(formula, _) => {
                    let _ = writeln!(out, "    assume({});", self.term(*formula)?);
                }
                StepKind::Assign(assignments) if assignments.len() == 1 => {
                    let (var, term) = assignments[0];
                    let _ = writeln!(out, "    {} = {};", self.names.get(&var)?, self.term(term)?);
                }
                StepKind::Assign(assignments) => {
                    out.push_str("    {\n");
                    for (number, (var, term)) in assignments.iter().enumerate() {
                        let _ = writeln!(out, "      {} new{number} = {};", self.kind(*var)?, self.term(*term)?);
                    }
                    for (number, (var, _)) in assignments.iter().enumerate() {
                        let _ = writeln!(out, "      {} = new{number};", self.names.get(var)?);
                    }
                    out.push_str("    }\n");
                }
                StepKind::Havoc(vars) => {
                    for var in vars {
                        let _ = writeln!(out, "    {} = {};", self.names.get(var)?, self.any(*var)?);
                    }
                }
            }
        }
        let _ = writeln!(out, "    goto L{};\n  }}", action.target.0);
        Some(())
    }

    fn joined(&self, items: &[Term], operator: &str) -> Option<String> {
        let items: Vec<String> = items.iter().map(|&item| self.term(item)).collect::<Option<_>>()?;
        Some(format!("({})", items.join(operator)))
    }

    fn linear(&self, linear: &Linear) -> Option<String> {
        let mut parts = Vec::new();
        for (term, factor) in &linear.parts {
            parts.push(format!("{}LL * {}", factor.to_i64()?, self.term(*term)?));
        }
        parts.push(format!("{}LL", linear.constant.to_i64()?));
        Some(parts.join(" + "))
    }

    fn term(&self, term: Term) -> Option<String> {
        Some(match self.pool.node(term) {
            Node::True => "1".into(),
            Node::False => "0".into(),
            Node::Integer(value) => format!("{}LL", value.to_i64()?),
            Node::Var(var) => self.names.get(var)?.clone(),
            Node::Not(inner) => format!("!{}", self.term(*inner)?),
            Node::And(items) => self.joined(items, " && ")?,
            Node::Or(items) => self.joined(items, " || ")?,
            Node::Ite(test, yes, no) => {
                format!("({} ? {} : {})", self.term(*test)?, self.term(*yes)?, self.term(*no)?)
            }
            Node::Eq(a, b) => format!("({} == {})", self.term(*a)?, self.term(*b)?),
            Node::Le(linear) => format!("({} <= 0)", self.linear(linear)?),
            Node::Zero(linear) => format!("({} == 0)", self.linear(linear)?),
            Node::Sum(linear) => format!("({})", self.linear(linear)?),
            Node::Product(items) => self.joined(items, " * ")?,
            Node::Div(a, b) => format!("quotient({}, {})", self.term(*a)?, self.term(*b)?),
            Node::Mod(a, b) => format!("modulo({}, {})", self.term(*a)?, self.term(*b)?),
            _ => return None,
        })
    }
}
