//! `braid bench`: tasks × configurations, each a run of `braid verify` in a process of its own, with limits.
//!
//! `tasks` and `config` say what is to be done, `row` is one run and its line in the CSV, `journal` keeps lines and goes on from them,
//! `launch` and `child` run one, `pool` several; `summary`, `compare` and `page` tell what came of it; `slurm` and `benchexec` have other
//! machines do it. *Invariants*: no run is told that is not in the CSV, and wherever runs are listed wrong ones come first.

mod benchexec;
mod child;
mod compare;
mod config;
mod csv;
mod expected;
mod glob;
mod journal;
mod launch;
mod page;
mod pool;
mod remaining;
mod row;
mod shell;
mod slurm;
mod summary;
mod tasks;

use crate::arguments::Bench;
use crate::exit::{Failure, Status};
use crate::output;
use crate::progress::LiveLine;
use crate::signals::cancelled_by_signals;
use crate::verify::can_be_written;
use compare::Comparison;
use config::Config;
use journal::Journal;
use launch::Launcher;
use pool::Event;
use remaining::Remaining;
use row::{Item, Limits, Row};
use slurm::{Piece, Way};
use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Runs `braid bench`.
pub fn bench(arguments: &Bench, start: Instant) -> Result<Status, Failure> {
    if let Some(folder) = &arguments.collect {
        return collect(arguments, folder);
    }
    if let Some((folder, piece)) = arguments.slurm.as_deref().zip(arguments.piece.as_deref()) {
        return run_piece(arguments, (folder, Piece::parse(piece)?), start);
    }
    if let Some(path) = &arguments.html {
        can_be_written(path)?;
    }
    if arguments.sets.is_empty() {
        let hint = "error: there is no task set\nhint: name one, or a CSV with --csv that is to be reported";
        let path = arguments.csv.as_deref().ok_or_else(|| Failure::usage(hint))?;
        let mut rows = journal::read(path)?.0;
        journal::sort(&mut rows, &[]);
        return report(arguments, &rows, true);
    }
    let launcher = Launcher::new(arguments.braid.as_deref())?;
    let plan = plan(arguments)?;
    if let Some(folder) = &arguments.slurm {
        let way = Way { command: own_command(arguments)?, cores: arguments.cores, restart: arguments.restart };
        return output::print(&slurm::write(folder, &plan, &way)?).map(|()| Status::Safe);
    }
    if let Some(file) = &arguments.benchexec {
        return output::print(&benchexec::write(file, &plan, arguments.cores)?).map(|()| Status::Safe);
    }
    let done = run(arguments, (&plan, arguments.csv.as_deref()), &launcher, start)?;
    match done {
        Done::All(rows) => report(arguments, &rows, true),
        Done::Interrupted(rows) => report(arguments, &rows, false),
    }
}

/// How this process is called again for a piece.
fn own_command(arguments: &Bench) -> Result<Vec<String>, Failure> {
    let own = Launcher::new(None)?.program;
    let mut command = vec![own.to_string_lossy().into_owned(), "bench".to_owned()];
    if arguments.braid.is_some() {
        let other = Launcher::new(arguments.braid.as_deref())?.program;
        command.extend(["--braid".to_owned(), other.to_string_lossy().into_owned()]);
    }
    Ok(command)
}

/// All runs that the command line asks for: each task with all configurations, then the next.
fn plan(arguments: &Bench) -> Result<Vec<Item>, Failure> {
    let wanted =
        tasks::Wanted { property: arguments.property.clone(), filter: arguments.filter.clone(), core: arguments.core };
    let (tasks, remarks) = tasks::read(&arguments.sets, &wanted)?;
    remarks.iter().for_each(|remark| eprintln!("note: {remark}"));
    let configs = config::read(&arguments.config, arguments.config_file.as_deref())?;
    let limits = Limits { time: arguments.timeout, memory: arguments.memory };
    let item = |task: &tasks::Task, config: &Config| Item {
        config: config.name.clone(),
        options: config.line(),
        set: task.set.clone(),
        task: task.name.clone(),
        file: task.file.display().to_string(),
        property: task.property.clone(),
        args: shell::line(&task.options),
        expected: task.expected.clone(),
        limits,
    };
    if let (None, Some(task)) = (&arguments.braid, tasks.first()) {
        configs.iter().try_for_each(|config| config.check(&launch::arguments(&item(task, config))))?;
    }
    Ok(tasks.iter().flat_map(|task| configs.iter().map(move |config| item(task, config))).collect())
}

