//! Engine `delay` beside the oracle on random programs: it says `safe` only of programs that are, and `unsafe` too.

use crate::generator::{self, Generated};
use braid_engines::delay::{Delay, Scheduler};
use braid_engines::explicit::Explicit;
use braid_engines::{Control, Engine, Task, Verdict};
use braid_frontend::Language;
use braid_program::{LowerOptions, ast};
use braid_testkit::{lowered, parsed};

fn verdict(program: &ast::Program, engine: &dyn Engine, fuse: bool) -> Verdict {
    let options = LowerOptions { fuse, ..LowerOptions::default() };
    lowered(program, options, |automata| engine.verify(&Task::new(automata), &Control::new()).verdict)
}

#[test]
fn safe_and_unsafe_are_what_the_oracle_says() {
    let (mut safe, mut failing, mut with_tasks) = (0, 0, 0);
    for seed in 0..300 {
        for language in [Language::Braid, Language::Boogie] {
            let Generated { text, tasks, .. } = generator::program(seed * 3, language);
            let program = parsed(&text, language);
            let truth = verdict(&program, &Explicit::default(), false);
            for scheduler in [Scheduler::Df, Scheduler::Dfw] {
                let delay = Delay { scheduler, delays: 0..=1, ..Delay::default() };
                let fuse = seed % 2 == 0;
                match (verdict(&program, &delay, fuse), &truth) {
                    (Verdict::Safe(_), Verdict::Safe(_)) => {
                        safe += 1;
                        with_tasks += usize::from(tasks > 0);
                    }
                    (Verdict::Unsafe(_), Verdict::Unsafe(_)) => failing += 1,
                    (Verdict::Unknown(_), _) => {}
                    (said, truth) => panic!("seed {seed}, {language:?}, {scheduler}: {said:?}, but {truth:?}\n{text}"),
                }
            }
        }
    }
    println!("{safe} safe ({with_tasks} with tasks), {failing} unsafe, of 1200");
    assert!(with_tasks > 10 && safe > with_tasks && failing > 50);
}
