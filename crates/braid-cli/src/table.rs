//! A counterexample as a table: one column per thread, one row per statement, the new values at the right; then the place where
//! it ends, as compilers show places. What is said there is not said again in a sentence.
//!
//! The table fits the page: where it is too wide, calls of the library are shortened; then text is wrapped inside its column, and cut
//! after a few lines. Where there are too many threads
//! for columns of their own, one column names the thread.

use crate::output::Page;
use crate::story::{Ending, GOES_ON, Kind, Row, Spot, Story};
use braid_program::source::{FileId, Sources};
use std::path::Path;

/// Columns of threads are not narrower than this.
const NARROWEST: usize = 14;
/// Of more steps than twice this, those in the middle are left out.
const MOST_ROWS: usize = 100;
/// How names of the thread library begin, the longest first.
const LIBRARY: [&str; 6] =
    ["pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "pthread_barrier_", "pthread_cond_", "pthread_"];
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

/// The story as text: what was there at first, a table, the places where it ends, and why that is wrong.
pub fn render(story: &Story, initial: &[(String, String)], sources: &Sources, page: Page, full: bool) -> String {
    let mut out = String::new();
    let shown: Vec<usize> = (0..story.rows.len()).filter(|&row| full || story.rows[row].matters).collect();
    let told =
        |name: &str| shown.iter().any(|&row| names(&story.rows[row].text, name)) || names(&story.ending.sentence, name);
    let initial = initial.iter().filter(|(name, _)| full || told(name));
    let values: Vec<String> = initial.map(|(name, value)| format!("{name} = {value}")).collect();
    if !values.is_empty() {
        paragraph(&mut out, &format!("initially {}", values.join(", ")), page);
        out.push('\n');
    }
    if !shown.is_empty() {
        let (columns, rows) = layout(story, &shown, page.width);
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
        let hidden = story.rows.len() - shown.len();
        if hidden > 0 {
            let told = format!(
                "({hidden} of {} steps are not shown: it does not depend on them; --trace full)",
                story.rows.len()
            );
            out.push_str(&styled(&told, "2", page));
            out.push('\n');
        }
        out.push('\n');
    }
    out.push_str(&places(&story.ending, sources, page));
    match &story.ending.help {
        Some(help) => paragraph(&mut out, &format!("help: {help}"), page),
        None if story.ending.spots.is_empty() => paragraph(&mut out, &story.ending.sentence, page),
        None => {}
    }
    out
}

/// Does a text name a variable? A variable of a thread is named without the thread.
fn names(text: &str, variable: &str) -> bool {
    let own = variable.rsplit('.').next().unwrap_or(variable);
    text.split(|c: char| !c.is_alphanumeric() && !"_$.@#'".contains(c)).any(|word| word == variable || word == own)
}

fn paragraph(out: &mut String, text: &str, page: Page) {
    for line in wrap(text, page.width, usize::MAX) {
        out.push_str(&line);
        out.push('\n');
    }
}

fn styled(text: &str, code: &str, page: Page) -> String {
    if page.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

/// The places where it ends, with their lines and what is to be said right there.
fn places(ending: &Ending, sources: &Sources, page: Page) -> String {
    if ending.spots.is_empty() {
        return String::new();
    }
    let numbers = ending.spots.iter().map(|spot| spot.place.line.to_string().len()).max().unwrap_or(1);
    let mut out = format!("{}: {}\n", styled("error", "1;31", page), styled(&ending.title, "1", page));
    let bar = styled("|", "34", page);
    for (number, Spot { place, label, .. }) in ending.spots.iter().enumerate() {
        let text = text_of(sources, &place.file);
        let line = text.and_then(|text| text.lines().nth(place.line - 1)).unwrap_or_default();
        let arrow = styled("-->", "34", page);
        out += &format!("{:numbers$}{arrow} {}:{}:{}\n", "", place.file, place.line, place.column);
        let line: String = line.replace('\t', " ");
        let end = if place.end_line == place.line { place.end_column } else { length(&line) + 1 };
        let (mark, code) = if number == 0 { ("^", "1;31") } else { ("-", "1;34") };
        let marks = mark.repeat(end.saturating_sub(place.column).max(1));
        // A long line is shown from where it matters.
        let room = page.width.saturating_sub(numbers + 3).max(20);
        let skip = if length(&line) > room { (place.column - 1).saturating_sub(room / 4) } else { 0 };
        let shown: String = line.chars().skip(skip).take(room).collect();
        let before = " ".repeat(place.column - 1 - skip);
        out += &format!("{:numbers$} {bar}\n", "");
        out += &format!("{} {bar} {shown}\n", styled(&format!("{:>numbers$}", place.line), "34", page));
        let marks: String = marks.chars().take(room.saturating_sub(before.len()).max(1)).collect();
        let fits = before.len() + marks.len() + 1 + length(label) <= room;
        let told = styled(label, code, page);
        let marks = styled(&marks, code, page);
        match fits {
            true => out += &format!("{:numbers$} {bar} {before}{marks} {told}\n", ""),
            false => out += &format!("{:numbers$} {bar} {before}{marks}\n{:numbers$} {bar} {told}\n", "", ""),
        }
    }
    out.push('\n');
    out
}

fn text_of<'s>(sources: &'s Sources, name: &str) -> Option<&'s str> {
    (0..sources.count())
        .map(|id| sources.file(FileId(id)))
        .find(|file| file.name == name)
        .map(|file| file.text.as_str())
}

