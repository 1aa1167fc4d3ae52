//! What is said of a check, in words.

use crate::document::CheckVerdict;
use crate::table::wrap;

/// What is known of a check, as lines of a page; what is told above is not told again.
pub fn in_words(line: &CheckVerdict, is_above: bool, width: usize) -> String {
    let mut text = String::new();
    let mut head = format!("{:<18} {:<11}", line.property, line.verdict);
    let first = if is_above { Some("as shown above") } else { line.reason.as_deref() };
    let told: Vec<&str> = first.into_iter().chain(line.also.iter().map(String::as_str)).collect();
    let room = width.saturating_sub(head.len());
    for part in told.iter().flat_map(|told| wrap(told, room, usize::MAX)) {
        text += &format!("{head}{part}\n");
        head = " ".repeat(head.len());
    }
    if told.is_empty() { format!("{}\n", head.trim_end()) } else { text }
}

/// The places in a sentence: two accesses that race do so in both orders.
pub fn places(sentence: &str) -> Vec<&str> {
    let mut places: Vec<&str> = sentence.split(' ').filter(|word| word.matches(':').count() > 1).collect();
    places.sort_unstable();
    places
}

/// The first line of a story.
pub fn one_line(story: &str) -> String {
    story.lines().next().unwrap_or_default().to_owned()
}
