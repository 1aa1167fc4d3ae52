//! Which variables matter where: what no thread will read again is no subject for a fact.

use braid_check::threads::{JOINED, Place, System};
use braid_logic::Var;
use rustc_hash::FxHashSet;

/// The variables that matter.
pub(super) struct Matter {
    shared: FxHashSet<Var>,
    /// By template and location.
    locals: Vec<Vec<FxHashSet<Var>>>,
}

impl Matter {
    pub fn of(system: &System<'_>) -> Matter {
        let all = || system.templates.iter().flat_map(|t| &t.moves);
        // Anywhere: what a guard reads, and what is read for a variable that matters.
        let mut anywhere: FxHashSet<Var> =
            all().flat_map(|m| system.pool.free_vars(m.relation.guard)).copied().collect();
        loop {
            let before = anywhere.len();
            for (var, term) in all().flat_map(|m| &m.relation.updates) {
                if anywhere.contains(var) {
                    anywhere.extend(system.pool.free_vars(*term));
                }
            }
            if anywhere.len() == before {
                break;
            }
        }
        let locals = (0..system.templates.len()).map(|template| live(system, template, &anywhere)).collect();
        Matter { shared: anywhere, locals }
    }

    pub fn shared(&self, var: Var) -> bool {
        self.shared.contains(&var)
    }

    /// Does a local variable of an instance at a place matter?
    pub fn local(&self, place: Place, var: Var) -> bool {
        self.locals[place.template][place.location.index()].contains(&var)
    }
}

/// What is read again from each location on.
fn live(system: &System<'_>, template: usize, anywhere: &FxHashSet<Var>) -> Vec<FxHashSet<Var>> {
    let t = &system.templates[template];
    let mut live: Vec<FxHashSet<Var>> = vec![FxHashSet::default(); t.size];
    live[t.exit.index()] =
        t.locals.iter().copied().filter(|&var| anywhere.contains(&system.copy(var, JOINED))).collect();
    loop {
        let mut changed = false;
        for m in &t.moves {
            let after = &live[m.target.index()];
            let mut before: FxHashSet<Var> =
                after.iter().copied().filter(|var| m.relation.writes.binary_search(var).is_err()).collect();
            before.extend(system.pool.free_vars(m.relation.guard));
            let own = |var: &Var| t.locals.contains(var);
            for (var, term) in &m.relation.updates {
                if if own(var) { after.contains(var) } else { anywhere.contains(var) } {
                    before.extend(system.pool.free_vars(*term));
                }
            }
            for var in before.into_iter().filter(own) {
                changed |= live[m.source.index()].insert(var);
            }
        }
        if !changed {
            return live;
        }
    }
}
