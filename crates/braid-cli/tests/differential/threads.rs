//! Functions that threads run, and the one that starts them.

use super::generate::{Generator, pick};

/// How a thread uses its argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    Ignored,
    Number,
    Pointer,
    Record,
}

impl Generator<'_> {
    pub fn thread(&mut self, number: usize) -> Argument {
        let argument = [Argument::Ignored, Argument::Number, Argument::Pointer, Argument::Record][self.random.below(4)];
        self.block(&format!("void *thread{number}(void *argument)"), |g| {
            match argument {
                Argument::Ignored => {}
                Argument::Number => {
                    g.line("int id = (int)(long)argument;");
                    g.locals.push("id".to_owned());
                }
                Argument::Pointer => {
                    g.line("int *p = (int *)argument;");
                    g.pointers.push("p".to_owned());
                }
                Argument::Record => {
                    g.line("struct record *r = argument;");
                    g.record_pointers.push("r".to_owned());
                }
            }
            g.local();
            let count = 2 + g.random.below(3);
            g.statements(count);
            if g.chance(4) {
                g.site();
            }
            if g.chance(6) {
                let (test, end) = (g.test(), pick(g.random, &["return 0", "pthread_exit((void *)2)"]));
                g.line(&format!("if ({test}) {end};"));
                g.statement();
            }
            let result = g.some_local().unwrap_or_default();
            g.line(&format!("return (void *)(long){result};"));
            g.record_pointers.clear();
        });
        argument
    }

    pub fn main(&mut self, arguments: &[Argument]) {
        self.block("int main(void)", |g| {
            g.local();
            g.line("int mine = 1;");
            g.line("struct record packet = { 1, 2, 3, -1, 5 };");
            g.line("void *result = 0;");
            g.globals.push("mine".to_owned());
            if g.features.heap {
                g.line("int *cell = malloc(sizeof(int));");
                g.line("*cell = 2;");
                g.pointers.push("cell".to_owned());
            }
            if g.features.semaphore {
                let value = g.random.below(3);
                g.line(&format!("sem_init(&tokens, 0, {value});"));
            }
            let alike = arguments.iter().position(|&argument| argument == Argument::Number);
            if let Some(body) = alike.filter(|_| g.chance(2)) {
                return g.threads_in_a_loop(body);
            }
            let threads = if g.chance(4) { 3 } else { 2 };
            for thread in 0..threads {
                let body = g.random.below(arguments.len());
                let argument = match arguments[body] {
                    Argument::Ignored => "0".to_owned(),
                    Argument::Number => format!("(void *)(long){}", g.random.below(3)),
                    Argument::Pointer => match g.random.below(4) {
                        0 => "&mine".to_owned(),
                        1 if g.features.heap => "cell".to_owned(),
                        _ => g.address(),
                    },
                    Argument::Record if g.records.is_empty() || g.chance(2) => "&packet".to_owned(),
                    Argument::Record => "&s".to_owned(),
                };
                g.line(&format!("pthread_t t{thread};"));
                g.line(&format!("pthread_create(&t{thread}, 0, thread{body}, {argument});"));
                if g.chance(3) {
                    g.statement();
                }
            }
            for thread in 0..threads {
                if g.chance(4) {
                    g.line(&format!("pthread_join(t{thread}, &result);"));
                    g.line("mine += (int)(long)result % 4;");
                } else {
                    g.line(&format!("pthread_join(t{thread}, 0);"));
                }
            }
            g.site();
            g.line("return 0;");
        });
    }

    fn threads_in_a_loop(&mut self, body: usize) {
        let count = 2 + self.random.below(2);
        self.line(&format!("pthread_t t[{count}];"));
        self.line(&format!(
            "for (int i = 0; i < {count}; i++) pthread_create(&t[i], 0, thread{body}, (void *)(long)i);"
        ));
        if self.chance(2) {
            self.statement();
        }
        self.line(&format!("for (int i = 0; i < {count}; i++) pthread_join(t[i], 0);"));
        self.site();
        self.line("return 0;");
    }
}
