//! What `weave` proves and refutes, as data.

use braid_engines::weave::{Counterexamples, Fixpoint, Weave};
use braid_engines::{Control, Engine, Outcome, Task, Verdict};
use braid_frontend::Language;
use braid_logic::text::{PoolScope, parse_term};
use braid_logic::{Solver, Term, TermPool, Validity};
use braid_program::LowerOptions;
use braid_proof::{Annotation, ProveTraces, Strategy, Trace, TraceOutcome, UnknownTrace};
use braid_reduction::CommutativityMode;
use braid_reduction::tree::Choice;
use braid_testkit::parsed;
use std::time::{Duration, Instant};

fn lowered<R>(language: Language, text: &str, fuse: bool, run: impl FnOnce(&Task<'_, '_>) -> R) -> R {
    let options = LowerOptions { fuse, ..LowerOptions::default() };
    braid_testkit::lowered(&parsed(text, language), options, |automata| run(&Task::new(automata)))
}

fn seconds(count: u64) -> Control {
    Control::new().until(Some(Instant::now() + Duration::from_secs(count)))
}

fn verify(language: Language, text: &str, engine: &Weave) -> Outcome {
    lowered(language, text, true, |task| engine.verify(task, &seconds(30)))
}

/// Every choice of orders, every set of counterexamples, both ways to check, and with and without patience.
fn settings() -> Vec<Weave> {
    let kinds = ["naive", "progress", "rr", "l:1", "m:3"].map(|name| name.parse::<Counterexamples>().expect("a name"));
    let mut settings = Vec::new();
    for choice in [Choice::Total, Choice::Partition] {
        for kind in kinds {
            let weave = Weave { choice, counterexamples: vec![kind], seed_invariants: false, ..Weave::default() };
            settings.extend([
                Weave { patience: 5, ..weave.clone() },
                Weave { fixpoint: Fixpoint::Plain, ..weave.clone() },
                weave,
            ]);
        }
    }
    settings
}

/// Two copies of a loop with the same inputs end with the same result.
const COPIES: &str = "(var x1 x2 n Int) (assume (and (= x1 x2) (> x1 0)))
    (par (while (< x1 n) (set! x1 (+ x1 x1))) (while (< x2 n) (set! x2 (+ x2 x2))))
    (assume (not (= x1 x2)))";

#[test]
fn every_setting_proves_that_copies_agree() {
    for engine in settings() {
        let verdict = verify(Language::Weaver, COPIES, &engine).verdict;
        assert!(matches!(verdict, Verdict::Safe(_)), "{engine:?}: {verdict:?}");
    }
}

#[test]
fn every_setting_sees_that_copies_with_other_inputs_do_not_agree() {
    let text = COPIES.replace("(= x1 x2) (> x1 0)", "(= x1 1) (= x2 2)");
    for engine in settings() {
        let verdict = verify(Language::Weaver, &text, &engine).verdict;
        assert!(matches!(verdict, Verdict::Unsafe(_)), "{engine:?}: {verdict:?}");
    }
}

/// Section 2 of the paper: the sum of two products is in lockstep with a third only one after the other.
#[test]
fn multiplication_distributes_over_addition() {
    let text = "(var x y z i j k a b c Int)
        (assume (and (= x 0) (= y 0) (= z 0) (= i 0) (= j 0) (= k 0) (>= a 0) (>= b 0)))
        (par (while (< i a) (atomic (set! x (+ x c)) (set! i (+ i 1))))
             (while (< j b) (atomic (set! y (+ y c)) (set! j (+ j 1))))
             (while (< k (+ a b)) (atomic (set! z (+ z c)) (set! k (+ k 1)))))
        (assume (not (= (+ x y) z)))";
    let engine = Weave { seed_invariants: false, ..Weave::default() };
    assert!(matches!(verify(Language::Weaver, text, &engine).verdict, Verdict::Safe(_)));
    let wrong = text.replace("(>= b 0)", "(>= b (- 0 1))");
    assert!(matches!(verify(Language::Weaver, &wrong, &engine).verdict, Verdict::Unsafe(_)));
}

/// Claims other than a postcondition: assertions inside threads, with forks, joins and nested branches.
#[test]
fn assertions_inside_threads_are_proven_and_refuted() {
    let lock = |second: &str| {
        format!(
            "(var l Bool) (var c Int) (set! l false) (set! c 0)
             (par (seq (atomic (assume (not l)) (set! l true)) (set! c (+ c 1)) (assert (= c 1)) (set! c (- c 1)) (set! l false))
                  (par (seq {second} (set! c (+ c 1)) (set! c (- c 1)) (set! l false)) (assert (<= c 1))))"
        )
    };
    for engine in settings() {
        let safe = verify(Language::Braid, &lock("(atomic (assume (not l)) (set! l true))"), &engine).verdict;
        assert!(matches!(safe, Verdict::Safe(_)), "{engine:?}: {safe:?}");
        let broken = verify(Language::Braid, &lock("(set! l true)"), &engine).verdict;
        assert!(matches!(broken, Verdict::Unsafe(_)), "{engine:?}: {broken:?}");
    }
}

/// Proves traces with parts of a known proof, and no others.
struct Knows<'p> {
    pool: &'p TermPool,
    proof: Vec<Term>,
}

