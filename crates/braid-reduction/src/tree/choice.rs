//! The choice of orders at one state (paper 4, Definition of `reduce`, and section 7.3).
//!
//! A state with sleep set `S` is active if there is an order of its letters such that each letter `a` outside `S` leads to an
//! active state, whose sleep set is `(S ∪ R(a)) \ D(a)` for the letters `R(a)` before `a`. Activity grows with the sleep set.
//! So for total orders the greedy closure decides: whatever is active behind those found active before comes next. And for
//! partitions the best first part is all that is active with `S` alone.

use super::Slots;

/// Which orders of the letters may be chosen at a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Any total order.
    Total,
    /// Two parts, one before the other, none of whose own letters is before another of the part.
    Partition,
}

/// What is known of a successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    Active,
    Inactive,
    /// Nothing yet: look there first.
    Open,
}

/// What is known of a state, if its successors are as said.
pub(super) enum Local<const W: usize> {
    Active,
    /// Every order leads to an inactive state behind one of these letters, with these letters before it.
    Inactive(Vec<(usize, Slots<W>)>),
    /// It depends on a successor that was not looked at.
    Open,
}

/// Decides a state. `awake` are the letters outside the sleep set with their slots, those to try first in front; `reply` says what is
/// known behind a letter with others before it.
pub(super) fn decide<const W: usize, E>(
    choice: Choice,
    awake: &[(usize, u16)],
    reply: impl FnMut(usize, Slots<W>) -> Result<Reply, E>,
) -> Result<Local<W>, E> {
    match choice {
        Choice::Total => by_total_order(awake, reply),
        Choice::Partition => by_partition(awake, reply),
    }
}

/// Takes next whatever is active after those taken before, until nothing more is.
fn by_total_order<const W: usize, E>(
    awake: &[(usize, u16)],
    mut reply: impl FnMut(usize, Slots<W>) -> Result<Reply, E>,
) -> Result<Local<W>, E> {
    let mut before = Slots::EMPTY;
    // Those not found active yet, with what was before them when last asked.
    let mut waiting: Vec<(usize, u16, Option<Slots<W>>)> = awake.iter().map(|&(a, slot)| (a, slot, None)).collect();
    let mut grown = true;
    while grown && !waiting.is_empty() {
        grown = false;
        let mut place = 0;
        while place < waiting.len() {
            let (letter, slot, asked) = &mut waiting[place];
            if *asked == Some(before) {
                place += 1;
                continue;
            }
            match reply(*letter, before)? {
                Reply::Open => return Ok(Local::Open),
                Reply::Inactive => {
                    *asked = Some(before);
                    place += 1;
                }
                Reply::Active => {
                    before = before.with(*slot);
                    waiting.remove(place);
                    grown = true;
                }
            }
        }
    }
    Ok(match waiting.is_empty() {
        true => Local::Active,
        false => Local::Inactive(waiting.into_iter().map(|(letter, ..)| (letter, before)).collect()),
    })
}

/// Adds one letter after the other to the first part, as long as they are active alone, and sees each time whether the rest is active
/// after that part.
fn by_partition<const W: usize, E>(
    awake: &[(usize, u16)],
    mut reply: impl FnMut(usize, Slots<W>) -> Result<Reply, E>,
) -> Result<Local<W>, E> {
    let mut part = Slots::EMPTY;
    let mut rest: Vec<usize> = awake.iter().map(|&(letter, _)| letter).collect();
    // A letter of the rest that is inactive even after the part.
    let mut stuck = None;
    for &(letter, slot) in awake {
        match reply(letter, Slots::EMPTY)? {
            Reply::Open => return Ok(Local::Open),
            Reply::Inactive => continue,
            Reply::Active => {}
        }
        part = part.with(slot);
        rest.retain(|&other| other != letter);
        match first_not_active(&rest, part, &mut reply)? {
            None => return Ok(Local::Active),
            Some((_, Reply::Open)) => return Ok(Local::Open),
            Some((letter, _)) => stuck = Some(letter),
        }
    }
    if rest.is_empty() {
        return Ok(Local::Active);
    }
    // Without the part before it each of them is inactive.
    let before = |letter| if Some(letter) == stuck { part } else { Slots::EMPTY };
    Ok(Local::Inactive(rest.into_iter().map(|letter| (letter, before(letter))).collect()))
}

/// The first of some letters that is not known to be active after others, and what is known of it.
fn first_not_active<const W: usize, E>(
    letters: &[usize],
    before: Slots<W>,
    reply: &mut impl FnMut(usize, Slots<W>) -> Result<Reply, E>,
) -> Result<Option<(usize, Reply)>, E> {
    for &letter in letters {
        let known = reply(letter, before)?;
        if known != Reply::Active {
            return Ok(Some((letter, known)));
        }
    }
    Ok(None)
}

/// Is a state active, by the definition: by trying all orders? For tests: `active` says what is known behind a letter with
/// others before it.
pub fn by_all_orders<const W: usize>(
    choice: Choice,
    awake: &[(usize, u16)],
    mut active: impl FnMut(usize, Slots<W>) -> bool,
) -> bool {
    match choice {
        Choice::Total => {
            fn some_order<const W: usize>(
                rest: &[(usize, u16)],
                before: Slots<W>,
                active: &mut impl FnMut(usize, Slots<W>) -> bool,
            ) -> bool {
                rest.is_empty()
                    || (0..rest.len()).any(|place| {
                        let (letter, slot) = rest[place];
                        let others: Vec<_> = rest.iter().copied().filter(|&(other, _)| other != letter).collect();
                        active(letter, before) && some_order(&others, before.with(slot), active)
                    })
            }
            some_order(awake, Slots::EMPTY, &mut active)
        }
        Choice::Partition => (0..1u32 << awake.len()).any(|part| {
            let first = |place: usize| part >> place & 1 == 1;
            let before: Slots<W> = (0..awake.len()).filter(|&place| first(place)).map(|place| awake[place].1).collect();
            awake
                .iter()
                .enumerate()
                .all(|(place, &(letter, _))| active(letter, if first(place) { Slots::EMPTY } else { before }))
        }),
    }
}
