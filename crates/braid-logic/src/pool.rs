//! The pool: an arena of hash-consed terms, with the free variables, the sort and the size of each cached.
//!
//! All constructors take `&self`, so a pool is shared freely inside one thread of execution and never leaves it;
//! crossing threads goes through the text form (`text`). Handles of one pool mean nothing in another.

use crate::sort::{Sort, SortKind};
use crate::term::{Fun, Node, Term, Var};
use elsa::FrozenVec;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::{Cell, RefCell};
use std::hash::BuildHasher;

/// A set of variables: a handle to a sorted, interned list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct VarSet(u32);

const NO_VARS: VarSet = VarSet(0);

struct Entry {
    node: Node,
    sort: Sort,
    vars: VarSet,
    /// Nodes of the term written as a tree, saturating.
    size: u32,
    /// The negation of a formula, once somebody asked for it.
    negation: Cell<Option<Term>>,
}

struct VarEntry {
    name: Box<str>,
    sort: Sort,
    term: Cell<Term>,
    /// The variable that this is a numbered copy of.
    origin: Option<(Var, u32)>,
}

struct FunEntry {
    name: Box<str>,
    arguments: Box<[Sort]>,
    result: Sort,
}

/// The arena of terms. See the module's description.
pub struct TermPool {
    entries: FrozenVec<Box<Entry>>,
    unique: RefCell<HashTable<u32>>,
    sorts: FrozenVec<Box<SortKind>>,
    sort_ids: RefCell<FxHashMap<SortKind, Sort>>,
    vars: FrozenVec<Box<VarEntry>>,
    var_ids: RefCell<FxHashMap<Box<str>, Var>>,
    copies: RefCell<FxHashMap<(Var, u32), Var>>,
    funs: FrozenVec<Box<FunEntry>>,
    fun_ids: RefCell<FxHashMap<Box<str>, Fun>>,
    var_sets: FrozenVec<Box<[Var]>>,
    var_set_ids: RefCell<FxHashMap<Box<[Var]>, VarSet>>,
    unions: RefCell<FxHashMap<(VarSet, VarSet), VarSet>>,
    fresh: Cell<u32>,
    /// Has an operator on floats been made?
    pub(crate) has_floats: Cell<bool>,
}

impl Default for TermPool {
    fn default() -> Self {
        Self::new()
    }
}

impl TermPool {
    /// An empty pool.
    pub fn new() -> Self {
        let pool = TermPool {
            entries: FrozenVec::new(),
            unique: RefCell::default(),
            sorts: FrozenVec::new(),
            sort_ids: RefCell::default(),
            vars: FrozenVec::new(),
            var_ids: RefCell::default(),
            copies: RefCell::default(),
            funs: FrozenVec::new(),
            fun_ids: RefCell::default(),
            var_sets: FrozenVec::new(),
            var_set_ids: RefCell::default(),
            unions: RefCell::default(),
            fresh: Cell::new(0),
            has_floats: Cell::new(false),
        };
        pool.intern_vars(Vec::new());
        assert_eq!(pool.sort(SortKind::Bool), Sort::BOOL);
        assert_eq!(pool.sort(SortKind::Int), Sort::INT);
        assert_eq!(pool.intern(Node::True, Sort::BOOL), Term::TRUE);
        assert_eq!(pool.intern(Node::False, Sort::BOOL), Term::FALSE);
        pool
    }

    /// How many terms there are; their indices are below this.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never: a pool always holds the two constants.
    pub fn is_empty(&self) -> bool {
        false
    }

    // ---- sorts ----

    /// The sort of the given kind.
    pub fn sort(&self, kind: SortKind) -> Sort {
        *self.sort_ids.borrow_mut().entry(kind).or_insert_with_key(|kind| {
            let id = Sort(self.sorts.len() as u32);
            self.sorts.push(Box::new(kind.clone()));
            id
        })
    }

    /// The sort of arrays from `index` to `element`.
    pub fn array_sort(&self, index: Sort, element: Sort) -> Sort {
        self.sort(SortKind::Array { index, element })
    }

