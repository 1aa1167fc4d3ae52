//! Random statements.

use super::expressions::constant;
use super::generate::{Generator, MEMBERS, pick};

impl Generator<'_> {
    pub fn statements(&mut self, count: usize) {
        (0..count).for_each(|_| self.statement());
    }

    pub fn statement(&mut self) {
        let nested = self.depth > 3;
        match self.random.below(if nested { 12 } else { 30 }) {
            0..4 => {
                let (place, value) = (self.shared_place(), self.value(1, 2));
                self.line(&format!("{place} = {value};"));
            }
            4..6 => {
                let operators = ["+=", "-=", "+=", "*=", "%=", "/=", "^=", "|=", "&="];
                let kinds = if self.features.bits { 9 } else { 6 };
                let operator = operators[self.random.below(kinds)];
                let place = self.shared_place();
                let value = match operator {
                    "%=" | "/=" => (2 + self.random.below(3)).to_string(),
                    "*=" => constant(self),
                    _ => self.value(0, 1),
                };
                self.line(&format!("{place} {operator} {value};"));
            }
            6..8 => {
                let place = self.shared_place();
                let line = match self.random.below(4) {
                    0 => format!("({place})--;"),
                    1 => format!("++({place});"),
                    _ => format!("({place})++;"),
                };
                self.line(&line);
            }
            8 => {
                let place = self.shared_place();
                let value = pick(self.random, &["++", "--"]);
                let name = self.name("l");
                self.line(&format!("int {name} = ({place}){value};"));
                self.locals.push(name);
            }
            9 => match self.some_local() {
                Some(local) => {
                    let value = self.value(1, 2);
                    self.line(&format!("{local} = {value};"));
                }
                None => self.local(),
            },
            10 if self.features.inputs => {
                let inputs =
                    ["__VERIFIER_nondet_bool()", "(__VERIFIER_nondet_int() & 3)", "__VERIFIER_nondet_uint() % 3"];
                let (name, input) = (self.name("l"), pick(self.random, &inputs));
                self.line(&format!("int {name} = {input};"));
                self.locals.push(name);
            }
            10 | 11 => self.call(),
            12..14 => self.conditional(),
            14..16 => self.repetition(),
            16 => self.switch(),
            17 => {
                let label = self.name("skip");
                let test = self.test();
                self.line(&format!("if ({test}) goto {label};"));
                self.block("", |g| g.statements(2));
                self.line(&format!("{label}:;"));
            }
            18 => self.local_array(),
            19..21 => self.lock(),
            21 if self.features.sections && !self.in_atomic => self.section(),
            22 | 23 if self.features.atomics => self.atomic(),
            24 if self.features.semaphore && !self.in_atomic => {
                if self.chance(2) {
                    self.line("sem_post(&tokens);");
                } else {
                    self.block("if (sem_trywait(&tokens) == 0)", |g| g.statements(1));
                }
            }
            25 if self.features.condition_variable && !self.protected => self.wait_or_wake(),
            26 if !self.records.is_empty() => self.copied_record(),
            27 => self.chosen_function(),
            28 if !self.arrays.is_empty() => self.walk(),
            29 if self.features.inputs => {
                let test = self.test();
                self.line(&format!("__VERIFIER_assume({test});"));
            }
            _ => {
                let (place, value) = (self.shared_place(), self.value(1, 1));
                self.line(&format!("{place} = {value};"));
            }
        }
    }

    pub fn call(&mut self) {
        if self.functions.is_empty() {
            return self.local();
        }
        let (function, parameters) = self.functions[self.random.below(self.functions.len())].clone();
        // GCC evaluates arguments from right to left: only one may read what others write.
        let shared = self.random.below(parameters.max(1));
        let arguments: Vec<String> = (0..parameters).map(|p| self.value(usize::from(p == shared), 1)).collect();
        let call = format!("{function}({})", arguments.join(", "));
        match self.random.below(3) {
            0 => self.line(&format!("{call};")),
            1 => self.line(&format!("base = {call};")),
            _ => {
                let name = self.name("l");
                self.line(&format!("int {name} = {call} + 1;"));
                self.locals.push(name);
            }
        }
    }

    pub fn conditional(&mut self) {
        let test = self.test();
        self.block(&format!("if ({test})"), |g| g.statements(1));
        if self.chance(2) {
            self.block("else", |g| g.statements(1));
        }
    }

    pub fn repetition(&mut self) {
        let counter = self.name("i");
        let times = 1 + self.random.below(3);
        match self.random.below(3) {
            0 => self.block(&format!("for (int {counter} = 0; {counter} < {times}; {counter}++)"), |g| g.body()),
            1 => {
                self.line(&format!("int {counter} = {times};"));
                self.block(&format!("while ({counter}-- > 0)"), |g| g.body());
            }
            _ => {
                self.line(&format!("int {counter} = 0;"));
                self.block("do", |g| g.body());
                self.line(&format!("while (++{counter} < {times});"));
            }
        }
    }

    fn body(&mut self) {
        self.statements(1);
        if self.chance(3) {
            let (test, jump) = (self.test(), pick(self.random, &["break", "continue"]));
            self.line(&format!("if ({test}) {jump};"));
            self.statement();
        }
    }

    pub fn switch(&mut self) {
        let value = self.value(1, 1);
        self.block(&format!("switch ((int)({value}))"), |g| {
            for case in 0..2 {
                g.line(&format!("case {case}:"));
                g.block("", |g| g.statements(1));
                if !g.chance(3) {
                    g.line("break;");
                }
            }
            if g.chance(2) {
                g.line("default:");
                g.block("", |g| g.statements(1));
            }
        });
    }

    pub fn local_array(&mut self) {
        let name = self.name("v");
        let (first, second) = (self.value(1, 1), constant(self));
        self.line(&format!("int {name}[2] = {{ {first}, {second} }};"));
        match self.random.below(3) {
            0 => self.locals.push(format!("{name}[1]")),
            1 => {
                let pointer = self.name("q");
                let index = self.random.below(2);
                self.line(&format!("int *{pointer} = &{name}[{index}];"));
                self.pointers.push(pointer);
            }
            _ => {
                let pointer = self.name("q");
                let (address, test) = (self.address(), self.test());
                self.line(&format!("int *{pointer} = {test} ? {address} : {name};"));
                self.pointers.push(pointer);
            }
        }
    }

    pub fn lock(&mut self) {
        if self.features.mutexes == 0 || self.protected {
            return self.conditional();
        }
        let mutex = self.random.below(self.features.mutexes);
        let body = |g: &mut Self| {
            g.protected = true;
            g.statements(2);
            g.protected = false;
            g.line(&format!("pthread_mutex_unlock(&m{mutex});"));
        };
        if self.chance(3) {
            self.block(&format!("if (pthread_mutex_trylock(&m{mutex}) == 0)"), body);
        } else {
            self.line(&format!("pthread_mutex_lock(&m{mutex});"));
            self.block("", body);
        }
    }

    pub fn section(&mut self) {
        self.line("__VERIFIER_atomic_begin();");
        let before = (self.protected, self.in_atomic);
        (self.protected, self.in_atomic) = (true, true);
        for _ in 0..2 {
            let (place, value) = (self.shared_place(), self.value(1, 1));
            self.line(&format!("{place} = {value};"));
        }
        (self.protected, self.in_atomic) = before;
        self.line("__VERIFIER_atomic_end();");
    }

    pub fn atomic(&mut self) {
        let name = self.name("l");
        let value = self.value(0, 1);
        let operation = pick(self.random, &["add", "sub", "add", "or", "and", "xor"]);
        let line = match self.random.below(10) {
            0 => "n++;".to_owned(),
            1 => format!("n += {value};"),
            2 => format!("int {name} = atomic_fetch_add(&n, {value});"),
            3 => format!("int {name} = atomic_exchange(&n, {value});"),
            4 => format!("int {name} = 1; atomic_compare_exchange_strong(&n, &{name}, {value});"),
            5 => format!("int {name} = __sync_fetch_and_{operation}(&base, {value});"),
            6 => format!("int {name} = __atomic_{operation}_fetch(&base, {value}, __ATOMIC_SEQ_CST);"),
            7 => format!("int {name} = __sync_bool_compare_and_swap(&base, 1, {value});"),
            8 => format!("atomic_store(&n, {value});"),
            _ => format!("int {name} = atomic_load(&n) + __atomic_load_n(&base, __ATOMIC_ACQUIRE);"),
        };
        self.line(&line);
        if line.starts_with("int") {
            self.locals.push(name);
        }
    }

    pub fn copied_record(&mut self) {
        let name = self.name("c");
        let member = pick(self.random, &MEMBERS);
        let value = self.value(1, 1);
        self.line(&format!("struct record {name} = s;"));
        self.line(&format!("{name}.{member} = {value};"));
        if self.chance(2) {
            self.line(&format!("s = {name};"));
        }
        self.locals.push(format!("{name}.{member}"));
    }

    pub fn chosen_function(&mut self) {
        let (name, test, value) = (self.name("l"), self.test(), self.value(0, 1));
        self.line(&format!("int (*f{name})(int) = {test} ? twice : more;"));
        self.line(&format!("int {name} = f{name}({value});"));
        self.locals.push(name);
    }

    /// A sum over an array.
    pub fn walk(&mut self) {
        let (array, length) = self.arrays[0].clone();
        let (name, at) = (self.name("l"), self.name("i"));
        self.line(&format!("int {name} = 0;"));
        self.line(&format!("for (int {at} = 0; {at} < {length}; {at}++) {name} += {array}[{at}];"));
        self.locals.push(name);
    }

    pub fn wait_or_wake(&mut self) {
        self.line("pthread_mutex_lock(&gate);");
        if self.chance(2) {
            self.line("while (!ready) pthread_cond_wait(&open, &gate);");
        } else {
            self.line("ready = 1;");
            let wake = pick(self.random, &["signal", "broadcast"]);
            self.line(&format!("pthread_cond_{wake}(&open);"));
        }
        let (place, value) = (self.shared_place(), self.value(1, 1));
        self.line(&format!("{place} = {value};"));
        self.line("pthread_mutex_unlock(&gate);");
    }
}
