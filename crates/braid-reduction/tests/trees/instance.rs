//! Random small instances: threads with a few letters, which pairs of letters commute, and a proof of a few assertions whose triples
//! are drawn at random. The words are closed by construction, and more premises never prove less.

use braid_program::Random;
use braid_reduction::tree::{NodeId, Opened, Uncovered};
use std::collections::HashMap;
use std::convert::Infallible;

/// The most letters that leave a location.
const FAN: usize = 2;

/// A program and all triples of all assertions. Assertion 0 is `false`.
#[derive(Clone, Debug)]
pub struct Instance {
    /// For each thread and location, where its letters lead.
    threads: Vec<Vec<Vec<usize>>>,
    accepting: Vec<Vec<bool>>,
    /// For each pair of letters.
    commuting: HashMap<(Letter, Letter), bool>,
    /// For each letter and assertion, premises that suffice.
    triples: HashMap<(Letter, usize), Vec<u32>>,
    pub assertions: usize,
}

/// Thread, location, place among its letters.
pub type Letter = (usize, usize, usize);

impl Instance {
    pub fn random(seed: u64) -> Instance {
        let mut random = Random::new(seed);
        let mut below = |bound: usize| random.below(bound);
        let threads: Vec<Vec<Vec<usize>>> = (0..2 + below(2))
            .map(|_| {
                let locations = 2 + below(2);
                let outgoing = |location: usize, below: &mut dyn FnMut(usize) -> usize| {
                    // The last location is an end more often than not.
                    let count = if location + 1 == locations { below(3) / 2 } else { 1 + below(FAN) };
                    let mut targets: Vec<usize> = (0..count).map(|_| below(locations)).collect();
                    // There is a way to the end.
                    if let Some(first) = targets.first_mut() {
                        *first = (location + 1) % locations;
                    }
                    targets
                };
                (0..locations).map(|location| outgoing(location, &mut below)).collect()
            })
            .collect();
        let accepting = threads
            .iter()
            .map(|thread| {
                (0..thread.len())
                    .map(|location| location + 1 == thread.len() || location > 0 && below(8) == 0)
                    .collect()
            })
            .collect();
        let mut letters: Vec<Letter> = Vec::new();
        for (thread, locations) in threads.iter().enumerate() {
            for (location, outgoing) in locations.iter().enumerate() {
                letters.extend((0..outgoing.len()).map(|place| (thread, location, place)));
            }
        }
        let mut commuting = HashMap::new();
        let often = 1 + below(4);
        for &a in &letters {
            for &b in letters.iter().filter(|b| b.0 > a.0) {
                let commute = below(often + 1) > 0;
                commuting.insert((a, b), commute);
                commuting.insert((b, a), commute);
            }
        }
        let assertions = 3 + below(8);
        let seldom = 2 + below(3);
        let mut triples = HashMap::new();
        for &letter in &letters {
            for conclusion in 0..assertions {
                let mut suffices = Vec::new();
                if conclusion > 0 && below(10) > 0 {
                    // The frame rule.
                    suffices.push(1 << conclusion);
                }
                for _ in (0..2).filter(|_| below(seldom) == 0).collect::<Vec<_>>() {
                    let premise = |below: &mut dyn FnMut(usize) -> usize| 1u32 << (1 + below(assertions - 1));
                    let weak = conclusion > 0 && below(3) == 0;
                    suffices.push(if weak { 0 } else { premise(&mut below) | premise(&mut below) });
                }
                triples.insert((letter, conclusion), suffices);
            }
        }
        Instance { threads, accepting, commuting, triples, assertions }
    }

    /// The assertions of a proof that hold behind a letter; assertion 0 is there only if all is covered.
    pub fn behind(&self, proof: u32, known: u32, letter: Letter) -> u32 {
        let follows = |conclusion: usize| self.triples[&(letter, conclusion)].iter().any(|core| core & !known == 0);
        if follows(0) {
            return 1;
        }
        (1..self.assertions).filter(|&c| proof >> c & 1 == 1 && follows(c)).fold(0, |set, c| set | 1 << c)
    }

    pub fn initial(&self) -> Vec<usize> {
        vec![0; self.threads.len()]
    }

