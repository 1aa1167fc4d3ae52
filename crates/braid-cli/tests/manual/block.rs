//! The fenced blocks of a page.

/// A block between two fences.
pub struct Block {
    /// What stands after the first fence.
    pub info: String,
    /// The number of the first line after it, from 1.
    pub first_line: usize,
    pub lines: Vec<String>,
}

impl Block {
    /// The file that the block quotes: a second word with a folder in it.
    pub fn file(&self) -> Option<&str> {
        self.info.split_whitespace().nth(1).filter(|word| word.contains('/'))
    }
}

/// All blocks of a page. A fence is three back quotes at the beginning of a line.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(info), None) => {
                open = Some(Block { info: info.to_owned(), first_line: number + 2, lines: Vec::new() });
            }
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

#[test]
fn blocks_are_found() {
    let found = blocks("a\n```c examples/f.c\nint x;\n```\n```console\n```\n");
    assert_eq!(found[0].file(), Some("examples/f.c"));
    assert_eq!((found[0].first_line, found[0].lines.len()), (3, 1));
    assert_eq!((found[1].info.as_str(), found[1].file()), ("console", None));
}
