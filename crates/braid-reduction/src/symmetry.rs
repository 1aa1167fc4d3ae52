//! Threads that can be exchanged: an automorphism of the program that swaps two of them, with the variables of their own.
//!
//! Of what is seen of a program (`Sight`) more threads can be exchanged: those that differ in numbers that are not told apart, for example.
//!
//! If swapping maps every action to an action, then whatever can happen from a state can happen, swapped, from the
//! swapped state. So a state that differs from one visited before only by who of several like threads is where need not be
//! visited: its continuations have the same length and the same outcome. Nothing else about the reduction has to be
//! symmetric, neither the order nor what was explored from the visited state, because what is concluded of that state
//! ("no continuation that starts with an action outside the sleep set, up to commutation, violates the claim where this is known")
//! speaks of the program alone.

use crate::sight::Sight;
use crate::target::Target;
use braid_logic::{BitSet, Substitution, Term, TermPool, Var};
use braid_program::cfa::{Action, ActionId, Location, ProductState, Program, Relation, ThreadId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The classes of threads that can be exchanged.
#[derive(Clone)]
pub struct Symmetry {
    /// Each with two threads or more, sorted.
    classes: Vec<Vec<ThreadId>>,
    layout: Rc<Layout>,
}

/// Where the actions and variables of threads are.
#[derive(Default)]
struct Layout {
    /// Per thread, the number of its first action; those of a class correspond in order.
    first: Vec<usize>,
    /// Per thread, the number of its actions.
    count: Vec<usize>,
    /// Per thread, the variables of its own.
    own: Vec<Vec<Var>>,
    /// The threads that variables belong to.
    owner: FxHashMap<Var, usize>,
    /// Per thread, the actions of others that start it, wait for its end or access variables of its own: what exchanging it can change of them.
    concerned: Vec<Vec<usize>>,
}

impl Layout {
    fn of(program: &Program<'_>) -> Layout {
        let threads = program.threads.len();
        let (mut first, mut count) = (vec![usize::MAX; threads], vec![0; threads]);
        for (number, action) in program.actions.iter().enumerate() {
            let thread = action.thread.index();
            first[thread] = first[thread].min(number);
            count[thread] += 1;
        }
        let own = own_variables(program);
        let owner = own.iter().enumerate().flat_map(|(thread, own)| own.iter().map(move |&var| (var, thread)));
        let owner: FxHashMap<Var, usize> = owner.collect();
        let concerned = concerned(program, &owner);
        Layout { first, count, own, owner, concerned }
    }
}

impl Symmetry {
    /// No thread can be exchanged.
    pub fn none() -> Symmetry {
        Symmetry { classes: Vec::new(), layout: Rc::default() }
    }

    /// The symmetry of a program.
    pub fn of(program: &Program<'_>) -> Symmetry {
        Symmetry::classified(Rc::new(Layout::of(program)), program, None)
    }

    /// The symmetry of what is seen of the program.
    pub fn seen(&self, program: &Program<'_>, sight: &Sight) -> Symmetry {
        Symmetry::classified(self.layout.clone(), program, Some(sight))
    }

    fn classified(layout: Rc<Layout>, program: &Program<'_>, sight: Option<&Sight>) -> Symmetry {
        let mut symmetry = Symmetry { classes: Vec::new(), layout };
        for thread in program.thread_ids().filter(|&thread| thread != ThreadId::MAIN) {
            let home = (0..symmetry.classes.len())
                .find(|&class| symmetry.exchangeable(program, sight, symmetry.classes[class][0], thread));
            match home {
                Some(class) => symmetry.classes[class].push(thread),
                None => symmetry.classes.push(vec![thread]),
            }
        }
        symmetry.classes.retain(|class| class.len() > 1);
        symmetry
    }

    /// The targets of a program, but for those that can be exchanged with another one: what their threads can do, the first of these can do too.
    pub fn targets(&self, program: &Program<'_>) -> Vec<Target> {
        let is_first = |thread| self.classes.iter().all(|class| class[0] == thread || !class.contains(&thread));
        Target::all(program).into_iter().filter(|target| target.thread().is_none_or(is_first)).collect()
    }

    /// The symmetry that does not move a target.
    pub fn fixing(&self, target: Target) -> Symmetry {
        let mut symmetry = self.clone();
        symmetry.classes.iter_mut().for_each(|class| class.retain(|&thread| Some(thread) != target.thread()));
        symmetry.classes.retain(|class| class.len() > 1);
        symmetry
    }

    /// Can no thread be exchanged?
    pub fn is_trivial(&self) -> bool {
        self.classes.is_empty()
    }

    /// The threads that can be exchanged, class by class.
    pub fn classes(&self) -> &[Vec<ThreadId>] {
        &self.classes
    }

    /// The variables of a thread's own: exchanging the thread exchanges them.
    pub fn own(&self, thread: ThreadId) -> &[Var] {
        &self.layout.own[thread.index()]
    }

    /// The variables (by index) with those that they can be exchanged with.
    pub fn closed(&self, mut vars: BitSet) -> BitSet {
        for class in &self.classes {
            for number in 0..self.own(class[0]).len() {
                let alike = || class.iter().map(|&thread| self.own(thread)[number].index());
                if alike().any(|var| vars.contains(var)) {
                    alike().for_each(|var| vars.insert(var));
                }
            }
        }
        vars
    }

    /// A term that speaks of the first thread's variables, about the second thread instead. Both are of one class.
    pub fn renamed(&self, pool: &TermPool, term: Term, from: ThreadId, to: ThreadId) -> Term {
        let own = self.own(from).iter().zip(self.own(to));
        pool.substitute(term, &own.map(|(&from, &to)| (from, pool.of_var(to))).collect())
    }

    /// The state and the sleep set with the movable threads of each class sorted by where they are, what is `told` of them
    /// and what of theirs sleeps; and where each thread was moved to. None if all stay.
    pub fn canonical<K: Ord>(
        &self,
        state: &ProductState,
        asleep: &BitSet,
        movable: impl Fn(ThreadId) -> bool,
        told: impl Fn(ThreadId) -> K,
    ) -> Option<(ProductState, BitSet, Vec<ThreadId>)> {
        let Layout { first, count, .. } = &*self.layout;
        let mut place_of: Vec<ThreadId> = (0..first.len() as u32).map(ThreadId).collect();
        let mut moved = false;
        for class in &self.classes {
            let places: Vec<ThreadId> = class.iter().copied().filter(|&thread| movable(thread)).collect();
            let key = |thread: ThreadId| -> (Location, K, Vec<usize>) {
                let (first, count) = (first[thread.index()], count[thread.index()]);
                let sleeping = (0..count).filter(|&number| asleep.contains(first + number)).collect();
                (state.location(thread), told(thread), sleeping)
            };
            let mut sorted = places.clone();
            sorted.sort_by_cached_key(|&thread| key(thread));
            for (&place, &thread) in places.iter().zip(&sorted) {
                place_of[thread.index()] = place;
                moved |= place != thread;
            }
        }
        if !moved {
            return None;
        }
        let mut image = BitSet::new();
        for (thread, &place) in place_of.iter().enumerate() {
            let sleeping = (0..count[thread]).filter(|&number| asleep.contains(first[thread] + number));
            sleeping.for_each(|number| image.insert(first[place.index()] + number));
        }
        Some((state.permuted(|thread| place_of[thread.index()]), image, place_of))
    }

    /// Does swapping the two threads map every action to an action?
    fn exchangeable(&self, program: &Program<'_>, sight: Option<&Sight>, a: ThreadId, b: ThreadId) -> bool {
        let Layout { first, count, owner, concerned, .. } = &*self.layout;
        let (x, y) = (program.thread(a), program.thread(b));
        let same_shape = x.locations.len() == y.locations.len()
            && (x.entry, x.exit) == (y.entry, y.exit)
            && x.locations.iter().zip(&y.locations).all(|(l, r)| l.violation == r.violation)
            && count[a.index()] == count[b.index()]
            && self.own(a).len() == self.own(b).len();
        if !same_shape {
            return false;
        }
        let pool = program.pool;
        let mut swap = Swap { pool, seen: sight.map(|sight| (sight, owner)), threads: (a, b), vars: Vec::new() };
        for (&left, &right) in self.own(a).iter().zip(self.own(b)) {
            if pool.var_sort(left) != pool.var_sort(right) {
                return false;
            }
            swap.vars.extend([(left, right), (right, left)]);
        }
        let action = |number: usize| program.action(ActionId(number as u32));
        let others = concerned[a.index()].iter().chain(&concerned[b.index()]);
        (0..count[a.index()]).all(|number| {
            let (mine, theirs) = (action(first[a.index()] + number), action(first[b.index()] + number));
            swap.maps(mine, theirs) && swap.maps(theirs, mine)
        }) && others.copied().all(|number| {
            let action = action(number);
            action.thread == a || action.thread == b || swap.maps(action, action)
        })
    }
}

/// Per thread, the variables that only its own actions access, and those that start it or wait for its end.
fn own_variables(program: &Program<'_>) -> Vec<Vec<Var>> {
    let mut own = vec![Vec::new(); program.threads.len()];
    for variable in &program.variables {
        let accesses = |action: &&Action| {
            let relation = action.relation(program.pool);
            relation.reads.binary_search(&variable.var).is_ok() || relation.writes.binary_search(&variable.var).is_ok()
        };
        let accessing: Vec<&Action> = program.actions.iter().filter(accesses).collect();
        let is_owner = |&thread: &ThreadId| {
            accessing.iter().any(|action| action.thread == thread)
                && accessing.iter().all(|action| {
                    action.thread == thread || action.forks.contains(&thread) || action.joins.contains(&thread)
                })
        };
        if let Some(owner) = program.thread_ids().filter(|&thread| thread != ThreadId::MAIN).find(is_owner) {
            own[owner.index()].push(variable.var);
        }
    }
    own
}

fn concerned(program: &Program<'_>, owner: &FxHashMap<Var, usize>) -> Vec<Vec<usize>> {
    let mut concerned = vec![Vec::new(); program.threads.len()];
    for (number, action) in program.actions.iter().enumerate() {
        let relation = action.relation(program.pool);
        let owners = relation.reads.iter().chain(&relation.writes).filter_map(|var| owner.get(var).copied());
        let moved = action.forks.iter().chain(&action.joins).map(|thread| thread.index());
        let threads: BitSet = owners.chain(moved).collect();
        threads.iter().for_each(|thread| concerned[thread].push(number));
    }
    concerned
}

struct Swap<'p> {
    pool: &'p TermPool,
    /// What is seen, if not all is, with the threads that variables belong to.
    seen: Option<(&'p Sight, &'p FxHashMap<Var, usize>)>,
    threads: (ThreadId, ThreadId),
    /// Both directions.
    vars: Vec<(Var, Var)>,
}

