//! Stories that are too long for a page: rows that do not matter go first, then those that are furthest from the end.
//!
//! *Invariant*: what a row, a flow or a thread refers to by number is the same row as before, or nothing.

use crate::story::Story;

/// A story without some rows; gives how many are gone.
pub fn shortened(story: &mut Story, most: usize) -> usize {
    let count = story.rows.len();
    if count <= most {
        return 0;
    }
    let needed = |number: usize| {
        let starts = story.threads.iter().any(|lane| lane.started_by == Some(number));
        story.rows[number].matters || starts
    };
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&number| (!needed(number), std::cmp::Reverse(number)));
    let mut kept: Vec<usize> = order[..most].to_vec();
    kept.sort_unstable();
    let place = |number: usize| kept.binary_search(&number).ok();
    let mut rows: Vec<_> = kept.iter().map(|&number| std::mem::take(&mut story.rows[number])).collect();
    for row in &mut rows {
        row.after = row.after.and_then(place);
        row.reads.retain_mut(|flow| place(flow.row).map(|row| flow.row = row).is_some());
    }
    for lane in &mut story.threads {
        lane.started_by = lane.started_by.and_then(place);
    }
    story.rows = rows;
    count - most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::fixture;

    #[test]
    fn numbers_stay_right() {
        let whole = fixture::story();
        let mut story = whole.clone();
        assert_eq!(shortened(&mut story, 4), 0);
        assert_eq!(story, whole);
        // The second row does not matter.
        assert_eq!(shortened(&mut story, 3), 1);
        assert_eq!(story.rows[2].reads[0].row, 1);
        assert_eq!(story.rows[1].text, "x = 1");
        assert_eq!(story.threads[1].started_by, Some(0));
        assert_eq!(shortened(&mut story, 1), 2);
        assert!(story.rows[0].reads.is_empty() && story.threads[1].started_by.is_none());
    }
}
