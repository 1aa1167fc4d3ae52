//! Preference orders (paper 1, section 4): in each context a total order on actions, and the next context.
//!
//! A context is what the order's finite automaton remembers of the word so far: nothing, or whose turn it is. Orders
//! that depend on the position use the locations as well, which every state has anyway.

use crate::rates::Rates;
use braid_program::cfa::{ActionId, ProductState, Program, ThreadId};
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::str::FromStr;

/// The state of an order's automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Context(u32);

/// An order as the user writes it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum OrderSpec {
    /// `seq`: one thread after the other, in the order of the program.
    Seq,
    /// `seq:t2,t1`: one thread after the other, the named ones first.
    SeqOf(Vec<String>),
    /// `lockstep`: a step of each thread in turn.
    Lockstep,
    /// `loop-lockstep`: a round of a loop of each thread in turn.
    LoopLockstep,
    /// `cut:N`: a round of a loop of two groups in turn: the first N branches of the outermost `par` (with all that
    /// they start), and the others. Inside a group, one thread after the other.
    Cut(u32),
    /// `rates:A,B,…`: rounds of loops in turn, so many of each that their numbers, times the weights given, keep pace. Without
    /// weights all count the same; `gem` looks for them.
    Rates(Vec<u32>),
    /// `random:SEED`: a random order of all actions.
    Random(u64),
    /// `positional-random:SEED`: a random order of all actions for each combination of locations.
    PositionalRandom(u64),
}

/// Why a text is not an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderError(String);

impl OrderError {
    pub(crate) fn new(text: String) -> OrderError {
        OrderError(text)
    }
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OrderError {}

impl FromStr for OrderSpec {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<OrderSpec, OrderError> {
        let seed = |text: &str| {
            text.parse().map_err(|_| OrderError(format!("`{text}` is not a seed: write a whole number from 0")))
        };
        match text.split_once(':') {
            None => match text {
                "seq" => Ok(OrderSpec::Seq),
                "lockstep" => Ok(OrderSpec::Lockstep),
                "loop-lockstep" => Ok(OrderSpec::LoopLockstep),
                "rates" => Ok(OrderSpec::Rates(Vec::new())),
                "random" => Ok(OrderSpec::Random(0)),
                "positional-random" => Ok(OrderSpec::PositionalRandom(0)),
                _ => Err(OrderError(format!(
                    "`{text}` is not an order: known are seq, seq:THREAD,…, lockstep, loop-lockstep, cut:N, rates:N,…, random:SEED and positional-random:SEED"
                ))),
            },
            Some(("seq", threads)) => Ok(OrderSpec::SeqOf(threads.split(',').map(str::to_owned).collect())),
            Some(("cut", number)) => match number.parse() {
                Ok(number) if number > 0 => Ok(OrderSpec::Cut(number)),
                _ => Err(OrderError(format!("`{number}` is not a number of threads: write a whole number from 1"))),
            },
            Some(("rates", numbers)) => {
                let rates: Option<Vec<u32>> = numbers.split(',').map(|text| text.parse().ok()).collect();
                let wrong = || OrderError(format!("`{numbers}` are not rates: write whole numbers from 0"));
                Ok(OrderSpec::Rates(rates.ok_or_else(wrong)?))
            }
            Some(("random", number)) => Ok(OrderSpec::Random(seed(number)?)),
            Some(("positional-random", number)) => Ok(OrderSpec::PositionalRandom(seed(number)?)),
            Some((name, _)) => Err(OrderError(format!("the order `{name}` takes nothing behind a colon"))),
        }
    }
}

impl fmt::Display for OrderSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderSpec::Seq => f.write_str("seq"),
            OrderSpec::SeqOf(threads) => write!(f, "seq:{}", threads.join(",")),
            OrderSpec::Lockstep => f.write_str("lockstep"),
            OrderSpec::LoopLockstep => f.write_str("loop-lockstep"),
            OrderSpec::Cut(number) => write!(f, "cut:{number}"),
            OrderSpec::Rates(rates) if rates.is_empty() => f.write_str("rates"),
            OrderSpec::Rates(rates) => {
                let rates: Vec<String> = rates.iter().map(u32::to_string).collect();
                write!(f, "rates:{}", rates.join(","))
            }
            OrderSpec::Random(seed) => write!(f, "random:{seed}"),
            OrderSpec::PositionalRandom(seed) => write!(f, "positional-random:{seed}"),
        }
    }
}

/// An order on the actions of one program.
#[derive(Clone, Debug)]
pub struct PreferenceOrder {
    kind: Kind,
    /// The place of each thread in the order of threads.
    places: Vec<u32>,
    /// The group of each thread, for orders that let groups take turns, and how many groups there are.
    groups: Vec<u32>,
    group_count: u32,
}

