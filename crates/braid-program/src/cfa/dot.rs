//! The automata as a graph in Graphviz' language: one cluster per thread, one node per location.

use super::{Action, Program, StepKind, Thread};
use crate::ast::Release;
use braid_logic::Term;
use std::fmt;

/// Shows a program as a graph.
pub struct Dot<'a, 'p>(pub &'a Program<'p>);

impl fmt::Display for Dot<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.0;
        writeln!(f, "digraph program {{\n  rankdir = TB;\n  node [shape = circle, label = \"\", width = 0.2];")?;
        for (number, thread) in program.threads.iter().enumerate() {
            writeln!(f, "  subgraph cluster_{number} {{\n    label = {};", quoted(&thread.name))?;
            for location in 0..thread.locations.len() {
                if location > 0 || number > 0 {
                    writeln!(f, "    t{number}_{location} [{}];", attributes(thread, location))?;
                }
            }
            writeln!(f, "  }}")?;
        }
        for action in &program.actions {
            let (thread, from, to) = (action.thread.0, action.source.0, action.target.0);
            writeln!(f, "  t{thread}_{from} -> t{thread}_{to} [label = {}];", quoted(&program.describe(action)))?;
            for child in &action.forks {
                let entry = program.thread(*child).entry.0;
                writeln!(f, "  t{thread}_{to} -> t{}_{entry} [style = dashed, constraint = false];", child.0)?;
            }
        }
        writeln!(f, "}}")
    }
}

fn attributes(thread: &Thread, location: usize) -> String {
    let info = &thread.locations[location];
    match location as u32 {
        0 => "shape = point, tooltip = \"not started\"".into(),
        _ if info.violation.is_some() => "shape = box, style = filled, fillcolor = red, label = \"error\"".into(),
        l if l == thread.entry.0 => "shape = circle, style = bold, label = \"in\"".into(),
        l if l == thread.exit.0 => "shape = doublecircle".into(),
        _ if info.loop_head => "shape = diamond".into(),
        _ => "shape = circle".into(),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

impl Program<'_> {
    /// What an action does, one statement per line, in the text form of terms.
    pub fn describe(&self, action: &Action) -> String {
        let pool = self.pool;
        let mut lines = Vec::new();
        if !action.joins.is_empty() {
            lines.push(format!("join {}", self.thread_names(&action.joins)));
        }
        for step in &action.steps {
            match &step.kind {
                StepKind::Assume(formula) => lines.push(format!("assume {}", pool.display(*formula))),
                StepKind::Await(formula, Release::Thread(identity)) => {
                    lines.push(format!("await {} by {}", pool.display(*formula), pool.display(*identity)));
                }
                StepKind::Await(formula, Release::Anyone) => lines.push(format!("await {}", pool.display(*formula))),
                StepKind::Await(Term::TRUE, Release::Over) => lines.push("stop".into()),
                StepKind::Await(_, Release::Over) => lines.push("stopped".into()),
                StepKind::Assign(assignments) => lines.extend(
                    assignments.iter().map(|(var, term)| format!("{} := {}", pool.var_name(*var), pool.display(*term))),
                ),
                StepKind::Havoc(vars) => lines.extend(vars.iter().map(|var| format!("havoc {}", pool.var_name(*var)))),
            }
        }
        if !action.forks.is_empty() {
            lines.push(format!("fork {}", self.thread_names(&action.forks)));
        }
        if lines.is_empty() { "skip".into() } else { lines.join("\n") }
    }

    fn thread_names(&self, threads: &[super::ThreadId]) -> String {
        threads.iter().map(|&thread| self.thread(thread).name.as_str()).collect::<Vec<_>>().join(", ")
    }
}
