//! Arrays on demand, after Brummayer and Biere, "Lemmas on demand for the extensional theory of arrays" (2009).
//!
//! In a candidate solution each known element (a read's result, a write's element) is passed along writes to other
//! indices, along equations and along choices. Where two different elements meet at one index of one array, the instance
//! of the array axioms that forbids it is added. What is left is a model: known elements over one default per component.

use super::LinearSolver;
use super::congruence::{Lemma, single};
use super::library::{Array, Form, Head, Outcome};
use super::sat::Lit;
use super::search::Step;
use crate::number::Integer;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Default element and known elements of each array of the query.
#[derive(Default)]
pub(super) struct ArrayModel {
    pub arrays: Vec<(Integer, BTreeMap<Integer, Integer>)>,
}

/// Where an element is known from.
#[derive(Clone, Copy)]
enum Origin {
    /// A read, by persistent number.
    Read(u32),
    /// A write, by persistent number of the array.
    Write(u32),
}

/// When two arrays agree.
#[derive(Clone, Copy)]
enum Condition {
    /// At all indices but the written one; the written array by persistent number.
    ExceptWritten(u32),
    /// Everywhere, if the literal holds.
    If(Lit),
}

struct Edge {
    ends: [usize; 2],
    condition: Condition,
}

struct Known {
    array: usize,
    index: Integer,
    element: Integer,
    origin: Origin,
    /// The known element and the edge that it came by.
    via: Option<(usize, usize)>,
}

