//! The same benchmark as a job array of Slurm: a folder that all machines see.
//!
//! | in the folder | what it is |
//! |---|---|
//! | `tasks.csv` | the plan, a run in each line |
//! | `job.sbatch` | the script: element K of the array does piece K |
//! | `results/K.csv` | the runs of piece K, written by nobody else |
//! | `logs/K.txt` | what piece K said besides |
//!
//! *Invariant*: a piece is every n-th run of the plan, and goes on from its CSV: an array that is submitted again does only what is left.

use super::launch::beyond;
use super::row::{ITEM_COLUMNS, Item, MIB, Row};
use super::{csv, journal, shell};
use crate::exit::{self, Failure};
use std::fs;
use std::path::{Path, PathBuf};

/// Slurm takes arrays of 1001 elements if nobody has said otherwise.
const PIECES: usize = 1000;
/// What `braid bench` needs beside a run, in MiB.
const OWN: f64 = 256.0;
/// What it needs to begin and end, in seconds.
const AROUND: f64 = 60.0;

/// Part `number` of `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    number: usize,
    count: usize,
}

impl Piece {
    /// `K/N`.
    pub fn parse(text: &str) -> Result<Piece, Failure> {
        let parsed = text
            .split_once('/')
            .and_then(|(number, count)| Some(Piece { number: number.parse().ok()?, count: count.parse().ok()? }));
        let piece = parsed.filter(|piece| piece.number < piece.count);
        piece.ok_or_else(|| Failure::usage(format!("error: `{text}` is no piece: write K/N, from 0/N on")))
    }

    fn has(self, place: usize) -> bool {
        place % self.count == self.number
    }

    /// The file for its runs.
    pub fn csv(self, folder: &Path) -> PathBuf {
        folder.join("results").join(format!("{}.csv", self.number))
    }
}

fn pieces(plan: &[Item]) -> usize {
    plan.len().clamp(1, PIECES)
}

/// How pieces are run.
pub struct Way {
    /// `braid bench` as words, with what it needs for every piece.
    pub command: Vec<String>,
    /// How many each piece gets.
    pub cores: u32,
    /// Does what is in the folder go away?
    pub restart: bool,
}

/// Writes a folder, and says what to do with it.
pub fn write(folder: &Path, plan: &[Item], way: &Way) -> Result<String, Failure> {
    let failed = |path: &Path, error: std::io::Error| Failure {
        status: exit::Status::Output,
        message: format!("{} cannot be written: {error}", path.display()),
    };
    let tasks = folder.join("tasks.csv");
    let results = folder.join("results");
    if way.restart && results.exists() {
        fs::remove_dir_all(&results).map_err(|error| failed(&results, error))?;
    } else if !way.restart && tasks.exists() {
        let what = format!("error: {} has a job array already", folder.display());
        return Err(Failure::usage(format!("{what}\nhint: name another folder, or begin anew with --restart")));
    }
    for path in [&results, &folder.join("logs")] {
        fs::create_dir_all(path).map_err(|error| failed(path, error))?;
    }
    let folder = fs::canonicalize(folder).map_err(|error| failed(folder, error))?;
    let line = |item: &Item| csv::line(item.cells().iter().map(String::as_str));
    let text: String = std::iter::once(csv::line(ITEM_COLUMNS)).chain(plan.iter().map(line)).collect();
    fs::write(&tasks, text).map_err(|error| failed(&tasks, error))?;
    let script = folder.join("job.sbatch");
    fs::write(&script, text_of_script(&folder, plan, way)).map_err(|error| failed(&script, error))?;
    let (script, folder) = (shell::quoted(&script.to_string_lossy()), shell::quoted(&folder.to_string_lossy()));
    Ok(format!(
        "{} runs in {} pieces.\nstart:   sbatch {script}\ncollect: braid bench --collect {folder} --html page.html\n",
        plan.len(),
        pieces(plan)
    ))
}

/// The script for `sbatch`. Limits of Slurm are wider than those of Braid, which should be the ones that count.
fn text_of_script(folder: &Path, plan: &[Item], way: &Way) -> String {
    let count = pieces(plan);
    let limits = plan.iter().map(|item| beyond(item.limits));
    let memory = limits.clone().map(|limits| limits.memory as f64 / MIB).fold(0.0, f64::max) + OWN;
    let seconds = limits.map(|limits| limits.time.as_secs_f64()).fold(0.0, f64::max);
    let minutes = (seconds * plan.len().div_ceil(count) as f64 + AROUND) / 60.0;
    let here = std::env::current_dir().unwrap_or_else(|_| folder.to_owned());
    let (here, shown) = (here.display(), folder.display());
    let (command, path, cores) = (shell::line(&way.command), shell::quoted(&folder.to_string_lossy()), way.cores);
    format!(
        "#!/bin/sh\n\
         # {} runs of Braid in {count} pieces. Submitted again, it does what is left.\n\
         #SBATCH --job-name=braid-bench\n\
         #SBATCH --array=0-{}\n\
         #SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task={cores}\n\
         #SBATCH --mem={memory:.0}M\n\
         #SBATCH --time={:.0}\n\
         #SBATCH --chdir=\"{here}\"\n\
         #SBATCH --output=\"{shown}/logs/%a.txt\"\n\
         exec {command} --slurm {path} --piece \"$SLURM_ARRAY_TASK_ID/{count}\"\n",
        plan.len(),
        count - 1,
        minutes.ceil(),
    )
}

