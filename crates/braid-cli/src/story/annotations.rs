//! A proof as annotations of the source: what holds before a statement, in the names of the program.
//!
//! Whoever found the proof: it is walked through as for a certificate, and what is known in each state of that walk is said of the
//! statements where threads are. What speaks of values that the program has no name for is left out.

use super::facts::{strongest, weakest};
use super::words::{Cell, Moment, Words};
use super::{Annotation, Annotations, Ghost, Place, graph};
use crate::input::{self, Input};
use crate::witness::place::Texts;
use braid_check::{Argument, GraphState, ThreadFacts};
use braid_engines::certify::Proven;
use braid_engines::{Argument as Engine, Control, Proof, Waiting};
use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{Node, SolverOptions, Sort, Term, TermPool, Var};
use braid_program::cfa::{Location, Program, ThreadId};
use braid_program::source::Span;
use braid_program::{Interpreter, LowerOptions, ROUND, State};
use std::collections::{BTreeMap, BTreeSet};

/// More cases than this say too little to be told.
const MOST_CASES: usize = 4;

/// How the names of ghost variables begin that count threads at a place.
const COUNTED: char = '#';

/// Where a thread is.
pub type Site = (ThreadId, Location);

/// What is known at sites: facts that always hold there, and cases of which one holds.
#[derive(Default)]
pub struct Known {
    pub always: Vec<String>,
    cases: Vec<Vec<String>>,
}

/// A question that was proven.
pub struct Explained<'a> {
    pub input: &'a Input,
    pub lowering: LowerOptions,
    pub proof: &'a Proof,
    pub solver: SolverOptions,
}

impl Explained<'_> {
    /// What the proof says of places; or why nothing can be said, as a clause.
    pub fn annotations(&self, control: &Control) -> Result<Annotations, String> {
        let lowering = self.proof.lowering.unwrap_or(self.lowering);
        let pool = TermPool::new();
        let program = input::automata(&self.input.program, &pool, lowering).map_err(|failure| failure.message)?;
        let c = self.input.representation.as_ref().zip(self.input.unit.as_deref());
        let words = Words::new(&program, &self.input.program, c.map(|(used, unit)| (&used.legend, unit)));
        let texts = c.map(|(_, unit)| Texts::own(&program.sources, unit.prelude));
        let state = Interpreter::new(&program).open_state();
        let speech = Speech { program: &program, words: &words, texts, state };
        if let Engine::LockOrder { locks, places } = &self.proof.argument {
            return Ok(speech.lock_order(locks, places));
        }
        let proven = Proven { program: &self.input.program, lowering, proof: self.proof, solver: self.solver.clone() };
        let annotations = match proven.reasons(control)? {
            Argument::Reduction { assertions, graphs } => {
                let states: Vec<&GraphState> = graphs.iter().flat_map(|graph| &graph.states).collect();
                let graph = speech.kept(&assertions, &graphs);
                Annotations { reduced: program.threads.len() > 1, graph, ..speech.reduction(&assertions, &states) }
            }
            Argument::Threads { facts, .. } => speech.threads(&facts),
            Argument::OwickiGries { .. } | Argument::States { .. } => return Err("all states were visited".into()),
        };
        let mut ghosts = annotations.ghosts;
        if lowering.one_round {
            let meaning =
                "the number of one round of a loop with assertions: any one, so what holds of it holds of all".into();
            ghosts.push(Ghost { name: ROUND.into(), meaning });
        }
        Ok(Annotations { fused: lowering.fuse, ghosts, ..annotations })
    }
}

pub struct Speech<'a, 'p> {
    pub program: &'a Program<'p>,
    words: &'a Words<'a, 'p>,
    texts: Option<Texts<'a>>,
    /// No value is known.
    state: State,
}

