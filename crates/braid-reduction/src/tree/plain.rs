//! Emptiness without antichains: all states of the tree automaton that some choice of orders reaches, one by one, and the least
//! set of inactive ones by the rule of section 5 of paper 4. What the antichains are measured and tested against.

use super::choice::{Local, Reply, decide};
use super::{Checked, Choice, NodeId, Refutation, Slots, Uncovered};
use rustc_hash::FxHashMap;

/// Looks for a reduction that is covered, state by state.
pub fn plain<U: Uncovered, const W: usize>(words: &mut U, choice: Choice) -> Result<Checked, U::Stop> {
    let Some(initial) = words.initial()? else { return Ok(Checked { refutation: None, states: 0 }) };
    let mut search: Search<'_, U, W> =
        Search { words, numbers: FxHashMap::default(), states: Vec::new(), nodes: FxHashMap::default() };
    search.number(initial, Slots::EMPTY);
    let mut next = 0;
    while next < search.states.len() {
        search.words.visited(search.states.len())?;
        search.expand(next)?;
        next += 1;
    }
    Ok(search.fixpoint(choice))
}

struct Letter<const W: usize> {
    slot: u16,
    next: Option<NodeId>,
    commuting: Slots<W>,
}

struct Node<const W: usize> {
    uncovered: bool,
    letters: Vec<Letter<W>>,
    preferred: Vec<usize>,
}

struct State<const W: usize> {
    node: NodeId,
    asleep: Slots<W>,
    before: Vec<u32>,
}

struct Search<'a, U, const W: usize> {
    words: &'a mut U,
    numbers: FxHashMap<(NodeId, Slots<W>), u32>,
    states: Vec<State<W>>,
    nodes: FxHashMap<NodeId, Node<W>>,
}

impl<U: Uncovered, const W: usize> Search<'_, U, W> {
    fn number(&mut self, node: NodeId, asleep: Slots<W>) -> u32 {
        *self.numbers.entry((node, asleep)).or_insert_with(|| {
            self.states.push(State { node, asleep, before: Vec::new() });
            self.states.len() as u32 - 1
        })
    }

    fn open(&mut self, id: NodeId) -> Result<(), U::Stop> {
        if self.nodes.contains_key(&id) {
            return Ok(());
        }
        let opened = self.words.open(id)?;
        let mut letters = Vec::new();
        for (letter, &slot) in opened.slots.iter().enumerate() {
            let mut commuting = Slots::EMPTY;
            for (other, &slot) in opened.slots.iter().enumerate() {
                if other != letter && self.words.commute(id, letter, other)? {
                    commuting = commuting.with(slot);
                }
            }
            letters.push(Letter { slot, next: self.words.step(id, letter)?, commuting });
        }
        let preferred = self.words.preferred(id, U::Turn::default());
        self.nodes.insert(id, Node { uncovered: opened.uncovered, letters, preferred });
        Ok(())
    }

    /// Meets all states that follow a state under some order.
    fn expand(&mut self, number: usize) -> Result<(), U::Stop> {
        let State { node: id, asleep, .. } = self.states[number];
        self.open(id)?;
        let node = &self.nodes[&id];
        if node.uncovered {
            return Ok(());
        }
        let slots: Vec<u16> = node.letters.iter().map(|letter| letter.slot).collect();
        let mut met = Vec::new();
        for letter in node.letters.iter().filter(|letter| !asleep.contains(letter.slot)) {
            let Some(next) = letter.next else { continue };
            let free: Vec<u16> = slots
                .iter()
                .copied()
                .filter(|&slot| letter.commuting.contains(slot) && !asleep.contains(slot))
                .collect();
            // Every set of them is before the letter in some order.
            let mut set = asleep.intersection(letter.commuting);
            let smallest = set;
            loop {
                met.push((next, set));
                match free.iter().position(|&slot| !set.contains(slot)) {
                    None => break,
                    Some(place) => {
                        set = set.with(free[place]);
                        for &slot in &free[..place] {
                            set = set.without(slot);
                        }
                    }
                }
                debug_assert!(smallest.is_subset(&set));
            }
        }
        for (next, asleep) in met {
            let met = self.number(next, asleep);
            self.states[met as usize].before.push(number as u32);
        }
        Ok(())
    }

    fn fixpoint(self, choice: Choice) -> Checked {
        let mut refutation = Refutation::default();
        let mut elements: Vec<Option<u32>> = vec![None; self.states.len()];
        let mut work: Vec<u32> = Vec::new();
        for (number, state) in self.states.iter().enumerate() {
            if self.nodes[&state.node].uncovered {
                elements[number] = Some(refutation.add(state.node, Vec::new()));
                work.extend_from_slice(&state.before);
            }
        }
        while let Some(number) = work.pop() {
            if elements[number as usize].is_some() {
                continue;
            }
            let State { node: id, asleep, .. } = self.states[number as usize];
            let node = &self.nodes[&id];
            let letters = node.preferred.iter().map(|&letter| (letter, node.letters[letter].slot));
            let awake: Vec<(usize, u16)> = letters.filter(|&(_, slot)| !asleep.contains(slot)).collect();
            let behind = |letter: usize, before: Slots<W>| {
                let Letter { next, commuting, .. } = &node.letters[letter];
                next.and_then(|next| {
                    elements[self.numbers[&(next, asleep.union(before).intersection(*commuting))] as usize]
                })
            };
            let decided: Result<Local<W>, std::convert::Infallible> = decide(choice, &awake, |letter, before| {
                Ok(if behind(letter, before).is_some() { Reply::Inactive } else { Reply::Active })
            });
            if let Ok(Local::Inactive(stuck)) = decided {
                let steps = stuck.into_iter().map(|(letter, before)| {
                    let element = behind(letter, before).expect("the letter was found inactive");
                    (letter as u32, element)
                });
                elements[number as usize] = Some(refutation.add(id, steps.collect()));
                work.extend_from_slice(&self.states[number as usize].before);
            }
        }
        Checked { refutation: elements[0].map(|root| refutation.rooted(Vec::new(), root)), states: self.states.len() }
    }
}
