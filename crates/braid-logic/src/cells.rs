//! The written cells of an array: a persistent search tree, so that the arrays of many states share what they have in common.
//!
//! It is a treap whose priorities are hashes of indices: its shape depends on the cells alone. Each node knows a digest of its part.
//! So hashing costs nothing, and two arrays that one write made of the same array are compared along one path.

use crate::Value;
use rustc_hash::FxBuildHasher;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

/// Cells of an array by index.
#[derive(Clone, Default)]
pub struct Cells {
    root: Tree,
}

type Tree = Option<Arc<Node>>;

struct Node {
    index: Value,
    element: Value,
    /// Smaller indices, and larger ones; no priority there is above that of this node.
    left: Tree,
    right: Tree,
    priority: u64,
    /// The sum of the hashes of all cells from here on.
    digest: u64,
    size: usize,
}

/// The hash is nearly linear, and sums of linear ones would not tell which element is where.
fn hash(cell: impl Hash) -> u64 {
    let hash = FxBuildHasher.hash_one(cell);
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 29)
}

impl Node {
    fn new(index: Value, element: Value, left: Tree, right: Tree) -> Node {
        let priority = hash(&index);
        let digest = hash((&index, &element));
        Node { index, element, left: None, right: None, priority, digest, size: 1 }.with(left, right)
    }

    /// The same cell with other ones below it.
    fn with(&self, left: Tree, right: Tree) -> Node {
        let digest = |tree: &Tree| tree.as_ref().map_or(0, |node| node.digest);
        let size = |tree: &Tree| tree.as_ref().map_or(0, |node| node.size);
        let below = digest(&self.left).wrapping_add(digest(&self.right));
        let own = self.digest.wrapping_sub(below);
        Node {
            index: self.index.clone(),
            element: self.element.clone(),
            priority: self.priority,
            digest: own.wrapping_add(digest(&left)).wrapping_add(digest(&right)),
            size: 1 + size(&left) + size(&right),
            left,
            right,
        }
    }

    /// Does this node belong above the other?
    fn outranks(&self, other: &Node) -> bool {
        (self.priority, &self.index) > (other.priority, &other.index)
    }
}

fn inserted(tree: &Tree, index: Value, element: Value) -> Node {
    let Some(node) = tree else { return Node::new(index, element, None, None) };
    match index.cmp(&node.index) {
        Ordering::Equal => Node::new(index, element, node.left.clone(), node.right.clone()),
        Ordering::Less => {
            let left = inserted(&node.left, index, element);
            match left.outranks(node) {
                true => left.with(left.left.clone(), Some(Arc::new(node.with(left.right.clone(), node.right.clone())))),
                false => node.with(Some(Arc::new(left)), node.right.clone()),
            }
        }
        Ordering::Greater => {
            let right = inserted(&node.right, index, element);
            match right.outranks(node) {
                true => {
                    right.with(Some(Arc::new(node.with(node.left.clone(), right.left.clone()))), right.right.clone())
                }
                false => node.with(node.left.clone(), Some(Arc::new(right))),
            }
        }
    }
}

fn removed(tree: &Tree, index: &Value) -> Tree {
    let node = tree.as_ref()?;
    match index.cmp(&node.index) {
        Ordering::Equal => merged(&node.left, &node.right),
        Ordering::Less => Some(Arc::new(node.with(removed(&node.left, index), node.right.clone()))),
        Ordering::Greater => Some(Arc::new(node.with(node.left.clone(), removed(&node.right, index)))),
    }
}

/// Both trees as one; every index of the first is below every index of the second.
fn merged(left: &Tree, right: &Tree) -> Tree {
    match (left, right) {
        (None, other) | (other, None) => other.clone(),
        (Some(a), Some(b)) if a.outranks(b) => Some(Arc::new(a.with(a.left.clone(), merged(&a.right, right)))),
        (Some(_), Some(b)) => Some(Arc::new(b.with(merged(left, &b.left), b.right.clone()))),
    }
}

fn same(a: &Tree, b: &Tree) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            let alike = || a.digest == b.digest && a.index == b.index && a.element == b.element;
            Arc::ptr_eq(a, b) || alike() && same(&a.left, &b.left) && same(&a.right, &b.right)
        }
        _ => false,
    }
}

impl Cells {
    /// The number of cells.
    pub fn len(&self) -> usize {
        self.root.as_ref().map_or(0, |node| node.size)
    }

    /// Is there no cell?
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The element at an index.
    pub fn get(&self, index: &Value) -> Option<&Value> {
        let mut tree = &self.root;
        while let Some(node) = tree {
            tree = match index.cmp(&node.index) {
                Ordering::Equal => return Some(&node.element),
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
            };
        }
        None
    }

