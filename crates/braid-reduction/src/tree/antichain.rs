//! Emptiness by antichains (paper 4, Algorithm 1), from the initial state on and only where needed.
//!
//! A state that is met is taken to be active until its successors say otherwise; then whoever relied on it is decided again.
//! Only the largest inactive sleep sets are kept, with the letters that show it (Lemma 7.5), and a state with a larger
//! sleep set than an active one is active. Both also hold between nodes that know less and more of the same place.
//!
//! For total orders the largest inactive sleep set is what is left when the letters that show inactivity are taken away:
//! whichever of those comes first in an order has at most the others before it.

use super::choice::{Local, Reply, decide};
use super::{Checked, Choice, NodeId, Refutation, Slots, Uncovered};
use rustc_hash::FxHashMap;

/// A state of a reduction that is covered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// Its node.
    pub node: NodeId,
    /// The slots of the letters that sleep there.
    pub asleep: Vec<u16>,
    /// The letters that are awake in the order that was chosen, and the numbers of the states behind them; none where all
    /// words that go on so are covered.
    pub steps: Vec<(usize, Option<u32>)>,
}

/// A reduction that is covered, as states with their orders, the initial one first; none if there is none.
pub fn chosen<U: Uncovered, const W: usize>(words: &mut U, choice: Choice) -> Result<Option<Vec<Chosen>>, U::Stop> {
    let Some(initial) = words.initial()? else { return Ok(None) };
    let mut search: Search<'_, U, W> = Search::new(words, choice, usize::MAX);
    search.open(initial)?;
    search.fixpoint(initial)?;
    if search.inactive(initial, Slots::EMPTY).is_some() {
        return Ok(None);
    }
    search.chosen(initial)
}

/// Looks for a reduction that is covered, by antichains of sleep sets. Once an uncovered word is found, at most so many steps
/// are taken before the search is given up: what comes back is then a part of a refutation, of some reductions only.
pub fn antichain<U: Uncovered, const W: usize>(
    words: &mut U,
    choice: Choice,
    patience: usize,
) -> Result<Checked, U::Stop> {
    let Some(initial) = words.initial()? else { return Ok(Checked { refutation: None, states: 0 }) };
    let mut search: Search<'_, U, W> = Search::new(words, choice, patience);
    search.open(initial)?;
    search.fixpoint(initial)?;
    Ok(search.result(initial))
}

/// How inactivity is shown: letters, and the inactive states behind them.
type Shown = Vec<(u32, u32)>;

struct Letter<const W: usize> {
    slot: u16,
    /// Where it leads, once asked.
    next: Option<Option<NodeId>>,
    /// The letters that were compared with it, and those that commute.
    compared: Slots<W>,
    commuting: Slots<W>,
}

struct Node<const W: usize> {
    kind: u32,
    letters: Vec<Letter<W>>,
    all: Slots<W>,
}

/// A state of the tree automaton that somebody asked for.
struct State<T, const W: usize> {
    node: NodeId,
    asleep: Slots<W>,
    turn: T,
    /// Who asked for it first, and by which letter.
    from: Option<(u32, u32)>,
    /// How many letters lead here.
    depth: u32,
    active: bool,
    /// Who relies on it being active.
    dependents: Vec<u32>,
}

/// An inactive state, whose sleep set is as large as could be shown. Its number is that of its part of the refutation.
struct Element<const W: usize> {
    node: NodeId,
    asleep: Slots<W>,
}

/// The nodes of one kind: their states that are active so far, and inactive ones.
#[derive(Default)]
struct Kind {
    states: Vec<u32>,
    elements: Vec<u32>,
}

struct Search<'a, U: Uncovered, const W: usize> {
    words: &'a mut U,
    choice: Choice,
    nodes: Vec<Option<Node<W>>>,
    kinds: FxHashMap<u32, Kind>,
    states: Vec<State<U::Turn, W>>,
    elements: Vec<Element<W>>,
    refutation: Refutation,
    /// States to decide, the last first.
    stack: Vec<u32>,
    patience: usize,
    /// Steps taken, and how many are too many.
    steps: usize,
    given_up_at: usize,
    /// The inactive state found nearest to the initial one: who met it by which letter, and which it is.
    nearest: Option<(u32, u32, u32)>,
}

impl<'a, U: Uncovered, const W: usize> Search<'a, U, W> {
    fn new(words: &'a mut U, choice: Choice, patience: usize) -> Self {
        Search {
            words,
            choice,
            nodes: Vec::new(),
            kinds: FxHashMap::default(),
            states: Vec::new(),
            elements: Vec::new(),
            refutation: Refutation::default(),
            stack: Vec::new(),
            patience,
            steps: 0,
            given_up_at: usize::MAX,
            nearest: None,
        }
    }

