//! Where variables are in memory: what a debugger would know.

use crate::Error;
use crate::compile::Compiled;
use std::collections::HashMap;
use std::process::Command;

/// The variables of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Storage {
    /// With static storage: name, address and size.
    pub statics: Vec<(String, u64, u64)>,
    /// On stacks.
    pub locals: Vec<Local>,
}

/// A variable of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    /// The addresses of the function's code: the first, and the one after the last.
    pub code: (u64, u64),
    /// Where it is from the frame pointer.
    pub offset: i64,
    /// Its size.
    pub size: u64,
}

impl Compiled {
    /// Asks `objdump` for it.
    pub(crate) fn storage(&self) -> Result<Storage, Error> {
        let mut command = Command::new("objdump");
        command.arg("--dwarf=info").arg(self.executable()).env("LC_ALL", "C");
        let output = command.output().map_err(|error| Error::Child(format!("objdump: {error}")))?;
        Ok(Storage::parse(&String::from_utf8_lossy(&output.stdout)))
    }
}

/// One entry of the debug information.
#[derive(Default)]
struct Entry {
    depth: usize,
    tag: String,
    attributes: HashMap<String, String>,
}

impl Entry {
    fn get(&self, attribute: &str) -> Option<&str> {
        self.attributes.get(attribute).map(String::as_str)
    }

    /// The name; long ones stand elsewhere, and are repeated after a colon.
    fn name(&self) -> Option<&str> {
        let name = self.get("DW_AT_name")?;
        Some(if name.starts_with('(') { name.split_once("): ")?.1 } else { name }.trim())
    }

    fn number(&self, attribute: &str) -> Option<u64> {
        let text = self.get(attribute)?;
        let text = if text.starts_with('(') { text.split_once(')')?.1.trim() } else { text };
        match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    }

    /// What follows an operation in a location.
    fn operand(&self, attribute: &str, operation: &str) -> Option<&str> {
        let (_, rest) = self.get(attribute)?.split_once(operation)?;
        Some(rest.trim_end().strip_suffix(')')?.trim())
    }
}

/// All entries, in order.
fn entries(text: &str) -> Vec<(u64, Entry)> {
    let mut entries: Vec<(u64, Entry)> = Vec::new();
    for line in text.lines().map(str::trim_start) {
        let Some(rest) = line.strip_prefix('<') else { continue };
        let Some((first, rest)) = rest.split_once('>') else { continue };
        if let Some((place, rest)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            let tag = rest.rsplit_once('(').map_or("", |(_, tag)| tag.trim_end_matches([')', ' ']));
            if let (Ok(depth), Ok(place)) = (first.parse(), u64::from_str_radix(place, 16)) {
                entries.push((place, Entry { depth, tag: tag.to_owned(), attributes: HashMap::new() }));
            }
        } else if let (Some((attribute, value)), Some((_, entry))) = (rest.split_once(':'), entries.last_mut()) {
            entry.attributes.insert(attribute.trim().to_owned(), value.trim().to_owned());
        }
    }
    entries
}

impl Storage {
    fn parse(text: &str) -> Storage {
        let entries = entries(text);
        let types =
            Types { at: entries.iter().enumerate().map(|(at, (place, _))| (*place, at)).collect(), entries: &entries };
        let mut storage = Storage::default();
        // The function around: its depth, its code and where its frame begins.
        let mut function: Option<(usize, (u64, u64), i64)> = None;
        for (_, entry) in &entries {
            function = function.filter(|(depth, ..)| entry.depth > *depth);
            if entry.tag == "DW_TAG_subprogram" {
                function = code(entry).map(|(code, base)| (entry.depth, code, base));
            }
            if entry.tag != "DW_TAG_variable" && entry.tag != "DW_TAG_formal_parameter" {
                continue;
            }
            let Some(size) = types.size_of(entry, 0) else { continue };
            let address = entry.operand("DW_AT_location", "(DW_OP_addr:");
            let offset = entry.operand("DW_AT_location", "(DW_OP_fbreg:").and_then(|text| text.parse::<i64>().ok());
            match (address.and_then(|text| u64::from_str_radix(text, 16).ok()), offset, function) {
                (Some(address), ..) => {
                    storage.statics.push((entry.name().unwrap_or_default().to_owned(), address, size));
                }
                (None, Some(offset), Some((_, code, base))) => {
                    storage.locals.push(Local { code, offset: offset + base, size });
                }
                _ => {}
            }
        }
        storage
    }

