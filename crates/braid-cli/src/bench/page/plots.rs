//! The plots: which points they have, apart from how these are drawn.
//!
//! | plot | a point |
//! |---|---|
//! | cactus | the n-th fastest solved run of a configuration: n, its time |
//! | quantile | the n-th fastest correct run: the points of the competition up to it, less those for wrong verdicts; its time |
//! | scatter | a task: its time with one configuration, and with another |

use super::super::expected::Status;
use super::super::row::Row;

/// A point of a line.
pub type Point = (f64, f64);

/// Number of solved runs against time.
pub fn cactus<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<Point> {
    let solved = by_time(rows.into_iter().filter(|row| row.status().is_solved()));
    solved.iter().enumerate().map(|(number, row)| ((number + 1) as f64, row.outcome.cpu)).collect()
}

/// Accumulated score against time. It begins left of 0 for each wrong verdict.
pub fn quantile<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Vec<Point> {
    let rows: Vec<&Row> = rows.into_iter().collect();
    let mut score: i64 = rows.iter().map(|row| row.score().min(0)).sum();
    let correct = by_time(rows.into_iter().filter(|row| row.status() == Status::Correct));
    let start = correct.first().map(|row| (score as f64, row.outcome.cpu));
    let points = correct.iter().map(|row| {
        score += row.score();
        (score as f64, row.outcome.cpu)
    });
    start.into_iter().chain(points).collect()
}

fn by_time<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<&'a Row> {
    let mut rows: Vec<&Row> = rows.collect();
    rows.sort_by(|left, right| left.outcome.cpu.total_cmp(&right.outcome.cpu));
    rows
}

/// How a point of a scatter plot looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// One of the two is wrong.
    Wrong,
    True,
    False,
}

/// A task in a scatter plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Dot {
    /// The times in seconds; none where the run has no verdict.
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub mark: Mark,
    pub label: String,
}

/// The tasks that at least one of two solved, or got wrong.
pub fn scatter<'a>(pairs: impl IntoIterator<Item = (&'a Row, &'a Row)>) -> Vec<Dot> {
    let dot = |(x, y): (&Row, &Row)| {
        let (left, right) = (x.status(), y.status());
        let is_wrong = left == Status::Wrong || right == Status::Wrong;
        if !is_wrong && !left.is_solved() && !right.is_solved() {
            return None;
        }
        let decided = if left.is_solved() { x } else { y };
        let mark = match (is_wrong, decided.said() == "true") {
            (true, _) => Mark::Wrong,
            (false, true) => Mark::True,
            (false, false) => Mark::False,
        };
        let time = |row: &Row| (row.status().is_solved() || row.status() == Status::Wrong).then_some(row.outcome.cpu);
        let said = |row: &Row| match time(row) {
            Some(time) => format!("{} in {time:.2} s", row.said()),
            None => row.said(),
        };
        let label = format!("{}: {} | {}", x.item.task_key().name(), said(x), said(y));
        Some(Dot { x: time(x), y: time(y), mark, label })
    };
    let mut dots: Vec<Dot> = pairs.into_iter().filter_map(dot).collect();
    // What is drawn last is seen best.
    dots.sort_by_key(|dot| dot.mark == Mark::Wrong);
    dots
}

#[cfg(test)]
mod tests {
    use super::super::super::expected::Verdict;
    use super::super::super::row::tests::row;
    use super::*;

    #[test]
    fn lines() {
        let rows = [
            row("a", "1", "true", Verdict::Safe, 3.0),
            row("a", "2", "false", Verdict::Unsafe, 1.0),
            row("a", "3", "true", Verdict::Unsafe, 0.5),
            row("a", "4", "unknown", Verdict::Safe, 2.0),
            row("a", "5", "true", Verdict::Unknown, 9.0),
        ];
        assert_eq!(cactus(&rows), [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
        assert_eq!(quantile(&rows), [(-16.0, 1.0), (-15.0, 1.0), (-13.0, 3.0)]);
        assert_eq!((cactus(&[]), quantile(&rows[3..])), (vec![], vec![]));
    }

    #[test]
    fn dots() {
        let run = |expected, verdict, cpu| row("a", "t", expected, verdict, cpu);
        let pairs = [
            (run("true", Verdict::Unsafe, 1.0), run("true", Verdict::Safe, 2.0)),
            (run("true", Verdict::Safe, 3.0), run("true", Verdict::Unknown, 9.0)),
            (run("false", Verdict::Unknown, 9.0), run("false", Verdict::Unsafe, 4.0)),
            (run("false", Verdict::Unknown, 9.0), run("false", Verdict::Unknown, 9.0)),
        ];
        let dots = scatter(pairs.iter().map(|(x, y)| (x, y)));
        let told: Vec<_> = dots.iter().map(|dot| (dot.x, dot.y, dot.mark)).collect();
        assert_eq!(
            told,
            [(Some(3.0), None, Mark::True), (None, Some(4.0), Mark::False), (Some(1.0), Some(2.0), Mark::Wrong)]
        );
        assert_eq!(dots[2].label, "set/t: false in 1.00 s | true in 2.00 s");
    }
}
