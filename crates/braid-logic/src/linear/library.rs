//! What each term means to the native tier, worked out once per term and kept.
//!
//! Formulas become clauses over propositions, integer terms become linear forms over opaque ones, and opaque terms come
//! with the clauses that define them (choice, division) or the reading that congruence must respect (functions, arrays).
//! The pool only grows and handles are stable, so nothing here is ever thrown away.

use super::sat::Lit;
use crate::number::Integer;
use crate::pool::TermPool;
use crate::sort::Sort;
use crate::term::{Fun, Linear, Node, Term, Var};

/// A linear combination of opaque integer terms, by number.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub parts: Box<[(u32, Integer)]>,
    pub constant: Integer,
}

/// What a proposition says.
pub(super) enum Proposition {
    /// Truth.
    True,
    /// A Boolean variable.
    Var(Var),
    /// `form ≤ 0`.
    Le(Form),
    /// `form = 0`.
    Zero(Form),
    And(Box<[Lit]>),
    Or(Box<[Lit]>),
    Iff(Lit, Lit),
    /// A read with a Boolean result.
    Read(u32),
    /// Equality of two arrays, and the equality of their elements at an index that tells them apart, if any does.
    SameArray(u32, u32, Lit),
}

/// An integer term that is not a sum.
pub(super) struct Opaque {
    pub var: Option<Var>,
    /// Clauses that hold of it anyway.
    pub axioms: Box<[Box<[Lit]>]>,
    /// The read whose result it is.
    pub read: Option<u32>,
    /// The factors whose product it is.
    pub factors: Box<[u32]>,
}

/// What is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Head {
    Function(Fun),
    Array(u32),
}

/// The application of a function to arguments, or of an array to an index.
pub(super) struct Read {
    pub head: Head,
    pub arguments: Box<[Form]>,
    pub result: Outcome,
}

/// The result of a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// An opaque term.
    Int(u32),
    /// A proposition.
    Bool(u32),
}

/// An array term over integers.
pub(super) enum Array {
    Var(Var),
    Store { base: u32, index: Form, element: Form },
    Constant(Form),
    Choice { condition: Lit, then: u32, other: u32 },
}

/// A formula as clauses.
#[derive(Default)]
pub(super) struct Prepared {
    pub units: Vec<Lit>,
    pub clauses: Vec<Box<[Lit]>>,
}

/// What is known of a term.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Entry {
    #[default]
    Unseen,
    Unsupported,
    Known(u32),
}

/// The tables of all terms seen so far.
pub(super) struct Library {
    prepared_of: Vec<Entry>,
    literal_of: Vec<Entry>,
    opaque_of: Vec<Entry>,
    array_of: Vec<Entry>,
    pub prepared: Vec<Prepared>,
    pub propositions: Vec<Proposition>,
    pub opaques: Vec<Opaque>,
    pub reads: Vec<Read>,
    pub arrays: Vec<Array>,
}

const TRUE: Lit = Lit::from_code(0);

fn get(table: &[Entry], term: Term) -> Entry {
    table.get(term.index()).copied().unwrap_or_default()
}

fn set(table: &mut Vec<Entry>, term: Term, value: Option<u32>) -> Option<u32> {
    if table.len() <= term.index() {
        table.resize(term.index() + 1, Entry::Unseen);
    }
    table[term.index()] = value.map_or(Entry::Unsupported, Entry::Known);
    value
}

impl Library {
    pub fn new() -> Self {
        Library {
            prepared_of: Vec::new(),
            literal_of: Vec::new(),
            opaque_of: Vec::new(),
            array_of: Vec::new(),
            prepared: Vec::new(),
            propositions: vec![Proposition::True],
            opaques: Vec::new(),
            reads: Vec::new(),
            arrays: Vec::new(),
        }
    }

    /// The number of a formula's clauses in `prepared`. None: outside what this tier handles.
    #[inline]
    pub fn prepare(&mut self, pool: &TermPool, formula: Term) -> Option<u32> {
        match get(&self.prepared_of, formula) {
            Entry::Known(id) => Some(id),
            Entry::Unsupported => None,
            Entry::Unseen => {
                let id = self.prepare_conjuncts(pool, formula).map(|prepared| {
                    self.prepared.push(prepared);
                    self.prepared.len() as u32 - 1
                });
                set(&mut self.prepared_of, formula, id)
            }
        }
    }

    fn prepare_conjuncts(&mut self, pool: &TermPool, formula: Term) -> Option<Prepared> {
        let mut prepared = Prepared::default();
        let single = [formula];
        let conjuncts: &[Term] = match pool.node(formula) {
            Node::And(items) => items,
            _ => &single,
        };
        for &conjunct in conjuncts {
            let (positive, inner) = match pool.node(conjunct) {
                Node::Not(inner) => (false, *inner),
                _ => (true, conjunct),
            };
            match pool.node(inner) {
                Node::True => {}
                Node::Or(items) => prepared.clauses.push(self.literals(pool, items)?),
                Node::Eq(a, b) if pool.sort_of(*a) == Sort::BOOL => {
                    let (a, b) = (self.literal(pool, *a)?, self.literal(pool, *b)?);
                    let b = if positive { b } else { !b };
                    prepared.clauses.extend([Box::from([!a, b]), Box::from([a, !b])]);
                }
                _ => prepared.units.push(self.literal(pool, conjunct)?),
            }
        }
        Some(prepared)
    }

