//! A benchmark as one page of HTML that needs nothing else: what is wrong, sums, changes, plots, and a table of all runs.
//!
//! *Invariant*: without its script the page shows all; the script only sorts, filters and shows how to run a task again.

mod drawing;
mod plots;
mod scale;
mod table;

use super::compare::{Change, Comparison};
use super::expected::Status;
use super::row::{Row, TaskKey};
use super::summary::{Summary, distinct};
use crate::formats::junit::escaped;
use crate::version;
use crate::witness::utc;
use drawing::Line;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// So many colours there are for configurations; then they begin again.
const COLOURS: usize = 8;
/// So many scatter plots at most.
const SCATTERS: usize = 6;
/// So many changes are listed at most.
const CHANGES: usize = 500;

/// The whole page.
pub fn html(rows: &[Row], comparison: Option<&Comparison<'_>>) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let configs = distinct(rows.iter().map(|row| row.item.config.as_str()));
    let body = [
        heading(rows, &configs, &utc(now)),
        wrong(rows),
        sums(rows, &configs),
        comparison.map(changes).unwrap_or_default(),
        pictures(rows, &configs, comparison),
        table::table(rows, &configs),
    ];
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Braid benchmark</title>\n<style>\n{}</style>\n</head>\n<body>\n{}<script>\n{}</script>\n</body>\n</html>\n",
        include_str!("style.css"),
        body.concat(),
        include_str!("script.js"),
    )
}

/// What all of it is about.
fn heading(rows: &[Row], configs: &[&str], date: &str) -> String {
    let tasks = rows.iter().map(|row| row.item.task_key()).collect::<HashSet<_>>().len();
    let limits = distinct(
        rows.iter()
            .map(|row| format!("{} s, {} MiB", row.item.limits.time.as_secs_f64(), row.item.limits.memory >> 20)),
    );
    let facts = [
        ("tasks", tasks.to_string()),
        ("configurations", configs.len().to_string()),
        ("limits for each run", limits.join(" or ")),
        ("Braid", distinct(rows.iter().map(|row| row.outcome.version.as_str())).join(" and ")),
        ("machine", distinct(rows.iter().map(|row| row.outcome.host.as_str())).join(", ")),
        ("written", format!("{} by {}", date.replace('T', " ").trim_end_matches('Z'), version::NUMBER)),
    ];
    let facts: String =
        facts.iter().map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escaped(value))).collect();
    format!("<header>\n<h1>Braid benchmark</h1>\n<dl>\n{facts}</dl>\n</header>\n")
}

/// The wrong verdicts, or that there are none.
fn wrong(rows: &[Row]) -> String {
    let wrong: Vec<&Row> = rows.iter().filter(|row| row.status() == Status::Wrong).collect();
    if wrong.is_empty() {
        return "<p class=\"verdict right\">No verdict is wrong.</p>\n".to_owned();
    }
    let lines: String = wrong
        .iter()
        .map(|row| {
            let key = row.item.task_key();
            format!(
                "<li><b>{}</b> {} <span class=\"quiet\">{}</span>: expected {}, said <b>{}</b></li>\n",
                escaped(&row.item.config),
                escaped(&key.name()),
                escaped(&key.property),
                escaped(&row.item.expected.to_string()),
                escaped(&row.said())
            )
        })
        .collect();
    let count = if wrong.len() == 1 { "1 verdict is".to_owned() } else { format!("{} verdicts are", wrong.len()) };
    format!("<div class=\"verdict bad\"><p>{count} wrong.</p>\n<ul>\n{lines}</ul></div>\n")
}