impl<'p> Knows<'p> {
    /// What the assertions say at each position of a trace; none if they do not show that it cannot happen.
    fn annotate(&self, solver: &mut Solver<'p>, trace: &Trace<'_>, assertions: &[Term]) -> Option<Vec<Term>> {
        let mut known: Vec<Term> = Vec::new();
        let mut annotation = vec![Term::TRUE];
        for step in trace.steps() {
            let premises: Vec<Term> = known.iter().copied().chain([step.guard]).collect();
            let mut follows =
                |formula: Term| solver.entails(&premises, step.before(self.pool, formula)) == Validity::Valid;
            known = match follows(Term::FALSE) {
                true => vec![Term::FALSE],
                false => assertions.iter().copied().filter(|&assertion| follows(assertion)).collect(),
            };
            annotation.push(self.pool.and(known.clone()));
        }
        known.contains(&Term::FALSE).then_some(annotation)
    }
}

impl<'p> ProveTraces<'p> for Knows<'p> {
    fn prove(&mut self, solver: &mut Solver<'p>, trace: &Trace<'_>) -> TraceOutcome {
        let mut needed = self.proof.clone();
        if self.annotate(solver, trace, &needed).is_none() {
            return TraceOutcome::Unknown(UnknownTrace::Assertions);
        }
        for &assertion in &self.proof {
            let fewer: Vec<Term> = needed.iter().copied().filter(|&other| other != assertion).collect();
            if self.annotate(solver, trace, &fewer).is_some() {
                needed = fewer;
            }
        }
        TraceOutcome::Infeasible(vec![Annotation { strategy: Strategy::Core, assertions: needed }])
    }
}

/// Theorem 7.1: a proof of some reduction is found in as many rounds as it has assertions (`false` among them), if the trace prover
/// answers with parts of it. The first assertions of each proof cover no reduction, so that the bound means something.
#[test]
fn a_known_proof_is_reached_in_as_many_rounds_as_it_has_assertions() {
    let distributes = "(var x y z i j k a b c Int)
        (assume (and (= x 0) (= y 0) (= z 0) (= i 0) (= j 0) (= k 0) (>= a 0) (>= b 0)))
        (par (while (< i a) (atomic (set! x (+ x c)) (set! i (+ i 1))))
             (while (< j b) (atomic (set! y (+ y c)) (set! j (+ j 1))))
             (while (< k (+ a b)) (atomic (set! z (+ z c)) (set! k (+ k 1)))))
        (assume (not (= (+ x y) z)))";
    let known: [(&str, &[&str]); 2] = [
        (COPIES, &["(= x1 x2)", "(>= x1 n)", "(= x1 (+ x2 x2))", "(< x2 n)"]),
        (
            distributes,
            &[
                "(= (+ x y) z)",
                "(= (+ i j) k)",
                "(= (+ x y) (+ z c))",
                "(= (+ i j) (+ k 1))",
                "(<= i a)",
                "(<= j b)",
                "(>= i a)",
                "(>= j b)",
                "(>= k (+ a b))",
            ],
        ),
    ];
    for (text, proof) in known {
        for choice in [Choice::Total, Choice::Partition] {
            let rounds = |proof: &[&str]| {
                let engine = Weave {
                    choice,
                    counterexamples: vec![Counterexamples::Progress],
                    commutativity: CommutativityMode::Semantic,
                    seed_invariants: false,
                    ..Weave::default()
                };
                lowered(Language::Weaver, text, true, |task| {
                    let pool = task.program.pool;
                    let term = |text: &&str| parse_term(pool, text, &PoolScope(pool)).expect("an assertion");
                    let prover = Knows { pool, proof: proof.iter().map(term).collect() };
                    let outcome = engine.verify_by(task, &seconds(60), Box::new(prover));
                    matches!(outcome.verdict, Verdict::Safe(_)).then_some(outcome.statistics.rounds as usize)
                })
            };
            let taken = rounds(proof).unwrap_or_else(|| panic!("no proof with {proof:?}, {choice:?}"));
            assert!((2..=proof.len() + 1).contains(&taken), "{taken} rounds, {choice:?}");
            assert_eq!(rounds(&proof[1..]), None, "{choice:?}: the rest is no proof");
        }
    }
}

/// `threads` copies of a loop of `steps` assignments, two of each: what the paper's stress tests look like.
fn stress(threads: usize, steps: usize) -> String {
    let body = |x: &str| format!("(while (< {x} n) {})", format!("(set! {x} (+ {x} {x}))").repeat(steps));
    let name = |thread: usize, copy: usize| format!("x{thread}_{copy}");
    let (mut names, mut same, mut bodies) = (Vec::new(), Vec::new(), String::new());
    for thread in 0..threads {
        let (a, b) = (name(thread, 0), name(thread, 1));
        same.push(format!("(= {a} {b})"));
        bodies.push_str(&(body(&a) + &body(&b)));
        names.extend([a, b]);
    }
    let positive: Vec<String> = names.iter().map(|x| format!("(> {x} 0)")).collect();
    let (names, same, positive) = (names.join(" "), same.join(" "), positive.join(" "));
    format!("(var {names} n Int) (assume (and {same} {positive})) (par {bodies}) (assume (not (and {same})))")
}

#[test]
fn stress_tests_take_few_states_even_step_by_step() {
    for (threads, steps) in [(1, 3), (2, 1), (2, 2)] {
        let engine = Weave { seed_invariants: false, ..Weave::default() };
        let outcome =
            lowered(Language::Weaver, &stress(threads, steps), false, |task| engine.verify(task, &seconds(60)));
        assert!(matches!(outcome.verdict, Verdict::Safe(_)), "{threads}x{steps}: {:?}", outcome.verdict);
    }
}
