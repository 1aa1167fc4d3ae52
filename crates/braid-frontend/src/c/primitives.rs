//! Functions that the translation knows itself, because they are about memory and control: one table. All other functions of the C
//! library are C, in the prelude.

use super::tree::BinaryOp;
use braid_logic::{FloatOp, Rounding};

/// What a function does that C cannot say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Primitive {
    /// Starts a thread: where its handle goes, the function, its argument.
    Start,
    /// Waits for the end of a thread: its handle, and where its result goes.
    Join,
    /// Ends the thread with a result.
    ExitThread,
    /// The number of the running thread; 0 is the first one.
    Identity,
    /// Is the result of the call whose body this stands in used?
    Wanted,
    /// Are data races checked?
    Races,
    /// Does it matter what is only read: are data races or memory safety checked?
    Reads,
    /// Is it checked that behaviour is defined?
    Definedness,
    /// What has to hold there for behaviour to be defined.
    Require,
    /// A thread cannot be joined any more: its handle.
    Detach,
    Allocate(Allocation),
    Free,
    /// The size of an allocated block.
    BlockSize,
    /// Can a pointer only lead to string literals? What stands there has an end.
    IsLiteral,
    /// Can a pointer only lead to arguments of the program, which are nothing but decimal numbers to it?
    IsNumber,
    /// Does a block stay where it is when it gets another size?
    Stays,
    /// Gives so many bytes one value.
    Fill,
    /// Copies so many bytes.
    Copy,
    /// Something is wrong with the program.
    Error,
    Assume,
    /// Waits until a test holds.
    Await,
    /// The same, where only the thread with the given number can make it hold.
    AwaitThread,
    Assert,
    /// The whole program ends, or what follows is not defined.
    Stop,
    Begin,
    End,
    /// Any value of the type that the name says.
    Nondet,
    /// Is not supported here.
    Unsupported,
    /// What follows may be any value in a proof, but a violation that gets past it is not believed.
    Inexact,
    /// Arithmetic that wraps around.
    Wrapping(BinaryOp),
    /// An operation on floats of one type.
    Float(FloatOp),
    /// The first float with the sign of the second.
    CopySign,
    /// Do two floats have the same bits?
    SameBits,
    /// What the macros for cleanup handlers expand to.
    SetJump,
    Unwind,
    Register,
    Unregister,
}

/// How memory is allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    /// One argument is the size.
    Plain,
    /// The product of both arguments is the size; the memory is zero.
    Zeroed,
}

