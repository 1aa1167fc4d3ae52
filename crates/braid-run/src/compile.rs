//! From sources to a program that the runtime runs.
//!
//! The sources are compiled as they are, without optimisation, so that every access of the text is one of the machine.
//! The compiler announces accesses, overflows, blocks and comparisons; the runtime, not the sanitizers' libraries,
//! answers. Functions that nobody defines become inputs.

use crate::job::Job;
use crate::property::{Property, Watch};
use crate::scratch::Scratch;
use crate::{Error, elf, runtime};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the compiler is to announce, and other options for the program.
const INSTRUMENTED: [&str; 12] = [
    "-c",
    "-O0",
    "-gdwarf-4",
    "-w",
    "-fno-pie",
    "-fcommon",
    "-fno-builtin",
    "-fno-omit-frame-pointer",
    "-fno-stack-protector",
    "-fsanitize=signed-integer-overflow",
    "-fsanitize-coverage=trace-pc,trace-cmp",
    "-finstrument-functions",
];

/// What announces accesses: the thread sanitizer. Clang leaves out reads before writes, unless it is told.
const ACCESSES: [&str; 1] = ["-fsanitize=thread"];
const ACCESSES_CLANG: [&str; 3] = ["-fsanitize=thread", "-mllvm", "-tsan-instrument-read-before-write=1"];

/// What announces variables: the address sanitizer of kernels, which needs no library. Where the shadow is, `objects.c` knows.
const OBJECTS: [&str; 7] = [
    "-fno-common",
    "-fsanitize=kernel-address",
    "-fsanitize-address-use-after-scope",
    "-fasan-shadow-offset=0x100000000000",
    "--param=asan-instrumentation-with-call-threshold=0",
    "--param=asan-stack=1",
    "--param=asan-globals=1",
];
const OBJECTS_CLANG: [&str; 18] = [
    "-fno-common",
    "-fsanitize=kernel-address",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-mllvm",
    "-asan-mapping-offset=0x100000000000",
    "-mllvm",
    "-asan-instrumentation-with-call-threshold=0",
    "-mllvm",
    "-asan-stack=1",
    "-mllvm",
    "-asan-globals=1",
    "-mllvm",
    "-asan-opt=0",
    "-mllvm",
    "-asan-opt-globals=0",
    "-mllvm",
    "-asan-opt-stack=0",
];

/// What only Clang needs: it rejects what it used to warn of.
const CLANG: [&str; 3] =
    ["-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion"];

/// A C program, and how it is compiled.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The compiler; empty: what `CC` says, or `cc`.
    pub compiler: String,
    /// `.c` and `.i` files.
    pub files: Vec<PathBuf>,
    /// Directories with headers.
    pub include: Vec<PathBuf>,
    /// Macros.
    pub define: Vec<String>,
    /// More options, for the compiler and for the linker.
    pub options: Vec<String>,
    /// What is looked for.
    pub property: Property,
    /// What is announced.
    pub watch: Watch,
    /// May there be no memory?
    pub malloc_may_fail: bool,
}

impl Sources {
    /// The compiler that is used.
    pub fn compiler(&self) -> String {
        let given =
            if self.compiler.is_empty() { std::env::var("CC").unwrap_or_default() } else { self.compiler.clone() };
        if given.trim().is_empty() { "cc".to_owned() } else { given.trim().to_owned() }
    }

    /// Compiles the program into a folder, unless it is not wanted any more.
    pub fn compile(&self, folder: Scratch, stopped: &dyn Fn() -> bool) -> Result<Compiled, Error> {
        let compiler = self.compiler();
        let is_clang = is_clang(&compiler)?;
        let jobs = self.start(&compiler, is_clang, folder.path())?;
        let runtime = runtime::object(&compiler, folder.path(), stopped);
        let objects = finished(jobs, stopped)?;
        let executable = folder.path().join("program");
        let link = Link {
            compiler: &compiler,
            objects,
            runtime: runtime?,
            executable: &executable,
            sources: self,
            watched: self.watched(is_clang),
            stopped,
        };
        let mut outside = link.undefined()?;
        if !outside.is_empty() && !self.options.iter().any(|option| option == OLD_INLINE) && self.mentions("inline") {
            let options = self.options.iter().cloned().chain([OLD_INLINE.to_owned()]).collect();
            let again = Sources { options, ..self.clone() };
            finished(again.start(&compiler, is_clang, folder.path())?, stopped)?;
            outside = link.undefined()?;
        }
        if !outside.is_empty() {
            link.with_stubs(&outside, folder.path())?;
        }
        let objects = link.objects.iter();
        let blocks = objects.filter_map(|object| elf::references(&fs::read(object).ok()?, BLOCK)).sum();
        Ok(Compiled { folder, executable, blocks, outside, malloc_may_fail: self.malloc_may_fail })
    }

