//! What a term is: the node behind each handle, in normal form.
//!
//! Integer arithmetic has one normal form, so that equal facts are equal terms: sums are [`Linear`] combinations with
//! sorted parts, and every comparison is `sum ≤ 0` or `sum = 0` with coprime coefficients (see `arithmetic`).

use crate::float::{FloatOp, Format};
use crate::number::Integer;
use num_bigint::BigUint;

/// A term, as a handle into the pool that made it. Equal terms of one pool are the same handle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The formula `true`.
    pub const TRUE: Term = Term(0);
    /// The formula `false`.
    pub const FALSE: Term = Term(1);

    /// The dense number of this term in its pool, for tables indexed by term.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable (a constant symbol of the logic), as a handle into the pool that declared it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub(crate) u32);

impl Var {
    /// The dense number of this variable in its pool.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An uninterpreted function symbol, as a handle into the pool that declared it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Fun(pub(crate) u32);

impl Fun {
    /// The dense number of this function in its pool.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A linear combination `Σ coefficient · term + constant`.
///
/// Invariant: parts are sorted by term, coefficients are not 0, and no part is itself a sum or a numeral.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    /// The terms with their coefficients.
    pub parts: Box<[(Term, Integer)]>,
    /// The constant.
    pub constant: Integer,
}

impl Default for Integer {
    fn default() -> Self {
        Integer::ZERO
    }
}

/// Operations on bit-vectors, as in SMT-LIB's theory `FixedSizeBitVectors`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is SMT-LIB's operation of the same name")]
pub enum BvOp {
    Neg,
    Add,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Not,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
    Concat,
    Extract {
        high: u32,
        low: u32,
    },
    ZeroExtend(u32),
    SignExtend(u32),
    Ult,
    Ule,
    Slt,
    Sle,
    /// From a bit-vector, read as unsigned, to an integer.
    ToInt,
    /// From an integer, modulo 2 to the width, to a bit-vector.
    FromInt(u32),
    /// An operation that reads bits as a float, and gives such bits or a truth value.
    Float(FloatOp, Format),
}

/// The node behind a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// Truth.
    True,
    /// Falsehood.
    False,
    /// An integer numeral.
    Integer(Integer),
    /// A bit-vector numeral.
    BitVec {
        /// The value, below 2 to the width.
        value: BigUint,
        /// The number of bits.
        width: u32,
    },
    /// A variable.
    Var(Var),
    /// Negation; never of a constant, of a negation or of an inequality.
    Not(Term),
    /// Conjunction of two or more different conjuncts, sorted; none is a conjunction.
    And(Box<[Term]>),
    /// Disjunction of two or more different disjuncts, sorted; none is a disjunction.
    Or(Box<[Term]>),
    /// If-then-else of a sort other than Bool (Boolean ones become `and`/`or`).
    Ite(Term, Term, Term),
    /// Equality of two different terms of a sort other than Int, the smaller handle first.
    Eq(Term, Term),
    /// `linear ≤ 0`; coefficients are coprime, and the constant is as tight as integers allow.
    Le(Linear),
    /// `linear = 0`; coefficients are coprime, the first one positive.
    Zero(Linear),
    /// A sum that is neither a numeral nor a single term.
    Sum(Linear),
    /// A product of two or more factors, sorted; none is a numeral.
    Product(Box<[Term]>),
    /// SMT-LIB's `div`.
    Div(Term, Term),
    /// SMT-LIB's `mod`.
    Mod(Term, Term),
    /// Application of an uninterpreted function to one or more arguments.
    Apply(Fun, Box<[Term]>),
    /// Array read.
    Select(Term, Term),
    /// Array write: array, index, element.
    Store(Term, Term, Term),
    /// The array of the term's sort that holds one element everywhere.
    ConstArray(Term),
    /// A bit-vector operation.
    Bv(BvOp, Box<[Term]>),
    /// A quantified formula. Bound variables are declared in the pool like any other and bound nowhere else.
    Quantifier {
        /// Which quantifier.
        quantifier: Quantifier,
        /// The bound variables, at least one.
        bound: Box<[Var]>,
        /// What is said of them.
        body: Term,
    },
}

/// The two quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Quantifier {
    Forall,
    Exists,
}

impl Node {
    /// Calls `visit` with each direct subterm, in order.
    #[inline]
    pub fn for_each_child(&self, mut visit: impl FnMut(Term)) {
        match self {
            Node::True | Node::False | Node::Integer(_) | Node::BitVec { .. } | Node::Var(_) => {}
            Node::Not(a) | Node::ConstArray(a) | Node::Quantifier { body: a, .. } => visit(*a),
            Node::Eq(a, b) | Node::Div(a, b) | Node::Mod(a, b) | Node::Select(a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::Ite(a, b, c) | Node::Store(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Node::And(items) | Node::Or(items) | Node::Product(items) | Node::Apply(_, items) | Node::Bv(_, items) => {
                items.iter().copied().for_each(visit)
            }
            Node::Le(linear) | Node::Zero(linear) | Node::Sum(linear) => {
                linear.parts.iter().for_each(|(part, _)| visit(*part))
            }
        }
    }

    /// The direct subterms, in order.
    pub fn children(&self) -> Vec<Term> {
        let mut children = Vec::new();
        self.for_each_child(|child| children.push(child));
        children
    }
}
