//! The bounds of lowering, and how they grow: those that the user has set stay, the others get larger when they are reached.

use braid_program::LowerOptions;
use braid_program::cfa::Violation;

/// How a bound that was reached gets larger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// The next bound is this many times as large.
    pub factor: u32,
    /// No bound is larger.
    pub most: u32,
}

/// How bounds grow by themselves, where engines look at all that is within them.
const DOUBLED: Growth = Growth { factor: 2, most: 96 };

impl Growth {
    /// The next bound, if there is one.
    pub fn beyond(self, reached: u32) -> Option<u32> {
        (reached < self.most).then(|| reached.saturating_mul(self.factor).clamp(1, self.most))
    }
}

/// How a program is lowered. A bound that is not set begins with lowering's own, and may grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Steps that no other thread can observe become one.
    pub fuse: bool,
    /// Instances of a thread that is forked in a loop.
    pub instances: Option<u32>,
    /// How deep calls of one procedure nest.
    pub recursion: Option<u32>,
}

impl Bounds {
    /// A larger bound in place of the one that is reached, unless the user has set it.
    pub fn beyond(self, bound: Violation, reached: LowerOptions) -> Option<LowerOptions> {
        let larger = |given: Option<u32>, reached| if given.is_none() { DOUBLED.beyond(reached) } else { None };
        match bound {
            Violation::InstanceBound => {
                Some(LowerOptions { instances: larger(self.instances, reached.instances)?, ..reached })
            }
            Violation::RecursionBound => {
                Some(LowerOptions { recursion: larger(self.recursion, reached.recursion)?, ..reached })
            }
            Violation::Failed(_) | Violation::Unmodelled(_) => None,
        }
    }
}

impl From<Bounds> for LowerOptions {
    fn from(bounds: Bounds) -> LowerOptions {
        let default = LowerOptions::default();
        LowerOptions {
            fuse: bounds.fuse,
            instances: bounds.instances.unwrap_or(default.instances),
            recursion: bounds.recursion.unwrap_or(default.recursion),
            templates: false,
            one_round: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_grow_until_they_are_large() {
        let grown = |growth: Growth, from: u32| {
            std::iter::successors(Some(from), |&reached| growth.beyond(reached)).collect::<Vec<u32>>()
        };
        assert_eq!(grown(DOUBLED, 3), [3, 6, 12, 24, 48, 96]);
        assert_eq!(grown(DOUBLED, 0)[..3], [0, 1, 2]);
        assert_eq!(grown(Growth { factor: 4, most: 50 }, 3), [3, 12, 48, 50]);
    }

    #[test]
    fn a_bound_that_is_set_stays() {
        let bounds = Bounds { fuse: true, instances: Some(5), recursion: None };
        let reached = LowerOptions::from(bounds);
        assert_eq!(bounds.beyond(Violation::InstanceBound, reached), None);
        let larger = bounds.beyond(Violation::RecursionBound, reached).expect("it may grow");
        assert_eq!((larger.instances, larger.recursion), (5, 2 * reached.recursion));
    }
}
