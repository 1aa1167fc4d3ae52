//! What a `safe` rests on, as plain data: it crosses threads, and who checks it again needs nothing else of an engine.
//!
//! Terms are SMT-LIB text over the program's variables. Threads and locations have their numbers in the program as it was lowered, which is the same every
//! time. Sizes that people see are computed from here.

mod sequential;

pub use sequential::{Claim, SequentialAction, SequentialProof};

use braid_logic::{BitSet, Term, TermPool};
use braid_program::LowerOptions;
use braid_program::cfa::{Location, ProductState, ThreadId};
use braid_program::source::Span;
use braid_reduction::tree::Choice;
use braid_reduction::{CommutativityMode, ConeMode, OrderSpec, Reduction, Target};
use std::fmt;

/// Why a program is safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// How the program was lowered, with its bounds; none if the engine was not told.
    pub lowering: Option<LowerOptions>,
    /// Is it a proof of the program with a monitor, whose error location is a deadlock?
    pub monitored: bool,
    /// Why.
    pub argument: Argument,
}

/// The ways to prove a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// All reachable states were visited, and none violates the claim.
    Exhaustive {
        /// How many there are.
        states: u64,
    },
    /// No abstract state violates the claim, and they stand for all states.
    Abstraction(Abstraction),
    /// Assertions prove every interleaving of a reduction, and each other one is equivalent to one of those.
    Reduction(ProvenReduction),
    /// Assertions prove every interleaving of some sleep set reduction, and each other one is equivalent to one of those.
    SomeReduction {
        /// The assertions, `false` first.
        assertions: Vec<String>,
        /// Out of which reductions.
        choice: Choice,
        /// Which actions may be swapped.
        commutativity: CommutativityMode,
    },
    /// Sequential checks, one thread at a time, show that no violation is reached, whatever the other threads do that they can.
    Modular(Environments),
    /// Facts about one thread and about any two are kept by every step of any thread, and exclude errors.
    ThreadModular(ThreadModular),
    /// Nowhere can more than one thread move, and no path of this one schedule violates the claim.
    OneSchedule {
        /// How many paths there are.
        paths: u64,
    },
    /// Threads take locks and wait for each other's ends in an order that has no cycles, so nobody waits for ever.
    LockOrder {
        /// The locks.
        locks: Vec<String>,
        /// Where threads can wait.
        places: Vec<Waiting>,
    },
}

/// Facts about one thread and about any two. The lowering has templates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadModular {
    /// The threads that stand for any number of like ones.
    pub many: Vec<String>,
    /// All threads that stand for themselves or others, with their names.
    pub names: Vec<(ThreadId, String)>,
    /// Are there ghost variables that count the threads at each place? `#t@3` is the number of threads like `t` at location 3.
    pub counters: bool,
    /// Does the ghost variable `#given` hold which numbers were given to threads?
    pub numbers: bool,
    /// The facts.
    pub invariants: Vec<Invariant>,
}

/// What holds of any thread at a place, or of any two threads at two places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// One place or two: the thread that stands for all like it, and where it is.
    pub places: Vec<(ThreadId, Location)>,
    /// Where in the source that is.
    pub spans: Vec<Span>,
    /// What holds. Variables of the second thread end in `@1`.
    pub formulas: Vec<String>,
    /// The same in infix form, for people.
    pub infix: Vec<String>,
}

/// A proof for the interleavings that an order prefers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProvenReduction {
    /// The assertions, `false` first.
    pub assertions: Vec<String>,
    /// Which interleavings are preferred.
    pub order: OrderSpec,
    /// What of the reduction is used.
    pub reduction: Reduction,
    /// Which actions may be swapped.
    pub commutativity: CommutativityMode,
    /// Which variables matter for that.
    pub visible: Visible,
    /// Does a state stand for those where like threads are exchanged?
    pub symmetry: bool,
}

/// Which variables matter when actions are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visible {
    /// All.
    All,
    /// Those that the proof speaks of: a cone of influence (paper 5) for proofs. The program in which all others have any value
    /// whenever they are read can do all that the program can, and has the same valid triples over the proof's assertions, so a
    /// proof of its reduction is a proof of the program. Its actions conflict less. They do not commute where only the program's
    /// own do: the two must not be mixed.
    Proof,
}

/// What an abstract state knows of the variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DomainKind {
    /// The values of some of them.
    Explicit,
    /// Which predicates hold and which do not.
    Predicates,
}

impl fmt::Display for DomainKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DomainKind::Explicit => "explicit",
            DomainKind::Predicates => "predicates",
        })
    }
}

