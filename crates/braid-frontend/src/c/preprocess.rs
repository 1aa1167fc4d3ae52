//! `.c` files go through the system's C compiler (`cc -E`), whose complaints become diagnostics.

use super::places::STANDARD_INPUT;
use super::tree::DataModel;
use crate::{Diagnostic, Diagnostics, Preprocessor};
use braid_program::source::{FileId, Span};
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Who preprocesses: the first that there is. A mere preprocessor (`cpp`) would not do: `<stddef.h>` and its like come with compilers.
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];

/// The command that preprocesses C on this machine; none if there is none.
pub fn preprocessor() -> Option<&'static str> {
    static FOUND: OnceLock<Option<&str>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let is_there = |name: &&str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
        COMPILERS.into_iter().find(is_there)
    })
}

/// The same; where there is none, the usual one, which cannot be started then.
fn compiler() -> &'static str {
    preprocessor().unwrap_or(COMPILERS[0])
}

const LINUX: &str = "linux.h";
/// What it is called in line markers.
const KERNEL_NAME: &str = "<linux.h>";
const KERNEL_TEXT: &str = include_str!("../../prelude/linux.h");
/// Headers of the kernel, which are empty: what they declare is in one file.
const KERNEL: [(&str, &str); 2] = [
    (
        "linux",
        "atomic barrier bitops bug cache compiler completion delay device err export fs gfp init interrupt jiffies kernel kref kthread list \
         module moduleparam mutex percpu preempt printk rcupdate rculist refcount rwlock rwsem sched semaphore seqlock slab smp \
         spinlock string timer types uaccess vmalloc wait workqueue",
    ),
    ("asm", "atomic barrier bitops cmpxchg io processor spinlock uaccess"),
];

/// What compilers say of a header that is nowhere.
const MISSING: &str = "No such file";
const HEADER_HINT: &str =
    "say where the header is (`-I DIR`), install the package that has it, or give the preprocessed file (`.i`)";

/// Headers of the C library that concurrent programs begin with, and what to do where they are missing.
const LIBRARY: [&str; 10] = [
    "assert.h",
    "errno.h",
    "limits.h",
    "pthread.h",
    "semaphore.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "threads.h",
    "unistd.h",
];
const LIBRARY_HINT: &str =
    "install the headers of the C library (on Debian: libc6-dev), or give the preprocessed file (`.i`)";

/// The text after preprocessing, with line markers in which the file itself is [`STANDARD_INPUT`].
pub fn preprocess(name: &str, text: &str, model: DataModel, told: &Preprocessor) -> Result<String, Diagnostics> {
    let parent = Path::new(name).parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent.unwrap_or(Path::new("."));
    let narrow = if model == DataModel::Ilp32 { run_for_32_bits(text, directory, told) } else { None };
    // A compiler that knows no 32-bit machine says so, and its own headers have to do.
    let output = narrow.map_or_else(|| run(text, directory, told, &[]), Ok);
    let has_directives = text.lines().any(|line| line.trim_start().starts_with('#'));
    match output {
        Err(_) if !has_directives && told.is_empty() => Ok(format!("# 1 \"{STANDARD_INPUT}\"\n{text}")),
        Err(error) => {
            let message = match preprocessor() {
                Some(compiler) => format!("this needs the C preprocessor, but `{compiler}` cannot be started: {error}"),
                None => "this needs a C preprocessor, and there is none on this machine".to_owned(),
            };
            let error = Diagnostic::new(first_directive(text), message);
            let error = error.hint(
                "install a C compiler and the headers of the C library (on Debian: gcc and libc6-dev), \
                 or give the preprocessed file (`.i`)",
            );
            Err(Diagnostics::one(name, text, error))
        }
        Ok(output) if output.status.success() => Ok(with_characters(&decoded(output.stdout))),
        Ok(output) => {
            let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
            let (span, message) = first_complaint(&complaints, text);
            let mut error = Diagnostic::new(span, format!("`{} -E` says: {message}", compiler()));
            if message.contains(MISSING) {
                let of_library = LIBRARY.iter().any(|header| message.contains(&format!(" {header}:")));
                error = error.hint(if of_library { LIBRARY_HINT } else { HEADER_HINT });
            }
            Err(Diagnostics::one(name, text, error))
        }
    }
}

/// Headers are looked for where the user says and where the compiler does. If one is missing, then also in the program's directory and in
/// its `include`, whatever the brackets. Not at once: GCC would take the directory out of those of `"…"`, and `"threads.h"` were the system's.
fn run(text: &str, directory: &Path, told: &Preprocessor, options: &[&OsStr]) -> std::io::Result<Output> {
    let output = run_once(text, directory, told, options)?;
    if output.status.success() || !String::from_utf8_lossy(&output.stderr).contains(MISSING) {
        return Ok(output);
    }
    let (after, include) = (OsStr::new("-idirafter"), directory.join("include"));
    let more = [options, &[after, directory.as_os_str(), after, include.as_os_str()]].concat();
    run_once(text, directory, told, &more)
}

