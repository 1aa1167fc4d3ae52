//! How much memory the process uses, as the operating system counts it.

use std::fs;

/// The resident memory now, in bytes; none where the system does not tell.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// The most resident memory so far, in bytes; none where the system does not tell.
pub fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// A line of `/proc/self/status`. It counts in KiB, and so needs no page size, unlike `statm`.
fn status(key: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_process_has_memory() {
        let now = super::resident().expect("Linux tells");
        assert!(now > 100_000 && super::peak().expect("Linux tells") >= now / 2);
    }
}
