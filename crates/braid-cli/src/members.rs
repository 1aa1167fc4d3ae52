//! Which engines work on a program, in which order: the one that the user names, or for `auto` a list that depends on what is to be shown.

use crate::arguments::{EngineName, Run};
use crate::delays::Delays;
use braid_engines::cegar::DomainKind;
use braid_engines::deadlock::LockOrder;
use braid_engines::explicit::{Explicit, Visits};
use braid_engines::gem::Gem;
use braid_engines::modular::Modular;
use braid_engines::parametric::Parametric;
use braid_engines::{Member, Portfolio};
use braid_program::ast;
use braid_program::cfa::{self, Violation};
use braid_proof::Contradiction;
use braid_reduction::OrderSpec;

/// With more threads `modular` is too slow to help in time.
const MODULAR_THREADS: usize = 16;

/// What is to be shown of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// That it has no complete execution.
    Postcondition,
    /// That assertions hold in a program of one thread.
    Sequential,
    /// That assertions hold, all of them in the thread that starts the others: most come after these have ended.
    FinalAssertions,
    /// That assertions hold, also inside other threads.
    Assertions,
    /// The like of final assertions for asynchronous tasks.
    FinalTasks,
    /// That assertions hold, also inside asynchronous tasks.
    Tasks,
    /// That nobody waits for ever.
    Deadlocks,
    /// That threads do not go round in circles for ever.
    Livelocks,
}

impl Shape {
    /// All shapes, by number.
    pub const ALL: [Shape; 8] = [
        Shape::Postcondition,
        Shape::Sequential,
        Shape::FinalAssertions,
        Shape::Assertions,
        Shape::FinalTasks,
        Shape::Tasks,
        Shape::Deadlocks,
        Shape::Livelocks,
    ];

    /// Are there asynchronous tasks?
    pub fn has_tasks(self) -> bool {
        matches!(self, Shape::FinalTasks | Shape::Tasks)
    }

    /// What is to be shown of these automata of a program, which may have tasks.
    pub fn of(program: &cfa::Program<'_>, tasks: bool) -> Shape {
        let fails = |thread: &cfa::Thread| {
            let mut violations = thread.locations.iter().filter_map(|location| location.violation);
            violations.any(Violation::is_error)
        };
        match program.completion_is_violation {
            _ if program.deadlock_is_violation => Shape::Deadlocks,
            _ if program.livelock_is_violation => Shape::Livelocks,
            true => Shape::Postcondition,
            false if program.threads.len() == 1 => Shape::Sequential,
            false if program.threads[1..].iter().any(fails) && tasks => Shape::Tasks,
            false if program.threads[1..].iter().any(fails) => Shape::Assertions,
            false if tasks => Shape::FinalTasks,
            false => Shape::FinalAssertions,
        }
    }
}

/// Does the program start tasks that are waited for by handles?
pub fn starts_tasks(program: &ast::Program) -> bool {
    program.statements().any(|stmt| matches!(stmt.kind, ast::StmtKind::Async { .. }))
}

fn delay(delays: &Delays, arguments: &Run) -> Member {
    Member { engine: Box::new(delays.delay(&arguments.sequentialization)), order: None }
}

