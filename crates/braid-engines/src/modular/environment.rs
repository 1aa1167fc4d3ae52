//! Environment queries (Definition 1, section 5): can the threads below a level get from `alpha` to `beta`?
//!
//! Queries speak of as little as they can: variables that the environment does not access are left out first, then given the values that
//! they have on the violating path. What was answered before answers what follows from it.

use super::around::fixed;
use super::concurrent::Vars;
use super::conditions::{vars_of, weaker};
use super::query::{Answered, Queries};
use super::sequential::{Fact, Question};
use braid_logic::{Answer, Model, Term, Validity, Var};
use braid_program::cfa::ThreadId;

/// So often the variables that an environment does not access get values, for one condition.
const MAX_FIXED: u32 = 4;
/// So many answers of an environment are tried again.
const MAX_TRACES: usize = 24;

impl Queries<'_, '_> {
    /// An environment query (Definition 1) of a level. That there is no answer becomes a fact.
    pub fn environment(
        &mut self,
        level: usize,
        (alpha, beta): (Term, Term),
        around: &[Model; 2],
        budget: u64,
    ) -> Answered {
        let pool = self.concurrent.pool;
        let alpha = self.without_redundant(alpha);
        let (general_alpha, general_beta) = self.without_hidden(level, &self.order[level + 1..], alpha, beta);
        if let Some(trace) = self.reach(level + 1, general_alpha, general_beta, budget)? {
            if (general_alpha, general_beta) == (alpha, beta) {
                return Ok(Some(trace));
            }
            let condition = self.precondition(&trace, beta)?;
            if self.solver.decide(&[pool.and([alpha, condition])]) == Answer::Sat {
                return Ok(Some(trace));
            }
            if let Some((alpha, beta)) = self.with_hidden_fixed(level, (alpha, beta), around) {
                // An answer is one for the conditions as they were: where the hidden variables have these values.
                let answer = self.reach(level + 1, alpha, beta, budget)?;
                if answer.is_none() {
                    self.learn(level, Fact { alpha, beta }, budget)?;
                }
                return Ok(answer);
            }
            if let Some(trace) = self.reach(level + 1, alpha, beta, budget)? {
                return Ok(Some(trace));
            }
            return self.learn(level, Fact { alpha, beta }, budget).map(|()| None);
        }
        self.learn(level, Fact { alpha: general_alpha, beta: general_beta }, budget).map(|()| None)
    }

    /// Both conditions with the values that variables have which the environment does not access: queries then do not speak of
    /// the threads above. Not too often for one question, for they may have ever new values.
    fn with_hidden_fixed(
        &mut self,
        level: usize,
        (alpha, beta): (Term, Term),
        [before, after]: &[Model; 2],
    ) -> Option<(Term, Term)> {
        let pool = self.concurrent.pool;
        let tries = self.fixed.entry((level, beta)).or_default();
        *tries += 1;
        if *tries > MAX_FIXED {
            return None;
        }
        let accessed = self.concurrent.accessed(&self.order[level + 1..]);
        let all: Vars = vars_of(pool, alpha).chain(vars_of(pool, beta)).collect();
        let hidden: Vec<Var> = all.into_iter().filter(|var| !accessed.contains(var)).collect();
        let stays = |conjunct: &Term| !hidden.iter().any(|&var| pool.mentions(*conjunct, var));
        let (alpha, beta) = (fixed(pool, &hidden, alpha, before), fixed(pool, &hidden, beta, after));
        (stays(&alpha) && stays(&beta)).then_some((alpha, beta))
    }

    /// Both conditions without the variables that the environment of a level does not access. What is known before of those that the movers
    /// cannot change is known afterwards.
    pub fn without_hidden(&mut self, level: usize, movers: &[ThreadId], alpha: Term, beta: Term) -> (Term, Term) {
        let pool = self.concurrent.pool;
        let accessed = self.concurrent.accessed(&self.order[level + 1..]);
        let written = self.concurrent.written(movers);
        let all: Vars = vars_of(pool, alpha).chain(vars_of(pool, beta)).collect();
        let hidden: Vec<Var> = all.into_iter().filter(|var| !accessed.contains(var)).collect();
        if hidden.is_empty() {
            return (alpha, beta);
        }
        let stays = |conjunct: &Term| {
            vars_of(pool, *conjunct).all(|var| !written.contains(&var))
                && hidden.iter().any(|&var| pool.mentions(*conjunct, var))
        };
        let kept: Vec<Term> = pool.conjuncts(alpha).into_iter().filter(stays).collect();
        let beta = weaker(self.solver, pool, &hidden, pool.and(kept.into_iter().chain([beta])));
        (weaker(self.solver, pool, &hidden, alpha), beta)
    }

    /// The condition without conjuncts that follow from the others, or hold anyway.
    pub fn without_redundant(&mut self, condition: Term) -> Term {
        let pool = self.concurrent.pool;
        // What always holds says nothing.
        let mut kept = pool.conjuncts(condition);
        kept.retain(|&conjunct| !self.invariants.refute(self.concurrent, self.solver, pool.not(conjunct)));
        let mut largest_first = kept.clone();
        largest_first.sort_by_key(|&conjunct| std::cmp::Reverse(pool.size(conjunct)));
        for conjunct in largest_first {
            let others: Vec<Term> = kept.iter().copied().filter(|&other| other != conjunct).collect();
            if self.solver.entails(&others, conjunct) == Validity::Valid {
                kept = others;
            }
        }
        pool.and(kept)
    }

    /// Is there a computation of the threads from a level on, from a state of `alpha` to one of `beta`?
    fn reach(&mut self, level: usize, alpha: Term, beta: Term, budget: u64) -> Answered {
        let pool = self.concurrent.pool;
        self.counts.asked += 1;
        self.counts.remembered += 1;
        if self.solver.decide(&[pool.and([alpha, beta])]) == Answer::Sat {
            return Ok(Some(Vec::new()));
        }
        if self.is_known(level, alpha, beta) {
            return Ok(None);
        }
        for trace in self.traces[level].clone() {
            let condition = self.precondition(&trace, beta)?;
            if self.solver.decide(&[pool.and([alpha, condition])]) == Answer::Sat {
                return Ok(Some(trace));
            }
        }
        self.counts.remembered -= 1;
        let answer = self.check(level, Question::Reach { alpha, beta }, budget)?;
        if let Some(trace) = &answer {
            let traces = &mut self.traces[level];
            traces.retain(|other| other != trace);
            traces.insert(0, trace.clone());
            traces.truncate(MAX_TRACES);
        }
        Ok(answer)
    }

    /// Does a fact say that the threads from a level on cannot get from `alpha` to `beta`?
    pub fn is_known(&mut self, level: usize, alpha: Term, beta: Term) -> bool {
        if self.invariants.refute(self.concurrent, self.solver, beta) {
            return true;
        }
        let facts = self.facts[..level].concat();
        facts.into_iter().any(|fact| self.implies(alpha, fact.alpha) && self.implies(beta, fact.beta))
    }

    pub fn implies(&mut self, premise: Term, conclusion: Term) -> bool {
        premise == conclusion || self.solver.entails(&[premise], conclusion) == Validity::Valid
    }
}
