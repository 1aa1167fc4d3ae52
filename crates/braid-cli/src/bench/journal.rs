//! The CSV as a journal: each run is written when it ends, and a run that is there is not done again.
//!
//! *Invariant*: the file is readable at any time. A last line that is not whole, because the writer was ended, is dropped when the file is
//! opened again.

use super::csv;
use super::expected::Status;
use super::row::{Item, Key, Row, header};
use crate::exit::{self, Failure};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where runs are written to. Without a file they are only remembered.
pub struct Journal(Option<(PathBuf, File)>);

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure { status: exit::Status::Output, message: format!("{} cannot be written: {error}", path.display()) }
}

/// Reads the rows of a CSV, and whether its last line is not whole.
pub fn read(path: &Path) -> Result<(Vec<Row>, bool), Failure> {
    let failed = |what: String| Failure::rejected(format!("{}: {what}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| failed(format!("cannot be read: {error}")))?;
    if !text.contains('\n') && header().starts_with(&text) {
        return Ok((Vec::new(), true));
    }
    let mut table = csv::read(&text).map_err(failed)?;
    if !["config", "verdict"].iter().all(|name| table.header.iter().any(|column| column == name)) {
        return Err(failed("this is no result of `braid bench`".into()));
    }
    if !text.ends_with('\n') && !table.truncated {
        table.records.pop();
        table.truncated = true;
    }
    let row = |(number, record): (usize, &Vec<String>)| {
        let row = Row::of_cells(&|column| table.cell(record, column).to_owned());
        row.map_err(|what| failed(format!("record {}: {what}; this is no result of `braid bench`", number + 1)))
    };
    let rows = table.records.iter().enumerate().map(row).collect::<Result<Vec<Row>, Failure>>()?;
    Ok((rows, table.truncated))
}

/// Writes a file with these rows, all at once.
pub fn write(path: &Path, rows: &[Row]) -> Result<(), Failure> {
    let text: String = std::iter::once(header()).chain(rows.iter().map(Row::line)).collect();
    let new = path.with_extension("csv.new");
    fs::write(&new, text).and_then(|()| fs::rename(&new, path)).map_err(|error| unwritten(path, &error))
}

impl Journal {
    /// Opens a file, and gives the runs that it has already.
    pub fn open(path: Option<&Path>, restart: bool) -> Result<(Journal, Vec<Row>), Failure> {
        let Some(path) = path else { return Ok((Journal(None), Vec::new())) };
        let is_there = fs::metadata(path).is_ok_and(|file| file.len() > 0);
        let (rows, truncated) = if is_there && !restart { read(path)? } else { (Vec::new(), true) };
        if truncated {
            write(path, &rows)?;
        }
        let file = OpenOptions::new().append(true).open(path).map_err(|error| unwritten(path, &error))?;
        Ok((Journal(Some((path.to_owned(), file))), rows))
    }

    /// Adds a run.
    pub fn append(&mut self, row: &Row) -> Result<(), Failure> {
        match &mut self.0 {
            Some((path, file)) => file.write_all(row.line().as_bytes()).map_err(|error| unwritten(path, &error)),
            None => Ok(()),
        }
    }

    /// Writes all runs in their last order.
    pub fn finish(self, rows: &[Row]) -> Result<(), Failure> {
        self.0.map_or(Ok(()), |(path, _)| write(&path, rows))
    }
}

/// What is left of a plan when some runs are done, and these runs with the plan's expectations.
pub fn left(plan: &[Item], done: Vec<Row>, version: &str) -> Result<(Vec<Item>, Vec<Row>), Failure> {
    let places: HashMap<Key, usize> = plan.iter().enumerate().map(|(place, item)| (item.key(), place)).collect();
    let (mut is_done, mut kept) = (vec![false; plan.len()], Vec::new());
    for mut row in done {
        if let Some(&place) = places.get(&row.item.key()) {
            if std::mem::replace(&mut is_done[place], true) {
                continue;
            }
            same(&plan[place], &row, version)?;
            row.item = plan[place].clone();
        }
        kept.push(row);
    }
    let left = plan.iter().zip(is_done).filter(|(_, is_done)| !is_done).map(|(item, _)| item.clone());
    Ok((left.collect(), kept))
}

/// Was a run made as the plan wants it?
fn same(item: &Item, row: &Row, version: &str) -> Result<(), Failure> {
    let (old, new) = (&row.item, item);
    let limits = |item: &Item| format!("{} s, {} MiB", item.limits.time.as_secs_f64(), item.limits.memory >> 20);
    let differs = [
        ("options", old.options.clone(), new.options.clone()),
        ("limits", limits(old), limits(new)),
        ("version", row.outcome.version.clone(), version.to_owned()),
    ]
    .into_iter()
    .find(|(_, old, new)| old != new);
    let Some((what, old, new)) = differs else { return Ok(()) };
    Err(Failure::usage(format!(
        "error: the CSV has runs of configuration `{}` with other {what}: `{old}` there, `{new}` here\n\
         hint: name another file with --csv, or begin anew with --restart",
        item.config
    )))
}

/// Brings runs into the order of the reports: wrong ones first, then as planned, then others.
pub fn sort(rows: &mut [Row], plan: &[Item]) {
    let places: HashMap<Key, usize> = plan.iter().enumerate().map(|(place, item)| (item.key(), place)).collect();
    rows.sort_by_key(|row| (row.status() != Status::Wrong, places.get(&row.item.key()).copied().unwrap_or(usize::MAX)));
}

#[cfg(test)]
mod tests {
    use super::super::expected::Verdict;
    use super::super::row::tests::row;
    use super::*;

    fn names(rows: &[Row]) -> Vec<&str> {
        rows.iter().map(|row| row.item.task.as_str()).collect()
    }

    #[test]
    fn a_run_goes_on_after_a_truncated_line() {
        let path = std::env::temp_dir().join(format!("braid-journal-{}.csv", std::process::id()));
        let _ = fs::remove_file(&path);
        let rows = ["a.c", "b, \"c\".c", "d.c"].map(|task| row("x", task, "true", Verdict::Safe, 1.0));
        let (mut journal, done) = Journal::open(Some(&path), false).unwrap();
        assert!(done.is_empty());
        rows.iter().for_each(|row| journal.append(row).unwrap());
        drop(journal);
        let whole = fs::read_to_string(&path).unwrap();
        let third = whole.len() - rows[2].line().len();
        for end in third..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let (mut journal, done) = Journal::open(Some(&path), false).unwrap();
            assert_eq!(done, &rows[..2], "{end}");
            journal.append(&rows[2]).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), whole, "{end}");
        }
        for end in 0..=header().len() {
            fs::write(&path, &whole[..end]).unwrap();
            assert!(Journal::open(Some(&path), false).unwrap().1.is_empty(), "{end}");
            assert_eq!(fs::read_to_string(&path).unwrap(), header());
        }
        fs::write(&path, "precious").unwrap();
        assert!(Journal::open(Some(&path), false).is_err());
        let (_, done) = Journal::open(Some(&path), true).unwrap();
        assert!(done.is_empty() && fs::read_to_string(&path).unwrap() == header());
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_is_done_is_not_done_again() {
        let rows = ["a.c", "b.c"].map(|task| row("x", task, "true", Verdict::Safe, 1.0));
        let plan: Vec<Item> = ["a.c", "c.c"].map(|task| row("x", task, "false", Verdict::None, 1.0).item).to_vec();
        let (todo, kept) = left(&plan, rows.to_vec(), "1").unwrap();
        assert_eq!(todo, plan[1..]);
        assert_eq!(names(&kept), ["a.c", "b.c"]);
        assert_eq!([kept[0].status(), kept[1].status()], [Status::Wrong, Status::Correct]);
        let message = left(&plan, rows.to_vec(), "2").unwrap_err().message;
        assert!(message.contains("with other version: `1` there, `2` here"), "{message}");
        let mut other = plan.clone();
        other[0].options.clear();
        assert!(left(&other, rows.to_vec(), "1").unwrap_err().message.contains("with other options"));
    }

    #[test]
    fn wrong_runs_come_first() {
        let check = |task, verdict| row("x", task, "true", verdict, 1.0);
        let mut rows = vec![
            check("other", Verdict::Safe),
            check("b", Verdict::Safe),
            check("c", Verdict::Unsafe),
            check("a", Verdict::Safe),
        ];
        let plan: Vec<Item> = ["a", "b", "c"].map(|task| check(task, Verdict::None).item).to_vec();
        sort(&mut rows, &plan);
        assert_eq!(names(&rows), ["c", "a", "b", "other"]);
    }
}