/// A line of numbers for each configuration.
fn sums(rows: &[Row], configs: &[&str]) -> String {
    let mut out = String::from(
        "<section><h2>Sums</h2>\n<div class=\"wide\"><table class=\"sums\"><thead><tr><th>configuration</th><th>wrong</th><th>solved</th>\
         <th>true</th><th>false</th><th>unknown</th><th>timeout</th><th>memory</th><th>rejected</th><th>crash</th>\
         <th title=\"true 2, false 1, wrong true -32, wrong false -16\">score</th><th title=\"processor time of solved runs\">time</th>\
         <th title=\"processor time of the run in the middle of all solved ones\">median</th><th title=\"the largest peak\">memory peak</th>\
         </tr></thead>\n<tbody>\n",
    );
    for (number, config) in configs.iter().enumerate() {
        let own = || rows.iter().filter(|row| row.item.config == *config);
        let sum = Summary::of(own());
        let options = distinct(own().map(|row| row.item.options.as_str())).join(" or ");
        let options = if options.is_empty() { "no options".to_owned() } else { options };
        let count = |status: Status, class: &str| {
            let number = sum.count(status);
            let class = if number > 0 { class } else { "none" };
            format!("<td class=\"{class}\">{number}</td>")
        };
        let share = |(correct, all): (usize, usize)| format!("<td>{correct}<span class=\"quiet\">/{all}</span></td>");
        let _ = writeln!(
            out,
            "<tr><th><span class=\"key c{}\"></span>{} <code>{}</code></th>{}<td class=\"correct\">{}<span class=\"quiet\">/{}</span></td>{}{}{}{}{}{}{}\
             <td>{}</td><td>{:.1} s</td><td>{:.2} s</td><td>{:.0} MiB</td></tr>",
            number % COLOURS,
            escaped(config),
            escaped(&options),
            count(Status::Wrong, "wrong"),
            sum.solved(),
            sum.runs,
            share(sum.correct_true),
            share(sum.correct_false),
            count(Status::Unknown, "unknown"),
            count(Status::Timeout, "unknown"),
            count(Status::Memory, "unknown"),
            count(Status::Rejected, "error"),
            count(Status::Crash, "error"),
            sum.score,
            sum.cpu,
            sum.median,
            sum.mib
        );
    }
    out + "</tbody></table></div></section>\n"
}

/// What has changed since another benchmark.
fn changes(comparison: &Comparison<'_>) -> String {
    let mut out = format!(
        "<section><h2>Changes since {}</h2>\n<p>{}.</p>\n",
        escaped(&comparison.name),
        escaped(&comparison.headline())
    );
    if comparison.changes().next().is_some() {
        out += "<div class=\"wide\"><table><thead><tr><th>change</th><th>configuration</th><th>task</th><th>property</th><th>before → now</th></tr></thead><tbody>\n";
        for (change, pair) in comparison.changes().take(CHANGES) {
            let class = match change {
                Change::Wrong | Change::StillWrong => "wrong",
                Change::Lost => "error",
                Change::Won | Change::Righted => "correct",
                Change::Other | Change::Slower => "unknown",
                Change::Faster => "answered",
            };
            let key = pair.new.item.task_key();
            let _ = writeln!(
                out,
                "<tr><td class=\"{class}\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                change.name(),
                escaped(&pair.new.item.config),
                escaped(&key.name()),
                escaped(&key.property),
                escaped(&pair.what())
            );
        }
        out += "</tbody></table></div>\n";
        let more = comparison.changes().count().saturating_sub(CHANGES);
        if more > 0 {
            let _ = writeln!(out, "<p>… and {more} more, which the command line lists.</p>");
        }
    }
    out + "</section>\n"
}

