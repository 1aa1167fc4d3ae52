//! Initial values: of local variables where they are declared, of all others in one first step of the program.

use crate::c::translate::{
    BitField, Dimension, Extra, Leaf, LeafKey, Location, Met, ObjectId, ObjectKind, Part, Result, Scalar, Translator,
    Value, elements, reject, scalar_of,
};
use crate::c::tree::{self, Init, Storage, VariableId};
use braid_program::ast::{Expr, ExprKind, Stmt, StmtKind, Type, VarId, build};
use braid_program::source::Span;
use rustc_hash::FxHashMap;

/// More elements of one array are not set one by one.
const MOST_INITIAL: u64 = 1 << 12;

/// Where an initial value goes: bytes from the start, and which bit-field there.
pub(crate) type Position = (u64, Option<BitField>);
/// Initial values, in order of evaluation.
pub(crate) type Given = Vec<(Position, Value)>;

impl Translator<'_, '_> {
    /// Gives a local variable its initial value.
    pub(crate) fn initialise(&mut self, id: VariableId, init: &Init, span: Span) -> Result<()> {
        let variable = &self.unit.variables[id.index()];
        let object = self.points.objects.of(ObjectKind::Variable(id));
        let location = Location::object(object);
        let ty = &variable.ty.ty;
        if let (Some(scalar), Init::Expr(expr)) = (self.scalar(ty), init) {
            let value = self.value(expr)?;
            let known = self.ints.known(scalar, &value.expr);
            self.store(&location, scalar, value, span)?;
            self.follow_variable(id, known);
            return Ok(());
        }
        if let Init::Expr(expr) = init {
            let values = self.record(expr)?;
            return self.store_parts(&location, ty, &values, span);
        }
        let mut given = Vec::new();
        self.flatten(init, ty, (0, None), &mut given)?;
        if given.is_empty() && self.fill_with_zero(object, span)? {
            return Ok(());
        }
        if self.points.objects.get(object).in_bytes {
            return self.initialise_bytes(object, given, span);
        }
        for part in self.parts(ty, span)? {
            let value = self.given(&part, &given, span);
            let at = part.of(&location, |n| self.fixed(n as i64, span));
            self.store(&at, part.scalar, value, span)?;
        }
        Ok(())
    }

    fn given(&self, part: &Part, given: &[(Position, Value)], span: Span) -> Value {
        let position = (part.position(), part.bit_field);
        let last = given.iter().rev().find(|(at, _)| *at == position);
        last.map_or_else(|| self.number(part.scalar, 0, span), |(_, value)| value.clone())
    }

    /// Sets a whole object to zero, where its arrays are arrays by index.
    pub(crate) fn fill_with_zero(&mut self, object: ObjectId, span: Span) -> Result<bool> {
        let described = self.points.objects.get(object).clone();
        if described.leaves.iter().any(|leaf| leaf.dimensions.is_empty()) {
            return Ok(false);
        }
        if !described.in_bytes && !self.decisions.indexed.contains(&described.kind)
            || self.decisions.through_pointers.contains(&described.kind)
        {
            return Ok(false);
        }
        for leaf in 0..described.leaves.len() {
            let array = self.variable(object, leaf, Some(u64::MAX));
            let zero = self.zeros(array, described.leaves[leaf].scalar, span);
            self.assign(array, zero, span);
        }
        Ok(true)
    }

    fn zeros(&self, array: VarId, scalar: Scalar, span: Span) -> Expr {
        self.everywhere(array, self.ints.to_cell(scalar, self.number(scalar, 0, span).expr, span), span)
    }

    /// An array like a variable's that holds one value everywhere.
    pub(crate) fn everywhere(&self, array: VarId, value: Expr, span: Span) -> Expr {
        let ty = self.variables[array.index()].ty.clone();
        Expr { kind: ExprKind::ConstArray(Box::new(value)), ty, span }
    }

