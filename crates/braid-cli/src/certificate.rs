//! Certificates: `--certificate` writes why a program is safe, `braid check` reads it and checks it without any engine.

use crate::answer::Question;
use crate::arguments::{CertificateForm, Check};
use crate::document::{CReading, Document};
use crate::exit::{Failure, Status};
use crate::hyper::Request;
use crate::input::{self, Input, Source};
use crate::verify::Answer;
use crate::{output, property};
use braid_check::{Argument, Certificate, Identity, Refusal};
use braid_engines::certify::Proven;
use braid_engines::{Control, Proof};
use braid_logic::{SolverOptions, TermPool};
use braid_program::LowerOptions;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// How a C program was read, as JSON; and which function has the property of several runs.
const C: &str = "c";
const FUNCTION: &str = "function";
const RUNS: &str = "runs";

impl Question<'_> {
    /// The certificate for a proof of this question, if one is wanted. If there is none, a note says why.
    pub fn certificate(
        &self,
        control: &Control,
        input: &Input,
        (lowering, proof): (LowerOptions, &Proof),
        document: &mut Document,
    ) -> Option<String> {
        let form = self.job.certified?;
        if !self.source.reading().excused.is_empty() {
            document.notes.push("no certificate: places where something is wrong were left out".into());
            return None;
        }
        let lowering = proof.lowering.unwrap_or(lowering);
        let solver = self.job.strategy.settings.gem.solver.clone();
        let proven = Proven { program: &input.program, lowering, proof, solver };
        let reading = document
            .c
            .iter()
            .map(|read| (C.to_owned(), serde_json::to_string(read).expect("what was read can be written")));
        let mut reading: Vec<(String, String)> = reading.collect();
        if let Source::Hyper(Request { function, .. }) = self.source {
            reading.push((RUNS.into(), String::new()));
            reading.extend(function.iter().map(|function| (FUNCTION.to_owned(), function.clone())));
        }
        let made = match form {
            CertificateForm::Own => proven.certificate(control),
            CertificateForm::OwickiGries => proven.owicki_gries(control),
        };
        match made {
            Ok(certificate) => {
                let certificate = Certificate { property: self.source.property(), reading, ..certificate };
                Some(certificate.to_string())
            }
            Err(why) => {
                document.notes.push(format!("no certificate: {why}"));
                None
            }
        }
    }
}

/// Writes the certificate where it is wanted, and says so. Nothing stays there that is about something else.
pub fn write(path: Option<&Path>, answer: &mut Answer) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let done = match answer.certificate.as_ref().filter(|_| answer.status == Status::Safe) {
        Some(text) => {
            answer.text += &format!("The certificate is in {} ({} bytes).\n", path.display(), text.len());
            fs::write(path, text)
        }
        None => {
            answer.text += "There is no certificate.\n";
            fs::remove_file(path)
        }
    };
    let failed = |error| format!("{} cannot be written: {error}", path.display());
    done.map_err(|error| Failure { status: Status::Output, message: failed(error) })
}

/// Runs `braid check`.
pub fn check(arguments: &Check, start: Instant) -> Result<Status, Failure> {
    let path = arguments.certificate.display();
    let text = fs::read_to_string(&arguments.certificate)
        .map_err(|error| Failure::unreadable(&arguments.certificate, &error))?;
    let certificates = braid_check::read(&text).map_err(|error| {
        let line = text[..error.span.start.min(text.len())].lines().count().max(1);
        Failure::rejected(format!("{path}:{line}: not a certificate: {}", error.message))
    })?;
    if certificates.is_empty() {
        return Err(Failure::rejected(format!("{path}: there is no certificate in this file")));
    }
    let (mut told, mut status) = (String::new(), Status::Safe);
    for certificate in &certificates {
        let accepted = check_one(arguments, certificate, start)?;
        match accepted {
            Ok(text) => told += &text,
            Err(Refusal::Stopped) => {
                output::print(&format!("{told}certificate: unknown (timeout)\n"))?;
                return Ok(Status::Unknown);
            }
            Err(Refusal::NoSolver(why)) => return Err(Failure::usage(format!("error: {why}"))),
            Err(Refusal::Wrong(why)) => {
                told += &format!("{}: {why}\n", certificate.property);
                status = Status::Refused;
            }
        }
    }
    let told = if arguments.quiet && status == Status::Safe { String::new() } else { told };
    let answer = if status == Status::Safe { "accepted" } else { "refused" };
    output::print(&format!("{told}certificate: {answer}\n"))?;
    Ok(status)
}