    /// What a sort is made of.
    pub fn sort_kind(&self, sort: Sort) -> &SortKind {
        &self.sorts[sort.0 as usize]
    }

    // ---- variables and functions ----

    /// The variable of the given name, declared now or before.
    ///
    /// # Panics
    /// If the name is taken by a variable of another sort: names are given once, by whoever reads a program or a formula.
    pub fn var(&self, name: &str, sort: Sort) -> Var {
        if let Some(var) = self.find_var(name) {
            assert_eq!(self.var_sort(var), sort, "variable {name} is declared with two sorts");
            return var;
        }
        self.declare(name.into(), sort, None)
    }

    /// The variable of the given name, if there is one.
    pub fn find_var(&self, name: &str) -> Option<Var> {
        self.var_ids.borrow().get(name).copied()
    }

    /// A new variable whose name starts with `prefix` and is taken by no other.
    pub fn fresh_var(&self, prefix: &str, sort: Sort) -> Var {
        loop {
            let number = self.fresh.get();
            self.fresh.set(number + 1);
            let name = format!("{prefix}!{number}");
            if self.find_var(&name).is_none() {
                return self.declare(name.into(), sort, None);
            }
        }
    }

    /// The numbered copy of a variable, as static single assignment needs them.
    pub fn copy_of(&self, var: Var, number: u32) -> Var {
        if let Some(&copy) = self.copies.borrow().get(&(var, number)) {
            return copy;
        }
        let mut name = format!("{}@{number}", self.var_name(var));
        while self.find_var(&name).is_some() {
            name.push('\'');
        }
        let copy = self.declare(name.into(), self.var_sort(var), Some((var, number)));
        self.copies.borrow_mut().insert((var, number), copy);
        copy
    }

    /// The variable and the number that a copy was made with.
    pub fn origin(&self, var: Var) -> Option<(Var, u32)> {
        self.vars[var.index()].origin
    }

    fn declare(&self, name: Box<str>, sort: Sort, origin: Option<(Var, u32)>) -> Var {
        let var = Var(self.vars.len() as u32);
        self.var_ids.borrow_mut().insert(name.clone(), var);
        self.vars.push(Box::new(VarEntry { name, sort, term: Cell::new(Term::TRUE), origin }));
        let term = self.intern(Node::Var(var), sort);
        self.vars[var.index()].term.set(term);
        var
    }

    /// The variable as a term.
    #[inline]
    pub fn of_var(&self, var: Var) -> Term {
        self.vars[var.index()].term.get()
    }

    /// Declares a variable if need be, and gives it as a term: [`TermPool::var`], then [`TermPool::of_var`].
    pub fn symbol(&self, name: &str, sort: Sort) -> Term {
        self.of_var(self.var(name, sort))
    }

    /// The name of a variable.
    pub fn var_name(&self, var: Var) -> &str {
        &self.vars[var.index()].name
    }

    /// The sort of a variable.
    #[inline]
    pub fn var_sort(&self, var: Var) -> Sort {
        self.vars[var.index()].sort
    }

    /// How many variables there are; their indices are below this.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// The function of the given name, declared now or before.
    ///
    /// # Panics
    /// If the name is taken by a function of another signature.
    pub fn fun(&self, name: &str, arguments: &[Sort], result: Sort) -> Fun {
        if let Some(fun) = self.find_fun(name) {
            assert_eq!(self.fun_signature(fun), (arguments, result), "function {name} is declared with two signatures");
            return fun;
        }
        let fun = Fun(self.funs.len() as u32);
        self.fun_ids.borrow_mut().insert(name.into(), fun);
        self.funs.push(Box::new(FunEntry { name: name.into(), arguments: arguments.into(), result }));
        fun
    }

    /// The function of the given name, if there is one.
    pub fn find_fun(&self, name: &str) -> Option<Fun> {
        self.fun_ids.borrow().get(name).copied()
    }

    /// The function that a term applies, if it applies one.
    pub fn applied(&self, term: Term) -> Option<Fun> {
        match self.node(term) {
            Node::Apply(fun, _) => Some(*fun),
            _ => None,
        }
    }

