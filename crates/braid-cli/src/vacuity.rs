//! Says when a `safe` is worth less than it seems: no execution reaches the end of the program, or none reaches an assertion.
//!
//! A few random runs come first. If one of them gets there, nothing is to be said; on most programs that is all, and takes
//! milliseconds. Otherwise `gem` gets a little time to prove that there is no such execution. *Invariant*: a note is a fact,
//! proven like a verdict; what was not proven is not said.

use crate::runner::{Runs, runs};
use braid_engines::gem::Gem;
use braid_engines::{Control, Engine, Task, Verdict};
use braid_logic::TermPool;
use braid_program::ast::Check;
use braid_program::ast::Checks;
use braid_program::ast::{self, Claim, ExprKind, Fold, Stmt, StmtKind, fold_stmt};
use braid_program::cfa::{self, Location, ThreadId, Violation};
use braid_program::graph::reached;
use braid_program::source::Span;
use braid_program::{LowerOptions, lower};
use std::time::{Duration, Instant};

/// How long random runs may take.
const RUNNING: Duration = Duration::from_millis(50);
/// How long a proof may take: a tenth of what the verdict took, within these.
const PROVING: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(1)];
/// Calls that end a program like the end of `main` does.
const ENDS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];

/// How the note begins that says so.
pub const NO_END: &str = "no execution reaches the end";

/// A program that was proven safe.
pub struct Proven<'a, 'p> {
    pub structured: &'a ast::Program,
    pub program: &'a cfa::Program<'p>,
    pub lowering: LowerOptions,
    pub checks: Checks,
    pub gem: &'a Gem,
    /// What the verdict took.
    pub took: Duration,
    pub deadline: Option<Instant>,
    pub memory: u64,
}

impl Proven<'_, '_> {
    /// What is to be said, one sentence each.
    pub fn notes(&self) -> Vec<String> {
        if self.structured.claim != Claim::AssertionsHold {
            return Vec::new();
        }
        let seen = runs(self.program, RUNNING);
        let mut notes = Vec::new();
        if !seen.ended {
            notes.extend(self.no_end());
        }
        if self.checks.contains(Check::Assertion) && !seen.asserted {
            notes.extend(self.no_assertion());
        }
        notes
    }