/// What the name of a function says; none for all that the prelude or the program define. A few names count whatever body the program gives them.
pub fn primitive(name: &str, has_body: bool) -> Option<Primitive> {
    Some(match name {
        "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert" => Primitive::Error,
        "__VERIFIER_assume" | "assume_abort_if_not" => Primitive::Assume,
        "__VERIFIER_atomic_begin" => Primitive::Begin,
        "__VERIFIER_atomic_end" => Primitive::End,
        "abort" | "exit" => Primitive::Stop,
        _ if name.starts_with("__VERIFIER_nondet_") => Primitive::Nondet,
        _ if has_body => return None,
        "__assert_rtn" | "__assert_func" => Primitive::Error,
        "__builtin_assume" | "__ESBMC_assume" | "__CPROVER_assume" | "__goblint_assume" => Primitive::Assume,
        "__VERIFIER_assert" | "assert" | "__ESBMC_assert" | "__CPROVER_assert" | "__goblint_check"
        | "__goblint_assert" => Primitive::Assert,
        "__ESBMC_atomic_begin" => Primitive::Begin,
        "__ESBMC_atomic_end" => Primitive::End,
        "_exit" | "_Exit" | "quick_exit" | "__builtin_unreachable" | "__builtin_trap" | "__braid_stop" => {
            Primitive::Stop
        }
        "__braid_start" => Primitive::Start,
        "__braid_join" => Primitive::Join,
        "pthread_exit" => Primitive::ExitThread,
        "__braid_await" => Primitive::Await,
        "__braid_await_thread" => Primitive::AwaitThread,
        "__braid_self" => Primitive::Identity,
        "__braid_wanted" => Primitive::Wanted,
        "__braid_races" => Primitive::Races,
        "__braid_reads" => Primitive::Reads,
        "__braid_definedness" => Primitive::Definedness,
        "__braid_require" => Primitive::Require,
        "__braid_detach" => Primitive::Detach,
        "__braid_unsupported" => Primitive::Unsupported,
        "__braid_inexact" => Primitive::Inexact,
        "malloc" | "alloca" | "__builtin_alloca" | "valloc" | "kmalloc" | "__braid_allocate" => {
            Primitive::Allocate(Allocation::Plain)
        }
        "calloc" | "kzalloc" => Primitive::Allocate(Allocation::Zeroed),
        "free" | "kfree" | "cfree" => Primitive::Free,
        "__braid_block_size" => Primitive::BlockSize,
        "__braid_is_literal" => Primitive::IsLiteral,
        "__braid_is_number" => Primitive::IsNumber,
        "__braid_stays" => Primitive::Stays,
        "memset" => Primitive::Fill,
        "memcpy" | "memmove" | "__braid_copy_block" => Primitive::Copy,
        "__braid_add" => Primitive::Wrapping(BinaryOp::Add),
        "__braid_sqrt" => Primitive::Float(FloatOp::Sqrt),
        "__braid_remainder" => Primitive::Float(FloatOp::Rem),
        "__braid_fma" => Primitive::Float(FloatOp::Fma),
        "__braid_floor" => Primitive::Float(FloatOp::Round(Rounding::Down)),
        "__braid_ceil" => Primitive::Float(FloatOp::Round(Rounding::Up)),
        "__braid_trunc" => Primitive::Float(FloatOp::Round(Rounding::Zero)),
        "__braid_round" => Primitive::Float(FloatOp::Round(Rounding::NearestAway)),
        "__braid_rint" => Primitive::Float(FloatOp::Round(Rounding::NearestEven)),
        "__braid_copysign" => Primitive::CopySign,
        "__braid_same" => Primitive::SameBits,
        "__braid_subtract" => Primitive::Wrapping(BinaryOp::Subtract),
        "__sigsetjmp_cancel" | "__sigsetjmp" => Primitive::SetJump,
        "__pthread_unwind_next" | "___pthread_unwind_next" => Primitive::Unwind,
        "__pthread_register_cancel" | "__pthread_register_cancel_defer" => Primitive::Register,
        "__pthread_unregister_cancel" | "__pthread_unregister_cancel_restore" => Primitive::Unregister,
        _ => return None,
    })
}

/// Does a name mean something that the prelude does not define?
pub fn is_primitive(name: &str) -> bool {
    primitive(name, false).is_some()
}

/// Does the name belong to a library whose functions all mean something? They are not to be taken for functions of which nothing is known.
pub fn is_of_a_known_library(name: &str) -> bool {
    const PREFIXES: &str = "pthread_ __pthread_ _pthread_ sem_ mtx_ cnd_ thrd_ tss_ call_once atomic_ __atomic_ __c11_atomic_ __sync_ \
        __VERIFIER_ __ESBMC_ __CPROVER_ __goblint_ __braid_ __builtin_ __sigsetjmp _setjmp setjmp longjmp fork vfork signal sigaction \
        raise kill atexit on_exit clone mem str wcs wmem va_";
    // Of these more is known than that they return something: a wrong result could make up an error.
    const NAMES: &str = "sprintf snprintf vsprintf vsnprintf asprintf vasprintf bsearch gets fread getline scanf vscanf sscanf fscanf mmap \
        munmap execv remquo remquof remquol shmat dlsym fesetround fegetround fesetenv fegetenv feholdexcept feupdateenv fetestexcept feclearexcept feraiseexcept";
    NAMES.split_whitespace().any(|known| known == name)
        || PREFIXES.split_whitespace().any(|prefix| name.starts_with(prefix))
}

/// Is it a function of numbers that is not modelled, and whose result the numbers determine? It can return anything in a proof, but a
/// violation that needs a certain result is none.
pub fn is_numeric(name: &str) -> bool {
    const NAMES: &str = "pow exp exp2 exp10 expm1 log log2 log10 log1p logb ilogb sin cos tan asin acos atan atan2 sinh cosh tanh asinh \
        acosh atanh hypot cbrt erf erfc lgamma tgamma scalbln nextafter nexttoward nan \
        mktime timegm";
    let is = |name: &str| NAMES.split_whitespace().any(|known| known == name);
    is(name) || name.strip_suffix(['f', 'l']).is_some_and(is)
}
