//! What functions without a body wrote in an execution, and where that is in the memory of the compiled program.
//!
//! The translation of C says it in the names of the variables that hold what is written: `f()->x@a0+4:2`. Its module
//! `translate::outside::reach` says what the parts mean.

use super::guide::number;
use braid_logic::{ArrayBase, Value};
use braid_run::{Way, WayStart};

/// Elements of an array that are written one by one.
const MOST_ELEMENTS: u64 = 4096;

/// What a variable of the model says about a function without a body.
#[derive(Debug, PartialEq, Eq)]
pub struct Effect<'a> {
    pub function: &'a str,
    /// None if only the model knows it.
    pub place: Option<Place>,
}

/// Where in memory a value goes.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    pub object: Way,
    offset: u64,
    pub size: u64,
    pub bits: Option<(u8, u8)>,
    /// Is it only read?
    pub is_read: bool,
    pub is_atomic: bool,
    /// Is the value whether a pointer stays? Otherwise it becomes null.
    is_kept: bool,
    /// Is it one of the elements, whose indices were chosen before? Otherwise, it is all of them.
    is_chosen: bool,
    /// The elements of an array, and their distance, for each dimension.
    dimensions: Vec<(u64, u64)>,
}

/// Reads the name of a variable; none if it does not hold what a function wrote.
pub fn effect(name: &str) -> Option<Effect<'_>> {
    let (before, after) = name.split_once("()->")?;
    let function = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next()?;
    // A number behind a point makes the name unique.
    let reach = after.split_once('@').map(|(_, reach)| reach.split('.').next().unwrap_or(reach));
    Some(Effect { function, place: reach.and_then(place) })
}

/// Does a variable hold what a function without a body wrote?
pub fn is_effect(name: &str) -> bool {
    effect(name).is_some()
}

/// A text for people, without places in memory.
pub fn plain(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("()->") {
        let end = after.find(|c: char| !c.is_alphanumeric() && !"_$.[]".contains(c)).unwrap_or(after.len());
        out += before;
        out += "()->";
        out += &after[..end];
        rest = &after[end..];
        if let Some(reach) = rest.strip_prefix('@') {
            rest = reach.trim_start_matches(|c: char| c.is_alphanumeric() || "_$=>+:/*#%?!~".contains(c));
        }
    }
    out + rest
}

fn place(reach: &str) -> Option<Place> {
    let (reach, flags) = reach.split_at(reach.find(['?', '!', '~']).unwrap_or(reach.len()));
    let (way, rest) = reach.split_once('+')?;
    let mut parts = way.split('>');
    let start = match parts.next()? {
        start if start.starts_with('=') => WayStart::Variable(start[1..].to_owned()),
        start => WayStart::Argument(start.strip_prefix('a')?.parse().ok()?),
    };
    let pointers: Vec<u64> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let end = rest.find(['%', '#']).unwrap_or(rest.len());
    let (offset, size) = rest[..end].split_once(':')?;
    let mut size = size.split('/').map(|part| part.parse::<u8>().ok());
    let (size, shift, width) = (u64::from(size.next()??), size.next().flatten(), size.next().flatten());
    let is_chosen = rest[end..].starts_with('%');
    let mut dimensions = Vec::new();
    for part in rest[end..].split(['#', '%']).skip(1) {
        let (count, stride) = part.split_once('*')?;
        dimensions.push((count.parse().ok()?, stride.parse().ok()?));
    }
    Some(Place {
        object: Way { start, pointers },
        offset: offset.parse().ok()?,
        size,
        bits: shift.zip(width),
        is_read: flags.contains('!'),
        is_atomic: flags.contains('~'),
        is_kept: flags.contains('?'),
        is_chosen,
        dimensions,
    })
}

impl Place {
    /// Is it one of several elements, which are written one after the other?
    pub fn is_any_element(&self) -> bool {
        self.is_chosen
    }

    /// Where in the object it is, and its size, whatever the indices are.
    pub fn extent(&self) -> (u64, u64) {
        let last = self.dimensions.iter().map(|(count, stride)| count.saturating_sub(1).saturating_mul(*stride));
        (self.offset, last.fold(self.size, u64::saturating_add))
    }

