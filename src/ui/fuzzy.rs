//! Fuzzy matching: what is typed against the texts of a row, with a score and the matched letters.

use nucleo_matcher::pattern::{Atom, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::borrow::Cow;
use std::cmp::Reverse;

/// How one row matches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Match {
    /// The higher, the better.
    pub score: u32,
    /// The matched graphemes of each field, by index and ascending.
    pub letters: Vec<Vec<u32>>,
}

/// What is typed, ready to be looked for. Words may begin with `^`, end with `$`, or exclude with `!`.
#[derive(Debug)]
pub struct Query {
    words: Vec<Atom>,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl Query {
    /// `None` where nothing is typed: then every row matches. Upper and lower case and accents are the same.
    pub fn new(typed: &str) -> Option<Self> {
        let words = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart).atoms;
        (!words.is_empty()).then(|| Self { words, matcher: Matcher::new(Config::DEFAULT), buffer: Vec::new() })
    }

    /// A match only where every word is found within one field: letters scattered over several fields say nothing.
    pub fn find(&mut self, fields: &[Cow<'_, str>]) -> Option<Match> {
        let mut found = Match { score: 0, letters: vec![Vec::new(); fields.len()] };
        for word in &self.words {
            let mut best: Option<(u16, usize, Vec<u32>)> = None;
            for (at, field) in fields.iter().enumerate() {
                let mut letters = Vec::new();
                let score = word.indices(Utf32Str::new(field, &mut self.buffer), &mut self.matcher, &mut letters);
                if word.negative && score.is_none() {
                    return None;
                }
                if let Some(score) = score.filter(|score| best.as_ref().is_none_or(|(best, ..)| score > best)) {
                    best = Some((score, at, letters));
                }
            }
            let (score, at, letters) = best?;
            found.score += u32::from(score);
            found.letters[at].extend(letters);
        }
        for letters in &mut found.letters {
            letters.sort_unstable();
            letters.dedup();
        }
        Some(found)
    }
}

/// The items that match, the best first; all of them in their own order where nothing is typed.
pub fn rank<'a, T>(
    typed: &str,
    items: impl IntoIterator<Item = T>,
    fields: impl Fn(&T) -> Vec<Cow<'a, str>>,
) -> Vec<(T, Match)> {
    let mut query = Query::new(typed);
    let mut found: Vec<_> = items
        .into_iter()
        .filter_map(|item| match &mut query {
            Some(query) => query.find(&fields(&item)).map(|found| (item, found)),
            None => Some((item, Match::default())),
        })
        .collect();
    found.sort_by_key(|(_, found)| Reverse(found.score));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(typed: &str, fields: &[&str]) -> Option<Match> {
        let fields: Vec<_> = fields.iter().map(|field| Cow::Borrowed(*field)).collect();
        Query::new(typed).unwrap().find(&fields)
    }

    #[test]
    fn each_word_is_found_within_one_field() {
        assert_eq!(
            find("recep MSG", &["messaging", "Réception"]).unwrap().letters,
            [vec![0, 2, 5], vec![0, 1, 2, 3, 4]]
        );
        assert!(find("msgfr", &["messaging", "Réception FR"]).is_none());
        assert!(find("msg zz", &["messaging", "Réception"]).is_none());
    }

    #[test]
    fn an_excluded_word_is_in_no_field() {
        assert!(find("!sales", &["messaging", "Sales desk"]).is_none());
        assert!(find("mes !sales", &["messaging", "Reception"]).is_some());
    }

    #[test]
    fn letters_are_counted_in_graphemes() {
        assert_eq!(find("b", &["e\u{301}👩‍👧b"]).unwrap().letters, [[2]]);
    }

    #[test]
    fn the_best_comes_first_and_nothing_typed_keeps_the_order() {
        let ranked = |typed| {
            let items = rank(typed, ["home screen", "quit", "messages"], |item| vec![Cow::Borrowed(*item)]);
            items.into_iter().map(|(item, _)| item).collect::<Vec<_>>()
        };
        assert_eq!(ranked(" "), ["home screen", "quit", "messages"]);
        assert_eq!(ranked("^mess"), ["messages"]);
        assert_eq!(ranked("mes"), ["messages", "home screen"]);
    }
}
