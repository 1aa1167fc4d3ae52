//! Texts with random changes, for tests that no input makes a reader panic, hang or run out of stack.

/// Runs a test where recursion has little room.
pub fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    const SMALL_STACK: usize = 2 << 20;
    let thread = std::thread::Builder::new().stack_size(SMALL_STACK).spawn(test).expect("a thread can be started");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// For how long to try, in seconds.
pub fn seconds() -> u64 {
    std::env::var("BRAID_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

/// A small random number generator: failures must be repeatable.
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to one below the limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
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