impl Speech<'_, '_> {
    fn reduction(&self, assertions: &[String], states: &[&GraphState]) -> Annotations {
        let terms: Vec<Option<Term>> = assertions.iter().map(|text| self.term(text)).collect();
        let mut held: BTreeMap<Site, BTreeSet<Vec<u32>>> = BTreeMap::new();
        for state in states {
            for (thread, &location) in state.locations.iter().enumerate() {
                let mut holds = state.holds.clone();
                holds.sort_unstable();
                held.entry((ThreadId(thread as u32), location)).or_default().insert(holds);
            }
        }
        let mut known = BTreeMap::new();
        for (site, sets) in held {
            let told = |numbers: &[u32]| -> Vec<String> {
                let terms = numbers.iter().filter_map(|&number| terms[number as usize]);
                self.facts(terms, site.0)
            };
            let mut sets = sets.into_iter();
            let first = sets.next().unwrap_or_default();
            let rest: Vec<Vec<u32>> = sets.collect();
            let common: Vec<u32> =
                first.iter().copied().filter(|number| rest.iter().all(|set| set.contains(number))).collect();
            let without = |set: &Vec<u32>| -> Vec<u32> {
                set.iter().copied().filter(|number| !common.contains(number)).collect()
            };
            let all: Vec<Vec<String>> = std::iter::once(&first).chain(&rest).map(|set| told(&without(set))).collect();
            let mut cases = weakest(all);
            if cases.len() > MOST_CASES || cases.iter().any(Vec::is_empty) {
                cases.clear();
            }
            known.insert(site, Known { always: strongest(&told(&common)), cases });
        }
        Annotations { places: self.places(&known), ..Annotations::default() }
    }

    fn threads(&self, facts: &[ThreadFacts]) -> Annotations {
        let mut known: BTreeMap<Site, Known> = BTreeMap::new();
        let ghosts = self.all_counted(facts);
        for ThreadFacts { places, formulas } in facts {
            let terms: Vec<Option<Term>> = formulas.iter().map(|text| self.term(text)).collect();
            match places.as_slice() {
                [site] => {
                    let entry = known.entry(*site).or_default();
                    entry.always.extend(self.facts(terms.into_iter().flatten(), site.0));
                }
                [site, other] if formulas.iter().any(|text| text == "false") => {
                    let line = self.place(other.0, other.1).map(|place| place.line);
                    if let Some(line) = line {
                        let name = &self.program.thread(other.0).name;
                        let another = if site.0 == other.0 { "other " } else { "" };
                        let told = format!("no {another}{name} is at line {line}");
                        known.entry(*site).or_default().always.push(told);
                    }
                }
                _ => {}
            }
        }
        let called =
            |fact: &String| ghosts.iter().fold(fact.clone(), |fact, (word, ghost)| replaced(&fact, word, &ghost.name));
        for known in known.values_mut() {
            known.always = strongest(&known.always).iter().map(called).collect();
        }
        let ghosts = ghosts.values().cloned().collect();
        Annotations { places: self.places(&known), ghosts, graph: self.threads_graph(&known), ..Annotations::default() }
    }

    /// Declares the numbers of threads at places that a formula speaks of, with what each means.
    fn counted(&self, text: &str) -> Vec<(String, Ghost)> {
        let words = text.split([' ', '(', ')', '|']).filter(|word| word.starts_with(COUNTED));
        let ghost = |word: &str| {
            let (name, at) = word[1..].rsplit_once('@')?;
            let thread = self.program.thread_ids().find(|&id| self.program.thread(id).name == name)?;
            let line = self.place(thread, Location(at.parse().ok()?))?.line;
            self.program.pool.var(word, Sort::INT);
            let meaning = format!("how many threads {name} are at line {line}");
            Some((word.to_owned(), Ghost { name: format!("{COUNTED}{name}@line{line}"), meaning }))
        };
        words.filter_map(ghost).collect()
    }

