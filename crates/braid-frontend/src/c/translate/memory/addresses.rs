//! Where objects are: addresses are numbers.
//!
//! Objects of known size lie one after the other. What grows while the program runs (the blocks of an allocation, the locals of several
//! threads) has a region of its own. An object whose address the program looks at has any address that is aligned and free, chosen
//! at the start; of blocks that are allocated again and again, when they are allocated.
//!
//! Invariant: no address inside of an object is one of another object, and but for those that are chosen, none just behind it.

use crate::c::check::types::align_of;
use crate::c::translate::{Extra, Ints, ObjectId, ObjectKind, Result, Translator, reject};
use crate::c::tree::{self, CompareOp};
use braid_logic::BvOp;
use braid_program::ast::build::{self, and, or};
use braid_program::ast::{self, Expr, Storage, VarId};
use braid_program::source::Span;

/// Objects do not touch each other.
const GAP: u64 = 16;
/// The distance of the same local variable of two threads is at least this.
const THREAD_STRIDE: u64 = 64;
/// So many threads have room in a region for their locals.
const THREADS: u64 = 1 << 8;
/// So many calls at a time of functions that call themselves, and whose variables have addresses.
pub const DEPTH: i64 = 1 << 8;

/// A part of the address space.
struct Area {
    from: i64,
    to: i64,
    /// Each object gets a multiple of this.
    step: i64,
}

/// What an object needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Room {
    Known,
    Region,
    /// A region whose blocks the program looks at.
    Observed,
}

/// More addresses than this are not chosen.
const MOST_SYMBOLS: usize = 32;

impl Translator<'_, '_> {
    fn area(&self, room: Room) -> Area {
        let narrow = self.pointer().bits() == 32;
        let chosen = !self.observed.looked_at.is_empty();
        let (from, to, step) = match room {
            Room::Known if narrow && chosen => (0xe << 28, 0xf << 28, GAP as i64),
            Room::Known if narrow => (1 << 12, 1 << 31, GAP as i64),
            Room::Known if chosen => (1 << 47, 1 << 48, GAP as i64),
            Room::Known => (1 << 12, 1 << 44, GAP as i64),
            Room::Region if !narrow => (1 << 48, 1 << 62, 1 << 44),
            Room::Region if chosen => (0xf << 28, 0xff << 24, 1 << 22),
            Room::Region => (1 << 31, 0xff << 24, 1 << 24),
            Room::Observed if narrow => (0xc << 28, 0xe << 28, 1 << 24),
            Room::Observed => (1 << 46, 1 << 47, 1 << 40),
        };
        Area { from, to, step }
    }

    /// The room for an array of variable length.
    pub(crate) fn open_size(&self) -> i64 {
        if self.pointer().bits() == 32 { 1 << 24 } else { 1 << 36 }
    }

    /// The distance of the same local variable of two threads.
    pub(crate) fn stride(&self, object: ObjectId) -> u64 {
        if self.has_variable_length(object) {
            return self.open_stride();
        }
        self.points.objects.get(object).size.next_multiple_of(THREAD_STRIDE) + THREAD_STRIDE
    }

    /// The address of an object, as a value of pointer type.
    pub(crate) fn address(&mut self, object: ObjectId, span: Span) -> Result<Expr> {
        let base = self.base(object, span)?;
        if !self.is_numbered(object) {
            return Ok(base);
        }
        let number = self.instance(object, span)?;
        let offset = build::mul(build::int(self.stride(object) as i64, span), number, span);
        Ok(self.moved(base, offset, span))
    }

    /// Which of the objects that a local variable is, by the thread and by how many calls there are around of functions that call themselves.
    fn instance(&mut self, object: ObjectId, span: Span) -> Result<Expr> {
        let Some(owner) = self.local_function(object) else { return Ok(self.identity(span)) };
        let is_inside = owner != self.frame.function && !self.unit.functions[owner.index()].inline;
        if is_inside && self.graph.is_apart(self.frame.function, owner) {
            return reject(span, "a thread that begins inside of a function, and uses its variables, is not supported");
        }
        if self.is_renewed(object) && !is_inside {
            let number = self.declaration_number(object, span);
            return Ok(self.var(number, span));
        }
        if !self.graph.is_recursive(owner) && !self.is_renewed(object) {
            return Ok(self.identity(span));
        }
        if is_inside {
            return reject(span, "a variable of a recursive function, in a function inside of it, is not supported");
        }
        self.learned.depths = true;
        let depth = self.frame.depth.map_or(build::int(0, span), |depth| self.var(depth, span));
        if !self.graph.in_several_threads(owner) {
            return Ok(depth);
        }
        let first = build::mul(build::int(DEPTH, span), self.identity(span), span);
        Ok(build::add(first, depth, span))
    }

