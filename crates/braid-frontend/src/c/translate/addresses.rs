//! Where objects are: addresses are numbers.
//!
//! Objects of known size lie one after the other. What grows while the program runs (the blocks of an allocation, the locals of several
//! threads) has a region of its own.
//!
//! Invariant: no address inside of an object or just behind it is one of another object.

use super::build;
use super::objects::ObjectId;
use super::{Ints, Result, Translator, reject};
use crate::c::tree;
use braid_program::ast::Expr;
use braid_program::source::Span;

/// Objects do not touch each other.
const GAP: u64 = 16;
/// The distance of the same local variable of two threads is at least this.
const THREAD_STRIDE: u64 = 64;
/// So many threads have room in a region for their locals.
const THREADS: u64 = 1 << 8;

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
}

impl Translator<'_, '_> {
    fn area(&self, room: Room) -> Area {
        let narrow = self.pointer().bits() == 32;
        match room {
            Room::Known => Area { from: 1 << 12, to: if narrow { 1 << 31 } else { 1 << 44 }, step: GAP as i64 },
            // No constant is made of such addresses, so mathematical integers may leave the range of pointers.
            Room::Region if !narrow || self.ints == Ints::Math => Area { from: 1 << 44, to: 1 << 62, step: 1 << 44 },
            Room::Region => Area { from: 1 << 31, to: 1 << 32, step: 1 << 24 },
        }
    }

    /// The distance of the same local variable of two threads.
    fn stride(&self, object: ObjectId) -> u64 {
        self.points.objects.get(object).size.next_multiple_of(THREAD_STRIDE).max(THREAD_STRIDE)
    }

    /// The address of an object, as a value of pointer type.
    pub(super) fn address(&mut self, object: ObjectId, span: Span) -> Result<Expr> {
        let base = self.base(object, span)?;
        if !self.is_per_thread(object) {
            return Ok(base);
        }
        if let Some(function) = self.local_function(object)
            && self.graph.is_recursive(function)
        {
            return reject(span, "the address of a local variable of a recursive function is not supported");
        }
        let identity = self.identity(span);
        let offset = build::mul(build::int(self.stride(object) as i64, span), identity, span);
        Ok(self.moved(base, offset, span))
    }

    /// A pointer value moved by a mathematical integer.
    fn moved(&self, pointer: Expr, by: Expr, span: Span) -> Expr {
        match self.ints {
            Ints::Math => build::add(pointer, by, span),
            Ints::Bits => {
                let by = match build::numeral(&by) {
                    Some(by) => build::bits(by, self.pointer().bits(), span),
                    None => build::bv(braid_logic::BvOp::FromInt(self.pointer().bits()), vec![by], span),
                };
                build::bv(braid_logic::BvOp::Add, vec![pointer, by], span)
            }
        }
    }

    /// A number as an address.
    pub(super) fn fixed(&self, address: i64, span: Span) -> Expr {
        match self.ints {
            Ints::Math => build::int(address, span),
            Ints::Bits => self.number(self.pointer(), address, span).expr,
        }
    }

    /// Where the first object of its kind is.
    pub(super) fn base(&mut self, object: ObjectId, span: Span) -> Result<Expr> {
        let address = self.base_address(object, span)?;
        Ok(self.fixed(address, span))
    }

    /// The same as a number.
    pub(super) fn base_address(&mut self, object: ObjectId, span: Span) -> Result<i64> {
        if let Some(&address) = self.cells.addresses.get(&object) {
            return Ok(address);
        }
        let described = self.points.objects.get(object);
        let open = matches!(described.ty, tree::Type::Array(..)) && described.size == 0;
        let (room, size) = match (described.many, self.is_per_thread(object)) {
            (true, _) => (Room::Region, 1),
            (false, true) => (Room::Region, self.stride(object).saturating_mul(THREADS)),
            // Arrays of variable length.
            (false, false) if open => (Room::Known, if self.pointer().bits() == 32 { 1 << 24 } else { 1 << 36 }),
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

    /// The addresses between which all blocks of an allocation lie.
    pub(super) fn region(&mut self, object: ObjectId, span: Span) -> Result<(i64, i64)> {
        let base = self.base_address(object, span)?;
        Ok((base, base + self.area(Room::Region).step))
    }

    /// How far the next block of an allocation is, if its blocks have a constant size.
    pub(super) fn block_step(&self, object: ObjectId) -> Option<i64> {
        let bytes = self.points.objects.get(object).bytes?;
        i64::try_from(bytes.checked_next_multiple_of(GAP)?.checked_add(GAP)?).ok()
    }

    /// Could so many blocks fill a region that an execution has them?
    pub(super) fn may_run_out(&self, object: ObjectId) -> bool {
        let least = self.area(Room::Region).step >> 18;
        self.block_step(object).is_none_or(|step| step > least)
    }
}
