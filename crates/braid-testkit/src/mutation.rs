//! Texts with random changes, for tests that no input makes a reader panic, hang or run out of stack.

use crate::{Random, setting};
use std::time::{Duration, Instant};

/// Runs a test where recursion has little room.
pub fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    const SMALL_STACK: usize = 2 << 20;
    let thread = std::thread::Builder::new().stack_size(SMALL_STACK).spawn(test).expect("a thread can be started");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// The text with a few changes; pieces of its language are put in.
pub fn mutated(text: &str, pieces: &[&str], random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(30)).min(bytes.len());
        match random.below(6) {
            0 => drop(bytes.drain(at..to)),
            1 => drop(bytes.splice(at..at, pieces[random.below(pieces.len())].bytes())),
            2 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            3 => {
                let slice = bytes[at..to].to_vec();
                let place = random.below(bytes.len() + 1);
                bytes.splice(place..place, slice);
            }
            4 => drop(bytes.splice(at..to, pieces[random.below(pieces.len())].bytes())),
            _ if at + 1 < bytes.len() => bytes.swap(at, at + 1),
            _ => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Changes texts at random for `BRAID_FUZZ_SECONDS`, where recursion has little room; `is_read` says whether one was accepted.
pub fn fuzzed(
    texts: Vec<String>,
    pieces: &'static [&'static str],
    is_read: impl Fn(&str, &mut Random) -> bool + Send + 'static,
) {
    on_a_small_stack(move || {
        let end = Instant::now() + Duration::from_secs(setting("BRAID_FUZZ_SECONDS", 5));
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let (mut tried, mut accepted) = (0_u64, 0_u64);
        while Instant::now() < end {
            let text = mutated(&texts[random.below(texts.len())], pieces, &mut random);
            tried += 1;
            accepted += u64::from(is_read(&text, &mut random));
        }
        println!("{tried} texts, {accepted} of them accepted");
    });
}
