//! Seeds: invariants of the reduced program, found before the first round by abstract interpretation.
//!
//! Under a good preference order the reduced program is in lockstep, and equalities between the threads are what trace
//! proofs do not find by themselves. The graph is contracted to its loop heads, each way between two of them being one
//! composed action, so that a whole round of all threads is seen at once. Candidates come from affine equalities, zones
//! and comparisons of all pairs of variables; those that are not inductive are dropped (as Houdini does). What is left at a
//! head is carried back along the ways that lead there, as weakest preconditions, for the places in between.
//! Nothing is trusted: seeds are assertions like any other, and the proof check uses only those that follow.

use crate::{Control, StopReason};
use braid_logic::{Integer, Node, Solver, Sort, Term, TermPool, Var};
use braid_program::cfa::{Program, Relation};
use braid_program::graph::loop_heads;
use braid_proof::{FlowGraph, FloydHoareAutomaton, InvariantBudget, Known, keep_inductive, loop_invariants};
use braid_reduction::{Commutativity, Reduced};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Reduced programs with more states than this get no seeds.
const MAX_STATES: usize = 2_000;
/// More seeds than this are not worth their triples.
const MAX_SEEDS: usize = 120;
/// Assertions larger than this are not worth having.
const MAX_SIZE: u32 = 120;
/// How often the abstract interpretation may follow a way.
const MAX_TRANSFERS: usize = 4_000;
/// Programs with more variables than this get no comparisons of all pairs.
const MAX_COMPARED: usize = 14;
/// Programs with more flags than this get nothing that depends on one.
const MAX_FLAGS: usize = 6;
/// Different steps of counters that are looked at.
const MAX_STEP_SIZES: usize = 3;
/// Ways from one head to the next: how many, and how long.
const MAX_WAYS: usize = 48;
const MAX_ALL_WAYS: usize = 400;
/// Beginnings of ways that are looked at.
const MAX_LOOKS: usize = 10_000;
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

/// The reduced program, or a part of it, before anything is proven: for each state where its actions lead, and what they do.
type Graph<'a> = Vec<Vec<(usize, &'a Relation)>>;

