//! The words of operators, shared by the printer and the reader so that they cannot disagree.

use crate::ast::Op;
use braid_logic::{BvOp, Quantifier};

/// Weaver's operators. The word of each is matched before any function of that name.
pub const CORE: [(&str, Op); 17] = [
    ("not", Op::Not),
    ("and", Op::And),
    ("or", Op::Or),
    ("=>", Op::Implies),
    ("=", Op::Eq),
    ("/=", Op::Distinct),
    ("ite", Op::Ite),
    ("if", Op::Ite),
    ("+", Op::Add),
    ("-", Op::Sub),
    ("*", Op::Mul),
    ("<", Op::Lt),
    ("<=", Op::Le),
    (">", Op::Gt),
    (">=", Op::Ge),
    ("select", Op::Select),
    ("store", Op::Store),
];

/// The operators that only Braid has, by their names in SMT-LIB. A declared function of the same name comes first.
pub const BRAID: [(&str, Op); 24] = [
    ("div", Op::Div),
    ("mod", Op::Mod),
    ("bvneg", Op::Bv(BvOp::Neg)),
    ("bvadd", Op::Bv(BvOp::Add)),
    ("bvmul", Op::Bv(BvOp::Mul)),
    ("bvudiv", Op::Bv(BvOp::Udiv)),
    ("bvurem", Op::Bv(BvOp::Urem)),
    ("bvsdiv", Op::Bv(BvOp::Sdiv)),
    ("bvsrem", Op::Bv(BvOp::Srem)),
    ("bvnot", Op::Bv(BvOp::Not)),
    ("bvand", Op::Bv(BvOp::And)),
    ("bvor", Op::Bv(BvOp::Or)),
    ("bvxor", Op::Bv(BvOp::Xor)),
    ("bvshl", Op::Bv(BvOp::Shl)),
    ("bvlshr", Op::Bv(BvOp::Lshr)),
    ("bvashr", Op::Bv(BvOp::Ashr)),
    ("concat", Op::Bv(BvOp::Concat)),
    ("bvult", Op::Bv(BvOp::Ult)),
    ("bvule", Op::Bv(BvOp::Ule)),
    ("bvslt", Op::Bv(BvOp::Slt)),
    ("bvsle", Op::Bv(BvOp::Sle)),
    ("ubv_to_int", Op::Bv(BvOp::ToInt)),
    ("bv2nat", Op::Bv(BvOp::ToInt)),
    ("bv2int", Op::Bv(BvOp::ToInt)),
];

/// The operator that a word of Weaver's stands for with this many operands.
pub fn core_operator(word: &str, operands: usize) -> Option<Op> {
    let (_, op) = CORE.into_iter().find(|(known, _)| *known == word)?;
    takes(op, operands).then_some(op)
}

/// Does the operator take this many operands?
pub fn takes(op: Op, operands: usize) -> bool {
    match op {
        Op::And | Op::Or | Op::Implies | Op::Add | Op::Sub | Op::Mul => true,
        Op::Eq | Op::Distinct => operands >= 1,
        Op::Not => operands == 1,
        Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Select | Op::Div | Op::Mod => operands == 2,
        Op::Ite | Op::Store => operands == 3,
        Op::Bv(
            BvOp::Neg
            | BvOp::Not
            | BvOp::Extract { .. }
            | BvOp::ZeroExtend(_)
            | BvOp::SignExtend(_)
            | BvOp::ToInt
            | BvOp::FromInt(_),
        ) => operands == 1,
        Op::Bv(BvOp::Float(op, _)) => operands == op.arity(),
        Op::Bv(_) => operands == 2,
    }
}

/// How an operator is written at the head of a list: a word, or the word and the numbers of `(_ word number…)`.
pub fn head(op: Op) -> (&'static str, Vec<u32>) {
    match op {
        Op::Bv(BvOp::Extract { high, low }) => ("extract", vec![high, low]),
        Op::Bv(BvOp::ZeroExtend(by)) => ("zero_extend", vec![by]),
        Op::Bv(BvOp::SignExtend(by)) => ("sign_extend", vec![by]),
        Op::Bv(BvOp::FromInt(width)) => ("int_to_bv", vec![width]),
        Op::Bv(BvOp::Float(op, format)) => op.head(format),
        _ => {
            let mut all = CORE.into_iter().chain(BRAID);
            let word = all.find(|(_, known)| *known == op).map(|(word, _)| word);
            (word.expect("every operator without numbers has a word in one of the tables"), Vec::new())
        }
    }
}

/// The word that a quantified formula starts with.
pub fn quantifier_word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Forall => "forall",
        Quantifier::Exists => "exists",
    }
}

/// Words that cannot be names in Boogie.
pub const BOOGIE_KEYWORDS: [&str; 41] = [
    "assert",
    "assume",
    "axiom",
    "bool",
    "break",
    "call",
    "complete",
    "const",
    "div",
    "else",
    "ensures",
    "exists",
    "extends",
    "false",
    "finite",
    "forall",
    "fork",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "int",
    "invariant",
    "join",
    "lambda",
    "mod",
    "modifies",
    "old",
    "procedure",
    "real",
    "requires",
    "return",
    "returns",
    "then",
    "true",
    "type",
    "unique",
    "var",
    "where",
];
