//! `braid sequentialize`: the sequential program of an asynchronous one, for other tools to check.

use crate::arguments::{SequentialForm, Sequentialize};
use crate::exit::{Failure, Status};
use crate::{input, output};
use braid_frontend::Reading;
use braid_program::ast::Checks;
use braid_transform::{delay, text};

/// Runs the command.
pub fn sequentialize(arguments: &Sequentialize) -> Result<Status, Failure> {
    let reading = Reading { defined: true, ..arguments.reading.reading(Checks::default()) };
    let ast = input::read(&arguments.file, &reading)?.program;
    let made = delay::sequentialize(&ast, arguments.delays.scheduler, arguments.delays.delays);
    let sequential = made.map_err(|errors| Failure::rejected(errors.to_string()))?.program;
    let written = match arguments.form {
        SequentialForm::Boogie => text::to_boogie(&sequential),
        SequentialForm::C => text::to_c(&sequential),
        SequentialForm::Braid => Ok(braid_program::print::to_text(&sequential)),
    };
    output::print(&written.map_err(|errors| Failure::rejected(errors.to_string()))?)?;
    Ok(Status::Safe)
}
