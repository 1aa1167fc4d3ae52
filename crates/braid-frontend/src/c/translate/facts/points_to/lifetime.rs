//! What of a function or a thread may be pointed to after its end: variables, and memory of `alloca`.

use super::PointsTo;
use crate::c::translate::{CallGraph, Met, ObjectKind, Site, Variables, call_graph, site};
use crate::c::tree::{Expr, ExprKind, FunctionId, Stmt, StmtKind, Storage, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

impl PointsTo<'_> {
    /// What lives as long as a block, a call or a thread, and whose address may be somewhere that lives longer: in static or allocated memory, in the
    /// result of a function, with another thread, in a variable of a caller, in one of an outer block, or in the value of the block itself.
    ///
    /// A pointer in a variable of another function that nobody points to is one that was handed down: it is gone before. So is one in
    /// the same block, or in a block inside of it. What a function gives back that is a variable of another function was handed down to it, or
    /// comes from a call of that other function, which gave it back first. What stands in the outermost block of `main` is there until the program ends,
    /// unless `main` ends as a thread, or something runs after it. Memory of `alloca` lives as long as what stands in the outermost block of its function.
    pub fn outliving(&self, graph: &CallGraph, facts: &Variables, main: FunctionId) -> FxHashSet<ObjectKind> {
        let mut blocks = Blocks::default();
        for function in &self.unit.functions {
            blocks.at.extend(function.parameters.iter().map(|&parameter| (parameter, OUTERMOST)));
            blocks.declare_all(function.body.as_deref().unwrap_or_default(), OUTERMOST);
        }
        let block = |id: &VariableId| blocks.at.get(id).copied();
        let stays = |block: Option<usize>, function: FunctionId| {
            let goes_on = graph.exits[main.index()] || call_graph::program_ends(self.unit).is_some();
            function == main && block == Some(OUTERMOST) && !goes_on
        };
        let mut found = FxHashSet::default();
        // Without a function that says it, what holds the pointer lives as long as the program.
        let mut held = |node: super::PointsToNode, longer: Option<&dyn Fn(Option<usize>, FunctionId) -> bool>| {
            for target in &self.sets[node.0 as usize] {
                let kind = self.objects.get(target.object).kind;
                let ends_with = |block: Option<usize>, function: FunctionId| {
                    let expanded = self.unit.functions[function.index()].inline;
                    !expanded && !stays(block, function) && longer.is_none_or(|longer| longer(block, function))
                };
                let outlived = match kind {
                    ObjectKind::Variable(id) => match self.unit.variables[id.index()].storage {
                        Storage::Local(function) => ends_with(block(&id), function),
                        Storage::Thread => longer.is_none(),
                        _ => false,
                    },
                    ObjectKind::Heap(_) => {
                        let frame_of = self.objects.allocation(target.object).and_then(|heap| heap.frame_of);
                        frame_of.is_some_and(|function| ends_with(Some(OUTERMOST), function))
                    }
                    _ => false,
                };
                if outlived {
                    found.insert(kind);
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
            let longer = |own: Option<usize>, function: FunctionId| {
                let other_call = facts.addressed.contains(&holder) && (at != function || graph.is_recursive(at));
                let other_thread = at != function && parameter && started;
                other_call || other_thread || (at == function && blocks.is_outside(block(&holder), own))
            };
            held(node, Some(&longer));
        }
        for (&at, nodes) in &self.results {
            nodes.iter().for_each(|&node| held(node, Some(&|_, function| function == at)));
        }
        held(self.joined, None);
        for &(expr, block) in &blocks.expressions {
            let value = self.nodes.get(&expr).into_iter().chain(self.records.get(&expr).into_iter().flatten());
            value.for_each(|&node| held(node, Some(&|own, _| blocks.is_inside(own, block))));
        }
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
    /// The blocks that are expressions: their values live longer than they do.
    expressions: Vec<(Site, usize)>,
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
            Met::Stmt(Stmt { kind: StmtKind::Block(_), .. }) => inside = self.inside(block),
            Met::Expr(expr @ Expr { kind: ExprKind::Statements(_), .. }) => {
                inside = self.inside(block);
                self.expressions.push((site(expr), inside));
            }
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

    /// Is the first block the second, or inside of it?
    fn is_inside(&self, first: Option<usize>, second: usize) -> bool {
        let mut at = first.unwrap_or(OUTERMOST);
        while at != second && at != OUTERMOST {
            at = self.around[at];
        }
        at == second
    }

    /// Is the first block around the second, or beside it?
    fn is_outside(&self, first: Option<usize>, second: Option<usize>) -> bool {
        let (Some(first), Some(second)) = (first, second) else { return true };
        let mut block = first;
        while block != second && block != OUTERMOST {
            block = self.around[block];
        }
        block != second
    }
}