/// What a row says in its thread's column.
pub fn told(story: &Story, row: &Row) -> String {
    let lane = |other: usize| story.threads[other].name.as_str();
    let mut text = row.text.clone();
    match (row.kind, row.outcome, row.other) {
        (Kind::Test, Some(true), _) => text += " → true",
        (Kind::Test, Some(false), _) => text += " → false",
        (Kind::Start, _, Some(other)) => text += &format!(" → starts {}", lane(other)),
        (Kind::Join, _, Some(other)) => text += &format!(" → {} has ended", lane(other)),
        (Kind::Return, ..) => text += " → back",
        _ => {}
    }
    match &row.note {
        Some(note) => format!("{text} ({note})"),
        None => text,
    }
}

/// What a row says where there is little room: what happens rather than the call that does it.
fn shortened(story: &Story, row: &Row) -> String {
    let lane = |other: usize| story.threads[other].name.as_str();
    let note = row.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
    match (row.kind, row.other) {
        (Kind::Start, Some(other)) => format!("starts {}{note}", lane(other)),
        (Kind::Join, Some(other)) => format!("joins {}{note}", lane(other)),
        (Kind::Test, _) => {
            let text = told(story, row);
            let text = text.strip_prefix("do … ").unwrap_or(&text);
            let parts: Vec<&str> = text.splitn(3, ';').collect();
            match parts.as_slice() {
                [start, test, _] if start.starts_with("for (") => {
                    let outcome = text.rsplit_once(" → ").map(|(_, outcome)| format!(" → {outcome}"));
                    format!("for (…;{test}; …){}", outcome.unwrap_or_default())
                }
                _ => text.to_owned(),
            }
        }
        _ => {
            let text = told(story, row);
            LIBRARY.iter().find_map(|prefix| text.strip_prefix(prefix)).map(str::to_owned).unwrap_or(text)
        }
    }
}

