//! Parsing terms: from text or S-expressions to handles of a pool, with full sort checking.
//!
//! Recursion follows the nesting of the text, which the reader limits; what an operator does with its arguments is
//! decided outside of it (`operators`), so that its frames stay small. Bound variables are new variables of the pool.

use super::operators::{Call, Head};
use super::scope::{Scope, parse_sort, parse_width};
use super::symbol::{SymbolText, symbol_name};
use crate::number::Integer;
use crate::pool::TermPool;
use crate::sexpr::{Atom, AtomKind, Sexpr, Span, TextError, read_all};
use crate::sort::Sort;
use crate::term::{Quantifier, Term, Var};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// How deep terms may nest once each name by `let` is replaced by what it stands for.
const MAX_DEPTH: u32 = 2_000;

/// Parses a text that holds one term.
pub fn parse_term(pool: &TermPool, text: &str, scope: &dyn Scope) -> Result<Term, TextError> {
    match &read_all(text)?[..] {
        [sexpr] => parse_sexpr(pool, sexpr, scope),
        [] => Err(TextError::new(Span { start: text.len(), end: text.len() }, "expected a term, found nothing")),
        [_, second, ..] => Err(TextError::new(second.span(), "expected one term, found a second one")),
    }
}

/// Parses a term that has been read already. Spans of errors are those of the expression.
pub fn parse_sexpr(pool: &TermPool, sexpr: &Sexpr, scope: &dyn Scope) -> Result<Term, TextError> {
    Ok(Parser { pool, scope, locals: FxHashMap::default() }.term(sexpr)?.term)
}

/// A term, and how deep it is as written.
#[derive(Clone, Copy)]
struct Parsed {
    term: Term,
    depth: u32,
}

struct Parser<'a> {
    pool: &'a TermPool,
    scope: &'a dyn Scope,
    /// What the names bound inside the text mean, the innermost last.
    locals: FxHashMap<Box<str>, Vec<Parsed>>,
}

