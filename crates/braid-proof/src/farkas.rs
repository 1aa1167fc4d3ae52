//! Farkas interpolation, the strategy *linear*: Farkas' lemma along the trace, with case splits where a core is not conjunctive.
//!
//! If the guards `Lⱼ ≤ 0` (each over the state of its own step) contradict each other, there are factors `λⱼ` whose sum
//! `Σ λⱼ·Lⱼ`, written over the initial state, is a positive constant. The suffix sum `Sₖ`, written over the state at
//! position k by going backwards through the assignments, then proves the trace: `Sₖ ≥ 1` holds at the start, is kept
//! by every step, and is false at the end.
//! A disjunctive guard at step s is split into cases. At positions up to s a proof must refute all cases (∧), behind it
//! it knows that one of them happened (∨). So `x ≠ y` at the end gives `x ≥ y ∧ x ≤ y`, which is `x = y`.

use crate::core::Core;
use crate::trace::Trace;
use braid_logic::{Integer, Linear, Node, Relation as Comparison, Term, TermPool, Var, farkas};

/// More cases than this are not tried.
const MAX_CASES: usize = 64;

/// One step of a case: conjuncts that must hold, and assignments.
#[derive(Clone)]
struct CaseStep {
    guards: Vec<Term>,
    updates: Vec<(Var, Term)>,
}

/// A refuted case.
struct Refutation {
    /// One assertion per position.
    assertions: Vec<Term>,
    /// The guards that were used: step and formula.
    used: Vec<(usize, Term)>,
}

/// A literal of some step, with its form over the initial state.
struct Literal {
    step: usize,
    /// Over the state of its own step.
    formula: Term,
    /// Over the initial state.
    initial: Term,
    /// Of a comparison `sum ≤ 0` or `sum = 0`: the sum over the state of its own step, and over the initial state.
    comparison: Option<(Comparison, Term, Term)>,
}

/// Assertions by Farkas' lemma; none if the core is not linear, or needs integer reasoning or too many cases.
pub(crate) fn annotate(pool: &TermPool, trace: &Trace<'_>, core: &Core) -> Option<Vec<Term>> {
    let steps = trace
        .steps()
        .enumerate()
        .map(|(k, step)| CaseStep { guards: core.guards(pool, trace, k), updates: step.updates.clone() })
        .collect();
    let mut prover = CaseProver { pool, cases: 0 };
    Some(prover.refute(steps)?.assertions)
}

struct CaseProver<'p> {
    pool: &'p TermPool,
    cases: usize,
}

/// What to distinguish, and at which step.
struct Split {
    step: usize,
    formula: Term,
    kind: SplitKind,
}

enum SplitKind {
    /// The formula is a guard of the step.
    Guard,
    /// The formula is a condition inside a term of the step.
    Condition,
}

/// One case of a split.
enum Case {
    /// Instead of the first guard, the second.
    Guard(Term, Term),
    /// The condition holds, or not.
    Condition(Term, bool),
}

impl Split {
    fn cases(&self, pool: &TermPool) -> Vec<Case> {
        match self.kind {
            SplitKind::Guard => {
                guard_cases(pool, self.formula).into_iter().map(|case| Case::Guard(self.formula, case)).collect()
            }
            SplitKind::Condition => vec![Case::Condition(self.formula, true), Case::Condition(self.formula, false)],
        }
    }
}

impl Case {
    /// Specialises a step to the case, and gives the variables whose new value is now written differently.
    fn apply(&self, pool: &TermPool, step: &mut CaseStep) -> Vec<Var> {
        match *self {
            Case::Guard(guard, case) => {
                step.guards.retain(|&other| other != guard);
                step.guards.extend(pool.conjuncts(case));
                Vec::new()
            }
            Case::Condition(condition, holds) => {
                let resolve = |term: Term| resolve(pool, term, condition, holds);
                step.guards = step.guards.iter().flat_map(|&guard| pool.conjuncts(resolve(guard))).collect();
                step.guards.extend(pool.conjuncts(if holds { condition } else { pool.not(condition) }));
                let mut changed = Vec::new();
                for (var, term) in &mut step.updates {
                    let resolved = resolve(*term);
                    if resolved != *term {
                        *term = resolved;
                        changed.push(*var);
                    }
                }
                changed
            }
        }
    }
}

