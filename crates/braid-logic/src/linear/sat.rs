//! Conflict-driven clause learning over the propositions of one query, with the origin of every fact.
//!
//! A query is small, so there are no restarts and no clause deletion. What sets this core apart is bookkeeping for
//! unsatisfiable cores: each clause and each fact of level 0 carries the set of input formulas that it was derived from.
//! Invariant: the support of a fact of level 0 is complete, so a conflict at level 0 names a core.

/// A literal: a proposition and a sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Lit(u32);

impl Lit {
    #[inline]
    pub fn new(var: u32, positive: bool) -> Lit {
        Lit(var << 1 | u32::from(!positive))
    }

    #[inline]
    pub const fn from_code(code: u32) -> Lit {
        Lit(code)
    }

    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }

    #[inline]
    pub fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// It was tried.
    Decision,
    /// It holds by itself, given its support.
    Fact,
    /// All other literals of the clause are false.
    Clause(u32),
    /// The bounds that these two literals assert imply it.
    Bounds(Lit, Lit),
}

#[derive(Clone, Copy)]
struct Clause {
    start: u32,
    len: u32,
    /// A consequence of the others: need not be satisfied on purpose.
    learned: bool,
}

/// A set of input formulas, as words of bits.
pub(super) fn unite(set: &mut [u64], other: &[u64]) {
    for (word, other) in set.iter_mut().zip(other) {
        *word |= other;
    }
}

/// The clauses and the assignment. See the module's description.
#[derive(Default)]
pub(super) struct Sat {
    /// Words per set of input formulas.
    words: usize,
    /// Per variable: 0 open, 1 true, -1 false.
    value: Vec<i8>,
    level: Vec<u32>,
    reason: Vec<Reason>,
    /// Per variable, `words` each: what its value at level 0 depends on.
    support: Vec<u64>,
    /// Per variable, `words` each: what its meaning as a bound depends on.
    premise: Vec<u64>,
    seen: Vec<bool>,
    pub trail: Vec<Lit>,
    /// Length of the trail at each decision.
    limits: Vec<u32>,
    head: usize,
    /// The shortest that the trail has been since the theory last looked.
    pub low_water: usize,
    clauses: Vec<Clause>,
    literals: Vec<Lit>,
    clause_support: Vec<u64>,
    watches: Vec<Vec<u32>>,
    /// A false clause to resolve, and its support.
    pub conflict: Vec<Lit>,
    pub conflict_support: Vec<u64>,
    learned: Vec<Lit>,
    /// Conflicts so far.
    pub conflicts: u32,
}

impl Sat {
    /// Forgets everything; sets of input formulas shall have the given number of words.
    pub fn reset(&mut self, words: usize) {
        for watch in &mut self.watches[..2 * self.value.len()] {
            watch.clear();
        }
        self.words = words;
        self.value.clear();
        self.level.clear();
        self.reason.clear();
        self.support.clear();
        self.premise.clear();
        self.seen.clear();
        self.trail.clear();
        self.limits.clear();
        self.head = 0;
        self.low_water = 0;
        self.clauses.clear();
        self.literals.clear();
        self.clause_support.clear();
        self.conflict.clear();
        self.conflict_support.clear();
        self.conflict_support.resize(words, 0);
        self.conflicts = 0;
    }

    /// A new variable.
    pub fn new_var(&mut self) -> u32 {
        let var = self.value.len() as u32;
        self.value.push(0);
        self.level.push(0);
        self.reason.push(Reason::Decision);
        self.seen.push(false);
        self.support.resize(self.support.len() + self.words, 0);
        self.premise.resize(self.premise.len() + self.words, 0);
        if self.watches.len() < 2 * self.value.len() {
            self.watches.resize_with(2 * self.value.len(), Vec::new);
        }
        var
    }

    #[inline]
    pub fn is_true(&self, lit: Lit) -> bool {
        self.value[lit.var()] == if lit.is_positive() { 1 } else { -1 }
    }

    #[inline]
    pub fn is_false(&self, lit: Lit) -> bool {
        self.is_true(!lit)
    }

    #[inline]
    pub fn is_open(&self, lit: Lit) -> bool {
        self.value[lit.var()] == 0
    }

    pub fn decision_level(&self) -> u32 {
        self.limits.len() as u32
    }

    /// What the meaning of a variable as a bound depends on.
    pub fn premise(&self, var: usize) -> &[u64] {
        &self.premise[var * self.words..][..self.words]
    }

    /// What the value of a variable at level 0 depends on.
    pub fn support(&self, var: usize) -> &[u64] {
        &self.support[var * self.words..][..self.words]
    }

    pub fn set_premise(&mut self, var: usize, support: &[u64]) {
        self.premise[var * self.words..][..self.words].copy_from_slice(support);
    }

    /// Makes an open literal true. At level 0 its support is put together from the reason.
    pub fn enqueue(&mut self, lit: Lit, reason: Reason) {
        debug_assert!(self.is_open(lit));
        let var = lit.var();
        self.value[var] = if lit.is_positive() { 1 } else { -1 };
        self.level[var] = self.decision_level();
        self.reason[var] = reason;
        self.trail.push(lit);
        if self.limits.is_empty() {
            self.support_at_root(var, reason);
        }
    }

