//! Orders as users write them, and what they prefer.

use crate::program::lowered;
use braid_frontend::Language;
use braid_reduction::{OrderSpec, PreferenceOrder};

fn check(text: &str, expected: Result<&str, &str>) {
    let parsed = text.parse::<OrderSpec>().map(|order| order.to_string()).map_err(|error| error.to_string());
    assert_eq!(parsed.as_deref().map_err(String::as_str), expected, "{text}");
}

#[test]
fn texts_of_orders() {
    let orders = [
        "seq",
        "seq:t2,t1",
        "lockstep",
        "loop-lockstep",
        "cut:2",
        "rates",
        "rates:1,4",
        "random:7",
        "positional-random:7",
    ];
    for order in orders {
        check(order, Ok(order));
    }
    check("random", Ok("random:0"));
    check("positional-random", Ok("positional-random:0"));
    let known = "known are seq, seq:THREAD,…, lockstep, loop-lockstep, cut:N, rates:N,…, random:SEED and positional-random:SEED";
    check("fast", Err(&format!("`fast` is not an order: {known}")));
    check("", Err(&format!("`` is not an order: {known}")));
    check("random:x", Err("`x` is not a seed: write a whole number from 0"));
    check("positional-random:-1", Err("`-1` is not a seed: write a whole number from 0"));
    check("cut:0", Err("`0` is not a number of threads: write a whole number from 1"));
    check("rates:1,-1", Err("`1,-1` are not rates: write whole numbers from 0"));
    check("rates:", Err("`` are not rates: write whole numbers from 0"));
    check("lockstep:2", Err("the order `lockstep` takes nothing behind a colon"));
}

/// The threads of a program in the order in which its one preferred interleaving lets them act.
fn preferred(order: &str) -> Result<String, String> {
    let text = "(var x y Int) (par (loop (set! x 1) (set! x 2)) (loop (set! y 1) (set! y 2)))";
    lowered(text, Language::Weaver, |program| {
        let spec: OrderSpec = order.parse().expect("the order is known");
        let order = PreferenceOrder::new(&spec, program).map_err(|error| error.to_string())?;
        let (mut state, mut context) = (program.initial_state(), order.initial());
        let mut names = Vec::new();
        for _ in 0..9 {
            let best = program.enabled(&state).min_by_key(|&action| order.rank(context, &state, program, action));
            let Some(action) = best else { break };
            names.push(program.thread(program.action(action).thread).name.as_str());
            state = program.successor(&state, action);
            context = order.next(context, program, action);
        }
        Ok(names.join(" "))
    })
}

#[test]
fn who_goes_first() {
    let check = |order: &str, expected: &str| assert_eq!(preferred(order).as_deref(), Ok(expected), "{order}");
    check("seq", "main t1 t1 t1 t1 t1 t1 t1 t1");
    check("seq:t2,t1", "main t2 t2 t2 t2 t2 t2 t2 t2");
    check("seq:t2", "main t2 t2 t2 t2 t2 t2 t2 t2");
    check("lockstep", "main t1 t2 t1 t2 t1 t2 t1 t2");
    check("loop-lockstep", "main t1 t1 t2 t2 t1 t1 t2 t2");
    check("rates", "main t1 t1 t2 t2 t1 t1 t2 t2");
    check("rates:1,2", "main t1 t1 t2 t2 t1 t1 t1 t1");
    check("rates:2,1", "main t1 t1 t2 t2 t2 t2 t1 t1");
}

#[test]
fn rates_fit_the_loops() {
    assert_eq!(preferred("rates:1,2,3"), Err("there are 2 loops, but 3 rates".to_owned()));
    assert_eq!(preferred("rates:1,100000"), Err("2 threads with rates up to 100000 are too many".to_owned()));
    assert_eq!(preferred("rates:1,4294967295"), Err("2 threads with rates up to 4294967295 are too many".to_owned()));
}

#[test]
fn unknown_threads_are_named() {
    let unknown = |name: &str| Err(format!("there is no thread `{name}`: known are main, t1, t2"));
    assert_eq!(preferred("seq:t2,t9"), unknown("t9"));
    assert_eq!(preferred("seq:"), unknown(""));
}
