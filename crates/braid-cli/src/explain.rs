//! Proofs for people: one sentence, and if wanted, the assertions and where they hold, thread by thread.

use crate::trace::Wording;
use braid_engines::{Argument, Explanation, Invariant, Proof, ProvenReduction, ThreadModular};
use braid_program::cfa::{Location, Program, Thread, ThreadId};
use braid_program::source::Span;
use std::fmt::Write;

/// The proof as text: a sentence, then its explanation if it has one.
pub fn proof(program: &Program<'_>, proof: &Proof) -> String {
    let sentence = proof.to_string();
    let mut out = format!("{}{}.\n", sentence[..1].to_uppercase(), &sentence[1..]);
    if let Argument::Reduction(ProvenReduction { explanation: Some(explanation), .. }) = &proof.argument {
        explain(&mut out, program, explanation);
    }
    out
}

/// What holds where, of any thread and of any two.
pub fn facts(program: &Program<'_>, proof: &Proof) -> String {
    let Argument::ThreadModular(ThreadModular { many, names, counters, invariants, .. }) = &proof.argument else {
        return String::new();
    };
    let mut out = String::new();
    if !many.is_empty() {
        let _ = writeln!(out, "For any number of threads {}:", many.join(", "));
    }
    let at = |thread: ThreadId, span: Span| {
        let name = names.iter().find(|(id, _)| *id == thread).map_or("?", |(_, name)| name.as_str());
        format!("{name} at line {}", program.sources.position(span).line)
    };
    for Invariant { places, spans, infix, .. } in invariants {
        let who: Vec<String> = places.iter().zip(spans).map(|(&(thread, _), &span)| at(thread, span)).collect();
        let alike = places.len() > 1 && places[0].0 == places[1].0;
        let who = who.join(if alike { ", another " } else { ", " });
        let what = match (places.len(), infix.iter().any(|fact| fact == "false")) {
            (1, true) => "nobody is ever there".to_owned(),
            (_, true) => "never together".to_owned(),
            _ => infix.join("; "),
        };
        // Several places can be in one line.
        let row = format!("  {who}: {what}\n");
        if !out.contains(&row) {
            out.push_str(&row);
        }
    }
    if invariants.iter().flat_map(|invariant| &invariant.infix).any(|fact| fact.contains("@1")) {
        let _ = writeln!(out, "Variables of the second thread end in @1.");
    }
    if *counters {
        let _ = writeln!(out, "#t@n is the number of threads like t at their place n.");
    }
    out.push('\n');
    out
}

fn explain(out: &mut String, program: &Program<'_>, explanation: &Explanation) {
    let Explanation { assertions, states, threads } = explanation;
    let _ = match assertions.len() {
        0 => writeln!(out, "No assertion is needed: no interleaving that meets the target is left ({states} states)."),
        1 => writeln!(out, "One assertion is needed, over {states} states of the preferred interleavings:"),
        n => writeln!(out, "{n} assertions are needed, over {states} states of the preferred interleavings:"),
    };
    for (number, assertion) in assertions.iter().enumerate() {
        let _ = writeln!(out, "  {:<4} {assertion}", name(number));
    }
    let wording = Wording::new(program);
    for (thread, locations) in program.threads.iter().zip(threads) {
        let _ = writeln!(out, "\nthread {}", thread.name);
        let rows: Vec<[String; 3]> = locations
            .iter()
            .map(|(location, holding)| {
                let names: Vec<String> = holding.iter().map(|&number| name(number)).collect();
                let names = if names.is_empty() { "–".to_owned() } else { names.join(" ") };
                [place(program, thread, *location), what(program, &wording, thread, *location), names]
            })
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (places, whats) = (width(0), width(1));
        for [place, what, names] in &rows {
            let _ = writeln!(out, "  {place:<places$}  {what:<whats$}  {names}");
        }
    }
    out.push('\n');
}

fn name(assertion: usize) -> String {
    format!("A{}", assertion + 1)
}

fn place(program: &Program<'_>, thread: &Thread, location: Location) -> String {
    if location == Location::NOT_STARTED || location == thread.exit {
        return String::new();
    }
    let span = thread.outgoing(location).first().map(|&action| program.action(action).span);
    let span = span.unwrap_or(thread.locations[location.index()].span);
    format!("line {}", program.sources.position(span).line)
}

/// What the thread is about to do.
fn what(program: &Program<'_>, wording: &Wording<'_, '_>, thread: &Thread, location: Location) -> String {
    const WIDEST: usize = 60;
    if location == Location::NOT_STARTED {
        return "not started".to_owned();
    }
    if location == thread.exit {
        return "at its end".to_owned();
    }
    let mut actions: Vec<String> =
        thread.outgoing(location).iter().map(|&action| wording.action(program.action(action))).collect();
    actions.dedup();
    let text = match actions.as_slice() {
        [] => "stuck".to_owned(),
        _ => format!("before {}", actions.join(" or ")),
    };
    if text.chars().count() <= WIDEST {
        return text;
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}
