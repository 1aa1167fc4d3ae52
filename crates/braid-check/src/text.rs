//! Certificates as text: S-expressions, of which `docs/certificates.md` tells the meaning.

use crate::certificate::{Annotation, Argument, Certificate, Graph, GraphState, Identity, ThreadFacts};
use braid_logic::sexpr::{AtomKind, Sexpr, TextError, read_all};
use braid_program::LowerOptions;
use braid_program::cfa::{ActionId, Location, ThreadId};
use braid_reduction::Target;
use std::fmt;

/// The version that is written, and the only one that is read.
const VERSION: &str = "2";

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LowerOptions { fuse, instances, recursion, templates, one_round } = self.lowering;
        writeln!(f, "(braid-certificate {VERSION}")?;
        writeln!(f, "(property {})", quoted(&self.property))?;
        write!(f, "(reading")?;
        self.reading.iter().try_for_each(|(name, value)| write!(f, " ({name} {})", quoted(value)))?;
        writeln!(f, ")")?;
        writeln!(f, "(lowering {fuse} {instances} {recursion} {templates} {one_round})")?;
        writeln!(f, "(program {})", quoted(&self.program.0))?;
        match &self.argument {
            Argument::Reduction { assertions, graphs } => {
                writeln!(f, "(reduction\n(assertions")?;
                assertions.iter().try_for_each(|assertion| writeln!(f, " {assertion}"))?;
                writeln!(f, ")")?;
                graphs.iter().try_for_each(|graph| write_graph(f, graph))?;
                writeln!(f, "))")
            }
            Argument::Threads { counters, numbers, facts } => {
                writeln!(f, "(threads {counters} {numbers}")?;
                for ThreadFacts { places, formulas } in facts {
                    write!(f, " (facts (of")?;
                    places.iter().try_for_each(|(thread, at)| write!(f, " ({} {})", thread.0, at.0))?;
                    writeln!(f, ")")?;
                    formulas.iter().try_for_each(|formula| writeln!(f, "  {formula}"))?;
                    writeln!(f, " )")?;
                }
                writeln!(f, "))")
            }
            Argument::OwickiGries { annotations } => {
                writeln!(f, "(owicki-gries")?;
                for Annotation { thread, location, formula } in annotations {
                    writeln!(f, " ({} {} {formula})", thread.0, location.0)?;
                }
                writeln!(f, "))")
            }
            Argument::States { count } => writeln!(f, "(states {count}))"),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn write_graph(f: &mut fmt::Formatter<'_>, graph: &Graph) -> fmt::Result {
    match graph.target {
        Target::Completion => writeln!(f, "(graph (completion)")?,
        Target::ErrorOf(thread) => writeln!(f, "(graph (error {})", thread.0)?,
        Target::BoundOf(thread) => writeln!(f, "(graph (bound {})", thread.0)?,
    }
    for GraphState { locations, asleep, holds, steps } in &graph.states {
        write!(f, " (state (at")?;
        locations.iter().try_for_each(|location| write!(f, " {}", location.0))?;
        write!(f, ") (asleep")?;
        asleep.iter().try_for_each(|action| write!(f, " {}", action.0))?;
        write!(f, ") (holds")?;
        holds.iter().try_for_each(|assertion| write!(f, " {assertion}"))?;
        write!(f, ") (steps")?;
        for (action, target) in steps {
            match target {
                Some(target) => write!(f, " ({} {target})", action.0)?,
                None => write!(f, " ({} never)", action.0)?,
            }
        }
        writeln!(f, "))")?;
    }
    writeln!(f, ")")
}

/// The certificates in a text.
pub fn read(text: &str) -> Result<Vec<Certificate>, TextError> {
    let found = read_all(text)?;
    found.iter().map(|one| Reader { text }.certificate(one)).collect()
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn certificate(&self, sexpr: &Sexpr) -> Result<Certificate, TextError> {
        let parts = named(sexpr, "braid-certificate")?;
        let [version, property, reading, lowering, program, argument] = parts else {
            return Err(TextError::new(sexpr.span(), "expected a version and five parts"));
        };
        if version.as_atom(AtomKind::Numeral) != Some(VERSION) {
            return Err(TextError::new(version.span(), format!("expected version {VERSION}")));
        }
        let reading = named(reading, "reading")?.iter().map(|pair| match pair.as_list() {
            Some([name, value]) => Ok((symbol(name)?.to_owned(), string(value)?)),
            _ => Err(TextError::new(pair.span(), "expected a name and a value")),
        });
        let reading = reading.collect::<Result<_, _>>()?;
        let [fuse, instances, recursion, templates, one_round] = named(lowering, "lowering")? else {
            return Err(TextError::new(lowering.span(), "expected five values"));
        };
        let lowering = LowerOptions {
            fuse: truth(fuse)?,
            instances: number(instances)?,
            recursion: number(recursion)?,
            templates: truth(templates)?,
            one_round: truth(one_round)?,
        };
        let (property, program) = (only(property, "property")?, only(program, "program")?);
        let (property, program) = (string(property)?, Identity(string(program)?));
        Ok(Certificate { property, reading, lowering, program, argument: self.argument(argument)? })
    }

    fn argument(&self, sexpr: &Sexpr) -> Result<Argument, TextError> {
        if let Ok(count) = only(sexpr, "states") {
            return Ok(Argument::States { count: number(count)? });
        }
        if let Ok(annotations) = named(sexpr, "owicki-gries") {
            let annotation = |sexpr: &Sexpr| match sexpr.as_list() {
                Some([thread, location, formula]) => Ok(Annotation {
                    thread: ThreadId(number(thread)?),
                    location: Location(number(location)?),
                    formula: self.term(formula),
                }),
                _ => Err(TextError::new(sexpr.span(), "expected a thread, a location and a formula")),
            };
            let annotations = annotations.iter().map(annotation).collect::<Result<_, _>>()?;
            return Ok(Argument::OwickiGries { annotations });
        }
        if let Ok([counters, numbers, facts @ ..]) = named(sexpr, "threads") {
            let facts = facts.iter().map(|facts| self.facts(facts)).collect::<Result<_, _>>()?;
            return Ok(Argument::Threads { counters: truth(counters)?, numbers: truth(numbers)?, facts });
        }
        let [assertions, graphs @ ..] = named(sexpr, "reduction")? else {
            return Err(TextError::new(sexpr.span(), "expected assertions and graphs"));
        };
        let assertions = named(assertions, "assertions")?.iter().map(|term| self.term(term)).collect();
        let graphs = graphs.iter().map(graph).collect::<Result<_, _>>()?;
        Ok(Argument::Reduction { assertions, graphs })
    }

    fn facts(&self, sexpr: &Sexpr) -> Result<ThreadFacts, TextError> {
        let [places, formulas @ ..] = named(sexpr, "facts")? else {
            return Err(TextError::new(sexpr.span(), "expected places and facts"));
        };
        let places = named(places, "of")?.iter().map(place).collect::<Result<_, _>>()?;
        Ok(ThreadFacts { places, formulas: formulas.iter().map(|term| self.term(term)).collect() })
    }

    /// A term as it is written.
    fn term(&self, sexpr: &Sexpr) -> String {
        self.text[sexpr.span().start..sexpr.span().end].to_owned()
    }
}

fn place(sexpr: &Sexpr) -> Result<(ThreadId, Location), TextError> {
    match sexpr.as_list() {
        Some([thread, location]) => Ok((ThreadId(number(thread)?), Location(number(location)?))),
        _ => Err(TextError::new(sexpr.span(), "expected a thread and a location")),
    }
}

fn graph(sexpr: &Sexpr) -> Result<Graph, TextError> {
    let [target, states @ ..] = named(sexpr, "graph")? else {
        return Err(TextError::new(sexpr.span(), "expected a target"));
    };
    let target = match target.as_list() {
        Some([kind]) if symbol(kind)? == "completion" => Target::Completion,
        Some([kind, thread]) if symbol(kind)? == "error" => Target::ErrorOf(ThreadId(number(thread)?)),
        Some([kind, thread]) if symbol(kind)? == "bound" => Target::BoundOf(ThreadId(number(thread)?)),
        _ => return Err(TextError::new(target.span(), "expected a target")),
    };
    Ok(Graph { target, states: states.iter().map(state).collect::<Result<_, _>>()? })
}

fn state(sexpr: &Sexpr) -> Result<GraphState, TextError> {
    let [at, asleep, holds, steps] = named(sexpr, "state")? else {
        return Err(TextError::new(sexpr.span(), "expected four parts of a state"));
    };
    let step = |sexpr: &Sexpr| match sexpr.as_list() {
        Some([action, target]) => {
            let target = if target.as_symbol() == Some("never") { None } else { Some(number(target)?) };
            Ok((ActionId(number(action)?), target))
        }
        _ => Err(TextError::new(sexpr.span(), "expected an action and a state")),
    };
    Ok(GraphState {
        locations: numbers(at, "at")?.into_iter().map(Location).collect(),
        asleep: numbers(asleep, "asleep")?.into_iter().map(ActionId).collect(),
        holds: numbers(holds, "holds")?,
        steps: named(steps, "steps")?.iter().map(step).collect::<Result<_, _>>()?,
    })
}

/// What follows a name in a list.
fn named<'s>(sexpr: &'s Sexpr, name: &str) -> Result<&'s [Sexpr], TextError> {
    match sexpr.as_list() {
        Some([head, rest @ ..]) if head.as_symbol() == Some(name) => Ok(rest),
        _ => Err(TextError::new(sexpr.span(), format!("expected `({name} …)`"))),
    }
}