/// Abstract states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    /// What they know.
    pub domain: DomainKind,
    /// The predicates, or the variables.
    pub precision: Vec<String>,
    /// When assignments were left out.
    pub cone: ConeMode,
    /// Were only some interleavings visited, and like threads exchanged?
    pub reduction: bool,
    /// For each target the states that no other one covers; none of values, which are computed as quickly as they are read.
    pub invariants: Vec<(Target, Vec<AbstractState>)>,
    /// How many states there were in the last visit, with those that others cover.
    pub states: u64,
}

/// An abstract state: where the threads are, and what holds there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractState {
    /// Where the threads are.
    pub locations: ProductState,
    /// What of the precision holds, by number.
    pub known: BitSet,
}

/// What threads assume of each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Environments {
    /// How many sequential checks it took.
    pub checks: u64,
    /// What environments cannot do.
    pub facts: Vec<Fact>,
    /// What holds in every reachable state, because all actions keep it.
    pub invariants: Vec<String>,
    /// The orders of the threads, the main one first.
    pub hierarchies: Vec<String>,
    /// For each claim and thread the last sequential program that was proven, and its proof.
    pub programs: Vec<SequentialProof>,
}

/// No computation of the threads below a thread of a hierarchy leads from one condition to the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The thread.
    pub thread: String,
    /// Where they start. Where this is true, they never get to the other.
    pub alpha: String,
    /// Where they do not get.
    pub beta: String,
}

/// A place where a thread can wait, with locks by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// The thread.
    pub thread: ThreadId,
    /// Where.
    pub location: Location,
    /// The locks that it may hold.
    pub holds: Vec<u32>,
    /// The locks that it waits for.
    pub wants: Vec<u32>,
    /// The threads whose ends it waits for.
    pub joins: Vec<ThreadId>,
}

/// Terms as text.
pub(crate) fn texts(pool: &TermPool, terms: impl IntoIterator<Item = Term>) -> Vec<String> {
    terms.into_iter().map(|term| pool.display(term).to_string()).collect()
}

/// So many assertions prove something.
fn prove(assertions: usize) -> String {
    if assertions == 1 { "1 assertion proves".to_owned() } else { format!("{assertions} assertions prove") }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.argument {
            Argument::Exhaustive { states: 1 } => f.write_str("the only reachable state does not violate the claim"),
            Argument::Exhaustive { states } => write!(f, "none of the {states} reachable states violates the claim"),
            Argument::Abstraction(Abstraction { domain, precision, states, .. }) => {
                let precision = precision.len();
                write!(f, "none of the {states} abstract states ({domain}, precision {precision}) violates the claim")
            }
            Argument::Reduction(ProvenReduction { assertions, order, .. }) => {
                write!(f, "{} the interleavings that the order {order} prefers", prove(assertions.len()))?;
                let one_round = self.lowering.is_some_and(|lowering| lowering.one_round);
                f.write_str(if one_round { ", with assertions of loops in any one round" } else { "" })
            }
            Argument::ThreadModular(ThreadModular { many, invariants, .. }) => {
                let facts: usize = invariants.iter().map(|invariant| invariant.formulas.len()).sum();
                let reach = if many.is_empty() { "" } else { ", for any number of threads" };
                write!(f, "{facts} facts about one thread and about two exclude all errors{reach}")
            }
            Argument::SomeReduction { assertions, .. } => {
                write!(f, "{} an interleaving of each class of equivalent ones", prove(assertions.len()))
            }
            Argument::Modular(Environments { checks, facts, hierarchies, .. }) => {
                let (facts, hierarchies) = (facts.len(), hierarchies.join("; "));
                write!(f, "{checks} sequential checks and {facts} facts about environments prove {hierarchies}")
            }
            Argument::OneSchedule { paths: 1 } => {
                f.write_str("threads can run in one order only, and the only path does not violate the claim")
            }
            Argument::OneSchedule { paths } => {
                write!(f, "threads can run in one order only, and none of the {paths} paths violates the claim")
            }
            // Lowering left none where somebody could wait.
            Argument::LockOrder { locks, places } if locks.is_empty() => {
                let places = places.len();
                write!(f, "no cycle of waiting threads can come about at {places} places, and nobody waits for a lock")
            }
            Argument::LockOrder { locks, places } => {
                let (locks, places) = (locks.len(), places.len());
                write!(f, "no cycle of waiting threads can come about at {places} places with {locks} locks")
            }
        }
    }
}