/// Invariants of the reduced program and of the part of it where always the most preferred thread acts: assertions that hold somewhere, for
/// any engine. Nothing is found for large programs.
pub(crate) fn seeds<'p>(
    program: &Program<'p>,
    mut reduced: Reduced<'_, 'p>,
    solver: &mut Solver<'p>,
    commutativity: &mut Commutativity,
    control: &Control,
) -> Result<Vec<Term>, StopReason> {
    let mut seeds = Vec::new();
    for part in [Part::All, Part::Preferred] {
        if let Some(graph) = graph(program, &mut reduced, part, solver, commutativity, control)? {
            seeds.extend(invariants(solver, program, &graph, control)?);
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
    control: &Control,
) -> Result<Vec<Term>, StopReason> {
    let pool = program.pool;
    let heads = heads(outgoing);
    let number = |node: usize| heads.iter().position(|&head| head == node).expect("ways end at heads");
    if heads.len() > MAX_HEADS {
        return Ok(Vec::new());
    }
    let mut all_ways: Vec<Way<'_>> = Vec::new();
    for &head in &heads {
        control.poll()?;
        all_ways.extend(ways(outgoing, &heads, head));
        if all_ways.len() > MAX_ALL_WAYS {
            return Ok(Vec::new());
        }
    }
    let ways = all_ways;
    let composed: Vec<Relation> = ways.iter().map(|way| Relation::sequence(pool, &way.steps)).collect();
    let edges = ways.iter().zip(&composed).map(|(way, relation)| (number(way.from), number(way.to), relation));
    let flow = FlowGraph { nodes: heads.len(), entry: number(0), edges: edges.collect() };

    let budget = InvariantBudget { transfers: MAX_TRANSFERS, ..InvariantBudget::default() };
    let mut facts = loop_invariants(pool, &flow, &budget);
    let mut own = compared(program);
    own.extend(guards(program));
    own.extend(multiples(program));
    own.extend(until_flags(program, flow.edges.iter().filter(|edge| edge.0 == flow.entry).map(|edge| edge.2)));
    for facts in &mut facts {
        facts.extend_from_slice(&own);
        facts.retain(|&fact| fact != Term::TRUE && fact != Term::FALSE && pool.size(fact) <= MAX_SIZE);
        facts.sort_unstable();
        facts.dedup();
    }
    facts[flow.entry].clear();
    keep_inductive(solver, pool, &flow, &mut facts, || control.poll())?;

    for facts in &mut facts {
        drop_implied(pool, facts);
        drop_weakened(pool, facts);
    }
    let is_comparison = |fact: Term| matches!(pool.node(fact), Node::Le(_));
    let mut seeds: Vec<Term> = facts.iter().flatten().copied().collect();
    for way in &ways {
        for &fact in facts[number(way.to)].iter().filter(|&&fact| !is_comparison(fact)) {
            let mut before = fact;
            for step in way.steps.iter().skip(1).rev() {
                before = step.before(pool, before);
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
    Ok(seeds)
}

/// Equalities of all pairs of variables of one sort, and comparisons of integers where there are few.
fn compared(program: &Program<'_>) -> Vec<Term> {
    let pool = program.pool;
    let vars: Vec<Term> = program.variables.iter().map(|variable| pool.of_var(variable.var)).collect();
    let mut facts = Vec::new();
    if vars.len() > MAX_COMPARED {
        return facts;
    }
    for (place, &x) in vars.iter().enumerate() {
        for &y in &vars[place + 1..] {
            if pool.sort_of(x) != pool.sort_of(y) {
                continue;
            }
            facts.push(pool.eq(x, y));
            if pool.sort_of(x) == Sort::INT {
                facts.extend([pool.le(x, y), pool.le(y, x)]);
            }
        }
    }
    facts
}

/// That variables are multiples of a step that some counter makes: a loop that takes several things at once ends only where there are
/// as many as it takes.
fn multiples(program: &Program<'_>) -> Vec<Term> {
    let pool = program.pool;
    let all = program.variables.iter().map(|variable| variable.var);
    let vars: Vec<Var> = all.filter(|&var| pool.var_sort(var) == Sort::INT).collect();
    if vars.len() > MAX_COMPARED {
        return Vec::new();
    }
    // All the steps of a counter are multiples of this.
    let mut common: BTreeMap<Var, Integer> = BTreeMap::new();
    let updates = program.actions.iter().flat_map(|action| &action.relation(pool).updates);
    for &(var, value) in updates.filter(|(var, _)| vars.contains(var)) {
        if let Node::Integer(step) = pool.node(pool.sub(value, pool.of_var(var))) {
            let known = common.entry(var).or_insert(Integer::ZERO);
            *known = known.gcd(step);
        }
    }
    let steps: BTreeSet<i64> = common.values().filter_map(Integer::to_i64).filter(|&step| step > 1).collect();
    let multiple = |var: Var, step: i64| pool.eq(pool.modulo(pool.of_var(var), pool.int(step)), pool.int(0));
    steps.iter().take(MAX_STEP_SIZES).flat_map(|&step| vars.iter().map(move |&var| multiple(var, step))).collect()
}

/// What the program itself asks for, and the opposite: a postcondition is the opposite of a last guard.
fn guards(program: &Program<'_>) -> Vec<Term> {
    let pool = program.pool;
    let guards = program.actions.iter().map(|action| action.relation(pool)).filter(|r| r.choices.is_empty());
    let conjuncts = guards.flat_map(|relation| pool.conjuncts(relation.guard));
    conjuncts.flat_map(|conjunct| [conjunct, pool.not(conjunct)]).collect()
}

/// What is assigned on the ways from the start, until a flag is set or unless it is: a loop that searches something says so by a flag.
fn until_flags<'a>(program: &Program<'_>, starts: impl Iterator<Item = &'a Relation>) -> Vec<Term> {
    let pool = program.pool;
    let vars = program.variables.iter().map(|variable| variable.var);
    let flags: Vec<Var> = vars.filter(|&var| pool.var_sort(var) == Sort::BOOL).collect();
    if flags.len() > MAX_FLAGS {
        return Vec::new();
    }
    let mut facts = Vec::new();
    for start in starts {
        for &(var, value) in &start.updates {
            let written = |x: &Var| start.writes.binary_search(x).is_ok() || start.choices.contains(x);
            if pool.var_sort(var) == Sort::BOOL || pool.free_vars(value).iter().any(written) {
                continue;
            }
            let fact = pool.eq(pool.of_var(var), value);
            for &flag in flags.iter().filter(|&&flag| written_together(program, var, flag)) {
                let flag = pool.of_var(flag);
                facts.extend([pool.or([flag, fact]), pool.or([pool.not(flag), fact])]);
            }
        }
    }
    facts
}

/// Is there an action that writes both variables, and not from the first location of its thread?
fn written_together(program: &Program<'_>, a: Var, b: Var) -> bool {
    program.actions.iter().any(|action| {
        let writes = &action.relation(program.pool).writes;
        action.source != program.thread(action.thread).entry
            && writes.binary_search(&a).is_ok()
            && writes.binary_search(&b).is_ok()
    })
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
