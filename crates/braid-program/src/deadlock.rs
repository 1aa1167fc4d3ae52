//! Deadlocks: some threads wait, and nobody is left who could let them go on.
//!
//! A thread is *live* if it was started and is not at its end. A live thread *waits* in a state if none of its actions can happen, and
//! at least one of them only because of an `await` that does not hold or because a thread that it joins is live. Each of its
//! actions says who can *help*: the thread that an `await` names, the threads that are joined, or anyone.
//!
//! A *deadlock* is a nonempty set `S` of waiting threads such that for each action of each member
//!
//! * the thread that it needs is in `S`, or has ended;
//! * one of the threads that it joins is in `S`;
//! * or, if anyone can help, every other live thread is in `S`.
//!
//! Such sets are closed under union, so there is a largest one: what is left of all waiting threads when those are taken
//! away, one by one, that break a rule. No step of a thread outside of `S` changes anything for a member, so a deadlock lasts for
//! ever, even if others go on for ever.
//!
//! What follows from that:
//!
//! * A thread at an `assume` that does not hold does not wait: it is not in `S`, and it is live, so it may help those whom anyone can help.
//!   Threads that wait for each other do so whatever it does, and it may just not have come to its test.
//! * Where the program is over (`Release::Over`), nobody waits.
//!
//! *Invariant*: this looks at a state and at steps only, as the interpreter runs them. Engines and proofs have no part in it.

use crate::ast::Release;
use crate::cfa::{ActionId, Location, StepKind, ThreadId};
use crate::interpreter::{Interpreter, State, Stuck};
use crate::source::Span;
use braid_logic::{Term, Value};

/// Threads that wait for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadlock {
    /// Who waits, by thread.
    pub members: Vec<Member>,
}

/// A thread that waits for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Who.
    pub thread: ThreadId,
    /// What each of its actions waits for.
    pub waits: Vec<Wait>,
}

/// What an action waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// The action.
    pub action: ActionId,
    /// Where in the source it waits.
    pub span: Span,
    /// What must hold; none if it waits for the end of threads.
    pub test: Option<Term>,
    /// Who could help.
    pub helper: Helper,
}

/// Who can let a thread go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Helper {
    /// Any other thread.
    Anyone,
    /// This one only.
    Thread(ThreadId),
    /// All of these must end; they are live.
    Ends(Vec<ThreadId>),
}

/// What can be said of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standstill {
    /// There is no deadlock.
    None,
    /// Nothing is known: whether a thread waits depends on an input that is open, or on what its action would choose.
    Undetermined,
    /// There is one, and this is the largest.
    Deadlock(Deadlock),
}

/// What a thread does in a state.
pub(crate) enum Doing {
    /// It can go on, or is at a test that does not hold.
    Other,
    /// The program is over.
    Over,
    Undetermined,
    Waits(Vec<Wait>),
}

/// What keeps one action from happening.
enum Obstacle {
    Nothing,
    Test(Span),
    Over,
    Undetermined,
    Wait(Wait),
}

impl Interpreter<'_, '_> {
    /// The largest deadlock of a state.
    pub fn standstill(&self, state: &State) -> Standstill {
        let mut members = Vec::new();
        let mut undetermined = false;
        for thread in self.program().thread_ids().filter(|&thread| self.is_live(state, thread)) {
            match self.doing(state, thread) {
                Doing::Other => {}
                Doing::Over => return Standstill::None,
                Doing::Undetermined => undetermined = true,
                Doing::Waits(waits) => members.push(Member { thread, waits }),
            }
        }
        let live = self.program().thread_ids().filter(|&thread| self.is_live(state, thread)).count();
        loop {
            let inside: Vec<ThreadId> = members.iter().map(|member| member.thread).collect();
            let stays = |wait: &Wait| match &wait.helper {
                Helper::Anyone => inside.len() == live,
                Helper::Thread(helper) => inside.contains(helper) || !self.is_live(state, *helper),
                Helper::Ends(threads) => threads.iter().any(|thread| inside.contains(thread)),
            };
            members.retain(|member| member.waits.iter().all(stays));
            if members.len() == inside.len() {
                break;
            }
        }
        match members.is_empty() {
            false => Standstill::Deadlock(Deadlock { members }),
            true if undetermined => Standstill::Undetermined,
            true => Standstill::None,
        }
    }

