//! The question: which program, what must hold, and within which limits.

use crate::answer::Answer;
use braid_cli::library::{EngineName, Failure, Question, Status};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Verifies programs, all in the same way.
///
/// What is not said has the default of `braid verify`. A verifier can be used again, and by several threads.
#[derive(Clone, Debug, Default)]
pub struct Verifier {
    property: Option<String>,
    engine: Option<EngineName>,
    timeout: Option<Duration>,
    memory: Option<u64>,
    explained: bool,
    options: Vec<String>,
    cancelled: Arc<AtomicBool>,
}

impl Verifier {
    /// A verifier that asks for all that can go wrong in C, or for a program's own claim, without a time limit.
    pub fn new() -> Verifier {
        Verifier::default()
    }

    /// What must never happen, by names with commas between them, or an SV-COMP property file: see `docs/properties.md`.
    ///
    /// ```
    /// use braid::{Verdict, Verifier};
    ///
    /// # fn main() -> Result<(), braid::Error> {
    /// let program = std::env::temp_dir().join(format!("braid-doc-{}.c", std::process::id()));
    /// let text = "int main(void) { int big = 2147483647; big = big + 1; return 0; }";
    /// std::fs::write(&program, text).expect("the folder can be written");
    /// let overflow = Verifier::new().property("no-overflow").verify(&program)?;
    /// assert_eq!(overflow.verdict(), Verdict::Unsafe);
    /// let assertions = Verifier::new().property("unreach-call").verify(&program)?;
    /// assert_eq!(assertions.verdict(), Verdict::Safe);
    /// # std::fs::remove_file(&program).expect("it is there");
    /// # Ok(())
    /// # }
    /// ```
    pub fn property(mut self, names: impl Into<String>) -> Verifier {
        self.property = Some(names.into());
        self
    }

    /// The algorithm; without it several, side by side. Engine `run`, which executes the program, is for the command only.
    ///
    /// ```
    /// use braid::{Engine, Verdict, Verifier};
    ///
    /// # fn main() -> Result<(), braid::Error> {
    /// let answer = Verifier::new().engine(Engine::Gem).verify("../../examples/handoff.wvr")?;
    /// assert_eq!(answer.verdict(), Verdict::Safe);
    /// assert_eq!(answer.summary().engine, "gem");
    /// # Ok(())
    /// # }
    /// ```
    pub fn engine(mut self, engine: EngineName) -> Verifier {
        self.engine = Some(engine);
        self
    }

    /// When to give up; without it never. The answer is `unknown` then, unless some properties are decided.
    pub fn timeout(mut self, limit: Duration) -> Verifier {
        self.timeout = Some(limit);
        self
    }

    /// At how many bytes of memory to give up; without it 4 GiB. All of this process counts.
    pub fn memory(mut self, bytes: u64) -> Verifier {
        self.memory = Some(bytes);
        self
    }

    /// Says also what a proof means for places in the program: see [`Property::annotations`](crate::Property::annotations).
    pub fn explained(mut self) -> Verifier {
        self.explained = true;
        self
    }

    /// More options of `braid verify`, word by word as on the command line. Options that write files are not for a library.
    ///
    /// ```
    /// use braid::{Error, Verifier};
    ///
    /// # fn main() -> Result<(), Error> {
    /// let handoff = "../../examples/handoff.wvr";
    /// let answer = Verifier::new().options(["--engine", "gem", "--order", "lockstep"]).verify(handoff)?;
    /// assert_eq!(answer.summary().order.as_deref(), Some("lockstep"));
    /// let wrong = Verifier::new().options(["--oder", "lockstep"]).verify(handoff);
    /// assert!(matches!(wrong, Err(Error::Usage(_))));
    /// # Ok(())
    /// # }
    /// ```
    pub fn options<W: Into<String>>(mut self, words: impl IntoIterator<Item = W>) -> Verifier {
        self.options.extend(words.into_iter().map(Into::into));
        self
    }

    /// When this flag is set, verifications end soon, with `unknown` unless there is another answer by then. Where it is set before,
    /// none begins.
    ///
    /// ```
    /// use braid::{Verdict, Verifier};
    /// use std::sync::Arc;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// # fn main() -> Result<(), braid::Error> {
    /// let flag = Arc::new(AtomicBool::new(true));
    /// let answer = Verifier::new().cancelled_by(flag).verify("../../examples/bounded-buffer.wvr")?;
    /// assert_eq!(answer.verdict(), Verdict::Unknown);
    /// assert_eq!(answer.reason(), Some("interrupted"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn cancelled_by(mut self, flag: Arc<AtomicBool>) -> Verifier {
        self.cancelled = flag;
        self
    }

    /// Verifies the program in a file; the name says which language it is in.
    ///
    /// ```
    /// use braid::{Error, Verifier};
    ///
    /// let wrong = Verifier::new().verify("missing.c");
    /// assert_eq!(wrong.err(), Some(Error::Rejected("missing.c: there is no such file".into())));
    /// ```
    pub fn verify(&self, file: impl AsRef<Path>) -> Result<Answer, Error> {
        let mut question = Question::new(file.as_ref().to_owned(), self.options.clone())?;
        if let Some(names) = &self.property {
            question.property(names.clone());
        }
        if let Some(engine) = self.engine {
            question.engine(engine);
        }
        if let Some(limit) = self.timeout {
            question.timeout(limit);
        }
        if let Some(bytes) = self.memory {
            question.memory(bytes);
        }
        if self.explained {
            question.explained();
        }
        Ok(Answer::new(question.answer(self.cancelled.clone())?))
    }
}

/// Why there is no answer. Each holds what the command would say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The question is wrong: an option or a property that does not exist.
    Usage(String),
    /// The program cannot be read, is wrong, or needs something that Braid does not have. The text says where.
    Rejected(String),
    /// Something is wrong with Braid.
    Internal(String),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        let message = failure.message.trim_end().to_owned();
        match failure.status {
            Status::Usage => Error::Usage(message),
            Status::Rejected => Error::Rejected(message),
            _ => Error::Internal(message),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(message) | Error::Rejected(message) | Error::Internal(message) => out.write_str(message),
        }
    }
}

impl std::error::Error for Error {}
