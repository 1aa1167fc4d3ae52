//! Which checks are asked about together, and which hold by the look of a program.

use braid_program::ast::{Check, Checks, ProcId, Program, Release, Stmt, StmtKind};

/// Checks that change what a translation is like: each has one of its own.
pub const APART: [Check; 3] = [Check::Race, Check::Deadlock, Check::Progress];

/// Smaller questions, where a large one has no answer. Overflow is alone: counters without a bound are common, and nothing else depends
/// on them.
pub const SMALLER: [Checks; 5] = [
    Checks::of(Check::Assertion),
    Checks::of(Check::Deref).with(Check::Free),
    Checks::of(Check::Memtrack).with(Check::Memcleanup),
    Checks::of(Check::Undefined).with(Check::Uninitialised),
    Checks::of(Check::Overflow),
];

/// Checks that no statement can violate: none asserts them, and none waits. So they hold, whatever the engines find. If a part of the program
/// is not modelled, it could do anything.
pub fn harmless(program: &Program, checks: Checks) -> Checks {
    let mut rest = checks.without(Checks::of(Check::Progress));
    for stmt in program.statements() {
        rest = match &stmt.kind {
            StmtKind::Unmodelled(_) => return Checks::NONE,
            StmtKind::Assert(check, _) => rest.without(Checks::of(*check)),
            // At the end of the program nobody waits.
            StmtKind::Await(_, release) if matches!(**release, Release::Over) => rest,
            StmtKind::Await(..) | StmtKind::Join { .. } | StmtKind::Wait { .. } | StmtKind::Par(_) => {
                rest.without(Checks::of(Check::Deadlock))
            }
            _ => rest,
        };
    }
    rest
}

/// The questions that the checks of one translation make up: where that is better, assertions or overflows are asked about alone.
pub fn groups(program: &Program, checks: Checks) -> Vec<Checks> {
    let mut groups = Vec::new();
    let mut rest = checks;
    if are_assertions_apart(program, checks) {
        groups.push(Checks::of(Check::Assertion));
        rest = rest.without(Checks::of(Check::Assertion));
    }
    let overflows = Checks::of(Check::Overflow).among(rest);
    if !rest.without(overflows).is_empty() && are_overflows_apart(program, overflows) {
        groups.push(rest.without(overflows));
        rest = overflows;
    }
    groups.push(rest);
    groups
}

/// Are overflows a question of their own? They are where something is counted in a loop: if nothing bounds that, there is neither a proof nor, in any
/// time, an execution, and the other checks would wait in vain for the answer.
fn are_overflows_apart(program: &Program, checks: Checks) -> bool {
    let is_loop = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::While(..) | StmtKind::Loop(_));
    let counts = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Assert(Check::Overflow, _));
    checks.contains(Check::Overflow) && program.statements().filter(is_loop).any(|stmt| stmt.all().any(counts))
}

/// Are assertions a question of their own? They are where only the first thread has some, and other checks are about what the other threads
/// do. A result at the end is proven by interleavings that keep threads at one pace; what a thread does by itself is proven by
/// others. Together, both take longer than one after the other.
fn are_assertions_apart(program: &Program, checks: Checks) -> bool {
    let started = program.statements().filter_map(|stmt| match stmt.kind {
        StmtKind::Fork { procedure, .. } | StmtKind::Async { procedure, .. } => Some(procedure),
        _ => None,
    });
    let inside = asserted(program, started.collect());
    let first = asserted(program, vec![program.main]);
    let is_last = first.contains(Check::Assertion) && !inside.contains(Check::Assertion);
    checks.contains(Check::Assertion) && is_last && !inside.among(checks).is_empty()
}

/// What is asserted in some procedures, and in those that they call.
fn asserted(program: &Program, mut procedures: Vec<ProcId>) -> Checks {
    let mut found = Checks::NONE;
    let mut next = 0;
    while next < procedures.len() {
        for stmt in program.procedures[procedures[next].index()].body.all() {
            match stmt {
                Stmt { kind: StmtKind::Assert(check, _), .. } => found = found.with(*check),
                Stmt { kind: StmtKind::Call { procedure, .. }, .. } if !procedures.contains(procedure) => {
                    procedures.push(*procedure);
                }
                _ => {}
            }
        }
        next += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_frontend::Reading;
    use braid_frontend::c::{self, Kind};

    /// A program of a thread with one line, and an end with another.
    fn program(thread: &str, end: &str, checks: Checks) -> Program {
        let text = format!(
            "typedef unsigned long pthread_t;
            int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
            int pthread_join(pthread_t, void **);
            void reach_error(void);
            void check(int b) {{ if (!b) reach_error(); }}
            int x, n;
            void *run(void *p) {{ {thread}; return 0; }}
            int main(void) {{ pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); {end}; return 0; }}"
        );
        let reading = Reading { checks, ..Reading::default() };
        let unit = c::unit("a.i", &text, Kind::Preprocessed, &reading).expect("the text is C");
        c::translated(&unit, &reading).expect("the text is a program").0
    }

    /// Are assertions apart?
    fn check(thread: &str, end: &str, expected: bool) {
        let checks = Checks::of(Check::Assertion).with(Check::Overflow);
        let program = program(thread, end, checks);
        assert_eq!(are_assertions_apart(&program, checks), expected, "{thread} … {end}");
    }

    /// Which questions are asked?
    fn check_groups(thread: &str, expected: &[&[Check]]) {
        let checks = Checks::of(Check::Deref).with(Check::Overflow);
        let groups = groups(&program(thread, "", checks), checks);
        let named: Vec<Vec<Check>> = groups.iter().map(|group| group.iter().collect()).collect();
        assert_eq!(named, expected, "{thread}");
    }

    #[test]
    fn overflows_in_loops_are_a_question_of_their_own() {
        check_groups("x++", &[&[Check::Deref, Check::Overflow]]);
        check_groups("while (n) x++", &[&[Check::Deref], &[Check::Overflow]]);
        check_groups("while (n) x = 1; x++", &[&[Check::Deref, Check::Overflow]]);
    }

    #[test]
    fn assertions_at_the_end_are_a_question_of_their_own() {
        check("x++", "check(x == 1)", true);
        check("x = 1", "check(x == 1)", false);
        check("x++; check(x)", "check(x == 1)", false);
        check("x++", "n++", false);
    }
}
