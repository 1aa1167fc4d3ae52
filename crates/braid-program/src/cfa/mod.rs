//! Programs as automata: one per thread instance, over atomic actions. The product is never built.
//!
//! Enabledness is a matter of locations only: an `assume` that is false makes a trace infeasible, it does not disable an
//! action. A fork moves its children from *not started* to their entry; a join exists only where its children are at
//! their exit, and moves them back to *not started*, so that a `par` inside a loop can start them again.

mod action;
mod dot;
mod listing;
mod product;
mod restart;

pub use action::{Action, Relation, Step, StepKind};
pub use dot::Dot;
pub use listing::Listing;
pub use product::{Accepted, ProductState};

use crate::ast::{Check, VarId};
use crate::dense_id;
use crate::source::{Sources, Span};
use braid_logic::{Fun, Term, TermPool, Var};
use std::collections::BTreeSet;

dense_id!(
    /// A thread instance: an index into [`Program::threads`]. Thread 0 runs first.
    ThreadId
);
dense_id!(
    /// An action: an index into [`Program::actions`].
    ActionId
);
dense_id!(
    /// A control location of one thread: an index into [`Thread::locations`].
    Location
);

dense_id!(
    /// A template: its threads stand for any number of like ones ([`LowerOptions::templates`](crate::LowerOptions)).
    TemplateId
);

impl ThreadId {
    /// The thread that runs first.
    pub const MAIN: ThreadId = ThreadId(0);
}

impl Location {
    /// Where every thread but the first waits for its fork.
    pub const NOT_STARTED: Location = Location(0);
}

/// A program as automata. Its terms live in the pool it points to.
pub struct Program<'p> {
    /// Where the terms live.
    pub pool: &'p TermPool,
    /// The texts that the spans point into.
    pub sources: Sources,
    /// All variables, with those that lowering made (identities of threads, counters of forks).
    pub variables: Vec<Variable>,
    /// All uninterpreted functions.
    pub functions: Vec<Fun>,
    /// All thread instances; a parent stands before its children.
    pub threads: Vec<Thread>,
    /// All actions, thread by thread: `Symmetry` relies on those of a thread being in a row.
    pub actions: Vec<Action>,
    /// Is reaching the end of the first thread a violation?
    pub completion_is_violation: bool,
    /// Is a deadlock a violation ([`crate::deadlock`])?
    pub deadlock_is_violation: bool,
    /// Is a livelock a violation ([`crate::livelock`])?
    pub livelock_is_violation: bool,
    /// How large the automata were before steps were fused; [`Program::size`] says how large they are now.
    pub size_before: Size,
    /// Formulas that the user expects to help a proof. They are not trusted.
    pub seeds: Vec<Term>,
    /// Why some places are not modelled, by number.
    pub unmodelled: Vec<String>,
}

/// The size of all automata together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Control locations, without those of threads that are not started.
    pub locations: usize,
    /// Actions.
    pub actions: usize,
}

/// A variable of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The variable in the logic; its name there is unique.
    pub var: Var,
    /// Where it is declared.
    pub span: Span,
    /// The thread whose local variable it is; none if it is a global one.
    pub owner: Option<ThreadId>,
    /// The variable of the structured program that it is, or a copy of; none if it was added later.
    pub source: Option<VarId>,
}

/// How a thread comes to life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It runs from the start.
    Initial,
    /// A branch of a `par`: its parent waits for it. Branches of one `par` have the same group.
    Branch {
        /// Who started it.
        parent: ThreadId,
        /// Which `par` of the parent.
        group: u32,
    },
    /// Forked: it lives on by itself.
    Forked {
        /// Who started it.
        parent: ThreadId,
    },
}

/// One thread instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// A name for people, unique in the program.
    pub name: String,
    /// How it comes to life.
    pub origin: Origin,
    /// The template that it belongs to, if it stands for any number of threads.
    pub template: Option<TemplateId>,
    /// The number that it is known by, if that is always the same and no other thread has it.
    pub identity: Option<i64>,
    /// The variable that holds its number, in a template whose threads get their numbers when they start: no two have the same.
    pub number: Option<Var>,
    /// All locations; the first is [`Location::NOT_STARTED`].
    pub locations: Vec<LocationInfo>,
    /// Where it starts.
    pub entry: Location,
    /// Where it ends; no action leaves from there.
    pub exit: Location,
    /// The actions that leave each location, in program order.
    pub outgoing: Vec<Vec<ActionId>>,
}

/// What is known of a location.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LocationInfo {
    /// Where in the source control stands.
    pub span: Span,
    /// Set at error locations.
    pub violation: Option<Violation>,
    /// Does a loop start here?
    pub loop_head: bool,
}

/// What an error location stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Violation {
    /// An `assert` of this kind failed.
    Failed(Check),
    /// One more instance of a thread is needed than the bound allows. Not an error of the program.
    InstanceBound,
    /// A call nests deeper than the bound allows. Not an error of the program.
    RecursionBound,
    /// What happens here is not modelled; the reason by number. Not an error of the program.
    Unmodelled(u32),
}

impl Violation {
    /// Is this an error of the program, and not only a bound of the analysis?
    pub fn is_error(self) -> bool {
        matches!(self, Violation::Failed(_))
    }
}

impl Thread {
    /// Who started the thread.
    pub fn parent(&self) -> Option<ThreadId> {
        match self.origin {
            Origin::Initial => None,
            Origin::Branch { parent, .. } | Origin::Forked { parent } => Some(parent),
        }
    }

    /// The actions that leave a location.
    #[inline]
    pub fn outgoing(&self, location: Location) -> &[ActionId] {
        &self.outgoing[location.index()]
    }
}

impl<'p> Program<'p> {
    /// The thread of an id.
    #[inline]
    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.index()]
    }

    /// The places that are not modelled, with the reasons, in order.
    pub fn places_not_modelled(&self) -> BTreeSet<(Span, &str)> {
        let locations = self.threads.iter().flat_map(|thread| &thread.locations);
        let place = |location: &LocationInfo| match location.violation? {
            Violation::Unmodelled(number) => Some((location.span, self.unmodelled[number as usize].as_str())),
            _ => None,
        };
        locations.filter_map(place).collect()
    }

    /// Why a place is not modelled, as a clause.
    pub fn not_modelled(&self, number: u32, span: Span) -> String {
        format!("{} in line {}", self.unmodelled[number as usize], self.sources.position(span).line)
    }

    /// The action of an id.
    #[inline]
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.index()]
    }

    /// How large the automata are.
    pub fn size(&self) -> Size {
        let locations = self.threads.iter().map(|thread| thread.locations.len() - 1).sum();
        Size { locations, actions: self.actions.len() }
    }

    /// All thread ids.
    pub fn thread_ids(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.threads.len() as u32).map(ThreadId)
    }

    /// Is there an error location of the program anywhere (bounds of the analysis do not count)?
    pub fn has_assertions(&self) -> bool {
        let violations = self.threads.iter().flat_map(|thread| &thread.locations).filter_map(|l| l.violation);
        violations.into_iter().any(Violation::is_error)
    }
}
