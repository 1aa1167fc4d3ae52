//! Certificates of random programs: those of proofs are accepted, and none of a program that is unsafe, however it was forged.

use crate::cases;
use crate::generator::{self, Inputs};
use crate::protocols::protocol;
use braid_check::{Annotation, Argument, Certificate, Graph, GraphState, location_of};
use braid_engines::certify::Proven;
use braid_engines::explicit::Explicit;
use braid_engines::gem::Gem;
use braid_engines::weave::Weave;
use braid_engines::{Control, Engine, Task, Verdict};
use braid_frontend::Language;
use braid_logic::{Solver, SolverOptions, Sort, Term, TermPool};
use braid_program::cfa::{ActionId, Location, ProductState, Program, ThreadId};
use braid_program::{LowerOptions, ast, lower};
use braid_proof::{FloydHoareAutomaton, Known};
use braid_reduction::{Commutativity, CommutativityMode, Target};
use braid_testkit::{Choices, Random, mutated, parsed};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(500);

/// Programs of all kinds, and protocols.
fn program(random: &mut Random) -> ast::Program {
    let numbers: Vec<u8> = (0..random.below(120)).map(|_| random.word() as u8).collect();
    match random.below(2) {
        0 => generator::program(Choices::new(&numbers), Inputs::Bounded),
        _ => parsed(&protocol(&numbers), Language::Braid),
    }
}

fn verdict(program: &Program<'_>, engine: &dyn Engine) -> Verdict {
    engine.verify(&Task::new(program), &Control::new().until(Some(Instant::now() + PATIENCE))).verdict
}

#[test]
fn certificates_of_proofs_are_accepted() {
    let (mut random, mut accepted, mut annotated, mut open) = (Random::new(7), 0, 0, 0);
    let lowering = LowerOptions::default();
    for case in 0..cases(200) {
        let structured = program(&mut random);
        let pool = TermPool::new();
        let automata = lower(&structured, &pool, lowering).expect("the program can be lowered");
        let engines: [&dyn Engine; 3] = [&Gem::default(), &Weave::default(), &Explicit::default()];
        let Verdict::Safe(proof) = verdict(&automata, engines[case as usize % 3]) else { continue };
        let solver = SolverOptions::default();
        let control = Control::new().until(Some(Instant::now() + PATIENCE));
        let proven = Proven { program: &structured, lowering, proof: &proof, solver: solver.clone() };
        let Ok(certificate) = proven.certificate(&control) else {
            open += 1;
            continue;
        };
        let read = braid_check::read(&certificate.to_string()).expect("what is written can be read");
        assert_eq!(read, std::slice::from_ref(&certificate));
        let again = TermPool::new();
        let automata = lower(&structured, &again, lowering).expect("the program can be lowered");
        let checked = braid_check::check(&automata, &certificate.argument, solver.clone(), &|| true);
        let about = || format!("{certificate}\n{}", braid_program::print::to_text(&structured));
        checked.unwrap_or_else(|refusal| panic!("{refusal}\n{}", about()));
        accepted += 1;
        let control = Control::new().until(Some(Instant::now() + PATIENCE));
        if let Ok(certificate) = proven.owicki_gries(&control) {
            let read = braid_check::read(&certificate.to_string()).expect("what is written can be read");
            assert_eq!(read, std::slice::from_ref(&certificate));
            let checked = braid_check::check(&automata, &certificate.argument, solver, &|| true);
            checked.unwrap_or_else(|refusal| panic!("{refusal}\n{certificate}\n{}", about()));
            annotated += 1;
        }
        for _ in 0..5 {
            changed_certificates_do_no_harm(&certificate, &automata, &mut random);
        }
    }
    println!("{accepted} accepted, {annotated} of them also as annotations, {open} without a certificate");
    assert!(accepted > cases(200) / 6 && open * 20 <= accepted && annotated * 2 > accepted);
}

/// Whatever is in a certificate, the check ends with an answer.
fn changed_certificates_do_no_harm(certificate: &Certificate, program: &Program<'_>, random: &mut Random) {
    let text =
        mutated(&certificate.to_string(), &["0", "1", "7", "()", "never", "(state", "true", "(not", ")"], random);
    for certificate in braid_check::read(&text).unwrap_or_default() {
        let _ = braid_check::check(program, &certificate.argument, SolverOptions::default(), &|| true);
    }
}

/// What a forger lies about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lie {
    /// What cannot happen.
    Never,
    /// What may be left out.
    LeftOut,
    /// What commutes.
    Commutes,
    /// What was followed before.
    Before,
}

const LIES: [Lie; 4] = [Lie::Never, Lie::LeftOut, Lie::Commutes, Lie::Before];

#[test]
fn no_forged_certificate_of_an_unsafe_program_is_accepted() {
    let (mut random, mut forged) = (Random::new(11), [0; LIES.len()]);
    for _ in 0..cases(600) {
        let structured = program(&mut random);
        let pool = TermPool::new();
        let automata = lower(&structured, &pool, LowerOptions::default()).expect("the program can be lowered");
        if !matches!(verdict(&automata, &Explicit::default()), Verdict::Unsafe(_)) {
            continue;
        }
        for (lie, count) in LIES.iter().zip(&mut forged) {
            let Some(argument) = (0..6).find_map(|_| forge(&automata, *lie, &mut random)) else { continue };
            let checked = braid_check::check(&automata, &argument, SolverOptions::default(), &|| true);
            assert!(checked.is_err(), "{lie:?}: {argument:?}\n{}", braid_program::print::to_text(&structured));
            *count += 1;
            if *lie == Lie::LeftOut || *lie == Lie::Never {
                let argument = as_annotations(&automata, &argument);
                let checked = braid_check::check(&automata, &argument, SolverOptions::default(), &|| true);
                assert!(checked.is_err(), "{argument:?}\n{}", braid_program::print::to_text(&structured));
            }
        }
    }
    println!("refused: {:?}", LIES.iter().zip(forged).collect::<Vec<_>>());
    assert!(forged.into_iter().all(|count| count > 0));
}