    fn support_at_root(&mut self, var: usize, reason: Reason) {
        let words = self.words;
        for word in 0..words {
            let mut set = self.support[var * words + word];
            match reason {
                Reason::Decision | Reason::Fact => {}
                Reason::Clause(clause) => {
                    set |= self.clause_support[clause as usize * words + word];
                    let Clause { start, len, .. } = self.clauses[clause as usize];
                    for lit in &self.literals[start as usize..(start + len) as usize] {
                        if lit.var() != var {
                            set |= self.support[lit.var() * words + word];
                        }
                    }
                }
                Reason::Bounds(a, b) => {
                    set |= self.premise[var * words + word];
                    for lit in [a, b] {
                        set |= self.support[lit.var() * words + word] | self.premise[lit.var() * words + word];
                    }
                }
            }
            self.support[var * words + word] = set;
        }
    }

    /// Makes a literal true at level 0 for the given set of input formulas. False: it contradicts what is known.
    pub fn assume(&mut self, lit: Lit, support: &[u64]) -> bool {
        if self.is_true(lit) {
            return true;
        }
        if self.is_false(lit) {
            self.conflict_support.copy_from_slice(support);
            self.conflict.clear();
            self.conflict.push(lit);
            return self.resolve();
        }
        self.support[lit.var() * self.words..][..self.words].copy_from_slice(support);
        self.enqueue(lit, Reason::Fact);
        true
    }

    /// Adds a false literal, and what its meaning as a bound depends on, to the clause `conflict`.
    pub fn add_to_conflict(&mut self, lit: Lit) {
        debug_assert!(self.is_false(lit));
        self.conflict.push(lit);
        unite(&mut self.conflict_support, &self.premise[lit.var() * self.words..][..self.words]);
    }

    /// Are there literals that were not propagated yet?
    pub fn has_news(&self) -> bool {
        self.head < self.trail.len()
    }

    /// Opens a new level with a literal to try.
    pub fn decide(&mut self, lit: Lit) {
        self.limits.push(self.trail.len() as u32);
        self.enqueue(lit, Reason::Decision);
    }

    /// Undoes all levels above the given one.
    pub fn backtrack(&mut self, level: u32) {
        if level >= self.decision_level() {
            return;
        }
        let keep = self.limits[level as usize] as usize;
        for lit in self.trail.drain(keep..) {
            self.value[lit.var()] = 0;
        }
        self.limits.truncate(level as usize);
        self.head = self.head.min(keep);
        self.low_water = self.low_water.min(keep);
    }

    /// Adds a clause that follows from the given input formulas, whatever the current assignment.
    /// False: the formulas contradict each other.
    pub fn add_clause(&mut self, lits: &[Lit], support: &[u64]) -> bool {
        self.store(lits, support, false)
    }

    fn store(&mut self, lits: &[Lit], support: &[u64], learned: bool) -> bool {
        let id = self.clauses.len() as u32;
        let start = self.literals.len();
        self.literals.extend_from_slice(lits);
        self.clauses.push(Clause { start: start as u32, len: lits.len() as u32, learned });
        self.clause_support.extend_from_slice(support);
        // True and open literals first, then false ones by falling level.
        let rank = |sat: &Sat, lit: Lit| match () {
            () if sat.is_false(lit) => u32::MAX - 1 - sat.level[lit.var()],
            () => 0,
        };
        for place in 0..lits.len().min(2) {
            let best = (start + place..start + lits.len())
                .min_by_key(|&at| rank(self, self.literals[at]))
                .expect("the place is inside the clause");
            self.literals.swap(start + place, best);
        }
        let first = self.literals.get(start).copied().filter(|_| !lits.is_empty());
        let second = self.literals.get(start + 1).copied().filter(|_| lits.len() > 1);
        if let (Some(first), Some(second)) = (first, second) {
            self.watches[first.code() as usize].push(id);
            self.watches[second.code() as usize].push(id);
        }
        match (first, second) {
            (Some(first), _) if !self.is_false(first) => {
                if self.is_open(first) && second.is_none_or(|second| self.is_false(second)) {
                    let level = second.map_or(0, |second| self.level[second.var()]);
                    self.backtrack(level);
                    self.enqueue(first, Reason::Clause(id));
                }
                true
            }
            _ => {
                self.conflict.clear();
                self.conflict.extend_from_slice(lits);
                self.conflict_support.copy_from_slice(support);
                self.resolve()
            }
        }
    }

