//! A run of the compiled program in words: what each thread did where, and how it ended.

use crate::document::{Binding, Initial, Step, StoredExecution};
use braid_run::{Compiled, End, Place, Property, Report};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Of more steps than twice this, those in the middle are not shown.
const MOST_ROWS: usize = 60;

/// A run in words.
pub struct Story {
    pub steps: Vec<Step>,
    /// What it violates, as a sentence.
    pub end: String,
}

/// Who did what, and what came of it.
pub fn story(compiled: &Compiled, report: &Report, file: &Path) -> Story {
    let mut addresses: Vec<u64> = report.steps.iter().map(|step| step.pc).collect();
    addresses.extend(report.inputs.iter().map(|input| input.pc));
    addresses.extend(report.threads.iter().map(|thread| thread.function + 1));
    addresses.extend([report.pc, report.other.map_or(0, |(_, pc)| pc)]);
    let teller = Teller { places: compiled.places(&addresses), texts: Texts::default(), report, file };
    teller.tell()
}

struct Teller<'a> {
    places: HashMap<u64, Place>,
    texts: Texts,
    report: &'a Report,
    file: &'a Path,
}

impl Teller<'_> {
    fn tell(mut self) -> Story {
        let report = self.report;
        let names: Vec<String> = (0..report.threads.len() as u32).map(|number| self.name(number)).collect();
        let mut steps: Vec<Step> = Vec::new();
        let mut inputs = report.inputs.iter().filter(|input| !input.name.starts_with('-'));
        for step in &report.steps {
            let Some(place) = self.places.get(&step.pc) else { continue };
            let (file, line) = (self.file_of(place), place.line as usize);
            let thread = names.get(step.thread as usize).cloned().unwrap_or_default();
            let same = steps.last().is_some_and(|last| last.thread == thread && last.line == line && last.file == file);
            if !same {
                let text = self.texts.line(&place.file, self.file, line);
                let (choices, changed) = (Vec::new(), Vec::new());
                steps.push(Step { thread, action: 0, file, line, column: 1, text, choices, changed });
            }
            if step.what == "input" {
                let given = inputs.next().map(|input| (input.name.clone(), input.value));
                if let (Some((name, value)), Some(last)) = (given, steps.last_mut()) {
                    last.choices.push(Binding { variable: format!("{name}()"), value: value.to_string() });
                }
            }
        }
        Story { steps, end: self.end() }
    }

    /// Threads are called by their functions, and by numbers where several have the same.
    fn name(&self, number: u32) -> String {
        let function = |number: usize| {
            let address = self.report.threads.get(number).map_or(0, |thread| thread.function);
            self.places.get(&(address + 1)).map(|place| place.function.clone())
        };
        if number == 0 {
            return "main".into();
        }
        let Some(name) = function(number as usize) else { return format!("thread {number}") };
        let alike: Vec<usize> =
            (1..self.report.threads.len()).filter(|&other| function(other) == Some(name.clone())).collect();
        match alike.iter().position(|&other| other == number as usize) {
            Some(at) if alike.len() > 1 => format!("{name}.{}", at + 1),
            _ => name,
        }
    }

    /// The file as the user named it, if it is the one.
    fn file_of(&self, place: &Place) -> String {
        let own = self.file.file_name().is_some_and(|name| name.to_string_lossy() == place.file_name());
        if own { self.file.to_string_lossy().into_owned() } else { place.file.clone() }
    }

    fn at(&self, pc: u64) -> String {
        let place = self.places.get(&pc);
        place.map_or("a place in a library".into(), |place| format!("{}:{}", self.file_of(place), place.line))
    }

    fn end(&self) -> String {
        let report = self.report;
        let (thread, at, said) = (self.name(report.thread), self.at(report.pc), &report.message);
        match report.end {
            Some(End::Failed) if said == "reach_error" => format!("Thread {thread} calls the error function at {at}."),
            Some(End::Failed) if !said.contains(' ') => format!("Thread {thread} violates `{said}` at {at}."),
            Some(End::Failed) => format!("Thread {thread}: {said}"),
            Some(End::Raced) => {
                let (other, pc) = report.other.unwrap_or_default();
                let (mine, others) = said.split_once(' ').unwrap_or(("access", "access"));
                let (other, there) = (self.name(other), self.at(pc));
                format!(
                    "Data race: {mine} by thread {thread} at {at}, and {others} by thread {other} at {there}, in no order."
                )
            }
            Some(End::Overflowed) => format!("Thread {thread}: the result of `{said}` at {at} overflows."),
            Some(End::Crashed) => format!("Thread {thread} crashes at {at}: {said} (address {:#x}).", report.fault),
            Some(End::Invalid | End::Misfreed) if report.fault != 0 => {
                format!("Thread {thread} at {at}: {said} (address {:#x}).", report.fault)
            }
            Some(End::Invalid | End::Misfreed | End::Undefined) => format!("Thread {thread} at {at}: {said}."),
            Some(End::Leaked) => {
                let allocated = report.other.map_or_else(|| "a place in a library".into(), |(_, pc)| self.at(pc));
                format!("The block allocated at {allocated} {said}.")
            }
            Some(End::Deadlocked) => {
                let waiting = (0..report.threads.len()).filter(|&number| report.threads[number].waits);
                let waiting: Vec<String> = waiting.map(|number| self.name(number as u32)).collect();
                format!("Deadlock: {} wait, and nobody can go on.", waiting.join(", "))
            }
            _ => "The run violates nothing.".into(),
        }
    }
}

