//! Which variables of a function or a thread may be pointed to after their end.

use super::PointsTo;
use crate::c::translate::{CallGraph, Met, ObjectKind, Variables};
use crate::c::tree::{Expr, ExprKind, FunctionId, Stmt, StmtKind, Storage, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

impl PointsTo<'_> {
    /// The variables of functions and threads whose address may be somewhere that lives longer than they do: in static or allocated memory, in the
    /// result of a function, with another thread, in a variable of a caller, or in one of an outer block.
    ///
    /// A pointer in a variable of another function that nobody points to is one that was handed down: it is gone before. So is one in
    /// the same block, or in a block inside of it. What stands in the outermost block of `main` is there until the program ends,
    /// unless `main` ends as a thread.
    pub fn outliving(&self, graph: &CallGraph, facts: &Variables, main: FunctionId) -> FxHashSet<VariableId> {
        let mut blocks = Blocks::default();
        for function in &self.unit.functions {
            blocks.at.extend(function.parameters.iter().map(|&parameter| (parameter, OUTERMOST)));
            blocks.declare_all(function.body.as_deref().unwrap_or_default(), OUTERMOST);
        }
        let stays = |id: VariableId, function: FunctionId| {
            function == main && blocks.at.get(&id) == Some(&OUTERMOST) && !graph.exits[main.index()]
        };
        let mut found = FxHashSet::default();
        // Without a function that says it, what holds the pointer lives as long as the program.
        let mut held = |node: super::PointsToNode, longer: Option<&dyn Fn(VariableId, FunctionId) -> bool>| {
            for target in &self.sets[node.0 as usize] {
                let ObjectKind::Variable(id) = self.objects.get(target.object).kind else { continue };
                let outlived = match self.unit.variables[id.index()].storage {
                    Storage::Local(function) => {
                        let expanded = self.unit.functions[function.index()].inline;
                        !expanded && !stays(id, function) && longer.is_none_or(|longer| longer(id, function))
                    }
                    Storage::Thread => longer.is_none(),
                    _ => false,
                };
                if outlived {
                    found.insert(id);
                }
            }
        };
        for (&(holder, _), &node) in &self.contents {
            let ObjectKind::Variable(holder) = self.objects.get(holder).kind else {
                held(node, None);
                continue;
            };
            let Storage::Local(at) = self.unit.variables[holder.index()].storage else {
                held(node, None);
                continue;
            };
            let started = graph.started[at.index()];
            let parameter = self.unit.functions[at.index()].parameters.contains(&holder);
            let longer = |id: VariableId, function: FunctionId| {
                let other_call = facts.addressed.contains(&holder) && (at != function || graph.is_recursive(at));
                let other_thread = at != function && parameter && started;
                other_call || other_thread || (at == function && blocks.is_outside(holder, id))
            };
            held(node, Some(&longer));
        }
        let results = self.results.values().flatten().chain([&self.joined]);
        results.for_each(|&node| held(node, None));
        found
    }
}

/// The block that is a function's body.
const OUTERMOST: usize = 0;

/// Which block each local variable lives in; blocks are numbers, and know the block around them.
#[derive(Default)]
struct Blocks {
    at: FxHashMap<VariableId, usize>,
    around: Vec<usize>,
}

impl Blocks {
    /// Notes what is declared in the statements of a block.
    fn declare_all(&mut self, stmts: &[Stmt], block: usize) {
        stmts.iter().for_each(|stmt| self.declare(Met::Stmt(stmt), block));
    }

    fn declare(&mut self, met: Met<'_>, block: usize) {
        let mut inside = block;
        match met {
            Met::Stmt(Stmt { kind: StmtKind::Declare(id, _), .. })
            | Met::Expr(Expr { kind: ExprKind::Literal(id, _), .. }) => {
                self.at.insert(*id, block);
            }
            // What several declarators of one statement declare lives around the block that they stand in.
            Met::Stmt(Stmt { kind: StmtKind::For { init, test, step, body }, .. }) => {
                let inside = self.inside(block);
                match &init.kind {
                    StmtKind::Block(stmts) => self.declare_all(stmts, inside),
                    _ => self.declare(Met::Stmt(init), inside),
                }
                [test, step].into_iter().flatten().for_each(|expr| self.declare(Met::Expr(expr), inside));
                return self.declare(Met::Stmt(body), inside);
            }
            Met::Stmt(Stmt { kind: StmtKind::Block(_), .. })
            | Met::Expr(Expr { kind: ExprKind::Statements(_), .. }) => inside = self.inside(block),
            _ => {}
        }
        met.children().into_iter().for_each(|child| self.declare(child, inside));
    }

    /// A new block; the outermost one is around itself.
    fn inside(&mut self, block: usize) -> usize {
        if self.around.is_empty() {
            self.around.push(OUTERMOST);
        }
        self.around.push(block);
        self.around.len() - 1
    }

    /// Does the first variable live in a block around that of the second, or in one beside it?
    fn is_outside(&self, first: VariableId, second: VariableId) -> bool {
        let (Some(&first), Some(&second)) = (self.at.get(&first), self.at.get(&second)) else { return true };
        let mut block = first;
        while block != second && block != OUTERMOST {
            block = self.around[block];
        }
        block != second
    }
}
