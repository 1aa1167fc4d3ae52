//! Loop invariants as data: a one-threaded program, and what the domains say at its loop heads and at its end. Random
//! graphs hold the domains against concrete runs and against the solver.

use braid_frontend::Language;
use braid_logic::{Fun, FunctionTable, Model, Node, Solver, SolverOptions, Sort, Term, TermPool, Validity, Value, Var};
use braid_program::cfa::{Program, Relation, Step, StepKind, ThreadId};
use braid_program::source::Span;
use braid_program::{LowerOptions, Random, lower};
use braid_proof::{FlowGraph, InvariantBudget, affine_equalities, loop_invariants, triple, zones};
use braid_testkit::parsed;
use expect_test::{Expect, expect};
use std::time::{Duration, Instant};

type Analysis = fn(&TermPool, &FlowGraph<'_>, &InvariantBudget) -> Vec<Vec<Term>>;

fn lowered<'p>(text: &str, pool: &'p TermPool, fuse: bool) -> Program<'p> {
    lower(&parsed(text, Language::Weaver), pool, LowerOptions { fuse, ..LowerOptions::default() }).expect("lowers")
}

/// The automaton of the first thread.
fn flow_graph<'a>(program: &'a Program<'_>) -> FlowGraph<'a> {
    let thread = program.thread(ThreadId::MAIN);
    let edges = program.actions.iter().filter(|action| action.thread == ThreadId::MAIN);
    let edges = edges.map(|a| (a.source.index(), a.target.index(), a.relation(program.pool))).collect();
    FlowGraph { nodes: thread.locations.len(), entry: thread.entry.index(), edges }
}

fn check(analysis: Analysis, text: &str, expected: Expect) {
    let pool = TermPool::new();
    let program = lowered(text, &pool, false);
    let thread = program.thread(ThreadId::MAIN);
    let invariants = analysis(&pool, &flow_graph(&program), &InvariantBudget::default());
    let mut lines = String::new();
    for (node, facts) in invariants.iter().enumerate() {
        let name = if node == thread.exit.index() { "end" } else { "loop" };
        if name == "end" || thread.locations[node].loop_head {
            let mut facts: Vec<String> = facts.iter().map(|&fact| pool.infix(fact).to_string()).collect();
            facts.sort();
            lines += &format!("{name}: {}\n", facts.join(", "));
        }
    }
    expected.assert_eq(&lines);
}

fn check_affine(text: &str, expected: Expect) {
    check(affine_equalities, text, expected);
}

