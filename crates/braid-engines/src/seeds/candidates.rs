//! Candidates for invariants that abstract interpretation does not find: comparisons, what the program itself asks for, multiples, what holds
//! of the cells that a counter has passed, and what holds until a flag is set.

use super::parts;
use braid_logic::{Integer, Node, Sort, Substitution, Term, TermPool, Var};
use braid_program::cfa::{Program, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// Programs with more variables than this get no comparisons of all pairs.
const MAX_COMPARED: usize = 14;
/// Programs with more flags than this get nothing that depends on one.
const MAX_FLAGS: usize = 6;
/// Different steps of counters that are looked at.
const MAX_STEP_SIZES: usize = 3;
/// More facts about one round of a loop than this are not tried.
const MAX_ROUNDS: usize = 80;

/// All candidates. `starts` are the ways from the start of the program, `ways` all of them.
pub(super) fn candidates<'a>(
    program: &Program<'_>,
    starts: impl Iterator<Item = &'a Relation>,
    ways: &[Relation],
) -> Vec<Term> {
    let mut candidates = compared(program);
    candidates.extend(in_one_round(program, ways));
    candidates.extend(guards(program));
    candidates.extend(multiples(program));
    candidates.extend(segments(program));
    candidates.extend(until_flags(program, starts));
    candidates
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

/// The steps of counters: what all their updates add is a multiple of this.
fn steps<'a>(pool: &TermPool, relations: impl Iterator<Item = &'a Relation>, vars: &[Var]) -> BTreeMap<Var, Integer> {
    let mut common: BTreeMap<Var, Integer> = BTreeMap::new();
    let updates = relations.flat_map(|relation| &relation.updates);
    for &(var, value) in updates.filter(|(var, _)| vars.contains(var)) {
        if let Node::Integer(step) = pool.node(pool.sub(value, pool.of_var(var))) {
            let known = common.entry(var).or_insert(Integer::ZERO);
            *known = known.gcd(step);
        }
    }
    common
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
    let steps: BTreeSet<i64> = steps(pool, program.actions.iter().map(|action| action.relation(pool)), &vars)
        .values()
        .filter_map(Integer::to_i64)
        .filter(|&step| step > 1)
        .collect();
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

/// What the program asks of a cell of an array whose index never changes, for when a counter has passed that index: loops that fill or compare
/// arrays go through one cell after the other.
fn segments(program: &Program<'_>) -> Vec<Term> {
    let pool = program.pool;
    let relations = program.actions.iter().map(|action| action.relation(pool));
    let written: BTreeSet<Var> = relations.flat_map(|relation| relation.writes.iter().copied()).collect();
    let numbers = program.variables.iter().map(|variable| variable.var).filter(|&var| pool.var_sort(var) == Sort::INT);
    let (counters, fixed): (Vec<Var>, Vec<Var>) = numbers.partition(|var| written.contains(var));
    if program.variables.len() > MAX_COMPARED {
        return Vec::new();
    }
    let mut facts = Vec::new();
    for fact in guards(program) {
        for &index in fixed.iter().filter(|&&index| is_index(pool, fact, index)) {
            let still_before = |&counter: &Var| pool.le(pool.of_var(counter), pool.of_var(index));
            facts.extend(counters.iter().map(|counter| pool.or([still_before(counter), fact])));
        }
    }
    facts
}

/// What the program asks of the cells where its counters are, for the one cell that the number of a round names
/// ([`braid_program::one_round`]): that it holds once a counter has passed that number on its
/// way from where it began.
fn in_one_round(program: &Program<'_>, ways: &[Relation]) -> Vec<Term> {
    let pool = program.pool;
    let numbers: Vec<Var> = program.variables.iter().map(|variable| variable.var).collect();
    let numbers: Vec<Var> = numbers.into_iter().filter(|&var| pool.var_sort(var) == Sort::INT).collect();
    let written: BTreeSet<Var> =
        program.actions.iter().flat_map(|action| action.relation(pool).writes.iter().copied()).collect();
    let counters: Vec<Var> = steps(pool, ways.iter(), &numbers).into_keys().collect();
    // No way leads to where an assertion fails.
    let asked = program.actions.iter().map(|action| action.relation(pool)).chain(ways);
    let asked: BTreeSet<Term> = asked.flat_map(|relation| pool.conjuncts(relation.guard)).collect();
    let is_round = |round: &&Var| {
        let mut equalities = counters.iter().map(|&counter| pool.eq(pool.of_var(**round), pool.of_var(counter)));
        !written.contains(round) && equalities.any(|equality| asked.contains(&equality))
    };
    let Some(&round) = numbers.iter().find(is_round) else { return Vec::new() };
    let round = pool.of_var(round);
    let named: Substitution = counters.iter().map(|&counter| (counter, round)).collect();
    let is_of_cells = |fact: &Term| counters.iter().any(|&counter| is_index(pool, *fact, counter));
    let of_round = asked.into_iter().filter(is_of_cells).map(|fact| pool.substitute(fact, &named));
    let of_round: BTreeSet<Term> = of_round.flat_map(|fact| [fact, pool.not(fact)]).collect();
    let mut of_round: Vec<Term> = of_round.into_iter().collect();
    of_round.sort_unstable_by_key(|&fact| (pool.size(fact), fact));
    let starts = starts_of(program, &counters);
    let mut facts = Vec::new();
    for fact in of_round {
        for &counter in &counters {
            let still_before = pool.le(pool.of_var(counter), round);
            let from = starts.iter().filter(|start| start.0 == counter);
            facts.extend(from.map(|&(_, start)| pool.or([pool.lt(round, start), still_before, fact])));
        }
    }
    facts.truncate(MAX_ROUNDS);
    facts
}

/// The numbers that counters begin with.
fn starts_of(program: &Program<'_>, counters: &[Var]) -> BTreeSet<(Var, Term)> {
    let pool = program.pool;
    let updates = program.actions.iter().flat_map(|action| &action.relation(pool).updates);
    let begins = |(var, value): &&(Var, Term)| counters.contains(var) && matches!(pool.node(*value), Node::Integer(_));
    updates.filter(begins).copied().collect()
}

/// Does the formula read a cell, or apply a function, at what this variable says?
fn is_index(pool: &TermPool, formula: Term, var: Var) -> bool {
    parts(pool, formula).into_iter().any(|part| match pool.node(part) {
        Node::Select(_, at) => pool.mentions(*at, var),
        Node::Apply(_, arguments) => arguments.iter().any(|&argument| pool.mentions(argument, var)),
        _ => false,
    })
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