    /// The name of a function.
    pub fn fun_name(&self, fun: Fun) -> &str {
        &self.funs[fun.index()].name
    }

    /// The argument sorts and the result sort of a function.
    pub fn fun_signature(&self, fun: Fun) -> (&[Sort], Sort) {
        let entry = &self.funs[fun.index()];
        (&entry.arguments, entry.result)
    }

    // ---- terms ----

    /// The node behind a term.
    #[inline]
    pub fn node(&self, term: Term) -> &Node {
        &self.entries[term.index()].node
    }

    /// The sort of a term.
    #[inline]
    pub fn sort_of(&self, term: Term) -> Sort {
        self.entries[term.index()].sort
    }

    /// The free variables of a term, sorted.
    #[inline]
    pub fn free_vars(&self, term: Term) -> &[Var] {
        &self.var_sets[self.entries[term.index()].vars.0 as usize]
    }

    /// Does the variable occur free in the term?
    #[inline]
    pub fn mentions(&self, term: Term, var: Var) -> bool {
        self.free_vars(term).binary_search(&var).is_ok()
    }

    /// The number of nodes of the term written as a tree (saturating).
    #[inline]
    pub fn size(&self, term: Term) -> u32 {
        self.entries[term.index()].size
    }

    /// The term of a node that is in normal form. Only the constructors of this crate call it.
    pub(crate) fn intern(&self, node: Node, sort: Sort) -> Term {
        let hash = FxBuildHasher.hash_one((&node, sort));
        let same = |&id: &u32| {
            let entry = &self.entries[id as usize];
            entry.sort == sort && entry.node == node
        };
        if let Some(&id) = self.unique.borrow().find(hash, same) {
            return Term(id);
        }
        let (vars, size) = self.measure(&node);
        let id = self.entries.len() as u32;
        self.entries.push(Box::new(Entry { node, sort, vars, size, negation: Cell::new(None) }));
        self.unique.borrow_mut().insert_unique(hash, id, |&id| {
            let entry = &self.entries[id as usize];
            FxBuildHasher.hash_one((&entry.node, entry.sort))
        });
        Term(id)
    }

    fn measure(&self, node: &Node) -> (VarSet, u32) {
        if let Node::Var(var) = node {
            return (self.intern_vars(vec![*var]), 1);
        }
        let (mut vars, mut size) = (NO_VARS, 1u32);
        node.for_each_child(|child| {
            let entry = &self.entries[child.index()];
            vars = self.union(vars, entry.vars);
            size = size.saturating_add(entry.size);
        });
        if let Node::Quantifier { bound, .. } = node {
            let free = self.var_sets[vars.0 as usize].iter().copied().filter(|var| !bound.contains(var)).collect();
            vars = self.intern_vars(free);
        }
        (vars, size)
    }

    fn union(&self, a: VarSet, b: VarSet) -> VarSet {
        if a == b || b == NO_VARS {
            return a;
        }
        if a == NO_VARS {
            return b;
        }
        let key = if a.0 < b.0 { (a, b) } else { (b, a) };
        if let Some(&union) = self.unions.borrow().get(&key) {
            return union;
        }
        let mut vars = [&self.var_sets[a.0 as usize], &self.var_sets[b.0 as usize]].concat();
        vars.sort_unstable();
        vars.dedup();
        let union = self.intern_vars(vars);
        self.unions.borrow_mut().insert(key, union);
        union
    }

    fn intern_vars(&self, vars: Vec<Var>) -> VarSet {
        let vars = vars.into_boxed_slice();
        *self.var_set_ids.borrow_mut().entry(vars).or_insert_with_key(|vars| {
            let id = VarSet(self.var_sets.len() as u32);
            self.var_sets.push(vars.clone());
            id
        })
    }

    pub(crate) fn cached_negation(&self, formula: Term) -> Option<Term> {
        self.entries[formula.index()].negation.get()
    }

    pub(crate) fn cache_negation(&self, formula: Term, negation: Term) {
        self.entries[formula.index()].negation.set(Some(negation));
        self.entries[negation.index()].negation.set(Some(formula));
    }
}