    /// The scalars that an initial value mentions.
    fn flatten(&mut self, init: &Init, ty: &tree::Type, at: Position, out: &mut Given) -> Result<()> {
        let (offset, bit_field) = at;
        match init {
            Init::Expr(expr) => match self.scalar(ty) {
                Some(scalar) if self.drops(scalar) => self.discard(expr),
                Some(scalar) => {
                    let value = self.stable(expr, expr.span)?;
                    let value = match bit_field {
                        Some(bit_field) => self.ints.convert(scalar, bit_field.scalar(), value, expr.span),
                        None => value,
                    };
                    out.push((at, value));
                    Ok(())
                }
                None => {
                    let values = self.record(expr)?;
                    let parts = self.parts(ty, expr.span)?;
                    let positions = parts.iter().map(|part| (offset + part.position(), part.bit_field));
                    out.extend(positions.zip(values));
                    Ok(())
                }
            },
            Init::String(id, span) => {
                let tree::Type::Array(element, count) = ty else { return reject(*span, "a string for something else") };
                let Some(scalar) = self.scalar(&element.ty) else { return reject(*span, "a string of no characters") };
                let bytes = self.unit.strings[*id as usize].clone();
                let room = count.unwrap_or(u64::MAX);
                for (number, byte) in bytes.iter().enumerate().filter(|(number, _)| (*number as u64) < room) {
                    let value = self.number(scalar, i64::from(*byte), *span);
                    out.push(((offset + number as u64 * u64::from(scalar.bits() / 8), None), value));
                }
                Ok(())
            }
            Init::List(list) => {
                for (number, init) in list {
                    match ty {
                        tree::Type::Array(element, _) => {
                            let size = self.points.objects.layouts.size(&element.ty);
                            self.flatten(init, &element.ty, (offset + number * size, None), out)?;
                        }
                        tree::Type::Record(record) if self.points.objects.layouts.is_opaque(*record) => {
                            self.opaque_initial(init, ty, offset, out)?;
                        }
                        tree::Type::Record(record) => {
                            let fields = &self.unit.records[record.index()].fields;
                            if let Some(field) = fields.get(*number as usize) {
                                if self.unit.records[record.index()].is_union
                                    && let Some(owner) = self.points.objects.layouts.owner(*record, *number)
                                {
                                    self.note_member(*record, owner, self.unit.records[record.index()].span)?;
                                }
                                let bits = BitField::of(field, *number as u32);
                                self.flatten(init, &field.ty.ty, (offset + field.offset, bits), out)?;
                            }
                        }
                        _ => self.flatten(init, ty, at, out)?,
                    }
                }
                Ok(())
            }
        }
    }

    /// Objects of the thread library start free and empty, whatever their initial value looks like inside. The one number in it that
    /// is not zero is a lock's kind.
    fn opaque_initial(&mut self, init: &Init, ty: &tree::Type, offset: u64, out: &mut Given) -> Result<()> {
        let mut numbers = Vec::new();
        Met::Init(init).each(Default::default(), &mut |met, _| {
            if let Met::Expr(expr) = met
                && let tree::ExprKind::Int(value) = &expr.kind
                && !value.is_zero()
            {
                numbers.push((value.clone(), expr.span));
            }
        });
        let is = |name: &str| matches!(ty, tree::Type::Record(id) if self.unit.records[id.index()].name.contains(name));
        let is_mutex = is("mutex_t");
        match &numbers[..] {
            [(kind, span)] if is_mutex && matches!(kind.to_i64(), Some(1 | 2)) => {
                out.push(((offset + 4, None), self.ints.constant(Scalar::INT, kind, *span)));
                Ok(())
            }
            [(kind, _)] if is_mutex && kind.to_i64() == Some(3) => Ok(()),
            [(kind, span)] if is("rwlock_t") && matches!(kind.to_i64(), Some(1 | 2)) => {
                out.push(((offset + 8, None), self.ints.constant(Scalar::INT, kind, *span)));
                Ok(())
            }
            [(_, span), ..] if is_mutex => reject(*span, "a mutex of unknown kind"),
            _ => Ok(()),
        }
    }

