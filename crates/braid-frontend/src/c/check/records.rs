//! What type specifiers name: basic types, records and enumerations. Fields of records lie where the System V rules say, which GCC
//! follows for both data models.

use super::types::UNSIGNED;
use super::*;

impl<'t> Checker<'t> {
    /// The type that the specifiers name, with their qualifiers.
    pub(super) fn base_type(&mut self, specifiers: &'t Specifiers<'t>) -> Check<Qualified> {
        self.supported(&specifiers.attributes)?;
        let base = match &specifiers.base {
            Base::Basic(ty) => plain(ty.clone()),
            Base::Record(record) => plain(Type::Record(self.record(record)?)),
            Base::Enum(enumeration) => plain(self.enumeration(enumeration)?),
            Base::Typedef(name) => match self.scopes.find(name.text).cloned() {
                Some(Entity::Typedef(ty, _)) => ty,
                Some(Entity::Broken(errors)) => return self.report(errors),
                _ => return self.error(name.span, format!("`{}` is not a type here", name.text)),
            },
            Base::TypeOf(Typed::Expr(expr)) => {
                let ty = self.type_of(expr)?;
                // As GCC does for the macros of `stdatomic.h`.
                if ty.atomic { plain(ty.ty) } else { ty }
            }
            Base::TypeOf(Typed::Type(name)) => self.declared_type(name.declared())?,
            Base::Unqualified(Typed::Expr(expr)) => plain(self.type_of(expr)?.ty),
            Base::Unqualified(Typed::Type(name)) => plain(self.type_name(name)?.ty),
            Base::Atomic(name) => Qualified { atomic: true, ..self.type_name(name)? },
            Base::Auto if self.inside_prelude => plain(Type::Void),
            Base::Auto => return self.error(specifiers.span, "`__auto_type` needs one variable with an initial value"),
            Base::StaticAssert(condition, ..) if self.constant_expression(condition)? != 0 => plain(INT),
            Base::StaticAssert(_, message, span) => {
                let message = literals::text(message);
                return self.error(*span, format!("this static assertion fails: {message}"));
            }
            Base::Unsupported(what) => return self.unsupported(specifiers.span, what),
        };
        let mut base = self.with_mode(base, &specifiers.attributes)?;
        base.constant |= specifiers.qualifiers.constant;
        base.volatile |= specifiers.qualifiers.volatile;
        base.atomic |= specifiers.qualifiers.atomic;
        Ok(base)
    }

    fn record(&mut self, specifier: &'t RecordSpecifier<'t>) -> Check<RecordId> {
        let known = specifier.tag.and_then(|tag| match specifier.fields {
            Some(_) => self.scopes.find_tag_here(tag.text).cloned(),
            None => self.scopes.find_tag(tag.text).cloned(),
        });
        let id = match known {
            Some(Tag::Record(id)) if self.records[id.index()].is_union == specifier.is_union => id,
            Some(Tag::Record(_)) => {
                return self.error(specifier.span, "this tag is of the other kind, `struct` or `union`");
            }
            Some(Tag::Enum(_)) => return self.error(specifier.span, "this tag is an `enum`"),
            None => {
                let id = RecordId(self.records.len() as u32);
                let name = specifier.tag.map_or_else(|| format!("anonymous{}", id.0), |tag| tag.text.to_owned());
                let (is_union, fields, complete, span) = (specifier.is_union, Vec::new(), false, specifier.span);
                self.records.push(Record { name, is_union, fields, complete, size: 0, align: 1, span });
                if let Some(tag) = specifier.tag {
                    self.scopes.declare_tag(tag.text, Tag::Record(id));
                }
                id
            }
        };
        if specifier.fields.is_none() {
            return Ok(id);
        }
        self.reject_if(self.records[id.index()].complete, specifier.span, "this type is defined already")?;
        let before = self.errors.len();
        let result = self.define_record(id, specifier);
        if result.is_err() {
            self.record_errors.insert(id, self.errors[before..].to_vec());
        }
        result.map(|()| id)
    }

