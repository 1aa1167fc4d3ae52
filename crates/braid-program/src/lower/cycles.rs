//! Which statements can run again: those that lie on a cycle of their procedure's control flow.
//!
//! A fork site needs one instance if it is passed once, and a bound and a counter if it may be passed again, and this must
//! be known before its thread's automaton is there. So a light graph of each body is made first: a node for each place
//! between statements, edges as `statement` will make them. Calls are single steps here: a statement of a procedure that
//! is called runs again if it lies on a cycle of its own procedure, or if its call runs again. Branches of a `par` are
//! graphs of their own, as they are threads of their own.
//!
//! Invariant: what is not reported runs at most once each time its procedure (or branch) is started.

use crate::ast::{Expr, ExprKind, LabelId, Stmt, StmtKind};
use crate::graph::on_cycles;
use rustc_hash::{FxHashMap, FxHashSet};

/// A statement of the program, by its address.
pub(super) type Site = *const Stmt;

#[derive(Default)]
struct Flow {
    /// The successors of each node.
    edges: Vec<Vec<usize>>,
    /// The nodes where threads are started or procedures called.
    sites: Vec<(Site, usize)>,
    labels: FxHashMap<LabelId, usize>,
}

/// The `par`s, forks and calls of a procedure's body that lie on a cycle.
pub(super) fn repeating(body: &Stmt) -> FxHashSet<Site> {
    let mut flow = Flow::default();
    let (entry, exit) = (flow.node(), flow.node());
    flow.stmt(body, entry, exit, exit);
    let cyclic = on_cycles(&flow.edges);
    flow.sites.into_iter().filter(|(_, node)| cyclic[*node]).map(|(site, _)| site).collect()
}

impl Flow {
    fn node(&mut self) -> usize {
        self.edges.push(Vec::new());
        self.edges.len() - 1
    }

    fn label(&mut self, label: LabelId) -> usize {
        if let Some(&node) = self.labels.get(&label) {
            return node;
        }
        let node = self.node();
        self.labels.insert(label, node);
        node
    }

    /// Adds the edges of a statement between two nodes; a `return` goes to `exit`.
    fn stmt(&mut self, stmt: &Stmt, from: usize, to: usize, exit: usize) {
        match &stmt.kind {
            StmtKind::Assume(test) | StmtKind::Await(test, _) | StmtKind::Assert(_, test) => {
                if literal(test) != Some(false) {
                    self.edges[from].push(to);
                }
            }
            StmtKind::Unmodelled(_) => {}
            StmtKind::Assign(_) | StmtKind::Havoc(_) | StmtKind::Join { .. } | StmtKind::Wait { .. } => {
                self.edges[from].push(to)
            }
            StmtKind::Seq(stmts) => {
                let mut at = from;
                for stmt in stmts {
                    let next = self.node();
                    self.stmt(stmt, at, next, exit);
                    at = next;
                }
                self.edges[at].push(to);
            }
            StmtKind::Choice(branches) => branches.iter().for_each(|branch| self.stmt(branch, from, to, exit)),
            StmtKind::If(test, then, other) => {
                if literal(test) != Some(false) {
                    self.stmt(then, from, to, exit);
                }
                match other {
                    _ if literal(test) == Some(true) => {}
                    Some(other) => self.stmt(other, from, to, exit),
                    None => self.edges[from].push(to),
                }
            }
            StmtKind::While(test, body) => {
                let head = self.node();
                self.edges[from].push(head);
                if literal(test) != Some(false) {
                    self.stmt(body, head, head, exit);
                }
                if literal(test) != Some(true) {
                    self.edges[head].push(to);
                }
            }
            StmtKind::Loop(body) => {
                let head = self.node();
                self.edges[from].push(head);
                self.stmt(body, head, head, exit);
                self.edges[head].push(to);
            }
            StmtKind::Par(branches) => {
                self.site(stmt, from, to);
                for branch in branches {
                    let (entry, exit) = (self.node(), self.node());
                    self.stmt(branch, entry, exit, exit);
                }
            }
            StmtKind::Call { .. } | StmtKind::Fork { .. } | StmtKind::Async { .. } => self.site(stmt, from, to),
            StmtKind::Atomic(body) | StmtKind::Declare(_, body) => self.stmt(body, from, to, exit),
            StmtKind::Return => self.edges[from].push(exit),
            StmtKind::Label(label) => {
                let place = self.label(*label);
                self.edges[from].push(place);
                self.edges[place].push(to);
            }
            StmtKind::Goto(labels) => {
                for &label in labels {
                    let place = self.label(label);
                    self.edges[from].push(place);
                }
            }
        }
    }

    /// A node of its own for a site: other statements that start at the same place may be on cycles that it is not on.
    fn site(&mut self, stmt: &Stmt, from: usize, to: usize) {
        let node = self.node();
        self.edges[from].push(node);
        self.edges[node].push(to);
        self.sites.push((stmt, node));
    }
}

fn literal(test: &Expr) -> Option<bool> {
    match test.kind {
        ExprKind::Bool(value) => Some(value),
        _ => None,
    }
}