impl LinearSolver<'_> {
    pub(super) fn respect_arrays(&mut self, values: &[Integer]) -> Step {
        self.array_model.arrays.clear();
        if self.arrays_are_functions() {
            return Step::Quiet;
        }
        let edges = match self.array_edges() {
            Ok(edges) => edges,
            Err(open) => {
                self.query.sat.decide(open);
                return Step::Again;
            }
        };
        let mut known = self.known_elements(values);
        let mut table: FxHashMap<(usize, Integer), usize> = FxHashMap::default();
        let mut at = 0;
        while at < known.len() {
            let Known { array, ref index, ref element, .. } = known[at];
            if let Some(&other) = table.get(&(array, index.clone())) {
                if &known[other].element != element {
                    return self.clash(&known, &edges, at, other);
                }
                at += 1;
                continue;
            }
            if let Array::Constant(form) = &self.library.arrays[self.query.entered_arrays[array] as usize]
                && &self.query.evaluate(form, values) != element
            {
                let form = form.clone();
                return self.clash_with_constant(&known, &edges, at, &form);
            }
            table.insert((array, index.clone()), at);
            for (number, edge) in edges.iter().enumerate() {
                let target = match edge.ends {
                    [a, b] if a == array => b,
                    [a, b] if b == array => a,
                    _ => continue,
                };
                if let Condition::ExceptWritten(written) = edge.condition
                    && self.query.evaluate(self.forms(Origin::Write(written)).0, values) == known[at].index
                {
                    continue;
                }
                let (index, element) = (known[at].index.clone(), known[at].element.clone());
                known.push(Known { array: target, index, element, origin: known[at].origin, via: Some((at, number)) });
            }
            at += 1;
        }
        let Some(defaults) = self.defaults(&edges, values) else { return Step::GiveUp };
        self.array_model.arrays.extend(defaults.into_iter().map(|default| (default, BTreeMap::new())));
        for Known { array, index, element, .. } in known {
            self.array_model.arrays[array].1.insert(index, element);
        }
        let model = self.build_model_from(values);
        match self.formulas.iter().all(|&formula| self.pool.holds_in(formula, &model) == Some(true)) {
            true => Step::Quiet,
            false => Step::GiveUp,
        }
    }

    /// The index and element of a known element.
    fn forms(&self, origin: Origin) -> (&Form, Form) {
        match origin {
            Origin::Read(read) => {
                let read = &self.library.reads[read as usize];
                let Outcome::Int(result) = read.result else { unreachable!("arrays hold integers") };
                (&read.arguments[0], single(result))
            }
            Origin::Write(array) => match &self.library.arrays[array as usize] {
                Array::Store { index, element, .. } => (index, element.clone()),
                _ => unreachable!("only writes are origins"),
            },
        }
    }

    /// The agreements between arrays under the current assignment, or a condition that is still open.
    fn array_edges(&self) -> Result<Vec<Edge>, Lit> {
        let mut edges = Vec::new();
        for (local, &array) in self.query.entered_arrays.iter().enumerate() {
            match &self.library.arrays[array as usize] {
                Array::Var(_) | Array::Constant(_) => {}
                Array::Store { base, .. } => edges
                    .push(Edge { ends: [local, self.query.array(*base)], condition: Condition::ExceptWritten(array) }),
                Array::Choice { condition, then, other } => {
                    let var = self.query.propositions.get(condition.var() as u32).expect("a condition of the query");
                    let condition = Lit::new(var, condition.is_positive());
                    if self.query.sat.is_open(condition) {
                        return Err(condition);
                    }
                    let holds = self.query.sat.is_true(condition);
                    let (branch, reason) = if holds { (*then, condition) } else { (*other, !condition) };
                    edges.push(Edge { ends: [local, self.query.array(branch)], condition: Condition::If(reason) });
                }
            }
        }
        for &(lit, a, b) in &self.query.array_equalities {
            if self.query.sat.is_true(lit) {
                let ends = [self.query.array(a), self.query.array(b)];
                edges.push(Edge { ends, condition: Condition::If(lit) });
            }
        }
        Ok(edges)
    }

    fn known_elements(&self, values: &[Integer]) -> Vec<Known> {
        let mut known = Vec::new();
        let mut add = |array: usize, origin: Origin| {
            let (index, element) = self.forms(origin);
            let (index, element) = (self.query.evaluate(index, values), self.query.evaluate(&element, values));
            known.push(Known { array, index, element, origin, via: None });
        };
        for (local, &array) in self.query.entered_arrays.iter().enumerate() {
            if let Array::Store { .. } = &self.library.arrays[array as usize] {
                add(local, Origin::Write(array));
            }
        }
        for &read in &self.query.reads {
            if let Head::Array(array) = self.library.reads[read as usize].head {
                add(self.query.array(array), Origin::Read(read));
            }
        }
        known
    }

    /// Adds to the lemma what brought a known element to its array.
    fn or_path_broken(&mut self, lemma: &mut Lemma, known: &[Known], edges: &[Edge], at: usize) {
        let index = self.forms(known[at].origin).0.clone();
        let mut at = at;
        while let Some((previous, edge)) = known[at].via {
            match edges[edge].condition {
                Condition::If(lit) => lemma.clause.push(!lit),
                Condition::ExceptWritten(array) => {
                    let written = self.forms(Origin::Write(array)).0.clone();
                    self.or_equal(lemma, &index, &written);
                }
            }
            at = previous;
        }
    }

    fn clash(&mut self, known: &[Known], edges: &[Edge], at: usize, other: usize) -> Step {
        let mut lemma = self.new_lemma();
        self.or_path_broken(&mut lemma, known, edges, at);
        self.or_path_broken(&mut lemma, known, edges, other);
        let ((i, x), (j, y)) = (self.forms(known[at].origin), self.forms(known[other].origin));
        let (i, j) = (i.clone(), j.clone());
        self.or_different(&mut lemma, &i, &j);
        self.or_equal(&mut lemma, &x, &y);
        self.add_distinct(lemma)
    }

    fn clash_with_constant(&mut self, known: &[Known], edges: &[Edge], at: usize, constant: &Form) -> Step {
        let mut lemma = self.new_lemma();
        self.or_path_broken(&mut lemma, known, edges, at);
        let element = self.forms(known[at].origin).1;
        self.or_equal(&mut lemma, &element, constant);
        self.add_distinct(lemma)
    }

    fn add_distinct(&mut self, mut lemma: Lemma) -> Step {
        lemma.clause.sort_unstable();
        lemma.clause.dedup();
        self.add(&lemma)
    }

    /// One default element per component of agreeing arrays. None: two constant arrays disagree in one component.
    fn defaults(&self, edges: &[Edge], values: &[Integer]) -> Option<Vec<Integer>> {
        let count = self.query.entered_arrays.len();
        let mut component: Vec<usize> = (0..count).collect();
        fn root(component: &[usize], mut array: usize) -> usize {
            while component[array] != array {
                array = component[array];
            }
            array
        }
        for Edge { ends: [a, b], .. } in edges {
            let (a, b) = (root(&component, *a), root(&component, *b));
            component[a] = b;
        }
        let mut default: Vec<Option<Integer>> = vec![None; count];
        for (local, &array) in self.query.entered_arrays.iter().enumerate() {
            if let Array::Constant(form) = &self.library.arrays[array as usize] {
                let value = self.query.evaluate(form, values);
                let known = &mut default[root(&component, local)];
                if known.as_ref().is_some_and(|known| known != &value) {
                    return None;
                }
                *known = Some(value);
            }
        }
        Some((0..count).map(|local| default[root(&component, local)].clone().unwrap_or_default()).collect())
    }
}
