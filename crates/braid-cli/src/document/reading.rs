//! How a C program was read, in a result: enough to read it in the same way again.

use braid_frontend::c::translate::Ints;
use braid_frontend::c::tree::DataModel;
use braid_frontend::{Extern, Externs, Harness, Preprocessor, Reading, Representation, SourceFile};
use braid_program::ast::Check;
use braid_program::source::{FileId, Span};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How a C program was read.
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
pub struct CReading {
    /// `ILP32` or `LP64`.
    pub data_model: String,
    /// `math` or `bv`.
    pub ints: String,
    /// Does undefined behaviour end an execution?
    #[serde(default)]
    pub defined: bool,
    /// Directories with headers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<PathBuf>,
    /// Macros.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub define: Vec<String>,
    /// Other options of the compiler.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Does it use what the Linux kernel has?
    #[serde(default)]
    pub linux: bool,
    /// Files with more functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preludes: Vec<PathBuf>,
    /// What functions without a body do, as `NAME=EFFECT`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub externs: Vec<String>,
    /// What the preprocessor was told for the first file alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<OtherFile>,
    /// The other files of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherFile>,
    /// Who calls the functions of a library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness: Option<StoredHarness>,
    /// What the program is started with, its name first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<String>>,
    /// Are accesses to `volatile` objects atomic?
    #[serde(default)]
    pub volatile_is_atomic: bool,
    /// Checks that fail elsewhere, as their names and places (file, start, end), where all places were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excused: Vec<(String, [u32; 3])>,
    /// May allocation fail?
    #[serde(default)]
    pub malloc_may_fail: bool,
    /// Did loops that start threads stay loops?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rolled: bool,
}

/// One of several files.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct OtherFile {
    pub path: PathBuf,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<PathBuf>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub define: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

/// Pieces of C that call the functions of a library.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct StoredHarness {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declared: Vec<String>,
    pub setup: Vec<String>,
    pub threads: Vec<String>,
    pub finally: Vec<String>,
}

impl CReading {
    pub fn new(used: &Representation, told: &Reading, defined: bool) -> CReading {
        let data_model = match used.data_model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        };
        let ints = match used.ints {
            Ints::Math => "math",
            Ints::Bits => "bv",
        };
        let Preprocessor { include, define, options, linux } = told.preprocessor.clone();
        let own = told.own.clone();
        let externs = told.externs.0.iter().map(Extern::to_string).collect();
        let preludes = told.preludes.clone();
        let others = told.others.iter().cloned().map(|SourceFile { path, preprocessor }| {
            let Preprocessor { include, define, options, .. } = preprocessor;
            OtherFile { path, include, define, options }
        });
        let Harness { entry, declared, setup, threads, finally } = told.harness.clone();
        let harness = StoredHarness { entry, declared, setup, threads, finally };
        CReading {
            data_model: data_model.into(),
            ints: ints.into(),
            defined,
            include,
            define,
            options,
            linux,
            preludes,
            externs,
            own: (own != Preprocessor::default()).then(|| OtherFile {
                path: PathBuf::new(),
                include: own.include,
                define: own.define,
                options: own.options,
            }),
            others: others.collect(),
            harness: (!told.harness.is_empty()).then_some(harness),
            arguments: told.arguments.clone(),
            volatile_is_atomic: told.volatile_is_atomic,
            excused: (told.excused.iter())
                .map(|(check, span)| (check.name().to_owned(), [span.file.0, span.start, span.end]))
                .collect(),
            malloc_may_fail: told.malloc_may_fail,
            rolled: used.unrolled.is_none(),
        }
    }

    /// The same way of reading again.
    pub fn reading(&self, property: &str) -> Reading {
        Reading {
            data_model: match self.data_model.as_str() {
                "ILP32" => Some(DataModel::Ilp32),
                "LP64" => Some(DataModel::Lp64),
                _ => None,
            },
            ints: match self.ints.as_str() {
                "math" => Some(Ints::Math),
                "bv" => Some(Ints::Bits),
                _ => None,
            },
            preprocessor: Preprocessor {
                include: self.include.clone(),
                define: self.define.clone(),
                options: self.options.clone(),
                linux: self.linux,
            },
            own: self.own.clone().map_or(Preprocessor::default(), |own| {
                let OtherFile { include, define, options, .. } = own;
                Preprocessor { include, define, options, linux: false }
            }),
            others: (self.others.iter().cloned())
                .map(|OtherFile { path, include, define, options }| SourceFile {
                    path,
                    preprocessor: Preprocessor { include, define, options, linux: false },
                })
                .collect(),
            harness: self.harness.clone().map_or(Harness::default(), |stored| {
                let StoredHarness { entry, declared, setup, threads, finally } = stored;
                Harness { entry, declared, setup, threads, finally }
            }),
            arguments: self.arguments.clone(),
            preludes: self.preludes.clone(),
            externs: Externs(self.externs.iter().filter_map(|text| text.parse().ok()).collect()),
            volatile_is_atomic: self.volatile_is_atomic,
            excused: (self.excused.iter())
                .filter_map(|(name, [file, start, end])| {
                    Some((Check::of_name(name)?, Span { file: FileId(*file), start: *start, end: *end }))
                })
                .collect(),
            malloc_may_fail: self.malloc_may_fail,
            rolled: self.rolled,
            checks: crate::property::named(property).unwrap_or_default(),
            defined: self.defined,
        }
    }
}
