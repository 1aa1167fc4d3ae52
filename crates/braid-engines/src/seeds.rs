//! Seeds: invariants of the reduced program, found before the first round by abstract interpretation.
//!
//! Under a good preference order the reduced program is in lockstep, and equalities between the threads are what trace
//! proofs do not find by themselves. The graph is contracted to its loop heads, each way between two of them being one
//! composed action, so that a whole round of all threads is seen at once. Candidates come from affine equalities, zones
//! and from guesses (`candidates`); those that are not inductive are dropped (as Houdini does). Ways that the rest excludes are left out, and the same
//! is done again: it may find more. What is left at a head is carried back along the ways that lead there, as weakest preconditions, for the places in between.
//! Nothing is trusted: seeds are assertions like any other, and the proof check uses only those that follow.

mod candidates;

use crate::{Control, StopReason};
use braid_logic::{Answer, Fun, Node, Solver, Term, TermPool};
use braid_program::cfa::{Program, Relation};
use braid_program::graph::loop_heads;
use braid_proof::{FlowGraph, FloydHoareAutomaton, InvariantBudget, Known, keep_inductive, loop_invariants};
use braid_reduction::{Commutativity, Reduced};
use candidates::candidates;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Reduced programs with more states than this get no seeds.
const MAX_STATES: usize = 2_000;
/// More seeds than this are not worth their triples.
const MAX_SEEDS: usize = 120;
/// Assertions larger than this are not worth having.
const MAX_SIZE: u32 = 120;
/// How often invariants are looked for, each time without the ways that the ones before exclude.
const PASSES: usize = 3;
/// How many products are looked at that no action mentions.
const MAX_PRODUCTS: usize = 12;
/// How often the abstract interpretation may follow a way.
const MAX_TRANSFERS: usize = 4_000;
/// Ways from one head to the next: how many, and how long.
const MAX_WAYS: usize = 48;
const MAX_ALL_WAYS: usize = 400;
/// Beginnings of ways that are looked at.
const MAX_LOOKS: usize = 10_000;
/// Cases of one way that are decided.
const MAX_CASES: usize = 8;
/// Reduced programs with more loop heads than this get no seeds.
const MAX_HEADS: usize = 48;
const MAX_STEPS: usize = 32;

/// A way between two heads.
struct Way<'a> {
    from: usize,
    to: usize,
    steps: Vec<&'a Relation>,
}

/// How much of the reduced program is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// All of it.
    All,
    /// Always the most preferred thread acts: what is left of many programs once something is proven.
    Preferred,
}

/// What equalities are about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subjects {
    /// Terms that actions mention.
    Mentioned,
    /// Also products of counters with what never changes, which is dearer.
    Products,
}

/// What is offered to proofs.
#[derive(Default)]
pub(crate) struct Seeds {
    pub now: Vec<Term>,
    /// What was guessed of heads that nobody reaches, mostly guards. Proofs that need many of them find one in each round; others are slowed down.
    pub later: Vec<Term>,
}

/// What counts as a fact at nodes that nobody reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unreached {
    /// False, so that ways from there count no more.
    Closed,
    /// What was guessed.
    Guessed,
}

/// The reduced program, or a part of it, before anything is proven: for each state where its actions lead, and what they do.
type Graph<'a> = Vec<Vec<(usize, &'a Relation)>>;

/// Invariants of the reduced program and of the part of it where always the most preferred thread acts: assertions that hold somewhere, for
/// any engine. Nothing is found for large programs.
pub(crate) fn seeds<'p>(
    program: &Program<'p>,
    mut reduced: Reduced<'_, 'p>,
    solver: &mut Solver<'p>,
    commutativity: &mut Commutativity,
    about: Subjects,
    control: &Control,
) -> Result<Seeds, StopReason> {
    let mut seeds = Seeds::default();
    for part in [Part::All, Part::Preferred] {
        if let Some(graph) = graph(program, &mut reduced, part, solver, commutativity, control)? {
            let found = invariants(solver, program, &graph, about, control)?;
            seeds.now.extend(found.now);
            seeds.later.extend(found.later);
        }
    }
    Ok(seeds)
}

