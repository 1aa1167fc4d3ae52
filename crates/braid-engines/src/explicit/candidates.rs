//! Which values to try for something that an action reads and that has no value yet.
//!
//! Whatever the action's guard bounds is tried in full, the unknown with the fewest values first, even if another one was
//! read: `x = y ∧ y = 0` settles `y`, and then `x`. Where the guard leaves infinitely many values, those of a given range
//! stand for them, and the answer says that they are not all.

use super::allowed::{Allowed, Propagation, WithChoices};
use super::arena::Chosen;
use braid_logic::{ArrayBase, ArrayValue, Cells, Environment, Integer, Open, Sort, SortKind, TermPool, Value, Var};
use braid_program::cfa::{ActionId, Program};
use braid_program::{Interpreter, State, Stuck};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// More values than this are not tried in full.
const MOST_VALUES: i64 = 1_000;
/// Bit-vectors up to this width are tried in full.
const MOST_BITS: u32 = 8;

/// Something without a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unknown {
    /// An input, or an earlier havoc.
    Input(Open),
    /// The action's own havoc of this number.
    Choice(usize),
}

/// What to try.
#[derive(Debug)]
pub(super) struct Candidates {
    pub unknown: Unknown,
    /// None at all if the action is blocked whatever the value is.
    pub values: Vec<Value>,
    /// Can the action happen with other values, too?
    pub cut: bool,
}

/// Why there is nothing to try.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoCandidates {
    /// This has infinitely many values, and there is no range for it.
    Infinite(String),
    /// This has finitely many values, but more than can be tried, and there is no range for it.
    TooMany(String),
    /// No value settles it: why not.
    Undetermined(String),
}

/// The values to try after an action got stuck in a state, with what has been chosen so far.
pub(super) fn candidates(
    program: &Program<'_>,
    interpreter: &Interpreter<'_, '_>,
    (state, action, chosen): (&State, ActionId, &Chosen),
    stuck: Unknown,
    range: Option<&RangeInclusive<i64>>,
) -> Result<Candidates, NoCandidates> {
    let pool = program.pool;
    if let Unknown::Input(Open::Undetermined(why)) = &stuck {
        return Err(NoCandidates::Undetermined((*why).to_owned()));
    }
    let relation = program.action(action).relation(pool);
    let environment =
        WithChoices { state: interpreter.view(state), variables: &relation.choices, values: &chosen.choices };
    // In guards, the action's own havocs are variables like all others.
    let as_open = |unknown: &Unknown| match unknown {
        Unknown::Input(open) => open.clone(),
        Unknown::Choice(number) => Open::Var(relation.choices[*number]),
    };
    let as_unknown = |open: Open| match &open {
        Open::Var(var) => match relation.choices.iter().position(|choice| choice == var) {
            Some(number) => Unknown::Choice(number),
            None => Unknown::Input(open),
        },
        _ => Unknown::Input(open),
    };
    let asked = as_open(&stuck);
    let mut unknowns = vec![asked.clone()];
    let is_open = |open: &Open| matches!(open, Open::Var(var) if environment.var(*var).is_none()) && *open != asked;
    unknowns.extend(pool.free_vars(relation.guard).iter().map(|&var| Open::Var(var)).filter(is_open));

    let allowed = Propagation::run(pool, &environment, relation.guard, unknowns);
    let mut best: Option<Candidates> = None;
    for (open, allowed) in &allowed {
        let Some(values) = all_values(pool, sort(pool, open), allowed) else { continue };
        if best.as_ref().is_none_or(|best| values.len() < best.values.len()) {
            best = Some(Candidates { unknown: as_unknown(open.clone()), values, cut: false });
        }
    }
    if let Some(best) = best {
        return Ok(best);
    }
    let sort = sort(pool, &asked);
    match (pool.sort_kind(sort), range) {
        (SortKind::Array { .. }, _) => {
            Err(NoCandidates::Undetermined(format!("{} is an array", name(program, action, &stuck))))
        }
        (SortKind::BitVec(_), None) => Err(NoCandidates::TooMany(name(program, action, &stuck))),
        (_, None) if matches!(&allowed[0].1, Allowed::Between(Some(_), Some(_))) => {
            Err(NoCandidates::TooMany(name(program, action, &stuck)))
        }
        (_, None) => Err(NoCandidates::Infinite(name(program, action, &stuck))),
        (_, Some(range)) => {
            let (values, cut) = values_in(pool, sort, &allowed[0].1, range);
            Ok(Candidates { unknown: stuck, values, cut })
        }
    }
}

