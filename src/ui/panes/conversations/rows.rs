//! Which rows of a page are shown, in which order: sorted by a column, narrowed by what is typed.

use super::words;
use crate::api::Conversation;
use crate::ui::text::clean;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::borrow::Cow;
use std::cmp::Ordering;

/// A column to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortBy {
    /// When it last changed.
    Updated,
    /// Where it takes place.
    Type,
    /// Who handles it.
    Assistant,
    /// How many messages it has.
    Messages,
    /// What it cost.
    Cost,
}

impl SortBy {
    const ALL: [Self; 5] = [Self::Updated, Self::Type, Self::Assistant, Self::Messages, Self::Cost];

    /// The column after this one.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|column| *column == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// Its name in a sentence.
    pub const fn spoken(self) -> &'static str {
        match self {
            Self::Updated => "last update",
            Self::Type => "type",
            Self::Assistant => "assistant",
            Self::Messages => "messages",
            Self::Cost => "cost",
        }
    }
}

/// How a page is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    /// By which column.
    pub by: SortBy,
    /// True for the greatest first.
    pub descending: bool,
}

impl Default for Sort {
    fn default() -> Self {
        Self { by: SortBy::Updated, descending: true }
    }
}

/// A row that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    /// Its place in the page.
    pub row: usize,
    /// The characters of the type and of the assistant that match, by their position.
    pub matches: [Vec<u32>; 2],
}

/// What narrowing looks through: type and assistant as the table shows them, then what the inspector shows.
fn fields(row: &Conversation) -> Vec<Cow<'_, str>> {
    let customer = row.customer.known();
    let name = customer.and_then(|party| party.name.as_deref()).map(clean);
    let phone = customer.and_then(|party| party.phone.as_deref()).map(clean);
    let id = row.id.known().map(|id| clean(id));
    [words::kind(row), words::assistant(row)].into_iter().chain([name, phone, id].into_iter().flatten()).collect()
}

fn compare(one: &Conversation, other: &Conversation, by: SortBy) -> Ordering {
    let known = |one: Option<f64>, other: Option<f64>| one.partial_cmp(&other).unwrap_or(Ordering::Equal);
    match by {
        SortBy::Updated => one.updated_at.known().cmp(&other.updated_at.known()),
        SortBy::Type => words::kind(one).cmp(&words::kind(other)),
        SortBy::Assistant => words::assistant(one).to_lowercase().cmp(&words::assistant(other).to_lowercase()),
        SortBy::Messages => one.message_count.known().cmp(&other.message_count.known()),
        SortBy::Cost => known(one.total_cost.known().copied(), other.total_cost.known().copied()),
    }
}

/// The rows to show. The server's own order is kept where the sort says no more than it does.
pub fn arrange(rows: &[Conversation], sort: Sort, narrow: &str) -> Vec<Visible> {
    let mut visible = if narrow.trim().is_empty() {
        (0..rows.len()).map(|row| Visible { row, matches: Default::default() }).collect()
    } else {
        matching(rows, narrow)
    };
    if sort != Sort::default() {
        visible.sort_by(|one, other| {
            let order = compare(&rows[one.row], &rows[other.row], sort.by);
            if sort.descending { order.reverse() } else { order }
        });
    }
    visible
}

/// The rows in which each word that was typed is found within one field: letters scattered over several say nothing.
fn matching(rows: &[Conversation], narrow: &str) -> Vec<Visible> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(narrow, CaseMatching::Smart, Normalization::Smart);
    let mut buffer = Vec::new();
    let found = rows.iter().enumerate().filter_map(|(row, conversation)| {
        let fields = fields(conversation);
        let mut marked = [Vec::new(), Vec::new()];
        for word in &pattern.atoms {
            let mut best: Option<(u16, usize, Vec<u32>)> = None;
            for (at, field) in fields.iter().enumerate() {
                let mut letters = Vec::new();
                let score = word.indices(Utf32Str::new(field, &mut buffer), &mut matcher, &mut letters);
                if let Some(score) = score.filter(|score| best.as_ref().is_none_or(|(best, ..)| score > best)) {
                    best = Some((score, at, letters));
                }
            }
            let (_, at, letters) = best?;
            if let Some(column) = marked.get_mut(at) {
                column.extend(letters);
            }
        }
        Some(Visible { row, matches: marked })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ConversationType;

    fn row(id: &str, assistant: &str, kind: ConversationType, messages: u64, cost: f64) -> Conversation {
        Conversation {
            id: id.to_owned().into(),
            assistant_name: assistant.to_owned().into(),
            kind: kind.into(),
            message_count: messages.into(),
            total_cost: cost.into(),
            ..Conversation::default()
        }
    }

    fn rows() -> Vec<Conversation> {
        vec![
            row("a", "Reception", ConversationType::Msgapp, 3, 0.5),
            row("b", "受付", ConversationType::Widget, 9, 0.1),
            row("c", "Réception FR", ConversationType::Msgapp, 5, 0.9),
        ]
    }

    fn order(sort: Sort, narrow: &str) -> Vec<usize> {
        arrange(&rows(), sort, narrow).iter().map(|visible| visible.row).collect()
    }

    #[test]
    fn the_servers_order_stays_until_another_is_asked_for() {
        assert_eq!(order(Sort::default(), ""), [0, 1, 2]);
        assert_eq!(order(Sort { by: SortBy::Messages, descending: true }, ""), [1, 2, 0]);
        assert_eq!(order(Sort { by: SortBy::Cost, descending: false }, ""), [1, 0, 2]);
    }

    #[test]
    fn narrowing_is_fuzzy_and_forgives_accents() {
        assert_eq!(order(Sort::default(), "recep"), [0, 2]);
        assert_eq!(order(Sort::default(), "受"), [1]);
        assert_eq!(order(Sort::default(), "msg fr"), [2]);
        assert_eq!(order(Sort::default(), "zzz"), Vec::<usize>::new());
    }

    #[test]
    fn the_matched_letters_are_known() {
        let found = arrange(&rows(), Sort::default(), "recept msg");
        let letters =
            |text: &str, at: &[u32]| at.iter().filter_map(|at| text.chars().nth(*at as usize)).collect::<String>();
        assert_eq!(letters("messaging", &found[0].matches[0]), "msg");
        assert_eq!(letters("Reception", &found[0].matches[1]), "Recept");
    }

    #[test]
    fn letters_scattered_over_several_fields_are_no_match() {
        assert_eq!(order(Sort::default(), "msgfr"), Vec::<usize>::new());
    }
}