    /// The offsets in the object and the values that go there, given what the thread chose before; none if that is not known.
    pub fn values(&self, value: &Value, before: &[i64]) -> Option<Vec<(u64, i64)>> {
        if self.size > 8 {
            return None;
        }
        if !self.is_chosen && !self.dimensions.is_empty() {
            return self.elements(value);
        }
        let indices = before.get(before.len().checked_sub(self.dimensions.len())?..)?;
        let steps = self
            .dimensions
            .iter()
            .zip(indices)
            .map(|((_, stride), index)| stride.checked_mul(u64::try_from(*index).ok()?));
        let offset = steps.sum::<Option<u64>>()?.checked_add(self.offset)?;
        match (self.is_kept, number(value)?) {
            (true, 0) => Some(vec![(offset, 0)]),
            (true, _) => Some(Vec::new()),
            (false, number) => Some(vec![(offset, number)]),
        }
    }

    fn elements(&self, value: &Value) -> Option<Vec<(u64, i64)>> {
        let Value::Array(array) = value else { return None };
        let total = self.dimensions.iter().try_fold(1u64, |total, (count, _)| total.checked_mul(*count));
        let total = total.filter(|&total| total <= MOST_ELEMENTS)?;
        let mut values: Vec<Option<i64>> = vec![None; total as usize];
        if let ArrayBase::Constant(base) = &array.base {
            values.fill(Some(number(base)?));
        }
        for (index, element) in array.cells.iter() {
            if let Some(value) = number(index).and_then(|index| values.get_mut(usize::try_from(index).ok()?)) {
                *value = Some(number(element)?);
            }
        }
        let known = (0..total).zip(values).filter_map(|(at, value)| Some((self.offset + self.distance(at), value?)));
        Some(known.collect())
    }

    /// How far an element of an array is from the first one.
    fn distance(&self, element: u64) -> u64 {
        let (mut rest, mut distance) = (element, 0);
        for (count, stride) in self.dimensions.iter().rev() {
            distance += rest % count * stride;
            rest /= count;
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use braid_logic::{ArrayValue, Integer};

    fn int(value: i64) -> Value {
        Value::Int(Integer::from(value))
    }

    #[test]
    fn names_say_who_writes_where() {
        let read = effect("worker.get()->x.d@a1>8+16:4.2").unwrap();
        assert_eq!(read.function, "get");
        let place = read.place.unwrap();
        assert_eq!(place.object, Way { start: WayStart::Argument(1), pointers: vec![8] });
        assert_eq!((place.size, place.bits), (4, None));
        assert_eq!(place.values(&int(7), &[]), Some(vec![(16, 7)]));
        assert_eq!(effect("get()->x").unwrap().place, None);
        assert_eq!(effect("get()"), None);
        let static_bits = effect("set()->s.b@=s+0:1/3/2").unwrap().place.unwrap();
        assert_eq!((static_bits.object.start, static_bits.bits), (WayStart::Variable("s".into()), Some((3, 2))));
    }

    #[test]
    fn elements_are_chosen_or_all() {
        let any = effect("fill()->big@a0+4:2%9*2").unwrap().place.unwrap();
        assert!(any.is_any_element());
        assert_eq!(any.values(&int(5), &[9, 3]), Some(vec![(10, 5)]));
        assert_eq!(any.values(&int(5), &[]), None);
        let all = effect("fill()->big@a0+0:1#2*4#3*1").unwrap().place.unwrap();
        let base = ArrayBase::Constant(int(0));
        let array = ArrayValue { base, cells: Default::default() }.store(int(4), int(9));
        let zeros_but_one = vec![(0, 0), (1, 0), (2, 0), (4, 0), (5, 9), (6, 0)];
        assert_eq!(all.values(&Value::Array(array.into()), &[]), Some(zeros_but_one));
        let pointer = effect("reset()->p@a0+8:8?").unwrap().place.unwrap();
        assert_eq!(pointer.values(&Value::Bool(true), &[]), Some(Vec::new()));
        assert_eq!(pointer.values(&Value::Bool(false), &[]), Some(vec![(8, 0)]));
        let accessed = effect("look()->p@a0+8:8~!").unwrap().place.unwrap();
        assert!(accessed.is_read && accessed.is_atomic && all.extent() == (0, 7));
    }

    #[test]
    fn people_see_no_places() {
        assert_eq!(plain("[get()->x@a0+0:4.2 = 3]; f()->s.d@=s>8+4:2/1/3 = 1"), "[get()->x.2 = 3]; f()->s.d = 1");
        assert_eq!(plain("f() = a@b"), "f() = a@b");
    }
}