fn layout(story: &Story, shown: &[usize], page: usize) -> (Vec<Column>, Vec<Vec<String>>) {
    let rows: Vec<&Row> = shown.iter().map(|&row| &story.rows[row]).collect();
    let mut threads: Vec<usize> = rows.iter().map(|row| row.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let name = |thread: usize| story.threads[thread].name.clone();
    let mut files: Vec<&str> = rows.iter().map(|row| row.place.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let places: Vec<String> = rows.iter().map(|row| place(row, files.len() > 1, page / 5)).collect();
    let changes: Vec<String> = rows.iter().map(|row| changes(row)).collect();
    let mut rows = rows;
    let parted: Vec<Row> = rows.iter().enumerate().map(|(at, row)| without_lonely_part(&rows[..at], row)).collect();
    rows = parted.iter().collect();
    let mut texts: Vec<String> = rows.iter().map(|row| told(story, row)).collect();
    let longest =
        |texts: &[String], title: &str| texts.iter().map(|text| length(text)).max().unwrap_or(0).max(length(title));

    let number_width = shown.last().map_or(1, |last| (last + 1).to_string().len());
    let place_width = longest(&places, "line");
    let change_width = longest(&changes, "values").min((page / 4).max(12));
    let taken = number_width + place_width + change_width + 3 * GAP.len();
    let for_threads = page.saturating_sub(taken);

    let widest = |texts: &[String], thread: usize| {
        let own = rows.iter().zip(texts).filter(|(row, _)| row.thread == thread).map(|(_, text)| length(text));
        own.max().unwrap_or(0).max(length(&name(thread)))
    };
    let whole: usize = threads.iter().map(|&thread| widest(&texts, thread) + GAP.len()).sum();
    if whole > for_threads + GAP.len() {
        texts = rows.iter().map(|row| shortened(story, row)).collect();
    }
    let fits = threads.len() * (NARROWEST + GAP.len()) <= for_threads + GAP.len();
    let text_columns: Vec<(String, usize)> = if fits {
        let wanted = threads.iter().map(|&thread| widest(&texts, thread));
        let widths = share(for_threads - (threads.len() - 1) * GAP.len(), &wanted.collect::<Vec<_>>());
        threads.iter().map(|&thread| name(thread)).zip(widths).collect()
    } else {
        let names: Vec<String> = threads.iter().map(|&thread| name(thread)).collect();
        let thread_width = longest(&names, "thread").min(20);
        let rest = for_threads.saturating_sub(thread_width + GAP.len()).max(NARROWEST);
        let wanted = texts.iter().map(|text| length(text)).max().unwrap_or(0).max(NARROWEST);
        vec![("thread".into(), thread_width), ("action".into(), rest.min(wanted))]
    };

    let mut columns = vec![Column { title: String::new(), width: number_width, style: Style::Dim }];
    let text_count = text_columns.len();
    columns.extend(text_columns.into_iter().map(|(title, width)| Column { title, width, style: Style::Plain }));
    columns.push(Column { title: "line".into(), width: place_width, style: Style::Dim });
    columns.push(Column { title: "values".into(), width: change_width, style: Style::Changed });

    let cells = rows.iter().zip(shown).zip(texts).zip(places).zip(changes);
    let cells = cells.map(|((((row, number), text), place), change)| {
        let mut cells = vec![format!("{:>number_width$}", number + 1)];
        if fits {
            let at = threads.binary_search(&row.thread).expect("every row's thread has a column");
            cells.extend((0..text_count).map(|column| if column == at { text.clone() } else { String::new() }));
        } else {
            cells.extend([name(row.thread), text]);
        }
        cells.extend([place, change]);
        cells
    });
    let cells = cells.collect();
    (columns, cells)
}

/// A row; without the note that it goes on with what no row before it has begun.
fn without_lonely_part(before: &[&Row], row: &Row) -> Row {
    let is_begun = before.iter().any(|other| other.thread == row.thread && other.place == row.place);
    let note = row.note.clone().filter(|note| is_begun || note != GOES_ON);
    Row { note, ..row.clone() }
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

/// The line; with the file without its folders where there are several, cut if it is too long.
fn place(row: &Row, several: bool, width: usize) -> String {
    let line = row.place.line.to_string();
    if !several {
        return line;
    }
    let file = &row.place.file;
    let base = Path::new(file).file_name().map_or(file.clone(), |base| base.to_string_lossy().into_owned());
    let room = width.saturating_sub(line.len() + 1).max(4);
    if length(&base) <= room {
        return format!("{base}:{line}");
    }
    format!("{}…:{line}", base.chars().take(room - 1).collect::<String>())
}

fn changes(row: &Row) -> String {
    row.changes.iter().map(|change| format!("{} = {}", change.name, change.value)).collect::<Vec<_>>().join(", ")
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

/// Breaks text into lines, at blanks where possible; what is too much is cut, but for what came out of it.
pub fn wrap(text: &str, width: usize, most_lines: usize) -> Vec<String> {
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
                // Rather after a mark than in the middle of a name, but not right at the beginning.
                let after = |marks: &str| word[..width].iter().rposition(|c| marks.contains(*c)).map(|mark| mark + 1);
                let at = ["(),;>=/", "[._"].into_iter().filter_map(after).find(|at| 3 * at > width).unwrap_or(width);
                lines.push(word.drain(..at).collect());
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
        let outcome = text.rsplit_once(" → ").map(|(_, outcome)| format!("… → {outcome}"));
        let end = outcome.filter(|end| length(end) <= width).unwrap_or_else(|| "…".to_owned());
        if let Some(last) = lines.last_mut() {
            *last = last.chars().take(width - length(&end)).chain(end.chars()).collect();
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
        assert_eq!(wrap("unlock(&q->m)", 9, 4), ["unlock(", "&q->m)"]);
        assert_eq!(wrap("lock(&accounts[first].lock)", 19, 4), ["lock(&accounts[", "first].lock)"]);
        assert_eq!(wrap("(!compare_exchange(x))", 12, 4), ["(!compare_", "exchange(x))"]);
        assert_eq!(wrap("a b c d e f", 1, 2), ["a", "…"]);
        assert_eq!(wrap("while (some_function(of_this)) → true", 10, 2), ["while", "(s… → true"]);
        assert_eq!(wrap("", 5, 4), Vec::<String>::new());
    }

    #[test]
    fn modest_columns_leave_room_to_others() {
        assert_eq!(share(30, &[5, 100, 100]), [5, 12, 12]);
        assert_eq!(share(30, &[5, 6, 7]), [5, 6, 7]);
    }
}
