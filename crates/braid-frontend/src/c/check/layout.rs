//! Where the fields of records lie, by the System V rules that GCC follows for both data models.

use crate::c::tree::{Field, Qualified};

/// What the layout needs to know of a field, in the order of declaration.
pub struct FieldRequest {
    pub name: Option<String>,
    pub ty: Qualified,
    /// In bytes; 0 for a flexible array.
    pub size: u64,
    /// In bytes, with the field's own attributes.
    pub align: u64,
    /// In bits: where a bit-field may begin.
    pub start: u64,
    pub bit_width: Option<u32>,
    /// A bit-field that is packed may begin in one unit of its type and end in the next.
    pub straddles: bool,
    /// An unnamed bit-field: it takes room, and is no field.
    pub is_gap: bool,
}

/// The layout of a record.
pub struct Layout {
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
}

/// Lays fields out one behind the other, or on top of each other. Absent: the record is too large for any machine.
pub fn lay_out(requests: Vec<FieldRequest>, is_union: bool, least_align: u64) -> Option<Layout> {
    const LARGEST: u64 = 1 << 60;
    let mut fields = Vec::new();
    let mut align = least_align.max(1);
    // In bits.
    let (mut position, mut end) = (0_u64, 0_u64);
    for request in requests {
        if is_union {
            position = 0;
        }
        let bits = request.size.checked_mul(8).filter(|&bits| bits < LARGEST)?;
        match request.bit_width {
            Some(0) => position = position.next_multiple_of(request.align * 8),
            Some(width) => {
                let unit = request.align * 8;
                position = position.next_multiple_of(request.start);
                let straddles = (position % unit + u64::from(width)).div_ceil(unit) > (bits / unit).max(1);
                if straddles && !request.straddles {
                    position = position.next_multiple_of(unit);
                }
                if !request.is_gap {
                    align = align.max(request.align).max(request.start / 8);
                    fields.push(field(&request, position));
                }
                position += u64::from(width);
            }
            None => {
                position = position.next_multiple_of(request.align * 8);
                align = align.max(request.align);
                fields.push(field(&request, position));
                position += bits;
            }
        }
        end = end.max(position);
        if end >= LARGEST {
            return None;
        }
    }
    Some(Layout { fields, size: end.div_ceil(8).next_multiple_of(align), align })
}

/// A field that begins at a bit.
fn field(request: &FieldRequest, position: u64) -> Field {
    Field {
        name: request.name.clone(),
        ty: request.ty.clone(),
        offset: position / 8,
        align: request.align,
        bit_width: request.bit_width,
        bit_offset: (position % 8) as u32,
    }
}