/// The engines that the user asked for. `auto` starts with the orders that solve most, with and without seeds, and then
/// looks at single states; where assertions may fail, that comes earlier. `weave` comes beside them where all is decided at the end: that is
/// where it matters which interleavings are compared. `delay` comes early for asynchronous tasks and for one thread alone, whose paths it
/// follows to their ends, and last for threads.
pub fn engines(arguments: &Run, shape: Shape) -> Portfolio {
    let member = |gem: Gem| {
        let gem = Gem { explain: arguments.explain, ..gem };
        Member { order: Some(gem.order.to_string()), engine: Box::new(gem) }
    };
    let gem = |order: OrderSpec| member(arguments.sequentialization.gem(order));
    let unseeded = |order: OrderSpec| member(Gem { seed_invariants: false, ..arguments.sequentialization.gem(order) });
    let from_behind = |order: OrderSpec| {
        let mut gem = arguments.sequentialization.gem(order);
        gem.prover.contradiction = Contradiction::Last;
        member(gem)
    };
    let seeded = |order: OrderSpec| member(Gem { seed_invariants: true, ..arguments.sequentialization.gem(order) });
    let explicit = || Member { engine: Box::new(arguments.explicit()), order: None };
    let weave = arguments.weaving.weave(&arguments.sequentialization).into_iter();
    let mut weave = weave.map(|weave| Member { engine: Box::new(weave), order: None });
    let cegar = |domain: DomainKind| Member {
        engine: Box::new(arguments.abstraction.cegar(&arguments.sequentialization, domain)),
        order: None,
    };
    let modular = |most_threads: Option<usize>| {
        let modular = arguments.modules.modular(&arguments.sequentialization);
        Member { engine: Box::new(Modular { most_threads, ..modular }), order: None }
    };
    let parametric = || {
        let solver = arguments.sequentialization.gem(OrderSpec::Seq).solver;
        Member { engine: Box::new(Parametric { solver }), order: None }
    };
    let mut members = match arguments.engine {
        EngineName::Weave => weave.collect(),
        EngineName::Cegar => vec![cegar(DomainKind::Predicates)],
        EngineName::Modular => vec![modular(None)],
        EngineName::Delay => vec![delay(&arguments.delays, arguments)],
        EngineName::Gem => vec![gem(OrderSpec::Seq)],
        EngineName::Parametric => vec![parametric()],
        EngineName::Locks => vec![Member { engine: Box::new(LockOrder), order: None }],
        // `run` does not get here: it has no automata.
        EngineName::Explicit | EngineName::Run => vec![explicit()],
        EngineName::Auto if shape == Shape::Livelocks => vec![explicit()],
        EngineName::Auto if shape == Shape::Deadlocks => {
            let towards_locks = Explicit { visits: Visits::Locks, ..arguments.explicit() };
            vec![
                Member { engine: Box::new(LockOrder), order: None },
                Member { engine: Box::new(towards_locks), order: None },
                explicit(),
                gem(OrderSpec::Seq),
                cegar(DomainKind::Predicates),
                gem(OrderSpec::LoopLockstep),
                cegar(DomainKind::Explicit),
            ]
        }
        EngineName::Auto if arguments.sequentialization.order.is_some() => vec![gem(OrderSpec::Seq), explicit()],
        EngineName::Auto if shape != Shape::Postcondition => {
            let mut members = vec![
                gem(OrderSpec::Seq),
                explicit(),
                modular(Some(MODULAR_THREADS)),
                from_behind(OrderSpec::Seq),
                gem(OrderSpec::LoopLockstep),
                cegar(DomainKind::Predicates),
                cegar(DomainKind::Explicit),
                unseeded(OrderSpec::LoopLockstep),
                gem(OrderSpec::Lockstep),
                seeded(OrderSpec::Seq),
                gem(OrderSpec::Cut(1)),
            ];
            if matches!(shape, Shape::Sequential | Shape::FinalAssertions | Shape::FinalTasks) {
                members.splice(6..6, weave.by_ref().take(2));
            }
            let place = if shape == Shape::Sequential || shape.has_tasks() { 1 } else { members.len() };
            members.insert(place, delay(&arguments.delays, arguments));
            members
        }
        EngineName::Auto => {
            let mut members = vec![
                gem(OrderSpec::LoopLockstep),
                gem(OrderSpec::Seq),
                gem(OrderSpec::Cut(1)),
                gem(OrderSpec::Cut(2)),
                unseeded(OrderSpec::LoopLockstep),
                explicit(),
                seeded(OrderSpec::Seq),
                gem(OrderSpec::Lockstep),
            ];
            members.splice(1..1, weave.by_ref().take(2));
            members.splice(6..6, weave.by_ref().take(1));
            members
        }
    };
    if arguments.explain && arguments.engine == EngineName::Auto {
        // Only proofs of a preferred reduction can be explained.
        members.retain(|member| member.order.is_some());
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    // Which order suits a program shows soon or never: more members than processors pay.
    let workers = match arguments.engine {
        EngineName::Weave => 2,
        _ => 2 * processors + 3,
    };
    // It follows the paths of one thread to their ends, at once where there are few.
    let is_delay = |member: &Member| member.engine.name() == "delay";
    let head_start = members.iter().position(is_delay).filter(|_| shape == Shape::Sequential);
    Portfolio { members, workers, head_start }
}

/// Who goes on where tasks need more instances than lowering gives them. More instances are tried before more delays.
pub fn last_resort(arguments: &Run) -> Option<Portfolio> {
    let auto =
        arguments.engine == EngineName::Auto && arguments.sequentialization.order.is_none() && !arguments.explain;
    let few = |delays: u32| Delays { delays, ..arguments.delays.clone() };
    let members = [few(0), few(1)].map(|delays| delay(&delays, arguments));
    auto.then(|| Portfolio { members: members.into(), workers: 1, head_start: None })
}