/// Reads the program as the certificate says, and checks it.
fn check_one(arguments: &Check, certificate: &Certificate, start: Instant) -> Result<Result<String, Refusal>, Failure> {
    let source = source(arguments, certificate)?;
    let input = source.read()?;
    let pool = TermPool::new();
    let program = input::automata(&input.program, &pool, certificate.lowering)?;
    if Identity::of(&program) != certificate.program {
        return Ok(Err(Refusal::Wrong("The certificate is about another program.".into())));
    }
    let solver = arguments.solver.as_ref().map_or_else(SolverOptions::default, SolverOptions::alone);
    let goes_on = || arguments.timeout.is_none_or(|timeout| start.elapsed() < timeout);
    let checked = braid_check::check(&program, &certificate.argument, solver, &goes_on);
    Ok(checked.map(|checked| {
        let kind = match &certificate.argument {
            Argument::Reduction { graphs, .. } if graphs.is_empty() => "no place violates it".to_owned(),
            Argument::Reduction { assertions, .. } => {
                format!("{} assertions, {} states, {} steps", assertions.len(), checked.states, checked.steps)
            }
            Argument::Threads { .. } => {
                format!("for any number of threads: facts at {} places, {} obligations", checked.states, checked.steps)
            }
            Argument::OwickiGries { .. } => {
                format!("{} annotations, {} conditions", checked.states, checked.steps)
            }
            Argument::States { .. } => format!("all {} states, {} steps", checked.states, checked.steps),
        };
        format!("{} holds: {kind}, {} queries.\n{}", certificate.property, checked.queries, conditions(&input, &source))
    }))
}

/// The program as the certificate says that it was read.
fn source(arguments: &Check, certificate: &Certificate) -> Result<Source, Failure> {
    let value = |name: &str| certificate.reading.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    let read_as: CReading = match value(C) {
        Some(json) => serde_json::from_str(json)
            .map_err(|error| Failure::rejected(format!("{}: {error}", arguments.certificate.display())))?,
        None => CReading::default(),
    };
    let (property, file) = (certificate.property.clone(), arguments.file.clone());
    let refused = |what: &str| Failure::rejected(format!("{}: {what}", arguments.certificate.display()));
    if value(RUNS).is_none() && property::named(&property).is_none() {
        return Err(refused("this is no property"));
    }
    if !read_as.excused.is_empty() {
        return Err(refused("places are left out where something is wrong"));
    }
    let reading = read_as.reading(&property);
    Ok(match value(RUNS) {
        Some(_) => Source::Hyper(Request { file, property, function: value(FUNCTION).cloned(), reading }),
        None => Source::Program { file, reading },
    })
}

/// What the claim depends on, beside the program's text.
fn conditions(input: &Input, source: &Source) -> String {
    let Some(used) = &input.representation else { return String::new() };
    let reading = source.reading();
    let read_as = CReading::new(used, reading, input.defined);
    let mut text = format!("C with {}, integers as {}.\n", read_as.data_model, read_as.ints);
    if input.defined {
        text += "Undefined behaviour ends an execution.\n";
    }
    if let Some(arguments) = &reading.arguments {
        text += &format!("Started with: {}\n", arguments.join(" "));
    }
    // What changes the program's text or the meaning of its functions is for the reader to judge.
    let (data_model, ints) = (read_as.data_model.clone(), read_as.ints.clone());
    let plain = CReading {
        data_model,
        ints,
        defined: input.defined,
        arguments: read_as.arguments.clone(),
        ..CReading::default()
    };
    let written = |reading: &CReading| serde_json::to_string(reading).expect("what was read can be written");
    if written(&read_as) != written(&plain) {
        text += &format!("Read with: {}\n", written(&read_as));
    }
    used.assumptions.iter().for_each(|assumption| text += &format!("assumed: {assumption}\n"));
    text
}
