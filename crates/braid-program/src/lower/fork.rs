//! Starting threads: one instance for a site that is passed once, a bounded number for others, or a template for any number.
//!
//! *Templates* ([`LowerOptions::templates`](super::LowerOptions)). A site that can be passed again gets two like threads that stand
//! for any number of them. Every fork of the site may start either, and there is no counter. Optimisations look at
//! pairs of threads only: two threads of a site, or one of them and another thread. What two of them show of each other holds for any
//! two out of more, so what optimisations make of the first is right for all of them. Threads that such a thread starts are
//! templates as well.

use super::threads::{Frame, Lowering, Start};
use super::{Edge, LowerError};
use crate::ast::{Expr, ProcId, Stmt, VarId};
use crate::cfa::{Location, Step, StepKind, TemplateId, ThreadId, Violation};
use braid_logic::{Term, Var};
use std::rc::Rc;

/// How many like threads a template is lowered as.
const TWINS: u32 = 2;

/// The numbers of threads beyond the bound begin here. Instances have smaller ones, and the first thread of a C program has this one for a handle.
const BEYOND: i64 = 1 << 20;

/// An edge that starts a thread beyond the bound, and has yet to write down its number.
pub(super) struct Unnumbered {
    thread: ThreadId,
    edge: usize,
    counter: Var,
    handle: Var,
}

/// What a fork says.
pub(super) struct Forked<'a> {
    /// The number that the program gives to the thread, if it does that itself.
    pub identity: Option<Term>,
    /// Where the number is kept that the thread gets.
    pub handle: Option<VarId>,
    pub procedure: ProcId,
    pub arguments: &'a [Expr],
}

impl Lowering<'_, '_> {
    /// Adds the edges of a fork.
    pub(super) fn start(
        &mut self,
        thread: ThreadId,
        frame: &Rc<Frame>,
        stmt: &Stmt,
        forked: Forked<'_>,
        from: Location,
        to: Location,
    ) -> Result<(), LowerError> {
        let Forked { identity, handle, procedure, arguments } = forked;
        let span = stmt.span;
        if self.too_deep(frame, procedure) {
            self.bound(thread, Violation::InstanceBound, span, from);
            return Ok(());
        }
        let repeats = self.repeats(thread, frame, stmt);
        let template = (repeats && self.options.templates).then(|| self.template(thread));
        let counter = (repeats && template.is_none()).then(|| {
            let name =
                format!("{}.{}.forks", self.automata[thread.index()].name, self.program.procedure(procedure).name);
            let counter = self.auxiliary(&name, self.pool.int(0), span);
            self.fork_counters.insert(counter, self.pool.int(i64::from(self.options.instances)));
            counter
        });
        let count = match template {
            Some(_) => TWINS,
            None if repeats => self.options.instances,
            None => 1,
        };
        for number in 0..count {
            let start = if identity.is_some() { Start::Fork } else { Start::Async };
            let known = identity.filter(|&identity| self.pool.free_vars(identity).is_empty());
            let (child, callee, own) = self.instance((thread, template), procedure, &frame.stack, start, known)?;
            let mut steps = Vec::new();
            if let Some(counter) = counter {
                let (now, at) = (self.pool.of_var(counter), self.pool.int(i64::from(number)));
                let next = self.pool.int(i64::from(number) + 1);
                steps.push(Step { kind: StepKind::Assume(self.pool.eq(now, at)), span });
                steps.push(Step { kind: StepKind::Assign(vec![(counter, next)]), span });
            }
            let mut assignments = Vec::new();
            match (identity, template) {
                (Some(identity), _) => assignments.push((self.pool.free_vars(own)[0], identity)),
                (None, Some(_)) => steps.push(Step { kind: StepKind::Havoc(self.pool.free_vars(own).to_vec()), span }),
                (None, None) => {}
            }
            if let Some(handle) = handle {
                assignments.push((self.var(frame, handle), own));
            }
            let mut enter = self.enter(frame, &callee, arguments, span);
            if !assignments.is_empty() {
                // The arguments are read before the handle is written.
                enter.push(Step { kind: StepKind::Assign(assignments), span });
            }
            steps.extend(enter);
            let forks = vec![child];
            let edge = Edge { source: from, target: to, steps, forks, joins: Vec::new(), span };
            self.automata[thread.index()].edges.push(edge);
        }
        if let Some(counter) = counter {
            let handle = handle.map(|handle| self.var(frame, handle));
            self.one_more(thread, (counter, count), handle, (from, to), stmt);
        }
        Ok(())
    }

    /// The template of a fork site: threads of like parents, started at the same site, are of one template.
    fn template(&mut self, parent: ThreadId) -> TemplateId {
        let automaton = &mut self.automata[parent.index()];
        let site = (automaton.template.ok_or(parent), automaton.sites);
        automaton.sites += 1;
        let next = TemplateId(self.templates.len() as u32);
        *self.templates.entry(site).or_insert(next)
    }

    /// More threads than there are instances: a bound is reached, or the further ones happen never to run.
    fn one_more(
        &mut self,
        thread: ThreadId,
        (counter, count): (Var, u32),
        handle: Option<Var>,
        (from, to): (Location, Location),
        stmt: &Stmt,
    ) {
        let span = stmt.span;
        let now: Term = self.pool.of_var(counter);
        let exhausted = self.pool.ge(now, self.pool.int(i64::from(count)));
        let error = self.automata[thread.index()].error(Violation::InstanceBound, span);
        self.assume(thread, exhausted, span, from, error);
        if self.program.claim.is_about_waiting() {
            // Whoever waits may wait for the thread that is not there.
            return;
        }
        if let Some(handle) = handle {
            let edge = self.automata[thread.index()].edges.len();
            self.unnumbered.push(Unnumbered { thread, edge, counter, handle });
        }
        self.assume(thread, exhausted, span, from, to);
    }

    /// Gives each thread beyond the bound a number that no other thread has. With `n` sites, the `k`th one has every `n`th number.
    pub(super) fn number_beyond(&mut self) {
        let unnumbered = std::mem::take(&mut self.unnumbered);
        let sites = unnumbered.len() as i64;
        for (site, Unnumbered { thread, edge, counter, handle }) in (1..).zip(unnumbered) {
            let (now, pool) = (self.pool.of_var(counter), self.pool);
            let number = pool.add([pool.mul(pool.int(sites), now), pool.int(BEYOND + site)]);
            let edge = &mut self.automata[thread.index()].edges[edge];
            let assignments = vec![(counter, pool.add([now, pool.int(1)])), (handle, number)];
            edge.steps.push(Step { kind: StepKind::Assign(assignments), span: edge.span });
        }
    }
}