/// All plots.
fn pictures(rows: &[Row], configs: &[&str], comparison: Option<&Comparison<'_>>) -> String {
    let limit = rows.iter().map(|row| row.item.limits.time.as_secs_f64()).fold(1.0, f64::max);
    let line = |points: fn(Vec<&Row>) -> Vec<plots::Point>| -> Vec<Line> {
        let of = |(number, config): (usize, &&str)| Line {
            name: (*config).to_owned(),
            colour: number % COLOURS,
            points: points(rows.iter().filter(|row| row.item.config == *config).collect()),
        };
        configs.iter().enumerate().map(of).collect()
    };
    let keys = configs.iter().enumerate().map(|(number, config)| {
        format!("<span><span class=\"key c{}\"></span>{}</span>", number % COLOURS, escaped(config))
    });
    let legend = format!("<p class=\"legend\">{}</p>\n", keys.collect::<String>());
    let mut out = format!("<section><h2>Plots</h2>\n{legend}<div class=\"plots\">\n");
    let quantile = line(|rows| plots::quantile(rows));
    if quantile.iter().any(|line| !line.points.is_empty()) {
        let note = "The n-th fastest correct run: how many points it brings up to it. A line that begins left of 0 has wrong verdicts. Right and low is good.";
        out += &figure("Quantile plot", note, &drawing::lines("Quantile plot", "accumulated score", &quantile, limit));
    }
    let cactus = line(|rows| plots::cactus(rows));
    let note = "The n-th fastest solved run. Right and low is good.";
    out += &figure("Cactus plot", note, &drawing::lines("Cactus plot", "solved runs", &cactus, limit));
    for Scatter { title, across, up, dots } in scatters(rows, configs, comparison) {
        let note = format!(
            "Each task: ● true, ■ false, × wrong. Below the diagonal {up} is faster; dashed: ten times. At the edges: not solved."
        );
        out += &figure(&title, &note, &drawing::scatter(&title, (&across, &up), &dots, limit));
    }
    out + "</div></section>\n"
}

fn figure(title: &str, note: &str, svg: &str) -> String {
    format!("<figure><h3>{}</h3>\n{svg}<figcaption>{}</figcaption></figure>\n", escaped(title), escaped(note))
}

/// A scatter plot: what is drawn to the right, and what upwards.
struct Scatter {
    title: String,
    across: String,
    up: String,
    dots: Vec<plots::Dot>,
}

/// Configurations with what they were, and with each other.
fn scatters(rows: &[Row], configs: &[&str], comparison: Option<&Comparison<'_>>) -> Vec<Scatter> {
    let mut all = Vec::new();
    if let Some(comparison) = comparison {
        for config in configs {
            let own = comparison.pairs.iter().filter(|pair| pair.new.item.config == **config);
            let dots = plots::scatter(own.map(|pair| (pair.old, pair.new)));
            let title = format!("{config}: before and now");
            all.push(Scatter { title, across: "before".into(), up: "now".into(), dots });
        }
    }
    let of = |config: &str| -> HashMap<TaskKey, &Row> {
        rows.iter().filter(|row| row.item.config == config).map(|row| (row.item.task_key(), row)).collect()
    };
    for (number, across) in configs.iter().enumerate() {
        let left = of(across);
        for up in &configs[number + 1..] {
            let own = rows.iter().filter(|row| row.item.config == **up);
            let pairs = own.filter_map(|row| Some((*left.get(&row.item.task_key())?, row)));
            let (title, across, up) = (format!("{across} and {up}"), (*across).to_owned(), (*up).to_owned());
            all.push(Scatter { title, across, up, dots: plots::scatter(pairs) });
        }
    }
    all.retain(|scatter| !scatter.dots.is_empty());
    all.truncate(SCATTERS);
    all
}

#[cfg(test)]
mod tests {
    use super::super::expected::Verdict;
    use super::super::row::tests::row;
    use super::*;

    #[test]
    fn a_page_has_all_parts_and_escapes() {
        let rows = [
            row("gem", "<b>.c", "true", Verdict::Unsafe, 1.0),
            row("gem", "a.c", "true", Verdict::Safe, 0.1),
            row("cegar", "<b>.c", "true", Verdict::Safe, 2.0),
        ];
        let old = [row("gem", "a.c", "true", Verdict::Unknown, 1.0), rows[2].clone()];
        let comparison = Comparison::new("old.csv", &old, &rows, 1.5);
        let page = html(&rows, Some(&comparison));
        for part in [
            "1 verdict is wrong",
            "set/&lt;b&gt;.c",
            "Quantile plot",
            "Cactus plot",
            "gem and cegar",
            "cegar: before and now",
            "Changes since old.csv",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("<b>.c") && !page.contains("http"), "self-contained and escaped");
        assert!(page.find("is wrong").unwrap() < page.find("<h2>").unwrap(), "wrong verdicts come first");
    }

    #[test]
    fn a_page_without_runs() {
        assert!(html(&[], None).contains("No verdict is wrong"));
    }
}
