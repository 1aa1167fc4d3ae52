//! The portfolio policy: which engines work on a program, in which order.

use crate::cegar::DomainKind;
use crate::deadlock::{LockOrder, LockOrderOfMany};
use crate::explicit::Visits;
use crate::parametric::Reach;
use crate::strategy::{Selection, Settings, Shape};
use crate::{Member, Portfolio};
use braid_reduction::OrderSpec;
use std::sync::Arc;

/// With more threads `modular` is too slow to help in time.
const MODULAR_THREADS: usize = 16;

impl Settings {
    /// The engines for a program of a shape: the one that the user names, or the list of `auto`.
    pub fn portfolio(&self, shape: Shape) -> Portfolio {
        let mut weave = self.weave.iter().cloned().map(Member::new);
        let members = match self.selection {
            Selection::Weave => weave.collect(),
            Selection::Cegar => vec![self.abstraction(DomainKind::Predicates)],
            Selection::Modular => vec![self.modules(None)],
            Selection::Delay => vec![self.delays(*self.delay.delays.end())],
            Selection::Gem => vec![self.ordered(OrderSpec::Seq)],
            Selection::Parametric => vec![self.any_number(Reach::All)],
            Selection::Locks => vec![Member::new(LockOrder)],
            Selection::Explicit => vec![self.states(None)],
            Selection::Auto => self.auto(shape, &mut weave),
        };
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        // Which order suits a program shows soon or never: more members than processors pay.
        let workers = if self.selection == Selection::Weave { 2 } else { 2 * processors + 3 };
        let workers = self.jobs.unwrap_or(workers);
        // It follows the paths of one thread to their ends, at once where there are few.
        let is_delay = |member: &Member| member.engine.name() == "delay";
        let head_start = members.iter().position(is_delay).filter(|_| shape == Shape::Sequential);
        Portfolio { members, workers, at_first: processors, beside: Arc::default(), head_start }
    }

    /// `auto` starts with the orders that solve most, with and without seeds, and then looks at single states; where assertions may fail,
    /// that comes earlier. `weave` comes beside them where all is decided at the end: that is where it matters which interleavings are
    /// compared. `delay` comes early for asynchronous tasks and for one thread alone, whose paths it follows to their ends, and last for
    /// threads.
    fn auto(&self, shape: Shape, weave: &mut dyn Iterator<Item = Member>) -> Vec<Member> {
        match shape {
            Shape::Livelocks => vec![self.states(None)],
            Shape::Deadlocks => vec![
                Member::new(LockOrder),
                self.states(Some(Visits::Locks)),
                self.states(None),
                self.ordered(OrderSpec::Seq),
                self.abstraction(DomainKind::Predicates),
                self.ordered(OrderSpec::LoopLockstep),
                self.abstraction(DomainKind::Explicit),
            ],
            _ if self.order.is_some() => vec![self.ordered(OrderSpec::Seq), self.states(None)],
            Shape::Postcondition => {
                let mut members = vec![
                    self.ordered(OrderSpec::LoopLockstep),
                    self.ordered(OrderSpec::Rates(Vec::new())),
                    self.ordered(OrderSpec::Seq),
                    self.ordered(OrderSpec::Cut(1)),
                    self.ordered(OrderSpec::Cut(2)),
                    self.unseeded(OrderSpec::LoopLockstep),
                    self.states(None),
                    self.seeded(OrderSpec::Seq),
                    self.ordered(OrderSpec::Lockstep),
                ];
                members.splice(1..1, weave.take(2));
                members.splice(7..7, weave.take(1));
                members
            }
            _ => {
                let mut members = vec![
                    self.ordered(OrderSpec::Seq),
                    self.states(None),
                    self.modules(Some(MODULAR_THREADS)),
                    self.latest_first(OrderSpec::Seq),
                    self.of_one_round(OrderSpec::Seq),
                    self.ordered(OrderSpec::LoopLockstep),
                    self.abstraction(DomainKind::Predicates),
                    self.abstraction(DomainKind::Explicit),
                    self.unseeded(OrderSpec::LoopLockstep),
                    self.ordered(OrderSpec::Lockstep),
                    self.seeded(OrderSpec::Seq),
                    self.ordered(OrderSpec::Cut(1)),
                ];
                if matches!(shape, Shape::Sequential | Shape::FinalAssertions | Shape::FinalTasks) {
                    members.splice(7..7, weave.take(2));
                }
                let place = if shape == Shape::Sequential || shape.has_tasks() { 1 } else { members.len() };
                members.insert(place, self.delays(*self.delay.delays.end()));
                members
            }
        }
    }

    /// Who looks for a proof that needs no bounds, while others work within bounds that grow.
    pub fn beside_bounds(&self, shape: Shape) -> Option<Portfolio> {
        let is_auto = self.selection == Selection::Auto && self.order.is_none();
        let members = match shape {
            Shape::FinalAssertions | Shape::Assertions | Shape::FinalTasks | Shape::Tasks => {
                vec![self.any_number(Reach::Many)]
            }
            Shape::Deadlocks => vec![Member::new(LockOrderOfMany)],
            _ => return None,
        };
        is_auto.then_some(Portfolio { members, workers: 1, at_first: 1, beside: Arc::default(), head_start: None })
    }

    /// Who goes on where tasks need more instances than bounds grow to, if anybody does. More instances are tried before more
    /// delays.
    pub fn last_resort(&self, shape: Shape) -> Option<Portfolio> {
        let is_auto = self.selection == Selection::Auto && self.order.is_none();
        let members = vec![self.delays(0), self.delays(1)];
        (is_auto && shape.has_tasks()).then_some(Portfolio {
            members,
            workers: 1,
            at_first: 1,
            beside: Arc::default(),
            head_start: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weave::Weave;

    /// The members of `auto`, in order.
    fn check(shape: Shape, settings: Settings, expected: &str) {
        let settings = Settings { weave: Weave::default().variants().into(), ..settings };
        let name = |member: &Member| match &member.order {
            Some(order) => order.clone(),
            None => member.engine.name().to_owned(),
        };
        let members: Vec<String> = settings.portfolio(shape).members.iter().map(name).collect();
        assert_eq!(members.join(" "), expected, "{shape:?}");
    }

    #[test]
    fn each_shape_has_its_engines() {
        let inside = "seq explicit modular seq seq loop-lockstep cegar cegar loop-lockstep lockstep seq cut:1 delay";
        check(Shape::Assertions, Settings::default(), inside);
        let sequential =
            "seq delay explicit modular seq seq loop-lockstep cegar weave weave cegar loop-lockstep lockstep seq cut:1";
        check(Shape::Sequential, Settings::default(), sequential);
        let all = "loop-lockstep weave weave rates seq cut:1 cut:2 weave loop-lockstep explicit seq lockstep";
        check(Shape::Postcondition, Settings::default(), all);
        let waiting = "locks explicit explicit seq cegar loop-lockstep cegar";
        check(Shape::Deadlocks, Settings::default(), waiting);
    }

    #[test]
    fn the_user_decides() {
        let order = Some(OrderSpec::Lockstep);
        check(Shape::Tasks, Settings { order, ..Settings::default() }, "lockstep explicit");
        check(Shape::Tasks, Settings { selection: Selection::Cegar, ..Settings::default() }, "cegar");
        assert!(Settings::default().last_resort(Shape::Tasks).is_some());
        assert!(Settings::default().last_resort(Shape::Assertions).is_none());
    }
}
