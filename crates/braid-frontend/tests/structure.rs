//! What reading makes of a text beyond what printing shows: which variables are one, where they live, where things stand.

use braid_frontend::{Language, parse};
use braid_program::ast::{Claim, Program, Stmt, StmtKind, Storage, VarId};

fn read(text: &str, language: Language) -> Program {
    parse("a", text, language).unwrap_or_else(|error| panic!("{error}"))
}

fn statements(program: &Program) -> &[Stmt] {
    match &program.procedure(program.main).body.kind {
        StmtKind::Seq(items) => items,
        _ => unreachable!("the body of a procedure is a sequence"),
    }
}

/// The variables that are assigned, in the order of the text.
fn assigned(program: &Program) -> Vec<VarId> {
    fn collect(stmt: &Stmt, found: &mut Vec<VarId>) {
        match &stmt.kind {
            StmtKind::Assign(pairs) => found.extend(pairs.iter().map(|(target, _)| *target)),
            StmtKind::Seq(items) | StmtKind::Par(items) => items.iter().for_each(|item| collect(item, found)),
            StmtKind::Declare(_, body) => collect(body, found),
            _ => {}
        }
    }
    let mut found = Vec::new();
    program.procedures.iter().for_each(|procedure| collect(&procedure.body, &mut found));
    found
}

#[track_caller]
fn check_assigned(text: &str, language: Language, expected: &[u32]) {
    let found: Vec<u32> = assigned(&read(text, language)).iter().map(|id| id.0).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_top_level_declare_shares_the_variable_of_its_name_and_sort() {
    let check = |text, expected: &[u32]| check_assigned(text, Language::Weaver, expected);
    check("(var x Int) (declare (x Int) (set! x 1)) (set! x 2)", &[0, 0]);
    check("(var x Bool) (declare (x Int) (set! x 1)) (set! x true)", &[1, 0]);
    check("(declare (x Int) (set! x 1)) (declare (x Int) (set! x 2))", &[0, 0]);
    check("(var x Int) (seq (declare (x Int) (set! x 1))) (set! x 2)", &[1, 0]);
    check("(var x Int) (declare (x Int) (declare (x Int) (set! x 1)))", &[1]);
    check("(var x Int) (par (declare (x Int) (set! x 1)) (declare (x Int) (set! x 1)))", &[1, 2]);
    check("(replicate 3 (declare (x Int) (set! x 1)))", &[0, 1, 2]);
}

#[test]
fn weaver_has_global_variables_and_claims_that_nothing_ends() {
    let program = read("(var x Int) (replicate 2 (declare (y Int) (set! y x)))", Language::Weaver);
    assert_eq!(program.claim, Claim::NoCompleteExecution);
    assert_eq!(program.procedure(program.main).name, "main");
    assert_eq!(program.variables.len(), 3);
    assert!(program.variables.iter().all(|variable| variable.storage == Storage::Global));
}

#[test]
fn variables_of_procedures_are_local_in_braid() {
    let text = "(var g Int) (proc f ((p Int)) ((r Int)) (declare (l Int) (set! l p))) (declare (t Int) (call (t) f g))";
    let program = read(text, Language::Braid);
    assert_eq!(program.claim, Claim::AssertionsHold);
    let local: Vec<&str> =
        program.variables.iter().filter(|v| v.storage != Storage::Global).map(|v| &*v.name).collect();
    assert_eq!(local, ["p", "r", "l"]);
    assert_eq!(program.procedure(program.main).name, "main");
}

#[test]
fn spans_cover_the_text_of_each_statement_and_expression() {
    let text = "(var x Int)\n(while (< x 3)\n  (set! x (+ x 1)))\n";
    let program = read(text, Language::Weaver);
    let excerpt = |span| program.sources.text(span);
    let [stmt] = statements(&program) else { unreachable!("there is one statement") };
    assert_eq!(excerpt(stmt.span), "(while (< x 3)\n  (set! x (+ x 1)))");
    let StmtKind::While(test, body) = &stmt.kind else { unreachable!("it is a loop") };
    assert_eq!(excerpt(test.span), "(< x 3)");
    assert_eq!(excerpt(body.span), "(set! x (+ x 1))");
    assert_eq!(excerpt(program.variables[0].span), "x");
}