    /// What the compiler is told in any case.
    fn instrumentation(&self, is_clang: bool) -> Vec<&'static str> {
        let announced: &[&str] = match (self.watch, is_clang) {
            (Watch::Accesses, false) => &ACCESSES,
            (Watch::Accesses, true) => &ACCESSES_CLANG,
            (Watch::Objects, false) => &OBJECTS,
            (Watch::Objects, true) => &OBJECTS_CLANG,
        };
        let clang = CLANG.iter().filter(|_| is_clang);
        INSTRUMENTED.iter().chain(announced).chain(clang).copied().chain(self.property.sanitizers(is_clang)).collect()
    }

    /// What the linker tells the runtime about what is announced.
    fn watched(&self, is_clang: bool) -> Option<&'static str> {
        match (self.watch, is_clang) {
            (Watch::Accesses, _) => None,
            (Watch::Objects, true) => Some("-Wl,--defsym=braid_watched=1"),
            (Watch::Objects, false) => Some("-Wl,--defsym=braid_watched=2"),
        }
    }

    /// Starts the compiler for each file.
    fn start(&self, compiler: &str, is_clang: bool, folder: &Path) -> Result<Vec<(Job, PathBuf)>, Error> {
        let mut jobs = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let object = folder.join(format!("program{number}.o"));
            let mut command = self.compilation(compiler, is_clang, file, folder)?;
            jobs.push((Job::start(command.arg("-o").arg(&object))?, object));
        }
        Ok(jobs)
    }

    fn mentions(&self, word: &str) -> bool {
        self.files.iter().filter_map(|file| fs::read_to_string(file).ok()).any(|text| text.contains(word))
    }

    /// A script that builds the program in a folder with these files, `runtime.c` and perhaps `outside.c`.
    pub fn script(&self, names: &[String], outside: bool) -> String {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
        let is_clang = is_clang(&self.compiler()).unwrap_or(false);
        let mut options: Vec<String> = self.instrumentation(is_clang).into_iter().map(quoted).collect();
        options.extend(self.include.iter().map(|include| quoted(&format!("-I{}", include.display()))));
        options.extend(self.define.iter().map(|define| quoted(&format!("-D{define}"))));
        if self.mentions("inline") {
            options.push(OLD_INLINE.into());
        }
        let (linked, compiled): (Vec<&String>, Vec<&String>) =
            self.options.iter().partition(|option| is_for_linker(option));
        options.extend(compiled.into_iter().map(|option| quoted(option)));
        let linked: Vec<String> = linked.into_iter().map(|option| quoted(option)).collect();
        let mut text = format!(
            "#!/bin/sh\n# Builds `program`.\nset -e\ncd \"$(dirname \"$0\")\"\nCC=${{CC:-{}}}\n",
            self.compiler()
        );
        let mut objects = Vec::new();
        for (number, name) in names.iter().enumerate() {
            text += &format!("$CC {} {} -o program{number}.o\n", options.join(" "), quoted(name));
            objects.push(format!("program{number}.o"));
        }
        text += &format!("$CC {} runtime.c -o runtime.o\n", runtime::OPTIONS.join(" "));
        if outside {
            text += "$CC -c -w -O1 -fno-pie -fno-builtin outside.c -o outside.o\n";
            objects.push("outside.o".into());
        }
        let wrapped: String = runtime::WRAPPED.iter().map(|name| format!(",--wrap={name}")).collect();
        text + &format!(
            "$CC -no-pie -Wl,-z,now{wrapped} {} {} runtime.o -o program {} -lm -lpthread\n",
            self.watched(is_clang).unwrap_or_default(),
            objects.join(" "),
            linked.join(" ")
        )
    }

    fn compilation(&self, compiler: &str, is_clang: bool, file: &Path, folder: &Path) -> Result<Command, Error> {
        let mut command = Command::new(compiler);
        command.env("LC_ALL", "C").args(self.instrumentation(is_clang));
        let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        for include in &self.include {
            command.arg("-I").arg(include);
        }
        for define in &self.define {
            command.arg("-D").arg(define);
        }
        command.arg("-idirafter").arg(directory).arg("-idirafter").arg(directory.join("include"));
        command.args(self.options.iter().filter(|option| !is_for_linker(option)));
        match unmarked(file).map_err(|error| Error::Rejected(format!("{}: {error}", file.display())))? {
            Some(text) => {
                let name = file.file_name().unwrap_or_default();
                let copy = folder.join(name);
                fs::write(&copy, text).map_err(|error| Error::Child(format!("{}: {error}", copy.display())))?;
                command.arg("-iquote").arg(directory).arg(copy);
            }
            None => {
                command.arg(file);
            }
        }
        Ok(command)
    }
}