    fn literals(&mut self, pool: &TermPool, formulas: &[Term]) -> Option<Box<[Lit]>> {
        formulas.iter().map(|&formula| self.literal(pool, formula)).collect()
    }

    /// The literal of a formula.
    fn literal(&mut self, pool: &TermPool, formula: Term) -> Option<Lit> {
        match get(&self.literal_of, formula) {
            Entry::Known(code) => return Some(Lit::from_code(code)),
            Entry::Unsupported => return None,
            Entry::Unseen => {}
        }
        let known_negation = pool.cached_negation(formula).map(|negation| get(&self.literal_of, negation));
        let literal = match (pool.node(formula), known_negation) {
            (Node::Not(inner), _) => self.literal(pool, *inner).map(|inner| !inner),
            (_, Some(Entry::Known(code))) => Some(!Lit::from_code(code)),
            _ => self.new_literal(pool, formula),
        };
        set(&mut self.literal_of, formula, literal.map(Lit::code)).map(Lit::from_code)
    }

    fn new_literal(&mut self, pool: &TermPool, formula: Term) -> Option<Lit> {
        let proposition = match pool.node(formula) {
            Node::True => return Some(TRUE),
            Node::False => return Some(!TRUE),
            Node::Var(var) => Proposition::Var(*var),
            Node::And(items) => Proposition::And(self.literals(pool, items)?),
            Node::Or(items) => Proposition::Or(self.literals(pool, items)?),
            Node::Le(linear) => Proposition::Le(self.form(pool, linear)?),
            Node::Zero(linear) => Proposition::Zero(self.form(pool, linear)?),
            Node::Eq(a, b) if pool.sort_of(*a) == Sort::BOOL => {
                Proposition::Iff(self.literal(pool, *a)?, self.literal(pool, *b)?)
            }
            Node::Eq(a, b) => {
                let (x, y) = (self.array(pool, *a)?, self.array(pool, *b)?);
                let witness = pool.of_var(pool.fresh_var("differ", Sort::INT));
                let same = pool.eq(pool.select(*a, witness), pool.select(*b, witness));
                Proposition::SameArray(x, y, self.literal(pool, same)?)
            }
            Node::Apply(fun, arguments) => {
                let arguments = self.arguments(pool, arguments)?;
                let result = Outcome::Bool(self.propositions.len() as u32);
                self.reads.push(Read { head: Head::Function(*fun), arguments, result });
                Proposition::Read(self.reads.len() as u32 - 1)
            }
            _ => return None,
        };
        Some(self.push(proposition))
    }

    fn push(&mut self, proposition: Proposition) -> Lit {
        self.propositions.push(proposition);
        Lit::new(self.propositions.len() as u32 - 1, true)
    }

    fn form(&mut self, pool: &TermPool, linear: &Linear) -> Option<Form> {
        let parts: Option<Box<[_]>> =
            linear.parts.iter().map(|(part, c)| Some((self.opaque(pool, *part)?, c.clone()))).collect();
        Some(Form { parts: parts?, constant: linear.constant.clone() })
    }

    fn form_of(&mut self, pool: &TermPool, term: Term) -> Option<Form> {
        match pool.node(term) {
            Node::Sum(linear) => self.form(pool, linear),
            Node::Integer(value) => Some(Form { parts: Box::default(), constant: value.clone() }),
            _ => {
                let part = (self.opaque(pool, term)?, Integer::ONE);
                Some(Form { parts: Box::new([part]), constant: Integer::ZERO })
            }
        }
    }

