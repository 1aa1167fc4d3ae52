//! The answer: a verdict, and what it rests on.
//!
//! *Invariant*: all of it is in the JSON document, whose schema is the promise; what is here is a view of it.

use braid_cli::library::{Annotations, Answered, Part, Status, Story};
use serde_json::Value;
use std::fmt;

/// What is known of a program, or of one of its properties.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// There is a proof.
    Safe,
    /// There is an execution that violates it, and it was replayed.
    Unsafe,
    /// Neither was found.
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        })
    }
}

/// What was found out about a program.
#[derive(Debug)]
pub struct Answer {
    found: Answered,
}

/// Figures of a verification.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// The engine that answered; of several properties, the last one.
    pub engine: String,
    /// Its order, if it has one.
    pub order: Option<String>,
    /// The assertions that the proof consists of; 0 for engines without.
    pub assertions: u64,
    /// Rounds of refinement.
    pub rounds: u64,
    /// States that were visited.
    pub states: u64,
    /// Threads of the program, as far as they were looked at.
    pub threads: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl Answer {
    pub(crate) fn new(found: Answered) -> Answer {
        Answer { found }
    }

    /// The verdict on all that was asked.
    pub fn verdict(&self) -> Verdict {
        match self.found.status {
            Status::Safe => Verdict::Safe,
            Status::Unsafe => Verdict::Unsafe,
            _ => Verdict::Unknown,
        }
    }

    /// Why nothing is known; or, of several properties, the names of those that are violated.
    pub fn reason(&self) -> Option<&str> {
        self.found.json["reason"].as_str()
    }

    /// What is known of each property; a program in another language than C has one, its own claim.
    ///
    /// ```
    /// use braid::{Verdict, Verifier};
    ///
    /// # fn main() -> Result<(), braid::Error> {
    /// let program = std::env::temp_dir().join(format!("braid-doc-parts-{}.c", std::process::id()));
    /// let text = "int main(void) { int a[2]; a[1] = 3; return a[2]; }";
    /// std::fs::write(&program, text).expect("the folder can be written");
    /// let answer = Verifier::new().property("valid-deref,no-overflow").verify(&program)?;
    /// let known: Vec<(&str, Verdict)> =
    ///     answer.properties().map(|property| (property.name(), property.verdict())).collect();
    /// assert_eq!(known, [("valid-deref", Verdict::Unsafe), ("no-overflow", Verdict::Safe)]);
    /// # std::fs::remove_file(&program).expect("it is there");
    /// # Ok(())
    /// # }
    /// ```
    pub fn properties(&self) -> impl Iterator<Item = Property<'_>> {
        self.found.parts.iter().map(|part| Property { part })
    }

    /// The executions that violate something: the first one, and with the option `--all` those of all places.
    pub fn executions(&self) -> impl Iterator<Item = &Story> {
        self.found.parts.iter().flat_map(|part| &part.stories)
    }

    /// What the verdict relies on, one sentence each: see `docs/assumptions.md`.
    pub fn assumptions(&self) -> Vec<&str> {
        self.sentences("assumptions")
    }

    /// What else there is to know about the verdict: for example, that no execution gets to an assertion.
    pub fn notes(&self) -> Vec<&str> {
        self.sentences("notes")
    }

    /// The properties of C that nobody asked for.
    pub fn unchecked(&self) -> Vec<&str> {
        self.sentences("unchecked")
    }

    fn sentences(&self, key: &str) -> Vec<&str> {
        self.found.json[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Figures: who answered, and what it took.
    ///
    /// ```
    /// let answer = braid::Verifier::new().engine(braid::Engine::Gem).verify("../../examples/peterson.wvr")?;
    /// let summary = answer.summary();
    /// assert_eq!(summary.engine, "gem");
    /// assert!(summary.assertions > 0 && summary.rounds > 0, "{summary:?}");
    /// # Ok::<(), braid::Error>(())
    /// ```
    pub fn summary(&self) -> Summary {
        let json = &self.found.json;
        let number = |value: &Value| value.as_u64().unwrap_or_default();
        Summary {
            engine: json["engine"].as_str().unwrap_or_default().to_owned(),
            order: json["order"].as_str().map(str::to_owned),
            assertions: number(&json["proof_size"]),
            rounds: number(&json["rounds"]),
            states: number(&json["states"]),
            threads: number(&json["threads"]),
            queries: number(&json["smt"]["queries"]),
            seconds: json["time"]["total"].as_f64().unwrap_or_default(),
        }
    }

    /// What the command prints for people, without colours and without the line of the verdict.
    pub fn text(&self) -> &str {
        &self.found.text
    }

    /// The whole result, as `docs/json.md` describes it.
    ///
    /// ```
    /// let answer = braid::Verifier::new().verify("../../examples/lost-update.wvr")?;
    /// assert_eq!(answer.json()["verdict"], "unsafe");
    /// assert_eq!(answer.json()["schema"], 1);
    /// # Ok::<(), braid::Error>(())
    /// ```
    pub fn json(&self) -> &Value {
        &self.found.json
    }
}

/// What is known of one property.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    part: &'a Part,
}

impl<'a> Property<'a> {
    /// Its name: see `docs/properties.md`.
    pub fn name(self) -> &'a str {
        &self.part.property
    }

    /// Does it hold?
    pub fn verdict(self) -> Verdict {
        match self.part.verdict.as_str() {
            "safe" => Verdict::Safe,
            "unsafe" => Verdict::Unsafe,
            _ => Verdict::Unknown,
        }
    }

    /// Why that is not known.
    pub fn reason(self) -> Option<&'a str> {
        self.part.reason.as_deref()
    }

    /// The executions that violate it.
    pub fn executions(self) -> &'a [Story] {
        &self.part.stories
    }

    /// What its proof says of places in the program, if [`Verifier::explained`](crate::Verifier::explained) asked for it and it could be
    /// said.
    ///
    /// ```
    /// let answer = braid::Verifier::new().explained().verify("../../examples/ticket-lock.wvr")?;
    /// let claim = answer.properties().next().expect("there is one claim");
    /// let annotations = claim.annotations().expect("this proof can be shown");
    /// assert!(annotations.places.iter().any(|known| !known.holds.is_empty()));
    /// # Ok::<(), braid::Error>(())
    /// ```
    pub fn annotations(self) -> Option<&'a Annotations> {
        self.part.annotations.as_ref()
    }
}
