//! All executions of a sequential program with finite data, where what is guessed gets a value only when somebody asks.
//!
//! A guess of Σ(P, K) is a symbol. Copies pass it on; an equation gives it its value, as `assume G = Guess` does; and where a
//! value is needed before, all values are tried. So the search is exact, without a solver. It shares nothing with the engine's.

use braid_logic::{Node, Sort, Substitution, Term, TermPool, Var};
use braid_program::cfa::{Location, Program, ThreadId, Violation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Values of truth variables at the end.
pub type Valuations = BTreeSet<Vec<bool>>;

/// What a sequential program reaches.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Reached {
    /// The values of the observed variables, where it ends without a failure.
    pub valuations: Valuations,
    /// Can its assertion fail?
    pub fails: bool,
}

/// The program's variables, and where they are needed.
struct Search<'a, 'p> {
    program: &'a Program<'p>,
    pool: &'p TermPool,
    place: FxHashMap<Var, usize>,
    /// For each location the variables that somebody may still read.
    live: Vec<Vec<bool>>,
    /// Tasks have numbers up to this one: what arrays hold beyond is not looked at, and integers are guessed up to it.
    tasks: usize,
    symbols: u32,
}

type Values = Vec<Term>;

/// All executions of a sequential program that stands for at most so many tasks; none if more nodes than these are met.
pub fn reached(program: &Program<'_>, observed: &[Var], tasks: usize, nodes: usize) -> Option<Reached> {
    assert_eq!(program.threads.len(), 1, "it is sequential");
    let main = program.thread(ThreadId::MAIN);
    let place: FxHashMap<Var, usize> =
        program.variables.iter().enumerate().map(|(place, variable)| (variable.var, place)).collect();
    let live = live(program, &place, observed);
    let mut search = Search { program, pool: program.pool, place, live, tasks, symbols: 0 };
    let first: Values =
        program.variables.iter().map(|variable| search.any(program.pool.var_sort(variable.var))).collect();
    let mut seen: FxHashSet<(Location, Values)> = FxHashSet::default();
    let mut todo = vec![(main.entry, first)];
    let mut reached = Reached::default();
    let is_met = met(program);
    while let Some((at, mut values)) = todo.pop() {
        if is_met[at.index()] {
            values = search.canonical(at, &values);
            if !seen.insert((at, values.clone())) {
                continue;
            }
        }
        if seen.len() > nodes {
            return None;
        }
        if main.locations[at.index()].violation == Some(Violation::Failed(braid_program::ast::Check::Assertion)) {
            reached.fails = true;
            continue;
        }
        if at == main.exit {
            let ends = observed.iter().map(|var| values[search.place[var]]).collect();
            search.decide(ends, &mut reached.valuations);
            continue;
        }
        for &action in main.outgoing(at) {
            let target = program.action(action).target;
            todo.extend(search.successors(&values, action).into_iter().map(|values| (target, values)));
        }
    }
    Some(reached)
}

/// Where nodes are compared: where ways meet, and before something new is guessed.
fn met(program: &Program<'_>) -> Vec<bool> {
    let mut incoming = vec![0; program.thread(ThreadId::MAIN).locations.len()];
    for action in &program.actions {
        incoming[action.target.index()] += 1;
        if !action.relation(program.pool).choices.is_empty() {
            incoming[action.source.index()] += 2;
        }
    }
    incoming.into_iter().map(|ways| ways > 1).collect()
}

/// Backwards from what is observed: which variables are read before they are written.
fn live(program: &Program<'_>, place: &FxHashMap<Var, usize>, observed: &[Var]) -> Vec<Vec<bool>> {
    let main = program.thread(ThreadId::MAIN);
    let mut live = vec![vec![false; place.len()]; main.locations.len()];
    observed.iter().for_each(|var| live[main.exit.index()][place[var]] = true);
    let mut changed = true;
    while changed {
        changed = false;
        for action in program.actions.iter().rev() {
            let relation = action.relation(program.pool);
            let mut before = live[action.target.index()].clone();
            relation.writes.iter().for_each(|var| before[place[var]] = false);
            relation.reads.iter().for_each(|var| before[place[var]] = true);
            let here = &mut live[action.source.index()];
            for (known, needed) in here.iter_mut().zip(before) {
                changed |= needed && !*known;
                *known |= needed;
            }
        }
    }
    live
}

