//! `braid replay`: the interpreter runs a stored execution again, and shows it if it violates the program's claim.

use crate::answer::violated;
use crate::arguments::CReading;
use crate::arguments::Replay;
use crate::document::{self, Document, Hyper};
use crate::exit::{Failure, Status};
use crate::hyper::Request;
use crate::input::{self, Source};
use crate::machine::{self, ConfirmationRequest, Lead, Machine, PATIENCE};
use crate::output::{self, Page};
use crate::{runs, story, table, trace};
use braid_engines::Counterexample;
use braid_logic::TermPool;
use braid_program::ast::{Check, Checks};
use std::path::Path;

/// Runs the command.
pub fn replay(arguments: &Replay) -> Result<Status, Failure> {
    let document = Document::read(&arguments.result)?;
    let refused = |what: &str| Failure::rejected(format!("{}: {what}", arguments.result.display()));
    if document.engine == "run" {
        return again(arguments, &document);
    }
    let schedule = machine::stored(&document);
    let read_as = document.c.clone().unwrap_or_default();
    let property = document.violated.clone().unwrap_or_else(|| document.property.clone());
    let stored = document.counterexample.ok_or_else(|| refused("there is no counterexample in this result"))?;
    let pool = TermPool::new();
    let reading = read_as.reading(&document.property);
    let races = reading.checks == Checks::of(Check::Race);
    let file = arguments.file.clone();
    let source = match document.hyper {
        Some(Hyper { function, .. }) => Source::Hyper(Request { file, property: document.property, function, reading }),
        None => Source::Program { file, reading },
    };
    let input = source.read()?;
    let (structured, product) = (&input.program, &input.product);
    let lowering = document.lowering.into();
    let program = input::automata(structured, &pool, lowering)?;
    let confirmed = stored.to_execution(&program).and_then(|execution| {
        Counterexample::confirm(&program, execution)
            .map_err(|error| format!("step {}: {}", error.step + 1, error.reason))
    });
    match confirmed {
        Ok(counterexample) => {
            let mut trace = trace::trace(&program, &counterexample);
            if input.representation.is_some() {
                trace.initial.clear();
            }
            let mut story = story::story(&input, (&program, lowering), &counterexample, &|| None);
            if input.product.is_some() {
                story.ending.sentence.clone_from(&trace.violation);
            }
            let mut text = table::render(&story, &trace.initial, &program.sources, Page::of_stdout(), true);
            if let Some(product) = product {
                text.push('\n');
                text.push_str(&runs::render(&runs::runs(&program, &counterexample, &product.columns)));
            }
            if arguments.run {
                let lead = match schedule {
                    Some(schedule) => Lead::Schedule(schedule),
                    None => match violated(&program, &counterexample).and_then(|violated| input.unseen(violated)) {
                        Some(why) => Lead::None(why),
                        None => Lead::Guide(machine::guide(
                            &program,
                            Some(structured).filter(|_| races),
                            &counterexample,
                            &arguments.file,
                        )),
                    },
                };
                text += &confirm(arguments, &lead, &property, &read_as)?;
            }
            output::print(&format!("{text}verdict: unsafe\n"))?;
            Ok(Status::Unsafe)
        }
        Err(reason) => {
            output::print(&format!("verdict: unknown (the execution does not replay: {reason})\n"))?;
            Ok(Status::Unknown)
        }
    }
}

/// What the compiled program does when it is led the same way.
fn confirm(arguments: &Replay, lead: &Lead, property: &str, c: &document::CReading) -> Result<String, Failure> {
    if !machine::is_c(&arguments.file) {
        return Err(Failure::usage(format!("error: {}: --run is for C programs", arguments.file.display())));
    }
    let options =
        Machine { also: arguments.also.clone(), cc_option: arguments.cc_option.clone(), ..Machine::default() };
    let reading = CReading {
        include: c.include.clone(),
        define: c.define.clone(),
        malloc_may_fail: c.malloc_may_fail,
        ..CReading::default()
    };
    let read_as = c.reading(property);
    let property = match machine::run_property(property)? {
        Ok(property) => property,
        Err(why) => return Ok(format!("{}\n", document::Confirmation::unseen(why).what)),
    };
    let request = ConfirmationRequest {
        file: arguments.file.clone(),
        sources: options.sources(&arguments.file, &reading, property),
        property,
        keep: arguments.keep.clone(),
        time: PATIENCE,
        cancelled: Default::default(),
        reading: read_as,
    };
    let (confirmation, story) = request.confirm(lead);
    let kept = arguments.keep.as_deref().map(|folder: &Path| format!("All of it is in {}.\n", folder.display()));
    let told = story.map(|story| format!("The compiled program:\n\n{}", story.render())).unwrap_or_default();
    Ok(format!("{told}{}\n{}", confirmation.what, kept.unwrap_or_default()))
}

/// A result of engine `run`: there is only the machine to repeat it.
fn again(arguments: &Replay, document: &Document) -> Result<Status, Failure> {
    let refused = |what: &str| Failure::rejected(format!("{}: {what}", arguments.result.display()));
    let schedule = machine::stored(document).ok_or_else(|| refused("there is no counterexample in this result"))?;
    if !arguments.run {
        return Err(Failure::usage(
            "error: this execution is one of the compiled program\nhint: `--run` repeats it, which executes the program",
        ));
    }
    let c = document.c.clone().unwrap_or_default();
    let text = confirm(arguments, &Lead::Schedule(schedule), &document.property, &c)?;
    let is_reproduced = !text.contains("not reproduced: ");
    let verdict = if is_reproduced { "unsafe" } else { "unknown (the execution does not replay)" };
    output::print(&format!("{text}verdict: {verdict}\n"))?;
    Ok(if is_reproduced { Status::Unsafe } else { Status::Unknown })
}
