//! External solver processes: a real one if there is one, and ones that misbehave.

use braid_logic::{Answer, Budget, Solver, SolverError, SolverOptions, Sort, SortKind, Term, TermPool};
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn options(command: &str, wall_clock: Duration) -> SolverOptions {
    let budget = Budget { wall_clock, ..Budget::default() };
    SolverOptions { budget, ..SolverOptions::alone(command) }
}

/// The command lines of the solvers that are there: Z3's program from the wheel or the system, and cvc5 by itself or from its wheel.
fn solvers() -> Vec<String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let [z3, cvc5] = [".z3/bin/z3", "scripts/cvc5"].map(|program| root.join(program).display().to_string());
    let candidates = [format!("'{z3}' -in"), "z3 -in".into(), "cvc5 --incremental".into(), format!("'{cvc5}'")];
    let pool = TermPool::new();
    let runs = |command: &String| Solver::new(&pool, options(command, Duration::from_secs(5))).is_ok();
    let found: Vec<String> = candidates.into_iter().filter(runs).collect();
    if found.is_empty() {
        eprintln!("skipped: neither Z3's program nor cvc5 is installed");
    }
    found
}

#[test]
fn a_real_solver_answers_with_cores_and_models() {
    for command in solvers() {
        let pool = TermPool::new();
        let mut solver = Solver::new(&pool, options(&command, Duration::from_secs(20))).expect("it ran before");
        let [x, y] = ["x", "an odd name"].map(|name| pool.symbol(name, Sort::INT));
        let p = pool.symbol("assumption!0", Sort::BOOL);
        let array = pool.array_sort(Sort::INT, Sort::INT);
        let a = pool.symbol("a", array);
        let thing = pool.sort(SortKind::Uninterpreted("Thing".into()));
        let (c, d) = (pool.symbol("c", thing), pool.symbol("d", thing));
        let f = pool.fun("f", &[Sort::INT], Sort::INT);
        let w = pool.symbol("w", pool.sort(SortKind::BitVec(8)));
        for formula in [
            pool.and([pool.lt(x, y), pool.lt(y, pool.int(-7)), p]),
            pool.and([pool.eq(pool.select(a, x), pool.int(3)), pool.eq(pool.select(a, y), pool.int(4))]),
            pool.not(pool.eq(c, d)),
            pool.eq(pool.apply(f, &[pool.apply(f, &[x])]), pool.add([pool.apply(f, &[x]), pool.int(1)])),
            pool.not(pool.eq(w, pool.bv_value(&5.into(), 8))),
        ] {
            assert_eq!(solver.decide(&[formula]), Answer::Sat, "{command}");
            let model = solver.model().unwrap_or_else(|| panic!("{command}: no model of {}", pool.display(formula)));
            assert_eq!(pool.holds_in(formula, &model), Some(true), "{command}: {}", pool.display(formula));
            assert_eq!(solver.decide(&[formula, pool.not(formula)]), Answer::Unsat, "{command}");
        }
        solver.assert(pool.lt(x, y));
        let noise = pool.gt(x, pool.int(3));
        assert_eq!(solver.check_assuming(&[noise, p, pool.lt(y, x)]), Answer::Unsat, "{command}");
        assert!(solver.core().contains(&pool.lt(y, x)), "{command}");
        assert_eq!(solver.minimize_core(), [pool.lt(y, x)], "{command}");
        solver.push();
        solver.assert(pool.lt(y, x));
        assert_eq!(solver.check(), Answer::Unsat, "{command}");
        solver.pop();
        assert_eq!(solver.check_assuming(&[noise]), Answer::Sat, "{command}");
        assert_eq!(solver.diagnostics(), [] as [String; 0], "{command}");
    }
}

#[test]
fn a_slow_query_is_unknown_and_the_process_is_replaced() {
    for command in solvers() {
        let pool = TermPool::new();
        let mut solver = Solver::new(&pool, options(&command, Duration::from_millis(500))).expect("it ran before");
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.symbol(name, Sort::INT));
        let cube = |t| pool.mul(t, pool.mul(t, t));
        let mut hopeless: Vec<Term> = [x, y, z].map(|t| pool.gt(t, pool.int(1))).into();
        hopeless.push(pool.eq(pool.add([cube(x), cube(y)]), cube(z)));
        let start = Instant::now();
        assert_eq!(solver.decide(&hopeless), Answer::Unknown, "{command}");
        assert!(start.elapsed() < Duration::from_secs(3));
        assert_eq!(solver.decide(&[pool.lt(x, y)]), Answer::Sat, "{command}");
        let interrupter = solver.interrupter();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            interrupter.interrupt();
        });
        let start = Instant::now();
        assert_eq!(solver.decide(&hopeless), Answer::Unknown, "{command}");
        assert!(start.elapsed() < Duration::from_secs(1));
        thread.join().expect("the other thread ends");
        assert_eq!(solver.check_assuming(&[pool.lt(x, y), pool.lt(y, x)]), Answer::Unsat, "{command}");
    }
}

