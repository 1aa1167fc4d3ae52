//! What every witness says of itself: who made it, when, and for which task.

use crate::exit::Failure;
use crate::property;
use braid_program::ast::Checks;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a witness says of itself.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// The files of the program, with the SHA-256 of what is in them.
    pub files: Vec<(String, String)>,
    /// The property, one formula a line.
    pub specification: Vec<String>,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    /// When it was made, in UTC.
    pub time: String,
    /// How Braid was called.
    pub command_line: String,
    pub uuid: String,
}

impl Metadata {
    /// Of a task, now.
    pub fn new(files: &[String], checks: Checks, data_model: &str) -> Result<Metadata, Failure> {
        let hash = |file: &String| {
            let bytes = fs::read(Path::new(file))
                .map_err(|error| Failure::rejected(format!("{file}: cannot be read again for the witness: {error}")))?;
            Ok((file.clone(), hexadecimal(&Sha256::digest(bytes))))
        };
        let files = files.iter().map(hash).collect::<Result<Vec<(String, String)>, Failure>>()?;
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let words: Vec<String> = std::env::args().collect();
        let seed = format!("{} {} {words:?} {files:?}", elapsed.as_nanos(), std::process::id());
        Ok(Metadata {
            files,
            specification: property::formulas(checks),
            data_model: data_model.to_owned(),
            time: utc(elapsed.as_secs()),
            command_line: words.join(" "),
            uuid: uuid(&Sha256::digest(seed)),
        })
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An identifier that is made of a hash (version 8 of RFC 9562).
fn uuid(hash: &[u8]) -> String {
    let mut bytes: Vec<u8> = hash[..16].to_vec();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hexadecimal(&bytes);
    [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-")
}

/// Seconds since 1970 as a date and a time.
pub fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here: the day that not every year has is the last one.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_735_689_599), "2024-12-31T23:59:59Z");
    }

    #[test]
    fn identifiers() {
        assert_eq!(uuid(&[0xff; 32]), "ffffffff-ffff-8fff-bfff-ffffffffffff");
        let hash = hexadecimal(&Sha256::digest("abc"));
        assert_eq!(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
