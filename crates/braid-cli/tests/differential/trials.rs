//! One program made of parts, against GCC: Braid is asked whether all values are among those that GCC's runs have, and whether one of these
//! never comes.
//!
//! The first must not be refuted if the runs were all there are, the second must not be proven. A part that Braid rejects is left out,
//! and what remains is tried again.

use super::generate::Program;
use super::parts::{self, Part, SIGN};
use super::runs::{Compiler, Ends, Observations, Tries};
use super::{Verdict, verdict, verdict_by};
use braid_testkit::Random;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Which parts a program has: those of a table of [`parts::Tables`]. Parts of the first three run one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Sequential,
    Inputs,
    Threads,
    Concurrent,
}

impl Kind {
    /// How many schedules are tried, of each round. Values of parts that run one after the other do not depend on them, but on inputs.
    fn schedules(self) -> u64 {
        if self == Kind::Concurrent { 3_000 } else { 1_000 }
    }

    /// The engine that decides most of these programs, and in the least time.
    fn engine(self) -> &'static str {
        match self {
            Kind::Sequential | Kind::Inputs => "delay",
            Kind::Threads | Kind::Concurrent => "cegar",
        }
    }

    /// How many parts a program has.
    pub fn parts(self) -> usize {
        match self {
            Kind::Sequential => 40,
            Kind::Inputs => 5,
            Kind::Threads => 6,
            Kind::Concurrent => 10,
        }
    }

    /// Rounds have nothing to do with each other: the schedules of one are tried with a fixed one of the others.
    fn tries(self) -> Tries {
        if self == Kind::Concurrent { Tries::Rounds } else { Tries::All }
    }
}

/// What came of a program.
#[derive(Default)]
pub struct Outcome {
    /// The program, if there was a verdict to compare.
    pub compared: Option<String>,
    pub notes: Vec<String>,
    pub problems: Vec<String>,
}

pub struct Trial<'t> {
    pub compiler: &'t Compiler,
    pub folder: &'t Path,
    pub kind: Kind,
    pub seed: u64,
}

