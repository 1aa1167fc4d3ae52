//! Which Braid this is, with which solver: what a result can be repeated with.

use braid_logic::z3_version;
use std::sync::LazyLock;

/// The version of this crate.
pub const NUMBER: &str = env!("CARGO_PKG_VERSION");

/// The commit that it was built from, or `unknown`.
pub const COMMIT: &str = env!("BRAID_COMMIT");

/// The solver that is linked, such as `Z3 5.4.0`.
pub fn solver() -> String {
    format!("Z3 {}", z3_version())
}

/// All of it, in a line without the name of the command.
pub fn line() -> &'static str {
    static LINE: LazyLock<String> = LazyLock::new(|| format!("{NUMBER} (commit {COMMIT}, {})", solver()));
    &LINE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solver_has_a_number() {
        let (name, number) = line().rsplit_once(' ').expect("there are several words");
        assert!(name.starts_with(&format!("{NUMBER} (commit ")) && name.ends_with(", Z3"), "{name}");
        assert_eq!(
            number.trim_end_matches(')').split('.').filter(|part| part.parse::<u32>().is_ok()).count(),
            3,
            "{number}"
        );
    }
}
