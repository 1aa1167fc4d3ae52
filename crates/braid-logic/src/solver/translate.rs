//! From terms to Z3's expressions. Each term is translated once; the table is indexed by the term's handle.
//!
//! Linear sums are given in the form that Z3's own rewriter produces (`Σ c·t ≤ k`), so that it has little to do.

use super::floats::Floats;
use crate::number::Integer;
use crate::pool::TermPool;
use crate::sort::{Sort, SortKind};
use crate::term::{BvOp, Fun, Linear, Node, Quantifier, Term, Var};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::str::FromStr;
use z3::ast::{Array, Ast, BV, Bool, Dynamic, Int, exists_const, forall_const};
use z3::{FuncDecl, Symbol};

/// Translates the terms of one pool into the Z3 context of this thread.
pub(super) struct Translator<'p> {
    pool: &'p TermPool,
    /// Indexed by term.
    done: Vec<Option<Dynamic>>,
    sorts: FxHashMap<Sort, z3::Sort>,
    funs: FxHashMap<Fun, FuncDecl>,
    /// Terms under translation: a term is on top of the terms that wait for it.
    waiting: Vec<Term>,
    pub floats: Floats,
}

impl<'p> Translator<'p> {
    pub fn new(pool: &'p TermPool) -> Self {
        Translator {
            pool,
            done: Vec::new(),
            sorts: FxHashMap::default(),
            funs: FxHashMap::default(),
            waiting: Vec::new(),
            floats: Floats::default(),
        }
    }

    /// The formula as Z3 writes it.
    pub fn formula(&mut self, formula: Term) -> Bool {
        self.term(formula).as_bool().expect("formulas are Boolean")
    }

    /// The variable as Z3 writes it.
    pub fn var(&mut self, var: Var) -> &Dynamic {
        self.term(self.pool.of_var(var))
    }

    /// The term as Z3 writes it.
    pub fn term(&mut self, term: Term) -> &Dynamic {
        if self.done.len() <= term.index() {
            self.done.resize_with(self.pool.len(), || None);
        }
        if self.done[term.index()].is_none() {
            self.translate(term);
        }
        self.known(term)
    }

    fn translate(&mut self, term: Term) {
        self.waiting.push(term);
        while let Some(&next) = self.waiting.last() {
            let depth = self.waiting.len();
            if self.done[next.index()].is_none() {
                let (done, waiting) = (&self.done, &mut self.waiting);
                self.pool.node(next).for_each_child(|child| {
                    if done[child.index()].is_none() {
                        waiting.push(child);
                    }
                });
                if self.waiting.len() > depth {
                    continue;
                }
                let made = self.make(next);
                self.done[next.index()] = Some(made);
            }
            self.waiting.pop();
        }
    }

    pub(super) fn known(&self, term: Term) -> &Dynamic {
        self.done[term.index()].as_ref().expect("subterms are translated first")
    }

    fn bool(&self, term: Term) -> Bool {
        self.known(term).as_bool().expect("a Boolean")
    }

    fn int(&self, term: Term) -> Int {
        self.known(term).as_int().expect("an integer")
    }

    fn bits(&self, term: Term) -> BV {
        self.known(term).as_bv().expect("a bit-vector")
    }

    fn array(&self, term: Term) -> Array {
        self.known(term).as_array().expect("an array")
    }

    fn make(&mut self, term: Term) -> Dynamic {
        let pool = self.pool;
        match pool.node(term) {
            Node::True => Bool::from_bool(true).into(),
            Node::False => Bool::from_bool(false).into(),
            Node::Integer(value) => integer(value).into(),
            Node::BitVec { value, width } => match value.to_u64() {
                Some(small) => BV::from_u64(small, *width).into(),
                None => BV::from_str(*width, &value.to_string()).expect("a decimal numeral").into(),
            },
            Node::Var(var) => {
                let sort = self.sort(pool.var_sort(*var));
                Dynamic::new_const(pool.var_name(*var), &sort)
            }
            Node::Not(a) => self.bool(*a).not().into(),
            Node::And(items) => Bool::and(&self.bools(items)).into(),
            Node::Or(items) => Bool::or(&self.bools(items)).into(),
            Node::Ite(condition, then, other) => self.bool(*condition).ite(self.known(*then), self.known(*other)),
            Node::Eq(a, b) => self.known(*a).eq(self.known(*b)).into(),
            Node::Le(linear) => self.parts(linear).le(integer(&-&linear.constant)).into(),
            Node::Zero(linear) => self.parts(linear).eq(integer(&-&linear.constant)).into(),
            Node::Sum(linear) if linear.constant.is_zero() => self.parts(linear).into(),
            Node::Sum(linear) => Int::add(&[self.parts(linear), integer(&linear.constant)]).into(),
            Node::Product(factors) => {
                Int::mul(&factors.iter().map(|&factor| self.int(factor)).collect::<Vec<_>>()).into()
            }
            Node::Div(a, b) => self.int(*a).div(self.int(*b)).into(),
            Node::Mod(a, b) => self.int(*a).modulo(self.int(*b)).into(),
            Node::Apply(fun, arguments) => {
                self.declare(*fun);
                let decl = &self.funs[fun];
                decl.apply(&arguments.iter().map(|&argument| self.known(argument) as &dyn Ast).collect::<Vec<_>>())
            }
            Node::Select(array, index) => self.array(*array).select(self.known(*index)),
            Node::Store(array, index, value) => self.array(*array).store(self.known(*index), self.known(*value)).into(),
            Node::ConstArray(value) => {
                let (index, _) = pool.array_sorts(pool.sort_of(term)).expect("an array");
                let index = self.sort(index);
                Array::const_array(&index, self.known(*value)).into()
            }
            Node::Bv(BvOp::Float(op, format), arguments) => self.float_operation(term, *op, *format, arguments),
            Node::Bv(op, arguments) => self.bit_operation(*op, arguments),
            Node::Quantifier { quantifier, bound, body } => {
                let bound: Vec<Dynamic> = bound.iter().map(|&var| self.bound_var(var)).collect();
                let bound: Vec<&dyn Ast> = bound.iter().map(|var| var as &dyn Ast).collect();
                match quantifier {
                    Quantifier::Forall => forall_const(&bound, &[], &self.bool(*body)).into(),
                    Quantifier::Exists => exists_const(&bound, &[], &self.bool(*body)).into(),
                }
            }
        }
    }

