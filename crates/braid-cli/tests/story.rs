//! What is told of locks in data races: who holds which, whatever pointers, wrappers and macros call them.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What is said of a data race.
fn race(name: &str, options: &[&str], text: &str) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("race_{name}.c"));
    fs::write(&file, text).expect("a file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    command.args(["verify", "--property", "no-data-race", "--timeout", "60s"]).args(options).arg(file);
    let output = command.output().expect("the binary runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(10), "{name}:\n{told}");
    told
}

fn check(name: &str, options: &[&str], text: &str, expected: &[&str]) {
    let told = race(name, options, text);
    for expected in expected {
        assert!(told.contains(expected), "{name}: `{expected}` is missing in\n{told}");
    }
}

/// An assertion's argument comes twice out of the preprocessor, and comments do not come out of it.
#[test]
fn places_in_assertions_are_where_they_are_written() {
    let text = "#include <assert.h>\n#include <stdlib.h>
struct size { int width, height; };
int main(void) {
  struct size *c = malloc(sizeof *c);
  c->width = c->height = 1;
  free(c);
  assert(c->width == c->height); // always one whole version
  return 0;
}
";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("place_in_assertion.c");
    fs::write(&file, text).expect("a file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_braid"));
    let output = command.args(["verify", "--property", "valid-deref"]).arg(file).output().expect("the binary runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("place_in_assertion.c:8:10\n") || told.contains("place_in_assertion.c:8:13\n"), "{told}");
}

const MAIN: &str = "
int main(void) {
  pthread_t p, q;
  prepare();
  pthread_create(&p, 0, first, 0);
  pthread_create(&q, 0, second, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  return 0;
}
";

#[test]
fn a_lock_behind_a_wrapper_is_the_same_lock() {
    let text = "#include <pthread.h>\n#include <stdlib.h>
struct box { int pad; pthread_mutex_t mu; int v; };
static struct box *b;
static void Lock(pthread_mutex_t *m) { if (pthread_mutex_lock(m) != 0) exit(1); }
static void Unlock(pthread_mutex_t *m) { if (pthread_mutex_unlock(m) != 0) exit(1); }
static void prepare(void) { b = malloc(sizeof *b); pthread_mutex_init(&b->mu, 0); b->v = 0; }
static void *first(void *x) { Lock(&b->mu); b->v++; Unlock(&b->mu); return x; }
static void *second(void *x) { b->v++; return x; }
";
    check(
        "wrapper",
        &[],
        &(text.to_owned() + MAIN),
        &["holding b->mu\n", "holding no lock\n", "would have to hold b->mu, too"],
    );
}

#[test]
fn a_lock_that_was_not_got_is_not_held() {
    let text = "#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void prepare(void) {}
static void *first(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return a; }
static void *second(void *a) { if (pthread_mutex_trylock(&m) != 0) x = 2; else pthread_mutex_unlock(&m); return a; }
";
    check(
        "trylock",
        &[],
        &(text.to_owned() + MAIN),
        &["second writes here, holding no lock", "first writes here, holding m\n"],
    );
}

#[test]
fn readers_of_one_lock_are_told() {
    let text = "#include <pthread.h>
static pthread_rwlock_t l[2] = {PTHREAD_RWLOCK_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER};
static pthread_spinlock_t s;
static int x;
static void prepare(void) { pthread_spin_init(&s, 0); }
static void *first(void *a) { pthread_rwlock_rdlock(&l[1]); x++; pthread_rwlock_unlock(&l[1]); return a; }
static void *second(void *a) {
  pthread_rwlock_rdlock(l + 1);
  pthread_spin_lock(&s);
  x++;
  pthread_spin_unlock(&s);
  pthread_rwlock_unlock(l + 1);
  return a;
}
";
    check("readers", &[], &(text.to_owned() + MAIN), &["holding l[1], s\n", "Both hold l[1], but not as writers."]);
}

#[test]
fn macros_do_not_hide_locks() {
    let text = "#include <pthread.h>
#define WITH(l) ((void)pthread_mutex_lock(l))
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void prepare(void) {}
static void *first(void *a) { WITH(&m); x++; pthread_mutex_unlock(&m); return a; }
static void *second(void *a) { WITH(&n); x++; pthread_mutex_unlock(&n); return a; }
";
    let different = "Both hold locks, but different ones";
    check("macros", &[], &(text.to_owned() + MAIN), &["holding m\n", "holding n\n", different]);
}

#[test]
fn locks_of_the_kernel_are_told() {
    let text = "#include <linux/kthread.h>\n#include <linux/spinlock.h>
static DEFINE_SPINLOCK(lock);
static int events;
static int work(void *unused) {
  while (!kthread_should_stop()) {
    spin_lock(&lock);
    if (events < 3) events++;
    spin_unlock(&lock);
  }
  return 0;
}
static int begin(void) { kthread_run(work, 0, \"worker\"); events = 0; return 0; }
module_init(begin);
";
    for engine in ["gem", "explicit"] {
        check("kernel", &["--linux", "--engine", engine], text, &["holding lock\n", "holding no lock\n"]);
    }
}
