//! Where pointers point: an inclusion-based analysis (Andersen), without flow and context, by leaf.
//!
//! A node stands for a value: of a leaf of an object, of an expression, of a function's result. Its set holds targets, an object and a
//! position in it with all array indices 0. Integers are followed like pointers, because C programs pass addresses through them.
//! `constraints` reads the tree, `solve` is the fixpoint.
//!
//! Invariant: in every execution without undefined behaviour, what a dereferenced pointer points to is among its targets.

mod calls;
mod constraints;
mod escape;
mod handed_over;
mod lifetime;
mod numbers;
mod observed;
mod solve;

pub use observed::Observed;

use crate::c::translate::{BitField, HeapType, Layouts, ObjectId, ObjectKind, Objects, Site, site};
use crate::c::tree::{Expr, FunctionId, Type, Unit, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of targets that is to be found, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PointsToNode(u32);

/// What a pointer may point to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Target {
    pub object: ObjectId,
    /// In bytes, all indices 0; `None`: anywhere in the object. Before the object, as a negative number of two's complement.
    pub position: Option<u64>,
    /// A pointer to a record of that size has become one to something else: it moves through the record, not through an array in it.
    /// 0: it moves through arrays.
    pub record: u64,
}

/// What is outside is the first object.
const OUTSIDE: Target = Target::at(ObjectId(0), Some(0));

impl Target {
    /// A place in an object; in an array, any of its elements.
    pub const fn at(object: ObjectId, position: Option<u64>) -> Target {
        Target { object, position, record: 0 }
    }
}

/// How a copied pointer is moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shift {
    /// To a field: by so many bytes.
    By(i64),
    /// By so many bytes, which are elements of the given size.
    Elements(i64, u64),
    /// By any number of elements of the size.
    Stride(u64),
    /// By any number of bytes, as what a pointer is moved by: a number from outside leads nowhere else.
    Count,
    /// Nowhere, but as what it moves on: through a record of that size, or (0) through arrays.
    Through(u64),
    /// To nobody knows where.
    Lost,
}

/// The place that an expression of the tree stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlaceFlow {
    Fixed(ObjectId, Option<u64>),
    Through(PointsToNode, i64),
}

/// An access through a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Access {
    offset: i64,
    bits: u32,
    bit_field: Option<BitField>,
    /// Where the value comes from or goes to.
    value: PointsToNode,
    writes: bool,
}

/// A call whose callees are found with the targets of a node.
#[derive(Clone, Debug)]
struct Call {
    arguments: Vec<Vec<PointsToNode>>,
    result: Vec<PointsToNode>,
    /// Starts a thread: the result goes to whoever joins.
    thread: bool,
}

/// The constraints that leave a node.
#[derive(Clone, Default, Debug)]
struct Leaving {
    copies: Vec<(PointsToNode, Option<Shift>)>,
    accesses: Vec<Access>,
    calls: Vec<Call>,
}

/// The analysis, and its answer.
pub struct PointsTo<'u> {
    unit: &'u Unit,
    pub objects: Objects<'u>,
    /// Of each node.
    sets: Vec<FxHashSet<Target>>,
    leaving: Vec<Leaving>,
    nodes: FxHashMap<Site, PointsToNode>,
    /// Of expressions whose values have several leaves, or none.
    records: FxHashMap<Site, Vec<PointsToNode>>,
    /// Conversions to pointers, with what these point to, and places whose address is taken.
    casts: Vec<(PointsToNode, Type)>,
    /// The types that pointers are dereferenced as.
    accesses: Vec<(PointsToNode, Type)>,
    contents: FxHashMap<(ObjectId, usize), PointsToNode>,
    results: FxHashMap<FunctionId, Vec<PointsToNode>>,
    /// Memory that is copied, from what the second to what the first points to.
    moves: Vec<(PointsToNode, PointsToNode)>,
    /// What functions without a body are given: they may put anything where it leads to.
    given: Vec<PointsToNode>,
    /// Where the handles of started threads go.
    handles: Vec<PointsToNode>,
    /// The results of all threads.
    joined: PointsToNode,
    /// The function whose constraints are being collected.
    function: FunctionId,
    work: Vec<(PointsToNode, Target)>,
}