impl Search<'_, '_> {
    fn symbol(&self, prefix: &str, number: u32, sort: Sort) -> Term {
        let kind = if sort == Sort::BOOL { "truth" } else { "number" };
        self.pool.symbol(&format!("{prefix} {kind} {number}"), sort)
    }

    /// Any value of a sort: a symbol, or an array of symbols.
    fn any(&mut self, sort: Sort) -> Term {
        match self.pool.array_sorts(sort) {
            None => {
                self.symbols += 1;
                self.symbol("new", self.symbols, sort)
            }
            Some((_, element)) => {
                let cells = (0..=self.tasks).map(|_| self.any(element)).collect::<Vec<_>>();
                self.array(sort, &cells)
            }
        }
    }

    fn array(&self, sort: Sort, cells: &[Term]) -> Term {
        let pool = self.pool;
        let (_, element) = pool.array_sorts(sort).expect("an array");
        let beyond = if element == Sort::BOOL { pool.bool(false) } else { pool.int(0) };
        let none = pool.const_array(sort, beyond);
        cells.iter().enumerate().fold(none, |array, (index, &cell)| pool.store(array, pool.int(index as i64), cell))
    }

    fn cells(&self, array: Term) -> Vec<Term> {
        (0..=self.tasks).map(|index| self.pool.select(array, self.pool.int(index as i64))).collect()
    }

    /// What nobody needs is the same in all nodes, and symbols are numbered as they come.
    fn canonical(&self, at: Location, values: &[Term]) -> Values {
        let (pool, live) = (self.pool, &self.live[at.index()]);
        let mut names = Substitution::default();
        let rename = |(place, &value): (usize, &Term)| {
            if !live[place] {
                return pool.bool(false);
            }
            for &var in pool.free_vars(value) {
                let (number, sort) = (names.len() as u32, pool.var_sort(var));
                // The new names are others than those that are made on the way.
                names.entry(var).or_insert_with(|| self.symbol("known", number, sort));
            }
            pool.substitute(value, &names)
        };
        values.iter().enumerate().map(rename).collect()
    }

    fn successors(&mut self, values: &[Term], action: braid_program::cfa::ActionId) -> Vec<Values> {
        let (program, pool) = (self.program, self.pool);
        let relation = program.action(action).relation(pool);
        // The symbols of a node that was compared have names of their own, so numbers can begin anew.
        self.symbols = 0;
        let mut extended = values.to_vec();
        extended.extend(relation.choices.iter().map(|&choice| self.any(pool.var_sort(choice))));
        let placed = |values: &[Term]| -> Substitution {
            let own = relation.reads.iter().map(|var| (*var, values[self.place[var]]));
            own.chain(relation.choices.iter().copied().zip(values[self.place.len()..].iter().copied())).collect()
        };
        let mut possible = Vec::new();
        self.assume(extended.clone(), pool.substitute(relation.guard, &placed(&extended)), &mut possible);
        let mut after = Vec::new();
        while let Some(values) = possible.pop() {
            let substitution = placed(&values);
            let mut next = values[..self.place.len()].to_vec();
            let mut open = None;
            for (var, term) in &relation.updates {
                let mut value = pool.substitute(*term, &substitution);
                if pool.array_sorts(pool.var_sort(*var)).is_some() {
                    let cells = self.cells(value);
                    open = open.or_else(|| cells.iter().find_map(|&cell| self.open_in(cell)));
                    value = self.array(pool.var_sort(*var), &cells);
                } else {
                    open = open.or_else(|| self.open_in(value));
                }
                next[self.place[var]] = value;
            }
            match open {
                None => after.push(next),
                Some(var) => possible.extend(self.values_of(var).map(|value| self.bind(&values, var, value))),
            }
        }
        after
    }