/// How far a benchmark has got.
enum Done {
    All(Vec<Row>),
    /// Somebody wanted it to end.
    Interrupted(Vec<Row>),
}

/// Does what is left of a plan, and keeps it.
fn run(
    arguments: &Bench,
    (plan, path): (&[Item], Option<&Path>),
    launcher: &Launcher,
    start: Instant,
) -> Result<Done, Failure> {
    let (mut journal, earlier) = Journal::open(path, arguments.restart)?;
    let (todo, mut rows) = journal::left(plan, earlier, &launcher.version)?;
    if let Some(path) = path.filter(|_| !rows.is_empty()) {
        let done = plan.len() - todo.len();
        let more = if rows.len() > done { format!("; {} others stay", rows.len() - done) } else { String::new() };
        eprintln!("{}: {done} of {} runs are there{more} (--restart begins anew)", path.display(), plan.len());
    }
    let before = rows.len();
    let cancelled = cancelled_by_signals()?;
    let jobs = arguments.jobs as usize;
    let mut remaining = Remaining::new(LiveLine::new(start, false), jobs, &todo, &rows);
    let result = pool::run(&todo, jobs, launcher, &cancelled, |event| {
        match event {
            Event::Started(item) => remaining.started(item),
            Event::Tick => remaining.draw(),
            Event::Finished(row) => {
                journal.append(&row)?;
                remaining.finished(&row);
                rows.push(*row);
            }
        }
        Ok(())
    });
    remaining.erase();
    result?;
    journal::sort(&mut rows, plan);
    journal.finish(&rows)?;
    let left = todo.len() - (rows.len() - before);
    if !cancelled.load(Ordering::Relaxed) {
        return Ok(Done::All(rows));
    }
    match path {
        Some(path) => eprintln!("interrupted: {left} runs are left; the same command goes on from {}", path.display()),
        None => eprintln!("interrupted: {left} runs are left; with --csv FILE the same command could go on from there"),
    }
    Ok(Done::Interrupted(rows))
}

/// Does a piece of a job array.
fn run_piece(arguments: &Bench, (folder, piece): (&Path, Piece), start: Instant) -> Result<Status, Failure> {
    let items = slurm::of_piece(&slurm::plan(folder)?, piece);
    let launcher = Launcher::new(arguments.braid.as_deref())?;
    let rows = match run(arguments, (&items, Some(&piece.csv(folder))), &launcher, start)? {
        Done::All(rows) => rows,
        Done::Interrupted(_) => return Ok(Status::Unknown),
    };
    // A wrong verdict is no failure of the job: it is told when all are collected.
    output::print(&summary::text(&rows)).map(|()| Status::Safe)
}

/// Puts together what a job array has done.
fn collect(arguments: &Bench, folder: &Path) -> Result<Status, Failure> {
    let slurm::Collected { plan, mut rows, left } = slurm::collect(folder)?;
    journal::sort(&mut rows, &plan);
    let path = arguments.csv.clone().unwrap_or_else(|| folder.join("results.csv"));
    journal::write(&path, &rows)?;
    eprint!("{left}");
    eprintln!("{} runs are in {}", rows.len(), path.display());
    report(arguments, &rows, left.is_empty())
}

/// Tells what came of it, on standard output and as a page.
fn report(arguments: &Bench, rows: &[Row], complete: bool) -> Result<Status, Failure> {
    let old = arguments.compare.as_deref().map(|path| Ok::<_, Failure>((path, journal::read(path)?.0))).transpose()?;
    let comparison =
        old.as_ref().map(|(path, old)| Comparison::new(&path.display().to_string(), old, rows, arguments.factor));
    let compared = comparison.as_ref().map(Comparison::text).unwrap_or_default();
    output::print(&(summary::text(rows) + &compared))?;
    if let Some(path) = &arguments.html {
        fs::write(path, page::html(rows, comparison.as_ref())).map_err(|error| Failure {
            status: Status::Output,
            message: format!("{} cannot be written: {error}", path.display()),
        })?;
    }
    Ok(match rows.iter().any(|row| row.status() == expected::Status::Wrong) {
        true => Status::Refused,
        false if complete => Status::Safe,
        false => Status::Unknown,
    })
}
