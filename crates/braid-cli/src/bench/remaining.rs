//! How far a benchmark has got, and how long it will take: in one line, on a terminal only.

use super::expected::Status;
use super::row::{Item, Row};
use crate::progress::LiveLine;
use std::collections::HashMap;
use std::time::Duration;

/// The live line, and what it is made of.
pub struct Remaining {
    line: LiveLine,
    jobs: usize,
    /// All runs, with those of earlier times.
    total: usize,
    done: usize,
    wrong: usize,
    solved: usize,
    /// How many runs are left, by configuration.
    left: HashMap<String, usize>,
    /// The number and the real time of runs, by configuration.
    took: HashMap<String, (usize, f64)>,
    /// What is being run.
    current: Vec<Item>,
}

impl Remaining {
    pub fn new(line: LiveLine, jobs: usize, todo: &[Item], earlier: &[Row]) -> Remaining {
        let total = todo.len() + earlier.len();
        let (left, took) = (HashMap::new(), HashMap::new());
        let mut remaining =
            Remaining { line, jobs, total, done: 0, wrong: 0, solved: 0, left, took, current: Vec::new() };
        for item in todo {
            *remaining.left.entry(item.config.clone()).or_default() += 1;
        }
        earlier.iter().for_each(|row| remaining.count(row));
        remaining
    }

    pub fn started(&mut self, item: &Item) {
        self.current.push(item.clone());
        self.draw();
    }

    pub fn finished(&mut self, row: &Row) {
        self.current.retain(|item| *item != row.item);
        if let Some(left) = self.left.get_mut(&row.item.config) {
            *left = left.saturating_sub(1);
        }
        self.count(row);
        self.draw();
    }

    fn count(&mut self, row: &Row) {
        self.done += 1;
        self.wrong += usize::from(row.status() == Status::Wrong);
        self.solved += usize::from(row.status().is_solved());
        let (number, seconds) = self.took.entry(row.item.config.clone()).or_default();
        *number += 1;
        *seconds += row.outcome.wall;
    }

    pub fn draw(&mut self) {
        if !self.line.is_due() {
            return;
        }
        let text = self.text();
        self.line.show(&text);
    }

    pub fn erase(&mut self) {
        self.line.erase();
    }

    /// What is left takes as long as what is done of the same configuration, or of all.
    fn time_left(&self) -> Option<Duration> {
        let mean = |&(number, seconds): &(usize, f64)| (number > 0).then(|| seconds / number as f64);
        let all = self.took.values().fold((0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
        let of_all = mean(&all)?;
        let seconds = self
            .left
            .iter()
            .map(|(config, &left)| left as f64 * self.took.get(config).and_then(mean).unwrap_or(of_all));
        Duration::try_from_secs_f64(seconds.sum::<f64>() / self.jobs.max(1) as f64).ok()
    }

    fn text(&self) -> String {
        let mut parts = Vec::new();
        if self.wrong > 0 {
            parts.push(format!("{} WRONG", self.wrong));
        }
        parts.push(format!("{}/{} done", self.done, self.total));
        parts.push(format!("{} solved", self.solved));
        parts.extend(self.time_left().map(|left| format!("about {} left", rough(left))));
        let current = self.current.first().map(|item| format!(": {} {}", item.config, item.task_key().name()));
        parts.join(", ") + &current.unwrap_or_default()
    }
}

/// A time as people say it.
pub fn rough(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds @ 100..=5_999 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::super::expected::Verdict;
    use super::super::row::tests::row;
    use super::*;
    use std::time::Instant;

    #[test]
    fn the_time_left_is_that_of_the_configuration() {
        let item = |config: &str| row(config, "t.c", "true", Verdict::None, 0.0).item;
        let earlier = [
            row("slow", "a.c", "true", Verdict::Safe, 100.0),
            row("slow", "b.c", "true", Verdict::Unknown, 300.0),
            row("fast", "a.c", "true", Verdict::Unsafe, 2.0),
        ];
        let mut remaining = Remaining::new(
            LiveLine::new(Instant::now(), true),
            2,
            &[item("slow"), item("fast"), item("new")],
            &earlier,
        );
        // 200 + 2 + 134, by two at a time.
        assert_eq!(remaining.text(), "1 WRONG, 3/6 done, 1 solved, about 3 min left");
        remaining.started(&item("new"));
        assert!(remaining.text().ends_with("left: new set/t.c"), "{}", remaining.text());
        remaining.finished(&row("new", "t.c", "true", Verdict::Safe, 10.0));
        assert_eq!(remaining.text(), "1 WRONG, 4/6 done, 2 solved, about 2 min left");
        let nothing = Remaining::new(LiveLine::new(Instant::now(), true), 1, &[item("a")], &[]);
        assert_eq!(nothing.text(), "0/1 done, 0 solved");
    }

    #[test]
    fn times_for_people() {
        let check = |seconds: u64, text: &str| assert_eq!(rough(Duration::from_secs(seconds)), text);
        check(5, "5 s");
        check(150, "3 min");
        check(7_500, "2 h 05 min");
    }
}