    /// The first step of the program: all variables with static storage get their initial values.
    pub(crate) fn initial_values(&mut self) -> Result<Vec<Stmt>> {
        let mut assignments: Vec<(VarId, Expr)> = Vec::new();
        let mut assumptions: Vec<Expr> = Vec::new();
        let mut variables: Vec<_> = self.cells.variables.iter().map(|(key, id)| (*key, *id)).collect();
        variables.sort_unstable_by_key(|(_, id)| *id);
        for ((_, object, leaf, element), variable) in variables {
            let free_lock = self.is_free_lock(object, leaf).then_some((Storage::Static, Span::default()));
            let Some((storage, span)) = self.static_storage(object).or(free_lock) else { continue };
            let described = self.points.objects.get(object).leaves[leaf].clone();
            if storage == Storage::Extern {
                if element != Some(u64::MAX) && described.scalar != Scalar::Bool {
                    let expr = self.var(variable, span);
                    assumptions.extend(self.ints.in_range(described.scalar, &expr, span));
                }
                continue;
            }
            let values = self.static_values(object)?;
            let offsets = element_offsets(&described);
            let cell = |value: Expr| self.ints.to_cell(described.scalar, value, span);
            let at = |offset: u64| values.get(&(offset, described.bit_field)).map(|value| cell(value.expr.clone()));
            let zero = cell(self.number(described.scalar, 0, span).expr);
            let value = match element {
                None => at(described.offset).unwrap_or(zero),
                Some(u64::MAX) => {
                    let mut array = self.zeros(variable, described.scalar, span);
                    for (number, offset) in offsets.enumerate().take_while(|_| !values.is_empty()) {
                        if let Some(value) = at(offset) {
                            let index = self.fixed(number as i64, span);
                            array = build::store(array, index, value, span);
                        }
                    }
                    array
                }
                Some(number) => {
                    let mut offsets = offsets;
                    offsets.nth(number as usize).and_then(at).unwrap_or(zero)
                }
            };
            assignments.push((variable, value));
        }
        let mut arrays: Vec<(LeafKey, VarId)> = self.cells.arrays.iter().map(|(key, id)| (*key, *id)).collect();
        arrays.sort_unstable_by_key(|(_, id)| *id);
        for (key, array) in arrays {
            assignments.extend(self.static_region(key, array)?);
        }
        for (object, variable) in self.cells.extras(Extra::Frontier) {
            assignments.push((variable, self.base(object, Span::default())?));
        }
        let span = Span::default();
        let counters = [Extra::Live, Extra::Declared].map(|extra| self.cells.extras(extra));
        for (_, variable) in counters.into_iter().flatten() {
            assignments.push((variable, build::int(0, span)));
        }
        let markers: Vec<VarId> = self.cells.markers.values().map(|marker| marker.active).collect();
        let flags = [Extra::Freeing, Extra::Free].map(|extra| self.cells.extras(extra));
        let [freeing, free] = flags.map(|flags| flags.into_iter().map(|(_, flag)| flag).collect());
        for mut flags in [markers, freeing, free] {
            flags.sort_unstable();
            for flag in flags {
                let (no, is_one) = (Expr::bool(false, span), self.variables[flag.index()].ty == Type::Bool);
                assignments.push((flag, if is_one { no } else { self.everywhere(flag, no, span) }));
            }
        }
        let assume = |formula| Stmt { kind: StmtKind::Assume(formula), span };
        let mut stmts: Vec<Stmt> = self.symbols(span).into_iter().map(assume).collect();
        if !assignments.is_empty() {
            stmts.push(Stmt { kind: StmtKind::Assign(assignments), span });
        }
        stmts.extend(assumptions.into_iter().map(assume));
        Ok(stmts)
    }

    /// The storage of a variable that exists from the start.
    fn static_storage(&self, object: ObjectId) -> Option<(Storage, Span)> {
        match self.points.objects.get(object).kind {
            ObjectKind::Variable(id) => {
                let variable = &self.unit.variables[id.index()];
                (!matches!(variable.storage, Storage::Local(_))).then_some((variable.storage, variable.span))
            }
            ObjectKind::String(_) => Some((Storage::Static, Span::default())),
            _ => None,
        }
    }

    /// A lock in allocated memory that nobody initialised means nothing in C. Where deadlocks are looked for it is free, so that nobody
    /// waits for what is in the memory by chance.
    fn is_free_lock(&self, object: ObjectId, leaf: usize) -> bool {
        let described = self.points.objects.get(object);
        self.is_about_waiting() && matches!(described.kind, ObjectKind::Heap(_)) && described.leaves[leaf].opaque
    }

    /// Does it exist from the start, with known contents? What is declared only holds anything.
    fn has_initial_value(&self, object: ObjectId) -> bool {
        self.static_storage(object).is_some_and(|(storage, _)| storage != Storage::Extern)
    }

    fn static_values(&mut self, object: ObjectId) -> Result<FxHashMap<Position, Value>> {
        let mut values = Vec::new();
        match self.points.objects.get(object).kind {
            ObjectKind::Variable(id) => {
                let variable = &self.unit.variables[id.index()];
                if let Some(init) = &variable.init {
                    let emitted = self.out.len();
                    self.flatten(init, &variable.ty.ty, (0, None), &mut values)?;
                    if self.out.len() > emitted {
                        return reject(variable.span, "an initial value that is not constant");
                    }
                }
            }
            ObjectKind::String(id) => {
                let ty = self.points.objects.get(object).ty.clone();
                self.flatten(&Init::String(id, Span::default()), &ty, (0, None), &mut values)?;
            }
            _ => {}
        }
        if self.points.objects.get(object).in_bytes {
            let is_odd = |((_, bit_field), value): &(Position, Value)| {
                bit_field.is_none() && !matches!(scalar_of(value).bits(), 1 | 8 | 16 | 32 | 64 | 128)
            };
            if values.iter().any(is_odd) {
                return reject(self.object_span(object), "the bytes of a `long double` are not supported");
            }
            values = self.in_bytes(values);
        }
        Ok(values.into_iter().collect())
    }

