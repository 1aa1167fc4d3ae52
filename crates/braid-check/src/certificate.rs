//! What is in a certificate.

use braid_program::LowerOptions;
use braid_program::cfa::{ActionId, Listing, Location, Program, ThreadId};
use braid_reduction::Target;
use sha2::{Digest, Sha256};

/// A proof of one question about a program, with what is needed to ask the same question again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What was asked.
    pub property: String,
    /// How the front end read the program, where the language leaves that open: names and values.
    pub reading: Vec<(String, String)>,
    /// How it was lowered.
    pub lowering: LowerOptions,
    /// Which automata came out.
    pub program: Identity,
    /// Why the claim holds.
    pub argument: Argument,
}

/// A fingerprint of automata: SHA-256 of their listing. It is not trusted; it tells early that a certificate is about another program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity(pub String);

impl Identity {
    /// Of a program.
    pub fn of(program: &Program<'_>) -> Identity {
        let mut hash = Sha256::new();
        hash.update(Listing(program).to_string());
        for variable in &program.variables {
            let sort = program.pool.display_sort(program.pool.var_sort(variable.var));
            hash.update(format!("{} {sort}\n", program.pool.var_name(variable.var)));
        }
        Identity(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// Why the claim of a program holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// For each target a graph of places with what is known there. It follows at least one of each class of equivalent interleavings.
    Reduction {
        /// What can be known, as SMT-LIB over the program's variables.
        assertions: Vec<String>,
        /// One for each target.
        graphs: Vec<Graph>,
    },
    /// Facts about one thread and about any two, for any number of threads. The lowering has templates.
    Threads {
        /// Do ghost variables count the threads at each place? `#t@3` is the number of threads like `t` at location 3.
        counters: bool,
        /// Does the ghost variable `#given` hold which numbers were given to threads?
        numbers: bool,
        /// The facts.
        facts: Vec<ThreadFacts>,
    },
    /// At each location of each thread what holds there; what is not named is `true`.
    OwickiGries {
        /// The annotations.
        annotations: Vec<Annotation>,
    },
    /// The program has so many reachable states, and none of them violates the claim.
    States {
        /// How many.
        count: u64,
    },
}

/// What holds where a thread is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The thread.
    pub thread: ThreadId,
    /// Where it is.
    pub location: Location,
    /// What holds, as SMT-LIB over the program's variables and the ghost variables `#at.t`: the location of thread `t`.
    pub formula: String,
}

/// What holds of any thread at a place, or of any two threads at two places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadFacts {
    /// One place or two: a thread that stands for all like it, and where it is.
    pub places: Vec<(ThreadId, Location)>,
    /// What holds, as SMT-LIB. Variables of the second thread end in `@1`.
    pub formulas: Vec<String>,
}

/// The interleavings that are followed, with their proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// What is not reached.
    pub target: Target,
    /// The states; the first is where everything begins.
    pub states: Vec<GraphState>,
}

/// A place in the program, what is known there, and how it goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphState {
    /// Where the threads are.
    pub locations: Vec<Location>,
    /// The actions that are not followed: an equivalent interleaving that begins with one of them is followed elsewhere.
    pub asleep: Vec<ActionId>,
    /// The assertions that hold, by number.
    pub holds: Vec<u32>,
    /// The actions that are followed, in order, and the state where each leads; none if it cannot happen.
    pub steps: Vec<(ActionId, Option<u32>)>,
}
