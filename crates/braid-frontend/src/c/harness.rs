//! The harness of a library without `main`: what a person would write by hand, as C behind the end of the first file.
//!
//! `__braid_start` and `__braid_join` are the primitives of threads, and `__braid_any()` is an argument that is anything: of a pointer, the
//! address of an object of its own that holds anything.

use crate::Harness;
use std::fmt::Write;

/// Where the program begins then.
pub const ENTRY: &str = "braid_main";

/// Where a module of the Linux kernel begins, if it has no `main`.
pub const MODULE: &str = "braid_module";

/// The lines, to be put behind a text that is not preprocessed yet.
pub fn lines(harness: &Harness) -> String {
    let Harness { entry, declared, setup, threads, finally } = harness;
    let mut text = String::from("\n");
    for piece in declared {
        let end = if piece.trim_start().starts_with('#') { "" } else { ";" };
        let _ = writeln!(text, "{piece}{end}");
    }
    for (number, thread) in threads.iter().enumerate() {
        let call = with_anything(repeated(thread).unwrap_or(thread));
        let name = thread_name(number, thread);
        let _ = writeln!(text, "static void *{name}(void *braid_argument) {{ {call}; return 0; }}");
    }
    let _ = writeln!(text, "int {ENTRY}(void) {{");
    setup.iter().for_each(|piece| text += &format!("  {};\n", with_anything(piece)));
    if let Some(entry) = entry {
        // A function that takes nothing in particular is given nothing.
        let _ = writeln!(text, "  __braid_call({entry});");
    }
    let is_once = |thread: &&(usize, &String)| repeated(thread.1).is_none();
    let all: Vec<(usize, &String)> = threads.iter().enumerate().collect();
    for (number, _) in all.iter().filter(is_once) {
        let _ = writeln!(text, "  unsigned long braid_handle_{number};");
    }
    for (number, thread) in &all {
        let name = thread_name(*number, thread);
        match repeated(thread) {
            None => {
                let _ = writeln!(text, "  __braid_start(&braid_handle_{number}, {name}, (void *)0);");
            }
            Some(_) => {
                let _ = writeln!(
                    text,
                    "  {{ unsigned long braid_handle; while (__VERIFIER_nondet_bool()) __braid_start(&braid_handle, {name}, (void *)0); }}"
                );
            }
        }
    }
    for (number, _) in all.iter().filter(is_once) {
        let _ = writeln!(text, "  __braid_join(braid_handle_{number});");
    }
    finally.iter().for_each(|piece| text += &format!("  {};\n", with_anything(piece)));
    text + "  return 0;\n}\n"
}

/// What a thread is called: after the function that it calls first, where that is plain to see.
fn thread_name(number: usize, thread: &str) -> String {
    let callee = thread.split('(').next().unwrap_or_default().trim();
    let is_name = callee.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && callee.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    format!("{}_thread_{number}", if is_name { callee } else { "braid" })
}

/// The call that any number of threads do, `f(…)*`.
fn repeated(thread: &str) -> Option<&str> {
    let call = thread.trim().strip_suffix('*')?.trim_end();
    call.ends_with(')').then_some(call)
}

/// Is some argument `*`?
pub fn has_any_argument(code: &str) -> bool {
    with_anything(code) != code
}

/// Arguments `*` as what is anything.
fn with_anything(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    for (at, c) in code.char_indices() {
        let before = code[..at].trim_end().chars().next_back();
        let behind = code[at + 1..].trim_start().chars().next();
        match c {
            '*' if matches!(before, Some('(' | ',')) && matches!(behind, Some(')' | ',')) => out += "__braid_any()",
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_arguments_only() {
        assert_eq!(with_anything("push(&q, *)"), "push(&q, __braid_any())");
        assert_eq!(with_anything("f(*, *p, a * b)"), "f(__braid_any(), *p, a * b)");
        assert_eq!(repeated("push(&q, *)*"), Some("push(&q, *)"));
        assert_eq!(repeated("*p"), None);
        assert_eq!(thread_name(2, "push(&q, *)"), "push_thread_2");
        assert_eq!(thread_name(0, "x = f(1)"), "braid_thread_0");
    }

    #[test]
    fn threads_are_started_and_joined() {
        let threads = vec!["push(1)".to_owned(), "pop()*".to_owned()];
        let declared = vec!["#include <assert.h>".to_owned(), "struct queue q".to_owned()];
        let text = lines(&Harness { threads, declared, ..Harness::default() });
        assert!(text.starts_with("\n#include <assert.h>\nstruct queue q;\n"));
        assert!(text.contains("__braid_start(&braid_handle_0, push_thread_0"));
        assert!(text.contains("while (__VERIFIER_nondet_bool()) __braid_start(&braid_handle, pop_thread_1"));
        assert!(!text.contains("__braid_join(braid_handle_1"));
    }
}
