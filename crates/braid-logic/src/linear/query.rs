//! One query: the local numbering of what its formulas mention, and the state of the search over it.
//!
//! Local numbers are dense, so that all tables of the search are small arrays; they are handed out when a formula is
//! entered, along with the clauses that define what it mentions.

use super::eliminate::Elimination;
use super::library::{Array, Form, Library, Outcome, Proposition};
use super::sat::{Lit, Sat};
use super::simplex::{Column, Simplex};
use crate::number::Integer;
use crate::rational::Rational;
use hashbrown::HashTable;

/// What a local proposition says to the theory of arithmetic.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// Nothing (any more).
    Boolean,
    /// A comparison that is not translated yet.
    Untranslated,
    /// `column ≤ limit`.
    AtMost(Column, Integer),
    /// `column ≥ limit`.
    AtLeast(Column, Integer),
    /// `column = value`.
    Equal(Column, Integer),
}

/// A table from persistent numbers to local ones that is emptied by moving its clock.
#[derive(Default)]
pub(super) struct Numbering {
    clock: u32,
    entries: Vec<(u32, u32)>,
}

impl Numbering {
    fn reset(&mut self, size: usize) {
        if self.clock == u32::MAX {
            self.entries.fill((0, 0));
            self.clock = 0;
        }
        self.clock += 1;
        if self.entries.len() < size {
            self.entries.resize(size, (0, 0));
        }
    }

    #[inline]
    pub fn get(&self, id: u32) -> Option<u32> {
        let (clock, local) = self.entries[id as usize];
        (clock == self.clock).then_some(local)
    }

    #[inline]
    fn set(&mut self, id: u32, local: u32) {
        self.entries[id as usize] = (self.clock, local);
    }
}

/// The state of one query. See the module's description.
#[derive(Default)]
pub(super) struct Query {
    pub sat: Sat,
    pub elimination: Elimination,
    pub simplex: Simplex,
    /// Words per set of input formulas.
    pub words: usize,
    pub propositions: Numbering,
    pub opaques: Numbering,
    arrays: Numbering,
    /// Per local proposition: its persistent number.
    pub origin: Vec<Option<u32>>,
    pub meaning: Vec<Meaning>,
    /// Per local proposition: whether the clauses for its being true, or false, are there.
    defined: Vec<[bool; 2]>,
    /// The persistent opaque terms that occur.
    pub entered_opaques: Vec<u32>,
    /// The persistent arrays that occur.
    pub entered_arrays: Vec<u32>,
    /// Local propositions that equate arrays, with the arrays.
    pub array_equalities: Vec<(Lit, u32, u32)>,
    /// The persistent reads that occur.
    pub reads: Vec<u32>,
    /// The persistent opaque terms that are products.
    pub products: Vec<u32>,
    /// Local comparisons, in order of entering.
    pub(super) comparisons: Vec<u32>,
    /// Per variable of the elimination: its column in the simplex.
    pub(super) columns: Vec<Option<Column>>,
    /// Per column: the local propositions that bound it.
    pub bounds_on: Vec<Vec<u32>>,
    /// Combinations that have a column, with their parts as a range of `row_parts`.
    pub(super) row_table: HashTable<(u32, u32, Column)>,
    pub(super) row_parts: Vec<(u32, Integer)>,
    /// The combination translated last.
    pub(super) parts: Vec<(u32, Integer)>,
    pub(super) row: Vec<(Column, Rational)>,
    /// The translated comparisons: proposition, range of `pending_parts`, constant.
    pub(super) pending: Vec<(u32, u32, u32, Integer)>,
    pub(super) pending_parts: Vec<(u32, Integer)>,
    scratch: Vec<u64>,
    clause: Vec<Lit>,
}

impl Query {
    /// Starts a query over the given number of formulas.
    pub fn reset(&mut self, library: &Library, formulas: usize) {
        self.words = formulas.div_ceil(64).max(1);
        self.sat.reset(self.words);
        self.elimination.reset(self.words);
        self.propositions.reset(library.propositions.len());
        self.opaques.reset(library.opaques.len());
        self.arrays.reset(library.arrays.len());
        self.origin.clear();
        self.meaning.clear();
        self.defined.clear();
        self.entered_opaques.clear();
        self.entered_arrays.clear();
        self.array_equalities.clear();
        self.reads.clear();
        self.products.clear();
        self.comparisons.clear();
        self.columns.clear();
        self.row_table.clear();
        self.row_parts.clear();
        self.pending.clear();
        self.pending_parts.clear();
        self.scratch.clear();
        self.scratch.resize(self.words, 0);
        let used = self.simplex.variable_count().min(self.bounds_on.len());
        for bounds in &mut self.bounds_on[..used] {
            bounds.clear();
        }
        self.simplex.reset(0, 0);
    }