/// An array that nothing is known of. Its cells are chosen when they are read, under the name of `var`.
pub(super) fn open_array(var: Var) -> Value {
    Value::Array(Arc::new(ArrayValue { base: ArrayBase::Input(var), cells: Cells::default() }))
}

/// What an action got stuck at, unless it is simply blocked.
pub(super) fn unknown(stuck: Stuck) -> Option<Unknown> {
    match stuck {
        Stuck::Blocked | Stuck::Waits => None,
        Stuck::Input(open) => Some(Unknown::Input(open)),
        Stuck::Choice(number) => Some(Unknown::Choice(number)),
    }
}

fn sort(pool: &TermPool, open: &Open) -> Sort {
    match open {
        Open::Var(var) => pool.var_sort(*var),
        Open::Application(fun, _) => pool.fun_signature(*fun).1,
        Open::Cell(var, _) => pool.array_sorts(pool.var_sort(*var)).expect("only arrays have cells").1,
        Open::Undetermined(_) => unreachable!("the caller has answered that"),
    }
}

/// All values of a sort that are allowed, if they are few.
fn all_values(pool: &TermPool, sort: Sort, allowed: &Allowed) -> Option<Vec<Value>> {
    match (allowed, pool.sort_kind(sort)) {
        (Allowed::Nothing, _) => Some(Vec::new()),
        (Allowed::Exactly(value), _) => Some(vec![value.clone()]),
        (Allowed::Between(Some(low), Some(high)), _) => {
            let count = (high - low).to_i64().filter(|&count| count < MOST_VALUES)?;
            Some((0..=count).map(|offset| Value::Int(low + &Integer::from(offset))).collect())
        }
        (Allowed::Between(..), _) => None,
        (Allowed::Anything, SortKind::Bool) => Some(vec![Value::Bool(false), Value::Bool(true)]),
        (Allowed::Anything, SortKind::BitVec(width)) if *width <= MOST_BITS => {
            Some((0..1u32 << width).map(|bits| Value::BitVec(bits.into(), *width)).collect())
        }
        (Allowed::Anything, _) => None,
    }
}

/// The allowed values of a sort that lie in a range, and whether others are allowed.
fn values_in(pool: &TermPool, sort: Sort, allowed: &Allowed, range: &RangeInclusive<i64>) -> (Vec<Value>, bool) {
    match pool.sort_kind(sort) {
        SortKind::BitVec(width) => {
            let largest = if *width < 63 { (1i64 << width) - 1 } else { i64::MAX };
            let bits = range.clone().filter(|bits| (0..=largest).contains(bits));
            (bits.map(|bits| Value::BitVec((bits as u64).into(), *width)).collect(), true)
        }
        SortKind::Uninterpreted(_) => {
            let elements = range.clone().filter_map(|number| u32::try_from(number).ok());
            (elements.map(Value::Element).collect(), true)
        }
        _ => {
            let (low, high) = match allowed {
                Allowed::Between(low, high) => (low.as_ref(), high.as_ref()),
                _ => (None, None),
            };
            let (start, end) = (Integer::from(*range.start()), Integer::from(*range.end()));
            let cut = low.is_none_or(|low| *low < start) || high.is_none_or(|high| *high > end);
            let inside = |value: &Integer| low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high);
            let values = range.clone().map(Integer::from).filter(inside);
            (values.map(Value::Int).collect(), cut)
        }
    }
}

/// What people call an unknown.
fn name(program: &Program<'_>, action: ActionId, unknown: &Unknown) -> String {
    let pool = program.pool;
    match unknown {
        Unknown::Choice(number) => {
            let var = program.action(action).havocked().nth(*number).expect("the action has such a havoc");
            format!("the havocked `{}`", pool.var_name(var))
        }
        Unknown::Input(Open::Var(var)) => format!("the input `{}`", pool.var_name(*var)),
        Unknown::Input(Open::Cell(var, _)) => format!("each cell of `{}`", pool.var_name(*var)),
        Unknown::Input(Open::Application(fun, _)) => format!("each result of `{}`", pool.fun_name(*fun)),
        Unknown::Input(Open::Undetermined(why)) => (*why).to_owned(),
    }
}
