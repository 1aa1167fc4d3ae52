//! States as they are compared: exchangeable threads are sorted by where they are and what is known of each of them.
//!
//! What can happen from a state can happen, with threads exchanged, from the state where they are exchanged (`Symmetry`).

use braid_logic::{BitSet, Term, TermPool};
use braid_program::cfa::{ProductState, ThreadId};
use braid_proof::{AssertionId, FloydHoareAutomaton, Known};
use braid_reduction::Symmetry;
use rustc_hash::FxHashMap;

/// What an assertion says of threads that can be exchanged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// Nothing.
    Nobody,
    /// Something of one thread; the same, said of the first thread of its class, is this.
    One(ThreadId, Term),
    /// Something of several.
    Many,
}

/// What is known of threads that can be exchanged.
struct Told {
    /// Those of whom nothing is known that cannot be said of the others too.
    movable: BitSet,
    /// Per thread: what, as said of the first of its class.
    of: Vec<Vec<Term>>,
}

/// Sorts the threads of states of a proof.
pub(crate) struct LikeThreads {
    pub symmetry: Symmetry,
    /// By number of the assertion, as far as they were looked at.
    subjects: Vec<Subject>,
    /// What is said of one thread, by what it is when said of the first of its class.
    sayings: FxHashMap<(Term, ThreadId), AssertionId>,
    told: FxHashMap<Known, Told>,
}

impl LikeThreads {
    pub fn new(symmetry: Symmetry) -> LikeThreads {
        LikeThreads { symmetry, subjects: Vec::new(), sayings: FxHashMap::default(), told: FxHashMap::default() }
    }

    /// The state, its sleep set and what is known there, with the threads sorted. None if they are.
    pub fn sorted(
        &mut self,
        pool: &TermPool,
        proof: &mut FloydHoareAutomaton,
        (locations, asleep, known): (&ProductState, &BitSet, Known),
    ) -> Option<(ProductState, BitSet, Known)> {
        if self.symmetry.is_trivial() {
            return None;
        }
        self.look_at_assertions(pool, proof);
        if !self.told.contains_key(&known) {
            let told = self.told(proof, known);
            self.told.insert(known, told);
        }
        let told = &self.told[&known];
        let movable = |thread: ThreadId| told.movable.contains(thread.index());
        let about = |thread: ThreadId| &told.of[thread.index()];
        let (locations, asleep, place_of) = self.symmetry.canonical(locations, asleep, movable, about)?;
        let image = |assertion: AssertionId| match self.subjects[assertion.index()] {
            Subject::One(thread, saying) => self.sayings[&(saying, place_of[thread.index()])],
            Subject::Nobody | Subject::Many => assertion,
        };
        let images: Vec<AssertionId> = proof.known_ids(known).map(image).collect();
        Some((locations, asleep, proof.state_of(images)))
    }

    fn look_at_assertions(&mut self, pool: &TermPool, proof: &FloydHoareAutomaton) {
        if self.subjects.len() < proof.assertions().len() {
            // What could be said of one thread only may now be said of all.
            self.told.clear();
        }
        for (number, &assertion) in proof.assertions().iter().enumerate().skip(self.subjects.len()) {
            let id = AssertionId(number as u32);
            let subject =
                subject(&self.symmetry, pool, assertion, |thread| proof.mentions(id, self.symmetry.own(thread)));
            if let Subject::One(thread, saying) = subject {
                self.sayings.insert((saying, thread), id);
            }
            self.subjects.push(subject);
        }
    }

    fn told(&self, proof: &FloydHoareAutomaton, known: Known) -> Told {
        let threads = self.symmetry.classes().iter().flatten();
        let mut told = Told {
            movable: threads.map(|thread| thread.index()).collect(),
            of: vec![Vec::new(); 1 + self.symmetry.classes().iter().flatten().map(|id| id.index()).max().unwrap_or(0)],
        };
        let mut fixed: Vec<ThreadId> = Vec::new();
        for assertion in proof.known_ids(known) {
            match self.subjects[assertion.index()] {
                Subject::Nobody => {}
                Subject::One(thread, saying) => {
                    let class = self.symmetry.classes().iter().find(|class| class.contains(&thread));
                    let of_all = class.into_iter().flatten().all(|&other| self.sayings.contains_key(&(saying, other)));
                    if of_all {
                        told.of[thread.index()].push(saying);
                    } else {
                        fixed.push(thread);
                    }
                }
                Subject::Many => {
                    let threads = self.symmetry.classes().iter().flatten().copied();
                    fixed.extend(threads.filter(|&thread| proof.mentions(assertion, self.symmetry.own(thread))));
                }
            }
        }
        told.movable =
            told.movable.iter().filter(|&index| !fixed.iter().any(|thread| thread.index() == index)).collect();
        told.of.iter_mut().for_each(|sayings| sayings.sort_unstable());
        told
    }
}

fn subject(symmetry: &Symmetry, pool: &TermPool, assertion: Term, speaks_of: impl Fn(ThreadId) -> bool) -> Subject {
    let mut subject = Subject::Nobody;
    for class in symmetry.classes() {
        for &thread in class.iter().filter(|&&thread| speaks_of(thread)) {
            if subject != Subject::Nobody {
                return Subject::Many;
            }
            subject = Subject::One(thread, symmetry.renamed(pool, assertion, thread, class[0]));
        }
    }
    subject
}

/// What an assertion says of one thread, said of each that can be exchanged with it. What it says of several stays alone.
pub(crate) fn images(symmetry: &Symmetry, pool: &TermPool, assertion: Term) -> Vec<Term> {
    let vars = pool.free_vars(assertion);
    let speaks_of = |thread| symmetry.own(thread).iter().any(|var| vars.binary_search(var).is_ok());
    match subject(symmetry, pool, assertion, speaks_of) {
        Subject::Nobody | Subject::Many => vec![assertion],
        Subject::One(thread, saying) => {
            let class = symmetry.classes().iter().find(|class| class.contains(&thread)).expect("the thread's class");
            class.iter().map(|&other| symmetry.renamed(pool, saying, class[0], other)).collect()
        }
    }
}