    pub(crate) fn is_live(&self, state: &State, thread: ThreadId) -> bool {
        let at = state.locations.location(thread);
        at != Location::NOT_STARTED && at != self.program().thread(thread).exit
    }

    pub(crate) fn doing(&self, state: &State, thread: ThreadId) -> Doing {
        let actions = self.program().thread(thread).outgoing(state.locations.location(thread));
        if !actions.iter().any(|&id| self.program().action(id).waits()) {
            return Doing::Other;
        }
        let (mut waits, mut is_waiting, mut undetermined) = (Vec::new(), false, false);
        for &action in actions {
            match self.obstacle(state, action) {
                Obstacle::Nothing => return Doing::Other,
                Obstacle::Over => return Doing::Over,
                Obstacle::Undetermined => undetermined = true,
                // Anyone may make the test true.
                Obstacle::Test(span) => waits.push(Wait { action, span, test: None, helper: Helper::Anyone }),
                Obstacle::Wait(wait) => {
                    is_waiting = true;
                    waits.push(wait);
                }
            }
        }
        match () {
            () if undetermined => Doing::Undetermined,
            () if is_waiting => Doing::Waits(waits),
            () => Doing::Other,
        }
    }

    fn obstacle(&self, state: &State, id: ActionId) -> Obstacle {
        let program = self.program();
        let action = program.action(id);
        let joined = || action.joins.iter().copied();
        if joined().any(|child| state.locations.location(child) == Location::NOT_STARTED) {
            return Obstacle::Test(action.span);
        }
        let running: Vec<ThreadId> = joined().filter(|&child| self.is_live(state, child)).collect();
        let is_test = |kind: &StepKind| matches!(kind, StepKind::Assume(_) | StepKind::Await(..));
        match self.steps(state, action, &[]) {
            Ok(_) if running.is_empty() => Obstacle::Nothing,
            Ok(_) => Obstacle::Wait(Wait { action: id, span: action.span, test: None, helper: Helper::Ends(running) }),
            Err((step, Stuck::Blocked)) => Obstacle::Test(action.steps[step].span),
            Err((step, Stuck::Waits)) => {
                let step = &action.steps[step];
                let StepKind::Await(test, release) = step.kind else { unreachable!("only an `await` waits") };
                let helper = match release {
                    Release::Over => return Obstacle::Over,
                    Release::Anyone => Helper::Anyone,
                    Release::Thread(identity) => {
                        // Steps before the `await` may find out who it is.
                        let there = self.stuck_in(state, action);
                        self.thread_of(&there, identity).map_or(Helper::Anyone, Helper::Thread)
                    }
                };
                Obstacle::Wait(Wait { action: id, span: step.span, test: Some(test), helper })
            }
            Err((step, Stuck::Input(_) | Stuck::Choice(_))) => {
                let rest = &action.steps[step..];
                let decided = match running.is_empty() {
                    true => !rest.iter().any(crate::cfa::Step::waits),
                    false => !rest.iter().any(|step| is_test(&step.kind)),
                };
                match (decided, running.is_empty()) {
                    (false, _) => Obstacle::Undetermined,
                    (true, true) => Obstacle::Nothing,
                    (true, false) => Obstacle::Wait(Wait {
                        action: id,
                        span: action.span,
                        test: None,
                        helper: Helper::Ends(running),
                    }),
                }
            }
        }
    }

    /// The thread whose identity a term is.
    fn thread_of(&self, state: &State, identity: Term) -> Option<ThreadId> {
        let Ok(Value::Int(number)) = self.program().pool.evaluate(identity, &self.view(state)) else { return None };
        let number = number.to_i64()?;
        self.program().thread_ids().find(|&thread| self.program().thread(thread).identity == Some(number))
    }
}
