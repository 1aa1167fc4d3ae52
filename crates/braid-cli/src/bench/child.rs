//! A process with limits: what it said, how it ended, and what it took.
//!
//! *Invariant*: when [`run`] returns, the process and all that it started in its group have ended. The process is looked at without
//! being reaped until then, so its number belongs to nobody else when the group is killed.

use super::row::Limits;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// How often it is looked whether the process has ended: often at first, when that makes a difference.
const TICKS: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(10)];
/// From when on it is looked less often.
const LATER: Duration = Duration::from_millis(300);
/// How often its memory is looked at.
const WEIGHING: Duration = Duration::from_millis(50);
/// As much of what it says is kept.
const KEPT: u64 = 64 << 20;

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself.
    Itself(ExitStatus),
    OutOfTime,
    OutOfMemory,
    /// Nobody waits for it any more.
    Cancelled,
}

/// A process that has ended.
#[derive(Debug)]
pub struct Ended {
    pub end: End,
    /// What it wrote to standard output.
    pub said: String,
    /// What it wrote to standard error.
    pub complained: String,
    pub wall: Duration,
    /// Of the process and all that it has waited for.
    pub cpu: Duration,
    /// The peak of resident memory in bytes: of one process, or of all together as far as that was seen.
    pub memory: u64,
}

impl Ended {
    /// The exit status, or the signal.
    pub fn exit(&self) -> String {
        match self.end {
            End::Itself(status) => match (status.code(), status.signal()) {
                (Some(code), _) => code.to_string(),
                (None, Some(signal)) => format!("signal {signal}"),
                (None, None) => "unknown".to_owned(),
            },
            _ => format!("signal {}", Signal::SIGKILL as i32),
        }
    }
}

/// Runs a process to its end, or to a limit. The error says why it cannot be run.
pub fn run(command: &mut Command, limits: Limits, cancelled: &AtomicBool) -> Result<Ended, String> {
    let files = |error: io::Error| format!("no file for what it says: {error}");
    let (mut said, mut complained) = (nameless().map_err(files)?, nameless().map_err(files)?);
    command.stdin(Stdio::null()).process_group(0);
    command.stdout(said.try_clone().map_err(files)?).stderr(complained.try_clone().map_err(files)?);
    let start = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|error| format!("{} cannot be started: {error}", command.get_program().to_string_lossy()))?;
    let process = Pid::from_raw(child.id().cast_signed());
    let (stopped, seen) = watch(process, start, limits, cancelled);
    let wall = start.elapsed();
    // What it has left behind must not disturb the next run.
    let _ = killpg(process, Signal::SIGKILL);
    let used = child.wait4().map_err(|error| format!("it cannot be waited for: {error}"))?;
    Ok(Ended {
        end: stopped.unwrap_or(End::Itself(used.status)),
        said: text(&mut said),
        complained: text(&mut complained),
        wall,
        cpu: used.rusage.utime + used.rusage.stime,
        memory: seen.max(used.rusage.maxrss),
    })
}

/// Waits until the process has ended or must end; gives the reason in the second case, and the most memory that was seen.
fn watch(process: Pid, start: Instant, limits: Limits, cancelled: &AtomicBool) -> (Option<End>, u64) {
    let (mut weighed, mut seen) = (start, 0);
    loop {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        match waitid(Id::Pid(process), flags) {
            Ok(WaitStatus::StillAlive) => {}
            // With an error there is nothing to wait for either.
            _ => return (None, seen),
        }
        if weighed.elapsed() >= WEIGHING {
            weighed = Instant::now();
            seen = seen.max(resident(process.as_raw()));
        }
        if cancelled.load(Ordering::Relaxed) {
            return (Some(End::Cancelled), seen);
        }
        if start.elapsed() >= limits.time {
            return (Some(End::OutOfTime), seen);
        }
        if seen > limits.memory {
            return (Some(End::OutOfMemory), seen);
        }
        thread::sleep(TICKS[usize::from(start.elapsed() > LATER)]);
    }
}

/// The resident memory of a process and of all below it, in bytes; 0 of those that have ended.
fn resident(process: i32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let own =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    let below: u64 = children
        .map(|list| list.split_whitespace().filter_map(|child| child.parse().ok()).map(resident).sum::<u64>())
        .sum();
    own.unwrap_or(0) * 1024 + below
}

/// A file that has no name any more, and goes away with the last that uses it.
fn nameless() -> io::Result<File> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("braid-bench-{}-{number}", std::process::id()));
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

fn text(file: &mut File) -> String {
    let mut bytes = Vec::new();
    // What cannot be read was not said.
    let _ = file.rewind().and_then(|()| file.take(KEPT).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLENTY: Limits = Limits { time: Duration::from_secs(60), memory: 1 << 40 };

    fn shell(script: &str, limits: Limits) -> Ended {
        run(Command::new("sh").args(["-c", script]), limits, &AtomicBool::new(false)).unwrap()
    }

    #[test]
    fn ends_by_itself() {
        let ended = shell("echo out; echo err >&2; exit 7", PLENTY);
        assert_eq!((ended.said.as_str(), ended.complained.as_str()), ("out\n", "err\n"));
        assert_eq!(ended.exit(), "7");
        let ended = shell("kill -SEGV $$", PLENTY);
        assert_eq!(ended.exit(), "signal 11");
    }

    #[test]
    fn time_is_measured_and_limited() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let ended = shell(busy, PLENTY);
        assert!(ended.cpu > Duration::from_millis(20) && ended.memory > 100_000, "{ended:?}");
        let short = Limits { time: Duration::from_millis(100), ..PLENTY };
        let ended = shell("echo begun; sleep 30", short);
        assert_eq!((ended.end, ended.said.as_str()), (End::OutOfTime, "begun\n"));
        assert!(ended.wall < Duration::from_secs(10) && ended.cpu < Duration::from_secs(5), "{ended:?}");
    }

    #[test]
    fn memory_is_limited_for_all_processes_together() {
        // A child of the shell takes the memory.
        let hungry = "head -c 100000000 /dev/zero | tail -c 100000000 | { sleep 5; cat >/dev/null; }; true";
        let ended = shell(hungry, Limits { memory: 50 << 20, ..PLENTY });
        assert_eq!(ended.end, End::OutOfMemory);
        assert!(ended.memory > 50 << 20);
    }

    #[test]
    fn nothing_is_left_behind() {
        let ended = shell("sleep 1000 & echo $!", PLENTY);
        let child: i32 = ended.said.trim().parse().unwrap();
        let lives = || fs::read_to_string(format!("/proc/{child}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
        assert!((0..100).any(|_| {
            thread::sleep(Duration::from_millis(20));
            !lives()
        }));
        let cancelled = AtomicBool::new(true);
        let ended = run(Command::new("sleep").arg("1000"), PLENTY, &cancelled).unwrap();
        assert_eq!(ended.end, End::Cancelled);
    }

    #[test]
    fn what_cannot_be_started() {
        let error = run(&mut Command::new("/no/such/file"), PLENTY, &AtomicBool::new(false)).unwrap_err();
        assert!(error.starts_with("/no/such/file cannot be started: "), "{error}");
    }
}