    fn bound_var(&mut self, var: Var) -> Dynamic {
        let sort = self.sort(self.pool.var_sort(var));
        Dynamic::new_const(self.pool.var_name(var), &sort)
    }

    fn bools(&self, items: &[Term]) -> Vec<Bool> {
        items.iter().map(|&item| self.bool(item)).collect()
    }

    /// The sum without its constant.
    fn parts(&self, linear: &Linear) -> Int {
        let part = |(part, c): &(Term, Integer)| match c.is_one() {
            true => self.int(*part),
            false => Int::mul(&[integer(c), self.int(*part)]),
        };
        match &linear.parts[..] {
            [only] => part(only),
            parts => Int::add(&parts.iter().map(part).collect::<Vec<_>>()),
        }
    }

    fn bit_operation(&self, op: BvOp, arguments: &[Term]) -> Dynamic {
        if let BvOp::FromInt(width) = op {
            return BV::from_int(&self.int(arguments[0]), width).into();
        }
        let a = self.bits(arguments[0]);
        let b = || self.bits(arguments[1]);
        let fold = |operation: fn(&BV, BV) -> BV| -> Dynamic {
            arguments[1..].iter().fold(a.clone(), |left, &right| operation(&left, self.bits(right))).into()
        };
        match op {
            BvOp::Neg => a.bvneg().into(),
            BvOp::Add => fold(BV::bvadd),
            BvOp::Mul => fold(BV::bvmul),
            BvOp::Udiv => fold(BV::bvudiv),
            BvOp::Urem => fold(BV::bvurem),
            BvOp::Sdiv => fold(BV::bvsdiv),
            BvOp::Srem => fold(BV::bvsrem),
            BvOp::Not => a.bvnot().into(),
            BvOp::And => fold(BV::bvand),
            BvOp::Or => fold(BV::bvor),
            BvOp::Xor => fold(BV::bvxor),
            BvOp::Shl => fold(BV::bvshl),
            BvOp::Lshr => fold(BV::bvlshr),
            BvOp::Ashr => fold(BV::bvashr),
            BvOp::Concat => fold(BV::concat),
            BvOp::Extract { high, low } => a.extract(high, low).into(),
            BvOp::ZeroExtend(by) => a.zero_ext(by).into(),
            BvOp::SignExtend(by) => a.sign_ext(by).into(),
            BvOp::Ult => a.bvult(b()).into(),
            BvOp::Ule => a.bvule(b()).into(),
            BvOp::Slt => a.bvslt(b()).into(),
            BvOp::Sle => a.bvsle(b()).into(),
            BvOp::ToInt => a.to_int(false).into(),
            BvOp::FromInt(_) | BvOp::Float(..) => unreachable!("translated above"),
        }
    }

    /// The sort as Z3 writes it.
    pub fn sort(&mut self, sort: Sort) -> z3::Sort {
        if let Some(known) = self.sorts.get(&sort) {
            return known.clone();
        }
        let made = match self.pool.sort_kind(sort) {
            SortKind::Bool => z3::Sort::bool(),
            SortKind::Int => z3::Sort::int(),
            SortKind::BitVec(width) => z3::Sort::bitvector(*width),
            SortKind::Array { index, element } => z3::Sort::array(&self.sort(*index), &self.sort(*element)),
            SortKind::Uninterpreted(name) => z3::Sort::uninterpreted(Symbol::String(name.to_string())),
        };
        self.sorts.insert(sort, made.clone());
        made
    }

    fn declare(&mut self, fun: Fun) {
        if !self.funs.contains_key(&fun) {
            let (arguments, result) = self.pool.fun_signature(fun);
            let arguments: Vec<z3::Sort> = arguments.iter().map(|&sort| self.sort(sort)).collect();
            let result = self.sort(result);
            let decl = FuncDecl::new(self.pool.fun_name(fun), &arguments.iter().collect::<Vec<_>>(), &result);
            self.funs.insert(fun, decl);
        }
    }
}

fn integer(value: &Integer) -> Int {
    match value.to_i64() {
        Some(small) => Int::from_i64(small),
        None => Int::from_str(&value.to_string()).expect("a decimal numeral"),
    }
}
