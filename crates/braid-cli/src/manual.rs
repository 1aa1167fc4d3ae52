//! Manual pages and completions: made of the definition of the command line, so that they cannot say anything else than `--help`.

use crate::arguments::{Arguments, EXAMPLES, Manual, STATUSES, ShellName};
use crate::exit::{Failure, Status};
use crate::{output, version};
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::{fs, io};

/// The environment of every command, as the manual names it.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("CC", "The compiler for programs that are run; without it cc."),
    ("COLUMNS", "How wide tables are; without it as wide as the terminal."),
    ("NO_COLOR", "If it is set and not empty, nothing is written in colours."),
    ("TMPDIR", "Where temporary files go; without it /tmp."),
    ("XDG_CACHE_HOME", "Where the compiled runtime of engine run is kept; without it ~/.cache."),
];

/// Runs `braid completions`.
pub fn completions(shell: ShellName) -> Result<Status, Failure> {
    let shell = match shell {
        ShellName::Bash => Shell::Bash,
        ShellName::Zsh => Shell::Zsh,
        ShellName::Fish => Shell::Fish,
    };
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::grouped(), "braid", &mut text);
    output::print(&String::from_utf8_lossy(&text)).map(|()| Status::Safe)
}

/// Runs `braid man`.
pub fn manual(arguments: &Manual) -> Result<Status, Failure> {
    let all = described();
    if let Some(folder) = &arguments.to {
        for command in std::iter::once(&all).chain(all.get_subcommands()) {
            let file = folder.join(format!("{}.1", name(command)));
            let failed = |error| Failure { status: Status::Output, message: format!("{}: {error}", file.display()) };
            fs::write(&file, page(command, &all)).map_err(failed)?;
        }
        return Ok(Status::Safe);
    }
    let command = match arguments.command.as_deref() {
        None => &all,
        Some(name) => all.find_subcommand(name).ok_or_else(|| {
            let mut known: Vec<&str> = all.get_subcommands().map(Command::get_name).collect();
            known.sort_unstable();
            Failure::usage(format!("error: there is no command `{name}`\nhint: there are {}", known.join(", ")))
        })?,
    };
    output::print(&page(command, &all)).map(|()| Status::Safe)
}

/// The command line, with all names that pages have.
fn described() -> Command {
    // Options that the short help leaves out would have no words.
    let shown = |arg: Arg| arg.hide_short_help(false);
    let all = Arguments::grouped().disable_help_subcommand(true).mut_args(shown);
    let mut all = all.mut_subcommands(|command| command.mut_args(shown));
    all.build();
    all
}

/// What the page of a command is called: `braid`, `braid-verify`.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// The page of one command, in the language of `man`.
fn page(command: &Command, all: &Command) -> String {
    String::from_utf8(rendered(command, all).expect("memory can be written")).expect("what is written is text")
}

fn rendered(command: &Command, all: &Command) -> io::Result<Vec<u8>> {
    let is_main = command.has_subcommands();
    let page = Man::new(command.clone()).source(format!("braid {}", version::NUMBER)).manual("Braid");
    let mut out = Vec::new();
    page.render_title(&mut out)?;
    page.render_name_section(&mut out)?;
    page.render_synopsis_section(&mut out)?;
    page.render_description_section(&mut out)?;
    if is_main {
        page.render_subcommands_section(&mut out)?;
    }
    page.render_options_section(&mut out)?;
    let mut rest = Roff::new();
    if is_main {
        pairs(&mut rest, "EXAMPLES", &EXAMPLES);
        pairs(&mut rest, "EXIT STATUS", &STATUSES);
    } else if let Some(help) = command.get_after_help() {
        after_help(&mut rest, &help.to_string());
    }
    pairs(&mut rest, "ENVIRONMENT", &ENVIRONMENT);
    let others = std::iter::once(all).chain(all.get_subcommands()).map(name).filter(|other| *other != name(command));
    let mut others: Vec<String> = others.map(|name| format!("{name}(1)")).collect();
    others.sort();
    rest.control("SH", ["SEE ALSO"]);
    rest.text([roman(others.join(", "))]);
    rest.to_writer(&mut out)?;
    Ok(out)
}

/// What stands below a command's options, line by line; what begins with `Exit status:` has a section of that name.
fn after_help(page: &mut Roff, help: &str) {
    let (title, text) = match help.strip_prefix("Exit status: ") {
        Some(text) => ("EXIT STATUS", text),
        None => ("NOTES", help),
    };
    page.control("SH", [title]);
    page.control("nf", []);
    for line in text.lines().flat_map(|line| if title == "NOTES" { vec![line] } else { line.split(", ").collect() }) {
        page.text([roman(line)]);
    }
    page.control("fi", []);
}

/// A section of names with what they mean.
fn pairs(page: &mut Roff, title: &str, pairs: &[(&str, &str)]) {
    page.control("SH", [title]);
    for (name, meaning) in pairs {
        page.control("TP", []);
        page.text([bold(*name)]);
        page.text([roman(*meaning)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_its_options() {
        let all = described();
        for command in std::iter::once(&all).chain(all.get_subcommands()) {
            let (text, name) = (page(command, &all), name(command));
            assert!(text.contains(&format!(".SH NAME\n{}", name.replace('-', "\\-"))), "{text}");
            for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
                let long = arg.get_long().unwrap_or_default().replace('-', "\\-");
                assert!(text.contains(&format!("\\-\\-{long}")) || long.is_empty(), "{name} {long}");
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                let words = help.split([' ', '-', '\'', '`', '.']).next().unwrap_or_default();
                assert!(text.contains(&format!("\n{words}")), "{name}: {help}");
            }
        }
    }

    #[test]
    fn statuses_are_a_list() {
        let mut page = Roff::new();
        after_help(&mut page, "Exit status: 0 safe, 10 unsafe.");
        assert!(page.to_roff().ends_with(".SH \"EXIT STATUS\"\n.nf\n0 safe\n10 unsafe.\n.fi\n"), "{}", page.to_roff());
    }
}
