//! Which thread is the main one, which one is the main one of its environment, and so on.
//!
//! A thread should stand before those whose results it needs: then queries need not speak of the threads before. The first is the
//! thread whose errors are looked for.

use super::concurrent::Concurrent;
use braid_program::cfa::{Program, ThreadId};
use std::fmt;
use std::str::FromStr;

/// How the threads are ordered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Hierarchy {
    /// By the flow of data.
    #[default]
    Auto,
    /// As these names say; those that are missing follow.
    Given(Vec<String>),
}

impl FromStr for Hierarchy {
    type Err = String;

    fn from_str(text: &str) -> Result<Hierarchy, String> {
        if text == "auto" {
            return Ok(Hierarchy::Auto);
        }
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        match names.iter().any(String::is_empty) {
            true => Err("a list of threads is `auto` or names with commas between them".into()),
            false => Ok(Hierarchy::Given(names)),
        }
    }
}

impl fmt::Display for Hierarchy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hierarchy::Auto => f.write_str("auto"),
            Hierarchy::Given(names) => f.write_str(&names.join(",")),
        }
    }
}

impl Hierarchy {
    /// A name that no thread of the program has.
    pub fn unknown_name(&self, program: &Program<'_>) -> Option<&str> {
        let Hierarchy::Given(names) = self else { return None };
        let known = |name: &&String| program.threads.iter().any(|thread| thread.name == **name);
        names.iter().find(|name| !known(name)).map(String::as_str)
    }

    /// The threads that matter, the target first.
    pub(super) fn order(&self, concurrent: &Concurrent<'_, '_>, target: ThreadId) -> Vec<ThreadId> {
        let mut order = vec![target];
        let mut left: Vec<ThreadId> = concurrent.relevant.iter().copied().filter(|&thread| thread != target).collect();
        if let Hierarchy::Given(names) = self {
            let place = |thread: &ThreadId| {
                let name = &concurrent.program.thread(*thread).name;
                names.iter().position(|given| given == name).unwrap_or(usize::MAX)
            };
            left.sort_by_key(place);
            order.extend(left);
            return order;
        }
        while !left.is_empty() {
            let readers = |writer: ThreadId, threads: &[ThreadId]| {
                threads.iter().filter(|&&reader| reader != writer && concurrent.reads_from(reader, writer)).count()
            };
            // The thread that the fewest of the others wait for; of those, the one that the last one waits for.
            let last = order[order.len() - 1];
            let key = |&thread: &ThreadId| (readers(thread, &left), !concurrent.reads_from(last, thread), thread);
            let Some(next) = left.iter().copied().min_by_key(key) else { break };
            left.retain(|&thread| thread != next);
            order.push(next);
        }
        order
    }
}