    /// The numbers of threads that facts speak of. Each is called by its line, if no other one is at the same line.
    fn all_counted(&self, facts: &[ThreadFacts]) -> BTreeMap<String, Ghost> {
        let texts = facts.iter().flat_map(|facts| &facts.formulas);
        let mut ghosts: BTreeMap<String, Ghost> = texts.flat_map(|text| self.counted(text)).collect();
        let names: Vec<String> = ghosts.values().map(|ghost| ghost.name.clone()).collect();
        for (word, ghost) in &mut ghosts {
            if names.iter().filter(|name| **name == ghost.name).count() > 1 {
                ghost.name.clone_from(word);
            }
        }
        ghosts
    }

    /// Where threads may wait, and for which locks.
    fn lock_order(&self, locks: &[String], waiting: &[Waiting]) -> Annotations {
        let names = |numbers: &[u32]| -> String {
            let all: Vec<&str> =
                numbers.iter().filter_map(|&lock| locks.get(lock as usize)).map(String::as_str).collect();
            all.join(", ")
        };
        let mut known: BTreeMap<Site, Known> = BTreeMap::new();
        for Waiting { thread, location, holds, wants, joins } in waiting {
            let mut told = Vec::new();
            if !wants.is_empty() {
                let held = if holds.is_empty() { "nothing".to_owned() } else { names(holds) };
                told.push(format!("may wait for {}, and holds at most {held}", names(wants)));
            }
            if !joins.is_empty() {
                let ended: Vec<&str> = joins.iter().map(|&id| self.program.thread(id).name.as_str()).collect();
                told.push(format!("may wait for the end of {}", ended.join(", ")));
            }
            known.entry((*thread, *location)).or_default().always.extend(told);
        }
        let graph = graph::lock_order(locks, waiting);
        Annotations { places: self.places(&known), graph, ..Annotations::default() }
    }

    /// What is known at sites, said of statements; threads that know the same are named together.
    fn places(&self, known: &BTreeMap<Site, Known>) -> Vec<Annotation> {
        let mut seen: BTreeSet<(ThreadId, Place)> = BTreeSet::new();
        let mut told: Vec<Annotation> = Vec::new();
        for ((thread, location), Known { always, cases }) in known {
            let Some(place) = self.place(*thread, *location) else { continue };
            let mut holds = always.clone();
            holds.dedup();
            if cases.len() > 1 {
                let cases: Vec<String> = cases.iter().map(|case| case.join(" and ")).collect();
                holds.push(format!("either {}", cases.join(", or ")));
            }
            // What holds inside of a statement is not what holds before it.
            if holds.is_empty() || !seen.insert((*thread, place.clone())) {
                continue;
            }
            let name = &self.program.thread(*thread).name;
            match told.iter_mut().find(|known| known.place == place && known.holds == holds) {
                Some(known) => known.thread += &format!(", {name}"),
                None => told.push(Annotation { place, thread: name.clone(), holds }),
            }
        }
        told.sort_by(|a, b| (&a.place, &a.thread).cmp(&(&b.place, &b.thread)));
        told
    }

    /// The statement that a thread is about to do.
    pub fn place(&self, thread: ThreadId, location: Location) -> Option<Place> {
        if location == Location::NOT_STARTED || location == self.program.thread(thread).exit {
            return None;
        }
        let action = self.program.action(*self.program.thread(thread).outgoing(location).first()?);
        let span = action.steps.first().map_or(action.span, |step| step.span);
        let span = match &self.texts {
            Some(texts) => {
                let bytes = texts.statement(span)?.bytes;
                Span { start: bytes.start as u32, end: texts.head(span)? as u32, ..span }
            }
            None => span,
        };
        Some(self.words.place(span))
    }

    pub fn term(&self, text: &str) -> Option<Term> {
        parse_term(self.program.pool, text, &PoolScope(self.program.pool)).ok()
    }

