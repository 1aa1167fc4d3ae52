//! Paths as URIs, and back.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// What a path needs no escape for.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte)
}

/// A path as the path of a URI.
pub fn encoded(path: &Path) -> String {
    let mut out = String::new();
    for &byte in path.as_os_str().as_bytes() {
        match is_plain(byte) {
            true => out.push(char::from(byte)),
            false => out += &format!("%{byte:02X}"),
        }
    }
    out
}

/// An absolute path as a URI.
pub fn of_path(path: &Path) -> String {
    format!("file://{}", encoded(path))
}

/// The path of a `file:` URI. None if it is another one, or is wrong.
pub fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let rest = rest.split(['?', '#']).next().filter(|path| path.starts_with('/'))?;
    let mut bytes = Vec::new();
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        bytes.push(match byte {
            b'%' => hexadecimal(left.next()?)? << 4 | hexadecimal(left.next()?)?,
            other => other,
        });
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (path, uri) in [
            ("/home/a/b.c", "file:///home/a/b.c"),
            ("/a b/ü%.c", "file:///a%20b/%C3%BC%25.c"),
            ("/a+b:c#d.c", "file:///a%2Bb%3Ac%23d.c"),
        ] {
            assert_eq!(of_path(Path::new(path)), uri);
            assert_eq!(to_path(uri), Some(PathBuf::from(path)));
        }
    }

    #[test]
    fn what_is_no_path() {
        for uri in ["untitled:1", "file://host/a", "file:///a%2", "file:///a%zz", "http://a/b", ""] {
            assert_eq!(to_path(uri), None, "{uri}");
        }
        assert_eq!(to_path("file://localhost/a:b"), Some(PathBuf::from("/a:b")));
    }
}