    /// Adds the clauses of a formula. False: contradiction.
    pub fn enter_formula(&mut self, library: &Library, prepared: u32, formula: usize) -> bool {
        let prepared = &library.prepared[prepared as usize];
        for &unit in &prepared.units {
            let Some(unit) = self.enter(library, unit) else { return false };
            self.scratch.fill(0);
            self.scratch[formula / 64] |= 1 << (formula % 64);
            if !self.sat.assume(unit, &self.scratch) {
                return false;
            }
        }
        prepared.clauses.iter().all(|clause| self.enter_clause(library, clause, Some(formula)))
    }

    fn enter_clause(&mut self, library: &Library, clause: &[Lit], formula: Option<usize>) -> bool {
        let mut local = std::mem::take(&mut self.clause);
        let start = local.len();
        for &lit in clause {
            // Entering a literal may enter further clauses; they use the end of the same buffer.
            self.clause = local;
            let lit = self.enter(library, lit);
            local = std::mem::take(&mut self.clause);
            let Some(lit) = lit else {
                self.clause = local;
                return false;
            };
            local.push(lit);
        }
        self.scratch.fill(0);
        if let Some(formula) = formula {
            self.scratch[formula / 64] |= 1 << (formula % 64);
        }
        let consistent = self.sat.add_clause(&local[start..], &self.scratch);
        local.truncate(start);
        self.clause = local;
        consistent
    }

    /// The local literal of a persistent one, with all that it takes. None: contradiction.
    fn enter(&mut self, library: &Library, lit: Lit) -> Option<Lit> {
        let id = lit.var() as u32;
        let proposition = &library.propositions[lit.var()];
        let var = match self.propositions.get(id) {
            Some(var) => var,
            None => {
                let meaning = match proposition {
                    Proposition::Le(_) | Proposition::Zero(_) => Meaning::Untranslated,
                    _ => Meaning::Boolean,
                };
                let var = self.new_proposition(Some(id), meaning);
                self.propositions.set(id, var);
                match proposition {
                    Proposition::Le(form) | Proposition::Zero(form) => {
                        self.comparisons.push(var);
                        self.enter_form(library, form)?;
                    }
                    Proposition::Read(read) => self.enter_read(library, *read)?,
                    Proposition::SameArray(a, b, _) => {
                        self.enter_array(library, *a)?;
                        self.enter_array(library, *b)?;
                        self.array_equalities.push((Lit::new(var, true), *a, *b));
                    }
                    Proposition::True => {
                        self.scratch.fill(0);
                        if !self.sat.assume(Lit::new(var, true), &self.scratch) {
                            return None;
                        }
                    }
                    _ => {}
                }
                var
            }
        };
        let local = Lit::new(var, lit.is_positive());
        let side = usize::from(!lit.is_positive());
        if !self.defined[var as usize][side] {
            self.defined[var as usize][side] = true;
            self.enter_definition(library, proposition, lit)?;
        }
        Some(local)
    }

    /// Adds the clauses that a literal implies by the definition of its proposition.
    fn enter_definition(&mut self, library: &Library, proposition: &Proposition, lit: Lit) -> Option<()> {
        let own = !lit;
        let consistent = match (proposition, lit.is_positive()) {
            (Proposition::And(items), true) => items.iter().all(|&item| self.enter_clause(library, &[own, item], None)),
            (Proposition::Or(items), false) => {
                items.iter().all(|&item| self.enter_clause(library, &[own, !item], None))
            }
            (Proposition::And(items), false) => {
                let clause: Vec<Lit> = items.iter().map(|&item| !item).chain([own]).collect();
                self.enter_clause(library, &clause, None)
            }
            (Proposition::Or(items), true) => {
                let clause: Vec<Lit> = items.iter().copied().chain([own]).collect();
                self.enter_clause(library, &clause, None)
            }
            (Proposition::Iff(a, b), positive) => {
                let b = if positive { *b } else { !*b };
                self.enter_clause(library, &[own, !*a, b], None) && self.enter_clause(library, &[own, *a, !b], None)
            }
            (Proposition::SameArray(_, _, same), false) => self.enter_clause(library, &[own, !*same], None),
            _ => true,
        };
        consistent.then_some(())
    }

