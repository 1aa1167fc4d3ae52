//! What has changed since another benchmark: wrong verdicts first, then what was lost and won, then times.
//!
//! Times are compared on tasks that both have solved. Small times say nothing: a difference below [`FLOOR`] is none.

use super::expected::Status;
use super::row::{Row, TaskKey};
use super::summary::distinct;
use std::collections::HashMap;
use std::fmt::Write;

/// In seconds of processor time.
pub const FLOOR: f64 = 0.2;

/// In which way a run differs from the old one, the most important first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// It is wrong, and was not.
    Wrong,
    /// It is wrong, and was.
    StillWrong,
    /// It was wrong, and is not.
    Righted,
    /// It was solved, and is not.
    Lost,
    /// It is solved, and was not.
    Won,
    /// It is not solved in another way than before.
    Other,
    Slower,
    Faster,
}

impl Change {
    pub fn name(self) -> &'static str {
        match self {
            Change::Wrong => "WRONG",
            Change::StillWrong => "still wrong",
            Change::Righted => "no longer wrong",
            Change::Lost => "lost",
            Change::Won => "won",
            Change::Other => "other",
            Change::Slower => "slower",
            Change::Faster => "faster",
        }
    }
}

/// A new run beside the old one.
pub struct Pair<'a> {
    pub old: &'a Row,
    pub new: &'a Row,
    pub change: Option<Change>,
}

/// Two benchmarks beside each other.
pub struct Comparison<'a> {
    /// The name of the old one.
    pub name: String,
    pub pairs: Vec<Pair<'a>>,
    /// How many runs only one of them has: the old one, the new one.
    pub alone: (usize, usize),
    pub factor: f64,
}

impl<'a> Comparison<'a> {
    /// Runs belong together by configuration and task. Where each side has one configuration, their names do not matter.
    pub fn new(name: &str, old: &'a [Row], new: &'a [Row], factor: f64) -> Comparison<'a> {
        let configs = |rows: &'a [Row]| distinct(rows.iter().map(|row| row.item.config.as_str())).len();
        let by_task = configs(old) == 1 && configs(new) == 1;
        let key = |row: &Row| -> (String, TaskKey) {
            let config = if by_task { String::new() } else { row.item.config.clone() };
            (config, row.item.task_key())
        };
        let olds: HashMap<_, &Row> = old.iter().map(|row| (key(row), row)).collect();
        let mut pairs: Vec<Pair<'a>> = new
            .iter()
            .filter_map(|new| {
                let old = *olds.get(&key(new))?;
                Some(Pair { old, new, change: change(old, new, factor) })
            })
            .collect();
        pairs.sort_by_key(|pair| pair.change.map_or((1, Change::Faster), |change| (0, change)));
        let alone = (olds.len().saturating_sub(pairs.len()), new.len() - pairs.len());
        Comparison { name: name.to_owned(), pairs, alone, factor }
    }

    /// The pairs that differ, the most important first.
    pub fn changes(&self) -> impl Iterator<Item = (Change, &Pair<'a>)> {
        self.pairs.iter().filter_map(|pair| Some((pair.change?, pair)))
    }

    /// How many pairs have a change.
    pub fn count(&self, change: Change) -> usize {
        self.pairs.iter().filter(|pair| pair.change == Some(change)).count()
    }

    /// The number of tasks that both solved, and the seconds that they took: of the old one, of the new one.
    pub fn both(&self) -> (usize, f64, f64) {
        let both = self.pairs.iter().filter(|pair| pair.old.status().is_solved() && pair.new.status().is_solved());
        both.fold((0, 0.0, 0.0), |(count, old, new), pair| {
            (count + 1, old + pair.old.outcome.cpu, new + pair.new.outcome.cpu)
        })
    }

    /// In one line.
    pub fn headline(&self) -> String {
        if self.pairs.is_empty() {
            return "no run is in both: configurations, sets or tasks have other names".to_owned();
        }
        let count = |change: Change| self.count(change);
        let wrong = count(Change::Wrong) + count(Change::StillWrong);
        let (both, old, new) = self.both();
        let ratio = if old > 0.0 { format!(" ({:.2} of it)", new / old) } else { String::new() };
        let (only_old, only_new) = self.alone;
        format!(
            "{wrong} wrong, {} lost, {} won, {} slower, {} faster by more than {}; both solved {both}: {old:.1} s there, {new:.1} s here{ratio}; \
             {only_old} runs only there, {only_new} only here",
            count(Change::Lost),
            count(Change::Won),
            count(Change::Slower),
            count(Change::Faster),
            self.factor,
        )
    }

    pub fn text(&self) -> String {
        let mut out = format!("against {}: {}\n", self.name, self.headline());
        for (change, pair) in self.changes() {
            let key = pair.new.item.task_key();
            let (config, property) = (&pair.new.item.config, &key.property);
            let _ = writeln!(out, "  {}: {config}: {} {property}: {}", change.name(), key.name(), pair.what());
        }
        out
    }
}

