//! Which accesses are defined: those to an object that lives, inside of its bounds.

use crate::c::translate::{Base, Location, ObjectId, ObjectKind, Result, Scalar, Translator, reject};
use braid_program::ast::build::{self, and, eq};
use braid_program::ast::{Check, Expr, StmtKind};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// Does it lie in no object at all? Nothing that is done there is defined.
    pub(crate) fn is_nowhere(&self, location: &Location) -> bool {
        match &location.base {
            Base::Pointer { targets, outside: false, .. } => self.met(location, targets).is_empty(),
            _ => false,
        }
    }

    /// Is it outside of all objects that the program knows? There is none at null, and what else may be there is not known.
    pub(crate) fn is_unknown(&mut self, location: &Location, span: Span) -> Result<bool> {
        let Base::Pointer { targets, outside: true, .. } = &location.base else { return Ok(false) };
        if !self.met(location, targets).is_empty() {
            return Ok(false);
        }
        let address = self.address_of(location, span)?;
        let is_null = eq(address, self.fixed(0, span), span);
        self.require(Check::Deref, build::not(is_null, span), span);
        let what = "it is not known what this pointer points to".to_owned();
        self.emit(StmtKind::Unmodelled(what), span);
        Ok(true)
    }

    /// What makes an access defined: it is inside of an object that lives, indices are inside of their arrays.
    pub(crate) fn defined(&mut self, location: &Location, scalar: Scalar, span: Span) -> Result<Expr> {
        let mut formula = Expr::bool(true, span);
        if !self.requires(Check::Deref) {
            return Ok(formula);
        }
        let in_bytes = |object: ObjectId| self.points.objects.get(object).in_bytes;
        let limits = match location.base {
            Base::Object(object) if !in_bytes(object) => self.limits(object, location, scalar),
            _ => location.limits.clone(),
        };
        let by_index =
            matches!(location.base, Base::Object(object) if in_bytes(object)) && !location.indices.is_empty();
        for (index, count) in limits {
            formula = and(formula, self.at_most(self.fixed(0, span), index.clone(), span), span);
            formula = and(formula, self.below(index, self.fixed(count as i64, span), span), span);
        }
        if matches!(location.base, Base::Pointer { .. }) || by_index {
            let address = self.address_of(location, span)?;
            let bytes = if location.bit_field.is_some() { 1 } else { i64::from(scalar.bits().div_ceil(8)) };
            let mut inside = Expr::bool(false, span);
            for object in location.objects() {
                let open = self.points.objects.get(object).many && self.is_observed(object);
                if open && self.checks(Check::Deref) {
                    return reject(span, "bounds of blocks whose addresses the program looks at are not checked");
                }
                if !matches!(self.points.objects.get(object).kind, ObjectKind::Function(_)) {
                    inside = build::or(inside, self.is_inside(object, &address, bytes, span)?, span);
                }
            }
            formula = and(formula, inside, span);
        }
        Ok(formula)
    }

    /// An access is defined. Of memory that the program does not know, only the null pointer is surely not.
    pub(crate) fn require_object(&mut self, location: &Location, defined: Expr, span: Span) -> Result<()> {
        if !matches!(location.base, Base::Pointer { outside: true, .. }) || !self.checks(Check::Deref) {
            self.require(Check::Deref, defined, span);
            return Ok(());
        }
        let Base::Pointer { address, .. } = &location.base else { return Ok(()) };
        let null = eq(address.clone(), self.fixed(0, span), span);
        self.require(Check::Deref, build::not(null, span), span);
        let message = "memory of unknown functions is accessed".to_owned();
        let (unknown, ()) = self.apart(|t| {
            t.emit(StmtKind::Unmodelled(message), span);
            Ok(())
        })?;
        self.branch(defined, Vec::new(), unknown, span);
        Ok(())
    }

    /// Nothing is written to a string literal, or to an object that is declared `const`.
    pub(crate) fn require_writable(&mut self, location: &Location, span: Span) -> Result<()> {
        if !self.requires(Check::Undefined) || !matches!(location.base, Base::Pointer { .. }) {
            return Ok(());
        }
        for object in location.objects() {
            let is_text = matches!(self.points.objects.get(object).kind, ObjectKind::String(_));
            if is_text || self.is_constant(object) {
                let address = self.address_of(location, span)?;
                let inside = self.is_inside(object, &address, 1, span)?;
                self.require(Check::Undefined, build::not(inside, span), span);
            }
        }
        Ok(())
    }

    /// The indices of a place in an object, and how many elements the arrays have.
    fn limits(&self, object: ObjectId, location: &Location, scalar: Scalar) -> Vec<(Expr, u64)> {
        let position = u64::try_from(location.offset).ok();
        let leaves = self.points.objects.leaves_at(object, position, scalar.bits(), location.bit_field);
        let Some(&leaf) = leaves.first() else { return Vec::new() };
        let dimensions = &self.points.objects.get(object).leaves[leaf].dimensions;
        let pairs = dimensions.iter().zip(&location.indices).filter(|_| dimensions.len() == location.indices.len());
        pairs.filter_map(|(dimension, (index, _))| Some((index.clone(), dimension.count?))).collect()
    }
}
