//! The page envelope, as web paginators make it.

use super::http::{ApiError, Origin, Query, authority};
use super::state::State;
use super::store::StoreError;
use crate::api::rules::{self, Fault};
use crate::api::{NumberedPage, PageLink};
use axum::extract::FromRequestParts;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use std::convert::Infallible;
use std::sync::Arc;

/// Pages shown on each side of the current one.
const EACH_SIDE: u64 = 3;
/// Nearer to an end than this, the numbers run on to that end.
const WINDOW: u64 = EACH_SIDE + 4;

/// Which page is asked for, and under which URL: what every list in pages takes from its request.
#[derive(Debug)]
pub struct Paging {
    query: Query,
    url: String,
}

impl FromRequestParts<Arc<State>> for Paging {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<State>) -> Result<Self, Infallible> {
        // The server as the caller called it, so that links lead back the same way.
        let host = parts.headers.get(HOST).and_then(|host| authority(host.as_bytes()));
        let direct = || host.map_or_else(|| state.origin.clone(), |host| format!("http://{host}"));
        let told = parts.extensions.get::<Origin>().map(|origin| origin.0.clone());
        let origin = told.unwrap_or_else(direct);
        let query = Query::from_request_parts(parts, state).await?;
        // Nested routers see a path without what they are nested under.
        Ok(Self { query, url: format!("{origin}/api{}", parts.uri.path()) })
    }
}

impl Paging {
    /// Rows a page: as asked, or the list's own number.
    ///
    /// # Errors
    /// Where what is asked is no number from 1 to 100.
    pub fn per_page(&self, default: u32) -> Result<u32, Fault> {
        self.query.get("per_page").map_or(Ok(default), rules::per_page)
    }

    fn page(&self) -> u64 {
        self.query.get("page").map_or(1, rules::page)
    }

    /// Rows before the page.
    pub fn offset(&self, per_page: u32) -> u64 {
        (self.page() - 1).saturating_mul(u64::from(per_page))
    }

    /// The envelope of a page of so many rows, without the rows.
    pub fn frame(&self, count: usize, total: u64, per_page: u32) -> NumberedPage<()> {
        envelope((Vec::new(), count), total, self.page(), per_page, self.url.clone(), &self.query)
    }