/// The plan of a folder.
pub fn plan(folder: &Path) -> Result<Vec<Item>, Failure> {
    let path = folder.join("tasks.csv");
    let failed = |what: String| Failure::rejected(format!("{}: {what}", path.display()));
    let text = fs::read_to_string(&path).map_err(|error| failed(format!("cannot be read: {error}")))?;
    let table = csv::read(&text).map_err(failed)?;
    let item = |record: &Vec<String>| Item::of_cells(&|column| table.cell(record, column).to_owned()).map_err(failed);
    table.records.iter().map(item).collect()
}

/// The runs of one piece.
pub fn of_piece(plan: &[Item], piece: Piece) -> Vec<Item> {
    plan.iter().enumerate().filter(|(place, _)| piece.has(*place)).map(|(_, item)| item.clone()).collect()
}

/// What a job array has done.
pub struct Collected {
    pub plan: Vec<Item>,
    pub rows: Vec<Row>,
    /// How to do what is left; empty if nothing is.
    pub left: String,
}

/// Reads what all pieces have written.
pub fn collect(folder: &Path) -> Result<Collected, Failure> {
    let plan = plan(folder)?;
    let count = pieces(&plan);
    let (mut rows, mut unfinished) = (Vec::new(), Vec::new());
    for number in 0..count {
        let piece = Piece { number, count };
        let path = piece.csv(folder);
        let done = if path.exists() { journal::read(&path)?.0 } else { Vec::new() };
        let version = done.first().map(|row| row.outcome.version.clone()).unwrap_or_default();
        let (left, done) = journal::left(&of_piece(&plan, piece), done, &version)?;
        if !left.is_empty() {
            unfinished.push(number);
        }
        rows.extend(done);
    }
    let script = shell::quoted(&folder.join("job.sbatch").to_string_lossy());
    let left = match unfinished.is_empty() {
        true => String::new(),
        false => format!(
            "{} of {} runs are not done yet. When the array has ended: sbatch --array={} {script}\n",
            plan.len() - rows.len(),
            plan.len(),
            ranges(&unfinished)
        ),
    };
    Ok(Collected { plan, rows, left })
}

/// `0-2,5` of 0, 1, 2 and 5.
fn ranges(numbers: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let text = |&(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    ranges.iter().map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::super::expected::Verdict;
    use super::super::row::tests::row;
    use super::*;

    #[test]
    fn pieces_are_all_of_the_plan() {
        let plan: Vec<Item> =
            (0..7).map(|number| row("a", &number.to_string(), "true", Verdict::None, 0.0).item).collect();
        let of = |number: usize| of_piece(&plan, Piece { number, count: 3 });
        let tasks = |number: usize| of(number).into_iter().map(|item| item.task).collect::<Vec<_>>().concat();
        assert_eq!([tasks(0), tasks(1), tasks(2)], ["036", "14", "25"]);
        assert_eq!(Piece::parse("2/3"), Ok(Piece { number: 2, count: 3 }));
        for wrong in ["3/3", "1", "a/b", "-1/2"] {
            assert!(Piece::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }

    #[test]
    fn a_folder_is_written_and_collected() {
        let folder = std::env::temp_dir().join(format!("braid slurm {}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let rows = ["a.c", "b.c", "c.c"].map(|task| row("x", task, "true", Verdict::Safe, 1.0));
        let plan = rows.clone().map(|row| row.item);
        let way = |restart: bool| Way { command: vec!["/opt/b 1/braid".into(), "bench".into()], cores: 2, restart };
        write(&folder, &plan, &way(false)).unwrap();
        assert!(write(&folder, &plan, &way(false)).unwrap_err().message.contains("has a job array already"));
        let script = fs::read_to_string(folder.join("job.sbatch")).unwrap();
        for line in [
            "#SBATCH --array=0-2",
            "--cpus-per-task=2",
            "--mem=1382M",
            "--time=2\n",
            "exec '/opt/b 1/braid' bench --slurm '",
        ] {
            assert!(script.contains(line), "{line} in {script}");
        }
        assert_eq!(super::plan(&folder).unwrap(), plan);
        for number in [0, 2] {
            journal::write(&Piece { number, count: 3 }.csv(&folder), &rows[number..=number]).unwrap();
        }
        let collected = collect(&folder).unwrap();
        assert_eq!(collected.rows, [rows[0].clone(), rows[2].clone()]);
        assert!(collected.left.contains("1 of 3 runs are not done yet") && collected.left.contains("--array=1 "));
        journal::write(&Piece { number: 1, count: 3 }.csv(&folder), &rows[1..=1]).unwrap();
        assert_eq!(collect(&folder).unwrap().left, "");
        write(&folder, &plan, &way(true)).unwrap();
        assert!(collect(&folder).unwrap().rows.is_empty());
        fs::remove_dir_all(&folder).unwrap();
    }
}