/// Lines of files, read once.
#[derive(Default)]
struct Texts(HashMap<String, Vec<String>>);

impl Texts {
    fn line(&mut self, path: &str, file: &Path, line: usize) -> String {
        let lines = self.0.entry(path.to_owned()).or_insert_with(|| {
            let text = fs::read(path).or_else(|_| fs::read(file)).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(|line| line.trim().to_owned()).collect()
        });
        lines.get(line.wrapping_sub(1)).map(|text| text.chars().take(200).collect()).unwrap_or_default()
    }
}

impl Story {
    /// For people.
    pub fn render(&self) -> String {
        let steps = &self.steps;
        let widest =
            |text: &dyn Fn(&Step) -> String| steps.iter().map(|step| text(step).chars().count()).max().unwrap_or(0);
        let place = |step: &Step| {
            format!("{}:{}", Path::new(&step.file).file_name().unwrap_or_default().to_string_lossy(), step.line)
        };
        let (thread_width, place_width) = (widest(&|step| step.thread.clone()).min(24), widest(&place));
        let mut out = String::new();
        let left_out = MOST_ROWS..steps.len().saturating_sub(MOST_ROWS);
        for (number, step) in steps.iter().enumerate() {
            if left_out.contains(&number) {
                if number == left_out.start {
                    out += &format!("… {} more steps, all of them in the file of --json …\n", left_out.len());
                }
                continue;
            }
            let given: String =
                step.choices.iter().map(|given| format!("  {} = {}", given.variable, given.value)).collect();
            let text: String = step.text.chars().take(100).collect();
            out += &format!(
                "{:>4}  {:thread_width$}  {:place_width$}  {text}{given}\n",
                number + 1,
                step.thread,
                place(step)
            );
        }
        out + "\n" + &self.end + "\n"
    }

    /// For JSON.
    pub fn stored(self) -> StoredExecution {
        StoredExecution {
            violation: self.end,
            depends_on: Vec::new(),
            initial: Initial { variables: Default::default(), functions: Default::default() },
            steps: self.steps,
            circle: Vec::new(),
        }
    }
}

/// Does a run end as the property forbids?
pub fn violates(property: Property, report: &Report) -> bool {
    match property {
        Property::UnreachCall => report.end == Some(End::Failed) && report.overflow.is_none(),
        Property::NoOverflow => report.end == Some(End::Overflowed),
        Property::NoDataRace => report.end == Some(End::Raced),
        Property::NoDeadlock => report.end == Some(End::Deadlocked),
        Property::NoUndefined => report.end == Some(End::Undefined),
        Property::NoCrash => {
            matches!(report.end, Some(End::Crashed | End::Invalid | End::Misfreed | End::Undefined))
        }
        Property::Memory(memory) => match report.end {
            Some(End::Invalid) => memory.deref,
            Some(End::Misfreed) => memory.free,
            Some(End::Leaked) => memory.track || memory.cleanup,
            _ => false,
        },
    }
}