impl CaseProver<'_> {
    fn refute(&mut self, steps: Vec<CaseStep>) -> Option<Refutation> {
        let pool = self.pool;
        let literals = self.literals(&steps);
        if let Some(refutation) = contradiction(pool, &steps, &literals).or_else(|| by_farkas(pool, &steps, &literals))
        {
            return Some(refutation);
        }
        self.cases += 1;
        if self.cases > MAX_CASES {
            return None;
        }
        let split = find_split(pool, &steps)?;
        let mut combined: Option<Refutation> = None;
        for case in split.cases(pool) {
            let mut variant = steps.clone();
            let changed = case.apply(pool, &mut variant[split.step]);
            let mut refutation = self.refute(variant)?;
            let old = &steps[split.step].guards;
            let is_new = |&(step, formula): &(usize, Term)| step == split.step && !old.contains(&formula);
            let after = pool.free_vars(refutation.assertions[split.step + 1]);
            if !refutation.used.iter().any(is_new) && !changed.iter().any(|var| after.contains(var)) {
                // Nothing of what was assumed for this case is used: the refutation holds for all of them.
                return Some(refutation);
            }
            refutation.used.retain(|used| !is_new(used));
            refutation.used.push((split.step, split.formula));
            combined = Some(match combined {
                None => refutation,
                Some(mut before) => {
                    for (k, assertion) in before.assertions.iter_mut().enumerate() {
                        let both = [*assertion, refutation.assertions[k]];
                        *assertion = if k <= split.step { pool.and(both) } else { pool.or(both) };
                    }
                    before.used.append(&mut refutation.used);
                    before
                }
            });
        }
        combined
    }

    /// The guards that are literals, pulled back to the initial state.
    fn literals(&self, steps: &[CaseStep]) -> Vec<Literal> {
        let pool = self.pool;
        let mut values = braid_logic::Substitution::default();
        let mut literals = Vec::new();
        for (step, case) in steps.iter().enumerate() {
            for &formula in &case.guards {
                if is_literal(pool, formula) {
                    let sum = |linear: &Linear| {
                        let own = pool.linear(linear.clone());
                        (own, pool.substitute(own, &values))
                    };
                    let comparison = match pool.node(formula) {
                        Node::Le(linear) => Some((Comparison::Le, sum(linear).0, sum(linear).1)),
                        Node::Zero(linear) => Some((Comparison::Eq, sum(linear).0, sum(linear).1)),
                        _ => None,
                    };
                    literals.push(Literal { step, formula, initial: pool.substitute(formula, &values), comparison });
                }
            }
            let updated: Vec<(Var, Term)> =
                case.updates.iter().map(|(var, term)| (*var, pool.substitute(*term, &values))).collect();
            values.extend(updated);
        }
        literals
    }
}

/// Not a junction, a disequality or an equality of formulas: those are split.
fn is_literal(pool: &TermPool, formula: Term) -> bool {
    match pool.node(formula) {
        Node::And(_) | Node::Or(_) => false,
        Node::Eq(a, _) => pool.sort_of(*a) != braid_logic::Sort::BOOL,
        Node::Not(inner) => match pool.node(*inner) {
            Node::Zero(_) => false,
            Node::Eq(a, _) => pool.sort_of(*a) != braid_logic::Sort::BOOL,
            _ => true,
        },
        _ => true,
    }
}

/// What a formula of step `from` says of the state at each earlier position, from `from` down to 0.
fn pulled_back(pool: &TermPool, steps: &[CaseStep], from: usize, formula: Term) -> Vec<Term> {
    let mut forms = vec![formula; from + 1];
    for k in (0..from).rev() {
        forms[k] = substituted(pool, &steps[k], forms[k + 1]);
    }
    forms
}

fn substituted(pool: &TermPool, step: &CaseStep, term: Term) -> Term {
    let free = pool.free_vars(term);
    pool.substitute(term, &step.updates.iter().filter(|(var, _)| free.binary_search(var).is_ok()).copied().collect())
}

/// A literal that is false by itself, or two that contradict each other word for word.
fn contradiction(pool: &TermPool, steps: &[CaseStep], literals: &[Literal]) -> Option<Refutation> {
    for (number, literal) in literals.iter().enumerate() {
        let alone = literal.initial == Term::FALSE;
        let negation = pool.not(literal.initial);
        let earlier = literals[..number].iter().find(|other| other.initial == negation);
        if !alone && earlier.is_none() {
            continue;
        }
        let mut used = vec![literal];
        used.extend(earlier.filter(|_| !alone));
        // Before both, one of them is going to be false; between them, the later one is.
        let mut assertions = vec![Term::FALSE; steps.len() + 1];
        for literal in &used {
            let forms = pulled_back(pool, steps, literal.step, literal.formula);
            for (assertion, form) in assertions.iter_mut().zip(forms) {
                *assertion = pool.or([*assertion, pool.not(form)]);
            }
        }
        let used = used.into_iter().map(|literal| (literal.step, literal.formula)).collect();
        return Some(Refutation { assertions, used });
    }
    None
}

