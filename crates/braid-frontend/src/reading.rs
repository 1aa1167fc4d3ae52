//! How a program is to be read, where its language leaves a choice.

use crate::Assumption;
use crate::c::legend::Legend;
use crate::c::translate::Ints;
use crate::c::tree::DataModel;
use braid_program::ast::{Check, Checks};
use braid_program::source::Span;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// What the reader of a program asks for. The default is what suits the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// How wide the integer types of C are.
    pub data_model: Option<DataModel>,
    /// What the C preprocessor is told.
    pub preprocessor: Preprocessor,
    /// What it is told for the first file alone.
    pub own: Preprocessor,
    /// The other files of a C program.
    pub others: Vec<SourceFile>,
    /// Who calls the functions of a library without `main`.
    pub harness: Harness,
    /// What a C program is started with, its name first; none: anything.
    pub arguments: Option<Vec<String>>,
    /// Files with C functions that the program may call, beside those of Braid's own library.
    pub preludes: Vec<PathBuf>,
    /// What functions without a body do.
    pub externs: Externs,
    /// How the integers of C are represented.
    pub ints: Option<Ints>,
    /// What is checked of a C program: what the others forbid is left alone, or ends an execution.
    pub checks: Checks,
    /// Checks that are known to fail at a place: there, executions end instead.
    pub excused: Vec<(Check, Span)>,
    /// Are accesses to `volatile` objects atomic?
    pub volatile_is_atomic: bool,
    /// May allocation fail?
    pub malloc_may_fail: bool,
    /// Does undefined behaviour end an execution? If not, more executions are looked at than there are, which a proof may do.
    pub defined: bool,
    /// Do loops that start threads stay loops? If not, those with few rounds are unrolled, so that each thread has a place of its own.
    pub rolled: bool,
}

/// One of several files of a C program, with what the preprocessor is told for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// What is told for it alone, beside what is told for all.
    pub preprocessor: Preprocessor,
}

/// What calls the functions of a library that has no `main`: pieces of C.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Harness {
    /// A function that is called with any arguments.
    pub entry: Option<String>,
    /// What is declared outside of functions, or told to the preprocessor.
    pub declared: Vec<String>,
    /// What is done first.
    pub setup: Vec<String>,
    /// What threads do side by side: calls in which an argument `*` is anything; with `*` behind it, any number of threads do it.
    pub threads: Vec<String>,
    /// What is done when all threads have ended.
    pub finally: Vec<String>,
}

impl Harness {
    /// Is nothing asked for?
    pub fn is_empty(&self) -> bool {
        *self == Harness::default()
    }

    /// Is some argument anything?
    pub fn has_any(&self) -> bool {
        let has_star = |code: &String| crate::c::has_any_argument(code);
        self.entry.is_some() || self.setup.iter().chain(&self.threads).chain(&self.finally).any(has_star)
    }
}

/// What the user tells the C preprocessor, in the order of the command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Preprocessor {
    /// Directories with headers, `-I`.
    pub include: Vec<PathBuf>,
    /// Macros, as `NAME` or `NAME=VALUE`, `-D`.
    pub define: Vec<String>,
    /// Other options of the compiler, word by word.
    pub options: Vec<String>,
    /// Does the program use what the Linux kernel has?
    pub linux: bool,
}

impl Preprocessor {
    /// This, and what is told besides.
    pub fn and(&self, other: &Preprocessor) -> Preprocessor {
        Preprocessor {
            include: self.include.iter().chain(&other.include).cloned().collect(),
            define: self.define.iter().chain(&other.define).cloned().collect(),
            options: self.options.iter().chain(&other.options).cloned().collect(),
            linux: self.linux || other.linux,
        }
    }

    /// Is nothing asked for?
    pub fn is_empty(&self) -> bool {
        self.include.is_empty() && self.define.is_empty() && self.options.is_empty() && !self.linux
    }
}

/// What a function without a body may do, beside returning anything of its type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Nothing.
    Pure,
    /// Write whatever its pointer arguments reach, but not through pointers to `const`.
    WritesArguments,
    /// Write all variables that functions of other files may know, too.
    Anything,
}

impl Effect {
    const NAMES: [(&'static str, Effect); 3] =
        [("pure", Effect::Pure), ("writes-arguments", Effect::WritesArguments), ("anything", Effect::Anything)];
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) = Effect::NAMES.iter().find(|(_, effect)| effect == self).expect("every effect has a name");
        f.write_str(name)
    }
}

/// What the user says of functions without a body. The last word on a name counts, and `*` stands for all that are not named.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Externs(pub Vec<Extern>);

/// One function without a body and what it may do, `NAME=EFFECT`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extern {
    /// Its name, or `*`.
    pub name: String,
    /// What it may do.
    pub effect: Effect,
}

impl Externs {
    /// What the rules of the Software Verification Competition say: functions without a body do nothing.
    pub fn of_competition() -> Externs {
        Externs(vec![Extern { name: "*".into(), effect: Effect::Pure }])
    }

    /// What was said of a function by its name.
    pub fn named(&self, name: &str) -> Option<Effect> {
        self.0.iter().rev().find(|known| known.name == name).map(|known| known.effect)
    }

    /// What functions do of which nothing was said.
    pub fn others(&self) -> Effect {
        self.named("*").unwrap_or(Effect::WritesArguments)
    }
}

impl fmt::Display for Extern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.effect)
    }
}

impl FromStr for Extern {
    type Err = String;

    fn from_str(text: &str) -> Result<Extern, String> {
        let (name, effect) = text.split_once('=').ok_or("write NAME=EFFECT")?;
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        if name != "*" && (name.is_empty() || !name.chars().all(is_name)) {
            return Err(format!("`{name}` is not the name of a function"));
        }
        let known = Effect::NAMES.iter().find(|(known, _)| *known == effect);
        let (_, effect) = known.ok_or_else(|| {
            let names: Vec<&str> = Effect::NAMES.iter().map(|(name, _)| *name).collect();
            format!("`{effect}` is none of {}", names.join(", "))
        })?;
        Ok(Extern { name: name.into(), effect: *effect })
    }
}

/// What was used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Representation {
    /// How wide the integer types are.
    pub data_model: DataModel,
    /// How integers are represented.
    pub ints: Ints,
    /// What the verdict relies on, in order.
    pub assumptions: Vec<Assumption>,
    /// Where effects have no order, and that is checked.
    pub unsequenced: Vec<Span>,
    /// The most rounds of a loop that starts or joins threads and is unrolled, 0 if there is none; none if all were to stay loops.
    pub unrolled: Option<usize>,
    /// What variables and addresses of the translation are in C.
    pub legend: Legend,
}
