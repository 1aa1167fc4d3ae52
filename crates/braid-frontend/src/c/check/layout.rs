//! Where the fields of records lie, by the System V rules that GCC follows for both data models.

use crate::c::tree::{Field, Record};

/// What the layout needs to know of a field, in the order of declaration.
pub struct FieldRequest {
    /// The field, but for its offset; its alignment with its own attributes.
    pub field: Field,
    /// In bytes; 0 for a flexible array.
    pub size: u64,
    /// In bits: where a bit-field may begin.
    pub start: u64,
    /// A bit-field that is packed may begin in one unit of its type and end in the next.
    pub straddles: bool,
    /// An unnamed bit-field: it takes room, and is no field.
    pub is_gap: bool,
}

/// Lays the fields of a record out one behind the other, or on top of each other. Absent: it is too large for any machine.
pub fn lay_out(record: &mut Record, requests: Vec<FieldRequest>, least_align: u64) -> Option<()> {
    const LARGEST: u64 = 1 << 60;
    let mut fields = Vec::new();
    let mut align = least_align.max(1);
    // In bits.
    let (mut position, mut end) = (0_u64, 0_u64);
    for FieldRequest { mut field, size, start, straddles, is_gap } in requests {
        if record.is_union {
            position = 0;
        }
        let bits = size.checked_mul(8).filter(|&bits| bits < LARGEST)?;
        let unit = field.align * 8;
        let width = field.bit_width.map_or(bits, u64::from);
        let is_split = |position: u64| (position % unit + width).div_ceil(unit) > (bits / unit).max(1);
        position = match field.bit_width {
            Some(1..) => position.next_multiple_of(start),
            _ => position.next_multiple_of(unit),
        };
        if field.bit_width.is_some() && is_split(position) && !straddles {
            position = position.next_multiple_of(unit);
        }
        if field.bit_width != Some(0) && !is_gap {
            align = align.max(field.align).max(start / 8);
            field.offset = position / 8;
            field.bit_offset = (position % 8) as u32;
            fields.push(field);
        }
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
