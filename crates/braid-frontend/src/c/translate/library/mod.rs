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
        name if ["__atomic_", "__sync_", "atomic_", "__c11_atomic_"].iter().any(|prefix| name.starts_with(prefix)) => {
            Flow::Atomic
        }
        _ => Flow::Nothing,
    })
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