    /// A symbol that must get a value before the term is a constant or another symbol.
    fn open_in(&self, term: Term) -> Option<Var> {
        let is_symbol = |term: Term| matches!(self.pool.node(term), Node::Var(_));
        match self.pool.node(term) {
            Node::Var(_) => None,
            Node::Not(inner) if is_symbol(*inner) => None,
            _ => self.pool.free_vars(term).first().copied(),
        }
    }

    fn values_of(&self, var: Var) -> impl Iterator<Item = Term> + use<> {
        let values: Vec<Term> = if self.pool.var_sort(var) == Sort::BOOL {
            vec![self.pool.bool(false), self.pool.bool(true)]
        } else {
            (0..=self.tasks).map(|number| self.pool.int(number as i64)).collect()
        };
        values.into_iter()
    }

    fn bind(&self, values: &[Term], var: Var, value: Term) -> Values {
        let one: Substitution = [(var, value)].into_iter().collect();
        values.iter().map(|&term| self.pool.substitute(term, &one)).collect()
    }

    /// The values under which a condition holds: equations bind, and the rest is tried.
    fn assume(&self, values: Values, condition: Term, into: &mut Vec<Values>) {
        let pool = self.pool;
        if condition == pool.bool(true) || condition == pool.bool(false) {
            into.extend((condition == pool.bool(true)).then_some(values));
            return;
        }
        let conjuncts = pool.conjuncts(condition);
        for &conjunct in &conjuncts {
            if let Node::Eq(a, b) = *pool.node(conjunct)
                && pool.array_sorts(pool.sort_of(a)).is_some()
            {
                let cells = self.cells(a).into_iter().zip(self.cells(b)).map(|(a, b)| pool.eq(a, b));
                let others = conjuncts.iter().copied().filter(|other| *other != conjunct);
                return self.assume(values, pool.and(cells.chain(others).collect::<Vec<_>>()), into);
            }
        }
        let equation = conjuncts.iter().find_map(|&conjunct| self.equation(conjunct));
        let ways: Vec<(Var, Term)> = match equation {
            Some(equation) => vec![equation],
            None => {
                let var = *pool.free_vars(condition).first().expect("a condition that is open has a symbol");
                self.values_of(var).map(|value| (var, value)).collect()
            }
        };
        for (var, value) in ways {
            let one: Substitution = [(var, value)].into_iter().collect();
            self.assume(self.bind(&values, var, value), pool.substitute(condition, &one), into);
        }
    }

    /// The value that a condition gives a symbol, if it is an equation.
    fn equation(&self, conjunct: Term) -> Option<(Var, Term)> {
        let pool = self.pool;
        let symbol = |term: Term| match pool.node(term) {
            Node::Var(var) => Some(*var),
            _ => None,
        };
        let between = |a: Term, b: Term, flip: bool| {
            let (var, value) = symbol(a).map(|var| (var, b)).or_else(|| symbol(b).map(|var| (var, a)))?;
            let simple = symbol(value).is_some() && !pool.mentions(value, var);
            simple.then(|| (var, if flip { pool.not(value) } else { value }))
        };
        match pool.node(conjunct) {
            Node::Var(var) => Some((*var, pool.bool(true))),
            Node::Eq(a, b) => between(*a, *b, false),
            Node::Not(inner) => match pool.node(*inner) {
                Node::Var(var) => Some((*var, pool.bool(false))),
                Node::Eq(a, b) => between(*a, *b, true),
                _ => None,
            },
            Node::Zero(linear) => match &*linear.parts {
                // The first factor is positive.
                [(a, one), (b, minus)] if linear.constant == 0.into() && *one == 1.into() && *minus == (-1).into() => {
                    between(*a, *b, false)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// All values of the terms.
    fn decide(&self, terms: Vec<Term>, into: &mut Valuations) {
        let open = terms.iter().flat_map(|&term| self.pool.free_vars(term)).next().copied();
        match open {
            Some(var) => self.values_of(var).for_each(|value| self.decide(self.bind(&terms, var, value), into)),
            None => {
                into.insert(terms.iter().map(|&term| term == self.pool.bool(true)).collect());
            }
        }
    }
}