impl Swap<'_> {
    fn maps(&self, action: &Action, image: &Action) -> bool {
        let thread = |thread: &ThreadId| match *thread {
            thread if thread == self.threads.0 => self.threads.1,
            thread if thread == self.threads.1 => self.threads.0,
            thread => thread,
        };
        let same_set = |mine: &[ThreadId], theirs: &[ThreadId]| {
            let mut mine: Vec<ThreadId> = mine.iter().map(thread).collect();
            let mut theirs = theirs.to_vec();
            mine.sort_unstable();
            theirs.sort_unstable();
            mine == theirs
        };
        (action.source, action.target) == (image.source, image.target)
            && same_set(&action.forks, &image.forks)
            && same_set(&action.joins, &image.joins)
            && self.maps_relation(action.relation(self.pool), image.relation(self.pool))
    }

    fn maps_relation(&self, relation: &Relation, image: &Relation) -> bool {
        if relation.choices.len() != image.choices.len() {
            return false;
        }
        let choices = relation.choices.iter().copied().zip(image.choices.iter().copied());
        if choices.clone().any(|(mine, theirs)| self.pool.var_sort(mine) != self.pool.var_sort(theirs)) {
            return false;
        }
        let renaming: Substitution =
            self.vars.iter().copied().chain(choices).map(|(from, to)| (from, self.pool.of_var(to))).collect();
        let renamed = |term: Term| self.pool.substitute(term, &renaming);
        let var = |var: Var| self.vars.iter().find(|(from, _)| *from == var).map_or(var, |&(_, to)| to);
        let seen = |var: Var| self.seen.is_none_or(|(sight, _)| sight.sees(var));
        // What is told of one thread's own variables need not be told of the other's: there, numbers differ.
        let told = |var: &Var| self.seen.filter(|(_, owner)| !owner.contains_key(var));
        let alike = |var: Var, mine: Term, theirs: Term| {
            mine == theirs || told(&var).is_some_and(|(sight, _)| sight.alike(self.pool, var, mine, theirs))
        };
        let updates = relation.updates.iter().map(|&(v, term)| (var(v), renamed(term)));
        let mut updates: Vec<(Var, Term)> = updates.filter(|(var, _)| seen(*var)).collect();
        updates.sort_unstable();
        let theirs: Vec<(Var, Term)> = image.updates.iter().copied().filter(|(var, _)| seen(*var)).collect();
        let same = |(mine, theirs): (&(Var, Term), &(Var, Term))| mine.0 == theirs.0 && alike(mine.0, mine.1, theirs.1);
        renamed(relation.guard) == image.guard && updates.len() == theirs.len() && updates.iter().zip(&theirs).all(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use braid_frontend::{Language, parse};
    use braid_logic::text::{PoolScope, parse_term};
    use braid_program::{LowerOptions, lower};

    /// The classes by the names of their threads.
    fn check(text: &str, expected: &[&[&str]]) {
        check_seen(text, None, expected);
    }

    /// As `check`, of what is seen: the variables of the formulas, by which of these hold.
    fn check_seen(text: &str, formulas: Option<&[&str]>, expected: &[&[&str]]) {
        let program = parse("test", text, Language::Braid).unwrap_or_else(|errors| panic!("{errors}"));
        let pool = TermPool::new();
        let options = LowerOptions { fuse: false, ..LowerOptions::default() };
        let program = lower(&program, &pool, options).expect("lowers");
        let sight = formulas.map(|formulas| {
            let read = |text: &&str| parse_term(&pool, text, &PoolScope(&pool)).expect("a formula");
            let formulas: Vec<Term> = formulas.iter().map(read).collect();
            let visible = formulas.iter().flat_map(|&formula| pool.free_vars(formula)).map(|var| var.index());
            Sight::of_formulas(&pool, visible.collect(), &formulas)
        });
        let symmetry = Symmetry::of(&program);
        let symmetry = sight.map_or_else(|| symmetry.clone(), |sight| symmetry.seen(&program, &sight));
        let classes = match Target::all(&program).first() {
            Some(target @ Target::ErrorOf(_)) => symmetry.fixing(*target).classes,
            _ => symmetry.classes,
        };
        let names = |class: &Vec<ThreadId>| class.iter().map(|&id| program.thread(id).name.clone()).collect::<Vec<_>>();
        assert_eq!(classes.iter().map(names).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn like_threads_can_be_exchanged() {
        let one = "(loop (set! x (+ x 1)))";
        check(&format!("(var x y Int) (par {one} (set! y x) {one} {one})"), &[&["t1", "t3", "t4"]]);
        check(&format!("(var x Int) (par {one} (set! x 1))"), &[]);
    }

    #[test]
    fn variables_of_their_own_are_exchanged_too() {
        let one = "(declare (i Int) (seq (set! i x) (while (< i 3) (atomic (set! i (+ i 1)) (set! x (+ x i))))))";
        check(&format!("(var x Int) (par {one} {one})"), &[&["t1", "t2"]]);
        // Somebody else looks at one of them.
        check("(var x y z Int) (par (set! x (+ x 1)) (set! y (+ y 1)) (set! z x))", &[]);
        check("(var x y z Int) (par (loop (set! x (+ x 1))) (loop (set! y (+ y 1))) (set! z 0))", &[&["t1", "t2"]]);
    }

    #[test]
    fn threads_that_cannot_be_told_apart_can_be_exchanged() {
        let text = "(var x y Int) (par (set! x 1) (set! x 2) (set! x 7) (seq (set! y x) (set! x y)))";
        check(text, &[]);
        check_seen(text, Some(&["(<= x 5)"]), &[&["t1", "t2"]]);
        check_seen(text, Some(&["(<= x 5)", "(= x 2)"]), &[]);
        check_seen(text, Some(&["(<= x y)"]), &[]);
        check_seen(text, Some(&["(<= y 5)"]), &[&["t1", "t2", "t3"]]);
    }

    #[test]
    fn numbers_of_a_thread_of_its_own_are_told_apart() {
        let one = |own: &str, number: u8| format!("(seq (set! {own} {number}) (loop (set! x (+ x {own}))))");
        let text = format!("(var x i j Int) (par {} {} (set! x 0))", one("i", 1), one("j", 2));
        check_seen(&text, Some(&["(<= x 5)"]), &[&["t1", "t2"]]);
        check_seen(&text, Some(&["(<= x 5)", "(<= 0 i)", "(<= 0 j)"]), &[]);
    }

    #[test]
    fn the_thread_whose_errors_are_looked_for_stays() {
        let one = "(seq (set! x (+ x 1)) (assert (< x 5)))";
        check(&format!("(var x Int) (par {one} {one} {one})"), &[&["t2", "t3"]]);
    }
}