    /// The answer with a page whose rows are written already, as a list in JSON of `count` rows.
    ///
    /// # Errors
    /// Where the envelope cannot be written, which has no reason to be.
    pub fn answer(self, rows: &[u8], count: usize, total: u64, per_page: u32) -> Result<Response, ApiError> {
        let envelope =
            serde_json::to_vec(&self.frame(count, total, per_page)).map_err(|error| ApiError::internal(&error))?;
        // Only a number stands before the rows.
        let at = envelope.windows(2).position(|place| place == b"[]");
        let at = at.ok_or(StoreError::Unreadable("page"))?;
        let body = [&envelope[..at], rows, &envelope[at + 2..]].concat();
        Ok(([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response())
    }
}

/// Makes the envelope of one page. `path` is the list's URL without a query; the other parameters of `query` are kept
/// in every link.
fn envelope<T>(
    (rows, count): (Vec<T>, usize),
    total: u64,
    page: u64,
    per_page: u32,
    path: String,
    query: &Query,
) -> NumberedPage<T> {
    let per_page = u64::from(per_page);
    let last_page = total.div_ceil(per_page).max(1);
    let kept = query.without("page");
    let url = |page: u64| {
        let separator = if kept.is_empty() { "" } else { "&" };
        format!("{path}?{kept}{separator}page={page}")
    };
    let prev_page_url = (page > 1).then(|| url(page - 1));
    let next_page_url = (page < last_page).then(|| url(page + 1));
    let link =
        |url: &Option<String>, label: &str| PageLink { url: url.clone(), label: label.to_owned(), active: false };
    let mut links = vec![link(&prev_page_url, "&laquo; Previous")];
    links.extend(numbers(page, last_page).into_iter().map(|entry| match entry {
        Some(number) => PageLink { url: Some(url(number)), label: number.to_string(), active: number == page },
        None => link(&None, "..."),
    }));
    links.push(link(&next_page_url, "Next &raquo;"));
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    let from = (count > 0).then(|| (page - 1) * per_page + 1);
    NumberedPage {
        current_page: page,
        data: rows,
        first_page_url: url(1),
        from,
        last_page,
        last_page_url: url(last_page),
        links,
        next_page_url,
        per_page,
        prev_page_url,
        to: from.map(|from| from + count - 1),
        total,
        path,
    }
}

/// The page numbers to show, with `None` for a gap.
fn numbers(page: u64, last: u64) -> Vec<Option<u64>> {
    let run = |from: u64, to: u64| (from..=to).map(Some);
    let gap = || std::iter::once(None);
    if last < EACH_SIDE * 2 + 8 {
        run(1, last).collect()
    } else if page <= WINDOW {
        run(1, WINDOW + EACH_SIDE).chain(gap()).chain(run(last - 1, last)).collect()
    } else if page > last - WINDOW {
        run(1, 2).chain(gap()).chain(run(last - WINDOW - EACH_SIDE + 1, last)).collect()
    } else {
        run(1, 2)
            .chain(gap())
            .chain(run(page - EACH_SIDE, page + EACH_SIDE))
            .chain(gap())
            .chain(run(last - 1, last))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(page: u64, last: u64) -> String {
        let label = |entry: Option<u64>| entry.map_or("...".to_owned(), |number| number.to_string());
        numbers(page, last).into_iter().map(label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_have_gaps_where_web_paginators_have_them() {
        assert_eq!(shown(1, 1), "1");
        assert_eq!(shown(5, 13), "1 2 3 4 5 6 7 8 9 10 11 12 13");
        assert_eq!(shown(7, 14), "1 2 3 4 5 6 7 8 9 10 ... 13 14");
        assert_eq!(shown(8, 14), "1 2 ... 5 6 7 8 9 10 11 12 13 14");
        assert_eq!(shown(50, 100), "1 2 ... 47 48 49 50 51 52 53 ... 99 100");
        assert_eq!(shown(93, 100), "1 2 ... 90 91 92 93 94 95 96 ... 99 100");
        assert_eq!(shown(94, 100), "1 2 ... 91 92 93 94 95 96 97 98 99 100");
        assert_eq!(shown(500, 100), "1 2 ... 91 92 93 94 95 96 97 98 99 100");
    }

    #[test]
    fn the_envelope_of_a_middle_page_points_both_ways_and_keeps_the_other_parameters() {
        let query = Query::from("type=api&page=2&per_page=2");
        let page = envelope((vec!['a', 'b'], 2), 5, 2, 2, "http://h/x".into(), &query);
        assert_eq!((page.from, page.to, page.total, page.last_page), (Some(3), Some(4), 5, 3));
        assert_eq!(page.prev_page_url.as_deref(), Some("http://h/x?type=api&per_page=2&page=1"));
        assert_eq!(page.next_page_url.as_deref(), Some("http://h/x?type=api&per_page=2&page=3"));
        assert_eq!(page.links.len(), 5);
        assert!(page.links[2].active);
    }

    #[test]
    fn an_empty_list_has_one_page_and_no_bounds() {
        let page = envelope((Vec::<u8>::new(), 0), 0, 1, 15, "http://h/x".into(), &Query::default());
        assert_eq!((page.from, page.to, page.last_page), (None, None, 1));
        assert_eq!((page.prev_page_url, page.next_page_url), (None, None));
        assert_eq!(page.first_page_url, "http://h/x?page=1");
    }

    #[test]
    fn a_page_beyond_the_last_leads_back() {
        let page = envelope((Vec::<u8>::new(), 0), 30, 9, 15, "http://h/x".into(), &Query::default());
        assert_eq!((page.current_page, page.next_page_url, page.from), (9, None, None));
        assert_eq!(page.prev_page_url.as_deref(), Some("http://h/x?page=8"));
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn any_page_of_any_list_shows_rising_numbers(page in 1_u64.., last in 1_u64..) {
            let shown: Vec<_> = numbers(page, last.min(u64::MAX - 1)).into_iter().flatten().collect();
            prop_assert!(shown.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert_eq!(shown.first(), Some(&1));
        }
    }
}
