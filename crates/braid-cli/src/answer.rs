//! From one program to an answer: verdict, evidence in words, and what is to be known about it.

use crate::document::{CReading, Document, Sizes, StoredExecution};
use crate::exit::{Failure, Status};
use crate::input::{self, Input, Source};
use crate::judge::{Judge, Look};
use crate::machine::Lead;
use crate::queries::Queries;
use crate::story::Explained;
use crate::strategy::advice;
use crate::vacuity::{NO_END, Proven};
use crate::verify::{Answer, Job};
use crate::witness::{self, Evidence};
use crate::{deadlock, explain, livelock, machine, runs, story, table, trace};
use braid_engines::strategy::{Judgement, Shape, starts_tasks};
use braid_engines::{Control, Counterexample, Proof, Reason, Statistics, Verdict};
use braid_logic::TermPool;
use braid_program::ast::Check;
use braid_program::cfa::{Accepted, Program, Violation};
use braid_program::source::Span;
use braid_program::{LowerOptions, cfa};
use braid_reduction::OrderSpec;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How notes on what Braid cannot follow begin.
pub const NOT_MODELLED: &str = "not modelled at ";

/// How long it may take to say what a proof means for places in the program.
const ANNOTATING: Duration = Duration::from_secs(10);

/// How long a violation is looked for once more, step by step, if the one that was found cannot be led through single steps.
const FOR_STORIES: Duration = Duration::from_secs(2);
const FOR_WITNESSES: Duration = Duration::from_secs(10);

/// One question about a program, as it was read for it.
pub struct Question<'j> {
    pub job: &'j Job,
    pub source: &'j Source,
    pub deadline: Option<Instant>,
}

/// What there is to say, in words.
struct Said {
    text: String,
    status: Status,
    guide: Option<Lead>,
    violated: Option<(Check, Span)>,
    certificate: Option<String>,
    evidence: Option<Evidence>,
}

impl Said {
    fn new(text: String, status: Status) -> Said {
        Said { text, status, guide: None, violated: None, certificate: None, evidence: None }
    }
}