    /// How many objects a local variable is at most.
    pub(crate) fn instances(&self, object: ObjectId) -> u64 {
        if self.is_renewed(object) {
            return self.most_declarations() as u64;
        }
        match self.local_function(object).filter(|&owner| self.graph.is_recursive(owner)) {
            Some(owner) if !self.graph.in_several_threads(owner) => DEPTH as u64,
            Some(_) => THREADS * DEPTH as u64,
            None => THREADS,
        }
    }

    /// A pointer value moved by a mathematical integer.
    fn moved(&self, pointer: Expr, by: Expr, span: Span) -> Expr {
        match self.ints {
            Ints::Math => build::add(pointer, by, span),
            Ints::Bits => {
                let by = match build::numeral(&by) {
                    Some(by) => build::bits(by, self.pointer().bits(), span),
                    None => build::bv(BvOp::FromInt(self.pointer().bits()), vec![by], span),
                };
                build::bv(BvOp::Add, vec![pointer, by], span)
            }
        }
    }

    /// A number as an address.
    pub(crate) fn fixed(&self, address: i64, span: Span) -> Expr {
        self.number(self.pointer(), address, span).expr
    }

    pub(crate) fn at_most(&self, a: Expr, b: Expr, span: Span) -> Expr {
        self.ints.compare(CompareOp::LessEqual, self.pointer(), a, b, span)
    }

    pub(crate) fn below(&self, a: Expr, b: Expr, span: Span) -> Expr {
        self.ints.compare(CompareOp::Less, self.pointer(), a, b, span)
    }

    /// Is a value of pointer type at least `low`, and below `high`?
    pub(crate) fn between(&self, value: &Expr, low: Expr, high: Expr, span: Span) -> Expr {
        and(self.at_most(low, value.clone(), span), self.below(value.clone(), high, span), span)
    }

    /// Does the program look at the addresses of the object, or of the blocks of an allocation?
    pub(crate) fn is_observed(&self, object: ObjectId) -> bool {
        self.observed.looked_at.contains_key(&self.points.objects.get(object).kind)
    }

    /// What every address of the object is a multiple of.
    pub(crate) fn alignment(&self, object: ObjectId) -> i64 {
        let described = self.points.objects.get(object);
        let asked = match described.kind {
            ObjectKind::Variable(id) => {
                let declared = &self.unit.variables[id.index()];
                let natural = align_of(&declared.ty.ty, self.unit.data_model, &self.unit.records);
                natural.max(declared.align.unwrap_or(1)).next_power_of_two()
            }
            ObjectKind::Heap(_) => u64::from(self.pointer().bits() / 4),
            ObjectKind::String(_) | ObjectKind::Function(_) | ObjectKind::Outside => 1,
        };
        asked as i64
    }

    /// A number that is chosen, as an address that is aligned, and what else is to be assumed of it.
    pub(crate) fn aligned(&self, chosen: VarId, align: i64, span: Span) -> (Expr, Expr) {
        let chosen = self.var(chosen, span);
        if self.ints == Ints::Math {
            return (build::mul(build::int(align, span), chosen, span), Expr::bool(true, span));
        }
        let mask = build::bv(BvOp::And, vec![chosen.clone(), self.fixed(align - 1, span)], span);
        (chosen, build::eq(mask, self.fixed(0, span), span))
    }

