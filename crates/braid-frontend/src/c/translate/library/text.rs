//! Input and output: no effect on the program but for the evaluation of arguments.

use super::LibraryCall;
use crate::c::translate::scalar::Value;
use crate::c::translate::{Result, Translator, reject};

impl Translator<'_, '_> {
    pub(super) fn text_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        match call.name {
            "printf" | "fprintf" | "puts" | "putchar" | "fputs" | "fputc" | "fflush" | "perror" | "vprintf" | "write"
            | "fclose" | "srand" | "srandom" | "setbuf" | "setvbuf" | "dprintf" | "putc" | "time" | "clock"
            | "getpid" | "syscall" | "alarm" => {
                self.evaluate(call.arguments)?;
                Ok(Some(self.any_result(call)?))
            }
            // These write to where their arguments point.
            "scanf" | "fscanf" | "sscanf" | "gets" | "fgets" | "read" | "fread" | "getline" | "qsort" | "bsearch" => {
                reject(call.expr.span, format!("`{}` is not supported", call.name))
            }
            _ => Ok(None),
        }
    }
}
