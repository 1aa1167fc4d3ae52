//! The table of all runs: a line for each task, and for each configuration what was said and what it took.

use super::super::expected::Status;
use super::super::launch;
use super::super::row::{Outcome, Row, TaskKey};
use super::super::shell;
use super::super::summary::Summary;
use super::COLOURS;
use crate::formats::junit::escaped;
use std::collections::HashMap;
use std::fmt::Write;

/// The colour of a status.
fn class(status: Status) -> &'static str {
    match status {
        Status::Wrong => "wrong",
        Status::Correct => "correct",
        Status::Answered => "answered",
        Status::Unknown | Status::Timeout | Status::Memory => "unknown",
        Status::Rejected | Status::Crash => "error",
    }
}

/// The table with its filter.
pub fn table(rows: &[Row], configs: &[&str]) -> String {
    // Lines come in the order of the runs, so tasks with a wrong verdict come first.
    let (mut lines, mut places) = (Vec::<(TaskKey, HashMap<&str, &Row>)>::new(), HashMap::<TaskKey, usize>::new());
    for row in rows {
        let key = row.item.task_key();
        let place = *places.entry(key.clone()).or_insert_with(|| {
            lines.push((key, HashMap::new()));
            lines.len() - 1
        });
        lines[place].1.insert(&row.item.config, row);
    }
    let mut out = format!(
        "<section><h2>Runs</h2>\n{}<div class=\"wide runs\"><table id=\"runs\">\n{}<tbody>\n",
        filter(),
        head(configs)
    );
    for (key, runs) in &lines {
        out += &line(key, runs, configs);
    }
    out += "</tbody>\n<tfoot><tr><th colspan=\"3\"><span id=\"shown\">all tasks</span></th>";
    for config in configs {
        let sum = Summary::of(rows.iter().filter(|row| row.item.config == *config));
        let own = || rows.iter().filter(|row| row.item.config == *config);
        let cpu = own().fold(0.0, |sum, row| sum + row.outcome.cpu);
        let _ = write!(
            out,
            "<td class=\"first\">{} solved</td><td>{cpu:.1}</td><td>{:.1}</td><td>{:.0}</td>",
            sum.solved(),
            sum.wall,
            sum.mib
        );
    }
    out + "</tr></tfoot>\n</table></div>\n<output id=\"again\" hidden></output></section>\n"
}

/// What is shown can be chosen.
fn filter() -> String {
    let options: String =
        Status::ALL.iter().map(|status| format!("<option value=\"{0}\">{0}</option>", status.name())).collect();
    format!(
        "<p class=\"filter\"><label>Tasks <input id=\"text\" type=\"search\" placeholder=\"name, property or reason\"></label>\n\
         <label>Show <select id=\"kind\"><option value=\"\">all</option><option value=\"-unsolved\">not solved by some</option>\
         <option value=\"-different\">with different answers</option>{options}</select></label>\n\
         <span class=\"quiet\">Click a heading to sort, an answer to see how to run it again.</span></p>\n"
    )
}

fn head(configs: &[&str]) -> String {
    let mut out = String::from("<thead><tr><th colspan=\"3\"></th>");
    for (number, config) in configs.iter().enumerate() {
        let _ = write!(
            out,
            "<th class=\"first\" colspan=\"4\"><span class=\"key c{}\"></span>{}</th>",
            number % COLOURS,
            escaped(config)
        );
    }
    out += "</tr>\n<tr>";
    let heading =
        |name: &str, class: &str| format!("<th class=\"{class}\" aria-sort=\"none\"><button>{name}</button></th>");
    out += &["task", "property", "expected"].map(|name| heading(name, "")).concat();
    for _ in configs {
        out += &heading("answer", "first");
        out += &["cpu s", "wall s", "MiB"].map(|name| heading(name, "number")).concat();
    }
    out + "</tr></thead>\n"
}

fn line(key: &TaskKey, runs: &HashMap<&str, &Row>, configs: &[&str]) -> String {
    let expected = runs.values().next().map(|row| row.item.expected.to_string()).unwrap_or_default();
    let args = match key.args.as_str() {
        "" => String::new(),
        args => format!(" <code>{}</code>", escaped(args)),
    };
    let mut out = format!(
        "<tr><th title=\"{0}\">{0}{args}</th><td>{1}</td><td>{2}</td>",
        escaped(&key.name()),
        escaped(&key.property),
        escaped(&expected)
    );
    for config in configs {
        let Some(row) = runs.get(config) else {
            out += "<td class=\"first\"></td><td></td><td></td><td></td>";
            continue;
        };
        let status = row.status();
        let (class, word) = (class(status), status.name());
        let shown = match (status, row.said()) {
            (Status::Wrong, said) => format!("wrong: {said}"),
            // The property stands in the same line.
            (_, said) if said == format!("false({})", key.property) => "false".to_owned(),
            (Status::Correct | Status::Answered, said) => said,
            (status, _) => status.name().to_owned(),
        };
        let words: Vec<String> = std::iter::once("braid".to_owned()).chain(launch::arguments(&row.item)).collect();
        let again: Vec<&String> =
            words.iter().filter(|word| !["--json", "-", "--quiet"].contains(&word.as_str())).collect();
        let labelled = |label: &str, value: &str| match value {
            "" => String::new(),
            value => format!("{label}{value}"),
        };
        let Outcome { reason, engine, order, .. } = &row.outcome;
        let remarks = [reason.clone(), labelled("engine ", engine), labelled("order ", order)];
        let remarks: Vec<String> = remarks.into_iter().filter(|remark| !remark.is_empty()).collect();
        let _ = write!(
            out,
            "<td class=\"first {class}\" data-status=\"{word}\"><button data-again=\"{}\" title=\"{}\">{}</button></td><td>{:.2}</td><td>{:.2}</td><td>{:.0}</td>",
            escaped(&shell::line(&again)),
            escaped(&remarks.join(", ")),
            escaped(&shown),
            row.outcome.cpu,
            row.outcome.wall,
            row.outcome.mib
        );
    }
    out + "</tr>\n"
}

#[cfg(test)]
mod tests {
    use super::super::super::expected::Verdict;
    use super::super::super::row::tests::row;
    use super::*;

    #[test]
    fn a_line_for_each_task() {
        let rows = [
            row("gem", "b.c", "true", Verdict::Unsafe, 1.0),
            row("gem", "a.c", "true", Verdict::Safe, 0.125),
            row("cegar", "a.c", "true", Verdict::Unknown, 2.0),
        ];
        let text = table(&rows, &["gem", "cegar"]);
        let start = text.find("<table").unwrap();
        let end = text.find("</table>").unwrap() + "</table>".len();
        let tree = roxmltree::Document::parse(&text[start..end]).expect("XML");
        let line = |node: roxmltree::Node<'_, '_>| -> String {
            let cells = node.children().filter(|cell| cell.is_element());
            let cell = |cell: roxmltree::Node<'_, '_>| {
                cell.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect::<String>()
            };
            cells.map(cell).collect::<Vec<_>>().join("|")
        };
        let lines: Vec<String> = tree.descendants().filter(|node| node.has_tag_name("tr")).map(line).skip(2).collect();
        let expected = [
            "set/b.c|unreach-call|true|wrong: false|1.00|1.00|10||||",
            "set/a.c|unreach-call|true|true|0.12|0.12|10|unknown|2.00|2.00|10",
            "all tasks|1 solved|1.1|1.1|10|0 solved|2.0|2.0|10",
        ];
        assert_eq!(lines, expected);
    }
}
