//! Text to formulas: tokens, then operators by precedence. Errors have a place in the text.

use super::{Binary, Formula, FormulaNode, NodeKind};
use braid_program::Diagnostic;
use braid_program::source::{FileId, Span};

/// Nesting is limited to this depth.
const DEEPEST: u32 = 200;

/// Signs of several characters come before those that they start with.
const SIGNS: [&str; 21] =
    ["==>", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "(", ")", "[", "]", ",", ":", ".", "'"];

/// Operators from loose to tight.
const LEVELS: [&[(&str, Binary)]; 6] = [
    &[("==>", Binary::Implies)],
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[
        ("==", Binary::Equal),
        ("!=", Binary::Different),
        ("<=", Binary::LessEqual),
        (">=", Binary::GreaterEqual),
        ("<", Binary::Less),
        (">", Binary::Greater),
    ],
    &[("+", Binary::Plus), ("-", Binary::Minus)],
    &[("*", Binary::Times)],
];
/// The level of comparisons, of which no two follow each other.
const COMPARISONS: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Number,
    Sign,
    End,
}

#[derive(Clone, Copy)]
struct Token<'t> {
    kind: Kind,
    text: &'t str,
    span: Span,
}

type Read<T> = Result<T, Diagnostic>;

/// Reads a property; `file` is what spans point into.
pub fn parse(text: &str, file: FileId) -> Read<Formula> {
    let tokens = tokens(text, file)?;
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let forall = parser.next();
    if forall.text != "forall" {
        let hint = "for example: forall a b: f(a, b) == f(b, a)";
        return Err(Diagnostic::new(forall.span, "a formula begins with `forall`").hint(hint));
    }
    let mut names: Vec<(String, Span)> = Vec::new();
    while !parser.accept(":") {
        let name = parser.next();
        match name.kind {
            Kind::Word if names.iter().any(|(known, _)| known == name.text) => {
                return Err(Diagnostic::new(name.span, format!("`{}` is bound twice", name.text)));
            }
            Kind::Word => names.push((name.text.to_owned(), name.span)),
            Kind::Sign if name.text == "," && !names.is_empty() => {}
            _ => return Err(Diagnostic::new(name.span, "a name or `:` should stand here")),
        }
    }
    let body = parser.level(0)?;
    let end = parser.peek();
    if end.kind != Kind::End {
        return Err(Diagnostic::new(end.span, "the formula should end here, or go on with an operator"));
    }
    Ok(Formula { names, body })
}

