//! The copies of shared variables, one for each round (paper 3, Figure 6: `G`, `Guess`, `Next`, `Init` and `Save`).

use super::build::{assign, assume, eq, int, ite, stmt, var};
use braid_program::ast::{Expr, ExprKind, Fold, Program, Stmt, StmtKind, Storage, VarId, Variable, fold_expr};
use braid_program::source::Span;
use std::collections::BTreeMap;

/// One variable for each round.
pub(super) type Vector = Vec<VarId>;

/// The copies of one shared variable.
pub(super) struct Copies {
    /// `G`: what it is now.
    pub now: Vector,
    /// `Guess`: what it is guessed to be when the task waits or ends.
    pub guess: Vector,
    /// `Next`: what the tasks that were started leave behind.
    pub next: Vector,
    /// `Init`: what it is when the round begins.
    pub first: Vector,
}

/// The copies of all shared variables.
pub(super) struct Rounds {
    /// How many rounds there are: K + 1.
    pub count: u32,
    pub copies: BTreeMap<VarId, Copies>,
}

impl Rounds {
    /// Declares the copies of shared variables.
    pub fn declare(program: &mut Program, shared: &[VarId], count: u32) -> Rounds {
        let mut copies = BTreeMap::new();
        for &id in shared {
            let mut vector = |suffix: &str| vector(program, id, suffix, count, Storage::Global);
            let (now, guess, next, first) = (vector(""), vector("_guess"), vector("_next"), vector("_first"));
            copies.insert(id, Copies { now, guess, next, first });
        }
        Rounds { count, copies }
    }

    /// `G[k]`: the copy of a shared variable in a round.
    pub fn at(&self, program: &Program, id: VarId, round: &Expr, span: Span) -> Expr {
        let now = &self.copies[&id].now;
        let mut copies = now.iter().enumerate().rev();
        let (_, &last) = copies.next().expect("there is a round");
        copies.fold(var(program, last, span), |others, (number, &copy)| {
            ite(eq(round.clone(), int(number as u32, span)), var(program, copy, span), others)
        })
    }

    /// `G[k] := value`.
    pub fn set(&self, program: &Program, id: VarId, round: &Expr, value: &Expr) -> Vec<(VarId, Expr)> {
        let now = &self.copies[&id].now;
        if let [only] = now.as_slice() {
            return vec![(*only, value.clone())];
        }
        let set = |(number, &copy): (usize, &VarId)| {
            let here = eq(round.clone(), int(number as u32, value.span));
            (copy, ite(here, value.clone(), var(program, copy, value.span)))
        };
        now.iter().enumerate().map(set).collect()
    }

    /// An expression with the copies of a round for shared variables.
    pub fn read(&self, program: &Program, expr: &Expr, round: &Expr) -> Expr {
        Reader { rounds: self, program, round }.expr(expr)
    }

    /// `to := from`, for all variables and rounds, where `from` and `to` say which copies.
    pub fn copy(
        &self,
        program: &Program,
        to: impl Fn(&Copies) -> &Vector,
        from: impl Fn(&Copies) -> &Vector,
        span: Span,
    ) -> Stmt {
        let pairs = self.copies.values().flat_map(|copies| {
            let pairs = to(copies).iter().zip(from(copies));
            pairs.map(|(&to, &from)| (to, var(program, from, span))).collect::<Vec<_>>()
        });
        assign(pairs.collect(), span)
    }

    /// `Next := Guess := *`.
    pub fn guess(&self, program: &Program, span: Span) -> Vec<Stmt> {
        let all = self.copies.values().flat_map(|copies| copies.guess.iter().copied()).collect();
        let havoc = stmt(StmtKind::Havoc(all), span);
        vec![havoc, self.copy(program, |copies| &copies.next, |copies| &copies.guess, span)]
    }

    /// `assume G = Guess`.
    pub fn confirm(&self, program: &Program, span: Span) -> Vec<Stmt> {
        let pairs = self.copies.values().flat_map(|copies| copies.now.iter().zip(&copies.guess));
        pairs.map(|(&now, &guess)| assume(eq(var(program, now, span), var(program, guess, span)))).collect()
    }

    /// `assume Init[1..] = Next[..K]`: each round begins where the one before has ended.
    pub fn connect(&self, program: &Program, span: Span) -> Vec<Stmt> {
        let pairs = self.copies.values().flat_map(|copies| copies.first.iter().skip(1).zip(&copies.next));
        pairs.map(|(&first, &next)| assume(eq(var(program, first, span), var(program, next, span)))).collect()
    }
}

/// Reads shared variables in a round.
struct Reader<'a> {
    rounds: &'a Rounds,
    program: &'a Program,
    round: &'a Expr,
}

impl Fold for Reader<'_> {
    fn expr(&mut self, expr: &Expr) -> Expr {
        match expr.kind {
            ExprKind::Var(id) if self.rounds.copies.contains_key(&id) => {
                self.rounds.at(self.program, id, self.round, expr.span)
            }
            _ => fold_expr(self, expr),
        }
    }
}

/// Declares one variable like this one for each round.
pub(super) fn vector(program: &mut Program, id: VarId, suffix: &str, count: u32, storage: Storage) -> Vector {
    let Variable { name, ty, span, .. } = program.variable(id).clone();
    let declare = |round: u32| {
        program.variables.push(Variable { name: format!("{name}{suffix}_{round}"), ty: ty.clone(), storage, span });
        VarId(program.variables.len() as u32 - 1)
    };
    (0..count).map(declare).collect()
}