impl Trial<'_> {
    fn program(&self, parts: &[&Part]) -> Program {
        let mut random = Random((self.seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        match self.kind {
            Kind::Sequential | Kind::Inputs | Kind::Threads => parts::sequential(parts, &mut random),
            Kind::Concurrent => parts::concurrent(parts, &mut random),
        }
    }

    /// The message if Braid rejects a part that is alone.
    pub fn rejection(&self, part: &Part) -> Option<String> {
        let program = self.program(&[part]);
        let text = program.claiming(&vec!["1".to_owned(); program.sites]);
        let file = self.write(&format!("alone_{:?}{}", self.kind, self.seed), &text);
        match verdict_by(&file, "unreach-call", self.kind.engine(), &mut Vec::new()) {
            Verdict::Rejected { message, .. } => Some(message),
            _ => None,
        }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let file = self.folder.join(format!("{name}.c"));
        fs::write(&file, text).expect("a program can be written");
        file
    }

    /// Compares a program of these parts; one that is wrong may be tried part by part.
    pub fn run(&self, parts: &[&Part], part_by_part: bool) -> Outcome {
        let mut outcome = self.compare(&format!("program{}", self.seed), parts);
        if !outcome.problems.is_empty() && parts.len() > 1 && part_by_part {
            for (number, &part) in parts.iter().enumerate() {
                outcome.problems.extend(self.compare(&format!("program{}_{number}", self.seed), &[part]).problems);
            }
        }
        outcome
    }

    fn compare(&self, name: &str, parts: &[&Part]) -> Outcome {
        let mut parts = parts.to_vec();
        let mut outcome = Outcome::default();
        while !parts.is_empty() {
            let program = self.program(&parts);
            let (ends, seen) = self.observed(name, &program);
            if ends.undefined + ends.overflowed > 0 || ends.finished == 0 {
                outcome.notes.push(format!("{:?}: undefined or endless in runs", self.kind));
                return outcome;
            }
            match self.claims_hold(name, &program, &ends, &seen, &mut outcome) {
                Verdict::Rejected { message, line } => {
                    outcome.notes.push(format!("rejected: {message}"));
                    match culprit(&program.text, line) {
                        Some(number) => drop(parts.remove(number)),
                        None => return outcome,
                    }
                }
                verdict => {
                    self.value_is_missed(name, &program, &seen, &mut outcome);
                    // Only what was said of all values is about all parts.
                    outcome.compared = (verdict != Verdict::Unknown).then_some(program.text);
                    return outcome;
                }
            }
        }
        outcome
    }

    fn observed(&self, name: &str, program: &Program) -> (Ends, Observations) {
        let executable = self.compiler.compile(self.folder, &format!("{name}_observer"), &program.observing());
        let (ends, mut seen) = self.compiler.run_all(&executable, self.kind.tries(), self.kind.schedules());
        if !ends.complete {
            let (_, more) = self.compiler.run(&executable, self.seed, self.kind.schedules() / 5);
            for (site, values) in more {
                seen.entry(site).or_default().extend(values);
            }
        }
        if ends.undefined == 0 {
            let _ = fs::remove_file(executable.with_extension("c"));
            let _ = fs::remove_file(executable);
        }
        (ends, seen)
    }

    /// All values are those that were seen.
    fn claims_hold(
        &self,
        name: &str,
        program: &Program,
        ends: &Ends,
        seen: &Observations,
        outcome: &mut Outcome,
    ) -> Verdict {
        let claims: Vec<String> = (0..program.sites).map(|site| among(site, seen)).collect();
        let text = program.claiming(&claims);
        let file = self.write(name, &text);
        let verdict = verdict(&file, "unreach-call", self.kind.engine(), &mut outcome.problems);
        outcome.notes.push(match &verdict {
            Verdict::Safe => format!("{:?}: safe", self.kind),
            Verdict::Unsafe => {
                let executable = self.compiler.compile(self.folder, name, &text);
                let (all, _) = self.compiler.run_all(&executable, self.kind.tries(), 10 * self.kind.schedules());
                let _ = fs::remove_file(executable);
                if all.failed > 0 {
                    format!("{:?}: unsafe, and so is a run", self.kind)
                } else if ends.stuck == 0 && (all.complete || self.kind != Kind::Concurrent) {
                    let titles = titles(&program.text);
                    outcome.problems.push(format!("{}: unsafe, but all runs are {all:?}: {titles}", file.display()));
                    format!("{:?}: unsafe, WRONG", self.kind)
                } else {
                    format!("{:?}: unsafe, not seen in runs", self.kind)
                }
            }
            Verdict::Unknown => format!("{:?}: unknown", self.kind),
            Verdict::Rejected { .. } => format!("{:?}: a part is left out", self.kind),
        });
        verdict
    }

    /// A value that was seen does not come: the last one, or any.
    fn value_is_missed(&self, name: &str, program: &Program, seen: &Observations, outcome: &mut Outcome) {
        let mut random = Random(self.seed * 77 + 5);
        let last = (0..program.sites).rev().find(|site| seen.contains_key(site));
        let chosen = if random.below(2) == 0 { last } else { Some(random.below(program.sites)) };
        let Some((site, values)) = chosen.and_then(|site| seen.get_key_value(&site)) else { return };
        let (rarest, _) = values.iter().min_by_key(|(_, count)| **count).expect("a value was seen");
        let claims = (0..program.sites).map(|other| match other == *site {
            true => format!("o{other} != {rarest}"),
            false => "1".to_owned(),
        });
        let file = self.write(&format!("{name}_missed"), &program.claiming(&claims.collect::<Vec<_>>()));
        let verdict = verdict(&file, "unreach-call", self.kind.engine(), &mut outcome.problems);
        if verdict == Verdict::Safe {
            let titles = titles(&program.text);
            outcome.problems.push(format!("{}: safe, but site {site} is {rarest} in runs: {titles}", file.display()));
        }
        outcome.notes.push(format!("{:?}, a value is missed: {verdict:?}", self.kind));
    }
}

/// The claim that a value is one of those that were seen.
fn among(site: usize, seen: &Observations) -> String {
    let none = BTreeMap::new();
    let values = seen.get(&site).unwrap_or(&none);
    let (Some(least), Some(most)) = (values.keys().next(), values.keys().next_back()) else {
        return "0".to_owned();
    };
    if values.len() > 8 {
        return format!("o{site} >= {least} && o{site} <= {most}");
    }
    values.keys().map(|value| format!("o{site} == {value}L")).collect::<Vec<_>>().join(" || ")
}

fn titles(text: &str) -> String {
    let mut titles: Vec<&str> =
        text.lines().filter_map(|line| Some(line.strip_prefix(SIGN)?.split_once(": ")?.1)).collect();
    titles.sort_unstable();
    titles.dedup();
    if titles.len() > 4 { format!("{} parts", titles.len()) } else { titles.join(", ") }
}

/// The number of the part that a line belongs to.
fn culprit(text: &str, line: usize) -> Option<usize> {
    let sign = text.lines().take(line).filter_map(|line| line.strip_prefix(SIGN)).last()?;
    sign.split_once(": ")?.0.parse().ok()
}
