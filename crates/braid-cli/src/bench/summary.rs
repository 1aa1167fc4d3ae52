//! The result of a benchmark in few numbers, and as text: what is wrong comes first.

use super::expected::{Expected, Status, Verdict};
use super::row::Row;
use std::fmt::Write;

/// Counts over some runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    pub runs: usize,
    pub counts: [usize; Status::ALL.len()],
    /// Correct and expected, of programs that have the property.
    pub correct_true: (usize, usize),
    /// The same of programs that do not have it.
    pub correct_false: (usize, usize),
    /// The points of the Software Verification Competition.
    pub score: i64,
    /// Of solved runs, in seconds.
    pub cpu: f64,
    /// The same in the middle.
    pub median: f64,
    /// Of all runs, in seconds.
    pub wall: f64,
    /// The largest peak, in MiB.
    pub mib: f64,
}

impl Summary {
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Summary {
        let (mut summary, mut times) = (Summary::default(), Vec::new());
        for row in rows {
            let status = row.status();
            summary.runs += 1;
            summary.counts[status as usize] += 1;
            let is_correct = usize::from(status == Status::Correct);
            let side = match row.item.expected {
                Expected::True => Some(&mut summary.correct_true),
                Expected::False(_) => Some(&mut summary.correct_false),
                Expected::Unknown => None,
            };
            if let Some((correct, expected)) = side {
                (*correct, *expected) = (*correct + is_correct, *expected + 1);
            }
            summary.score += row.score();
            summary.wall += row.outcome.wall;
            summary.mib = summary.mib.max(row.outcome.mib);
            if status.is_solved() {
                times.push(row.outcome.cpu);
            }
        }
        times.sort_by(f64::total_cmp);
        // A sum of nothing would be -0.
        summary.cpu = times.iter().fold(0.0, |sum, time| sum + time);
        summary.median = times.get(times.len() / 2).copied().unwrap_or(0.0);
        summary
    }

    pub fn count(&self, status: Status) -> usize {
        self.counts[status as usize]
    }

    pub fn solved(&self) -> usize {
        self.count(Status::Correct) + self.count(Status::Answered)
    }

    fn cells(&self) -> Vec<String> {
        let share = |(correct, expected): (usize, usize)| format!("{correct}/{expected}");
        let count = |status: Status| self.count(status).to_string();
        vec![
            self.runs.to_string(),
            self.solved().to_string(),
            count(Status::Wrong),
            share(self.correct_true),
            share(self.correct_false),
            count(Status::Unknown),
            count(Status::Timeout),
            count(Status::Memory),
            count(Status::Rejected),
            count(Status::Crash),
            self.score.to_string(),
            format!("{:.1}", self.cpu),
            format!("{:.2}", self.median),
            format!("{:.0}", self.mib),
        ]
    }
}

const COLUMNS: [&str; 16] = [
    "config", "set", "runs", "solved", "WRONG", "true", "false", "unknown", "timeout", "memory", "rejected", "crash",
    "score", "cpu s", "median", "MiB",
];

/// Values in the order of their first appearance.
pub fn distinct<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for value in values {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

/// What is wrong or broken, a line each, then a table.
pub fn text(rows: &[Row]) -> String {
    let mut out = String::new();
    for status in [Status::Wrong, Status::Crash] {
        for row in rows.iter().filter(|row| row.status() == status) {
            let word = if status == Status::Wrong { "WRONG" } else { "crash" };
            let key = row.item.task_key();
            let (config, property, expected) = (&row.item.config, &key.property, &row.item.expected);
            let _ = write!(out, "{word}: {config}: {} {property}: expected {expected}, ", key.name());
            let _ = match (status, row.outcome.verdict) {
                (Status::Wrong, _) | (_, Verdict::Unknown) => writeln!(out, "said {}", row.said()),
                _ => writeln!(out, "ended with {}: {}", row.outcome.exit, row.outcome.reason),
            };
        }
    }
    out + &table(rows)
}

fn table(rows: &[Row]) -> String {
    let mut lines = vec![COLUMNS.map(str::to_owned).to_vec()];
    let sets = distinct(rows.iter().map(|row| row.item.set.as_str()));
    for config in distinct(rows.iter().map(|row| row.item.config.as_str())) {
        let own = || rows.iter().filter(move |row| row.item.config == config);
        let all = (sets.len() > 1).then_some(("all", Summary::of(own())));
        let each = sets.iter().map(|&set| (set, Summary::of(own().filter(|row| row.item.set == set))));
        for (set, summary) in each.filter(|(_, summary)| summary.runs > 0).chain(all) {
            lines.push([config.to_owned(), set.to_owned()].into_iter().chain(summary.cells()).collect());
        }
    }
    aligned(&lines)
}

/// Cells below each other: two columns of names to the left, numbers to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
    let mut out = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            0 | 1 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::row;
    use super::*;
    use expect_test::expect;

    #[test]
    fn wrong_ones_come_first() {
        let mut crash = row("gem", "c.c", "true", Verdict::None, 0.5);
        (crash.outcome.exit, crash.outcome.reason) = ("signal 11".into(), "gone".into());
        let rows = [
            row("gem", "a.c", "true", Verdict::Safe, 1.0),
            crash,
            row("gem", "b.c", "true", Verdict::Unsafe, 2.0),
            row("gem", "d.c", "false", Verdict::Unsafe, 3.0),
            row("gem", "e.c", "unknown", Verdict::Unsafe, 4.0),
            row("cegar", "a.c", "true", Verdict::Unknown, 5.0),
        ];
        expect![[r#"
            WRONG: gem: set/b.c unreach-call: expected true, said false
            crash: gem: set/c.c unreach-call: expected true, ended with signal 11: gone
            config  set  runs  solved  WRONG  true  false  unknown  timeout  memory  rejected  crash  score  cpu s  median  MiB
            gem     set     5       3      1   1/3    1/1        0        0       0         0      1    -13    8.0    3.00   10
            cegar   set     1       0      0   0/1    0/0        1        0       0         0      0      0    0.0    0.00   10
        "#]]
        .assert_eq(&text(&rows));
    }
}
