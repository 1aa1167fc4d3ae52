//! Files that are no programs are each refused with a sentence.

use braid_frontend::load;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A directory of this test, gone when the test is.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("braid-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory can be made");
        Directory(path)
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).expect("a file can be written");
        path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn refusal(path: &Path) -> String {
    load(path).expect_err("this is not a program").to_string()
}

#[test]
fn each_refusal_is_a_sentence() {
    let directory = Directory::new("load");
    let check = |path: &Path, expected: &str| {
        let message = refusal(path);
        assert!(message.ends_with(expected), "{message}");
        assert!(message.starts_with(&*path.to_string_lossy()), "{message}");
    };
    check(&directory.0.join("none.wvr"), ": there is no such file");
    check(&directory.0, ": this is a directory, not a file");
    check(
        &directory.file("a.rs", b"fn main() {}"),
        ": no language has files named `*.rs`; known are `.c` (C), `.i` (preprocessed C), `.bpl` (Boogie), `.wvr` (Weaver), `.braid` (Braid)",
    );
    check(
        &directory.file("a.wvr", b"(seq \xff)"),
        ": not a text file: byte 5, in line 1, does not start a UTF-8 character",
    );
    check(
        &directory.file("empty.wvr", b""),
        ":1:1: error: this program has no statements\nhint: the smallest program is `(seq)`\n",
    );
    let large = directory.0.join("large.wvr");
    File::create(&large).and_then(|file| file.set_len((64 << 20) + 1)).expect("a file can be written");
    check(&large, ": too large: more than 64 MiB");
}

#[test]
fn the_name_decides_the_language() {
    let directory = Directory::new("language");
    assert!(load(&directory.file("a.braid", b"(assert true)")).is_ok());
    let weaver = refusal(&directory.file("a.wvr", b"(assert true)"));
    assert!(weaver.contains("a.wvr:1:1: error: Weaver's language does not have `assert`"), "{weaver}");
}
