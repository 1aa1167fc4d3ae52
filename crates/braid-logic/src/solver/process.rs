//! The tier that asks an external solver, in SMT-LIB 2 over pipes.
//!
//! Each query is stated in full inside its own scope, so that the process carries nothing from one query to the next
//! and can be replaced at any time. A process that does not answer properly and in time is killed; the query is
//! unknown, the reason is kept as a diagnostic, and the next query starts a new process.

use super::interrupt::Watch;
use super::model::{self, Elements, Symbols};
use super::pipe::Pipe;
use super::{Answer, Query};
use crate::pool::TermPool;
use crate::sexpr::{Sexpr, read_all};
use crate::sort::SortKind;
use crate::term::Term;
use crate::text::{PoolScope, parse_sexpr, print_declarations};
use crate::value::{Model, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// What a new process is told first. Solvers differ in the options they know, so replies are ignored up to the last.
const GREETING: &str = "(set-option :print-success false)
(set-option :produce-models true)
(set-option :produce-unsat-assumptions true)
(set-logic ALL)
(echo \"ready\")
";

pub(super) struct ProcessTier<'p> {
    pool: &'p TermPool,
    command: Vec<String>,
    /// The limit of each reply.
    limit: Duration,
    pipe: Option<Pipe>,
    /// Is the scope of the last query open?
    open: bool,
    /// What went wrong, in the order in which it did, since it was last taken.
    pub diagnostics: Vec<String>,
}

impl<'p> ProcessTier<'p> {
    /// Starts the process, to see whether it can be.
    pub fn new(pool: &'p TermPool, command: &str, limit: Duration) -> Result<Self, String> {
        let command = split(command);
        let mut tier = ProcessTier { pool, command, limit, pipe: None, open: false, diagnostics: Vec::new() };
        tier.start()?;
        Ok(tier)
    }

    fn start(&mut self) -> Result<(), String> {
        let pipe = Pipe::start(&self.command).map_err(|error| error.to_string())?;
        pipe.send(GREETING.into());
        let deadline = Instant::now() + self.limit;
        loop {
            let reply = pipe.reply(deadline, &|| false).map_err(|failure| failure.to_string())?;
            if reply.trim_matches('"') == "ready" {
                break;
            }
        }
        (self.pipe, self.open) = (Some(pipe), false);
        Ok(())
    }

    /// Sends the text and waits for one reply; anything but a proper one ends the process.
    fn ask(&mut self, text: String, watch: &Watch) -> Option<String> {
        if self.pipe.is_none()
            && let Err(reason) = self.start()
        {
            self.diagnostics.push(format!("the solver process cannot be restarted: {reason}"));
            return None;
        }
        let pipe = self.pipe.as_ref()?;
        pipe.send(text);
        let deadline = Instant::now() + self.limit;
        match pipe.reply(deadline, &|| watch.is_interrupted()) {
            Ok(reply) if reply.starts_with("(error") || reply == "unsupported" => self.give_up(&reply),
            Ok(reply) => Some(reply),
            Err(failure) => self.give_up(&failure.to_string()),
        }
    }

    fn give_up<T>(&mut self, reason: &str) -> Option<T> {
        let shown: String = reason.chars().take(300).collect();
        self.diagnostics.push(format!("the solver process `{}`: {shown}", self.command.join(" ")));
        self.pipe = None;
        None
    }

    /// Answers the query, between `begin` and `end` of the watch.
    pub fn check(&mut self, query: &Query, watch: &Watch) -> Answer {
        let mut text = String::new();
        if self.open && self.pipe.is_some() {
            text += "(pop 1)\n";
        }
        text += "(push 1)\n";
        text += &print_declarations(self.pool, query.formulas);
        for &formula in query.stack() {
            writeln!(text, "(assert {})", self.pool.display(formula)).expect("strings take all text");
        }
        let literals: Vec<String> = (0..query.assumptions().len()).map(|number| self.literal(number)).collect();
        for (literal, &assumption) in literals.iter().zip(query.assumptions()) {
            let formula = self.pool.display(assumption);
            writeln!(text, "(declare-fun {literal} () Bool)\n(assert (=> {literal} {formula}))")
                .expect("strings take all text");
        }
        match literals.is_empty() {
            true => text += "(check-sat)\n",
            false => {
                writeln!(text, "(check-sat-assuming ({}))", literals.join(" ")).expect("strings take all text");
            }
        }
        let Some(reply) = self.ask(text, watch) else { return Answer::Unknown };
        self.open = true;
        match &*reply {
            "sat" => Answer::Sat,
            "unsat" => Answer::Unsat,
            "unknown" => Answer::Unknown,
            _ => self.give_up(&format!("it answered {reply}")).unwrap_or(Answer::Unknown),
        }
    }

    /// The name that stands for an assumption, which no variable has.
    fn literal(&self, number: usize) -> String {
        let mut name = format!("assumption!{number}");
        while self.pool.find_var(&name).is_some() {
            name.push('!');
        }
        name
    }

    /// The assumptions that the last answer, unsat, used; all if the process cannot tell.
    pub fn core(&mut self, assumptions: &[Term], watch: &Watch) -> Vec<Term> {
        let by_name: FxHashMap<String, Term> =
            assumptions.iter().enumerate().map(|(number, &assumption)| (self.literal(number), assumption)).collect();
        let used = self.ask("(get-unsat-assumptions)\n".into(), watch).and_then(|reply| {
            let names = read_all(&reply).ok()?;
            let [Sexpr::List(names, _)] = &names[..] else { return None };
            names.iter().map(|name| by_name.get(name.as_symbol()?).copied()).collect::<Option<FxHashSet<Term>>>()
        });
        let mut core: Vec<Term> = assumptions.to_vec();
        if let Some(used) = used {
            core.retain(|assumption| used.contains(assumption));
        }
        core
    }

    /// The model of the last answer, sat.
    pub fn model(&mut self, formulas: &[Term], watch: &Watch) -> Option<Model> {
        let symbols = Symbols::of(self.pool, formulas);
        let terms: Vec<Term> =
            symbols.vars.iter().map(|&var| self.pool.of_var(var)).chain(symbols.applications).collect();
        if terms.is_empty() {
            return Some(Model::default());
        }
        let shown: Vec<String> = terms.iter().map(|&term| self.pool.display(term).to_string()).collect();
        let reply = self.ask(format!("(get-value ({}))\n", shown.join(" ")), watch)?;
        let pairs = read_all(&reply).ok()?;
        let [Sexpr::List(pairs, _)] = &pairs[..] else { return None };
        let mut elements = Elements::default();
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        for (&term, pair) in terms.iter().zip(pairs) {
            let [_, value] = pair.as_list()? else { return None };
            let value = match self.pool.sort_kind(self.pool.sort_of(term)) {
                SortKind::Uninterpreted(_) => {
                    let name = reply[value.span().start..value.span().end].to_string();
                    Value::Element(elements.number(self.pool.sort_of(term), name))
                }
                _ => {
                    let constant = parse_sexpr(self.pool, value, &PoolScope(self.pool)).ok()?;
                    self.pool.evaluate_in(constant, &Model::default())?
                }
            };
            values.insert(term, value);
        }
        model::build(self.pool, formulas, |term| values.get(&term).cloned())
    }
}

/// The words of a command line; quotation marks of either kind keep blanks inside a word.
fn split(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_at_blanks_outside_quotes() {
        for (command, words) in [
            ("cvc5 --incremental", &["cvc5", "--incremental"][..]),
            ("  'a solver'  -in ", &["a solver", "-in"]),
            ("x --name=\"b c\" ''", &["x", "--name=b c", ""]),
            ("", &[]),
        ] {
            assert_eq!(split(command), words, "{command}");
        }
    }
}
