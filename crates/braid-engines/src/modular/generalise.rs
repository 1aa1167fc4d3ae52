//! Facts about an environment are made more general before they refine `env_move` (section 4.3, item 4): conditions are dropped one by one
//! and bounds widened, as long as the environment still cannot get there. One fact then answers many queries.

use super::conditions::vars_of;
use super::query::{Halt, Queries};
use super::sequential::{Fact, Question};
use crate::refinement::Stop;
use crate::{Reason, Verdict};
use braid_logic::{Node, Term};

/// So many sequential checks may be spent on one attempt to make a fact more general.
const GENERALISATION: u64 = 12;

impl Queries<'_, '_> {
    /// Refines `env_move` of a level by a fact, made more general (section 4.3, item 4).
    pub fn learn(&mut self, level: usize, asked: Fact, budget: u64) -> Result<(), Halt> {
        let mut fact = self.generalise(level, asked, budget)?;
        if self.facts.iter().flatten().any(|other| *other == fact) {
            // Found out on the way, or known in terms that the program which asked does not speak of.
            fact = asked;
        }
        if self.facts.iter().flatten().any(|other| *other == fact) {
            return Ok(());
        }
        let others = std::mem::take(&mut self.facts[level]);
        for other in others {
            if !(self.implies(other.alpha, fact.alpha) && self.implies(other.beta, fact.beta)) {
                self.facts[level].push(other);
            }
        }
        self.facts[level].push(fact);
        self.counts.facts += 1;
        Ok(())
    }

    /// Drops what can be dropped.
    fn generalise(&mut self, level: usize, fact: Fact, budget: u64) -> Result<Fact, Halt> {
        let pool = self.concurrent.pool;
        let mut fact = fact;
        if fact.alpha != Term::TRUE && self.is_fact(level, Fact { alpha: Term::TRUE, ..fact }, budget)? {
            fact.alpha = Term::TRUE;
        }
        let written = self.concurrent.written(&self.order[level + 1..]);
        let changes = |conjunct: &Term| vars_of(pool, *conjunct).any(|var| written.contains(&var));
        let alpha = pool.and(pool.conjuncts(fact.alpha).into_iter().filter(changes));
        if alpha != Term::TRUE && alpha != fact.alpha && self.is_fact(level, Fact { alpha, ..fact }, budget)? {
            fact.alpha = alpha;
        }
        for conjunct in pool.conjuncts(fact.alpha).into_iter().filter(|&conjunct| conjunct != Term::TRUE) {
            let alpha = pool.and(pool.conjuncts(fact.alpha).into_iter().filter(|&other| other != conjunct));
            if alpha != Term::TRUE && self.is_fact(level, Fact { alpha, ..fact }, budget)? {
                fact.alpha = alpha;
            }
        }
        for conjunct in pool.conjuncts(fact.beta) {
            let beta = pool.and(pool.conjuncts(fact.beta).into_iter().filter(|&other| other != conjunct));
            if beta != Term::TRUE && self.is_fact(level, Fact { beta, ..fact }, budget)? {
                fact.beta = beta;
            }
        }
        self.widen_bounds(level, fact, budget)
    }

    /// Makes bounds in `beta` as wide as what was seen allows.
    fn widen_bounds(&mut self, level: usize, mut fact: Fact, budget: u64) -> Result<Fact, Halt> {
        let pool = self.concurrent.pool;
        for conjunct in pool.conjuncts(fact.beta) {
            let Node::Le(linear) = pool.node(conjunct) else { continue };
            let others = pool.and(pool.conjuncts(fact.beta).into_iter().filter(|&other| other != conjunct));
            let sum = pool.linear(linear.clone());
            let Some(least) = self.samples.least(pool, level, fact.alpha, others, sum) else { continue };
            let beta = pool.and([others, pool.lt(sum, pool.int(least))]);
            if beta != fact.beta && self.is_fact(level, Fact { beta, ..fact }, budget)? {
                fact.beta = beta;
            }
        }
        Ok(fact)
    }

    /// Does this hold of the environment, as far as can be found out at small cost?
    pub fn is_fact(&mut self, level: usize, fact: Fact, budget: u64) -> Result<bool, Halt> {
        if self.refused.contains(&(level, fact)) {
            return Ok(false);
        }
        if self.samples.refute(self.concurrent.pool, level, fact) {
            return Ok(false);
        }
        self.counts.asked += 1;
        if self.is_known(level + 1, fact.alpha, fact.beta) {
            self.counts.remembered += 1;
            return Ok(true);
        }
        let small = budget.min(self.counts.checks + GENERALISATION);
        // That both conditions hold somewhere does not mean that this state is reached: no short cuts.
        let question = Question::Reach { alpha: fact.alpha, beta: fact.beta };
        let answer = self.check(level + 1, question, small);
        if !matches!(answer, Ok(None)) {
            self.refused.insert((level, fact));
        }
        match answer {
            Ok(answer) => Ok(answer.is_none()),
            Err(Halt::Budget) => Ok(false),
            Err(Halt::Stop(Stop(Verdict::Unknown(Reason::Incomplete(_))))) => Ok(false),
            Err(stop) => Err(stop),
        }
    }
}