    pub fn letters(&self, locations: &[usize]) -> Vec<Letter> {
        let outgoing = |(thread, &location): (usize, &usize)| {
            (0..self.threads[thread][location].len()).map(move |place| (thread, location, place))
        };
        locations.iter().enumerate().flat_map(outgoing).collect()
    }

    pub fn target(&self, locations: &[usize], (thread, location, place): Letter) -> Vec<usize> {
        let mut next = locations.to_vec();
        next[thread] = self.threads[thread][location][place];
        next
    }

    pub fn is_accepting(&self, locations: &[usize]) -> bool {
        locations.iter().enumerate().all(|(thread, &location)| self.accepting[thread][location])
    }

    pub fn commute(&self, a: Letter, b: Letter) -> bool {
        a.0 != b.0 && self.commuting[&(a, b)]
    }

    pub fn slot((thread, _, place): Letter) -> u16 {
        (thread * FAN + place) as u16
    }

    /// Is the word covered by a proof?
    pub fn covers(&self, proof: u32, word: &[Letter]) -> bool {
        word.iter().fold(0, |known, &letter| if known == 1 { 1 } else { self.behind(proof, known, letter) }) == 1
    }
}

/// The words of an instance that a proof, a set of its assertions, does not cover.
pub struct Words<'a> {
    pub instance: &'a Instance,
    pub proof: u32,
    numbers: HashMap<(Vec<usize>, u32), NodeId>,
    pub nodes: Vec<(Vec<usize>, u32)>,
    kinds: HashMap<Vec<usize>, u32>,
}

impl<'a> Words<'a> {
    pub fn new(instance: &'a Instance, proof: u32) -> Words<'a> {
        Words { instance, proof, numbers: HashMap::new(), nodes: Vec::new(), kinds: HashMap::new() }
    }

    fn node(&mut self, locations: Vec<usize>, known: u32) -> NodeId {
        *self.numbers.entry((locations, known)).or_insert_with_key(|key| {
            self.nodes.push(key.clone());
            NodeId(self.nodes.len() as u32 - 1)
        })
    }

    pub fn letter(&self, node: NodeId, letter: usize) -> Letter {
        self.instance.letters(&self.nodes[node.index()].0)[letter]
    }
}

impl Uncovered for Words<'_> {
    type Stop = Infallible;
    type Turn = u32;

    fn initial(&mut self) -> Result<Option<NodeId>, Infallible> {
        Ok(Some(self.node(self.instance.initial(), 0)))
    }

    fn open(&mut self, node: NodeId) -> Result<Opened, Infallible> {
        let locations = self.nodes[node.index()].0.clone();
        let uncovered = self.instance.is_accepting(&locations);
        let slots = self.instance.letters(&locations).into_iter().map(Instance::slot).collect();
        let next = self.kinds.len() as u32;
        Ok(Opened { uncovered, slots, kind: *self.kinds.entry(locations).or_insert(next) })
    }

    fn step(&mut self, node: NodeId, letter: usize) -> Result<Option<NodeId>, Infallible> {
        let (locations, known) = self.nodes[node.index()].clone();
        let letter = self.letter(node, letter);
        let after = self.instance.behind(self.proof, known, letter);
        let target = self.instance.target(&locations, letter);
        Ok((after != 1).then(|| self.node(target, after)))
    }

    fn commute(&mut self, node: NodeId, first: usize, second: usize) -> Result<bool, Infallible> {
        Ok(self.instance.commute(self.letter(node, first), self.letter(node, second)))
    }

    fn is_weaker(&self, node: NodeId, other: NodeId) -> bool {
        self.nodes[node.index()].1 & !self.nodes[other.index()].1 == 0
    }

    fn preferred(&mut self, node: NodeId, turn: u32) -> Vec<usize> {
        let letters = self.instance.letters(&self.nodes[node.index()].0);
        let mut order: Vec<usize> = (0..letters.len()).collect();
        order.sort_by_key(|&letter| (letters[letter].0 as u32 + 8 - turn) % 8);
        order
    }

    fn next_turn(&self, _: u32, node: NodeId, letter: usize) -> u32 {
        self.letter(node, letter).0 as u32 + 1
    }

    fn visited(&mut self, _: usize) -> Result<(), Infallible> {
        Ok(())
    }
}