    pub fn enter_form(&mut self, library: &Library, form: &Form) -> Option<()> {
        for (opaque, _) in &form.parts {
            if self.opaques.get(*opaque).is_none() {
                self.enter_opaque(library, *opaque)?;
            }
        }
        Some(())
    }

    fn enter_opaque(&mut self, library: &Library, id: u32) -> Option<()> {
        let local = self.elimination.new_variable();
        self.opaques.set(id, local);
        self.entered_opaques.push(id);
        let opaque = &library.opaques[id as usize];
        if let Some(read) = opaque.read {
            self.enter_read(library, read)?;
        }
        if !opaque.factors.is_empty() {
            self.products.push(id);
            for &factor in &opaque.factors {
                if self.opaques.get(factor).is_none() {
                    self.enter_opaque(library, factor)?;
                }
            }
        }
        opaque.axioms.iter().all(|axiom| self.enter_clause(library, axiom, None)).then_some(())
    }

    fn enter_read(&mut self, library: &Library, read: u32) -> Option<()> {
        let entry = &library.reads[read as usize];
        for argument in &entry.arguments {
            self.enter_form(library, argument)?;
        }
        if let super::library::Head::Array(array) = entry.head {
            self.enter_array(library, array)?;
        }
        self.reads.push(read);
        Some(())
    }

    fn enter_array(&mut self, library: &Library, id: u32) -> Option<()> {
        if self.arrays.get(id).is_some() {
            return Some(());
        }
        match &library.arrays[id as usize] {
            Array::Var(_) => {}
            Array::Store { base, index, element } => {
                self.enter_array(library, *base)?;
                self.enter_form(library, index)?;
                self.enter_form(library, element)?;
            }
            Array::Constant(element) => self.enter_form(library, element)?,
            Array::Choice { condition, then, other } => {
                self.enter(library, *condition)?;
                self.enter(library, !*condition)?;
                self.enter_array(library, *then)?;
                self.enter_array(library, *other)?;
            }
        }
        self.arrays.set(id, self.entered_arrays.len() as u32);
        self.entered_arrays.push(id);
        Some(())
    }

    /// The local number of an array that was entered.
    pub fn array(&self, id: u32) -> usize {
        self.arrays.get(id).expect("an array of the query") as usize
    }

    pub fn new_proposition(&mut self, origin: Option<u32>, meaning: Meaning) -> u32 {
        self.origin.push(origin);
        self.meaning.push(meaning);
        self.defined.push([false; 2]);
        self.sat.new_var()
    }

    /// The integer values of all variables of the elimination, once the simplex has an integer solution.
    pub fn values(&self, values: &mut Vec<Integer>) {
        values.clear();
        for variable in 0..self.elimination.variable_count() as u32 {
            let column = self.known_column(variable);
            values.push(column.map_or(Integer::ZERO, |column| self.simplex.value(column).floor()));
        }
        self.elimination.complete(values);
    }

    /// The value of a form under values of the elimination's variables.
    pub fn evaluate(&self, form: &Form, values: &[Integer]) -> Integer {
        let mut sum = form.constant.clone();
        for (opaque, c) in &form.parts {
            let variable = self.opaques.get(*opaque).expect("an opaque term of the query");
            sum += &(c * &values[variable as usize]);
        }
        sum
    }

    /// The truth value of a persistent proposition that was entered: false where nothing depends on it.
    pub fn truth(&self, id: u32) -> bool {
        self.propositions.get(id).is_some_and(|var| self.sat.is_true(Lit::new(var, true)))
    }

    /// The local literal of a read's Boolean result.
    pub fn literal_of(&self, result: Outcome) -> Option<Lit> {
        match result {
            Outcome::Bool(id) => Some(Lit::new(self.propositions.get(id).expect("a read of the query"), true)),
            Outcome::Int(_) => None,
        }
    }
}