impl Parser<'_> {
    fn term(&mut self, sexpr: &Sexpr) -> Result<Parsed, TextError> {
        let (items, span) = match sexpr {
            Sexpr::Atom(atom, span) => return self.atom(atom, *span),
            Sexpr::List(items, span) => (items, *span),
        };
        let Some((head, arguments)) = items.split_first() else {
            return Err(TextError::new(span, "expected a term, found an empty list"));
        };
        match head.as_symbol() {
            Some("let") => return self.let_in(span, arguments),
            Some("!") => return self.annotated(span, arguments),
            Some("forall") => return self.quantified(Quantifier::Forall, span, arguments),
            Some("exists") => return self.quantified(Quantifier::Exists, span, arguments),
            Some("_") => return self.numeral(span, arguments).map(leaf),
            _ => {}
        }
        let (terms, depth) = self.arguments(arguments)?;
        if depth >= MAX_DEPTH {
            return Err(TextError::new(span, format!("nested deeper than {MAX_DEPTH} levels behind the `let`s")));
        }
        let term = self.call(head, span, arguments, &terms)?;
        Ok(Parsed { term, depth: depth + 1 })
    }

    fn arguments(&mut self, sexprs: &[Sexpr]) -> Result<(Vec<Term>, u32), TextError> {
        let mut terms = Vec::with_capacity(sexprs.len());
        let mut depth = 0;
        for sexpr in sexprs {
            let parsed = self.term(sexpr)?;
            terms.push(parsed.term);
            depth = depth.max(parsed.depth);
        }
        Ok((terms, depth))
    }

    #[inline(never)]
    fn call(&self, head: &Sexpr, span: Span, sexprs: &[Sexpr], terms: &[Term]) -> Result<Term, TextError> {
        let resolved = self.head(head)?;
        Call { pool: self.pool, head: &resolved, span, sexprs, terms }.make()
    }

    #[inline(never)]
    fn head<'s>(&self, head: &'s Sexpr) -> Result<Head<'s>, TextError> {
        let wrong = || {
            TextError::new(head.span(), "expected the name of an operator or a function")
                .with_hint("a term with arguments is written (name argument …)")
        };
        let (items, span) = match head {
            Sexpr::Atom(atom, span) => {
                let name = symbol_name(atom).ok_or_else(wrong)?;
                if atom.kind == AtomKind::Symbol && Head::is_operator(&atom.text) {
                    return Ok(Head::Operator(&atom.text));
                }
                return match self.scope.function(&name) {
                    Some(fun) => Ok(Head::Function(fun)),
                    None => Err(TextError::new(*span, format!("there is no function {}", SymbolText(&name)))),
                };
            }
            Sexpr::List(items, span) => (items, *span),
        };
        match &items[..] {
            [under, name, indices @ ..] if under.as_symbol() == Some("_") => {
                Ok(Head::Indexed(name.as_symbol().ok_or_else(wrong)?, name.span(), indices))
            }
            [r#as, name, sort] if r#as.as_symbol() == Some("as") && name.as_symbol() == Some("const") => {
                let array = parse_sort(self.pool, sort, self.scope)?;
                if self.pool.array_sorts(array).is_none() {
                    return Err(TextError::new(sort.span(), "expected the sort of an array"));
                }
                Ok(Head::ConstArray(array))
            }
            _ => Err(TextError { span, ..wrong() }),
        }
    }

    #[inline(never)]
    fn atom(&self, atom: &Atom, span: Span) -> Result<Parsed, TextError> {
        let pool = self.pool;
        let bits = |radix, bits_per_digit: usize| {
            let width = atom.text.len() * bits_per_digit;
            match (u32::try_from(width), BigInt::parse_bytes(atom.text.as_bytes(), radix)) {
                (Ok(width), Some(value)) if width <= super::scope::MAX_WIDTH => {
                    Ok(leaf(pool.bv_value(&Integer::from(value), width)))
                }
                _ => Err(TextError::new(span, format!("{width} bits are too many"))),
            }
        };
        match atom.kind {
            AtomKind::Numeral => match atom.text.parse::<Integer>() {
                Ok(value) => Ok(leaf(pool.int(value))),
                Err(_) => Err(TextError::new(span, "expected a number")),
            },
            AtomKind::Hex => bits(16, 4),
            AtomKind::Binary => bits(2, 1),
            AtomKind::Decimal => {
                Err(TextError::new(span, "numbers with a point are not supported").with_hint("use whole numbers"))
            }
            AtomKind::String => Err(TextError::new(span, "strings are not supported")),
            AtomKind::Keyword => Err(TextError::new(span, "expected a term, found an attribute")
                .with_hint("attributes stand in (! term :attribute value)")),
            AtomKind::Symbol | AtomKind::QuotedSymbol => self.name(atom, span),
        }
    }

    fn name(&self, atom: &Atom, span: Span) -> Result<Parsed, TextError> {
        if atom.kind == AtomKind::Symbol {
            match &*atom.text {
                "true" => return Ok(leaf(Term::TRUE)),
                "false" => return Ok(leaf(Term::FALSE)),
                _ => {}
            }
        }
        let name = symbol_name(atom).expect("both kinds of symbols have names");
        if let Some(parsed) = self.locals.get(&*name).and_then(|meanings| meanings.last()) {
            return Ok(*parsed);
        }
        if let Some(term) = self.scope.constant(&name) {
            return Ok(leaf(term));
        }
        let shown = SymbolText(&name);
        let error = TextError::new(span, format!("there is no variable {shown}"));
        Err(match name.strip_prefix('-') {
            Some(digits) if digits.parse::<Integer>().is_ok() => error.with_hint(format!("write (- {digits})")),
            _ if self.scope.function(&name).is_some() => {
                error.with_hint(format!("the function {shown} needs arguments"))
            }
            _ => error.with_hint("declare it, or check its spelling"),
        })
    }

    /// `(_ bv5 8)`, after the underscore.
    #[inline(never)]
    fn numeral(&self, span: Span, items: &[Sexpr]) -> Result<Term, TextError> {
        if let [name, width] = items
            && let Some(digits) = name.as_symbol().and_then(|name| name.strip_prefix("bv"))
            && !digits.is_empty()
            && digits.bytes().all(|digit| digit.is_ascii_digit())
        {
            let width = parse_width(width)?;
            let value = digits.parse::<Integer>().map_err(|_| TextError::new(name.span(), "expected a number"))?;
            if value.to_big().bits() > u64::from(width) {
                return Err(TextError::new(name.span(), format!("{digits} does not fit into {width} bits")));
            }
            return Ok(self.pool.bv_value(&value, width));
        }
        let error = TextError::new(span, "this indexed symbol is not a term");
        Err(match items.first().and_then(Sexpr::as_symbol) {
            Some("as-array") => error.with_hint("functions as arrays are not supported"),
            _ => error.with_hint("a bit-vector is written (_ bv5 8)"),
        })
    }

    fn annotated(&mut self, span: Span, items: &[Sexpr]) -> Result<Parsed, TextError> {
        match items {
            [term, attributes @ ..] if attributes.first().is_some_and(|a| a.as_atom(AtomKind::Keyword).is_some()) => {
                self.term(term)
            }
            _ => Err(TextError::new(span, "expected (! term :attribute value …)")),
        }
    }

    fn let_in(&mut self, span: Span, items: &[Sexpr]) -> Result<Parsed, TextError> {
        let [Sexpr::List(bindings, _), body] = items else {
            return Err(TextError::new(span, "expected (let ((name term) …) body)"));
        };
        // All values are parsed before any name is bound: `let` is parallel.
        let mut values = Vec::with_capacity(bindings.len());
        for binding in bindings {
            let (name, value) = self.binding(binding, "(name term)")?;
            values.push((name, self.term(value)?));
        }
        self.bind(&values, body)
    }

    /// The name and the second part of a pair.
    fn binding<'s>(&self, sexpr: &'s Sexpr, shape: &str) -> Result<(Named, &'s Sexpr), TextError> {
        if let Some([Sexpr::Atom(atom, span), second]) = sexpr.as_list()
            && let Some(name) = symbol_name(atom)
        {
            return Ok((Named { name: name.into(), span: *span }, second));
        }
        Err(TextError::new(sexpr.span(), format!("expected {shape}")))
    }

    /// Parses the body with the names bound.
    fn bind(&mut self, values: &[Binding], body: &Sexpr) -> Result<Parsed, TextError> {
        self.enter(values)?;
        let result = self.term(body);
        for (named, _) in values {
            self.locals.get_mut(&*named.name).map(Vec::pop);
        }
        result
    }

    #[inline(never)]
    fn enter(&mut self, values: &[Binding]) -> Result<(), TextError> {
        let mut names: Vec<&Named> = values.iter().map(|(named, _)| named).collect();
        names.sort_by(|a, b| (&a.name, a.span.start).cmp(&(&b.name, b.span.start)));
        if let Some(pair) = names.windows(2).find(|pair| pair[0].name == pair[1].name) {
            return Err(TextError::new(pair[1].span, format!("{} is bound twice here", SymbolText(&pair[1].name))));
        }
        for (named, value) in values {
            self.locals.entry(named.name.clone()).or_default().push(*value);
        }
        Ok(())
    }

    fn quantified(&mut self, quantifier: Quantifier, span: Span, items: &[Sexpr]) -> Result<Parsed, TextError> {
        let [Sexpr::List(bindings, _), body] = items else {
            return Err(TextError::new(span, "expected a quantifier as in (forall ((x Int)) body)"));
        };
        let (bound, values) = self.bound_variables(bindings)?;
        let parsed = self.bind(&values, body)?;
        if self.pool.sort_of(parsed.term) != Sort::BOOL {
            return Err(TextError::new(body.span(), "a quantifier's body is a formula, and this is not"));
        }
        let term = self.pool.quantify(quantifier, &bound, parsed.term);
        Ok(Parsed { term, depth: parsed.depth + 1 })
    }

    #[inline(never)]
    fn bound_variables(&self, bindings: &[Sexpr]) -> Result<(Vec<Var>, Vec<Binding>), TextError> {
        let (mut bound, mut values) = (Vec::new(), Vec::new());
        for binding in bindings {
            let (named, sort) = self.binding(binding, "(name sort)")?;
            let sort = parse_sort(self.pool, sort, self.scope)?;
            let var = self.pool.fresh_var(without_number(&named.name), sort);
            bound.push(var);
            values.push((named, leaf(self.pool.of_var(var))));
        }
        Ok((bound, values))
    }
}

/// A name that is being bound, and where it stands.
struct Named {
    name: Box<str>,
    span: Span,
}

/// A name, and what it is bound to.
type Binding = (Named, Parsed);

fn leaf(term: Term) -> Parsed {
    Parsed { term, depth: 0 }
}

/// The name without the number that makes a fresh variable's name unique, so that names do not grow with each parse.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('!') {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => stem,
        _ => name,
    }
}