    /// Is the array by address that holds the leaf zero at first, but for initial values? Blocks that are allocated as zeros need no
    /// more than that: nobody has written to their addresses before.
    pub(crate) fn starts_zeroed(&mut self, leaf: LeafKey) -> bool {
        let key = self.decisions.representative(leaf);
        let mut group: Vec<LeafKey> = self.decisions.together.keys().copied().collect();
        group.retain(|&other| self.decisions.representative(other) == key);
        group.push(key);
        group.into_iter().all(|(kind, leaf)| {
            let object = self.points.objects.of(kind);
            let object_zeroed = self.points.objects.get(object).zeroed && self.points.objects.get(object).many;
            object_zeroed || self.has_initial_value(object) || self.is_free_lock(object, leaf)
        })
    }

    /// The initial contents of an array by address.
    fn static_region(&mut self, key: LeafKey, array: VarId) -> Result<Option<(VarId, Expr)>> {
        let mut members = self.cells.members.get(&key).cloned().unwrap_or_default();
        members.sort_unstable();
        let owner = self.points.objects.of(key.0);
        let scalar = self.points.objects.get(owner).leaves[key.1].scalar;
        let span = Span::default();
        let statics: Vec<(ObjectId, usize)> =
            members.iter().copied().filter(|(object, _)| self.has_initial_value(*object)).collect();
        // Only where memory without initial values shares the array, elements are set one by one.
        let all_static = self.starts_zeroed(key);
        if statics.is_empty() && !all_static {
            return Ok(None);
        }
        let mut value = if all_static { self.zeros(array, scalar, span) } else { self.var(array, span) };
        for (object, leaf) in statics {
            let described = self.points.objects.get(object).leaves[leaf].clone();
            let values = self.static_values(object)?;
            let per_thread = self.is_per_thread(object);
            let base = self.base(object, span)?;
            let large = elements(&described.dimensions).is_none_or(|count| count > MOST_INITIAL);
            if large && !all_static && self.options.defined {
                let message = "a large array with initial values is accessed together with memory that has none";
                return reject(self.object_span(object), message);
            }
            // Where there may be more executions than there are, zeros of a large array may be anything.
            let only_given = all_static || large;
            for offset in element_offsets(&described).take_while(|_| !only_given || !values.is_empty()) {
                let given = values.get(&(offset, described.bit_field)).cloned();
                if given.is_none() && only_given {
                    continue;
                }
                let given = given.unwrap_or_else(|| self.number(described.scalar, 0, span));
                let given = self.ints.convert(described.scalar, scalar, given, span).expr;
                let given = self.ints.to_cell(scalar, given, span);
                if per_thread {
                    if members.len() > 1 || !described.dimensions.is_empty() {
                        return reject(span, "the initial value of a thread-local array or struct behind pointers");
                    }
                    value = self.everywhere(array, given, span);
                    continue;
                }
                let index = self.displaced(base.clone(), offset as i64, &[], span);
                value = build::store(value, index, given, span);
            }
        }
        Ok(Some((array, value)))
    }
}

/// The indices of all elements of dimensions, in order, each with its stride; none where there is no end of them.
pub(crate) fn element_indices(dimensions: &[Dimension]) -> impl Iterator<Item = Vec<(u64, u64)>> + use<> {
    let dimensions = dimensions.to_vec();
    (0..elements(&dimensions).unwrap_or(0)).map(move |number| {
        let mut rest = number;
        let mut split = |dimension: &Dimension| {
            let count = dimension.count.unwrap_or(1).max(1);
            let index = rest % count;
            rest /= count;
            (index, dimension.stride)
        };
        let mut indices: Vec<(u64, u64)> = dimensions.iter().rev().map(&mut split).collect();
        indices.reverse();
        indices
    })
}

/// The byte offsets of all elements of a leaf, in order.
pub(crate) fn element_offsets(leaf: &Leaf) -> impl Iterator<Item = u64> + use<> {
    let base = leaf.offset;
    element_indices(&leaf.dimensions)
        .map(move |indices| base + indices.iter().map(|(index, stride)| index * stride).sum::<u64>())
}
