//! Directives that are left after preprocessing: line markers and pragmas.
//!
//! *Invariant*: a pragma is modelled (`pack`), harmless ([`HARMLESS`], [`OF_GCC`]), or rejected by name.

/// Warnings, documentation, optimisers. Floats are rounded to nearest and not contracted, whatever is asked for.
const HARMLESS: &str = "once message warning region endregion mark unroll nounroll ivdep push_macro pop_macro poison STDC \
    ident unused";
/// The same behind `GCC`.
const OF_GCC: &str = "diagnostic poison system_header dependency visibility unroll ivdep warning error push_options \
    pop_options reset_options target";

/// The packing that pragmas ask for, and what is to be restored.
#[derive(Default)]
pub struct Pragmas<'t> {
    /// The largest alignment of a field in bytes; 0: as its type says.
    pub pack: u8,
    pushed: Vec<(&'t str, u8)>,
}

impl<'t> Pragmas<'t> {
    /// Reads a line that starts with `#`; an error is what is not supported.
    pub fn read(&mut self, line: &'t str) -> Result<(), String> {
        let line = line.trim_start_matches('#').trim();
        let (directive, rest) = split_word(line);
        match directive {
            // Line markers, and what compilers write into object files.
            "" | "line" | "ident" | "sccs" => return Ok(()),
            "pragma" => {}
            _ => return Err(format!("`#{directive}` after preprocessing")),
        }
        let (name, rest) = split_word(rest);
        let (second, _) = split_word(rest);
        let known = |names: &str, name: &str| names.split_whitespace().any(|known| known == name);
        match name {
            "pack" => self.packing(rest).ok_or_else(|| "this `#pragma pack`".to_owned()),
            "GCC" if known(OF_GCC, second) => Ok(()),
            "clang" if matches!(second, "diagnostic" | "loop" | "system_header") => Ok(()),
            "GCC" | "clang" | "omp" => Err(format!("`#pragma {name} {second}`")),
            _ if name.is_empty() || known(HARMLESS, name) => Ok(()),
            _ => Err(format!("`#pragma {name}`")),
        }
    }

    /// `(n)`, `()`, `(push)`, `(push, n)`, `(push, name, n)`, `(pop)`, `(pop, name)`.
    fn packing(&mut self, list: &'t str) -> Option<()> {
        let list = list.trim().strip_prefix('(')?.split_once(')')?.0;
        let mut words = list.split(',').map(str::trim).filter(|word| !word.is_empty()).peekable();
        let action = words.next_if(|word| matches!(*word, "push" | "pop"));
        let name = words.next_if(|word| !word.starts_with(|c: char| c.is_ascii_digit())).unwrap_or("");
        let number = match words.next() {
            Some(word) => Some(word.parse().ok().filter(|number| matches!(number, 0 | 1 | 2 | 4 | 8 | 16))?),
            None => None,
        };
        match (action, number) {
            _ if words.next().is_some() || (action.is_none() && !name.is_empty()) => return None,
            (Some("push"), _) => self.pushed.push((name, self.pack)),
            (Some(_), None) => {
                let at = self.pushed.iter().rposition(|(pushed, _)| name.is_empty() || *pushed == name)?;
                self.pack = self.pushed[at].1;
                self.pushed.truncate(at);
            }
            (Some(_), Some(_)) => return None,
            (None, _) => self.pack = 0,
        }
        self.pack = number.unwrap_or(self.pack);
        Some(())
    }
}

/// The first word, or the sign that stands there, and what comes behind it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphabetic() && c != '_').unwrap_or(text.len());
    (&text[..end], &text[end..])
}
