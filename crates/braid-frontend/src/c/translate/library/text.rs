//! Input and output: no effect on the program but for the evaluation of arguments.

use super::LibraryCall;
use crate::Effect;
use crate::c::translate::scalar::{Scalar, Value};
use crate::c::translate::walk::uncast;
use crate::c::translate::{Result, Translator, build, reject};
use crate::c::tree::Type;

impl Translator<'_, '_> {
    pub(super) fn text_call(&mut self, call: LibraryCall<'_>) -> Result<Option<Vec<Value>>> {
        match call.name {
            "printf" | "fprintf" | "puts" | "putchar" | "fputs" | "fputc" | "fflush" | "perror" | "vprintf"
            | "write" | "fclose" | "srand" | "srandom" | "setbuf" | "setvbuf" | "dprintf" | "putc" | "time"
            | "clock" | "getpid" | "syscall" | "alarm" => {
                self.outside(call, Effect::Pure, true)?;
                Ok(Some(self.any_result(call)?))
            }
            // A text that nobody changes and that is at no place of the program's own: addresses below 4096 are free.
            "strerror" | "strsignal" => {
                self.evaluate(call.arguments)?;
                Ok(Some(self.gives(call, 64)))
            }
            "scanf" | "fscanf" | "sscanf" => {
                let formats = if call.name == "scanf" { 1 } else { 2 };
                for to in call.arguments.iter().skip(formats) {
                    let ty = match &uncast(to).ty {
                        Type::Pointer(pointee) => pointee.ty.clone(),
                        _ => return reject(to.span, "the place of an input is not a pointer"),
                    };
                    let Some(scalar) = self.scalar(&ty) else {
                        return reject(to.span, "an input that is not a number");
                    };
                    // The input may have ended before.
                    let place = self.target(to, &ty)?;
                    let old = self.load(&place, scalar, to.span)?;
                    let old = self.settled(old, to.span);
                    let new = self.arbitrary(scalar, to.span);
                    let read = self.arbitrary(Scalar::Bool, to.span);
                    let read = self.ints.truth(Scalar::Bool, &read, to.span);
                    let expr = build::ite(read, new.expr, old.expr, to.span);
                    let value = self.ints.any(scalar, expr, false);
                    self.store(&place, scalar, value, to.span)?;
                }
                Ok(Some(self.any_result(call)?))
            }
            // These write to where their arguments point.
            "gets" | "fgets" | "read" | "fread" | "getline" | "qsort" | "bsearch" => {
                reject(call.expr.span, format!("`{}` is not supported", call.name))
            }
            _ => Ok(None),
        }
    }
}
