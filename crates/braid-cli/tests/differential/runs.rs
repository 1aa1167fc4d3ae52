//! Compiles programs against the scheduler in `schedule.c`, and runs them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// For each site the values that were seen, and how often.
pub type Observations = BTreeMap<usize, BTreeMap<i64, u64>>;

/// How runs ended.
#[derive(Clone, Default, Debug)]
pub struct Ends {
    pub finished: u64,
    /// An assertion failed.
    pub failed: u64,
    /// A signed number overflowed.
    pub overflowed: u64,
    /// Other undefined behaviour.
    pub undefined: u64,
    /// A run got no further, or did not end.
    pub stuck: u64,
    /// Were these all schedules?
    pub complete: bool,
}

/// Functions of the library that the scheduler stands in for.
const WRAPPED: &str = "abort exit _exit _Exit quick_exit err errx verr verrx malloc calloc realloc reallocarray free strdup posix_memalign aligned_alloc \
    memalign valloc alarm getchar printf fprintf dprintf vprintf vfprintf __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk puts \
    fputs putchar fputc putc perror fflush fclose setbuf setvbuf warn warnx write strndup fopen fopen64 open open64 \
    creat fread fwrite fseek rewind clearerr fsync access mkdir chdir rename rmdir unlink remove pwrite pwrite64";

/// Which runs are tried one after the other, and what ends them early.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tries {
    /// All schedules, until an assertion fails.
    All,
    /// All schedules, until something overflows.
    Overflows,
    /// For each time that several threads run all their schedules, until an assertion fails.
    Rounds,
}

/// GCC, and the scheduler compiled by it.
pub struct Compiler {
    scheduler: PathBuf,
}

impl Compiler {
    /// None where there is no such compiler, or the machine is another one.
    pub fn new(folder: &Path) -> Option<Compiler> {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return None;
        }
        Command::new("gcc").arg("--version").output().ok()?;
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/schedule.c");
        let scheduler = folder.join("schedule.o");
        gcc(Command::new("gcc").args(["-w", "-O1", "-fno-builtin", "-c"]).arg(source).arg("-o").arg(&scheduler));
        Some(Compiler { scheduler })
    }

    /// Writes a program and compiles it.
    pub fn compile(&self, folder: &Path, name: &str, text: &str) -> PathBuf {
        let (source, executable) = (folder.join(format!("{name}.c")), folder.join(name));
        fs::write(&source, text).expect("a program can be written");
        let mut command = Command::new("gcc");
        command.args(["-w", "-O0", "-Dmain=program_main", "-fsanitize=thread", "-fno-sanitize-recover=all"]);
        command.arg("-fsanitize=signed-integer-overflow,shift,bounds,integer-divide-by-zero,float-cast-overflow");
        // The calls of sanitizers go to the scheduler: their own libraries stay away.
        let object = folder.join(format!("{name}.o"));
        gcc(command.arg("-c").arg(&source).arg("-o").arg(&object));
        let wrapped: Vec<String> = WRAPPED.split_whitespace().map(|name| format!("--wrap={name}")).collect();
        let mut command = Command::new("gcc");
        command.arg(format!("-Wl,{}", wrapped.join(",")));
        gcc(command.arg(&object).arg(&self.scheduler).arg("-o").arg(&executable).arg("-lm"));
        let _ = fs::remove_file(object);
        executable
    }

    /// Runs a program under random schedules.
    pub fn run(&self, executable: &Path, seed: u64, runs: u64) -> (Ends, Observations) {
        output(Command::new(executable).args(["random", &seed.to_string(), &runs.to_string()]))
    }

    /// Runs a program under all schedules, as far as it gets, until something is wrong.
    pub fn run_all(&self, executable: &Path, tries: Tries, runs: u64) -> (Ends, Observations) {
        let (which, wanted) = match tries {
            Tries::All => ("all", "failure"),
            Tries::Overflows => ("all", "overflow"),
            Tries::Rounds => ("rounds", "failure"),
        };
        output(Command::new(executable).args([which, wanted, &runs.to_string()]))
    }
}

fn gcc(command: &mut Command) {
    let output = command.output().expect("GCC runs");
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

fn output(command: &mut Command) -> (Ends, Observations) {
    let output = command.output().expect("the program runs");
    let (mut ends, mut observations) = (Ends::default(), Observations::default());
    if !output.status.success() {
        eprintln!("{command:?}: {:?}", output.status);
        ends.undefined = 1;
    }
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |text: &str| text.parse::<i64>().expect("the scheduler writes numbers");
        match words[..] {
            ["observed", site, value, count] => {
                let seen = observations.entry(number(site) as usize).or_default();
                seen.insert(number(value), number(count) as u64);
            }
            ["ended", "finished", count] => ends.finished = number(count) as u64,
            ["ended", "failed", count] => ends.failed = number(count) as u64,
            ["ended", "overflowed", count] => ends.overflowed = number(count) as u64,
            ["ended", "undefined", count] => ends.undefined = number(count) as u64,
            ["ended", "deadlocked" | "endless", count] => ends.stuck += number(count) as u64,
            ["complete"] => ends.complete = true,
            _ => {}
        }
    }
    (ends, observations)
}
