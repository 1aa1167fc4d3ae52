//! A folder that a person can build, run and step through in a debugger.

use braid_run::{Compiled, Property, Schedule, Sources};
use std::fs;
use std::path::Path;

/// Adds to the folder of a compiled program: sources, the schedule, a script that builds, one that runs, and an explanation.
pub fn keep(compiled: &Compiled, sources: &Sources, property: Property, schedule: &Schedule) -> Result<(), String> {
    let folder = compiled.folder();
    let mut names = Vec::new();
    for file in &sources.files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let copy = folder.join(&name);
        // Preprocessed files are there already, without line markers.
        if !copy.exists() {
            fs::copy(file, &copy).map_err(|error| format!("{}: {error}", copy.display()))?;
        }
        names.push(name);
    }
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    write("runtime.c", &braid_run::runtime_text())?;
    write("schedule", &schedule.text())?;
    let outside = folder.join("outside.c").is_file();
    write("build.sh", &sources.script(&names, outside))?;
    write("run.sh", &run_script(property))?;
    write("README.md", &explanation(property, &names, sources.files.first().map(|file| file.as_path())))
}

fn run_script(property: Property) -> String {
    format!(
        "#!/bin/sh\n# Repeats the run. `end` says how it ended, `message` what was said, `at` the thread and the address.\n\
         cd \"$(dirname \"$0\")\" && ./program replay {} schedule | grep -E '^(end|message|at|other) '\n",
        property.name()
    )
}

fn explanation(property: Property, names: &[String], file: Option<&Path>) -> String {
    let file = file.map(|file| file.display().to_string()).unwrap_or_default();
    let name = property.name();
    format!(
        "# An execution of `{file}` that violates `{name}`\n\n\
         | file | what it is |\n|---|---|\n\
         | `{}` | the program, as it was (line markers of the preprocessor are blank) |\n\
         | `runtime.c` | Braid's scheduler, which the program is linked with |\n\
         | `schedule` | at which step which thread goes on, and the values that the program is given |\n\
         | `build.sh` | builds `program` again |\n\
         | `run.sh` | repeats the run |\n\n\
         Step through it in a debugger:\n\n\
         ```sh\nsh build.sh\ngdb -ex 'handle SIGALRM nostop noprint' -ex 'break main' -ex run --args ./program replay {name} schedule\n```\n\n\
         All threads of the program run in one thread of the system, so `next` goes to another thread of the program where the\n\
         schedule says so; `break FILE:LINE` stops in whichever thread comes there.\n",
        names.join("`, `")
    )
}