    fn define_record(&mut self, id: RecordId, specifier: &'t RecordSpecifier<'t>) -> Check<()> {
        self.supported(&specifier.attributes)?;
        let mut requests = Vec::new();
        for (specifiers, declarators) in specifier.fields.iter().flatten() {
            let base = self.base_type(specifiers)?;
            for (declarator, width) in declarators {
                let declared = Declared { specifiers, declarator, value: None };
                requests.push(self.field_request(specifier, &base, declared, width.as_ref())?);
            }
        }
        let least_align = self.requested_alignment(&[&specifier.attributes])?.unwrap_or(1);
        if specifier.attributes.transparent_union {
            self.transparent.insert(id);
        }
        let record = &mut self.records[id.index()];
        record.span = specifier.span;
        match lay_out(record, requests, least_align) {
            Some(()) => Ok(()),
            None => self.error(specifier.span, "this type is too large"),
        }
    }

    fn field_request(
        &mut self,
        record: &RecordSpecifier<'t>,
        base: &Qualified,
        declared: Declared<'t>,
        width: Option<Written<'t>>,
    ) -> Check<FieldRequest> {
        let Declared { specifiers, declarator, .. } = declared;
        let lengths = self.lengths.len();
        let ty = self.derived_type(base.clone(), declarator)?;
        if self.lengths.len() > lengths {
            self.lengths.truncate(lengths);
            return self.unsupported(declarator.span, "a field of variable length");
        }
        let span = declarator.name.map_or(specifiers.span, |name| name.span);
        let name = declarator.name.map(|name| name.text.to_owned());
        let packed = record.attributes.packed || declared.attributes().iter().any(|attributes| attributes.packed);
        // By `#pragma pack`.
        let limited = |align: u64| if record.pack == 0 { align } else { align.min(u64::from(record.pack)) };
        let asked = self.requested_alignment(&declared.attributes())?;
        let size = match &ty.ty {
            Type::Array(_, None) => 0,
            Type::Function(_) => return self.error(span, "a function cannot be a field"),
            other => self.size_of(other, span)?,
        };
        let natural = match packed {
            true => 1,
            false => self.typedef_alignment(declared).unwrap_or_else(|| self.align_of(&ty.ty)),
        };
        let align = limited(natural.max(asked.unwrap_or(1)));
        let field = Field { name, ty, offset: 0, align, bit_width: None, bit_offset: 0, run_offset: 0 };
        let mut request = FieldRequest { field, size, start: 1, straddles: false, is_gap: false };
        if let Some(width) = width {
            let value = self.constant_expression(width)?;
            let largest = match request.field.ty.ty {
                Type::Bool => 1,
                Type::Int { bits, .. } => i128::from(bits),
                _ => return self.error(span, "a bit-field must be an integer"),
            };
            if !(0..=largest).contains(&value) || (value == 0 && declarator.name.is_some()) {
                return self.error(width.span, format!("a bit-field of this type has 1 to {largest} bits"));
            }
            request.field.bit_width = Some(value as u32);
            request.is_gap = declarator.name.is_none();
            // A gap to the next unit is as wide as the type says, packed or not. With a limit, `packed` changes nothing more.
            let natural = self.align_of(&request.field.ty.ty);
            request.field.align = match (value, packed, record.pack) {
                (0, ..) => natural,
                (_, true, 0) => 1,
                _ => limited(natural),
            };
            request.straddles = packed || record.pack != 0;
            request.start = asked.map_or(1, |asked| limited(asked) * 8);
        }
        Ok(request)
    }

