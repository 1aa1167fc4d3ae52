//! Queries as numbered SMT-LIB files. A file is written before the query is asked, so that one which never ends, or
//! ends the program, can be looked at too; the answer is added as a comment.

use super::Answer;
use crate::pool::TermPool;
use crate::term::Term;
use crate::text::script;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes the queries of one solver.
pub(super) struct Dump {
    directory: PathBuf,
    written: u64,
}

impl Dump {
    pub fn new(directory: &Path) -> io::Result<Self> {
        fs::create_dir_all(directory)?;
        Ok(Dump { directory: directory.into(), written: 0 })
    }

    fn path(&self) -> PathBuf {
        self.directory.join(format!("query-{:06}.smt2", self.written))
    }

    pub fn query(&mut self, pool: &TermPool, formulas: &[Term]) -> io::Result<()> {
        self.written += 1;
        fs::write(self.path(), script(pool, formulas))
    }

    pub fn answer(&self, answer: Answer, tier: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).open(self.path())?;
        writeln!(file, "; {tier}: {answer:?}")
    }
}