impl Question<'_> {
    /// All the work on one program.
    pub fn answer(&self, mut input: Input) -> Result<Answer, Failure> {
        let job = self.job;
        // What lowering makes is the same in every pool that held nothing before.
        let [pool, second_pool, last_pool] = [(); 3].map(|()| TermPool::new());
        let first = LowerOptions::from(job.strategy.bounds);
        let mut program = input::automata(&input.program, &pool, first)?;
        if let Some(name) = job.strategy.settings.modular.hierarchy.unknown_name(&program) {
            let names: Vec<&str> = program.threads.iter().map(|thread| thread.name.as_str()).collect();
            let message = format!("error: there is no thread {name} to put into the hierarchy\nhint: the threads are");
            return Err(Failure::usage(format!("{message} {}", names.join(", "))));
        }
        let mut document = job.document_of(self.source, job.start);
        document.time.frontend = job.start.elapsed().as_secs_f64();
        // What C calls threads switches anywhere.
        let shape = Shape::of(&program, input.representation.is_none() && starts_tasks(&input.program));
        let judge = Judge {
            strategy: &job.strategy,
            shape,
            hurried: job.deadline.is_some(),
            control: Control::new()
                .cancelled_by(job.cancelled.clone())
                .until(self.deadline)
                .memory_limit(Some(job.memory))
                .reporting_to(job.progress.clone())
                .known_as(self.topic()),
        };
        let (judgement, look) = judge.judge_twice(self.source, &mut input, &program, &second_pool)?;
        let Judgement { mut verdict, statistics, engine, order, lowering, excluded, .. } = judgement;
        document.dismissed = u64::from(matches!(look, Look::Dismissed));
        if let Look::Confirmed(defined) = look {
            program = defined;
        } else if lowering != first || input.defined || input.is_rolled() {
            program = input::automata(&input.program, &last_pool, lowering)?;
        }
        if let Some(used) = &input.representation {
            document.c = Some(CReading::new(used, self.source.reading(), input.defined));
            document.assumptions = used.assumptions.iter().map(|assumption| assumption.to_string()).collect();
        }
        document.hyper = input.product.as_ref().map(|product| product.stored());
        document.lowering = lowering.into();
        document.threads = program.threads.len() as u64;
        document.size = Sizes { before: program.size_before.into(), after: program.size().into() };
        (document.engine, document.order) = (engine, order);
        if let Verdict::Unsafe(counterexample) = verdict {
            // It was found in a pool of the engine's own. What is shown is what replays here.
            verdict = Verdict::from_execution(&program, counterexample.execution().clone());
        }
        document.set_statistics(&statistics);
        let said = match verdict {
            Verdict::Safe(proof) => self.proven(&judge, &input, (&program, lowering), &proof, &mut document),
            Verdict::Unsafe(counterexample) => {
                self.violated((&judge, &input), (&program, lowering), &counterexample, &mut document)
            }
            Verdict::Unknown(reason) => undecided(&program, &reason, (&statistics, excluded), &mut document),
        };
        let text = format!("{}{}", said.text, closing(&document, job.full));
        let Said { status, guide, violated, certificate, evidence, .. } = said;
        Ok(Answer { text, document, status, guide, violated, certificate, evidence })
    }

    /// What is asked, for the live line; of many things, that these are many.
    fn topic(&self) -> String {
        let checks = self.source.reading().checks;
        match checks.iter().count() {
            0 => "the claim".to_owned(),
            1..=3 => checks.to_string().replace(',', ", "),
            more => format!("{more} properties"),
        }
    }

    fn proven(
        &self,
        judge: &Judge<'_>,
        input: &Input,
        (program, lowering): (&Program<'_>, LowerOptions),
        proof: &Proof,
        document: &mut Document,
    ) -> Said {
        let (job, checks) = (self.job, self.source.reading().checks);
        // Of several questions, one says where executions end.
        if input.product.is_none() && (checks.contains(Check::Assertion) || checks == job.checks) {
            let gem = &job.strategy.settings.gem(OrderSpec::Seq);
            let (structured, took) = (&input.program, job.start.elapsed());
            let (deadline, memory) = (self.deadline, job.memory);
            let proven = Proven { structured, program, lowering, checks, gem, took, deadline, memory };
            document.notes = proven.notes();
            document.time.notes = (job.start.elapsed() - took).as_secs_f64();
        }
        // Where nothing is left without undefined behaviour, compilers may well give it the meaning that breaks the claim.
        let misleads = |used| checks.contains(Check::Assertion) && !judge.holds_anyhow(self.source, used);
        let nothing_left = document.notes.first().filter(|note| input.defined && note.starts_with(NO_END));
        match nothing_left.filter(|_| input.representation.as_ref().is_some_and(misleads)) {
            Some(note) => {
                document.reason = Some(format!("without undefined behaviour, {note}"));
                document.notes.clear();
                Said::new("The claim is violated only behind undefined behaviour.\n".to_owned(), Status::Unknown)
            }
            None => {
                document.verdict = "safe".into();
                document.set_proof(proof, &program.sources);
                let unit = input.unit.as_deref().filter(|_| job.witnessed);
                let evidence = unit.map(|unit| {
                    let files = self.source.files();
                    Evidence::Correctness(witness::correctness((proof, lowering), &input.program, (unit, &files)))
                });
                if job.annotated && input.product.is_none() {
                    self.annotate(&judge.control, input, (lowering, proof), document);
                }
                let text = explain::proof(proof);
                let certificate = self.certificate(&judge.control, input, (lowering, proof), document);
                Said { certificate, evidence, ..Said::new(text, Status::Safe) }
            }
        }
    }

    fn violated(
        &self,
        (judge, input): (&Judge<'_>, &Input),
        (program, lowering): (&cfa::Program<'_>, LowerOptions),
        counterexample: &Counterexample,
        document: &mut Document,
    ) -> Said {
        document.verdict = "unsafe".into();
        let violated = violated(program, counterexample);
        let is_c = input.representation.is_some();
        document.violated = violated.filter(|_| is_c).map(|(check, _)| check.name().to_owned());
        if self.source.reading().checks.iter().count() > 1 {
            document.reason.clone_from(&document.violated);
        }
        let races = violated.is_some_and(|(check, _)| check == Check::Race);
        let mut trace = trace::trace(program, counterexample);
        let side_by_side = input.product.as_ref().map(|product| {
            trace.violation = format!("The runs violate {}.", product.formula);
            runs::runs(program, counterexample, &product.columns)
        });
        let structured = Some(&input.program).filter(|_| races);
        let guided = self.job.guided;
        let unseen = violated.and_then(|violated| input.unseen(violated)).map(Lead::None);
        let guide = || Lead::Guide(machine::guide(program, structured, counterexample, self.source.file()));
        let guide = unseen.or_else(|| guided.then(guide));
        let again = |within| judge.unfused(&input.program, lowering, within);
        let mut story = story::story(input, (program, lowering), counterexample, &|| again(FOR_STORIES));
        if input.product.is_some() {
            story.ending.sentence.clone_from(&trace.violation);
        }
        if races {
            // Only the story knows who holds which locks.
            trace.violation.clone_from(&story.ending.sentence);
        }
        document.counterexample = Some(StoredExecution::new(program, counterexample, &trace));
        // The variables of C have the values that the program gives them.
        let initial = if is_c { &[][..] } else { trace.initial.as_slice() };
        let mut text = table::render(&story, initial, &program.sources, self.job.page, self.job.full);
        document.story = Some(story);
        if let (Some(runs), Some(hyper)) = (side_by_side, &mut document.hyper) {
            text.push('\n');
            text.push_str(&runs::render(&runs));
            hyper.runs = runs;
        }
        let unit = input.unit.as_deref().filter(|_| self.job.witnessed);
        let evidence = unit.and_then(|unit| {
            let files = self.source.files();
            witness::violation(
                (program, counterexample),
                &input.program,
                (lowering, &|| again(FOR_WITNESSES)),
                (unit, &files),
            )
        });
        Said { guide, violated, evidence: evidence.map(Evidence::Violation), ..Said::new(text, Status::Unsafe) }
    }
}

impl Question<'_> {
    /// Says what a proof means for places in the program, if that is found in short time.
    fn annotate(
        &self,
        control: &Control,
        input: &Input,
        (lowering, proof): (LowerOptions, &Proof),
        document: &mut Document,
    ) {
        let solver = self.job.strategy.settings.gem.solver.clone();
        let until = Instant::now() + ANNOTATING;
        let deadline = self.deadline.map_or(until, |deadline| deadline.min(until));
        let control = control.also_cancelled_by(Arc::default()).until(Some(deadline));
        let explained = Explained { input, lowering, proof, solver };
        match explained.annotations(&control) {
            Ok(annotations) => document.annotations = Some(annotations),
            Err(why) => document.notes.push(format!("the proof is not shown in the source: {why}")),
        }
    }
}

/// What a counterexample violates, and where.
pub fn violated(program: &Program<'_>, counterexample: &Counterexample) -> Option<(Check, Span)> {
    match counterexample.replayed().violation {
        Accepted::Violation(thread, location, Violation::Failed(check)) => {
            Some((check, program.thread(thread).locations[location.index()].span))
        }
        Accepted::Deadlock => deadlock::place(program, counterexample).map(|span| (Check::Deadlock, span)),
        Accepted::Livelock => livelock::place(program, counterexample).map(|span| (Check::Progress, span)),
        _ => None,
    }
}

fn undecided(
    program: &Program<'_>,
    reason: &Reason,
    (statistics, excluded): (&Statistics, Option<LowerOptions>),
    document: &mut Document,
) -> Said {
    let states = statistics.states;
    let text = match reason {
        Reason::Internal(_) => "This is a fault of Braid, please report it.\n".to_owned(),
        _ if statistics.rounds > 0 => format!(
            "No violation was found: round {}, {} assertions, {states} states, {} solver queries.\n",
            statistics.rounds, statistics.proof_size, statistics.smt_queries
        ),
        _ => format!("No violation in the {states} states that were visited.\n"),
    };
    let excluded = excluded.map(|below| {
        format!("; nothing is violated with {} instances and {} nested calls", below.instances, below.recursion)
    });
    let places = program.places_not_modelled().into_iter();
    let note = |(span, why)| format!("{NOT_MODELLED}{}: {why}", trace::place(program, span));
    document.notes.extend(places.map(note));
    document.reason = Some(advice(reason) + &excluded.unwrap_or_default());
    Said::new(text, Status::Unknown)
}

/// What follows the evidence: notes, assumptions, and figures where all is wanted.
fn closing(document: &Document, full: bool) -> String {
    let mut text = document.queries.as_ref().map(Queries::sentence).unwrap_or_default();
    if full {
        text += &document.size.sentence(document.threads);
        if let Some(CReading { data_model, ints, .. }) = &document.c {
            text += &format!("C with {data_model}, integers as {ints}.\n");
        }
    }
    let depends = document.counterexample.iter().flat_map(|counterexample| &counterexample.depends_on);
    depends.for_each(|on| text += &format!("depends on: {on}\n"));
    text + &remarks(&document.notes, &document.assumptions)
}

/// Notes and assumptions, one line each.
pub fn remarks(notes: &[String], assumptions: &[String]) -> String {
    let mut text: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
    if !assumptions.is_empty() {
        text += &format!("assumed: {}\n", assumptions.join("; "));
    }
    text
}