fn is_clang(compiler: &str) -> Result<bool, Error> {
    let version = Command::new(compiler).arg("--version").output();
    let version = version.map_err(|error| Error::NoCompiler(format!("{compiler}: {error}")))?;
    Ok(String::from_utf8_lossy(&version.stdout).contains("clang"))
}

fn is_for_linker(option: &str) -> bool {
    option.starts_with("-l") || option.starts_with("-L") || option.starts_with("-Wl,")
}

/// Functions that are `inline` and nothing else have no code of their own, says C since 1999. Many programs do not know.
const OLD_INLINE: &str = "-fgnu89-inline";

fn finished(jobs: Vec<(Job, PathBuf)>, stopped: &dyn Fn() -> bool) -> Result<Vec<PathBuf>, Error> {
    jobs.into_iter().map(|(job, object)| job.finish(stopped).map(|()| object)).collect()
}

/// What is called at the start of every block of code.
const BLOCK: &str = "__sanitizer_cov_trace_pc";

/// The text without the preprocessor's line markers, if it has any: places are those of this text, as everywhere in Braid.
fn unmarked(file: &Path) -> std::io::Result<Option<Vec<u8>>> {
    let text = fs::read(file)?;
    let is_marker = |line: &[u8]| {
        let digits = line.strip_prefix(b"# ").or_else(|| line.strip_prefix(b"#line "));
        digits.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
    };
    let mut lines = text.split(|&byte| byte == b'\n');
    if !lines.clone().any(is_marker) {
        return Ok(None);
    }
    let first = lines.next().map(|line| if is_marker(line) { Vec::new() } else { line.to_vec() }).unwrap_or_default();
    Ok(Some(lines.fold(first, |mut all, line| {
        all.push(b'\n');
        if !is_marker(line) {
            all.extend_from_slice(line);
        }
        all
    })))
}

struct Link<'a> {
    compiler: &'a str,
    objects: Vec<PathBuf>,
    runtime: PathBuf,
    executable: &'a Path,
    sources: &'a Sources,
    watched: Option<&'static str>,
    stopped: &'a dyn Fn() -> bool,
}

