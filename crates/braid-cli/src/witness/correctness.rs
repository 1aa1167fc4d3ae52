//! From a proof to what a correctness witness says: facts that hold whenever a thread comes to a statement.
//!
//! Only proofs whose facts hold in every reachable state have some: those about one thread and about two (`ThreadModular`), and the
//! invariants of all states that `modular` starts from. What holds between fused actions need not hold inside of them, where C has
//! states, too: so the automata must not be fused (`--no-fuse`). *Invariant*: what is said of a statement is the disjunction of the facts
//! of all places of all threads where it may begin; a statement that also begins inside of an action is left out.

use super::formula::expression;
use super::place::{Place, Texts};
use super::values::Names;
use crate::input;
use braid_engines::{Argument, Proof};
use braid_frontend::c::tree::Unit;
use braid_logic::TermPool;
use braid_program::LowerOptions;
use braid_program::ast;
use braid_program::cfa::{Location, Program, ThreadId};
use braid_program::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What a correctness witness says.
#[derive(Clone, Debug, Default)]
pub struct Correctness {
    pub invariants: Vec<Invariant>,
}

/// What holds whenever a thread comes to a statement, as an expression of C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Is it one of a loop, in each of its rounds?
    pub is_loop: bool,
    pub place: Place,
    pub value: String,
}

/// Where in its automaton a thread is.
type Site = (ThreadId, Location);

/// What a proof says.
pub fn correctness(
    (proof, lowering): (&Proof, LowerOptions),
    structured: &ast::Program,
    (unit, files): (&Unit, &[String]),
) -> Correctness {
    let lowering = proof.lowering.unwrap_or(lowering);
    if lowering.fuse {
        return Correctness::default();
    }
    let (names, texts) = (Names::new(unit), Texts::new(&structured.sources, files));
    let invariants = match &proof.argument {
        Argument::ThreadModular(facts) => {
            let pool = TermPool::new();
            let lowered = input::automata(structured, &pool, lowering).ok();
            let mut known: FxHashMap<Site, Vec<String>> = FxHashMap::default();
            for fact in facts.invariants.iter().filter(|fact| fact.places.len() == 1) {
                let said = fact.formulas.iter().filter_map(|formula| expression(formula, &names));
                known.entry(fact.places[0]).or_default().extend(said);
            }
            lowered.map(|program| of_places(&program, &texts, &known)).unwrap_or_default()
        }
        Argument::Modular(environments) => {
            let facts: Vec<String> =
                environments.invariants.iter().filter_map(|formula| expression(formula, &names)).collect();
            let of_loop = |place: Place| Invariant { is_loop: true, place, value: facts.join(" && ") };
            if facts.is_empty() { Vec::new() } else { texts.loops().into_iter().map(of_loop).collect() }
        }
        _ => Vec::new(),
    };
    Correctness { invariants }
}

/// What is known of statements, from what is known of places in the automata.
fn of_places(program: &Program<'_>, texts: &Texts<'_>, known: &FxHashMap<Site, Vec<String>>) -> Vec<Invariant> {
    let statement = |span: Span| texts.statement(span);
    let key = |place: &Place| (place.file.clone(), place.bytes.start);
    let mut inside = FxHashSet::default();
    let mut begins: BTreeMap<(String, usize), (Place, FxHashSet<Site>)> = BTreeMap::new();
    for action in &program.actions {
        let places: Vec<Option<Place>> = match action.steps.is_empty() {
            true => vec![statement(action.span)],
            false => action.steps.iter().map(|step| statement(step.span)).collect(),
        };
        inside.extend(places.windows(2).filter(|pair| pair[0] != pair[1]).filter_map(|pair| pair[1].as_ref()).map(key));
        // The first statement of all may be one that nothing is said of, with others after it.
        inside.extend(places.iter().skip(1).flatten().filter(|_| places[0].is_none()).map(key));
        if let Some(place) = places.into_iter().next().flatten() {
            let known = begins.entry(key(&place)).or_insert_with(|| (place, FxHashSet::default()));
            known.1.insert((action.thread, action.source));
        }
    }
    let mut invariants = Vec::new();
    for (at, (place, locations)) in begins {
        let facts = |at: &Site| known.get(at).filter(|facts| !facts.is_empty());
        if inside.contains(&at) || texts.is_loop(&place) || !locations.iter().all(|at| facts(at).is_some()) {
            continue;
        }
        let mut cases: Vec<String> = locations.iter().filter_map(facts).map(|facts| facts.join(" && ")).collect();
        cases.sort();
        cases.dedup();
        cases.retain(|case| case != "0");
        if !cases.is_empty() {
            let value = cases.iter().map(|case| format!("({case})")).collect::<Vec<String>>().join(" || ");
            invariants.push(Invariant { is_loop: false, place, value });
        }
    }
    invariants
}