impl Pair<'_> {
    /// What it was, and what it is.
    pub fn what(&self) -> String {
        match self.change {
            Some(Change::Slower | Change::Faster) => {
                format!("{:.2} s → {:.2} s", self.old.outcome.cpu, self.new.outcome.cpu)
            }
            Some(Change::Wrong | Change::StillWrong | Change::Righted) => {
                format!("{} → {}, expected {}", self.old.said(), self.new.said(), self.new.item.expected)
            }
            _ => format!("{} → {}", self.old.said(), self.new.said()),
        }
    }
}

fn change(old: &Row, new: &Row, factor: f64) -> Option<Change> {
    let (before, now) = (old.status(), new.status());
    let (slow, fast) = (new.outcome.cpu.max(FLOOR), old.outcome.cpu.max(FLOOR));
    Some(match (before == Status::Wrong, now == Status::Wrong) {
        (false, true) => Change::Wrong,
        (true, true) => Change::StillWrong,
        (true, false) => Change::Righted,
        _ => match (before.is_solved(), now.is_solved()) {
            (true, false) => Change::Lost,
            (false, true) => Change::Won,
            (false, false) if before != now => Change::Other,
            (false, false) => return None,
            (true, true) if slow > fast * factor => Change::Slower,
            (true, true) if fast > slow * factor => Change::Faster,
            (true, true) => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::expected::Verdict;
    use super::super::row::tests::row;
    use super::*;
    use expect_test::expect;

    #[test]
    fn changes_in_their_order() {
        let tasks = ["won", "lost", "slow", "fast", "tiny", "wrong", "righted", "same"];
        let run = |task: &str, is_new: bool| {
            let (verdict, cpu) = match (task, is_new) {
                ("won", false) | ("lost", true) => (Verdict::Unknown, 1.0),
                ("slow", true) | ("fast", false) => (Verdict::Safe, 3.1),
                ("tiny", true) => (Verdict::Safe, 0.15),
                ("tiny", false) => (Verdict::Safe, 0.01),
                ("wrong", true) | ("righted", false) => (Verdict::Unsafe, 1.0),
                _ => (Verdict::Safe, 1.0),
            };
            row(if is_new { "new" } else { "old" }, task, "true", verdict, cpu)
        };
        let mut old: Vec<Row> = tasks.iter().map(|task| run(task, false)).collect();
        old.push(run("only", false));
        let new: Vec<Row> = tasks.iter().map(|task| run(task, true)).collect();
        expect![[r#"
            against old.csv: 1 wrong, 1 lost, 1 won, 1 slower, 1 faster by more than 2; both solved 4: 5.1 s there, 5.2 s here (1.03 of it); 1 runs only there, 0 only here
              WRONG: new: set/wrong unreach-call: true → false, expected true
              no longer wrong: new: set/righted unreach-call: false → true, expected true
              lost: new: set/lost unreach-call: true → unknown
              won: new: set/won unreach-call: unknown → true
              slower: new: set/slow unreach-call: 1.00 s → 3.10 s
              faster: new: set/fast unreach-call: 3.10 s → 1.00 s
        "#]]
        .assert_eq(&Comparison::new("old.csv", &old, &new, 2.0).text());
    }

    #[test]
    fn configurations_are_told_apart() {
        let both = |verdict| [row("a", "t", "true", verdict, 1.0), row("b", "t", "true", Verdict::Safe, 1.0)];
        let (old, new) = (both(Verdict::Safe), both(Verdict::Unknown));
        let comparison = Comparison::new("x", &old, &new, 2.0);
        let changes: Vec<_> = comparison.changes().map(|(change, pair)| (change, &pair.new.item.config)).collect();
        assert_eq!(changes, [(Change::Lost, &"a".to_owned())]);
        assert_eq!(Comparison::new("x", &old, &new[..1], 2.0).alone, (1, 0));
        assert!(Comparison::new("x", &[], &new, 2.0).text().contains("no run is in both"));
    }
}