    /// The only variable with this name: its address.
    pub fn address(&self, name: &str) -> Option<u64> {
        let mut found = self.statics.iter().filter(|(known, ..)| known == name);
        let (_, address, _) = found.next()?;
        found.all(|(_, other, _)| other == address).then_some(*address)
    }
}

/// The code of a function, and where its frame begins, from the frame pointer; only x86 has that always in one place.
fn code(entry: &Entry) -> Option<((u64, u64), i64)> {
    let low = entry.number("DW_AT_low_pc")?;
    let base = entry.get("DW_AT_frame_base")?;
    let base = if base.contains("DW_OP_call_frame_cfa") {
        16
    } else if base.contains("DW_OP_reg6") {
        0
    } else {
        return None;
    };
    cfg!(target_arch = "x86_64").then_some(((low, low + entry.number("DW_AT_high_pc")?), base))
}

struct Types<'a> {
    at: HashMap<u64, usize>,
    entries: &'a [(u64, Entry)],
}

impl Types<'_> {
    /// The size of what an entry is of, in bytes.
    fn size_of(&self, entry: &Entry, nesting: usize) -> Option<u64> {
        let place = entry.get("DW_AT_type")?.trim_matches(['<', '>']);
        let at = *self.at.get(&u64::from_str_radix(place.trim_start_matches("0x"), 16).ok()?)?;
        let ty = &self.entries[at].1;
        if let Some(size) = ty.number("DW_AT_byte_size") {
            return Some(size);
        }
        // Clang does not say it: this is for machines with 64-bit pointers.
        if ty.tag == "DW_TAG_pointer_type" {
            return Some(8);
        }
        if nesting > 50 {
            return None;
        }
        let inner = self.size_of(ty, nesting + 1)?;
        if ty.tag != "DW_TAG_array_type" {
            return Some(inner);
        }
        let parts = self.entries[at + 1..].iter().map(|(_, part)| part);
        let dimensions =
            parts.take_while(|part| part.depth > ty.depth).filter(|part| part.tag == "DW_TAG_subrange_type");
        dimensions.into_iter().try_fold(inner, |size, part| {
            let count = part.number("DW_AT_count").or_else(|| part.number("DW_AT_upper_bound")?.checked_add(1));
            size.checked_mul(count?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_places_and_sizes() {
        let text = " <1><4c>: Abbrev Number: 1 (DW_TAG_base_type)\n    <4d>   DW_AT_byte_size   : 4\n \
                    <1><53>: Abbrev Number: 3 (DW_TAG_array_type)\n    <54>   DW_AT_type        : <0x4c>\n \
                    <2><5c>: Abbrev Number: 2 (DW_TAG_subrange_type)\n    <61>   DW_AT_upper_bound : 9\n \
                    <1><60>: Abbrev Number: 4 (DW_TAG_variable)\n    <61>   DW_AT_name : (indirect string, offset: 0x1): all\n    \
                    <62>   DW_AT_type : <0x53>\n    <63>   DW_AT_location : 9 byte block: 3 0 \t(DW_OP_addr: 4040c0)\n \
                    <1><70>: Abbrev Number: 5 (DW_TAG_subprogram)\n    <71>   DW_AT_low_pc : 0x40\n    <72>   DW_AT_high_pc : 0x10\n    \
                    <73>   DW_AT_frame_base : 1 byte block: 9c \t(DW_OP_call_frame_cfa)\n \
                    <2><80>: Abbrev Number: 6 (DW_TAG_variable)\n    <81>   DW_AT_type : <0x4c>\n    \
                    <82>   DW_AT_location : 2 byte block: 91 50 \t(DW_OP_fbreg: -48)\n";
        let storage = Storage::parse(text);
        assert_eq!(storage.statics, [("all".to_owned(), 0x4040c0, 40)]);
        assert_eq!(storage.address("all"), Some(0x4040c0));
        if cfg!(target_arch = "x86_64") {
            assert_eq!(storage.locals, [Local { code: (0x40, 0x50), offset: -32, size: 4 }]);
        }
    }
}
