//! Library functions: what they do with pointers, and (in the files by topic) what they mean.
//!
//! Names decide. A function that the program defines itself keeps its own body, but for those in [`replaces_body`], whose meaning verifiers
//! agree on.

/// What a library function does with addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// `pthread_create`.
    StartThread,
    /// The result points to new memory.
    Allocate,
    /// `pthread_join`: the thread's result goes to where the second argument points.
    Join,
    /// `pthread_exit`: the argument becomes the thread's result.
    Exit,
    /// What the second argument points to is copied to where the first one does, which is the result.
    CopyMemory,
    /// The result is the first argument.
    First,
    SetSpecific,
    GetSpecific,
    /// An atomic operation on what the first argument points to.
    Atomic,
    /// Calls the function that is an argument.
    CallFunction(usize),
    /// `pthread_key_create`: threads that end call the second argument, with a thread-specific value.
    MakeKey,
    /// Nothing.
    Nothing,
}

/// How addresses flow through a call of a function; none for those whose body says so.
pub fn flow(name: &str, has_body: bool) -> Option<Flow> {
    if has_body && !replaces_body(name) {
        return None;
    }
    Some(match name {
        "pthread_create" => Flow::StartThread,
        "malloc" | "calloc" | "alloca" | "__builtin_alloca" | "realloc" | "valloc" | "kmalloc" | "kzalloc" => {
            Flow::Allocate
        }
        "pthread_join" => Flow::Join,
        "pthread_exit" => Flow::Exit,
        "memcpy" | "memmove" | "strcpy" | "strncpy" | "__builtin_memcpy" | "__builtin_memmove" => Flow::CopyMemory,
        "memset" | "__builtin_memset" | "__builtin_expect" => Flow::First,
        "pthread_setspecific" => Flow::SetSpecific,
        "pthread_getspecific" => Flow::GetSpecific,
        "pthread_once" => Flow::CallFunction(1),
        "pthread_key_create" => Flow::MakeKey,
        name if ["__atomic_", "__sync_", "atomic_", "__c11_atomic_"].iter().any(|prefix| name.starts_with(prefix)) => {
            Flow::Atomic
        }
        _ => Flow::Nothing,
    })
}

/// Does an allocating function give memory that is zero?
pub fn is_zeroed(name: &str) -> bool {
    matches!(name, "calloc" | "kzalloc")
}

/// Is the meaning of this function agreed on, whatever its body says?
pub fn replaces_body(name: &str) -> bool {
    matches!(
        name,
        "reach_error"
            | "__VERIFIER_error"
            | "__VERIFIER_assume"
            | "assume_abort_if_not"
            | "__VERIFIER_atomic_begin"
            | "__VERIFIER_atomic_end"
            | "__assert_fail"
            | "__assert"
            | "abort"
            | "exit"
    ) || name.starts_with("__VERIFIER_nondet_")
}

mod allocation;
mod atomics;
mod barriers;
mod detaching;
mod keys;
mod locks;
mod memory;
mod mutex_kinds;
mod numbers;
mod semaphores;
mod text;
mod threads;
mod verifier;

pub use keys::key_base;

use super::place::Location;
use super::scalar::Value;
use super::walk::{self, Met};
use super::{Result, Translator};
use crate::c::tree::{Expr, ExprKind, Type};

/// A call of a library function.
#[derive(Clone, Copy)]
pub struct LibraryCall<'a> {
    pub name: &'a str,
    pub expr: &'a Expr,
    pub arguments: &'a [Expr],
}

impl Translator<'_, '_> {
    /// A call of a function that has no body, or whose body does not count.
    pub(super) fn library(&mut self, name: &str, expr: &Expr, arguments: &[Expr]) -> Result<Vec<Value>> {
        let call = LibraryCall { name, expr, arguments };
        let models = [
            Self::verifier_call,
            Self::thread_call,
            Self::lock_call,
            Self::semaphore_call,
            Self::barrier_call,
            Self::key_call,
            Self::atomic_call,
            Self::allocation_call,
            Self::memory_call,
            Self::number_call,
            Self::text_call,
        ];
        for model in models {
            if let Some(values) = model(self, call)? {
                return Ok(values);
            }
        }
        self.unknown(call)
    }

    /// A number as the call's result; nothing if it has none.
    fn gives(&self, call: LibraryCall<'_>, number: i64) -> Vec<Value> {
        match self.scalar(&call.expr.ty) {
            Some(scalar) => vec![self.number(scalar, number, call.expr.span)],
            None => Vec::new(),
        }
    }

    /// The object of the thread library that an argument points to.
    fn library_object(&mut self, argument: &Expr) -> Result<Location> {
        let pointee = match &super::walk::uncast(argument).ty {
            Type::Pointer(pointee) => pointee.ty.clone(),
            _ => Type::Void,
        };
        Ok(self.target(argument, &pointee)?.into_atomic())
    }
}

/// Does the evaluation of an expression do anything?
pub fn has_effects(expr: &Expr) -> bool {
    let mut found = false;
    walk::expression(expr, walk::Context::default(), &mut |met, _| {
        if let Met::Expr(expr) = met {
            found |= matches!(
                expr.kind,
                ExprKind::Assign(..)
                    | ExprKind::Update { .. }
                    | ExprKind::Call(..)
                    | ExprKind::Statements(_)
                    | ExprKind::Literal(..)
            );
        }
    });
    found
}
