//! Comma-separated values as RFC 4180 has them: cells with commas, quotes or line ends stand in quotes.
//!
//! *Invariant*: what [`line`] writes, [`read`] gives back. A text that ends in the middle of a record, because its writer was ended, is
//! read up to the last whole one.

/// The records of a text, the first of them its header.
#[derive(PartialEq, Eq, Debug)]
pub struct Table {
    pub header: Vec<String>,
    /// Each has as many cells as the header.
    pub records: Vec<Vec<String>>,
    /// Is there a last record that is not whole?
    pub truncated: bool,
}

impl Table {
    /// The cells of a record by the names of their columns; empty where there is no such column.
    pub fn cell<'a>(&self, record: &'a [String], column: &str) -> &'a str {
        let place = self.header.iter().position(|name| name == column);
        place.and_then(|place| record.get(place)).map_or("", String::as_str)
    }
}

/// A record as a line.
pub fn line<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let quoted = |cell: &str| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    };
    cells.into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// Reads a text. What is wrong with it, and in which line, otherwise.
pub fn read(text: &str) -> Result<Table, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut table, mut rest, mut number) = (None::<Table>, text, 1);
    while !rest.is_empty() {
        let (cells, length, whole) = record(rest);
        let start = number;
        number += rest[..length].matches('\n').count();
        rest = &rest[length..];
        if cells.iter().all(String::is_empty) && cells.len() == 1 {
            continue;
        }
        match &mut table {
            None => table = Some(Table { header: cells, records: Vec::new(), truncated: false }),
            // A last line without its end may be a whole record, of a file that an editor wrote.
            Some(table) if cells.len() == table.header.len() && whole != Whole::OpenQuote => table.records.push(cells),
            Some(table) if whole != Whole::Ended => table.truncated = true,
            Some(table) => {
                let (found, expected) = (cells.len(), table.header.len());
                return Err(format!("line {start}: {found} cells, where the first line has {expected}"));
            }
        }
    }
    table.ok_or_else(|| "there is no line in it".to_owned())
}

#[derive(PartialEq, Eq)]
enum Whole {
    /// It ends with its line.
    Ended,
    /// The text ends without a line end.
    NoLineEnd,
    /// The text ends inside quotes.
    OpenQuote,
}

/// The first record of a text, its length with the line end, and whether all of it is there.
fn record(text: &str) -> (Vec<String>, usize, Whole) {
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut characters = text.char_indices().peekable();
    while let Some((place, c)) = characters.next() {
        match c {
            '"' if quoted => match characters.next_if(|(_, next)| *next == '"') {
                Some(_) => cell.push('"'),
                None => quoted = false,
            },
            '"' if cell.is_empty() => quoted = true,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            '\r' if !quoted && characters.peek().is_some_and(|(_, next)| *next == '\n') => {}
            '\n' if !quoted => {
                cells.push(cell);
                return (cells, place + 1, Whole::Ended);
            }
            c => cell.push(c),
        }
    }
    cells.push(cell);
    (cells, text.len(), if quoted { Whole::OpenQuote } else { Whole::NoLineEnd })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(header: &[&str], records: &[&[&str]], truncated: bool) -> Table {
        let owned = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        Table { header: owned(header), records: records.iter().map(|record| owned(record)).collect(), truncated }
    }

    #[test]
    fn what_is_written_is_read() {
        let cells = ["", "plain", "a,b", "say \"no\"", "two\nlines", "\r\n", "ü", " spaces ", "\""];
        let text = line(["1", "2", "3", "4", "5", "6", "7", "8", "9"]) + &line(cells) + &line(cells);
        let read = read(&text).unwrap();
        assert_eq!(read.records, vec![cells.map(str::to_owned).to_vec(); 2]);
        assert_eq!((read.cell(&read.records[0], "4"), read.cell(&read.records[0], "none")), ("say \"no\"", ""));
    }

    #[test]
    fn ends_in_the_middle() {
        let check = |text: &str, expected: Table| assert_eq!(read(text), Ok(expected), "{text:?}");
        check("a,b\n1,2\n", table(&["a", "b"], &[&["1", "2"]], false));
        check("a,b\r\n1,2\r\n\r\n", table(&["a", "b"], &[&["1", "2"]], false));
        check("a,b\n1,2", table(&["a", "b"], &[&["1", "2"]], false));
        check("a,b\n1,2\n3", table(&["a", "b"], &[&["1", "2"]], true));
        check("a,b\n1,2\n3,\"x", table(&["a", "b"], &[&["1", "2"]], true));
        check("\u{feff}a\n1\n", table(&["a"], &[&["1"]], false));
    }

    #[test]
    fn wrong_texts() {
        assert_eq!(read(""), Err("there is no line in it".into()));
        assert_eq!(read("a,b\n\"1\n2\",3\n4\n5,6\n"), Err("line 4: 1 cells, where the first line has 2".into()));
    }
}