    fn enumeration(&mut self, specifier: &'t EnumSpecifier<'t>) -> Check<Type> {
        let Some(constants) = &specifier.constants else {
            let Some(tag) = specifier.tag else { return Ok(UNSIGNED) };
            return match self.scopes.find_tag(tag.text) {
                Some(Tag::Enum(ty)) => Ok(ty.clone()),
                Some(Tag::Record(_)) => self.error(tag.span, "this tag is a `struct` or `union`"),
                None => {
                    self.scopes.declare_tag(tag.text, Tag::Enum(UNSIGNED));
                    Ok(UNSIGNED)
                }
            };
        };
        self.supported(&specifier.attributes)?;
        if let (false, Some((name, _))) = (specifier.attributes.aligned.is_empty(), constants.first()) {
            return self.unsupported(name.span, "the attribute `aligned` of an enumeration");
        }
        let (mut next, mut lowest, mut highest) = (0_i128, 0_i128, 0_i128);
        for (name, value) in constants {
            if let Some(value) = value {
                next = self.constant_expression(value)?;
            }
            let candidates = [(3, true), (3, false), (5, true), (5, false)];
            let mut candidates = candidates.map(|(rank, signed)| types::integer(self.model, rank, signed)).into_iter();
            let Some(ty) = candidates.find(|ty| self.wrapped(next, ty) == Some(next)) else {
                return self.error(name.span, "this value is too large for an enumeration");
            };
            (lowest, highest) = (lowest.min(next), highest.max(next));
            self.scopes.declare(name.text, Entity::Constant(next, ty));
            next += 1;
        }
        let ty = self.enum_type(lowest, highest, specifier.attributes.packed);
        if let Some(tag) = specifier.tag {
            self.scopes.declare_tag(tag.text, Tag::Enum(ty.clone()));
        }
        Ok(ty)
    }

    /// As GCC chooses it: unsigned where no constant is negative, and no smaller than `int` unless packed.
    fn enum_type(&self, lowest: i128, highest: i128, packed: bool) -> Type {
        let ranks: &[u8] = if packed { &[1, 2, 3, 4, 5] } else { &[3, 4, 5] };
        let types = ranks.iter().map(|&rank| types::integer(self.model, rank, lowest < 0));
        let holds = |ty: &Type| self.wrapped(lowest, ty) == Some(lowest) && self.wrapped(highest, ty) == Some(highest);
        types.into_iter().find(holds).unwrap_or_else(|| types::integer(self.model, 5, true))
    }
}

/// What the layout needs to know of a field, in the order of declaration.
struct FieldRequest {
    /// The field, but for its offset; its alignment with its own attributes.
    field: Field,
    /// In bytes; 0 for a flexible array.
    size: u64,
    /// In bits: where a bit-field may begin.
    start: u64,
    /// A bit-field that is packed may begin in one unit of its type and end in the next.
    straddles: bool,
    /// An unnamed bit-field: it takes room, and is no field.
    is_gap: bool,
}

/// Lays the fields of a record out one behind the other, or on top of each other. Absent: it is too large for any machine.
fn lay_out(record: &mut Record, requests: Vec<FieldRequest>, least_align: u64) -> Option<()> {
    const LARGEST: u64 = 1 << 60;
    let mut fields = Vec::new();
    let mut align = least_align.max(1);
    // In bits.
    let (mut position, mut end) = (0_u64, 0_u64);
    // Where the bit-fields begin that are one memory location: all neighbours without one of width 0 between them.
    let mut run = None;
    for FieldRequest { mut field, size, start, straddles, is_gap } in requests {
        if record.is_union {
            (position, run) = (0, None);
        }
        let bits = size.checked_mul(8).filter(|&bits| bits < LARGEST)?;
        let unit = field.align * 8;
        let is_bits = matches!(field.bit_width, Some(1..));
        let width = field.bit_width.map_or(bits, u64::from);
        let is_split = |position: u64| (position % unit + width).div_ceil(unit) > (bits / unit).max(1);
        position = match field.bit_width {
            Some(1..) => position.next_multiple_of(start),
            _ => position.next_multiple_of(unit),
        };
        if field.bit_width.is_some() && is_split(position) && !straddles {
            position = position.next_multiple_of(unit);
        }
        let run_start = *run.get_or_insert(position);
        if field.bit_width != Some(0) && !is_gap {
            align = align.max(field.align).max(start / 8);
            field.offset = position / 8;
            field.bit_offset = (position % 8) as u32;
            field.run_offset = if is_bits { (position - run_start) as u32 } else { 0 };
            fields.push(field);
        }
        run = run.filter(|_| is_bits);
        position += width;
        end = end.max(position);
        if end >= LARGEST {
            return None;
        }
    }
    (record.fields, record.complete) = (fields, true);
    (record.size, record.align) = (end.div_ceil(8).next_multiple_of(align), align);
    Some(())
}