/// The refutation by Farkas' lemma, if the linear literals have no rational solution.
fn by_farkas(pool: &TermPool, steps: &[CaseStep], literals: &[Literal]) -> Option<Refutation> {
    let linear: Vec<(&Literal, Term, (Linear, Comparison))> = literals
        .iter()
        .filter_map(|literal| {
            let (comparison, own, initial) = literal.comparison?;
            Some((literal, own, (pool.to_linear(initial), comparison)))
        })
        .collect();
    let constraints: Vec<(Linear, Comparison)> = linear.iter().map(|(.., constraint)| constraint.clone()).collect();
    let factors = farkas(&constraints)?;
    let denominator = factors.iter().fold(Integer::ONE, |common, factor| {
        let denominator = factor.denominator();
        &common * &denominator.div_floor(&common.gcd(&denominator))
    });
    let weighted: Vec<(&Literal, Term, Integer)> = linear
        .iter()
        .zip(&factors)
        .filter(|(_, factor)| !factor.is_zero())
        .map(|((literal, own, _), factor)| {
            (*literal, *own, &factor.numerator() * &denominator.div_floor(&factor.denominator()))
        })
        .collect();
    let mut sum = pool.int(0);
    let mut assertions = vec![Term::FALSE; steps.len() + 1];
    for k in (0..steps.len()).rev() {
        sum = substituted(pool, &steps[k], sum);
        let here = weighted.iter().filter(|(literal, ..)| literal.step == k);
        let parts = here.map(|(_, own, factor)| (factor.clone(), *own)).chain([(Integer::ONE, sum)]);
        sum = pool.linear(pool.combination(parts));
        assertions[k] = pool.ge(sum, pool.int(1));
    }
    let used = weighted.iter().map(|(literal, ..)| (literal.step, literal.formula)).collect();
    Some(Refutation { assertions, used })
}

/// Something to distinguish: first a guard that is not a literal, then a condition inside a step's terms.
fn find_split(pool: &TermPool, steps: &[CaseStep]) -> Option<Split> {
    for (step, case) in steps.iter().enumerate().rev() {
        if let Some(&guard) = case.guards.iter().find(|&&guard| !is_literal(pool, guard)) {
            return Some(Split { step, formula: guard, kind: SplitKind::Guard });
        }
    }
    for (step, case) in steps.iter().enumerate().rev() {
        let terms = case.guards.iter().chain(case.updates.iter().map(|(_, term)| term));
        if let Some(condition) = terms.into_iter().find_map(|&term| find_condition(pool, term)) {
            return Some(Split { step, formula: condition, kind: SplitKind::Condition });
        }
    }
    None
}

/// The cases of a guard that is not a literal.
fn guard_cases(pool: &TermPool, guard: Term) -> Vec<Term> {
    match pool.node(guard) {
        Node::Or(disjuncts) => disjuncts.to_vec(),
        Node::Eq(a, b) => vec![pool.and([*a, *b]), pool.and([pool.not(*a), pool.not(*b)])],
        Node::Not(inner) => match pool.node(*inner) {
            Node::Zero(linear) => {
                let sum = pool.linear(linear.clone());
                vec![pool.lt(sum, pool.int(0)), pool.gt(sum, pool.int(0))]
            }
            Node::Eq(a, b) => vec![pool.and([*a, pool.not(*b)]), pool.and([pool.not(*a), *b])],
            _ => vec![guard],
        },
        _ => vec![guard],
    }
}

/// A condition of an if-then-else inside the term.
fn find_condition(pool: &TermPool, term: Term) -> Option<Term> {
    if let Node::Ite(condition, ..) = pool.node(term) {
        return Some(find_condition(pool, *condition).unwrap_or(*condition));
    }
    let mut found = None;
    pool.node(term).for_each_child(|child| found = found.or_else(|| find_condition(pool, child)));
    found
}

/// The term where the condition is known.
fn resolve(pool: &TermPool, term: Term, condition: Term, holds: bool) -> Term {
    if let Node::Ite(own, then, other) = pool.node(term)
        && *own == condition
    {
        return resolve(pool, if holds { *then } else { *other }, condition, holds);
    }
    pool.rebuild(term, |child| resolve(pool, child, condition, holds))
}