    pub(crate) fn insert(&mut self, index: Value, element: Value) {
        self.root = Some(Arc::new(inserted(&self.root, index, element)));
    }

    pub(crate) fn remove(&mut self, index: &Value) {
        if self.get(index).is_some() {
            self.root = removed(&self.root, index);
        }
    }

    /// The cells in the order of their indices.
    pub fn iter(&self) -> impl Iterator<Item = (&Value, &Value)> {
        Iter::new(&self.root).map(|node| (&node.index, &node.element))
    }

    /// The indices at which two arrays differ, in order.
    pub fn differences<'a>(&'a self, other: &'a Cells) -> Vec<&'a Value> {
        let mut found = Vec::new();
        differences(&self.root, &other.root, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Equal parts in the same place are not looked at, so that it costs little where one was made of the other.
fn differences<'a>(a: &'a Tree, b: &'a Tree, found: &mut Vec<&'a Value>) {
    match (a, b) {
        _ if same(a, b) => {}
        (Some(x), Some(y)) if x.index == y.index => {
            if x.element != y.element {
                found.push(&x.index);
            }
            differences(&x.left, &y.left, found);
            differences(&x.right, &y.right, found);
        }
        _ => {
            let at = |tree: &'a Tree, index: &Value| Cells { root: tree.clone() }.get(index).cloned();
            for (tree, other) in [(a, b), (b, a)] {
                let differs = |node: &&Node| at(other, &node.index).as_ref() != Some(&node.element);
                found.extend(Iter::new(tree).filter(differs).map(|node| &node.index));
            }
        }
    }
}

struct Iter<'a> {
    /// Nodes whose left part is done.
    open: Vec<&'a Node>,
}

impl<'a> Iter<'a> {
    fn new(tree: &'a Tree) -> Iter<'a> {
        let mut iter = Iter { open: Vec::new() };
        iter.enter(tree);
        iter
    }

    fn enter(&mut self, mut tree: &'a Tree) {
        while let Some(node) = tree {
            self.open.push(node);
            tree = &node.left;
        }
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a Node;

    fn next(&mut self) -> Option<&'a Node> {
        let node = self.open.pop()?;
        self.enter(&node.right);
        Some(node)
    }
}

impl FromIterator<(Value, Value)> for Cells {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(cells: I) -> Cells {
        let mut written = Cells::default();
        cells.into_iter().for_each(|(index, element)| written.insert(index, element));
        written
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

impl Hash for Cells {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.root.as_ref().map_or(0, |node| node.digest).hash(hasher);
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Cells) -> bool {
        same(&self.root, &other.root)
    }
}

impl Eq for Cells {}

impl PartialOrd for Cells {
    fn partial_cmp(&self, other: &Cells) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cells {
    fn cmp(&self, other: &Cells) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn int(value: i64) -> Value {
        Value::Int(value.into())
    }

    /// Writes (and, without an element, removals) in order.
    fn both(writes: &[(i64, Option<i64>)]) -> (Cells, BTreeMap<Value, Value>) {
        let (mut cells, mut map) = (Cells::default(), BTreeMap::new());
        for &(index, element) in writes {
            match element {
                Some(element) => {
                    cells.insert(int(index), int(element));
                    map.insert(int(index), int(element));
                }
                None => {
                    cells.remove(&int(index));
                    map.remove(&int(index));
                }
            }
        }
        (cells, map)
    }

    fn writes() -> impl Strategy<Value = Vec<(i64, Option<i64>)>> {
        prop::collection::vec((0..12i64, prop::option::weighted(0.7, 0..3i64)), 0..40)
    }

    proptest! {
        #[test]
        fn they_are_a_map(first in writes(), second in writes()) {
            let ((a, map), (b, other)) = (both(&first), both(&second));
            prop_assert!(a.iter().eq(map.iter()));
            prop_assert_eq!(a.len(), map.len());
            for index in -1..13 {
                prop_assert_eq!(a.get(&int(index)), map.get(&int(index)));
            }
            prop_assert_eq!(a == b, map == other);
            prop_assert_eq!(a.cmp(&b), map.cmp(&other));
            prop_assert!(a != b || hash(&a) == hash(&b));
            let differ: Vec<Value> = (0..12).map(int).filter(|at| map.get(at) != other.get(at)).collect();
            prop_assert_eq!(a.differences(&b).into_iter().cloned().collect::<Vec<_>>(), differ);
            // The shape depends on the cells alone.
            let again: Cells = map.into_iter().rev().collect();
            prop_assert!(same(&a.root, &again.root));
        }
    }

    #[test]
    fn hashes_tell_which_element_is_where() {
        let swapped = |a, b| hash(&both(&[(1, Some(a)), (2, Some(b))]).0);
        assert_ne!(swapped(5, 6), swapped(6, 5));
    }
}
