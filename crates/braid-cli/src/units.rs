//! Times, sizes, ranges, directories and macros as people write them.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// `60`, `60s`, `1.5m`, `500ms`, `1h`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "" | "s" => number,
        "ms" => number / 1e3,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        other => return Err(format!("`{other}` is not a unit of time: use ms, s, m or h")),
    };
    if seconds == 0.0 {
        return Err("the time should be longer than 0".into());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "this is too long".into())
}

/// `4GiB`, `500MB`, `1000000`.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{unit}` is not a unit of memory: use KiB, MiB, GiB, kB, MB or GB")),
    };
    match number * factor {
        bytes if bytes < 1.0 => Err("the size should be larger than 0".into()),
        bytes if bytes >= 1e18 => Err("this is too much".into()),
        bytes => Ok(bytes as u64),
    }
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    match number.parse::<f64>() {
        Ok(number) => Ok((number, unit.trim())),
        Err(_) => Err("this should start with a number, such as 60 or 1.5".into()),
    }
}

/// `LO..HI`, both ends included.
pub fn parse_inputs(text: &str) -> Result<RangeInclusive<i64>, String> {
    const FORM: &str = "this should be two integers with `..` between them, such as -1..3";
    let (low, high) = text.split_once("..").ok_or(FORM)?;
    let parse = |end: &str| end.trim().parse::<i64>().map_err(|_| FORM);
    let (low, high) = (parse(low)?, parse(high.strip_prefix('=').unwrap_or(high))?);
    if low > high {
        return Err(format!("there is nothing between {low} and {high}: the smaller end comes first"));
    }
    if high.checked_sub(low).is_none_or(|count| count >= 100_000) {
        return Err("at most 100,000 values can be tried for each input".into());
    }
    Ok(low..=high)
}

/// A directory that is there: the preprocessor would not say that it is not.
pub fn parse_directory(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_dir() { Ok(path) } else { Err("there is no such directory".into()) }
}

/// A file that is there.
pub fn parse_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_file() { Ok(path) } else { Err("there is no such file".into()) }
}

/// `NAME`, `NAME=VALUE` or `NAME(PARAMETERS)=VALUE`.
pub fn parse_macro(text: &str) -> Result<String, String> {
    let name = text.split(['=', '(']).next().unwrap_or_default();
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !text.contains('\n') {
        Ok(text.to_owned())
    } else {
        Err("this should be the name of a macro, or NAME=VALUE".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, milliseconds) in
            [("60", 60_000), ("60s", 60_000), ("1.5m", 90_000), ("500ms", 500), ("1h", 3_600_000), ("0.5 s", 500)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "x", "s", "-1", "1d", "0", "0ms", "1e9", "1.2.3", "99999999999999999999999"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes() {
        for (text, bytes) in [("4GiB", 4 << 30), ("500MB", 500_000_000), ("1024", 1024), ("1.5 kib", 1536)] {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for text in ["", "GiB", "-4GiB", "4 parsecs", "0", "999999999TB"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn macros() {
        for text in ["N", "_n1=", "N=3", "MAX(a,b)=((a)>(b)?(a):(b))", "N=a=b"] {
            assert_eq!(parse_macro(text), Ok(text.to_owned()));
        }
        for text in ["", "=3", "3", "a b", "a-b=1", "N=1\n#error"] {
            assert!(parse_macro(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges() {
        assert_eq!(parse_inputs("-1..3"), Ok(-1..=3));
        assert_eq!(parse_inputs("0..=0"), Ok(0..=0));
        for text in ["", "..", "1", "1..", "3..1", "a..b", "0..99999999999"] {
            assert!(parse_inputs(text).is_err(), "{text}");
        }
    }
}