/// A stub that greets properly and then reacts to each question with a shell command.
fn stub(reaction: &str) -> String {
    let script =
        format!("while read line; do case $line in *ready*) echo ready;; *check-sat*|*get-*) {reaction};; esac; done");
    format!("sh -c '{script}'")
}

#[test]
fn processes_that_misbehave_make_queries_unknown() {
    for (reaction, complaint) in [
        ("exit 1", "ended"),
        ("exec >&-", "ended"),
        ("echo nonsense", "nonsense"),
        ("echo \"(error 1)\"", "(error 1)"),
        ("echo unsupported", "unsupported"),
        ("exec sleep 60", "in time"),
        ("printf \"(((\"; exec sleep 60", "in time"),
    ] {
        let pool = TermPool::new();
        let mut solver = Solver::new(&pool, options(&stub(reaction), Duration::from_millis(300))).expect("sh is there");
        let formula = pool.lt(pool.symbol("x", Sort::INT), pool.int(3));
        for round in 1..=2 {
            let start = Instant::now();
            assert_eq!(solver.decide(&[formula]), Answer::Unknown, "{reaction}");
            assert!(start.elapsed() < Duration::from_secs(2), "{reaction}: {:?}", start.elapsed());
            assert_eq!(solver.model(), None);
            assert_eq!(solver.diagnostics().len(), round, "{reaction}: {:?}", solver.diagnostics());
            assert!(solver.diagnostics()[0].contains(complaint), "{reaction}: {:?}", solver.diagnostics());
        }
    }
}

#[test]
fn what_a_process_says_beyond_its_answer_is_checked() {
    let pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::INT));
    let mut solver = Solver::new(&pool, options(&stub("echo sat"), Duration::from_secs(5))).expect("sh is there");
    assert_eq!(solver.decide(&[pool.lt(x, y)]), Answer::Sat);
    assert_eq!(solver.model(), None);
    let mut solver = Solver::new(&pool, options(&stub("echo unsat"), Duration::from_secs(5))).expect("sh is there");
    assert_eq!(solver.check_assuming(&[pool.lt(x, y), pool.le(y, x)]), Answer::Unsat);
    assert_eq!(solver.core().len(), 2);
}

#[test]
fn a_process_alone_decides() {
    let pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::INT));
    let (less, square) = (pool.lt(x, y), pool.eq(pool.mul(x, x), y));
    let Some(var) = pool.free_vars(x).first().copied() else { panic!("x is a variable") };
    let mut linked = Solver::new(&pool, SolverOptions::default()).expect("it is linked");
    assert_eq!(linked.decide(&[less]), Answer::Sat);
    assert!(linked.interpolate(&[less, pool.lt(y, x)]).is_some());
    // This one is wrong, and nobody contradicts it.
    let mut solver = Solver::new(&pool, options(&stub("echo unsat"), Duration::from_secs(5))).expect("sh is there");
    assert_eq!(solver.decide(&[less]), Answer::Unsat);
    assert_eq!(solver.interpolate(&[less, pool.lt(y, x)]), None);
    assert_eq!(solver.eliminate(&[var], square), None);
    let said = solver.statistics();
    assert_eq!((said.native.unsat, said.backend.unsat), (0, 1));
}

#[test]
fn a_process_that_cannot_be_run_is_an_error_with_a_hint() {
    let pool = TermPool::new();
    for command in ["/no/such/solver -in", "", "sh -c 'exit 3'"] {
        let Err(error) = Solver::new(&pool, options(command, Duration::from_millis(500))) else {
            panic!("{command} is no solver")
        };
        assert!(matches!(error, SolverError::Process { .. }));
        assert!(error.to_string().contains("is it installed"), "{error}");
    }
}

#[test]
fn queries_are_dumped_as_numbered_scripts() {
    let directory = std::env::temp_dir().join(format!("braid-dump-{}", std::process::id()));
    let pool = TermPool::new();
    let dump = Some(directory.clone());
    let mut solver = Solver::new(&pool, SolverOptions { dump, ..SolverOptions::default() }).expect("a new directory");
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name, Sort::INT));
    solver.decide(&[pool.lt(x, y)]);
    solver.assert(pool.lt(x, y));
    solver.check_assuming(&[pool.lt(y, x)]);
    let read = |number: u32| {
        std::fs::read_to_string(directory.join(format!("query-{number:06}.smt2"))).expect("the query was dumped")
    };
    assert!(read(1).contains("(assert (< x y))") && read(1).ends_with("(check-sat)\n; native: Sat\n"), "{}", read(1));
    assert!(read(2).contains("(assert (< y x))") && read(2).ends_with("; native: Unsat\n"), "{}", read(2));
    std::fs::remove_dir_all(&directory).expect("it was made above");
    // The directory is gone, and the solver goes on.
    assert_eq!(solver.decide(&[pool.le(x, y)]), Answer::Sat);
    assert!(solver.diagnostics()[0].contains("dumped"));
}
