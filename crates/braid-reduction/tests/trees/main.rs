//! The theorems of paper 4 on random small instances: antichains agree with the plain fixpoint and with the definition, and
//! refutations hold a word of every reduction. `BRAID_CASES` sets the number of instances.

mod instance;

use braid_reduction::tree::{Checked, Choice, NodeId, Selection, Slots, Uncovered, antichain, by_all_orders, plain};
use instance::{Instance, Letter, Words};
use std::collections::{HashMap, HashSet};

const CHOICES: [Choice; 2] = [Choice::Total, Choice::Partition];

fn cases(usual: u64) -> u64 {
    std::env::var("BRAID_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

fn all(instance: &Instance) -> u32 {
    (1 << instance.assertions) - 1
}

fn check(instance: &Instance, proof: u32, choice: Choice) -> Checked {
    let Ok(checked) = antichain::<_, 1>(&mut Words::new(instance, proof), choice, usize::MAX);
    checked
}

/// The counterexamples of a failed check, at most so many.
fn counterexamples(instance: &Instance, proof: u32, choice: Choice, most: usize) -> Option<Vec<Vec<Letter>>> {
    let mut words = Words::new(instance, proof);
    let Ok(checked) = antichain::<_, 1>(&mut words, choice, usize::MAX);
    let refutation = checked.refutation?;
    let all = refutation.words(Selection::Leftmost, |_, _, letter| letter, |(), _, _| ());
    let letters = |word: Vec<(NodeId, u32)>| -> Vec<Letter> {
        word.into_iter().map(|(node, letter)| words.letter(node, letter as usize)).collect()
    };
    Some(all.take(most).map(letters).collect())
}

/// The definition, to the letter: a state stays active for as long as some order leads to active states only.
fn by_definition(instance: &Instance, proof: u32, choice: Choice) -> bool {
    type State = (NodeId, Slots<1>);
    let mut words = Words::new(instance, proof);
    let Ok(Some(initial)) = words.initial() else { return true };
    let mut active: HashMap<State, bool> = HashMap::new();
    let mut states: Vec<State> = vec![(initial, Slots::EMPTY)];
    // All states that any order reaches.
    let mut next = 0;
    while next < states.len() {
        let (node, asleep) = states[next];
        next += 1;
        let locations = words.nodes[node.index()].0.clone();
        active.insert((node, asleep), !instance.is_accepting(&locations));
        let letters = instance.letters(&locations);
        for (number, &letter) in letters.iter().enumerate() {
            let Ok(Some(target)) = words.step(node, number) else { continue };
            for before in 0..1u32 << letters.len() {
                let others = letters.iter().enumerate().filter(|&(place, other)| {
                    (before >> place & 1 == 1 || asleep.contains(Instance::slot(*other)))
                        && instance.commute(letter, *other)
                });
                let state = (target, others.map(|(_, &other)| Instance::slot(other)).collect());
                if !states.contains(&state) {
                    states.push(state);
                }
            }
        }
    }
    loop {
        let mut changed = false;
        for &(node, asleep) in &states {
            if !active[&(node, asleep)] {
                continue;
            }
            let letters = instance.letters(&words.nodes[node.index()].0);
            let awake: Vec<(usize, u16)> = letters
                .iter()
                .map(|&letter| Instance::slot(letter))
                .enumerate()
                .filter(|&(_, s)| !asleep.contains(s))
                .collect();
            let is_active = by_all_orders(choice, &awake, |letter, before: Slots<1>| {
                let Ok(Some(target)) = words.step(node, letter) else { return true };
                let sleepy = asleep.union(before);
                let others = letters.iter().filter(|&&other| {
                    sleepy.contains(Instance::slot(other)) && instance.commute(letters[letter], other)
                });
                active[&(target, others.map(|&other| Instance::slot(other)).collect())]
            });
            if !is_active {
                active.insert((node, asleep), false);
                changed = true;
            }
        }
        if !changed {
            return active[&(initial, Slots::EMPTY)];
        }
    }
}

#[test]
fn antichains_agree_with_the_plain_fixpoint() {
    let (mut covered, mut refuted, mut apart) = (0, 0, 0);
    for seed in 0..cases(2000) {
        let instance = Instance::random(seed);
        let answers = CHOICES.map(|choice| {
            let fast = check(&instance, all(&instance), choice).refutation.is_none();
            let Ok(slow) = plain::<_, 1>(&mut Words::new(&instance, all(&instance)), choice);
            assert_eq!(fast, slow.refutation.is_none(), "seed {seed}, {choice:?}: {instance:?}");
            fast
        });
        covered += u32::from(answers[0]);
        refuted += u32::from(!answers[0]);
        // What a partition can do, an order can do.
        assert!(answers[0] || !answers[1], "seed {seed}: {instance:?}");
        apart += u32::from(answers[0] != answers[1]);
    }
    println!("{covered} covered, {refuted} refuted, {apart} by total orders only");
    assert!(covered.min(refuted) * 5 > covered.max(refuted));
}

#[test]
fn greedy_choices_agree_with_the_definition() {
    for seed in 0..cases(400) {
        let instance = Instance::random(seed);
        for choice in CHOICES {
            let fast = check(&instance, all(&instance), choice).refutation.is_none();
            let slow = by_definition(&instance, all(&instance), choice);
            assert_eq!(fast, slow, "seed {seed}, {choice:?}: {instance:?}");
        }
    }
}

/// Is a word left out by the reduction that orders letters as `rank` says behind each word (section 6)?
fn ignored(instance: &Instance, word: &[Letter], rank: impl Fn(&[Letter], Letter) -> u64) -> bool {
    let mut asleep: HashSet<Letter> = HashSet::new();
    let mut locations = instance.initial();
    for (place, &letter) in word.iter().enumerate() {
        if asleep.contains(&letter) {
            return true;
        }
        let before = instance
            .letters(&locations)
            .into_iter()
            .filter(|&other| rank(&word[..place], other) < rank(&word[..place], letter));
        asleep = before.chain(asleep.iter().copied()).filter(|&other| instance.commute(letter, other)).collect();
        locations = instance.target(&locations, letter);
    }
    false
}

/// Theorem 5.5.
#[test]
fn every_reduction_holds_an_uncovered_word_of_the_refutation() {
    const MOST: usize = 3000;
    let mut compared = 0;
    for seed in 0..cases(600) {
        let instance = Instance::random(seed);
        let Some(words) = counterexamples(&instance, all(&instance), Choice::Total, MOST) else { continue };
        for word in &words {
            assert!(!instance.covers(all(&instance), word), "seed {seed}: {word:?} is covered");
        }
        assert_eq!(words.iter().collect::<HashSet<_>>().len(), words.len());
        if words.len() == MOST {
            continue;
        }
        for order in 0..20u64 {
            let rank = |word: &[Letter], letter: Letter| {
                use std::hash::{DefaultHasher, Hash, Hasher};
                let mut hasher = DefaultHasher::new();
                (order, word, letter).hash(&mut hasher);
                hasher.finish()
            };
            assert!(
                words.iter().any(|word| !ignored(&instance, word, rank)),
                "seed {seed}, order {order}: {instance:?}"
            );
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Theorem 7.1: a proof that exists is found in as many rounds as it has assertions (`false` among them), if traces that it covers are
/// explained by parts of it.
#[test]
fn a_proof_that_exists_is_found_in_as_many_rounds_as_it_has_assertions() {
    const MOST: usize = 3000;
    let (mut found, mut longest) = (0, 0);
    for seed in 0..cases(1500) {
        let instance = Instance::random(seed);
        for choice in CHOICES {
            let whole = all(&instance);
            if check(&instance, whole, choice).refutation.is_some() {
                continue;
            }
            let (mut proof, mut rounds) = (0u32, 1);
            while let Some(words) = counterexamples(&instance, proof, choice, MOST) {
                let mut larger = proof;
                for word in words.iter().filter(|word| instance.covers(whole, word)) {
                    // As little as covers the word.
                    let needed = (0..instance.assertions).fold(whole, |set, number| {
                        let fewer = set & !(1 << number);
                        if number > 0 && instance.covers(fewer, word) { fewer } else { set }
                    });
                    larger |= needed;
                }
                assert_ne!(larger, proof, "seed {seed}, {choice:?}: nothing is learned in round {rounds}");
                (proof, rounds) = (larger, rounds + 1);
            }
            assert!(rounds <= 1 + instance.assertions, "seed {seed}, {choice:?}: {rounds} rounds");
            longest = longest.max(rounds);
            found += u32::from(rounds > 2);
        }
    }
    println!("{found} proofs take more than two rounds, one {longest}");
    assert!(found > 50, "only {found} proofs take more than two rounds");
}

/// A search that was given up says nothing else than one that was not, and its words are uncovered ones.
#[test]
fn impatient_searches_find_uncovered_words() {
    for seed in 0..cases(1000) {
        let instance = Instance::random(seed);
        let covered = check(&instance, all(&instance), Choice::Total).refutation.is_none();
        for patience in [0, 1, 3, 10] {
            let mut words = Words::new(&instance, all(&instance));
            let Ok(checked) = antichain::<_, 1>(&mut words, Choice::Total, patience);
            let Some(refutation) = checked.refutation else {
                assert!(covered, "seed {seed}, {patience}: {instance:?}");
                continue;
            };
            assert!(!refutation.is_complete() || !covered, "seed {seed}, {patience}: {instance:?}");
            for word in refutation.words(Selection::Leftmost, |_, _, letter| letter, |(), _, _| ()).take(100) {
                let letters: Vec<Letter> =
                    word.iter().map(|&(node, letter)| words.letter(node, letter as usize)).collect();
                let last = letters.iter().fold(instance.initial(), |at, &letter| instance.target(&at, letter));
                assert!(instance.is_accepting(&last) && !instance.covers(all(&instance), &letters), "seed {seed}");
            }
        }
    }
}

/// The first words of a round-robin order take a letter of each thread in turn where they can.
#[test]
fn words_come_in_the_order_asked_for() {
    for seed in 0..cases(200) {
        let instance = Instance::random(seed);
        let mut words = Words::new(&instance, 0);
        let Ok(checked) = antichain::<_, 1>(&mut words, Choice::Total, usize::MAX);
        let Some(refutation) = checked.refutation else { continue };
        let left: Vec<_> =
            refutation.words(Selection::Leftmost, |_, _, letter| letter, |(), _, _| ()).take(500).collect();
        let middle: Vec<_> =
            refutation.words(Selection::Middle, |_, _, letter| letter, |(), _, _| ()).take(500).collect();
        assert!(left.is_sorted_by_key(|word| word.iter().map(|&(_, letter)| letter).collect::<Vec<_>>()));
        if left.len() < 500 {
            assert_eq!(left.len(), middle.len());
            assert_eq!(left[left.len() / 2], middle[0]);
            assert_eq!(left.iter().collect::<HashSet<_>>(), middle.iter().collect::<HashSet<_>>());
        }
        let mut turns = refutation.words(
            Selection::Leftmost,
            |_, turn: u32, letter| (u64::from(letter) + 64 - u64::from(turn)) % 64,
            |_, _, letter| letter + 1,
        );
        assert!(turns.next().is_some());
    }
}
