//! What calls of the thread library are, by their names: locks that are taken and given back, waiting, signals.

use super::Kind;

/// Functions that take a lock for sure.
const TAKE: [&str; 14] = [
    "pthread_mutex_lock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_spin_lock",
    "mtx_lock",
    "spin_lock",
    "spin_lock_irq",
    "spin_lock_irqsave",
    "spin_lock_bh",
    "mutex_lock",
    "read_lock",
    "write_lock",
    "down",
    "sem_wait",
];

/// Functions that take a lock if they can.
const TRY: [&str; 10] = [
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_spin_trylock",
    "mtx_trylock",
    "mtx_timedlock",
    "spin_trylock",
];

/// Functions that give a lock back.
const GIVE: [&str; 13] = [
    "pthread_mutex_unlock",
    "pthread_rwlock_unlock",
    "pthread_spin_unlock",
    "mtx_unlock",
    "spin_unlock",
    "spin_unlock_irq",
    "spin_unlock_irqrestore",
    "spin_unlock_bh",
    "mutex_unlock",
    "read_unlock",
    "write_unlock",
    "up",
    "sem_post",
];

const WAIT: [&str; 6] =
    ["pthread_cond_wait", "pthread_cond_timedwait", "cnd_wait", "cnd_timedwait", "pthread_barrier_wait", "wait_event"];

const SIGNAL: [&str; 4] = ["pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"];

/// What a call in a text is about: its kind, and the object that its first argument names.
pub fn call(text: &str) -> Option<(Kind, String)> {
    let kind = |function: &str| match () {
        () if TAKE.contains(&function) => Some(Kind::Lock),
        () if GIVE.contains(&function) => Some(Kind::Unlock),
        () if WAIT.contains(&function) => Some(Kind::Wait),
        () => None,
    };
    nested(text).find_map(|(function, argument)| Some((kind(function)?, argument)))
}

/// The lock that a call takes, tries to take, or gives back.
pub fn lock(text: &str) -> Option<String> {
    let is_lock = |function: &str| {
        !function.starts_with("sem_")
            && (TAKE.contains(&function) || GIVE.contains(&function) || TRY.contains(&function))
    };
    nested(text).find_map(|(function, argument)| is_lock(function).then_some(argument))
}

/// The condition that a call signals.
pub fn signalled(text: &str) -> Option<String> {
    nested(text).find_map(|(function, argument)| SIGNAL.contains(&function).then_some(argument))
}

/// Is the call one that waits for a condition, which may come back without a signal?
pub fn waits_for_condition(text: &str) -> bool {
    nested(text)
        .any(|(function, _)| WAIT.contains(&function) && (function.contains("cond_") || function.starts_with("cnd_")))
}

/// The calls with which a text begins, one in the first argument of the other: people wrap calls into macros that check results.
fn nested(text: &str) -> impl Iterator<Item = (&str, String)> {
    std::iter::successors(Some(text), |outer| Some(outer.split_once('(')?.1.trim_start())).map_while(parts)
}

/// The function that a text calls first, and its first argument without `&`.
fn parts(text: &str) -> Option<(&str, String)> {
    let (function, rest) = text.split_once('(')?;
    let mut depth = 0usize;
    let end = rest.find(|c: char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth > 0 => depth -= 1,
            ')' | ',' if depth == 0 => return true,
            _ => {}
        }
        false
    });
    let argument = rest.get(..end?)?.trim().trim_start_matches('&');
    Some((function.trim(), argument.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_known_by_name() {
        let check = |text: &str, expected: Option<(Kind, &str)>| {
            assert_eq!(call(text), expected.map(|(kind, object)| (kind, object.to_owned())), "{text}");
        };
        check("pthread_mutex_lock(&q->m)", Some((Kind::Lock, "q->m")));
        check("mtx_unlock(lock_of(a, b))", Some((Kind::Unlock, "lock_of(a, b)")));
        check("pthread_cond_wait(&c[i], &m)", Some((Kind::Wait, "c[i]")));
        check("pthread_mutex_trylock(&m)", None);
        check("x = 1", None);
        check("CHECK(pthread_mutex_lock(&m))", Some((Kind::Lock, "m")));
        check("CHECK(f(x), pthread_mutex_lock(&m))", None);
        assert!(waits_for_condition("CHECK(pthread_cond_wait(&c, &m))"));
        assert!(!waits_for_condition("Pthread_cond_wait(&c, &m)"));
        assert_eq!(signalled("pthread_cond_signal(&c)").as_deref(), Some("c"));
    }
}