/// A part of the reduced program, unless it has too many states.
fn graph<'a, 'p>(
    program: &'a Program<'p>,
    reduced: &mut Reduced<'_, 'p>,
    part: Part,
    solver: &mut Solver<'p>,
    commutativity: &mut Commutativity,
    control: &Control,
) -> Result<Option<Graph<'a>>, StopReason> {
    let mut nothing = FloydHoareAutomaton::new();
    let (mut places, mut graph) = (vec![reduced.initial()], Graph::new());
    let mut numbers = FxHashMap::from_iter([(reduced.initial(), 0)]);
    while graph.len() < places.len() {
        control.poll()?;
        let place = places[graph.len()].clone();
        let mut commute = |solver: &mut _, a, b| commutativity.always(solver, program, a, b);
        let leaving = reduced.leaving(&place, |a, b| commute(solver, a, b));
        let (mut preferred, mut steps) = (None, Vec::new());
        for &action in leaving.explored() {
            let possible = nothing.successor(solver, program, Known::NOTHING, action) != Known::UNREACHABLE;
            let thread = program.action(action).thread;
            if !possible || part == Part::Preferred && *preferred.get_or_insert(thread) != thread {
                continue;
            }
            let place = reduced.successor(&place, &leaving, action, |a, b| commute(solver, a, b));
            let number = *numbers.entry(place).or_insert_with_key(|place| {
                places.push(place.clone());
                places.len() - 1
            });
            steps.push((number, program.action(action).relation(program.pool)));
        }
        graph.push(steps);
        if places.len() > MAX_STATES {
            return Ok(None);
        }
    }
    Ok(Some(graph))
}

/// Assertions that hold somewhere in the reduced program, the simplest first.
fn invariants(
    solver: &mut Solver<'_>,
    program: &Program<'_>,
    outgoing: &Graph<'_>,
    about: Subjects,
    control: &Control,
) -> Result<Seeds, StopReason> {
    let pool = program.pool;
    let heads = heads(outgoing);
    let number = |node: usize| heads.iter().position(|&head| head == node).expect("ways end at heads");
    if heads.len() > MAX_HEADS {
        return Ok(Seeds::default());
    }
    let mut all_ways: Vec<Way<'_>> = Vec::new();
    for &head in &heads {
        control.poll()?;
        all_ways.extend(ways(outgoing, &heads, head));
        if all_ways.len() > MAX_ALL_WAYS {
            return Ok(Seeds::default());
        }
    }
    let ways = all_ways;
    let mut composed: Vec<Relation> = ways.iter().map(|way| Relation::sequence(pool, &way.steps)).collect();
    for relation in &mut composed {
        control.poll()?;
        decide_cases(solver, pool, relation);
    }
    let edges = ways.iter().zip(&composed).map(|(way, relation)| (number(way.from), number(way.to), relation));
    let mut flow = FlowGraph { nodes: heads.len(), entry: number(0), edges: edges.collect() };
    let starts = flow.edges.iter().filter(|edge| edge.0 == flow.entry).map(|edge| edge.2);
    let guesses = vec![candidates(program, starts, &composed); heads.len()];
    let from_ways = |mut facts: Vec<Vec<Term>>| seeds_of(pool, &ways, &mut facts, &number);
    let mut guessed = guesses.clone();
    let all_reached = invariants_of(solver, pool, &flow, &mut guessed, (about, Unreached::Guessed), control)?;
    let later = if all_reached { Vec::new() } else { from_ways(guessed) };
    let mut facts = guesses;
    for _ in 0..PASSES {
        invariants_of(solver, pool, &flow, &mut facts, (about, Unreached::Closed), control)?;
        // Flags that nobody sees in abstract interpretation say which ways are never taken: without those it finds more.
        let known: Vec<Term> = facts.iter().map(|facts| pool.and(facts.iter().copied())).collect();
        let mut taken = Vec::with_capacity(flow.edges.len());
        for &(from, to, relation) in &flow.edges {
            control.poll()?;
            if solver.decide(&[known[from], relation.guard]) != Answer::Unsat {
                taken.push((from, to, relation));
            }
        }
        let all = taken.len() == flow.edges.len();
        flow.edges = taken;
        if all {
            break;
        }
    }

    Ok(Seeds { now: from_ways(facts), later })
}