#[derive(Clone, Debug)]
enum Kind {
    Seq,
    /// The next group's turn comes after every action.
    Lockstep,
    /// The next group's turn comes when a thread is back at the head of a loop, or at its end.
    LoopLockstep,
    Rates(Rates),
    Random(u64),
    PositionalRandom(u64),
}

impl PreferenceOrder {
    /// The order for a program.
    pub fn new(spec: &OrderSpec, program: &Program<'_>) -> Result<PreferenceOrder, OrderError> {
        let mut places: Vec<u32> = (0..program.threads.len() as u32).collect();
        let mut groups = places.clone();
        let kind = match spec {
            OrderSpec::Seq => Kind::Seq,
            OrderSpec::SeqOf(names) => {
                let mut order = Vec::new();
                for name in names {
                    let found = program.threads.iter().position(|thread| thread.name == *name);
                    let number = found.ok_or_else(|| {
                        let known: Vec<&str> = program.threads.iter().map(|thread| thread.name.as_str()).collect();
                        OrderError(format!("there is no thread `{name}`: known are {}", known.join(", ")))
                    })?;
                    order.push(number);
                }
                order.extend((0..program.threads.len()).filter(|number| !order.contains(number)).collect::<Vec<_>>());
                for (place, number) in order.into_iter().enumerate() {
                    places[number] = place as u32;
                }
                Kind::Seq
            }
            OrderSpec::Lockstep => Kind::Lockstep,
            OrderSpec::LoopLockstep => Kind::LoopLockstep,
            OrderSpec::Cut(number) => {
                let branches = branches(program);
                let count = branches.iter().flatten().max().map_or(0, |last| last + 1);
                if *number >= count {
                    return Err(OrderError(format!("there are only {count} branches to cut in two")));
                }
                groups = branches.iter().map(|branch| u32::from(branch.is_none_or(|b| b >= *number))).collect();
                Kind::LoopLockstep
            }
            OrderSpec::Rates(given) => Kind::Rates(Rates::new(given, program)?),
            OrderSpec::Random(seed) => Kind::Random(*seed),
            OrderSpec::PositionalRandom(seed) => Kind::PositionalRandom(*seed),
        };
        let group_count = groups.iter().max().map_or(1, |last| last + 1);
        Ok(PreferenceOrder { kind, places, groups, group_count })
    }

    /// The context of the empty word.
    pub fn initial(&self) -> Context {
        Context(0)
    }

    /// What an action is compared by in a context: smaller is preferred. Different actions have different ranks.
    pub fn rank(&self, context: Context, state: &ProductState, program: &Program<'_>, action: ActionId) -> (u64, u32) {
        let thread = program.action(action).thread.index();
        let place = u64::from(self.places[thread]);
        let first = match &self.kind {
            Kind::Seq => place,
            Kind::Rates(rates) => u64::from(rates.rank(context.0, program.action(action).thread)) << 32 | place,
            Kind::Lockstep | Kind::LoopLockstep => {
                let turns = (self.groups[thread] + self.group_count - context.0) % self.group_count;
                u64::from(turns) << 32 | place
            }
            Kind::Random(seed) => mixed(*seed, &[action.0]),
            Kind::PositionalRandom(seed) => {
                let locations = program.thread_ids().map(|thread| state.location(thread).0);
                mixed(*seed, &locations.chain([action.0]).collect::<Vec<_>>())
            }
        };
        (first, action.0)
    }

    /// The context after an action: the group whose turn it is, or the threads' clocks.
    pub fn next(&self, context: Context, program: &Program<'_>, action: ActionId) -> Context {
        let action = program.action(action);
        let group = self.groups[action.thread.index()];
        let turn_ends = match &self.kind {
            Kind::Rates(rates) => return Context(rates.next(context.0, program, action)),
            Kind::Seq | Kind::Random(_) | Kind::PositionalRandom(_) => return context,
            Kind::Lockstep => true,
            Kind::LoopLockstep => {
                let thread = program.thread(action.thread);
                thread.locations[action.target.index()].loop_head || action.target == thread.exit
            }
        };
        Context(if turn_ends { (group + 1) % self.group_count } else { group })
    }
}

/// For each thread, the number of the branch of the first thread that it is or comes from; none for the first thread.
fn branches(program: &Program<'_>) -> Vec<Option<u32>> {
    let mut count = 0;
    let mut branches: Vec<Option<u32>> = Vec::new();
    for thread in &program.threads {
        branches.push(match thread.parent() {
            None => None,
            Some(ThreadId::MAIN) => {
                count += 1;
                Some(count - 1)
            }
            Some(parent) => branches[parent.index()],
        });
    }
    branches
}

fn mixed(seed: u64, parts: &[u32]) -> u64 {
    let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
    hasher.write_u64(seed ^ 0x9e37_79b9_7f4a_7c15);
    parts.iter().for_each(|&part| hasher.write_u32(part));
    // One more round, so that neighbouring actions do not get neighbouring ranks.
    braid_program::Random::new(hasher.finish()).bits()
}