fn tokens(text: &str, file: FileId) -> Read<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let while_some = |test: fn(char) -> bool| rest.find(|c| !test(c)).unwrap_or(rest.len());
        let (kind, length) = if first.is_ascii_digit() {
            (Kind::Number, while_some(|c| c.is_ascii_digit()))
        } else if is_letter(first) {
            (Kind::Word, while_some(is_letter))
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Sign, sign.len())
        } else {
            (Kind::End, first.len_utf8())
        };
        let span = Span { file, start: at as u32, end: (at + length) as u32 };
        if kind == Kind::End {
            return Err(Diagnostic::new(span, "formulas do not have this character"));
        }
        tokens.push(Token { kind, text: &rest[..length], span });
        at += length;
    }
    let span = Span { file, start: at as u32, end: at as u32 };
    tokens.push(Token { kind: Kind::End, text: "", span });
    Ok(tokens)
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '@')
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: u32,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.at]
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = self.peek().kind == Kind::Sign && self.peek().text == sign;
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Read<Span> {
        let token = self.peek();
        if self.accept(sign) {
            Ok(token.span)
        } else {
            Err(Diagnostic::new(token.span, format!("`{sign}` should stand here")))
        }
    }

    fn operator(&mut self, level: usize) -> Option<Binary> {
        LEVELS[level].iter().find(|(sign, _)| self.accept(sign)).map(|(_, binary)| *binary)
    }

    /// Operands of a level, and operators between them.
    fn level(&mut self, level: usize) -> Read<FormulaNode> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let mut left = self.level(level + 1)?;
        while let Some(binary) = self.operator(level) {
            // Implication associates to the right.
            let right =
                if binary == Binary::Implies { self.nested(|p| p.level(level))? } else { self.level(level + 1)? };
            let span = left.span.to(right.span);
            left = FormulaNode { kind: NodeKind::Binary(binary, Box::new(left), Box::new(right)), span };
            let next = self.peek();
            if level == COMPARISONS && self.operator(level).is_some() {
                let error = Diagnostic::new(next.span, "comparisons do not follow each other");
                return Err(error.hint("write a < b && b < c"));
            }
        }
        Ok(left)
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Diagnostic::new(self.peek().span, "this formula is nested too deeply"));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn unary(&mut self) -> Read<FormulaNode> {
        let start = self.peek().span;
        if self.accept("!") {
            let inner = self.nested(Self::unary)?;
            let span = start.to(inner.span);
            return Ok(FormulaNode { kind: NodeKind::Not(Box::new(inner)), span });
        }
        if self.accept("-") {
            let inner = self.nested(Self::unary)?;
            let span = start.to(inner.span);
            return Ok(FormulaNode { kind: NodeKind::Negative(Box::new(inner)), span });
        }
        let mut value = self.primary()?;
        while self.accept("[") {
            let index = self.nested(|p| p.level(0))?;
            let span = value.span.to(self.expect("]")?);
            value = FormulaNode { kind: NodeKind::Index(Box::new(value), Box::new(index)), span };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Read<FormulaNode> {
        let token = self.next();
        let kind = match (token.kind, token.text) {
            (Kind::Number, digits) => {
                let number = digits.parse();
                NodeKind::Int(number.map_err(|_| Diagnostic::new(token.span, "this is not a number"))?)
            }
            (Kind::Word, "true") => NodeKind::Bool(true),
            (Kind::Word, "false") => NodeKind::Bool(false),
            (Kind::Word, "forall") => {
                return Err(Diagnostic::new(token.span, "`forall` stands only at the beginning"));
            }
            (Kind::Word, name) => return self.named(name.to_owned(), token.span),
            (Kind::Sign, "(") => {
                let inner = self.nested(|p| p.level(0))?;
                let span = token.span.to(self.expect(")")?);
                return Ok(FormulaNode { span, ..inner });
            }
            (Kind::End, _) => return Err(Diagnostic::new(token.span, "the formula ends too early")),
            _ => return Err(Diagnostic::new(token.span, "a value should stand here")),
        };
        Ok(FormulaNode { kind, span: token.span })
    }

    /// What begins with a name.
    fn named(&mut self, name: String, span: Span) -> Read<FormulaNode> {
        if self.accept("(") {
            let mut arguments = Vec::new();
            let mut end = self.peek().span;
            if !self.accept(")") {
                loop {
                    arguments.push(self.nested(|p| p.level(0))?);
                    if !self.accept(",") {
                        break;
                    }
                }
                end = self.expect(")")?;
            }
            return Ok(FormulaNode { kind: NodeKind::Call { function: (name, span), arguments }, span: span.to(end) });
        }
        let after = self.accept("'");
        if after || (self.peek().kind == Kind::Sign && self.peek().text == ".") {
            self.expect(".")?;
            let variable = self.next();
            if variable.kind != Kind::Word {
                return Err(Diagnostic::new(variable.span, "the name of a variable should stand here"));
            }
            let kind =
                NodeKind::Variable { run: (name, span), after, variable: (variable.text.to_owned(), variable.span) };
            return Ok(FormulaNode { kind, span: span.to(variable.span) });
        }
        Ok(FormulaNode { kind: NodeKind::Name(name), span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_program::source::Sources;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let mut sources = Sources::default();
        let file = sources.add("property", text);
        let said = match parse(text, file) {
            Ok(formula) => show(&formula.body),
            Err(error) => error.render(&sources),
        };
        expected.assert_eq(&said);
    }

    fn show(node: &FormulaNode) -> String {
        match &node.kind {
            NodeKind::Int(number) => number.to_string(),
            NodeKind::Bool(value) => value.to_string(),
            NodeKind::Name(name) => name.clone(),
            NodeKind::Variable { run, after, variable } => {
                format!("{}{}.{}", run.0, if *after { "'" } else { "" }, variable.0)
            }
            NodeKind::Call { function, arguments } => {
                format!("{}({})", function.0, arguments.iter().map(show).collect::<Vec<_>>().join(", "))
            }
            NodeKind::Index(array, index) => format!("{}[{}]", show(array), show(index)),
            NodeKind::Not(inner) => format!("!{}", show(inner)),
            NodeKind::Negative(inner) => format!("-{}", show(inner)),
            NodeKind::Binary(binary, left, right) => format!("({} {binary:?} {})", show(left), show(right)),
        }
    }

    #[test]
    fn operators_bind_as_in_c() {
        check(
            "forall a b c: f(a,b) > 0 && f(b,c) > 0 ==> f(a,c) > 0",
            expect!["(((f(a, b) Greater 0) And (f(b, c) Greater 0)) Implies (f(a, c) Greater 0))"],
        );
        check(
            "forall a: a - 1 - 2 * -a == 0 || !(a < 0)",
            expect!["((((a Minus 1) Minus (2 Times -a)) Equal 0) Or !(a Less 0))"],
        );
        check(
            "forall p: true ==> false ==> p.x[0] == p'.x[p.i]",
            expect!["(true Implies (false Implies (p.x[0] Equal p'.x[p.i])))"],
        );
    }

    #[test]
    fn errors_have_a_place() {
        check(
            "forall a: f(a ==> 1",
            expect![[r#"
                property:1:20: error: `)` should stand here
                  forall a: f(a ==> 1
                                     ^
            "#]],
        );
        check(
            "forall a: a < a < a",
            expect![[r#"
                property:1:17: error: comparisons do not follow each other
                  forall a: a < a < a
                                  ^
                hint: write a < b && b < c
            "#]],
        );
        check(
            "exists a: a",
            expect![[r#"
                property:1:1: error: a formula begins with `forall`
                  exists a: a
                  ^^^^^^
                hint: for example: forall a b: f(a, b) == f(b, a)
            "#]],
        );
    }
}
