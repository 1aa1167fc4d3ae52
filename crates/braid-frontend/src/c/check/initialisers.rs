//! Initial values (C11 6.7.9): designators are resolved, and braces that C lets people leave out are put in.

use super::*;
use crate::c::syntax::ExprKind as Syntax;

/// The GNU form `[0 ... 99] = x` may make so many values.
const MOST_REPETITIONS: u64 = 1 << 18;

type Path<'t> = &'t [Designator<'t>];
/// Values of elements or fields, by their index.
type Parts = Vec<(u64, Init)>;
type Items<'t> = [(Vec<Designator<'t>>, Initialiser<'t>)];

/// The items of a list in braces, of which an element without braces takes as many as it needs.
struct Cursor<'t> {
    items: &'t Items<'t>,
    at: usize,
    /// The value of the item at hand, if somebody has looked at it and left it.
    checked: Option<Expr>,
}

impl Cursor<'_> {
    fn span(&self) -> Span {
        self.items[self.at].1.span()
    }
}

impl<'t> Checker<'t> {
    /// The initial value, and the type with the size that it gives to an array of unknown size.
    pub(super) fn initial_value(&mut self, ty: &Type, value: Initial<'t>) -> Check<(Init, Type)> {
        let init = self.initialised(ty, value)?;
        let sized = match (ty, &init) {
            (Type::Array(element, None), Init::List(items)) => {
                let count = items.iter().map(|(index, _)| index + 1).max().unwrap_or(0);
                Type::Array(element.clone(), Some(count))
            }
            (Type::Array(element, None), Init::String(number, _)) => {
                Type::Array(element.clone(), Some(self.strings[*number as usize].len() as u64 + 1))
            }
            _ => ty.clone(),
        };
        Ok((init, sized))
    }

    fn initialised(&mut self, ty: &Type, value: Initial<'t>) -> Check<Init> {
        match value {
            Initialiser::Expr(expr) => {
                if let Some(string) = self.string_for(ty, expr)? {
                    return Ok(string);
                }
                let value = self.expr(expr)?;
                if matches!(ty, Type::Array(..)) {
                    return self.array_by_literal(ty, value);
                }
                Ok(Init::Expr(self.converted(value, ty, expr.span)?))
            }
            Initialiser::List(items, span) => self.initialised_by_list(ty, items, *span),
        }
    }

    /// GNU: an array may be initialised by a compound literal of its type.
    fn array_by_literal(&mut self, ty: &Type, value: Expr) -> Check<Init> {
        let span = value.span;
        if let ExprKind::AddressOf(place) = value.kind
            && let PlaceKind::Deref(Expr { kind: ExprKind::Comma(literal, _), .. }) = place.kind
            && let ExprKind::Literal(_, init) = literal.kind
        {
            return Ok(*init);
        }
        self.error(span, format!("`{}` needs a list of values in braces", self.show(ty)))
    }

    fn initialised_by_list(&mut self, ty: &Type, items: &'t Items<'t>, span: Span) -> Check<Init> {
        if let [(designators, Initialiser::Expr(expr))] = items
            && designators.is_empty()
            && let Some(string) = self.string_for(ty, expr)?
        {
            return Ok(string);
        }
        match ty {
            Type::Array(..) | Type::Record(_) => {
                let mut cursor = Cursor { items, at: 0, checked: None };
                self.fill(ty, &mut cursor, None, Vec::new()).map(Init::List)
            }
            _ => match items {
                [] => Ok(Init::Expr(self.cast(int(0, types::INT, span), ty))),
                [(_, first), ..] => self.initialised(ty, first),
            },
        }
    }

    /// A string literal for an array of characters.
    fn string_for(&mut self, ty: &Type, expr: Written<'t>) -> Check<Option<Init>> {
        let (Type::Array(element, _), Syntax::String(pieces)) = (ty, &expr.kind) else { return Ok(None) };
        let Type::Int { bits: width, .. } = element.ty else { return Ok(None) };
        Ok(match self.literal(literals::string(pieces), expr.span)? {
            Some(bytes) if width == 8 => Some(Init::String(self.string_number(bytes), expr.span)),
            None if width > 8 => Some(self.wide_string(pieces, Some(ty), expr.span)?.1),
            _ => None,
        })
    }

    /// A string of wide characters: the type of an array that holds it, and its value in an array of the given type.
    pub(super) fn wide_string(&mut self, pieces: &[&str], ty: Option<&Type>, span: Span) -> Check<(Type, Init)> {
        let (mut units, element) = self.literal(literals::wide_string(pieces, self.model), span)?;
        let own = Type::Array(Box::new(types::plain(element.clone())), Some(units.len() as u64));
        match ty.unwrap_or(&own) {
            Type::Array(wanted, count) if types::promoted(&wanted.ty) == types::promoted(&element) => {
                units.truncate(count.map_or(units.len(), |count| count as usize));
            }
            _ => return self.error(span, "these characters are of another type"),
        }
        let value = |unit| Init::Expr(int(i128::from(unit), element.clone(), span));
        Ok((own, Init::List((0..).zip(units.into_iter().map(value)).collect())))
    }

