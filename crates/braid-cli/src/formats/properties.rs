//! What each property is about, for people who meet its name in a report.

use braid_program::ast::Check;

/// A property in words.
pub struct Wording {
    /// A name without spaces, for lists of rules.
    pub name: &'static str,
    /// What its violation is called.
    pub title: &'static str,
    /// What must not happen, as a sentence.
    pub summary: &'static str,
    /// What to do about it.
    pub help: &'static str,
}

/// The words of a check.
pub fn wording(check: Check) -> Wording {
    let (name, title, summary, help) = match check {
        Check::Assertion => (
            "AssertionViolated",
            "assertion violated",
            "An assertion fails, or an error is reached that must not be.",
            "Follow the interleaving to the assertion. Either another thread changes a value between a test and its use, so the \
             two belong under one lock, or the assertion claims more than the program keeps.",
        ),
        Check::Deref => (
            "InvalidAccess",
            "invalid access",
            "Memory is accessed where no object is: null, freed, out of its scope, or out of bounds.",
            "Look where the pointer got its value, and who frees the object or leaves its scope before the access. Join the threads \
             that use an object before it goes away, and test indices under the same lock as the access.",
        ),
        Check::Free => (
            "InvalidFree",
            "invalid free",
            "Something is freed that is no block, or was freed before.",
            "Let exactly one thread own the block. Where two may free it, set the pointer to null under the lock that protects it.",
        ),
        Check::Deadlock => (
            "Deadlock",
            "deadlock",
            "Some threads wait for each other, or for what nobody is left to do.",
            "Take locks in the same order everywhere, give each lock back on every way out, and signal a condition while a thread \
             can still come to wait for it.",
        ),
        Check::Progress => (
            "Livelock",
            "livelock",
            "Threads go round in circles for ever, and no schedule leads out.",
            "Look which value a spinning thread waits for, and who would have to write it.",
        ),
        Check::Race => (
            "DataRace",
            "data race",
            "Two threads access one place at the same time, at least one writes, and not both accesses are atomic.",
            "Hold one lock around both accesses, join one thread before the other access, or make both accesses atomic.",
        ),
        Check::Overflow => (
            "Overflow",
            "overflow",
            "The result of signed arithmetic does not fit into its type.",
            "Test the operands before the operation, or calculate in a wider type.",
        ),
        Check::Undefined => (
            "UndefinedBehaviour",
            "undefined behaviour",
            "An operation has no meaning for its operands: a division by zero, a shift by too many bits, a join of no thread.",
            "Test the operands before the operation. Where another thread can change them in between, do both under one lock.",
        ),
        Check::Uninitialised => (
            "UninitialisedRead",
            "uninitialised read",
            "A local variable is read before it has a value.",
            "Give the variable a value where it is declared, or on every way to the read.",
        ),
        Check::Memtrack => (
            "Leak",
            "memory leak",
            "At the end a block is not freed, and nothing leads to it any more.",
            "Free the block before the last pointer to it goes away.",
        ),
        Check::Memcleanup => (
            "NotFreed",
            "memory not freed",
            "At the end a block is not freed.",
            "Free every block before the program ends, also on the ways out after an error.",
        ),
    };
    Wording { name, title, summary, help }
}

/// What a violation of a property is called.
pub fn title(property: &str) -> String {
    Check::of_name(property).map_or_else(|| "property violated".to_owned(), |check| wording(check).title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different_and_sentences_end() {
        let words = Check::ALL.map(wording);
        for (number, one) in words.iter().enumerate() {
            assert!(words[..number].iter().all(|other| other.name != one.name && other.title != one.title));
            assert!(one.summary.ends_with('.') && one.help.ends_with('.'), "{}", one.name);
        }
    }
}
