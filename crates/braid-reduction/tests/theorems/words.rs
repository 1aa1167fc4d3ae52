//! Languages as sets of words up to a length, and their Mazurkiewicz classes, by nothing but swapping neighbours.

use crate::program::Ordered;
use braid_program::cfa::ActionId;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::Hash;

pub type Word = Vec<ActionId>;

/// A deterministic automaton over actions, given by its functions.
pub trait Automaton {
    /// A state.
    type State: Clone + Eq + Hash;

    /// The initial state.
    fn initial(&self) -> Self::State;

    /// The actions that leave a state, in no particular order.
    fn enabled(&self, state: &Self::State) -> Vec<ActionId>;

    /// Where an enabled action leads.
    fn successor(&self, state: &Self::State, action: ActionId) -> Self::State;

    /// Does a word that ends here belong to the language?
    fn is_accepting(&self, state: &Self::State) -> bool;
}

/// The accepted words that are at most so long, and how long that is: as long as wanted, unless there are too many.
pub fn language<A: Automaton>(automaton: &A, longest: usize, most: usize) -> (HashSet<Word>, usize) {
    let mut accepted = HashSet::new();
    let mut level = vec![(Word::new(), automaton.initial())];
    for length in 0..=longest {
        let ends = level.iter().filter(|(_, state)| automaton.is_accepting(state));
        accepted.extend(ends.map(|(word, _)| word.clone()));
        let mut next = Vec::new();
        for (word, state) in &level {
            for action in automaton.enabled(state) {
                let longer = word.iter().copied().chain([action]).collect();
                next.push((longer, automaton.successor(state, action)));
            }
        }
        if next.len() > most {
            return (accepted, length);
        }
        level = next;
    }
    (accepted, longest)
}

/// The accepted words that are at most so long.
pub fn words<A: Automaton>(automaton: &A, longest: usize) -> HashSet<Word> {
    language(automaton, longest, usize::MAX).0
}

/// The classes of a language; an error is a pair of equivalent words of which only one is in the language.
pub fn classes(
    language: &HashSet<Word>,
    commutes: impl Fn(ActionId, ActionId) -> bool,
) -> Result<Vec<Vec<Word>>, (Word, Word)> {
    let mut classes = Vec::new();
    let mut seen: HashSet<Word> = HashSet::new();
    for word in language {
        if !seen.insert(word.clone()) {
            continue;
        }
        let mut class = vec![word.clone()];
        let mut next = 0;
        while next < class.len() {
            let word = class[next].clone();
            next += 1;
            for place in 1..word.len() {
                if commutes(word[place - 1], word[place]) {
                    let mut swapped = word.clone();
                    swapped.swap(place - 1, place);
                    if !language.contains(&swapped) {
                        return Err((word, swapped));
                    }
                    if seen.insert(swapped.clone()) {
                        class.push(swapped);
                    }
                }
            }
        }
        classes.push(class);
    }
    Ok(classes)
}

/// The positional lexicographic order (Definition 4.5): the first difference decides, in the state that it is met in.
pub fn compare(ordered: &Ordered<'_, '_>, a: &Word, b: &Word) -> Ordering {
    let mut state = ordered.initial();
    for (&x, &y) in a.iter().zip(b) {
        if x != y {
            return ordered.rank(&state, x).cmp(&ordered.rank(&state, y));
        }
        state = ordered.successor(&state, x);
    }
    a.len().cmp(&b.len())
}

/// The most preferred word of each class.
pub fn minima(ordered: &Ordered<'_, '_>, classes: &[Vec<Word>]) -> HashSet<Word> {
    let least = |class: &Vec<Word>| class.iter().min_by(|a, b| compare(ordered, a, b)).cloned();
    classes.iter().filter_map(least).collect()
}

/// The number of all reachable states, unless there are more than so many.
pub fn reachable<A: Automaton>(automaton: &A, most: usize) -> Option<usize> {
    let mut seen: HashSet<A::State> = HashSet::from([automaton.initial()]);
    let mut work = vec![automaton.initial()];
    while let Some(state) = work.pop() {
        for action in automaton.enabled(&state) {
            let next = automaton.successor(&state, action);
            if seen.insert(next.clone()) {
                work.push(next);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(seen.len())
}
