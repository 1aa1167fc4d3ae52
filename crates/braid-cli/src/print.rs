//! `braid print`: the program as Braid understands it.

use crate::arguments::{Form, Print};
use crate::exit::{Failure, Status};
use crate::property::property;
use crate::trace::Wording;
use crate::{commands, input, output};
use braid_frontend::Reading;
use braid_logic::TermPool;
use braid_program::cfa::{Dot, Location, Origin, Program, Thread, ThreadId, Violation};
use std::fmt::Write;

/// Runs the command.
pub fn print(arguments: &Print) -> Result<Status, Failure> {
    let mut reading = Reading { defined: true, ..arguments.reading.reading(property(&arguments.property)?) };
    let file = commands::first_file(arguments.file.as_deref(), &arguments.reading, &mut reading)?;
    let ast = input::read(&file, &reading)?.program;
    let pool = TermPool::new();
    let text = match arguments.form {
        Form::Text => braid_program::print::to_text(&ast),
        Form::Dot => Dot(&input::automata(&ast, &pool, arguments.lowering.into())?).to_string(),
        Form::Automata => listing(&input::automata(&ast, &pool, arguments.lowering.into())?),
    };
    output::print(&text)?;
    Ok(Status::Safe)
}

/// All threads with their locations, and the actions that leave them.
fn listing(program: &Program<'_>) -> String {
    let mut out = String::new();
    let wording = Wording::new(program);
    for (id, thread) in program.thread_ids().zip(&program.threads) {
        if id != ThreadId::MAIN {
            out.push('\n');
        }
        let _ = writeln!(out, "thread {}{}", thread.name, origin(program, thread));
        for (number, info) in thread.locations.iter().enumerate().skip(1) {
            let location = Location(number as u32);
            let position = program.sources.position(info.span);
            let _ = writeln!(out, "  {number}{}  line {}", marks(thread, location), position.line);
            for &action in thread.outgoing(location) {
                let action = program.action(action);
                let does = program.describe(action).replace('\n', "; ");
                let line = program.sources.position(action.span).line;
                let _ = writeln!(out, "    -> {}: {does}", action.target.0);
                let _ = writeln!(out, "         line {line}: {}", wording.action(action));
            }
        }
    }
    out
}

fn origin(program: &Program<'_>, thread: &Thread) -> String {
    match thread.origin {
        Origin::Initial => String::new(),
        Origin::Branch { parent, .. } => format!(" (branch of {})", program.thread(parent).name),
        Origin::Forked { parent } => format!(" (forked by {})", program.thread(parent).name),
    }
}

fn marks(thread: &Thread, location: Location) -> String {
    let info = &thread.locations[location.index()];
    let mut marks = Vec::new();
    if location == thread.entry {
        marks.push("entry");
    }
    if location == thread.exit {
        marks.push("exit");
    }
    if info.loop_head {
        marks.push("loop");
    }
    match info.violation {
        Some(Violation::Failed(_)) => marks.push("error"),
        Some(Violation::InstanceBound | Violation::RecursionBound | Violation::Unmodelled(_)) => marks.push("bound"),
        None => {}
    }
    if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) }
}
