//! A compiler at work: watched, and ended with all that it has started if nobody wants its result any more.

use crate::Error;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How often it is looked after.
const TICK: Duration = Duration::from_millis(5);

/// A compiler at work.
pub struct Job {
    child: Child,
    name: String,
}

impl Job {
    /// Starts it, with what it starts itself as one group.
    pub fn start(command: &mut Command) -> Result<Job, Error> {
        let name = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let child = command.spawn().map_err(|error| Error::NoCompiler(format!("{name}: {error}")))?;
        Ok(Job { child, name })
    }

    /// Waits; the complaints are the error.
    pub fn finish(mut self, stopped: &dyn Fn() -> bool) -> Result<(), Error> {
        let failed = |name: &str, error: std::io::Error| Error::NoCompiler(format!("{name}: {error}"));
        let mut pipe = self.child.stderr.take().ok_or_else(|| Error::NoCompiler(self.name.clone()))?;
        let reader = std::thread::spawn(move || {
            let mut said = Vec::new();
            pipe.read_to_end(&mut said).map(|_| said)
        });
        let status = loop {
            if let Some(status) = self.child.try_wait().map_err(|error| failed(&self.name, error))? {
                break status;
            }
            if stopped() {
                return Err(Error::Stopped);
            }
            std::thread::sleep(TICK);
        };
        let said = reader.join().unwrap_or_else(|_| Ok(Vec::new())).map_err(|error| failed(&self.name, error))?;
        if status.success() {
            return Ok(());
        }
        Err(Error::Rejected(String::from_utf8_lossy(&said).trim().to_owned()))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = killpg(Pid::from_raw(self.child.id() as i32), Signal::SIGKILL);
            let _ = self.child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn what_nobody_waits_for_ends() {
        let start = Instant::now();
        let job = Job::start(Command::new("sh").args(["-c", "sleep 30; true"])).unwrap();
        let group = Pid::from_raw(job.child.id() as i32);
        assert_eq!(job.finish(&|| start.elapsed() > Duration::from_millis(50)), Err(Error::Stopped));
        assert!(start.elapsed() < Duration::from_secs(10));
        // Nothing of the group is left, or soon nothing is.
        let gone = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            killpg(group, None).is_err()
        });
        assert!(gone);
    }

    #[test]
    fn complaints_are_kept() {
        let job = Job::start(Command::new("sh").args(["-c", "echo no >&2; exit 1"])).unwrap();
        assert_eq!(job.finish(&|| false), Err(Error::Rejected("no".into())));
    }
}