impl Link<'_> {
    fn command(&self, more: Option<&Path>) -> Command {
        let mut command = Command::new(self.compiler);
        let wrapped: String = runtime::WRAPPED.iter().map(|name| format!(",--wrap={name}")).collect();
        command.env("LC_ALL", "C").args(["-no-pie", "-Wl,-z,now"]).arg(format!("-Wl,--no-demangle{wrapped}"));
        command.args(self.watched);
        command.args(&self.objects).args(more).arg(&self.runtime).arg("-o").arg(self.executable);
        command.args(self.sources.options.iter().filter(|option| is_for_linker(option)));
        command.args(["-lm", "-lpthread"]);
        command
    }

    /// Links; says which functions nobody defines.
    fn undefined(&self) -> Result<Vec<String>, Error> {
        match Job::start(&mut self.command(None))?.finish(self.stopped) {
            Ok(()) => Ok(Vec::new()),
            Err(Error::Rejected(said)) => match undefined(&said) {
                names if names.is_empty() => Err(Error::Rejected(said)),
                names => Ok(names),
            },
            Err(error) => Err(error),
        }
    }

    /// Links with functions that give inputs in the place of those that nobody defines.
    fn with_stubs(&self, names: &[String], folder: &Path) -> Result<(), Error> {
        let texts: Vec<String> = self.sources.files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
        let functions: String =
            names.iter().map(|name| stub(name, texts.iter().any(|text| is_noreturn(text, name)))).collect();
        let (source, object) = (folder.join("outside.c"), folder.join("outside.o"));
        let text = format!(
            "extern long braid_outside(const char *, long *, void *, void *);\n\
             extern void braid_gone(const char *, void *);\n{functions}"
        );
        fs::write(&source, text).map_err(|error| Error::Child(format!("{}: {error}", source.display())))?;
        let mut command = Command::new(self.compiler);
        command.args(["-c", "-w", "-O1", "-fno-pie", "-fno-builtin"]).arg(&source).arg("-o").arg(&object);
        Job::start(&mut command)?.finish(self.stopped)?;
        Job::start(&mut self.command(Some(&object)))?.finish(self.stopped)
    }
}

/// Is a function declared as one that does not return?
fn is_noreturn(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let whole = !before.ends_with(word) && after.trim_start().starts_with('(');
        let start = before.rfind([';', '}', '{']).map_or(0, |start| start + 1);
        let end = after.find([';', '{']).unwrap_or(after.len());
        whole
            && (before[start..].contains("noreturn")
                || before[start..].contains("_Noreturn")
                || after[..end].contains("noreturn"))
    })
}

fn stub(name: &str, noreturn: bool) -> String {
    if noreturn {
        return format!("void {name}(void) {{ braid_gone(\"{name}\", __builtin_return_address(0)); }}\n");
    }
    // Whatever it is called with: more arguments than it has are not looked at.
    format!(
        "long {name}(long a, long b, long c, long d, long e, long f, long g, long h) {{\n  \
         long all[] = {{a, b, c, d, e, f, g, h}};\n  \
         return braid_outside(\"{name}\", all, __builtin_return_address(0), __builtin_frame_address(0));\n}}\n"
    )
}

/// The names that a linker misses.
fn undefined(said: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for line in said.lines() {
        let after = ["undefined reference to `", "undefined symbol: "].iter().find_map(|what| line.split_once(what));
        let Some((_, rest)) = after else { continue };
        let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "_$".contains(*c)).collect();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A program that the runtime runs.
#[derive(Debug)]
pub struct Compiled {
    pub(crate) folder: Scratch,
    pub(crate) executable: PathBuf,
    /// The blocks of code that it has.
    pub blocks: usize,
    /// Functions that nobody defines.
    pub outside: Vec<String>,
    pub(crate) malloc_may_fail: bool,
}

impl Compiled {
    /// Where it is.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The program.
    pub fn executable(&self) -> &Path {
        &self.executable
    }
}

#[cfg(test)]
mod tests {
    use super::{is_noreturn, undefined};

    #[test]
    fn functions_that_do_not_return() {
        let check = |text: &str, expected: bool| assert_eq!(is_noreturn(text, "die"), expected, "{text}");
        check("_Noreturn void die(void);", true);
        check("int x; extern void die(int) __attribute__((noreturn));", true);
        check("_Noreturn void other(void); void die(void);", false);
        check("void diet(void) __attribute__((noreturn));", false);
    }

    #[test]
    fn linkers_say_what_is_missing() {
        let said = "a.o: in function `main':\na.c:3: undefined reference to `f'\na.c:4: undefined reference to `f'\n\
                    ld.lld: error: undefined symbol: g\n>>> referenced by a.c:5";
        assert_eq!(undefined(said), ["f", "g"]);
    }
}
