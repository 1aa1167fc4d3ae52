//! Which accesses are defined: those to an object that lives, inside of its bounds. Pointers stay there, too.

use crate::c::translate::{Base, Extra, Location, ObjectId, ObjectKind, Result, Scalar, Translator, reject};
use crate::c::tree;
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
        let bytes = if location.bit_field.is_some() { 1 } else { i64::from(scalar.bits().div_ceil(8)) };
        // An object of bytes can be accessed with a type that is larger than the object.
        let may_leave = match location.base {
            Base::Object(object) if in_bytes(object) => {
                !location.indices.is_empty() || location.offset + bytes > self.points.objects.get(object).size as i64
            }
            Base::Object(object) => !location.indices.is_empty() && self.has_variable_length(object),
            Base::Pointer { .. } => true,
        };
        for (index, count) in limits {
            formula = and(formula, self.at_most(self.fixed(0, span), index.clone(), span), span);
            formula = and(formula, self.below(index, self.fixed(count as i64, span), span), span);
        }
        if may_leave {
            let address = self.address_of(location, span)?;
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

    /// How far apart two pointers are is defined only within one object. Said where they can have none in common; symbols that a linker puts
    /// together are left alone.
    pub(crate) fn require_together(&mut self, left: &tree::Expr, right: &tree::Expr, span: Span) {
        let objects = [left, right].map(|pointer| self.points.objects_at(pointer));
        let is_known = |&object: &ObjectId| match self.points.objects.get(object).kind {
            ObjectKind::Variable(id) => self.unit.variables[id.index()].storage != tree::Storage::Extern,
            kind => kind != ObjectKind::Outside,
        };
        let all_known = [left, right].iter().all(|pointer| !self.points.is_from_outside(pointer))
            && objects.iter().all(|own| !own.is_empty() && own.iter().all(is_known));
        if all_known && !objects[0].iter().any(|object| objects[1].contains(object)) {
            self.require(Check::Undefined, Expr::bool(false, span), span);
        }
    }

    /// A pointer is moved: it must stay in its object, or just behind. Compilers let a number of bytes that is known lead out of an object
    /// that exists once (`by_bytes`), as where a list is walked through with its head as the last member: it is not defined to access what is there.
    pub(crate) fn require_inside(
        &mut self,
        pointer: &tree::Expr,
        (from, to): (&Expr, &Expr),
        by_bytes: bool,
        span: Span,
    ) -> Result<()> {
        if !self.requires(Check::Undefined) && !self.checks(Check::Deref) {
            return Ok(());
        }
        let check =
            if self.checks(Check::Undefined) || !self.checks(Check::Deref) { Check::Undefined } else { Check::Deref };
        let within = |t: &Self, a: &Expr, b: &Expr| t.at_most(a.clone(), b.clone(), span);
        let objects = self.points.objects_at(pointer);
        let alone = objects.len() == 1;
        if objects.is_empty() && check == Check::Undefined {
            let moves = build::not(eq(from.clone(), to.clone(), span), span);
            let is_null = eq(from.clone(), self.fixed(0, span), span);
            self.require(check, build::not(and(is_null, moves, span), span), span);
        }
        for &object in &objects {
            if by_bytes && !self.points.objects.get(object).many {
                continue;
            }
            let base = self.base(object, span)?;
            let (start, end) = self.extent(object, from, span)?;
            let mut own = and(within(self, &base, from), within(self, from, &end), span);
            if self.points.objects.get(object).many {
                // Behind the last block no end means anything.
                let frontier = self.kept_of(object, Extra::Frontier, span);
                own = and(own, within(self, from, &frontier), span);
            }
            let mut stays = and(within(self, &start, to), within(self, to, &end), span);
            if check == Check::Deref {
                // What is outside is seen to where it is accessed, unless somebody else is there.
                let mut elsewhere = Expr::bool(false, span);
                for &other in &objects {
                    if other != object || self.points.objects.get(other).many {
                        elsewhere = build::or(elsewhere, self.is_inside(other, to, 0, span)?, span);
                    }
                }
                stays = build::or(stays, build::not(elsewhere, span), span);
            }
            self.require(check, if alone { stays } else { build::or(build::not(own, span), stays, span) }, span);
        }
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

    /// The same for a place by name. Its type does not say that it is `const`, so there was a cast.
    pub(crate) fn require_changeable(&mut self, location: &Location, span: Span) {
        if let Base::Object(object) = location.base
            && self.is_constant(object)
        {
            self.require(Check::Undefined, Expr::bool(false, span), span);
        }
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
