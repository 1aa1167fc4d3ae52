//! What an abstraction sees of a program: some of its variables, and of these no more than which formulas hold.
//!
//! It sees a program that can do all that the program itself can: a variable that is not seen has any value whenever an action reads it, and
//! an action that assigns a number to a variable of no thread's own, of which all formulas speak of that variable alone, may assign any other number of which the
//! same formulas hold. The formulas and all their triples are as they were. In that program more actions commute, and more threads can be
//! exchanged.

use braid_logic::{BitSet, Substitution, Term, TermPool, Var};
use braid_program::cfa::Relation;
use rustc_hash::FxHashMap;

/// See the module's description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    /// The variables that are seen, by index.
    visible: BitSet,
    /// The formulas that speak of one variable, unless others relate it to something.
    told: FxHashMap<Var, Option<Vec<Term>>>,
}

impl Sight {
    /// These variables are seen, with their values.
    pub fn of_values(visible: BitSet) -> Sight {
        Sight { visible, told: FxHashMap::default() }
    }

    /// These variables are seen, by which of the formulas hold.
    pub fn of_formulas(pool: &TermPool, visible: BitSet, formulas: &[Term]) -> Sight {
        let mut told: FxHashMap<Var, Option<Vec<Term>>> = FxHashMap::default();
        for &formula in formulas {
            match pool.free_vars(formula) {
                [var] => {
                    if let Some(told) = told.entry(*var).or_insert_with(|| Some(Vec::new())) {
                        told.push(formula);
                    }
                }
                vars => told.extend(vars.iter().map(|&var| (var, None))),
            }
        }
        Sight { visible, told }
    }

    /// The variables that are seen, by index.
    pub fn visible(&self) -> &BitSet {
        &self.visible
    }

    /// Is the variable seen?
    pub fn sees(&self, var: Var) -> bool {
        self.visible.contains(var.index())
    }

    /// Are the two the same to the variable, when they are assigned to it?
    pub fn alike(&self, pool: &TermPool, var: Var, first: Term, second: Term) -> bool {
        let is_number = |term: Term| pool.free_vars(term).is_empty();
        let says = |formula: Term, value: Term| pool.substitute(formula, &Substitution::from_iter([(var, value)]));
        let same = |&formula: &Term| {
            let told = says(formula, first);
            told == says(formula, second) && (told == Term::TRUE || told == Term::FALSE)
        };
        first == second
            || (is_number(first)
                && is_number(second)
                && matches!(self.told.get(&var), Some(Some(formulas)) if formulas.iter().all(same)))
    }

    /// Do both actions assign to the variable what is the same to it, and read it neither? They commute as far as it goes.
    pub(crate) fn assign_alike(&self, pool: &TermPool, (x, y): (&Relation, &Relation), var: Var) -> bool {
        let assigned = |relation: &Relation| {
            let reads = relation.reads.binary_search(&var).is_ok();
            relation.updates.iter().find(|(written, _)| *written == var && !reads).map(|&(_, term)| term)
        };
        let (Some(first), Some(second)) = (assigned(x), assigned(y)) else { return false };
        pool.free_vars(first).is_empty() && self.alike(pool, var, first, second)
    }
}