/// A certificate that is right but for lies of one kind; none if the target is met in spite of them.
fn forge(program: &Program<'_>, lie: Lie, random: &mut Random) -> Option<Argument> {
    let mut solver = Solver::new(program.pool, SolverOptions::default()).expect("there is a solver");
    let mut proof = FloydHoareAutomaton::new();
    for variable in &program.variables {
        let (pool, var) = (program.pool, program.pool.of_var(variable.var));
        if pool.var_sort(variable.var) == Sort::INT {
            let value = pool.int(random.below(3) as i64);
            proof.add(program, pool.eq(var, value));
            proof.add(program, pool.le(value, var));
        }
    }
    let mut graphs = Vec::new();
    for target in Target::all(program) {
        let commutativity = Commutativity::new(CommutativityMode::ProofSensitive);
        let forger = Forger { program, target, lie, solver: &mut solver, proof: &mut proof, commutativity, random };
        graphs.push(Graph { target, states: forger.states()? });
    }
    let text = |&assertion: &Term| program.pool.display(assertion).to_string();
    Some(Argument::Reduction { assertions: proof.assertions().iter().map(text).collect(), graphs })
}

/// The states of forged graphs as annotations of the threads.
fn as_annotations(program: &Program<'_>, argument: &Argument) -> Argument {
    let Argument::Reduction { assertions, graphs } = argument else { unreachable!("it is a reduction") };
    let mut annotations = Vec::new();
    for thread in program.thread_ids() {
        for location in (1..program.thread(thread).locations.len() as u32).map(Location) {
            let mut formula = "true".to_owned();
            for graph in graphs {
                let here = graph.states.iter().filter(|state| state.locations[thread.index()] == location);
                let case = |state: &GraphState| {
                    let name = |id: ThreadId| program.pool.display(program.pool.of_var(location_of(program, id)));
                    let places = program.thread_ids().zip(&state.locations);
                    let places: String = places.map(|(id, at)| format!(" (= {} {})", name(id), at.0)).collect();
                    let known: Vec<&str> = state.holds.iter().map(|&n| assertions[n as usize].as_str()).collect();
                    format!(" (and true{places} {})", known.join(" "))
                };
                formula = format!("(and {formula} (or false{}))", here.map(case).collect::<String>());
            }
            annotations.push(Annotation { thread, location, formula });
        }
    }
    Argument::OwickiGries { annotations }
}

struct Forger<'a, 'p> {
    program: &'a Program<'p>,
    target: Target,
    lie: Lie,
    solver: &'a mut Solver<'p>,
    proof: &'a mut FloydHoareAutomaton,
    commutativity: Commutativity,
    random: &'a mut Random,
}

impl Forger<'_, '_> {
    fn lies(&mut self, about: Lie, one_in: usize) -> bool {
        self.lie == about && self.random.below(one_in) == 0
    }

    fn states(mut self) -> Option<Vec<GraphState>> {
        let program = self.program;
        let rate = 1 + self.random.below(3);
        let first = (program.initial_state(), Vec::new(), Known::NOTHING);
        let mut numbers: FxHashMap<(ProductState, Vec<ActionId>, Known), u32> = FxHashMap::default();
        numbers.insert(first.clone(), 0);
        let (mut open, mut states) = (vec![first], Vec::new());
        while let Some((place, asleep, known)) = open.get(states.len()).cloned() {
            let mut awake: Vec<ActionId> = program.enabled(&place).filter(|action| !asleep.contains(action)).collect();
            (1..awake.len()).for_each(|last| awake.swap(last, self.random.below(last + 1)));
            let mut steps: Vec<(ActionId, Option<u32>)> = Vec::new();
            for &action in &awake {
                let next = program.successor(&place, action);
                let after = self.proof.successor(self.solver, program, known, action);
                let fails = after != Known::UNREACHABLE && self.target.is_met(program, &next);
                if self.lies(Lie::LeftOut, if fails { 1 } else { 5 }) {
                    continue;
                }
                if after == Known::UNREACHABLE || self.lies(Lie::Never, if fails { 1 } else { 10 }) {
                    steps.push((action, None));
                    continue;
                }
                if fails || states.len() > 200 {
                    return None;
                }
                let earlier: Vec<ActionId> = steps.iter().map(|(earlier, _)| *earlier).collect();
                let sleeps = asleep.iter().chain(&awake).copied().filter(|&other| {
                    let may = asleep.contains(&other) || earlier.contains(&other);
                    other != action
                        && (may || self.lies(Lie::Before, rate))
                        && (self.lies(Lie::Commutes, rate) || self.commute(known, action, other))
                });
                let key = (next, sleeps.collect::<Vec<_>>(), after);
                let number = *numbers.entry(key.clone()).or_insert_with(|| {
                    open.push(key);
                    open.len() as u32 - 1
                });
                steps.push((action, Some(number)));
            }
            let holds = self.proof.known_ids(known).map(|id| id.index() as u32).collect();
            states.push(GraphState { locations: place.locations().to_vec(), asleep, holds, steps });
        }
        Some(states)
    }

    fn commute(&mut self, known: Known, a: ActionId, b: ActionId) -> bool {
        let (program, proof) = (self.program, &*self.proof);
        self.commutativity.under(self.solver, program, (a, b), |pair| proof.about(program, known, pair))
    }
}