    /// Fills an array or a record from the cursor. In braces the items are all its own. Otherwise it takes what it needs and stops at a
    /// designator, but for the first item, whose remaining designators are `path`.
    fn fill(&mut self, ty: &Type, cursor: &mut Cursor<'t>, mut path: Option<Path<'t>>, mut out: Parts) -> Check<Parts> {
        let braced = path.is_none();
        let mut next = 0_u64;
        while let Some((designators, _)) = cursor.items.get(cursor.at) {
            let steps: Path<'t> = match path.take() {
                Some(path) => path,
                None if !braced && !designators.is_empty() => return Ok(out),
                None => designators,
            };
            let (first, last, rest) = if steps.is_empty() { (next, next, steps) } else { self.designated(ty, steps)? };
            let Some(part) = self.part(ty, first) else {
                if !braced {
                    return Ok(out);
                }
                // GCC warns of values behind the end, and leaves them out.
                if steps.is_empty() {
                    cursor.at += 1;
                    cursor.checked = None;
                    continue;
                }
                return self.error(cursor.span(), "this lies behind the end");
            };
            let is_union = matches!(ty, Type::Record(id) if self.records[id.index()].is_union);
            if is_union {
                out.retain(|(index, _)| *index == first);
            }
            let known = match out.last() {
                Some((index, _)) if *index < first => None,
                _ => out.iter().position(|(index, _)| *index == first),
            };
            let old = known.map(|position| out.remove(position).1);
            if let (Type::Record(_), Type::Array(_, None)) = (ty, &part) {
                if matches!(&cursor.items[cursor.at].1, Initialiser::List(items, _) if items.is_empty()) {
                    cursor.at += 1;
                    continue;
                }
                let message = "an initial value of an array without a size at the end of a `struct`";
                return self.unsupported(cursor.span(), message);
            }
            let init = self.part_value(&part, cursor, rest, old)?;
            if last > first && init_size(&init).saturating_mul(last - first) > MOST_REPETITIONS {
                return self.error(cursor.items[cursor.at - 1].1.span(), "this is repeated too often");
            }
            out.extend((first..last).map(|index| (index, init.clone())));
            out.push((last, init));
            next = if is_union { u64::MAX } else { last + 1 };
        }
        Ok(out)
    }

    /// The elements that a designator names, and the designators inside of them.
    fn designated(&mut self, ty: &Type, steps: Path<'t>) -> Check<(u64, u64, Path<'t>)> {
        let (step, rest) = (&steps[0], &steps[1..]);
        match (ty, step) {
            (Type::Array(_, count), Designator::Index(low, high)) => {
                let (first, last) = self.constant_range(low, high.as_deref())?;
                let end = count.map_or(1 << 40, i128::from);
                let is_inside = first >= 0 && last >= first && last < end;
                self.reject_if(!is_inside, low.span, "this index is outside of the array")?;
                Ok((first as u64, last as u64, rest))
            }
            (Type::Record(id), Designator::Member(name)) => {
                let Some(path) = self.field_path(*id, name.text) else {
                    return self.error(name.span, format!("`{}` has no member `{}`", self.show(ty), name.text));
                };
                let first = u64::from(path[0]);
                // Inside of an anonymous member the same designator is looked up again.
                Ok((first, first, if path.len() > 1 { steps } else { rest }))
            }
            (_, Designator::Index(low, _)) => self.error(low.span, "this is not an array"),
            (_, Designator::Member(name)) => self.error(name.span, "this has no members"),
        }
    }

    /// The type of an element or a field.
    pub(super) fn part(&self, ty: &Type, index: u64) -> Option<Type> {
        match ty {
            Type::Array(element, count) if count.is_none_or(|count| index < count) => Some(element.ty.clone()),
            Type::Record(id) => {
                self.records[id.index()].fields.get(usize::try_from(index).ok()?).map(|field| field.ty.ty.clone())
            }
            _ => None,
        }
    }

    /// The value of one part, from the item at hand.
    fn part_value(&mut self, ty: &Type, cursor: &mut Cursor<'t>, path: Path<'t>, old: Option<Init>) -> Check<Init> {
        let is_aggregate = matches!(ty, Type::Array(..) | Type::Record(_));
        if path.is_empty() {
            let item: &'t Initialiser<'t> = &cursor.items[cursor.at].1;
            let Initialiser::Expr(expr) = item else {
                cursor.at += 1;
                return self.initialised(ty, item);
            };
            let value = match cursor.checked.take() {
                Some(value) => value,
                None => {
                    if let Some(string) = self.string_for(ty, expr)? {
                        cursor.at += 1;
                        return Ok(string);
                    }
                    self.expr(expr)?
                }
            };
            if !is_aggregate || value.ty == *ty {
                cursor.at += 1;
                return Ok(Init::Expr(self.converted(value, ty, expr.span)?));
            }
            if !matches!(expr.kind, Syntax::String(_)) {
                cursor.checked = Some(value);
            }
        }
        self.reject_if(!is_aggregate, cursor.span(), "this has no parts")?;
        let old = if let Some(Init::List(list)) = old { list } else { Vec::new() };
        let before = cursor.at;
        let list = self.fill(ty, cursor, Some(path), old)?;
        if cursor.at == before {
            return self.error(cursor.span(), format!("this cannot become `{}`", self.show(ty)));
        }
        Ok(Init::List(list))
    }
}

/// How many values an initial value consists of.
fn init_size(init: &Init) -> u64 {
    match init {
        Init::Expr(_) | Init::String(..) => 1,
        Init::List(items) => items.iter().map(|(_, init)| init_size(init)).sum::<u64>().max(1),
    }
}