    /// Where the first object of its kind is.
    pub(crate) fn base(&mut self, object: ObjectId, span: Span) -> Result<Expr> {
        if let Some((_, symbol)) = self.cells.symbols.iter().find(|(own, _)| *own == object) {
            return Ok(symbol.clone());
        }
        let many = self.points.objects.get(object).many;
        if self.is_observed(object) && !many {
            let name = self.object_name(object);
            let at = self.observed.looked_at[&self.points.objects.get(object).kind];
            if self.is_numbered(object) {
                return reject(at, "the address of a local variable of several threads or calls is looked at");
            }
            if self.cells.symbols.len() == MOST_SYMBOLS {
                return reject(at, format!("the addresses of more than {MOST_SYMBOLS} objects are looked at"));
            }
            let ty = self.ints.ty(self.pointer());
            let chosen = self.declare(format!("{name}.address"), ty, Storage::Global, at);
            let symbol = self.aligned(chosen, self.alignment(object), span).0;
            let times = if self.ints == Ints::Math { self.alignment(object) } else { 1 };
            self.is_chosen(object, chosen, times);
            self.cells.symbols.push((object, symbol.clone()));
            return Ok(symbol);
        }
        let address = self.base_address(object, span)?;
        Ok(self.fixed(address, span))
    }

    /// What is to be assumed of the addresses that are chosen at the start.
    pub(crate) fn symbols(&self, span: Span) -> Vec<Expr> {
        let to = self.fixed(self.area(Room::Observed).from, span);
        let within = |a: &Expr, b: &Expr| self.at_most(a.clone(), b.clone(), span);
        let end = |(object, from): &(ObjectId, Expr)| {
            self.displaced(from.clone(), self.points.objects.get(*object).size.max(1) as i64, &[], span)
        };
        let mut assumed = Vec::new();
        for (number, symbol) in self.cells.symbols.iter().enumerate() {
            let behind = end(symbol);
            assumed.push(within(&self.fixed(1 << 12, span), &symbol.1));
            assumed.push(and(within(&symbol.1, &to), within(&behind, &to), span));
            if let ast::ExprKind::Var(chosen) = symbol.1.kind {
                assumed.push(self.aligned(chosen, self.alignment(symbol.0), span).1);
            }
            for other in &self.cells.symbols[..number] {
                assumed.push(or(within(&behind, &other.1), within(&end(other), &symbol.1), span));
            }
        }
        assumed
    }

    /// The same as a number.
    pub(crate) fn base_address(&mut self, object: ObjectId, span: Span) -> Result<i64> {
        if let Some(&address) = self.cells.addresses.get(&object) {
            return Ok(address);
        }
        let described = self.points.objects.get(object);
        let open = matches!(described.ty, tree::Type::Array(..)) && described.size == 0;
        let (room, size) = match (described.many, self.is_numbered(object)) {
            (true, _) => (self.blocks(object)?, 1),
            (false, true) => (Room::Region, self.stride(object).saturating_mul(self.instances(object))),
            (false, false) if open => (Room::Known, self.open_size() as u64 + GAP),
            (false, false) => (Room::Known, described.size.max(1).saturating_add(GAP)),
        };
        let area = self.area(room);
        let from = self.cells.next_address.get(&room).copied().unwrap_or(area.from);
        let size = size.checked_next_multiple_of(area.step as u64).and_then(|size| i64::try_from(size).ok());
        let Some(end) = size.and_then(|size| from.checked_add(size)).filter(|&end| end <= area.to) else {
            return reject(span, "the objects of this program do not fit into its address space");
        };
        self.cells.next_address.insert(room, end);
        self.cells.addresses.insert(object, from);
        Ok(from)
    }

    /// The room for the blocks of an allocation.
    fn blocks(&self, object: ObjectId) -> Result<Room> {
        match self.observed.ordered.get(&self.points.objects.get(object).kind) {
            Some(&at) => reject(at, "the order of blocks that one call allocates is looked at"),
            None if self.is_observed(object) => Ok(Room::Observed),
            None => Ok(Room::Region),
        }
    }

    /// The addresses between which all blocks of an allocation lie.
    pub(crate) fn region(&mut self, object: ObjectId, span: Span) -> Result<(i64, i64)> {
        let base = self.base_address(object, span)?;
        Ok((base, base + self.area(self.blocks(object)?).step))
    }

