//! A counterexample as a table: one column per thread, one row per step, the new values at the right.
//!
//! The table fits the page: text is wrapped inside its column, and cut after a few lines. Where there are too many threads
//! for columns of their own, one column names the thread.

use crate::output::Page;
use crate::trace::{Trace, TraceStep};
use braid_program::cfa::{Program, ThreadId};
use std::path::Path;

/// Columns of threads are not narrower than this.
const NARROWEST: usize = 14;
/// Of more steps than twice this, those in the middle are left out.
const MOST_ROWS: usize = 100;
/// Text in a cell is cut after this many lines.
const MOST_LINES: usize = 4;
const GAP: &str = "  ";

/// How a column looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Dim,
    Changed,
}

struct Column {
    title: String,
    width: usize,
    style: Style,
}

/// The whole counterexample as text.
pub fn render(program: &Program<'_>, trace: &Trace, page: Page) -> String {
    let mut out = String::new();
    if !trace.initial.is_empty() {
        let values = trace.initial.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>();
        for line in wrap(&format!("initially {}", values.join(", ")), page.width, usize::MAX) {
            out.push_str(&line);
            out.push('\n');
        }
        out.push('\n');
    }
    if !trace.steps.is_empty() {
        let (columns, rows) = layout(program, trace, page.width);
        let titles: Vec<String> = columns.iter().map(|column| column.title.clone()).collect();
        write_row(&mut out, &columns, &titles, page, true);
        let left_out = MOST_ROWS..rows.len().saturating_sub(MOST_ROWS);
        for (number, row) in rows.iter().enumerate() {
            if !left_out.contains(&number) {
                write_row(&mut out, &columns, row, page, false);
            } else if number == left_out.start {
                out.push_str(&format!("… {} more steps, all of them in the file of --json …\n", left_out.len()));
            }
        }
        out.push('\n');
    }
    for line in wrap(&trace.violation, page.width, usize::MAX) {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn layout(program: &Program<'_>, trace: &Trace, page: usize) -> (Vec<Column>, Vec<Vec<String>>) {
    let mut threads: Vec<ThreadId> = trace.steps.iter().map(|step| step.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let name = |thread: ThreadId| program.thread(thread).name.clone();
    let places: Vec<String> = trace.steps.iter().map(|step| place(program, step, page / 5)).collect();
    let changes: Vec<String> = trace.steps.iter().map(changes).collect();
    let longest =
        |texts: &[String], title: &str| texts.iter().map(|text| length(text)).max().unwrap_or(0).max(length(title));

    let number_width = trace.steps.len().to_string().len();
    let place_width = longest(&places, "where");
    let change_width = longest(&changes, "values").min((page / 4).max(12));
    let taken = number_width + place_width + change_width + 3 * GAP.len();
    let for_threads = page.saturating_sub(taken);

    let fits = threads.len() * (NARROWEST + GAP.len()) <= for_threads + GAP.len();
    let text_columns: Vec<(String, usize)> = if fits {
        let wanted = threads.iter().map(|&thread| {
            let texts = trace.steps.iter().filter(|step| step.thread == thread).map(|step| length(&step.text));
            texts.max().unwrap_or(0).max(length(&name(thread)))
        });
        let widths = share(for_threads - (threads.len() - 1) * GAP.len(), &wanted.collect::<Vec<_>>());
        threads.iter().map(|&thread| name(thread)).zip(widths).collect()
    } else {
        let names: Vec<String> = threads.iter().map(|&thread| name(thread)).collect();
        let thread_width = longest(&names, "thread").min(20);
        let rest = for_threads.saturating_sub(thread_width + GAP.len()).max(NARROWEST);
        let wanted = trace.steps.iter().map(|step| length(&step.text)).max().unwrap_or(0).max(NARROWEST);
        vec![("thread".into(), thread_width), ("action".into(), rest.min(wanted))]
    };

    let mut columns = vec![Column { title: String::new(), width: number_width, style: Style::Dim }];
    let text_count = text_columns.len();
    columns.extend(text_columns.into_iter().map(|(title, width)| Column { title, width, style: Style::Plain }));
    columns.push(Column { title: "where".into(), width: place_width, style: Style::Dim });
    columns.push(Column { title: "values".into(), width: change_width, style: Style::Changed });

    let rows = trace.steps.iter().zip(places).zip(changes).enumerate().map(|(number, ((step, place), change))| {
        let mut cells = vec![format!("{:>number_width$}", number + 1)];
        if fits {
            let at = threads.binary_search(&step.thread).expect("every step's thread has a column");
            cells.extend((0..text_count).map(|column| if column == at { step.text.clone() } else { String::new() }));
        } else {
            cells.extend([name(step.thread), step.text.clone()]);
        }
        cells.extend([place, change]);
        cells
    });
    let rows = rows.collect();
    (columns, rows)
}

/// Shares the width among columns: those that want little get it, the others share the rest evenly.
fn share(width: usize, wanted: &[usize]) -> Vec<usize> {
    let mut shares = vec![0; wanted.len()];
    let mut open: Vec<usize> = (0..wanted.len()).collect();
    let mut left = width;
    while !open.is_empty() {
        let even = left / open.len();
        let (modest, greedy): (Vec<usize>, Vec<usize>) = open.iter().partition(|&&column| wanted[column] <= even);
        if modest.is_empty() {
            greedy.iter().for_each(|&column| shares[column] = even);
            break;
        }
        for column in modest {
            shares[column] = wanted[column];
            left -= wanted[column];
        }
        open = greedy;
    }
    shares
}

/// `file:line`, the file without its folders, and cut if it is too long.
fn place(program: &Program<'_>, step: &TraceStep, width: usize) -> String {
    let file = &program.sources.file(step.span.file).name;
    let base = Path::new(file).file_name().map_or(file.clone(), |base| base.to_string_lossy().into_owned());
    let line = program.sources.position(step.span).line.to_string();
    let room = width.saturating_sub(line.len() + 1).max(4);
    if length(&base) <= room {
        return format!("{base}:{line}");
    }
    format!("{}…:{line}", base.chars().take(room - 1).collect::<String>())
}

fn changes(step: &TraceStep) -> String {
    step.changed.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn write_row(out: &mut String, columns: &[Column], cells: &[String], page: Page, title: bool) {
    let wrapped: Vec<Vec<String>> =
        columns.iter().zip(cells).map(|(column, cell)| wrap(cell, column.width, MOST_LINES)).collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(0).max(1);
    for line in 0..height {
        let mut row = String::new();
        // Padding waits until something follows it, so that no line ends with blanks.
        let mut padding = 0;
        for (column, lines) in columns.iter().zip(&wrapped) {
            let text = lines.get(line).map_or("", String::as_str);
            if !text.is_empty() {
                row.push_str(&" ".repeat(padding));
                padding = 0;
                let code = match column.style {
                    _ if title => "1",
                    Style::Plain => "0",
                    Style::Dim => "2",
                    Style::Changed => "33",
                };
                match page.colour && code != "0" {
                    true => row.push_str(&format!("\x1b[{code}m{text}\x1b[0m")),
                    false => row.push_str(text),
                }
            }
            padding += column.width - length(text) + GAP.len();
        }
        out.push_str(&row);
        out.push('\n');
    }
}

/// Breaks text into lines, at blanks where possible; what is too much is cut.
fn wrap(text: &str, width: usize, most_lines: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        let separator = usize::from(!line.is_empty());
        if length(&line) + separator + word.len() > width {
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            while word.len() > width {
                lines.push(word.drain(..width).collect());
            }
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    if lines.len() > most_lines {
        lines.truncate(most_lines);
        if let Some(last) = lines.last_mut() {
            *last = last.chars().take(width - 1).chain(['…']).collect();
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_at_blanks_and_cut_at_the_end() {
        assert_eq!(wrap("(set! x (+ x 1))", 8, 4), ["(set! x", "(+ x 1))"]);
        assert_eq!(wrap("abcdefghij k", 4, 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap("a b c d e f", 1, 2), ["a", "…"]);
        assert_eq!(wrap("", 5, 4), Vec::<String>::new());
    }

    #[test]
    fn modest_columns_leave_room_to_others() {
        assert_eq!(share(30, &[5, 100, 100]), [5, 12, 12]);
        assert_eq!(share(30, &[5, 6, 7]), [5, 6, 7]);
    }
}