    fn fixpoint(&mut self, initial: NodeId) -> Result<(), U::Stop> {
        if self.inactive(initial, Slots::EMPTY).is_none() {
            self.add_state(initial, Slots::EMPTY, U::Turn::default(), None);
        }
        while let Some(&state) = self.stack.last() {
            if self.steps > self.given_up_at {
                break;
            }
            if !self.states[state as usize].active {
                self.stack.pop();
                continue;
            }
            self.words.visited(self.states.len())?;
            let mut relied_on = Vec::new();
            match self.decide(state, &mut relied_on)? {
                Local::Open => {}
                Local::Active => {
                    self.stack.pop();
                    for other in relied_on {
                        let dependents = &mut self.states[other as usize].dependents;
                        if dependents.last() != Some(&state) {
                            dependents.push(state);
                        }
                    }
                }
                Local::Inactive(stuck) => {
                    self.stack.pop();
                    self.add_inactive(state, stuck)?;
                    if !self.states[0].active {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn result(self, initial: NodeId) -> Checked {
        let states = self.states.len();
        if let Some(root) = self.inactive(initial, Slots::EMPTY) {
            return Checked { refutation: Some(self.refutation.rooted(Vec::new(), root)), states };
        }
        let refutation = match self.nearest.filter(|_| !self.stack.is_empty()) {
            None => None,
            Some((state, letter, element)) => {
                let mut prefix = vec![(self.states[state as usize].node, letter)];
                let mut at = state;
                while let Some((before, letter)) = self.states[at as usize].from {
                    prefix.push((self.states[before as usize].node, letter));
                    at = before;
                }
                prefix.reverse();
                Some(self.refutation.rooted(prefix, element))
            }
        };
        Checked { refutation, states }
    }

    /// The reduction that the active states stand for. What was decided is asked again: the answers are the same.
    fn chosen(&mut self, initial: NodeId) -> Result<Option<Vec<Chosen>>, U::Stop> {
        let mut numbers: FxHashMap<(NodeId, Slots<W>), u32> = FxHashMap::default();
        let mut found = vec![(initial, Slots::EMPTY, U::Turn::default())];
        numbers.insert((initial, Slots::EMPTY), 0);
        let mut result = Vec::new();
        while let Some(&(node, asleep, turn)) = found.get(result.len()) {
            self.words.visited(found.len())?;
            let awake = self.awake(node, asleep, turn);
            let mut steps = Vec::new();
            let decided = decide(self.choice, &awake, |letter, before| {
                let Some(next) = self.next(node, letter)? else {
                    steps.push((letter, None));
                    return Ok(Reply::Active);
                };
                let asleep = self.commuting(node, letter, asleep.union(before))?;
                if self.inactive(next, asleep).is_some() {
                    return Ok(Reply::Inactive);
                }
                let behind = if self.node(next).all.is_subset(&asleep) {
                    (next, asleep, turn)
                } else if let Some(other) = self.active(next, asleep) {
                    let State { node, asleep, turn, .. } = self.states[other as usize];
                    (node, asleep, turn)
                } else {
                    return Ok(Reply::Open);
                };
                let number = *numbers.entry((behind.0, behind.1)).or_insert_with(|| {
                    found.push(behind);
                    found.len() as u32 - 1
                });
                steps.push((letter, Some(number)));
                Ok(Reply::Active)
            })?;
            if !matches!(decided, Local::Active) {
                return Ok(None);
            }
            // Letters of the first of two parts may have been asked for twice.
            let mut seen = Vec::new();
            steps.retain(|(letter, _)| {
                !seen.contains(letter) && {
                    seen.push(*letter);
                    true
                }
            });
            let letters = self.node(node).letters.iter();
            let asleep = letters.map(|letter| letter.slot).filter(|&slot| asleep.contains(slot)).collect();
            result.push(Chosen { node, asleep, steps });
        }
        Ok(Some(result))
    }

    /// The letters that are awake, those to try first in front, with their slots.
    fn awake(&mut self, node: NodeId, asleep: Slots<W>, turn: U::Turn) -> Vec<(usize, u16)> {
        let preferred = self.words.preferred(node, turn);
        let letters = &self.node(node).letters;
        let all = preferred.into_iter().map(|letter| (letter, letters[letter].slot));
        all.filter(|&(_, slot)| !asleep.contains(slot)).collect()
    }

    fn node(&self, node: NodeId) -> &Node<W> {
        self.nodes[node.index()].as_ref().expect("nodes are opened when they are met")
    }

    /// Looks at a node, once.
    fn open(&mut self, id: NodeId) -> Result<(), U::Stop> {
        if self.nodes.len() <= id.index() {
            self.nodes.resize_with(id.index() + 1, || None);
        }
        if self.nodes[id.index()].is_some() {
            return Ok(());
        }
        let opened = self.words.open(id)?;
        let letter = |&slot| Letter { slot, next: None, compared: Slots::EMPTY, commuting: Slots::EMPTY };
        let all = opened.slots.iter().copied().collect();
        self.nodes[id.index()] =
            Some(Node { kind: opened.kind, letters: opened.slots.iter().map(letter).collect(), all });
        if opened.uncovered {
            self.add_element(id, Slots::ALL, Vec::new());
        }
        Ok(())
    }

    /// Where a letter leads.
    fn next(&mut self, id: NodeId, letter: usize) -> Result<Option<NodeId>, U::Stop> {
        if let Some(next) = self.node(id).letters[letter].next {
            return Ok(next);
        }
        let next = self.words.step(id, letter)?;
        self.steps += 1;
        if let Some(next) = next {
            self.open(next)?;
        }
        let node = self.nodes[id.index()].as_mut().expect("nodes are opened when they are met");
        node.letters[letter].next = Some(next);
        Ok(next)
    }

    /// Those of the letters that commute with a letter.
    fn commuting(&mut self, id: NodeId, letter: usize, others: Slots<W>) -> Result<Slots<W>, U::Stop> {
        let node = self.nodes[id.index()].as_mut().expect("nodes are opened when they are met");
        if !others.is_subset(&node.letters[letter].compared) {
            for other in 0..node.letters.len() {
                let slot = node.letters[other].slot;
                if !others.contains(slot) || node.letters[letter].compared.contains(slot) {
                    continue;
                }
                let commute = other != letter && self.words.commute(id, letter, other)?;
                let own = &mut node.letters[letter];
                own.compared = own.compared.with(slot);
                if commute {
                    own.commuting = own.commuting.with(slot);
                }
            }
        }
        Ok(others.intersection(node.letters[letter].commuting))
    }

    /// An inactive state that shows that this one is inactive.
    fn inactive(&self, id: NodeId, asleep: Slots<W>) -> Option<u32> {
        let elements = &self.kinds.get(&self.node(id).kind)?.elements;
        elements.iter().rev().copied().find(|&number| {
            let Element { node, asleep: largest } = &self.elements[number as usize];
            asleep.is_subset(largest) && (*node == id || self.words.is_weaker(id, *node))
        })
    }

    /// A state that is active so far, and with it this one.
    fn active(&self, id: NodeId, asleep: Slots<W>) -> Option<u32> {
        let states = &self.kinds.get(&self.node(id).kind)?.states;
        states.iter().rev().copied().find(|&number| {
            let State { node, asleep: smaller, .. } = &self.states[number as usize];
            smaller.is_subset(&asleep) && (*node == id || self.words.is_weaker(*node, id))
        })
    }

    fn add_state(&mut self, node: NodeId, asleep: Slots<W>, turn: U::Turn, from: Option<(u32, u32)>) {
        let number = self.states.len() as u32;
        let depth = from.map_or(0, |(before, _)| self.states[before as usize].depth + 1);
        self.states.push(State { node, asleep, turn, from, depth, active: true, dependents: Vec::new() });
        let kind = self.node(node).kind;
        self.kinds.entry(kind).or_default().states.push(number);
        self.stack.push(number);
    }

    /// Decides a state from what is known of its successors; the first of them that nothing is known of comes on the stack.
    fn decide(&mut self, number: u32, relied_on: &mut Vec<u32>) -> Result<Local<W>, U::Stop> {
        let State { node, asleep, turn, .. } = self.states[number as usize];
        let awake = self.awake(node, asleep, turn);
        decide(self.choice, &awake, |letter, before| {
            let Some(next) = self.next(node, letter)? else { return Ok(Reply::Active) };
            let asleep = self.commuting(node, letter, asleep.union(before))?;
            if let Some(element) = self.inactive(next, asleep) {
                self.met(number, letter as u32, element);
                return Ok(Reply::Inactive);
            }
            if self.node(next).all.is_subset(&asleep) {
                return Ok(Reply::Active);
            }
            if let Some(other) = self.active(next, asleep) {
                relied_on.push(other);
                return Ok(Reply::Active);
            }
            let turn = self.words.next_turn(turn, node, letter);
            self.add_state(next, asleep, turn, Some((number, letter as u32)));
            Ok(Reply::Open)
        })
    }

    /// Remembers where an inactive state was met, if that is nearer than before.
    fn met(&mut self, state: u32, letter: u32, element: u32) {
        let depth = |state: u32| self.states[state as usize].depth;
        match self.nearest {
            None => self.given_up_at = self.steps.saturating_add(self.patience),
            Some((nearest, ..)) if depth(nearest) <= depth(state) => return,
            Some(_) => {}
        }
        self.nearest = Some((state, letter, element));
    }

    /// Notes that a state is inactive, with the largest sleep set for which the same letters show it.
    fn add_inactive(&mut self, number: u32, stuck: Vec<(usize, Slots<W>)>) -> Result<(), U::Stop> {
        let State { node, asleep, .. } = self.states[number as usize];
        let (largest, steps) = match self.choice {
            Choice::Total => self.fewest(node, stuck.into_iter().map(|(letter, _)| letter).collect())?,
            Choice::Partition => self.largest(node, asleep, &stuck)?,
        };
        debug_assert!(asleep.is_subset(&largest));
        self.add_element(node, largest, steps);
        Ok(())
    }

    /// The letters without those that are not needed to show inactivity, and all others as the sleep set.
    fn fewest(&mut self, node: NodeId, mut letters: Vec<usize>) -> Result<(Slots<W>, Shown), U::Stop> {
        let mut steps = self.stuck(node, &letters)?.expect("the letters were found inactive");
        for place in (0..letters.len()).rev() {
            let mut fewer = letters.clone();
            fewer.remove(place);
            if !fewer.is_empty()
                && let Some(shown) = self.stuck(node, &fewer)?
            {
                (letters, steps) = (fewer, shown);
            }
        }
        let taken = letters.iter().map(|&letter| self.node(node).letters[letter].slot).collect();
        Ok((self.node(node).all.difference(taken), steps))
    }

    /// How the letters show inactivity, whichever comes first with all others before it; none if they are not known to.
    fn stuck(&mut self, node: NodeId, letters: &[usize]) -> Result<Option<Shown>, U::Stop> {
        let taken = letters.iter().map(|&letter| self.node(node).letters[letter].slot).collect();
        let others = self.node(node).all.difference(taken);
        let mut steps = Vec::with_capacity(letters.len());
        for &letter in letters {
            let Some(next) = self.next(node, letter)? else { return Ok(None) };
            let asleep = self.commuting(node, letter, others)?;
            match self.inactive(next, asleep) {
                Some(element) => steps.push((letter as u32, element)),
                None => return Ok(None),
            }
        }
        Ok(Some(steps))
    }

    /// Lemma 7.4: the sleep sets behind the letters, with what depends on the letter, and without the letters.
    fn largest(
        &mut self,
        node: NodeId,
        asleep: Slots<W>,
        stuck: &[(usize, Slots<W>)],
    ) -> Result<(Slots<W>, Shown), U::Stop> {
        let all = self.node(node).all;
        let mut largest = all;
        let mut steps = Vec::with_capacity(stuck.len());
        for &(letter, before) in stuck {
            let next = self.next(node, letter)?.expect("an inactive state has a node");
            let behind = self.commuting(node, letter, asleep.union(before))?;
            let element = self.inactive(next, behind).expect("the letter was found inactive");
            let dependent = all.difference(self.commuting(node, letter, all)?);
            let slot = self.node(node).letters[letter].slot;
            let shown = self.elements[element as usize].asleep.union(dependent).without(slot);
            largest = largest.intersection(shown);
            steps.push((letter as u32, element));
        }
        for &(letter, _) in stuck {
            largest = largest.without(self.node(node).letters[letter].slot);
        }
        Ok((largest, steps))
    }

    fn add_element(&mut self, node: NodeId, asleep: Slots<W>, steps: Vec<(u32, u32)>) {
        let number = self.refutation.add(node, steps);
        debug_assert_eq!(number as usize, self.elements.len());
        self.elements.push(Element { node, asleep });
        let Search { words, kinds, states, elements, stack, nodes, .. } = self;
        let kind = nodes[node.index()].as_ref().map_or(u32::MAX, |node| node.kind);
        let kind = kinds.entry(kind).or_default();
        let shows = |other: NodeId, smaller: &Slots<W>| {
            smaller.is_subset(&asleep) && (other == node || words.is_weaker(other, node))
        };
        // Those with smaller sleep sets are not needed any more: the antichain.
        kind.elements.retain(|&other| {
            let Element { node, asleep } = &elements[other as usize];
            !shows(*node, asleep)
        });
        kind.elements.push(number);
        kind.states.retain(|&other| {
            let state = &mut states[other as usize];
            let shown = shows(state.node, &state.asleep);
            if shown {
                state.active = false;
                stack.append(&mut state.dependents);
            }
            !shown
        });
    }
}