    fn no_end(&self) -> Option<String> {
        let mut program = self.structured.clone();
        let sources = program.sources.clone();
        let ends = |span: Span| {
            let text = sources.excerpt(span, 80);
            ENDS.iter().any(|name| text.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('(')))
        };
        rewrite(&mut program, &mut |stmt| match &stmt.kind {
            // It holds wherever it stands.
            StmtKind::Assert(_, formula) => Some(StmtKind::Assume(formula.clone())),
            StmtKind::Assume(formula) if is_false(formula) && ends(stmt.span) => {
                Some(StmtKind::Assert(Check::Assertion, formula.clone()))
            }
            _ => None,
        });
        program.claim = Claim::NoCompleteExecution;
        if !self.is_proven(&program) {
            return None;
        }
        // Single steps say where executions stop, also before what lowering drops because nobody gets past it.
        rewrite(&mut program, &mut |stmt| {
            let waits = matches!(stmt.kind, StmtKind::Join { .. } | StmtKind::Wait { .. } | StmtKind::Assume(_));
            let arrives = Stmt { kind: StmtKind::Assign(Vec::new()), span: stmt.span };
            waits.then(|| StmtKind::Seq(vec![arrives, stmt.clone()]))
        });
        let pool = TermPool::new();
        let mut automata = lower(&program, &pool, LowerOptions { fuse: false, ..self.lowering }).ok()?;
        let Runs { stops, cut, .. } = runs(&automata, RUNNING);
        let Some(&stop) = stops.first() else {
            return Some(if cut { "main never ends".into() } else { NO_END.into() });
        };
        let span = where_it_stops(&automata, stop);
        let position = automata.sources.position(span);
        let file = automata.sources.file(span.file).name.clone();
        let place = format!("{file}:{} ({})", position.line, automata.sources.excerpt(span, 60));
        let same = stops.iter().all(|other| *other == stop) && !cut;
        let all = same && is_passed_by_all(&automata, stop) && {
            let targets: Vec<Location> = leaving(&automata, stop).map(|action| action.target).collect();
            automata.completion_is_violation = false;
            for target in targets {
                automata.threads[0].locations[target.index()].violation = Some(Violation::Failed(Check::Assertion));
            }
            self.is_safe(&automata)
        };
        let who = if all { "all stop" } else { "one stops" };
        Some(format!("{NO_END}: {who} at {place}"))
    }

    fn no_assertion(&self) -> Option<String> {
        let mut program = self.structured.clone();
        let mut found = false;
        rewrite(&mut program, &mut |stmt| {
            let is_assertion = match &stmt.kind {
                StmtKind::Assert(_, formula) => !is_false(formula),
                // A test that decides whether an error is reached is an assertion, too.
                StmtKind::If(_, then, other) => fails(then) || other.as_deref().is_some_and(fails),
                _ => false,
            };
            found |= is_assertion;
            is_assertion.then(|| StmtKind::Assert(Check::Assertion, ast::Expr::bool(false, stmt.span)))
        });
        // Of assertions that always hold nothing is left, and what is no test says nothing.
        (found && self.is_proven(&program)).then(|| "no execution reaches an assertion".to_owned())
    }

    fn is_proven(&self, program: &ast::Program) -> bool {
        let pool = TermPool::new();
        lower(program, &pool, self.lowering).is_ok_and(|automata| self.is_safe(&automata))
    }

    fn is_safe(&self, automata: &cfa::Program<'_>) -> bool {
        let [least, most] = PROVING;
        let limit = (self.took / 10).clamp(least, most);
        let end = Instant::now() + limit;
        let end = self.deadline.map_or(end, |deadline| deadline.min(end));
        let control = Control::new().until(Some(end)).memory_limit(Some(self.memory));
        // A single query, as of floats, may take longer than all of this.
        let mut gem = self.gem.clone();
        gem.solver.budget.wall_clock = gem.solver.budget.wall_clock.min(limit);
        matches!(gem.verify(&Task::new(automata), &control).verdict, Verdict::Safe(_))
    }
}

fn is_false(formula: &ast::Expr) -> bool {
    formula.kind == ExprKind::Bool(false)
}

/// Is the branch of a test an error?
fn fails(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assert(_, formula) => is_false(formula),
        StmtKind::Seq(stmts) => stmts.iter().any(fails),
        _ => false,
    }
}

/// Changes statements; what is inside those that stay may change as well.
struct Rewrite<'c>(&'c mut dyn FnMut(&Stmt) -> Option<StmtKind>);

impl Fold for Rewrite<'_> {
    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match (self.0)(stmt) {
            Some(kind) => Stmt { kind, span: stmt.span },
            None => fold_stmt(self, stmt),
        }
    }
}

fn rewrite(program: &mut ast::Program, change: &mut dyn FnMut(&Stmt) -> Option<StmtKind>) {
    let mut rewrite = Rewrite(change);
    program.procedures.iter_mut().for_each(|procedure| procedure.body = rewrite.stmt(&procedure.body));
}

fn leaving<'a>(automata: &'a cfa::Program<'_>, location: Location) -> impl Iterator<Item = &'a cfa::Action> {
    automata.thread(ThreadId::MAIN).outgoing(location).iter().map(|&id| automata.action(id))
}

fn where_it_stops(automata: &cfa::Program<'_>, location: Location) -> Span {
    let action = leaving(automata, location).next();
    let here = automata.thread(ThreadId::MAIN).locations[location.index()].span;
    action.map_or(here, |action| action.steps.first().map_or(action.span, |step| step.span))
}

/// Does every way through the first thread from its start to its end lead through a location?
fn is_passed_by_all(automata: &cfa::Program<'_>, location: Location) -> bool {
    let thread = automata.thread(ThreadId::MAIN);
    let elsewhere = |at: &usize| *at != location.index();
    let next = |at: usize| {
        let targets = leaving(automata, Location(at as u32)).map(|action| action.target.index());
        targets.filter(elsewhere).collect::<Vec<usize>>()
    };
    let start = Some(thread.entry.index()).filter(elsewhere);
    !reached(thread.locations.len(), start, next)[thread.exit.index()]
}
