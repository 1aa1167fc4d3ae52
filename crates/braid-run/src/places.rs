//! Where in the source an address of the program is: `addr2line` knows.

use crate::Error;
use crate::compile::Compiled;
use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The function.
    pub function: String,
    /// The file, as the compiler names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Place {
    /// The name of the file, without its folders.
    pub fn file_name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }
}

impl Compiled {
    /// The places of addresses; those that are not of the program's own text are left out.
    pub fn places(&self, addresses: &[u64]) -> HashMap<u64, Place> {
        self.look_up(addresses).unwrap_or_default()
    }

    fn look_up(&self, addresses: &[u64]) -> Option<HashMap<u64, Place>> {
        let mut wanted: Vec<u64> = addresses.iter().copied().filter(|&address| address != 0).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut command = Command::new("addr2line");
        command.arg("-f").arg("-e").arg(self.executable()).env("LC_ALL", "C");
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.ok()?;
        let mut input = child.stdin.take()?;
        // Addresses of calls are where they return to: one less is still inside.
        let question: String = wanted.iter().map(|address| format!("{:x}\n", address - 1)).collect();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || input.write_all(question.as_bytes()));
            child.wait_with_output().ok()
        })?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut lines = text.lines();
        let mut places = HashMap::new();
        for address in wanted {
            let (function, place) = (lines.next()?, lines.next()?);
            let place = place.split(" (discriminator").next().unwrap_or(place);
            let Some((file, line)) = place.rsplit_once(':') else { continue };
            if let (Ok(line @ 1..), false) = (line.parse(), file.starts_with('?')) {
                places.insert(address, Place { function: function.to_owned(), file: file.to_owned(), line });
            }
        }
        Some(places)
    }

    /// For each address where a line of the source begins: the line. Sorted by address.
    pub(crate) fn lines(&self) -> Result<Vec<(u64, String, u32)>, Error> {
        let mut command = Command::new("objdump");
        command.args(["-w", "--dwarf=decodedline"]).arg(self.executable()).env("LC_ALL", "C");
        let output = command.output().map_err(|error| Error::Child(format!("objdump: {error}")))?;
        let mut lines = Vec::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            // A name, which may hold blanks, a line, an address, and more.
            let Some(at) = words.iter().position(|word| word.starts_with("0x")).filter(|&at| at >= 2) else { continue };
            let (Ok(address), Ok(number)) = (u64::from_str_radix(&words[at][2..], 16), words[at - 1].parse()) else {
                continue;
            };
            lines.push((address, words[..at - 1].join(" "), number));
        }
        lines.sort();
        Ok(lines)
    }
}
