//! The options of `braid bench`.

use crate::units::{parse_bytes, parse_duration};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

const TASKS: &str = "Tasks and configurations";
const RESULTS: &str = "Results";
const MACHINES: &str = "Many machines";

#[derive(Args, Debug)]
#[command(after_help = STATUSES)]
pub struct Bench {
    /// Task sets: manifests (.csv), lists of patterns (.set), task definitions (.yml), or programs; none: report what --csv has
    pub sets: Vec<PathBuf>,
    /// A configuration: a name and options of `braid verify`, such as gem="--engine gem --order seq" [default: one without options]
    #[arg(long, value_name = "NAME=OPTIONS", help_heading = TASKS)]
    pub config: Vec<String>,
    /// A file with a configuration in each line: NAME = OPTIONS
    #[arg(long, value_name = "FILE", help_heading = TASKS)]
    pub config_file: Option<PathBuf>,
    /// Only tasks with this property; tasks without one get it
    #[arg(long, value_name = "PROP", help_heading = TASKS)]
    pub property: Option<String>,
    /// Only tasks with this text in SET/NAME
    #[arg(long, value_name = "TEXT", help_heading = TASKS)]
    pub filter: Option<String>,
    /// Only tasks that a manifest does not keep out of its core
    #[arg(long, help_heading = TASKS)]
    pub core: bool,
    /// Run another `braid` than this one
    #[arg(long, value_name = "FILE", help_heading = TASKS)]
    pub braid: Option<PathBuf>,
    /// The time for each run: 60, 60s, 1.5m, 500ms
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "60s", help_heading = super::LIMITS)]
    pub timeout: Duration,
    /// The memory for each run: 4GiB, 500MB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "4GiB", help_heading = super::LIMITS)]
    pub memory: u64,
    /// How many runs at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), default_value_t = 1, help_heading = super::LIMITS)]
    pub jobs: u32,
    /// Write each run to this file; with runs in it already, go on from there
    #[arg(long, value_name = "FILE", help_heading = RESULTS)]
    pub csv: Option<PathBuf>,
    /// Begin anew, even if there are runs in the CSV
    #[arg(long, help_heading = RESULTS)]
    pub restart: bool,
    /// Write a page with plots and a table
    #[arg(long, value_name = "FILE", help_heading = RESULTS)]
    pub html: Option<PathBuf>,
    /// Say what has changed since an earlier CSV
    #[arg(long, value_name = "OLD.csv", help_heading = RESULTS)]
    pub compare: Option<PathBuf>,
    /// From which factor on a run is slower or faster than the old one
    #[arg(long, value_name = "F", default_value_t = 1.5, value_parser = parse_factor, requires = "compare", help_heading = RESULTS)]
    pub factor: f64,
    /// Do not run: write a Slurm job array into this folder
    #[arg(long, value_name = "DIR", help_heading = MACHINES, conflicts_with_all = ["csv", "html", "compare"])]
    pub slurm: Option<PathBuf>,
    /// Run one piece of what --slurm wrote, as the script in the folder says it
    #[arg(long, value_name = "K/N", requires = "slurm", hide = true)]
    pub piece: Option<String>,
    /// Put together what the job array in this folder has done [default for --csv: results.csv in it]
    #[arg(long, value_name = "DIR", help_heading = MACHINES, conflicts_with_all = ["slurm", "benchexec", "sets"])]
    pub collect: Option<PathBuf>,
    /// Do not run: write a run definition for BenchExec, with its tasks in a folder beside it
    #[arg(long, value_name = "FILE.xml", help_heading = MACHINES, conflicts_with_all = ["slurm", "csv", "html", "compare"])]
    pub benchexec: Option<PathBuf>,
    /// With --slurm and --benchexec: how many cores each run gets
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), default_value_t = 1, help_heading = MACHINES)]
    pub cores: u32,
}

const STATUSES: &str = "\
Exit status: 0 no verdict is wrong, 1 some are, 20 interrupted or not complete, 2 wrong usage, 3 a set cannot be read.
See docs/bench.md.";

fn parse_factor(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|factor| (1.0..1e6).contains(factor))
        .ok_or_else(|| "this should be a number from 1 on".into())
}