    /// How far the next block of an allocation is, if that is constant. Blocks of different sizes get much room where it is
    /// to be found out which one an address is in.
    pub(crate) fn block_step(&self, object: ObjectId) -> Option<i64> {
        let Some(bytes) = self.points.objects.get(object).bytes else {
            let wide = self.area(Room::Region).step > 1 << 32;
            return (self.tracks_blocks() || self.may_stay(object)).then_some(if wide { 1 << 32 } else { 1 << 18 });
        };
        i64::try_from(bytes.checked_next_multiple_of(GAP)?.checked_add(GAP)?).ok()
    }

    /// The start of the block that an address is in; none where blocks have no constant distance.
    pub(crate) fn block_start(&mut self, object: ObjectId, address: &Expr, span: Span) -> Result<Option<Expr>> {
        let base = self.base(object, span)?;
        let step = match (self.points.objects.get(object).many, self.is_numbered(object)) {
            (true, _) if self.is_observed(object) => None,
            (true, _) => self.block_step(object),
            (false, true) => Some(self.stride(object) as i64),
            (false, false) => return Ok(Some(base)),
        };
        let Some(step) = step else { return Ok(None) };
        let offset = self.remainder(self.difference(address, &base, span), step, span);
        Ok(Some(self.difference(address, &offset, span)))
    }

    pub(crate) fn difference(&self, a: &Expr, b: &Expr, span: Span) -> Expr {
        match self.ints {
            Ints::Math => build::sub(a.clone(), b.clone(), span),
            Ints::Bits => build::bv(BvOp::Add, vec![a.clone(), build::bv(BvOp::Neg, vec![b.clone()], span)], span),
        }
    }

    pub(crate) fn remainder(&self, a: Expr, by: i64, span: Span) -> Expr {
        match self.ints {
            Ints::Math => build::modulo(a, build::int(by, span), span),
            Ints::Bits => build::bv(BvOp::Urem, vec![a, self.fixed(by, span)], span),
        }
    }

    /// The start and the end of the object, or of the block, that an address is in or just behind.
    pub(crate) fn extent(&mut self, object: ObjectId, address: &Expr, span: Span) -> Result<(Expr, Expr)> {
        let base = self.base(object, span)?;
        let start = match self.block_start(object, address, span)? {
            None => return Ok((base, self.kept_of(object, Extra::Frontier, span))),
            Some(start) => start,
        };
        let end = self.end_of(object, &start, span);
        Ok((start, end))
    }

    /// The end of the object, or of the block, that starts at an address.
    pub(crate) fn end_of(&mut self, object: ObjectId, start: &Expr, span: Span) -> Expr {
        let described = self.points.objects.get(object);
        let size = if described.many { described.bytes } else { Some(described.size).filter(|&size| size > 0) };
        match size {
            Some(size) => self.displaced(start.clone(), size as i64, &[], span),
            None if described.many => build::select(self.kept_of(object, Extra::Ends, span), start.clone(), span),
            None if self.has_variable_length(object) => {
                let ends = self.kept_of(object, Extra::Ends, span);
                if self.is_numbered(object) { build::select(ends, start.clone(), span) } else { ends }
            }
            None => self.displaced(start.clone(), self.open_size(), &[], span),
        }
    }

    /// Are so many bytes at an address inside of the object, or of one block that is not free?
    pub(crate) fn is_inside(&mut self, object: ObjectId, address: &Expr, bytes: i64, span: Span) -> Result<Expr> {
        let base = self.base(object, span)?;
        let (start, end) = self.extent(object, address, span)?;
        let behind = self.displaced(address.clone(), bytes, &[], span);
        let live = build::not(self.is_free(object, start, span), span);
        let mut inside = and(self.at_most(base, address.clone(), span), self.at_most(behind.clone(), end, span), span);
        if self.points.objects.get(object).many {
            let frontier = self.kept_of(object, Extra::Frontier, span);
            inside = and(inside, self.at_most(behind, frontier, span), span);
        }
        Ok(and(inside, live, span))
    }

    /// Could so many blocks fill a region that an execution has them?
    pub(crate) fn may_run_out(&self, object: ObjectId) -> bool {
        let least = self.area(Room::Region).step >> 18;
        self.is_observed(object) || self.block_step(object).is_none_or(|step| step > least)
    }
}