impl<'u> PointsTo<'u> {
    /// Analyses the functions; `heap` says what is known of allocations.
    pub fn of(layouts: Layouts<'u>, functions: &[FunctionId], heap: FxHashMap<Site, HeapType>) -> PointsTo<'u> {
        let mut analysis = PointsTo {
            unit: layouts.unit,
            objects: Objects::new(layouts, heap),
            sets: Vec::new(),
            leaving: Vec::new(),
            nodes: FxHashMap::default(),
            records: FxHashMap::default(),
            casts: Vec::new(),
            accesses: Vec::new(),
            contents: FxHashMap::default(),
            results: FxHashMap::default(),
            moves: Vec::new(),
            given: Vec::new(),
            handles: Vec::new(),
            joined: PointsToNode(0),
            function: FunctionId(0),
            work: Vec::new(),
        };
        analysis.objects.of(ObjectKind::Outside);
        analysis.joined = analysis.node();
        analysis.statics();
        functions.iter().for_each(|&function| analysis.function(function));
        analysis.solve();
        analysis
    }

    /// Can a pointer expression have a value that the program does not know?
    pub fn is_from_outside(&self, pointer: &Expr) -> bool {
        self.nodes.get(&site(pointer)).is_none_or(|node| self.sets[node.0 as usize].contains(&OUTSIDE))
    }

    /// The targets of a pointer expression of the tree that are known, in order.
    pub fn targets(&self, pointer: &Expr) -> Vec<Target> {
        let mut targets = self.targets_among(self.nodes.get(&site(pointer)));
        // Anywhere in an object covers the rest.
        let anywhere: Vec<ObjectId> = targets.iter().filter(|t| t.position.is_none()).map(|t| t.object).collect();
        targets.retain(|target| target.position.is_none() || !anywhere.contains(&target.object));
        // So does who may leave an array for who stays in it.
        let moving: Vec<Target> = targets.iter().copied().filter(|target| target.record > 0).collect();
        targets.retain(|target| {
            target.record > 0 || !moving.iter().any(|other| Target { record: 0, ..*other } == *target)
        });
        targets
    }

    /// What is known of what nodes may point to, in order.
    fn targets_among<'a>(&self, nodes: impl IntoIterator<Item = &'a PointsToNode>) -> Vec<Target> {
        let all = nodes.into_iter().flat_map(|node| self.sets[node.0 as usize].iter().copied());
        let mut targets: Vec<Target> = all.filter(|&target| target != OUTSIDE).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// A target moved by a field's offset.
    pub fn shifted(&self, target: Target, offset: i64) -> Target {
        solve::shifted(&self.objects, target, Shift::By(offset))
    }

    /// The functions that a pointer expression may mean.
    pub fn functions(&self, pointer: &Expr) -> Vec<FunctionId> {
        let kind = |target: &Target| match self.objects.get(target.object).kind {
            ObjectKind::Function(function) => Some(function),
            _ => None,
        };
        self.targets(pointer).iter().filter_map(kind).collect()
    }

    /// The types that each allocation is used as.
    pub fn heap_types(&self) -> FxHashMap<Site, Vec<Type>> {
        let mut types = self.by_allocation(&self.casts);
        for (site, accessed) in self.by_allocation(&self.accesses) {
            let known = types.entry(site).or_default();
            // Where all accesses are to bytes, it does not matter what else the memory is called. What belongs to the library is
            // accessed by its functions.
            let library = |ty: &Type| matches!(ty, Type::Record(id) if self.objects.layouts.is_opaque(*id));
            if accessed.iter().all(|ty| self.objects.layouts.size(ty) == 1) {
                known.retain(library);
            }
            let new: Vec<Type> = accessed.into_iter().filter(|ty| !known.contains(ty)).collect();
            known.extend(new);
        }
        types
    }

    fn by_allocation(&self, used: &[(PointsToNode, Type)]) -> FxHashMap<Site, Vec<Type>> {
        let mut types: FxHashMap<Site, Vec<Type>> = FxHashMap::default();
        for (node, ty) in used {
            for target in &self.sets[node.0 as usize] {
                if let ObjectKind::Heap(site) = self.objects.get(target.object).kind {
                    let known = types.entry(site).or_default();
                    if !known.contains(ty) {
                        known.push(ty.clone());
                    }
                }
            }
        }
        types
    }

    fn node(&mut self) -> PointsToNode {
        self.sets.push(FxHashSet::default());
        self.leaving.push(Leaving::default());
        PointsToNode(self.sets.len() as u32 - 1)
    }

    fn content(&mut self, object: ObjectId, leaf: usize) -> PointsToNode {
        let leaf = if self.objects.get(object).in_bytes { 0 } else { leaf };
        let known = self.contents.get(&(object, leaf)).copied();
        known.unwrap_or_else(|| {
            let node = self.node();
            self.contents.insert((object, leaf), node);
            node
        })
    }

    fn variable(&mut self, id: VariableId) -> ObjectId {
        self.objects.of(ObjectKind::Variable(id))
    }

    /// The nodes of a function's result, one for each leaf of its type.
    fn result(&mut self, id: FunctionId) -> Vec<PointsToNode> {
        if let Some(nodes) = self.results.get(&id) {
            return nodes.clone();
        }
        let nodes = self.new_value(&self.unit.functions[id.index()].ty.result);
        self.results.insert(id, nodes.clone());
        nodes
    }

    /// A node for each leaf of a type.
    fn new_value(&mut self, ty: &Type) -> Vec<PointsToNode> {
        (0..self.width(ty)).map(|_| self.node()).collect()
    }

    /// How many leaves a value of the type has.
    fn width(&self, ty: &Type) -> usize {
        match ty {
            Type::Void => 0,
            Type::Record(_) | Type::Array(..) => self.objects.layouts.leaves(ty).map_or(0, |leaves| leaves.len()),
            _ => 1,
        }
    }

    fn add(&mut self, node: PointsToNode, target: Target) {
        if self.sets[node.0 as usize].insert(target) {
            self.work.push((node, target));
        }
    }

    fn copy(&mut self, from: PointsToNode, to: PointsToNode, shift: Option<Shift>) {
        let known = &mut self.leaving[from.0 as usize].copies;
        if from != to && !known.contains(&(to, shift)) {
            known.push((to, shift));
            for target in self.sets[from.0 as usize].clone() {
                if let Some(moved) = self.shifted_by(target, shift) {
                    self.add(to, moved);
                }
            }
        }
    }
}