fn run_once(text: &str, directory: &Path, told: &Preprocessor, options: &[&OsStr]) -> std::io::Result<Output> {
    let mut command = Command::new(compiler());
    command.env("LC_ALL", "C").args(["-E", "-x", "c", "-iquote"]).arg(directory).args(options);
    for directory in &told.include {
        command.arg("-I").arg(directory);
    }
    for definition in &told.define {
        command.arg("-D").arg(definition);
    }
    let kernel = if told.linux { Some(Headers::of_linux()?) } else { None };
    if let Some(headers) = &kernel {
        command.arg("-include").arg(headers.0.join(LINUX)).arg("-isystem").arg(&headers.0);
    }
    command.args(&told.options).arg("-");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(input) = &mut input {
                // A compiler that stops early says why itself.
                let _ = input.write_all(text.as_bytes());
            }
        });
        child.wait_with_output()
    })?;
    Ok(match &kernel {
        Some(headers) => Output { stdout: headers.named(output.stdout), ..output },
        None => output,
    })
}

/// The text of a header that comes with Braid, by the name that line markers have for it.
pub fn built_in(name: &str) -> Option<&'static str> {
    (name == KERNEL_NAME).then_some(KERNEL_TEXT)
}

/// On a machine without a 32-bit library its headers are missing, but the 64-bit ones contain everything, up to one
/// file that lists functions without code: an empty one serves.
fn run_for_32_bits(text: &str, directory: &Path, told: &Preprocessor) -> Option<Output> {
    let multiarch = Command::new(compiler()).arg("-print-multiarch").output().ok()?;
    let multiarch = Path::new("/usr/include").join(String::from_utf8_lossy(&multiarch.stdout).trim());
    let stubs = Headers::for_32_bits().ok()?;
    let after = OsStr::new("-idirafter");
    let options = [OsStr::new("-m32"), after, multiarch.as_os_str(), after, stubs.0.as_os_str()];
    run(text, directory, told, &options).ok().filter(|output| output.status.success())
}

/// A directory with headers, as long as it is needed.
struct Headers(PathBuf);

impl Headers {
    fn new() -> std::io::Result<Headers> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let headers = Headers(std::env::temp_dir().join(format!("braid-headers-{}-{number}", std::process::id())));
        std::fs::create_dir_all(&headers.0)?;
        Ok(headers)
    }

    /// The output of the preprocessor, with a name for the header that outlives its file.
    fn named(&self, output: Vec<u8>) -> Vec<u8> {
        match String::from_utf8(output) {
            Ok(text) => text.replace(&*self.0.join(LINUX).to_string_lossy(), KERNEL_NAME).into_bytes(),
            Err(error) => error.into_bytes(),
        }
    }

    fn for_32_bits() -> std::io::Result<Headers> {
        let headers = Headers::new()?;
        std::fs::create_dir_all(headers.0.join("gnu"))?;
        std::fs::write(headers.0.join("gnu/stubs-32.h"), "")?;
        Ok(headers)
    }

    fn of_linux() -> std::io::Result<Headers> {
        let headers = Headers::new()?;
        std::fs::write(headers.0.join(LINUX), KERNEL_TEXT)?;
        for (folder, names) in KERNEL {
            std::fs::create_dir_all(headers.0.join(folder))?;
            names
                .split_whitespace()
                .try_for_each(|name| std::fs::write(headers.0.join(folder).join(name).with_extension("h"), ""))?;
        }
        Ok(headers)
    }
}

impl Drop for Headers {
    fn drop(&mut self) {
        // What cannot be removed is empty and in the directory for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// GCC writes `\U000000f6` for the `ö` of a name. In literals both mean the same.
fn with_characters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\U") {
        let backslashes = rest[..at].bytes().rev().take_while(|&byte| byte == b'\\').count();
        let digits = rest.get(at + 2..at + 10).filter(|_| backslashes % 2 == 0);
        let character = digits.and_then(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
        let length = if character.is_some() { 10 } else { 2 };
        out.push_str(&rest[..at]);
        match character {
            Some(character) => out.push(character),
            None => out.push_str(&rest[at..at + length]),
        }
        rest = &rest[at + length..];
    }
    out + rest
}

/// The first `error:` line, and the place in the user's own file that it leads to.
fn first_complaint(complaints: &str, text: &str) -> (Span, String) {
    let error = complaints.lines().find(|line| line.contains("error:"));
    let other = || complaints.lines().find(|line| !line.trim().is_empty());
    let error = error.or_else(other).unwrap_or("nothing, but it fails");
    let own_line = complaints.lines().find_map(|line| {
        let behind = &line[line.find(STANDARD_INPUT)? + STANDARD_INPUT.len()..];
        behind.strip_prefix(':')?.split([':', ',']).next()?.parse::<usize>().ok()
    });
    let span = own_line.map_or_else(|| first_directive(text), |line| line_span(text, line));
    let message = match error.strip_prefix(STANDARD_INPUT) {
        Some(own) => own.split_once("error:").map_or(own, |(_, message)| message.trim()).to_owned(),
        None => error.to_owned(),
    };
    (span, message)
}

fn line_span(text: &str, line: usize) -> Span {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let length = text[before..].lines().next().map_or(0, str::len);
    Span { file: FileId(0), start: before as u32, end: (before + length) as u32 }
}

fn first_directive(text: &str) -> Span {
    let line = text.lines().position(|line| line.trim_start().starts_with('#')).unwrap_or(0);
    line_span(text, line + 1)
}

/// The compiler's words: headers may be in any encoding.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| crate::latin::decoded(error.as_bytes()))
}