fn only<'s>(sexpr: &'s Sexpr, name: &str) -> Result<&'s Sexpr, TextError> {
    match named(sexpr, name)? {
        [one] => Ok(one),
        _ => Err(TextError::new(sexpr.span(), "expected one value")),
    }
}

fn numbers(sexpr: &Sexpr, name: &str) -> Result<Vec<u32>, TextError> {
    named(sexpr, name)?.iter().map(number).collect()
}

fn number<N: std::str::FromStr>(sexpr: &Sexpr) -> Result<N, TextError> {
    let digits = sexpr.as_atom(AtomKind::Numeral).and_then(|digits| digits.parse().ok());
    digits.ok_or_else(|| TextError::new(sexpr.span(), "expected a number"))
}

fn symbol(sexpr: &Sexpr) -> Result<&str, TextError> {
    sexpr.as_symbol().ok_or_else(|| TextError::new(sexpr.span(), "expected a name"))
}

fn string(sexpr: &Sexpr) -> Result<String, TextError> {
    let text = sexpr.as_atom(AtomKind::String).map(str::to_owned);
    text.ok_or_else(|| TextError::new(sexpr.span(), "expected a text in quotation marks"))
}

fn truth(sexpr: &Sexpr) -> Result<bool, TextError> {
    match sexpr.as_symbol() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        _ => Err(TextError::new(sexpr.span(), "expected true or false")),
    }
}
