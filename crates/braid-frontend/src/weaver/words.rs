//! The words of the language, and words of other languages that people try.

/// The words of declarations that both dialects have.
pub(super) const DECLARATIONS: [&str; 2] = ["var", "use"];
/// The words of declarations that only Braid has.
pub(super) const BRAID_DECLARATIONS: [&str; 3] = ["proc", "sort", "claim"];

/// The words of statements that both dialects have.
pub(super) const STATEMENTS: [&str; 13] = [
    "seq",
    "cond",
    "par",
    "loop",
    "while",
    "if",
    "declare",
    "replicate",
    "assume",
    "set!",
    "store!",
    "havoc!",
    "atomic",
];
/// The words of statements that only Braid has.
pub(super) const BRAID_STATEMENTS: [&str; 13] = [
    "await",
    "stop",
    "unmodelled",
    "assert",
    "check",
    "call",
    "return",
    "fork",
    "join",
    "async",
    "wait",
    "label",
    "goto",
];

/// The heads of expressions that only Braid has and that are no plain operators.
pub(super) const BRAID_EXPRESSIONS: [&str; 14] = [
    "forall",
    "exists",
    "_",
    "as",
    "bvsub",
    "bvugt",
    "bvuge",
    "bvsgt",
    "bvsge",
    "extract",
    "zero_extend",
    "sign_extend",
    "int_to_bv",
    "int2bv",
];

/// What to write instead of an expression word that other languages have.
pub(super) fn instead_of_operator(word: &str) -> Option<&'static str> {
    Some(match word {
        "distinct" | "!=" | "<>" | "neq" => "write `/=`",
        "==" | "iff" | "<=>" => "write `=`",
        "&&" | "&" => "write `and`",
        "!" | "~" => "write `not`",
        "implies" | "->" | "==>" => "write `=>`",
        "=<" => "write `<=`",
        "let" => "there is no `let`; use a variable made by `declare`",
        "xor" => "write `/=` between truth values",
        "true" | "false" => "write it without parentheses",
        _ => return None,
    })
}

/// What to write instead of a statement word that other languages have.
pub(super) fn instead_of_statement(word: &str) -> Option<&'static str> {
    Some(match word {
        "skip" | "nop" => "the statement that does nothing is `(seq)`",
        ":=" | "assign" | "set" | "setq" => "write `(set! x e)`",
        "store" => "write `(store! a i v)`",
        "choice" | "choose" | "or" => "write `(cond …)` for a choice between statements",
        "begin" | "progn" | "block" | "do" => "write `(seq …)`",
        "parallel" | "thread" | "threads" | "spawn" => "write `(par …)`",
        "havoc" => "write `(havoc! x)`",
        "local" | "let" => "write `(declare (x Int) …)`",
        "ite" => "as a statement it is `(if c a b)`",
        _ => return None,
    })
}
