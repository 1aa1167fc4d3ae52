//! Solving the equations that hold anyway: integer Gaussian elimination.
//!
//! An equation with a unit coefficient defines its variable; one without is first brought to that form by Euclid's
//! changes of variables, as in the Omega test (Pugh 1991), so that integer solvability is decided on the way.
//! Invariant: a definition mentions only variables that were not defined when it was made.

use super::sat::unite;
use crate::number::Integer;

const FREE: u32 = u32::MAX;

struct Definition {
    variable: u32,
    /// Range of `parts`.
    start: u32,
    end: u32,
    constant: Integer,
}

/// What became of an equation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Solved {
    /// It holds already, or defines a variable now.
    Consistent,
    /// It has no integer solution; see [`Elimination::support`].
    Contradiction,
}

/// Definitions of variables by each other, and one linear combination in the making. See the module's description.
#[derive(Default)]
pub(super) struct Elimination {
    words: usize,
    /// Per variable: the number of its definition, or `FREE`.
    position: Vec<u32>,
    definitions: Vec<Definition>,
    parts: Vec<(u32, Integer)>,
    /// Per definition, `words` each: the input formulas that it follows from.
    definition_support: Vec<u64>,
    /// Per variable: its coefficient in the current combination.
    coefficient: Vec<Integer>,
    touched: Vec<u32>,
    /// The equation being solved.
    equation: Vec<(u32, Integer)>,
    /// The definitions to unfold in the current combination.
    pending: Vec<u64>,
    /// The constant of the current combination.
    pub constant: Integer,
    /// The input formulas whose equations were used in the current combination.
    pub support: Vec<u64>,
}

impl Elimination {
    /// Forgets everything; sets of input formulas shall have the given number of words.
    pub fn reset(&mut self, words: usize) {
        self.words = words;
        self.position.clear();
        self.definitions.clear();
        self.parts.clear();
        self.definition_support.clear();
        self.coefficient.clear();
        self.touched.clear();
        self.pending.clear();
        self.support.clear();
        self.support.resize(words, 0);
    }

    /// A new variable.
    pub fn new_variable(&mut self) -> u32 {
        let variable = self.position.len() as u32;
        self.position.push(FREE);
        self.coefficient.push(Integer::ZERO);
        variable
    }

    /// How many variables there are.
    pub fn variable_count(&self) -> usize {
        self.position.len()
    }

    /// How many variables are defined by others.
    pub fn definition_count(&self) -> usize {
        self.definitions.len()
    }

    /// Starts a new combination, 0.
    pub fn start(&mut self) {
        for variable in self.touched.drain(..) {
            self.coefficient[variable as usize] = Integer::ZERO;
        }
        self.constant = Integer::ZERO;
        self.support.fill(0);
        debug_assert!(self.pending.iter().all(|word| *word == 0));
    }

    /// Adds `factor · variable` to the combination.
    #[inline]
    pub fn add(&mut self, factor: &Integer, variable: u32) {
        let coefficient = &mut self.coefficient[variable as usize];
        if coefficient.is_zero() {
            self.touched.push(variable);
            *coefficient = factor.clone();
            let position = self.position[variable as usize];
            if position != FREE {
                self.pending[position as usize / 64] |= 1 << (position % 64);
            }
        } else {
            *coefficient += factor;
        }
    }

    /// Unfolds all definitions in the combination.
    pub fn unfold(&mut self) {
        // A definition mentions only variables that are defined later, so one sweep in order is enough.
        let mut word = 0;
        while word < self.pending.len() {
            if self.pending[word] == 0 {
                word += 1;
                continue;
            }
            let position = word * 64 + self.pending[word].trailing_zeros() as usize;
            self.pending[word] &= self.pending[word] - 1;
            let Definition { variable, start, end, ref constant } = self.definitions[position];
            let factor = std::mem::take(&mut self.coefficient[variable as usize]);
            if factor.is_zero() {
                continue;
            }
            self.constant += &(&factor * constant);
            unite(&mut self.support, &self.definition_support[position * self.words..][..self.words]);
            let parts = std::mem::take(&mut self.parts);
            for (part, c) in &parts[start as usize..end as usize] {
                self.add(&(&factor * c), *part);
            }
            self.parts = parts;
        }
    }

