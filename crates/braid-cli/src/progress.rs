//! The live line on a terminal: how far the engine has got. Elsewhere nothing is written.

use braid_engines::{Progress, memory};
use serde::{Deserialize, Serialize};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// At most five times a second.
const INTERVAL: Duration = Duration::from_millis(200);

/// The line on standard error.
pub struct LiveLine {
    start: Instant,
    drawn: Option<Instant>,
    enabled: bool,
}

impl LiveLine {
    pub fn new(start: Instant, quiet: bool) -> LiveLine {
        LiveLine { start, drawn: None, enabled: !quiet && io::stderr().is_terminal() }
    }

    /// Draws the line again, if the last time is some time ago.
    pub fn draw(&mut self, engine: &str, progress: &Progress) {
        if self.is_due() {
            let text = line(engine, progress, self.start.elapsed(), memory::resident());
            self.show(&text);
        }
    }

    /// Is it time to draw the line again?
    pub fn is_due(&self) -> bool {
        self.enabled && self.drawn.unwrap_or(self.start).elapsed() >= INTERVAL
    }

    /// Draws a line, cut to the width of the terminal.
    pub fn show(&mut self, text: &str) {
        self.drawn = Some(Instant::now());
        let width = terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| width.0 as usize);
        let text: String = text.chars().take(width.saturating_sub(1)).collect();
        let _ = write!(io::stderr(), "\r\x1b[K{text}");
    }

    /// Takes the line away.
    pub fn erase(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// So many points of the history are kept; of more, every second one.
const MOST_POINTS: usize = 240;

/// How far an engine had got at some time.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
pub struct Moment {
    /// Since the start of the process.
    pub seconds: f64,
    /// Who, at what.
    pub by: String,
    pub round: u64,
    pub assertions: u64,
    pub states: u64,
}

/// How engines get on, for those who look at it later.
pub struct History {
    start: Instant,
    moments: Vec<Moment>,
}

impl History {
    pub fn new(start: Instant) -> History {
        History { start, moments: Vec::new() }
    }

    pub fn add(&mut self, progress: &Progress) {
        let by = progress.by.as_deref().unwrap_or_default().to_owned();
        let seconds = (self.start.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        let Progress { round, assertions, states, .. } = *progress;
        self.moments.push(Moment { seconds, by, round, assertions, states });
        if self.moments.len() > MOST_POINTS {
            let mut number = 0u32;
            self.moments.retain(|_| {
                number += 1;
                number.is_multiple_of(2)
            });
        }
    }

    pub fn moments(self) -> Vec<Moment> {
        self.moments
    }
}

/// What is known of work that has not come to its end.
pub fn so_far(progress: &Progress) -> String {
    let (round, assertions, states) = (progress.round, progress.assertions, progress.states);
    match round {
        0 => format!("No violation was found so far: {states} states.\n"),
        _ => format!("No violation was found so far: round {round}, {assertions} assertions, {states} states.\n"),
    }
}

fn line(engine: &str, progress: &Progress, time: Duration, memory: Option<u64>) -> String {
    let mut parts = vec![format!("{} s", time.as_secs())];
    if progress.round > 0 {
        parts.push(format!("round {}", grouped(progress.round)));
        parts.push(format!("{} assertions", grouped(progress.assertions)));
    }
    parts.push(format!("{} states", grouped(progress.states)));
    parts.extend(memory.map(|bytes| format!("{} MiB", bytes >> 20)));
    format!("{}: {}", progress.by.as_deref().unwrap_or(engine), parts.join(", "))
}

/// A number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_history_gets_thinner() {
        let mut history = History::new(Instant::now());
        (0..1000).for_each(|states| history.add(&Progress { states, ..Progress::default() }));
        let moments = history.moments();
        assert!((MOST_POINTS / 2..=MOST_POINTS).contains(&moments.len()), "{}", moments.len());
        assert!(
            moments.is_sorted_by_key(|moment| moment.states) && moments.last().is_some_and(|last| last.states == 999)
        );
    }

    #[test]
    fn the_line_tells_what_there_is() {
        let states = Progress { states: 1_234_567, ..Progress::default() };
        let text = line("explicit", &states, Duration::from_millis(2900), Some(120 << 20));
        assert_eq!(text, "explicit: 2 s, 1,234,567 states, 120 MiB");
        let by = Some("no-data-race by gem in order seq".into());
        let text = line("auto", &Progress { round: 3, assertions: 12, states: 100, by }, Duration::ZERO, None);
        assert_eq!(text, "no-data-race by gem in order seq: 0 s, round 3, 12 assertions, 100 states");
        assert_eq!(so_far(&states), "No violation was found so far: 1234567 states.\n");
    }
}