/// Leaves out cases of updates that the guard of a way excludes: a counter that would start again at the end of its range does not
/// where it is tested to be small.
fn decide_cases(solver: &mut Solver<'_>, pool: &TermPool, way: &mut Relation) {
    let all = way.updates.iter().flat_map(|&(_, value)| parts(pool, value));
    let test = |part: Term| if let Node::Ite(test, ..) = pool.node(part) { Some(*test) } else { None };
    let tests: BTreeSet<Term> = all.filter_map(test).collect();
    let mut decided = FxHashMap::default();
    for test in tests.into_iter().take(MAX_CASES) {
        if solver.decide(&[way.guard, test]) == Answer::Unsat {
            decided.insert(test, Term::FALSE);
        } else if solver.decide(&[way.guard, pool.not(test)]) == Answer::Unsat {
            decided.insert(test, Term::TRUE);
        }
    }
    if !decided.is_empty() {
        way.updates.iter_mut().for_each(|(_, value)| *value = pool.replace(*value, &mut decided));
    }
}

/// The facts at heads, and what they ask for at the places before them; the simplest first.
fn seeds_of(pool: &TermPool, ways: &[Way<'_>], facts: &mut [Vec<Term>], number: &impl Fn(usize) -> usize) -> Vec<Term> {
    for facts in facts.iter_mut() {
        drop_implied(pool, facts);
        drop_weakened(pool, facts);
    }
    let is_comparison = |fact: Term| matches!(pool.node(fact), Node::Le(_));
    let mut seeds: Vec<Term> = facts.iter().flatten().copied().collect();
    for way in ways {
        for &fact in facts[number(way.to)].iter().filter(|&&fact| !is_comparison(fact)) {
            let mut before = fact;
            for step in way.steps.iter().skip(1).rev() {
                before = before_filling(pool, step, before);
                if !step.choices.iter().any(|&choice| pool.mentions(before, choice)) && pool.size(before) <= MAX_SIZE {
                    seeds.push(before);
                }
            }
        }
    }
    seeds.sort_unstable_by_key(|&seed| (is_comparison(seed), pool.size(seed), seed));
    seeds.dedup();
    seeds.retain(|&seed| seed != Term::TRUE && seed != Term::FALSE);
    seeds.truncate(MAX_SEEDS);
    seeds
}

/// What must hold before a step for a fact to hold after it. A guard that says what is in a cell which the fact speaks of is like a write of that
/// cell, as where queues are functions: then it counts.
fn before_filling(pool: &TermPool, step: &Relation, fact: Term) -> Term {
    let before = step.before(pool, fact);
    let spoken_of = functions(pool, before);
    let fills = |guard: &Term| {
        matches!(pool.node(*guard), Node::Zero(_) | Node::Eq(..))
            && functions(pool, *guard).iter().any(|function| spoken_of.contains(function))
    };
    pool.implies(pool.and(pool.conjuncts(step.guard).into_iter().filter(fills)), before)
}

/// The functions that a term applies.
fn functions(pool: &TermPool, term: Term) -> BTreeSet<Fun> {
    let applied = |part: Term| if let Node::Apply(function, _) = pool.node(part) { Some(*function) } else { None };
    parts(pool, term).into_iter().filter_map(applied).collect()
}

/// A term and all inside of it, each once.
fn parts(pool: &TermPool, term: Term) -> FxHashSet<Term> {
    let (mut parts, mut open) = (FxHashSet::default(), vec![term]);
    while let Some(term) = open.pop() {
        if parts.insert(term) {
            pool.node(term).for_each_child(|child| open.push(child));
        }
    }
    parts
}

/// Makes facts that may hold at the nodes facts that do, with those that abstract interpretation finds. Are all nodes reached, as far as that knows?
fn invariants_of(
    solver: &mut Solver<'_>,
    pool: &TermPool,
    flow: &FlowGraph<'_>,
    facts: &mut [Vec<Term>],
    (about, unreached): (Subjects, Unreached),
    control: &Control,
) -> Result<bool, StopReason> {
    let products = if about == Subjects::Products { MAX_PRODUCTS } else { 0 };
    let budget = InvariantBudget { transfers: MAX_TRANSFERS, products, ..InvariantBudget::default() };
    let mut all_reached = true;
    for (facts, found) in facts.iter_mut().zip(loop_invariants(pool, flow, &budget)) {
        if found.contains(&Term::FALSE) {
            all_reached = false;
            if unreached == Unreached::Closed {
                *facts = vec![Term::FALSE];
                continue;
            }
        }
        facts.extend(found);
        facts.retain(|&fact| fact != Term::TRUE && fact != Term::FALSE && pool.size(fact) <= MAX_SIZE);
        facts.sort_unstable();
        facts.dedup();
    }
    facts[flow.entry].clear();
    if unreached == Unreached::Closed || !all_reached {
        keep_inductive(solver, pool, flow, facts, || control.poll())?;
    }
    Ok(all_reached)
}

/// Drops disjunctions of which a part is there as well.
fn drop_weakened(pool: &TermPool, facts: &mut Vec<Term>) {
    let all = facts.clone();
    facts.retain(|&fact| match pool.node(fact) {
        Node::Or(parts) => !parts.iter().any(|part| all.contains(part)),
        _ => true,
    });
}

/// Drops bounds that equalities of the same sums imply.
fn drop_implied(pool: &TermPool, facts: &mut Vec<Term>) {
    let equalities: Vec<Term> = facts.iter().copied().filter(|&f| matches!(pool.node(f), Node::Zero(_))).collect();
    facts.retain(|&fact| {
        !matches!(pool.node(fact), Node::Le(_)) || !equalities.iter().any(|&e| pool.and([e, fact]) == e)
    });
}

/// The entry, and the targets of back edges: every loop goes through one of them.
fn heads(outgoing: &[Vec<(usize, &Relation)>]) -> Vec<usize> {
    let targets: Vec<Vec<usize>> = outgoing.iter().map(|edges| edges.iter().map(|(to, _)| *to).collect()).collect();
    let is_head = loop_heads(0, &targets);
    (0..outgoing.len()).filter(|&node| node == 0 || is_head[node]).collect()
}

/// The ways from a head to the next ones, without a head in between.
fn ways<'a>(outgoing: &[Vec<(usize, &'a Relation)>], heads: &[usize], from: usize) -> Vec<Way<'a>> {
    let mut ways = Vec::new();
    let mut work: Vec<(usize, Vec<&Relation>)> = vec![(from, Vec::new())];
    // Most ways may end where no loop is: those count, too.
    for _ in 0..MAX_LOOKS {
        let Some((node, steps)) = work.pop() else { break };
        if !steps.is_empty() && heads.binary_search(&node).is_ok() {
            ways.push(Way { from, to: node, steps });
            if ways.len() >= MAX_WAYS {
                break;
            }
        } else if steps.len() < MAX_STEPS {
            for &(to, relation) in outgoing[node].iter().rev() {
                let mut longer = steps.clone();
                longer.push(relation);
                work.push((to, longer));
            }
        }
    }
    ways
}