    /// The parts of the combination, sorted, divided by their greatest common divisor, which is given back (0 if there
    /// are none).
    pub fn finish(&mut self, parts: &mut Vec<(u32, Integer)>) -> Integer {
        parts.clear();
        let mut divisor = Integer::ZERO;
        for variable in self.touched.drain(..) {
            let c = std::mem::take(&mut self.coefficient[variable as usize]);
            if !c.is_zero() {
                if !divisor.is_one() {
                    divisor = divisor.gcd(&c);
                }
                parts.push((variable, c));
            }
        }
        parts.sort_unstable_by_key(|(variable, _)| *variable);
        if !divisor.is_one() {
            parts.iter_mut().for_each(|(_, c)| *c = c.div_floor(&divisor));
        }
        divisor
    }

    /// Takes the combination, unfolded, as an equation with 0 that follows from `support` and what was unfolded.
    pub fn solve(&mut self, support: &[u64]) -> Solved {
        unite(&mut self.support, support);
        let mut parts = std::mem::take(&mut self.equation);
        let solved = self.solve_for_a_variable(&mut parts);
        self.equation = parts;
        solved
    }

    fn solve_for_a_variable(&mut self, parts: &mut Vec<(u32, Integer)>) -> Solved {
        loop {
            let divisor = self.finish(parts);
            if parts.is_empty() {
                return if self.constant.is_zero() { Solved::Consistent } else { Solved::Contradiction };
            }
            if !divisor.is_one() {
                if !divisor.divides(&self.constant) {
                    return Solved::Contradiction;
                }
                self.constant = self.constant.div_floor(&divisor);
            }
            if let Some(at) = parts.iter().rposition(|(_, c)| c.abs().is_one()) {
                let (variable, c) = parts.swap_remove(at);
                // ±v + rest = 0 defines v as ∓rest.
                let sign = -&c;
                let constant = &self.constant * &sign;
                let support = std::mem::take(&mut self.support);
                self.define(variable, parts.iter().map(|(part, c)| (*part, &sign * c)), constant, &support);
                self.support = support;
                return Solved::Consistent;
            }
            // No unit: with the smallest coefficient a, let t = v + Σ q·x + q₀, where q are the quotients by a.
            let at = (0..parts.len()).min_by_key(|&at| parts[at].1.abs()).expect("there are parts");
            let (variable, a) = parts.swap_remove(at);
            let fresh = self.new_variable();
            let quotient = self.constant.div_euclid(&a);
            let none = vec![0; self.words];
            let minus = Integer::from(-1);
            let quotients: Vec<(u32, Integer)> =
                parts.iter().map(|(part, c)| (*part, &minus * &c.div_euclid(&a))).collect();
            self.constant = self.constant.rem_euclid(&a);
            self.define(
                variable,
                quotients.into_iter().filter(|(_, q)| !q.is_zero()).chain([(fresh, Integer::ONE)]),
                -&quotient,
                &none,
            );
            self.add(&a, fresh);
            for (part, c) in parts.iter() {
                let rest = c.rem_euclid(&a);
                if !rest.is_zero() {
                    self.add(&rest, *part);
                }
            }
        }
    }

    fn define(
        &mut self,
        variable: u32,
        parts: impl Iterator<Item = (u32, Integer)>,
        constant: Integer,
        support: &[u64],
    ) {
        let start = self.parts.len() as u32;
        self.parts.extend(parts);
        let position = self.definitions.len() as u32;
        self.definitions.push(Definition { variable, start, end: self.parts.len() as u32, constant });
        self.definition_support.extend_from_slice(support);
        self.position[variable as usize] = position;
        self.pending.resize(self.definitions.len().div_ceil(64), 0);
    }

    /// Completes the values of undefined variables by those of the defined ones.
    pub fn complete(&self, values: &mut [Integer]) {
        for definition in self.definitions.iter().rev() {
            let mut value = definition.constant.clone();
            for (part, c) in &self.parts[definition.start as usize..definition.end as usize] {
                value += &(c * &values[*part as usize]);
            }
            values[definition.variable as usize] = value;
        }
    }

    /// Has the combination, unfolded, no variables?
    pub fn is_constant(&self) -> bool {
        self.touched.iter().all(|&variable| self.coefficient[variable as usize].is_zero())
    }
}
