//! `braid replay`: the interpreter runs a stored execution again, and shows it if it violates the program's claim.

use crate::arguments::Replay;
use crate::document::{Document, Hyper};
use crate::exit::{Failure, Status};
use crate::hyper::Request;
use crate::input::{self, Input, Source};
use crate::output::{self, Page};
use crate::{runs, table, trace};
use braid_engines::Counterexample;
use braid_logic::TermPool;

/// Runs the command.
pub fn replay(arguments: &Replay) -> Result<Status, Failure> {
    let document = Document::read(&arguments.result)?;
    let refused = |what: &str| Failure::rejected(format!("{}: {what}", arguments.result.display()));
    let stored = document.counterexample.ok_or_else(|| refused("there is no counterexample in this result"))?;
    let pool = TermPool::new();
    let reading = document.c.unwrap_or_default().reading(&document.property);
    let races = reading.races;
    let file = arguments.file.clone();
    let source = match document.hyper {
        Some(Hyper { function, .. }) => Source::Hyper(Request { file, property: document.property, function, reading }),
        None => Source::Program { file, reading },
    };
    let Input { program: structured, product, .. } = source.read()?;
    let program = input::automata(&structured, &pool, document.lowering.into())?;
    let confirmed = stored.to_execution(&program).and_then(|execution| {
        Counterexample::confirm(&program, execution)
            .map_err(|error| format!("step {}: {}", error.step + 1, error.reason))
    });
    match confirmed {
        Ok(counterexample) => {
            let trace = trace::trace(&program, &counterexample, races);
            let mut text = table::render(&program, &trace, Page::of_stdout());
            if let Some(product) = product {
                text.push('\n');
                text.push_str(&runs::render(&runs::runs(&program, &counterexample, &product.columns)));
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
