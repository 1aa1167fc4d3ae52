//! Graphs whose nodes are numbers, for automata and all else that has edges: what is reached, what lies on cycles, where loops begin.

/// For each node: is it reached from one of the starts? These are.
pub fn reached<I: IntoIterator<Item = usize>>(
    nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    mut next: impl FnMut(usize) -> I,
) -> Vec<bool> {
    let mut reached = vec![false; nodes];
    let mut open: Vec<usize> = starts.into_iter().collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            open.extend(next(node));
        }
    }
    reached
}

/// The nodes that are reached from the entry; without back edges, each comes before those that it has edges to.
pub fn reverse_postorder(entry: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let (mut seen, mut order) = (vec![false; edges.len()], Vec::new());
    let mut path = vec![(entry, 0)];
    seen[entry] = true;
    while let Some((node, next)) = path.last_mut() {
        match edges[*node].get(*next) {
            None => {
                order.push(*node);
                path.pop();
            }
            Some(&target) => {
                *next += 1;
                if !std::mem::replace(&mut seen[target], true) {
                    path.push((target, 0));
                }
            }
        }
    }
    order.reverse();
    order
}

/// For each node: does an edge go back to it on a depth-first path from the entry? Every cycle that is reached has such a node.
pub fn loop_heads(entry: usize, edges: &[Vec<usize>]) -> Vec<bool> {
    let order = reverse_postorder(entry, edges);
    let mut place = vec![None; edges.len()];
    order.iter().enumerate().for_each(|(position, &node)| place[node] = Some(position));
    let mut heads = vec![false; edges.len()];
    for node in order {
        edges[node].iter().filter(|&&target| place[target] <= place[node]).for_each(|&target| heads[target] = true);
    }
    heads
}

/// For each node: does it lie on a cycle?
pub fn on_cycles(edges: &[Vec<usize>]) -> Vec<bool> {
    let component = components(edges);
    let mut size = vec![0usize; edges.len()];
    component.iter().for_each(|&component| size[component] += 1);
    let is_cyclic = |node: usize| size[component[node]] > 1 || edges[node].contains(&node);
    (0..edges.len()).map(is_cyclic).collect()
}

/// For each node a number that it has in common with all nodes which it reaches and which reach it, and with no others: Tarjan's strongly
/// connected components, without recursion.
pub fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut number = vec![UNSEEN; edges.len()];
    let mut low = vec![UNSEEN; edges.len()];
    let mut open = vec![false; edges.len()];
    let mut found = vec![0; edges.len()];
    let (mut component, mut count) = (Vec::new(), 0);
    for root in 0..edges.len() {
        let mut path: Vec<(usize, usize)> = Vec::new();
        if number[root] == UNSEEN {
            path.push((root, 0));
        }
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if *next == 0 {
                (number[node], low[node], open[node]) = (count, count, true);
                count += 1;
                component.push(node);
            }
            if let Some(&target) = edges[node].get(*next) {
                *next += 1;
                if number[target] == UNSEEN {
                    path.push((target, 0));
                } else if open[target] {
                    low[node] = low[node].min(number[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == number[node] {
                let start = component.iter().rposition(|&other| other == node).expect("it is still open");
                for other in component.drain(start..) {
                    open[other] = false;
                    found[other] = node;
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_and_what_leads_to_them() {
        let edges = [vec![1], vec![2, 4], vec![3], vec![1], vec![4, 5], vec![], vec![6, 0], vec![0]];
        let cyclic: Vec<usize> = (0..edges.len()).filter(|&node| on_cycles(&edges)[node]).collect();
        assert_eq!(cyclic, [1, 2, 3, 4, 6]);
        let component = components(&edges);
        let same = |node: usize| (0..edges.len()).filter(|&other| component[other] == component[node]).count();
        assert_eq!((0..edges.len()).map(same).collect::<Vec<_>>(), [1, 3, 3, 3, 1, 1, 1, 1]);
    }

    #[test]
    fn loops_begin_where_edges_go_back() {
        let edges = [vec![1], vec![2, 4], vec![3], vec![1], vec![4, 5], vec![], vec![6, 0], vec![0]];
        let numbers = |marks: Vec<bool>| (0..edges.len()).filter(|&node| marks[node]).collect::<Vec<usize>>();
        assert_eq!(numbers(loop_heads(0, &edges)), [1, 4]);
        assert_eq!(numbers(reached(edges.len(), [2, 5], |node| edges[node].iter().copied())), [1, 2, 3, 4, 5]);
        assert_eq!(reverse_postorder(0, &edges), [0, 1, 4, 5, 2, 3]);
    }
}