    /// Unit propagation. False: the formulas contradict each other. Conflicts are resolved on the way.
    pub fn propagate(&mut self) -> bool {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            let falsified = !lit;
            let mut watch = std::mem::take(&mut self.watches[falsified.code() as usize]);
            let mut kept = 0;
            let mut conflict = None;
            let mut at = 0;
            'clauses: while at < watch.len() {
                let id = watch[at];
                at += 1;
                let Clause { start, len, .. } = self.clauses[id as usize];
                let (start, len) = (start as usize, len as usize);
                if self.literals[start] == falsified {
                    self.literals.swap(start, start + 1);
                }
                let first = self.literals[start];
                if !self.is_true(first) {
                    for other in start + 2..start + len {
                        let candidate = self.literals[other];
                        if !self.is_false(candidate) {
                            self.literals.swap(start + 1, other);
                            self.watches[candidate.code() as usize].push(id);
                            continue 'clauses;
                        }
                    }
                    if self.is_false(first) {
                        conflict = Some(id);
                        watch[kept] = id;
                        kept += 1;
                        break;
                    }
                    self.enqueue(first, Reason::Clause(id));
                }
                watch[kept] = id;
                kept += 1;
            }
            watch.copy_within(at.., kept);
            watch.truncate(kept + watch.len() - at);
            self.watches[falsified.code() as usize] = watch;
            if let Some(id) = conflict {
                let Clause { start, len, .. } = self.clauses[id as usize];
                self.conflict.clear();
                self.conflict.extend_from_slice(&self.literals[start as usize..(start + len) as usize]);
                self.conflict_support.copy_from_slice(&self.clause_support[id as usize * self.words..][..self.words]);
                if !self.resolve() {
                    return false;
                }
            }
        }
        true
    }

    /// Resolves the false clause `conflict` to one that asserts a literal at an earlier level (first unique implication
    /// point). False: it is false at level 0, and `conflict_support` is an unsatisfiable core.
    pub fn resolve(&mut self) -> bool {
        self.conflicts += 1;
        let words = self.words;
        let top = self.conflict.iter().map(|lit| self.level[lit.var()]).max().unwrap_or(0);
        if top == 0 {
            for lit in &self.conflict {
                unite(&mut self.conflict_support, &self.support[lit.var() * words..][..words]);
            }
            return false;
        }
        self.backtrack(top);
        let mut learned = std::mem::take(&mut self.learned);
        let mut support = std::mem::take(&mut self.conflict_support);
        let mut lits = std::mem::take(&mut self.conflict);
        learned.clear();
        learned.push(Lit(0));
        let mut open = 0;
        let mut at = self.trail.len();
        loop {
            for &lit in &lits {
                let var = lit.var();
                if self.seen[var] {
                    continue;
                }
                if self.level[var] == 0 {
                    unite(&mut support, &self.support[var * words..][..words]);
                    continue;
                }
                self.seen[var] = true;
                if self.level[var] == top {
                    open += 1;
                } else {
                    learned.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                if self.seen[self.trail[at].var()] {
                    break self.trail[at];
                }
            };
            self.seen[lit.var()] = false;
            open -= 1;
            if open == 0 {
                learned[0] = !lit;
                break;
            }
            lits.clear();
            match self.reason[lit.var()] {
                Reason::Clause(id) => {
                    let Clause { start, len, .. } = self.clauses[id as usize];
                    let clause = &self.literals[start as usize..(start + len) as usize];
                    lits.extend(clause.iter().copied().filter(|&other| other != lit));
                    unite(&mut support, &self.clause_support[id as usize * words..][..words]);
                }
                Reason::Bounds(a, b) => {
                    lits.extend([!a, !b]);
                    for var in [lit.var(), a.var(), b.var()] {
                        unite(&mut support, &self.premise[var * words..][..words]);
                    }
                }
                Reason::Decision | Reason::Fact => unreachable!("the decision of a level is its last literal resolved"),
            }
        }
        for lit in &learned[1..] {
            self.seen[lit.var()] = false;
        }
        let level = learned[1..].iter().map(|lit| self.level[lit.var()]).max().unwrap_or(0);
        self.backtrack(level);
        self.store(&learned, &support, true);
        self.learned = learned;
        self.conflict_support = support;
        self.conflict = lits;
        true
    }

    /// Takes the first clause that nothing satisfies, all of whose literals are false, as the conflict.
    pub fn open_clause_is_false(&mut self) {
        let id = self.first_open().expect("there is such a clause");
        let Clause { start, len, .. } = self.clauses[id];
        self.conflict.clear();
        self.conflict.extend_from_slice(&self.literals[start as usize..(start + len) as usize]);
        self.conflict_support.copy_from_slice(&self.clause_support[id * self.words..][..self.words]);
    }

    fn first_open(&self) -> Option<usize> {
        self.clauses.iter().position(|clause| {
            let lits = &self.literals[clause.start as usize..(clause.start + clause.len) as usize];
            !clause.learned && !lits.iter().any(|&lit| self.is_true(lit))
        })
    }

    /// The open literals of the first clause that nothing satisfies yet.
    pub fn open_clause(&self) -> Option<impl Iterator<Item = Lit>> {
        let clause = self.clauses[self.first_open()?];
        let lits = &self.literals[clause.start as usize..(clause.start + clause.len) as usize];
        Some(lits.iter().copied().filter(|&lit| self.is_open(lit)))
    }
}