    /// Formulas in the words of the program; those that cannot be said are left out.
    pub fn facts(&self, terms: impl Iterator<Item = Term>, thread: ThreadId) -> Vec<String> {
        let mut facts = Vec::new();
        for term in terms {
            let conjuncts = match self.program.pool.node(term) {
                Node::And(parts) => parts.to_vec(),
                Node::True => Vec::new(),
                _ => vec![term],
            };
            for fact in conjuncts.into_iter().filter_map(|term| self.fact(term, thread)) {
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
        }
        facts
    }

    fn fact(&self, term: Term, thread: ThreadId) -> Option<String> {
        let pool = self.program.pool;
        if term == Term::FALSE {
            return Some("nobody comes here".into());
        }
        let vars = pool.free_vars(term);
        if let [var] = vars[..]
            && let Some(lock) = self.words.lock(var)
        {
            let is_free = pool.eq(pool.of_var(var), pool.int(0)) == term;
            let is_held = pool.not(pool.eq(pool.of_var(var), pool.int(0))) == term
                || pool.eq(pool.of_var(var), pool.int(1)) == term;
            return match (is_free, is_held) {
                (true, _) => Some(format!("{lock} is free")),
                (_, true) => Some(format!("{lock} is held")),
                _ => None,
            };
        }
        if let Node::Or(cases) = pool.node(term)
            && vars.iter().any(|&var| self.words.lock(var).is_some())
        {
            let told: Option<Vec<String>> = cases.iter().map(|&case| self.fact(case, thread)).collect();
            return told.map(|told| told.join(" or "));
        }
        let moment = Moment { state: &self.state, thread, at: None };
        let mut text = pool.infix(term).to_string();
        let mut names: Vec<(String, String)> = Vec::new();
        for &var in vars.iter() {
            names.push((pool.var_name(var).to_owned(), self.name(var, moment)?));
        }
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let pointer = vars.len() == 1 && self.words.is_pointer(vars[0]);
        // Names that have been put in are not looked at again.
        for (number, (name, _)) in names.iter().enumerate() {
            text = replaced(&text, name, &format!("\u{1}{number}\u{2}"));
        }
        for (number, (_, told)) in names.iter().enumerate() {
            text = text.replace(&format!("\u{1}{number}\u{2}"), told);
        }
        if pointer && (text.ends_with("= 0") || text.ends_with("≠ 0")) {
            text = text.trim_end_matches('0').to_owned() + "NULL";
        }
        Some(if self.words.is_c() { in_c(&text) } else { text })
    }

    /// The name of a variable; of another thread's own one, with the name of the thread.
    fn name(&self, var: Var, moment: Moment<'_>) -> Option<String> {
        let ghost = self.program.pool.var_name(var);
        if ghost.starts_with(COUNTED) {
            return Some(ghost.to_owned());
        }
        let name = self.words.name(&Cell::whole(var), moment)?;
        Some(match self.words.owner(var).filter(|&owner| owner != moment.thread) {
            Some(owner) => format!("{}:{name}", self.program.thread(owner).name),
            None => name,
        })
    }
}

/// Replaces a name where it is not part of a longer one.
fn replaced(text: &str, name: &str, by: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || "_.$#@[]?".contains(c);
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(name) {
        let before = rest[..at].chars().next_back().or_else(|| out.chars().next_back());
        let after = rest[at + name.len()..].chars().next();
        out += &rest[..at];
        // An index may follow.
        let is_whole = !before.is_some_and(is_part) && !after.is_some_and(|c| c != '[' && c != ']' && is_part(c));
        out += if is_whole { by } else { name };
        rest = &rest[at + name.len()..];
    }
    out + rest
}

/// Signs of logic as C writes them.
fn in_c(text: &str) -> String {
    let mut text = text.replace(" = ", " == ");
    for (sign, written) in [("≠", "!="), ("≤", "<="), ("≥", ">="), ("∧", "&&"), ("∨", "||"), ("¬", "!")] {
        text = text.replace(sign, written);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_as_a_whole() {
        assert_eq!(replaced("a.x + x ≤ x.y", "x", "Z"), "a.x + Z ≤ x.y");
        assert_eq!(replaced("t[x] = t.2", "t", "u"), "u[x] = t.2");
        assert_eq!(in_c("x ≠ 1 ∧ y = 2"), "x != 1 && y == 2");
    }
}
