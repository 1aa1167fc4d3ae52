//! `--report FILE.html`: the result as one page for a browser, for people who have never seen Braid.
//!
//! The page is a view of the [`Document`]: [`View`] is the document without what no picture needs, with the texts of the program; the
//! scripts under `page/` draw it. It asks nothing of a network, and says so to the browser. *Invariants*: whatever the program holds
//! reaches the page as data or as escaped text, never as markup; what is left out because it is too large is named on the page; without
//! scripts the page still says what a terminal would.

mod plain;
mod script;
mod shorten;
mod texts;
mod view;

use crate::document::Document;
use crate::exit::{Failure, Status};
use crate::formats::junit::escaped;
use braid_program::latin;
use std::fs;
use std::path::{Path, PathBuf};
use texts::Texts;
use view::View;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
/// In the order in which they are run.
const SCRIPTS: [&str; 7] = [
    include_str!("page/elements.js"),
    include_str!("page/verdict.js"),
    include_str!("page/source.js"),
    include_str!("page/lanes.js"),
    include_str!("page/pictures.js"),
    include_str!("page/graph.js"),
    include_str!("page/steps.js"),
];

/// Reads the name of a page.
pub fn parse_page(text: &str) -> Result<PathBuf, String> {
    match text {
        "" | "-" => Err("a page needs a file of its own".into()),
        name => Ok(name.into()),
    }
}

/// Writes the page of an answer, if one is wanted.
pub fn write(path: Option<&Path>, document: &Document) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    written(path, &page(document, &mut Texts::default()))
}

/// Writes that there is no answer. What is wrong with the input counts more than what is wrong with the file to write.
pub fn write_failure(path: Option<&Path>, file: &Path, failure: &Failure) {
    if let Some(path) = path {
        let _ = written(path, &filled(&file.to_string_lossy(), &plain::failure(file, failure), "null"));
    }
}

fn written(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure {
        status: Status::Output,
        message: format!("{} cannot be written: {error}", path.display()),
    })
}

fn page(document: &Document, texts: &mut Texts) -> String {
    let view = View::new(document, texts);
    let data = serde_json::to_string(&view).expect("views hold nothing that JSON cannot");
    let title = format!("{}: {}", document.verdict, document.file);
    filled(&title, &plain::result(document, &view), &data)
}

/// The template with what belongs into it. Nothing that is put in is looked at for places to fill.
fn filled(title: &str, plain: &str, data: &str) -> String {
    let mut page = String::new();
    for (number, piece) in TEMPLATE.split("@@").enumerate() {
        match (number % 2, piece) {
            (0, text) => page += text,
            (_, "title") => page += &escaped(title),
            (_, "style") => page += STYLE,
            (_, "plain") => page += plain,
            (_, "data") => page += &script::in_script(data),
            (_, "scripts") => SCRIPTS.iter().for_each(|script| page += script),
            (_, other) => unreachable!("the template has no place {other}"),
        }
    }
    // Bytes of unknown encoding are taken for Latin-1.
    page.chars().map(|c| latin::byte(c).map_or(c, char::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::fixture;

    const NASTY: &str = "</script><script>alert(1)</script><!-- & \"quotes\" 'too' ]]> \u{2028} \u{f7fc}";

    fn data(page: &str) -> serde_json::Value {
        let (_, rest) = page.split_once("<script type=\"application/json\" id=\"view\">").expect("the data");
        serde_json::from_str(rest.split_once("</script>").expect("its end").0).expect("JSON")
    }

    #[test]
    fn a_page_is_whole_and_alone() {
        let page = page(&fixture::document(), &mut Texts::with("a b.c", fixture::TEXT));
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
        let pieces = page.matches("<script").count();
        assert_eq!((pieces, page.matches("</script>").count()), (2, 2));
        assert!(page.contains("default-src 'none'"));
        for outside in ["https:", "src=\"", "@import", "fetch(", "<link"] {
            assert!(!page.contains(outside), "{outside}");
        }
        // Addresses are names of languages, and places in the page.
        assert!(page.split("http:").skip(1).all(|rest| rest.starts_with("//www.w3.org/")));
        assert!(page.split("url(").skip(1).all(|rest| rest.starts_with('#')));
        let data = data(&page);
        assert_eq!(data["findings"][0]["story"]["threads"][1]["name"], "t");
        assert_eq!(data["sources"][0]["pieces"][0]["lines"][0], "int x;");
    }

    #[test]
    fn what_programs_hold_is_no_markup() {
        let mut document = fixture::document();
        document.file = NASTY.into();
        document.notes = vec![NASTY.into()];
        document.reason = Some(NASTY.into());
        let story = document.story.as_mut().expect("the fixture has one");
        story.rows[0].text = NASTY.into();
        story.ending.sentence = NASTY.into();
        document.checks[2].stories = document.story.clone().into_iter().collect();
        let texts = format!("{}{NASTY}\n", fixture::TEXT);
        let page = page(&document, &mut Texts::with("a b.c", &texts));
        let pieces = page.matches("<script").count();
        assert_eq!((pieces, page.matches("</script>").count(), page.matches("alert(1)</").count()), (2, 2, 0));
        assert!(!page.contains("<!-- &"));
        let data = data(&page);
        let expected = NASTY.replace('\u{f7fc}', "ü");
        assert_eq!(data["findings"][0]["story"]["rows"][0]["text"], expected);
        assert_eq!(data["document"]["notes"][0], expected);
        let lines = data["sources"][0]["pieces"][0]["lines"].as_array().expect("lines");
        assert_eq!(lines.last().expect("a line"), &expected);
        assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    }

    #[test]
    fn a_rejected_input_has_a_page() {
        let failure = Failure::rejected("a.c:1:2: error: `<b>` is not known");
        let page = filled("a.c", &plain::failure(Path::new("a.c"), &failure), "null");
        assert!(page.contains("a.c:1:2: error: `&lt;b&gt;` is not known"));
        assert!(data(&page).is_null());
    }

    #[test]
    fn pages_have_names() {
        assert!(parse_page("-").is_err() && parse_page("").is_err() && parse_page("a.html").is_ok());
    }
}
