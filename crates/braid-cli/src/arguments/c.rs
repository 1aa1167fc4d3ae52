//! How C is read, and what is taken for granted about it.

use super::CHECKED;
use crate::units::{parse_directory, parse_file, parse_macro};
use braid_frontend::c::translate::Ints;
use braid_frontend::c::tree::DataModel;
use braid_frontend::{Extern, Externs, Harness, Preprocessor, Reading};
use braid_program::ast::Checks;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// How C is read.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Reading C")]
pub struct CReading {
    /// More files of the same C program
    #[arg(value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// Read the files that this compile_commands.json lists, as CMake or Bear write it; where several have `main`, --entry names the one
    #[arg(long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,
    /// Look for headers of a .c file in this directory, before others
    #[arg(short = 'I', value_name = "DIR", value_parser = parse_directory)]
    pub include: Vec<PathBuf>,
    /// Define a macro of a .c file; 1 if no value is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = parse_macro)]
    pub define: Vec<String>,
    /// Read C in the style of the Linux kernel: READ_ONCE, spin_lock, atomic_t, smp_mb, kthread_run, list_head, …
    #[arg(long)]
    pub linux: bool,
    /// Read more C functions from this file: a function without a body that is called gets the body that it has there
    #[arg(long, value_name = "FILE", value_parser = parse_file)]
    pub prelude: Vec<PathBuf>,
    /// Call this function of a C file without `main`, with any arguments; or begin in this file of --compile-commands
    #[arg(long, value_name = "FUNCTION|FILE", help_heading = "C libraries without main")]
    pub entry: Option<String>,
    /// Declare this beside the functions, for example "struct queue q" or "#include <assert.h>"
    #[arg(long = "declare", value_name = "CODE", help_heading = "C libraries without main")]
    pub declared: Vec<String>,
    /// Before all else, do this: a piece of C, for example "init(&q)"
    #[arg(long, value_name = "CODE", help_heading = "C libraries without main")]
    pub setup: Vec<String>,
    /// One thread does this, for example "push(&q, 1)". An argument * is anything, and any number of threads do "push(&q, *)*"
    #[arg(long = "threads", value_name = "CODE", help_heading = "C libraries without main")]
    pub threads: Vec<String>,
    /// When all threads have ended, do this, for example "assert(q.size == 2)"
    #[arg(long, value_name = "CODE", help_heading = "C libraries without main")]
    pub finally: Vec<String>,
    /// Start a C program with these arguments, as a shell would read them [default: any]
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true, help_heading = CHECKED)]
    pub args: Option<String>,
    /// What a C function without a body may do, beside returning anything of its type: nothing (pure), write what its
    /// arguments reach (writes-arguments), write that and all global variables (anything). NAME * stands for all others
    /// [default: writes-arguments; with an SV-COMP property file pure]
    #[arg(long = "extern", value_name = "NAME=EFFECT", help_heading = CHECKED)]
    pub externs: Vec<Extern>,
    /// Whether accesses to volatile objects can be data races
    #[arg(long, value_enum, default_value_t, help_heading = CHECKED)]
    pub volatile: VolatileName,
    /// Let malloc and its like return NULL at any time
    #[arg(long, help_heading = CHECKED)]
    pub malloc_may_fail: bool,
    /// How wide the integer types of C are [default: ILP32 for .i files and for programs that declare or call `reach_error` or `__VERIFIER_…`, else as on this machine]
    #[arg(long, value_name = "MODEL", value_enum, ignore_case = true)]
    pub data_model: Option<DataModelName>,
    /// How the solver sees the integers of C. The verdict is the same, the speed is not
    #[arg(long, value_enum, default_value_t = IntsName::Auto)]
    pub ints: IntsName,
}

impl CReading {
    /// What the front end is asked for.
    pub fn reading(&self, checks: Checks) -> Reading {
        Reading {
            data_model: self.data_model.map(|model| match model {
                DataModelName::Ilp32 => DataModel::Ilp32,
                DataModelName::Lp64 => DataModel::Lp64,
            }),
            preprocessor: Preprocessor {
                include: self.include.clone(),
                define: self.define.clone(),
                options: Vec::new(),
                linux: self.linux,
            },
            own: Preprocessor::default(),
            others: Vec::new(),
            harness: Harness {
                entry: self.entry.clone(),
                declared: self.declared.clone(),
                setup: self.setup.clone(),
                threads: self.threads.clone(),
                finally: self.finally.clone(),
            },
            arguments: self.args.as_deref().map(words),
            preludes: self.prelude.clone(),
            externs: Externs(self.externs.clone()),
            ints: match self.ints {
                IntsName::Math => Some(Ints::Math),
                IntsName::Bv => Some(Ints::Bits),
                IntsName::Auto => None,
            },
            checks,
            excused: Vec::new(),
            volatile_is_atomic: self.volatile == VolatileName::Atomic,
            malloc_may_fail: self.malloc_may_fail,
            defined: false,
            rolled: false,
        }
    }
}

/// How accesses to `volatile` objects are read.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum VolatileName {
    /// Yes, like all others
    #[default]
    Plain,
    /// No, they are atomic
    Atomic,
}

/// The words of a command line, as a shell reads them: quotes keep words together, a backslash means the next character itself.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None::<char>);
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModelName {
    /// `int`, `long` and pointers have 32 bits
    #[value(name = "ILP32")]
    Ilp32,
    /// `long` and pointers have 64 bits
    #[value(name = "LP64")]
    Lp64,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IntsName {
    /// As mathematical integers that wrap around where C's do: good for counting and adding
    Math,
    /// As bit-vectors: good for masks and shifts
    Bv,
    /// As mathematical integers where these are exact, else as bit-vectors
    #[default]
    Auto,
}
