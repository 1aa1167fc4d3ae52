//! How long a large preprocessed file takes:
//! `cargo test --release -p braid-frontend --test c -- --ignored --nocapture large`.

use braid_frontend::{Language, parse};
use std::fmt::Write;
use std::time::{Duration, Instant};

const LIBRARY: &str = "\
typedef unsigned long size_t; typedef unsigned long pthread_t; typedef union { char s[40]; long a; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *) __attribute__((__nothrow__ , __leaf__)) __attribute__((__nonnull__ (1)));
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
";

const MAIN: &str = "\
# 1 \"main.c\"
pthread_mutex_t m; int x;
void *run(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0); pthread_create(&u, 0, run, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  if (x != 2) reach_error();
}
";

/// A text of so many bytes, as headers and functions that the program does not call make it up.
fn text(bytes: usize) -> String {
    let mut text = LIBRARY.to_owned();
    let mut number = 0;
    while text.len() < bytes {
        number += 1;
        let n = number;
        let _ = write!(
            text,
            "# {n} \"/usr/include/generated{n}.h\" 1 3 4
typedef unsigned int __u{n}_t;
struct item{n} {{ struct item{n} *next; __u{n}_t flags : 4; unsigned char name[32];
  int (*handler)(struct item{n} *self, long argument); union {{ long number; void *pointer; }} value; }};
enum state{n} {{ STATE{n}_IDLE, STATE{n}_BUSY = {m} + 1, STATE{n}_DONE }};
extern int open_item{n} (const char *__restrict __path, int __flags, ...) __attribute__ ((__nothrow__ , __leaf__)) ;
extern __inline __attribute__ ((__always_inline__)) int helper{n} (struct item{n} *item, int count)
{{
  int total = 0;
  for (int index = 0; index < count; index++) {{
    if (item == ((void *)0) || item->flags & 0x{m:x}u)
      break;
    switch (item->name[index % 32]) {{
    case 'a': case 'b': total += item->value.number * {n} + (index << 2); break;
    default: total = total > 100 ? total - 100 : total ^ (int) sizeof(struct item{n}); /* nothing */
    }}
    do {{ item = item->next; }} while (item && item->handler(item, total) < STATE{n}_BUSY);
  }}
  return total;
}}
",
            m = n % 16
        );
    }
    text + MAIN
}

#[test]
#[ignore = "measures time: to be run by hand, optimised"]
fn a_large_file_is_read_in_time() {
    let text = text(5_000_000);
    let start = Instant::now();
    let program = parse("large.i", &text, Language::PreprocessedC).unwrap_or_else(|errors| panic!("{errors}"));
    let time = start.elapsed();
    eprintln!("{} bytes in {time:.2?}", text.len());
    assert!(program.procedures.len() > 1 && time < Duration::from_secs(2), "{time:?}");
}

/// The same in small: what the generated text contains is understood.
#[test]
fn the_text_of_the_measurement_is_read() {
    parse("large.i", &text(5_000), Language::PreprocessedC).unwrap_or_else(|errors| panic!("{errors}"));
}