    /// Arguments of a function; truth values count as 0 and 1.
    fn arguments(&mut self, pool: &TermPool, arguments: &[Term]) -> Option<Box<[Form]>> {
        let mut forms = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            forms.push(match pool.sort_of(argument) {
                Sort::INT => self.form_of(pool, argument)?,
                Sort::BOOL => self.form_of(pool, pool.ite(argument, pool.int(1), pool.int(0)))?,
                _ => return None,
            });
        }
        Some(forms.into_boxed_slice())
    }

    fn opaque(&mut self, pool: &TermPool, term: Term) -> Option<u32> {
        match get(&self.opaque_of, term) {
            Entry::Known(id) => Some(id),
            Entry::Unsupported => None,
            Entry::Unseen => {
                let id = self.new_opaque(pool, term);
                set(&mut self.opaque_of, term, id)
            }
        }
    }

    fn new_opaque(&mut self, pool: &TermPool, term: Term) -> Option<u32> {
        let mut opaque = Opaque { var: None, axioms: Box::default(), read: None, factors: Box::default() };
        match pool.node(term) {
            Node::Var(var) => opaque.var = Some(*var),
            Node::Ite(condition, then, other) => {
                let condition = self.literal(pool, *condition)?;
                let (then, other) = (self.form_of(pool, *then)?, self.form_of(pool, *other)?);
                let id = self.opaques.len() as u32;
                let then = self.equal_to(id, then);
                let other = self.equal_to(id, other);
                opaque.axioms = Box::new([Box::from([!condition, then]), Box::from([condition, other])]);
            }
            Node::Div(a, b) => {
                let Node::Integer(divisor) = pool.node(*b) else { return None };
                if divisor.is_zero() {
                    return None;
                }
                let a = self.form_of(pool, *a)?;
                let id = self.opaques.len() as u32;
                let remainder = plus(&a, &-divisor, id);
                opaque.axioms = self.in_range(&remainder, &divisor.abs());
            }
            Node::Mod(a, b) => {
                let Node::Integer(divisor) = pool.node(*b) else { return None };
                if divisor.is_zero() {
                    return None;
                }
                let quotient = self.opaque(pool, pool.div(*a, *b))?;
                let a = self.form_of(pool, *a)?;
                let id = self.opaques.len() as u32;
                let remainder = plus(&a, &-divisor, quotient);
                let defined = self.equal_to(id, remainder);
                let own = Form { parts: Box::new([(id, Integer::ONE)]), constant: Integer::ZERO };
                let mut axioms = self.in_range(&own, &divisor.abs()).into_vec();
                axioms.push(Box::from([defined]));
                opaque.axioms = axioms.into();
            }
            Node::Apply(fun, arguments) => {
                let arguments = self.arguments(pool, arguments)?;
                let result = Outcome::Int(self.opaques.len() as u32);
                opaque.read = Some(self.reads.len() as u32);
                self.reads.push(Read { head: Head::Function(*fun), arguments, result });
            }
            Node::Select(array, index) => {
                let array = self.array(pool, *array)?;
                let index = self.form_of(pool, *index)?;
                let result = Outcome::Int(self.opaques.len() as u32);
                opaque.read = Some(self.reads.len() as u32);
                self.reads.push(Read { head: Head::Array(array), arguments: Box::new([index]), result });
            }
            Node::Product(factors) => {
                let factors: Option<Box<[u32]>> = factors.iter().map(|&factor| self.factor(pool, factor)).collect();
                opaque.factors = factors?;
            }
            _ => return None,
        }
        self.opaques.push(opaque);
        Some(self.opaques.len() as u32 - 1)
    }

    /// A factor of a product; large sums are not multiplied out and have no opaque term.
    fn factor(&mut self, pool: &TermPool, factor: Term) -> Option<u32> {
        match pool.node(factor) {
            Node::Sum(_) | Node::Integer(_) => None,
            _ => self.opaque(pool, factor),
        }
    }

    /// The proposition that an opaque term equals a form in which it does not occur.
    fn equal_to(&mut self, id: u32, form: Form) -> Lit {
        let difference = plus(&form, &Integer::from(-1), id);
        self.push(Proposition::Zero(difference))
    }

    /// `0 ≤ form < limit`.
    fn in_range(&mut self, form: &Form, limit: &Integer) -> Box<[Box<[Lit]>]> {
        let minus = Integer::from(-1);
        let negative = Form {
            parts: form.parts.iter().map(|(part, c)| (*part, &minus * c)).collect(),
            constant: &minus * &form.constant,
        };
        let above = Form { parts: form.parts.clone(), constant: &(&form.constant - limit) + &Integer::ONE };
        let (low, high) = (self.push(Proposition::Le(negative)), self.push(Proposition::Le(above)));
        Box::new([Box::from([low]), Box::from([high])])
    }

    fn array(&mut self, pool: &TermPool, term: Term) -> Option<u32> {
        match get(&self.array_of, term) {
            Entry::Known(id) => Some(id),
            Entry::Unsupported => None,
            Entry::Unseen => {
                let id = self.new_array(pool, term);
                set(&mut self.array_of, term, id)
            }
        }
    }

    fn new_array(&mut self, pool: &TermPool, term: Term) -> Option<u32> {
        if pool.array_sorts(pool.sort_of(term)) != Some((Sort::INT, Sort::INT)) {
            return None;
        }
        let array = match pool.node(term) {
            Node::Var(var) => Array::Var(*var),
            Node::Store(base, index, element) => Array::Store {
                base: self.array(pool, *base)?,
                index: self.form_of(pool, *index)?,
                element: self.form_of(pool, *element)?,
            },
            Node::ConstArray(element) => Array::Constant(self.form_of(pool, *element)?),
            Node::Ite(condition, then, other) => Array::Choice {
                condition: self.literal(pool, *condition)?,
                then: self.array(pool, *then)?,
                other: self.array(pool, *other)?,
            },
            _ => return None,
        };
        self.arrays.push(array);
        Some(self.arrays.len() as u32 - 1)
    }
}

/// `form + factor · opaque`, where the opaque term does not occur in the form.
fn plus(form: &Form, factor: &Integer, opaque: u32) -> Form {
    let parts = form.parts.iter().cloned().chain([(opaque, factor.clone())]).collect();
    Form { parts, constant: form.constant.clone() }
}