#[test]
fn counters_in_lockstep_are_equal() {
    check_affine(
        "(var x y c Int) (set! x 0) (set! y 0) (loop (set! x (+ x c)) (set! y (+ y c)))",
        expect![[r#"
            end: x = y
            loop: x = y
        "#]],
    );
}

#[test]
fn a_sum_of_two_loops() {
    check_affine(
        "(var x y z a Int) (set! x 0) (set! y 0) (set! z 0)
         (loop (set! x (+ x a)) (set! z (+ z a))) (loop (set! y (+ y a)) (set! z (+ z a)))",
        expect![[r#"
            end: x + y = z
            loop: x = z, y = 0
            loop: x + y = z
        "#]],
    );
}

#[test]
fn sums_of_a_function_by_congruence() {
    check_affine(
        "(var i j s t n Int) (var f (Int) Int) (set! i 0) (set! j 0) (set! s 0) (set! t 0)
         (while (< i n) (set! s (+ s (f i))) (set! i (+ i 1)) (set! t (+ t (f j))) (set! j (+ j 1)))",
        expect![[r#"
            end: i = j, s = t
            loop: i = j, s = t
        "#]],
    );
    check_affine(
        "(var i j s t Int) (var a b (Array Int Int)) (assume (and (= i j) (= a b) (= s t)))
         (loop (set! i (+ i 1)) (set! s (+ s (select a i))) (set! j (+ j 1)) (set! t (+ t (select b j))))",
        expect![[r#"
            end: a = b, i = j, s = t
            loop: a = b, i = j, s = t
        "#]],
    );
    check_affine(
        "(var i j s t Int) (var f (Int) Int) (assume (and (= i (+ j 1)) (= s (+ t (f j)))))
         (loop (set! s (+ s (f i))) (set! i (+ i 1)) (set! j (+ j 1)) (set! t (+ t (f (- j 1)))))",
        expect![[r#"
            end: i = j + 1, s = t + f(j)
            loop: i = j + 1, s = t + f(j)
        "#]],
    );
}

#[test]
fn assumptions_at_the_entry() {
    check_affine(
        "(var i j n m Int) (assume (and (= i 0) (= j 0) (= n m)))
         (while (< i n) (set! i (+ i 2)) (set! j (+ j 3)))",
        expect![[r#"
            end: 3*i = 2*j, n = m
            loop: 3*i = 2*j, n = m
        "#]],
    );
}

#[test]
fn conditional_terms_and_disjunctions() {
    check_affine(
        "(var x y k Int) (var b Bool) (set! x 0) (set! y 5)
         (loop (havoc! k) (set! x (if (< k 3) (+ x 1) (- x 1))) (set! y (if (< k 3) (+ y 1) (- y 1))))",
        expect![[r#"
            end: x + 5 = y
            loop: x + 5 = y
        "#]],
    );
    check_affine(
        "(var x y k Int) (var b Bool) (set! x 0) (set! y 5)
         (loop (atomic (havoc! k) (set! x (if (< k 3) (+ x 1) (- x 1))) (set! y (if (< k 3) (+ y 1) (- y 1)))))",
        expect![[r#"
            end: x + 5 = y
            loop: x + 5 = y
        "#]],
    );
    check_affine(
        "(var x y Int) (assume (or (and (= x 0) (= y 1)) (and (= x 3) (= y 4)))) (loop (set! x (+ x y)))",
        expect![[r#"
            end: 
            loop: 
        "#]],
    );
}

#[test]
fn maxima_in_lockstep() {
    check_affine(
        "(var i j m k n Int) (var f (Int) Int) (assume (and (= i j 0) (= m k)))
         (while (< i n)
            (set! m (if (< m (f i)) (f i) m)) (set! i (+ i 1))
            (set! k (if (< k (f j)) (f j) k)) (set! j (+ j 1)))",
        expect![[r#"
            end: i = j, m = k
            loop: i = j, m = k
        "#]],
    );
    check_affine(
        "(var i j n Int) (var b c Bool) (assume (and (= i j 0) (= b c)))
         (loop (set! b (< i n)) (set! i (+ i 1)) (set! c (< j n)) (set! j (+ j 1)))",
        expect![[r#"
            end: b ⇔ c, i = j
            loop: b ⇔ c, i = j
        "#]],
    );
}

#[test]
fn no_budget_no_facts() {
    let pool = TermPool::new();
    let program = lowered("(var x Int) (set! x 0) (loop (set! x (+ x 1)))", &pool, false);
    let graph = flow_graph(&program);
    let budget = InvariantBudget { transfers: 1, ..InvariantBudget::default() };
    assert!(loop_invariants(&pool, &graph, &budget).iter().all(Vec::is_empty));
    let budget = InvariantBudget { dimensions: 0, clocks: 0, ..InvariantBudget::default() };
    let facts = loop_invariants(&pool, &graph, &budget);
    assert!(facts.iter().flatten().all(|&fact| fact == Term::FALSE), "only what is not reached");
}

#[test]
fn flags_count() {
    check_affine(
        "(var n Int) (var b c Bool) (set! n 0) (set! b false) (set! c false)
         (loop (cond (atomic (assume (not b)) (set! b true) (set! n (+ n 1)))
                       (atomic (assume c) (set! c false) (set! n (- n 1)))
                       (atomic (assume (not c)) (set! c true) (set! n (+ n 1)))))",
        expect![[r#"
            end: n = (if b then 1 else 0) + (if c then 1 else 0)
            loop: n = (if b then 1 else 0) + (if c then 1 else 0)
        "#]],
    );
}

#[test]
fn what_is_not_reached() {
    check_affine(
        "(var x Int) (set! x 1) (loop (set! x (+ x 0))) (assume (= x 2))",
        expect![[r#"
        end: false
        loop: x = 1
    "#]],
    );
}

fn check_zones(text: &str, expected: Expect) {
    check(zones, text, expected);
}

#[test]
fn a_counter_stays_between_its_bounds() {
    check_zones(
        "(var i n Int) (set! i 0) (while (< i n) (set! i (+ i 1)))",
        expect![[r#"
        end: i ≥ 0, n ≤ i
        loop: i ≥ 0
    "#]],
    );
    check_zones(
        "(var i n Int) (assume (>= n 0)) (set! i 0) (while (< i n) (set! i (+ i 1)))",
        expect![[r#"
        end: i = n, i ≥ 0
        loop: i ≤ n, i ≥ 0
    "#]],
    );
    check_zones(
        "(var i Int) (set! i 0) (while (< i 10) (set! i (+ i 1)))",
        expect![[r#"
        end: i = 10
        loop: i ≤ 10, i ≥ 0
    "#]],
    );
    check_zones(
        "(var i n Int) (assume (> n 0)) (set! i 0) (while (/= i n) (set! i (+ i 1)))",
        expect![[r#"
        end: i = n, i ≥ 1
        loop: i ≤ n, i ≥ 0, n ≥ 1
    "#]],
    );
}

#[test]
fn a_gap_between_two_counters() {
    check_zones(
        "(var i j n Int) (assume (>= n 1)) (set! i 0) (set! j 0)
         (loop (cond (atomic (assume (< (- i j) n)) (set! i (+ i 1))) (atomic (assume (< j i)) (set! j (+ j 1)))))",
        expect![[r#"
            end: j ≤ i, j ≥ 0, n ≥ 1
            loop: j ≤ i, j ≥ 0, n ≥ 1
        "#]],
    );
    check_zones(
        "(var i j Int) (set! i 0) (set! j 0)
         (loop (cond (atomic (assume (< (- i j) 3)) (set! i (+ i 1))) (atomic (assume (< j i)) (set! j (+ j 1)))))",
        expect![[r#"
            end: i ≤ j + 3, j ≤ i, j ≥ 0
            loop: i ≤ j + 3, j ≤ i, j ≥ 0
        "#]],
    );
}

#[test]
fn havocked_and_conditional_values_are_bounded() {
    check_zones(
        "(var x y m Int) (set! m 0) (loop (atomic (havoc! x) (assume (and (<= 0 x) (< x 4)))) (set! y (+ m x))
            (set! m (if (> x m) x m)))",
        expect![[r#"
            end: m ≤ 3, m ≥ 0
            loop: m ≤ 3, m ≥ 0
        "#]],
    );
}

#[test]
fn equalities_and_bounds_help_each_other() {
    let check_both = |text, expected| check(loop_invariants, text, expected);
    check_both(
        "(var d w W Int) (assume (>= W 0)) (set! w W) (set! d 0) (while (< 0 w) (set! w (- w 1)) (set! d (+ d 1)))",
        expect![[r#"
            end: d = W, d ≥ 0, w = 0
            loop: d + w = W, d ≤ W, d ≥ 0, w ≤ W, w ≥ 0
        "#]],
    );
    check_both(
        "(var i j k n s t Int) (var a b (Array Int Int)) (assume (and (= i j k s t 0) (>= n 0)))
         (while (< i n)
            (set! s (+ s (select a i))) (set! i (+ i 1))
            (if (< j n) (atomic (store! b j (select a j)) (set! j (+ j 1))))
            (if (< k j) (atomic (set! t (+ t (select b k))) (set! k (+ k 1)))))",
        expect![[r#"
            end: i = n, i ≥ 0, j = n, k = n, s = t
            loop: i = k, i ≤ n, i ≥ 0, j = k, s = t
        "#]],
    );
}

/// Draws actions over a few variables of every sort.
struct Generator<'p> {
    pool: &'p TermPool,
    random: Random,
    ints: Vec<Var>,
    flags: Vec<Var>,
    arrays: Vec<Var>,
    fun: Fun,
}

impl<'p> Generator<'p> {
    fn new(pool: &'p TermPool, seed: u64, ints: usize) -> Self {
        let numbered = |prefix: &str, count: usize, sort: Sort| -> Vec<Var> {
            (0..count).map(|number| pool.var(&format!("{prefix}{number}"), sort)).collect()
        };
        let ints = numbered("x", ints, Sort::INT);
        let flags = numbered("b", 2, Sort::BOOL);
        let arrays = numbered("a", 2, pool.array_sort(Sort::INT, Sort::INT));
        let fun = pool.fun("f", &[Sort::INT], Sort::INT);
        Generator { pool, random: Random::new(seed), ints, flags, arrays, fun }
    }

    fn pick(&mut self, vars: fn(&Self) -> &Vec<Var>) -> Term {
        let number = self.random.below(vars(self).len());
        self.pool.of_var(vars(self)[number])
    }

    fn int(&mut self, depth: usize) -> Term {
        let (pool, kind) = (self.pool, self.random.below(if depth == 0 { 4 } else { 11 }));
        match kind {
            0 => pool.int(self.random.below(5) as i64 - 1),
            1..=3 => self.pick(|g| &g.ints),
            4 | 5 => pool.add([self.pick(|g| &g.ints), self.int(0)]),
            6 => pool.sub(self.int(depth - 1), self.int(depth - 1)),
            7 => pool.apply(self.fun, &[self.int(depth - 1)]),
            8 => pool.select(self.pick(|g| &g.arrays), self.int(depth - 1)),
            9 if self.random.below(2) == 0 => pool.mul(self.int(0), self.int(0)),
            9 => pool.modulo(self.int(0), pool.int(2)),
            _ => pool.ite(self.formula(0), self.int(depth - 1), self.int(depth - 1)),
        }
    }

    fn formula(&mut self, depth: usize) -> Term {
        let (pool, kind) = (self.pool, self.random.below(if depth == 0 { 6 } else { 9 }));
        match kind {
            0 | 1 => pool.le(self.int(depth), self.int(depth)),
            2 | 3 => pool.eq(self.int(depth), self.int(depth)),
            4 => pool.not(pool.eq(self.int(0), self.int(0))),
            5 => self.pick(|g| &g.flags),
            6 => pool.or([self.formula(depth - 1), self.formula(depth - 1)]),
            7 => pool.and([self.formula(depth - 1), self.formula(depth - 1)]),
            _ => pool.not(self.formula(depth - 1)),
        }
    }

    fn step(&mut self) -> StepKind {
        let (pool, kind) = (self.pool, self.random.below(12));
        let var = |term: Term| match pool.node(term) {
            Node::Var(var) => *var,
            _ => unreachable!("variables are drawn"),
        };
        match kind {
            0 | 1 => StepKind::Assume(self.formula(1)),
            2 => StepKind::Havoc(vec![var(self.pick(|g| &g.ints))]),
            3 => StepKind::Assign(vec![(var(self.pick(|g| &g.flags)), self.formula(1))]),
            4 => StepKind::Assign(vec![(var(self.pick(|g| &g.arrays)), self.pick(|g| &g.arrays))]),
            5 => {
                let (array, index, value) = (self.pick(|g| &g.arrays), self.int(0), self.int(0));
                StepKind::Assign(vec![(var(array), pool.store(array, index, value))])
            }
            6..=8 => {
                let counter = self.pick(|g| &g.ints);
                StepKind::Assign(vec![(var(counter), pool.add([counter, self.int(0)]))])
            }
            _ => StepKind::Assign(vec![(var(self.pick(|g| &g.ints)), self.int(2))]),
        }
    }

    fn relation(&mut self) -> Relation {
        let count = 1 + self.random.below(3);
        let steps: Vec<Step> = (0..count).map(|_| Step { kind: self.step(), span: Span::default() }).collect();
        Relation::of_steps(self.pool, &steps)
    }

    /// A start where some variables are equal or constant.
    fn start(&mut self) -> Relation {
        let mut facts = Vec::new();
        for &var in &self.ints {
            let other = self.ints[self.random.below(self.ints.len())];
            match self.random.below(3) {
                0 => facts.push((var, self.pool.int(self.random.below(3) as i64))),
                1 => facts.push((var, self.pool.of_var(other))),
                _ => {}
            }
        }
        if self.random.below(2) == 0 {
            facts.push((self.arrays[0], self.pool.of_var(self.arrays[1])));
        }
        Relation::of_steps(self.pool, &[Step { kind: StepKind::Assign(facts), span: Span::default() }])
    }

    /// A chain of nodes with as many shortcuts and loops.
    fn edges(&mut self, nodes: usize) -> Vec<(usize, usize, Relation)> {
        let mut edges = vec![(0, 1, self.start())];
        edges.extend((1..nodes - 1).map(|node| (node, node + 1, self.relation())));
        for _ in 0..nodes {
            let ends = (1 + self.random.below(nodes - 1), 1 + self.random.below(nodes - 1));
            edges.push((ends.0, ends.1, self.relation()));
        }
        edges
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::BOOL => Value::Bool(self.random.below(2) == 0),
            Sort::INT => Value::Int((self.random.below(6) as i64 - 2).into()),
            _ => self.pool.first_value(sort),
        }
    }

    fn model(&mut self) -> Model {
        let mut model = Model::default();
        for var in self.ints.iter().chain(&self.flags).copied().collect::<Vec<_>>() {
            model.vars.insert(var, self.value(Sort::INT));
            if self.flags.contains(&var) {
                model.vars.insert(var, self.value(Sort::BOOL));
            }
        }
        let entries = (-4..8).map(|argument: i64| (vec![Value::Int(argument.into())], self.value(Sort::INT))).collect();
        model.funs.insert(self.fun, FunctionTable { entries, otherwise: Value::Int(3.into()) });
        model
    }

    /// One action from a state; none if it cannot happen there.
    fn run(&mut self, state: &Model, relation: &Relation) -> Option<Model> {
        let mut chosen = state.clone();
        for &choice in &relation.choices {
            chosen.vars.insert(choice, self.value(self.pool.var_sort(choice)));
        }
        if self.pool.holds_in(relation.guard, &chosen) != Some(true) {
            return None;
        }
        let mut after = state.clone();
        for (var, term) in &relation.updates {
            after.vars.insert(*var, self.pool.evaluate_in(*term, &chosen)?);
        }
        Some(after)
    }
}

fn borrowed(nodes: usize, edges: &[(usize, usize, Relation)]) -> FlowGraph<'_> {
    let edges = edges.iter().map(|(source, target, relation)| (*source, *target, relation)).collect();
    FlowGraph { nodes, entry: 0, edges }
}

#[test]
fn concrete_runs_never_leave_the_invariants() {
    let (mut steps, mut checked) = (0, 0);
    for seed in 0..400 {
        let pool = TermPool::new();
        let mut generator = Generator::new(&pool, seed, 4);
        let edges = generator.edges(6);
        let graph = borrowed(6, &edges);
        let budget = InvariantBudget::default();
        let mut invariants = loop_invariants(&pool, &graph, &budget);
        for analysis in [affine_equalities as Analysis, zones] {
            let weaker = analysis(&pool, &graph, &budget);
            invariants.iter_mut().zip(weaker).for_each(|(facts, more)| facts.extend(more));
        }
        for _ in 0..20 {
            let (mut state, mut node) = (generator.model(), 0);
            for _ in 0..20 {
                let outgoing: Vec<usize> = (0..edges.len()).filter(|&edge| edges[edge].0 == node).collect();
                let Some(&edge) = outgoing.get(generator.random.below(outgoing.len().max(1))) else { break };
                let Some(after) = generator.run(&state, &edges[edge].2) else { continue };
                (state, node) = (after, edges[edge].1);
                steps += 1;
                for &fact in &invariants[node] {
                    let fails = pool.holds_in(fact, &state) == Some(false);
                    assert!(!fails, "seed {seed}, node {node}: {} in {state:?}", pool.infix(fact));
                    checked += 1;
                }
            }
        }
    }
    println!("{steps} steps, {checked} facts");
    assert!(steps > 20_000 && checked > 20_000, "{steps} steps, {checked} facts");
}

#[test]
fn the_solver_finds_the_facts_inductive() {
    for analysis in [affine_equalities as Analysis, zones, loop_invariants] {
        let (mut valid, mut invalid) = (0, 0);
        for seed in 0..60 {
            let pool = TermPool::new();
            let edges = Generator::new(&pool, seed, 4).edges(5);
            let invariants = analysis(&pool, &borrowed(5, &edges), &InvariantBudget::default());
            let mut solver = Solver::new(&pool, SolverOptions::default()).expect("the linked solver starts");
            for (source, target, relation) in &edges {
                let before = pool.and(invariants[*source].iter().copied());
                for &after in &invariants[*target] {
                    match triple(&mut solver, &pool, before, relation, after) {
                        Validity::Valid => valid += 1,
                        Validity::Invalid => {
                            println!("seed {seed}: {} after {}", pool.infix(after), pool.infix(before));
                            invalid += 1;
                        }
                        Validity::Unknown => {}
                    }
                }
            }
        }
        println!("{valid} valid, {invalid} invalid");
        assert_eq!(invalid, 0, "{valid} valid");
    }
}

/// A ring of nodes where twelve counters go round, each below `n` when it is its turn, with shortcuts back to the start.
fn counters(pool: &TermPool, nodes: usize) -> Vec<(usize, usize, Relation)> {
    let vars: Vec<Var> = (0..11).map(|number| pool.var(&format!("x{number}"), Sort::INT)).collect();
    let limit = pool.symbol("n", Sort::INT);
    let relation = |kinds: Vec<StepKind>| {
        let steps: Vec<Step> = kinds.into_iter().map(|kind| Step { kind, span: Span::default() }).collect();
        Relation::of_steps(pool, &steps)
    };
    let start = vars.iter().map(|&var| (var, pool.int(0))).collect();
    let mut edges =
        vec![(0, 1, relation(vec![StepKind::Assume(pool.ge(limit, pool.int(0))), StepKind::Assign(start)]))];
    for node in 1..nodes {
        let var = vars[node % vars.len()];
        let value = pool.of_var(var);
        let step = StepKind::Assign(vec![(var, pool.add([value, pool.int(1)]))]);
        let below = StepKind::Assume(pool.lt(value, limit));
        edges.push((node, if node + 1 < nodes { node + 1 } else { 1 }, relation(vec![below, step])));
        if node % vars.len() == 0 {
            edges.push((node, 1, relation(Vec::new())));
        }
    }
    edges
}

#[test]
fn large_graphs_are_analysed_quickly() {
    for seed in 0..5 {
        let pool = TermPool::new();
        let edges = if seed == 0 { counters(&pool, 200) } else { Generator::new(&pool, seed, 12).edges(200) };
        let (graph, budget) = (borrowed(200, &edges), InvariantBudget::default());
        for (name, analysis) in [("affine", affine_equalities as Analysis), ("zones", zones), ("both", loop_invariants)]
        {
            let start = Instant::now();
            let facts: usize = analysis(&pool, &graph, &budget).iter().map(Vec::len).sum();
            let time = start.elapsed();
            println!("{name}: {facts} facts in {time:?}");
            assert!(time < Duration::from_secs(20), "{name} took {time:?}");
        }
    }
}
