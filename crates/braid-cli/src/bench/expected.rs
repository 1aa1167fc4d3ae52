//! What is expected of a program, what Braid said, and what is to be thought of that.

use std::fmt;

/// What is known of a task beforehand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expected {
    /// The program has the property.
    True,
    /// It has not; perhaps it is known which part of the property is violated.
    False(Option<String>),
    Unknown,
}

impl Expected {
    /// `true`, `false`, `false(PART)`, `unknown` or nothing.
    pub fn parse(text: &str) -> Result<Expected, String> {
        let part = text.strip_prefix("false(").and_then(|rest| rest.strip_suffix(')'));
        match (text, part) {
            ("true", _) => Ok(Expected::True),
            ("false", _) => Ok(Expected::False(None)),
            (_, Some(part)) => Ok(Expected::False(Some(part.to_owned()))),
            ("unknown" | "", _) => Ok(Expected::Unknown),
            _ => Err(format!("`{text}` is no verdict: there are true, false, false(PART) and unknown")),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::True => f.write_str("true"),
            Expected::False(None) => f.write_str("false"),
            Expected::False(Some(part)) => write!(f, "false({part})"),
            Expected::Unknown => f.write_str("unknown"),
        }
    }
}

/// What a run said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Safe,
    Unsafe,
    Unknown,
    /// It ended without a verdict.
    None,
}

impl Verdict {
    pub const ALL: [Verdict; 4] = [Verdict::Safe, Verdict::Unsafe, Verdict::Unknown, Verdict::None];

    pub fn name(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
            Verdict::None => "none",
        }
    }

    pub fn of_name(name: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|verdict| verdict.name() == name)
    }
}

/// What is to be thought of a run: the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// The verdict contradicts what is known.
    Wrong,
    /// It ended without a verdict, and not by a limit.
    Crash,
    /// The input was rejected.
    Rejected,
    /// It came to the memory limit.
    Memory,
    /// It came to the time limit.
    Timeout,
    /// It gave up.
    Unknown,
    /// There is a verdict, and nothing to compare it with.
    Answered,
    /// The verdict is the expected one.
    Correct,
}

impl Status {
    pub const ALL: [Status; 8] = [
        Status::Wrong,
        Status::Crash,
        Status::Rejected,
        Status::Memory,
        Status::Timeout,
        Status::Unknown,
        Status::Answered,
        Status::Correct,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Status::Wrong => "wrong",
            Status::Crash => "crash",
            Status::Rejected => "rejected",
            Status::Memory => "memory",
            Status::Timeout => "timeout",
            Status::Unknown => "unknown",
            Status::Answered => "answered",
            Status::Correct => "correct",
        }
    }

    /// Is there a verdict that nothing speaks against?
    pub fn is_solved(self) -> bool {
        matches!(self, Status::Answered | Status::Correct)
    }

    /// The status of a verdict.
    pub fn of_verdict(verdict: Verdict, violated: &str, expected: &Expected) -> Option<Status> {
        let is_right = match (verdict, expected) {
            (Verdict::Unknown | Verdict::None, _) => return None,
            (_, Expected::Unknown) => return Some(Status::Answered),
            (Verdict::Safe, expected) => *expected == Expected::True,
            (Verdict::Unsafe, Expected::False(Some(part))) => violated.is_empty() || violated == part,
            (Verdict::Unsafe, expected) => *expected != Expected::True,
        };
        Some(if is_right { Status::Correct } else { Status::Wrong })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_come_back() {
        for text in ["true", "false", "false(valid-free)", "unknown"] {
            assert_eq!(Expected::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Expected::parse(""), Ok(Expected::Unknown));
        assert!(Expected::parse("yes").is_err());
    }

    #[test]
    fn verdicts_are_judged() {
        let check = |verdict, violated: &str, expected: &str, status| {
            let expected = Expected::parse(expected).unwrap();
            assert_eq!(Status::of_verdict(verdict, violated, &expected), status, "{verdict:?} {expected}");
        };
        check(Verdict::Safe, "", "true", Some(Status::Correct));
        check(Verdict::Safe, "", "false", Some(Status::Wrong));
        check(Verdict::Safe, "", "unknown", Some(Status::Answered));
        check(Verdict::Unsafe, "x", "true", Some(Status::Wrong));
        check(Verdict::Unsafe, "x", "false", Some(Status::Correct));
        check(Verdict::Unsafe, "valid-free", "false(valid-free)", Some(Status::Correct));
        check(Verdict::Unsafe, "valid-deref", "false(valid-free)", Some(Status::Wrong));
        check(Verdict::Unknown, "", "true", None);
        check(Verdict::None, "", "false", None);
        assert!(Status::ALL.is_sorted() && Status::ALL[0] == Status::Wrong);
    }
}
