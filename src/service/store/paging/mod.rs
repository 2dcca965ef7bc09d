//! Lists in pages, as quick in the middle of a million rows as at their ends.
//!
//! A list is sorted by a key that only grows. Rows are counted by stretches of that key, coarse ones and fine ones, once for
//! each way the list can be narrowed. Sums of the coarse counts give the total and tell in which stretch a page begins, the
//! fine ones narrow that down, and only the rows of a fine stretch before the page are stepped over, from its nearer end.
//!
//! Counts and their versions are in the database. What a process keeps of them in memory holds for one version, which is
//! read in the moment of the rows, so that replicas never disagree.

mod counts;

pub(super) use counts::{Day, Entry, add};

use super::StoreError;
use super::filter::Where;
use crate::service::cache::VersionedCache;
use jiff::civil::Date;
use rusqlite::Connection;
use std::ops::Range;
use std::sync::Arc;

/// In a stretch whose rows an index has side by side, stepping over fewer than this is quicker than a look at finer
/// counts.
const WORTH_FINE: u64 = 200;

/// A list and the stretches that its rows are counted by.
#[derive(Debug)]
pub(super) struct List {
    /// Its number in the table of counts.
    number: i64,
    /// The columns of its order; the first is the key.
    order: &'static [&'static str],
    /// What of the key a fine stretch spans.
    fine: i64,
    /// How many fine stretches make a coarse one.
    ratio: i64,
}

/// Conversations by their last change: quarters of an hour, and days.
pub(super) const CONVERSATIONS: List =
    List { number: 1, order: &["updated_at", "id"], fine: 15 * 60 * 1_000_000, ratio: 96 };

/// Calls by their numbers.
pub(super) const CALLS: List = List { number: 2, order: &["id"], fine: 1024, ratio: 64 };

/// What is looked for in a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Narrowing {
    user_id: i64,
    /// One word for each property that rows of the list are counted by, empty where any will do.
    words: String,
    /// First and last day of beginning.
    created: Option<(Day, Day)>,
    /// Whether an index has exactly these rows side by side, in the order of the list.
    is_indexed: bool,
}

impl Narrowing {
    /// `words`: the wanted value of each property, in the order of [`Entry::words`]. `is_indexed`: see there.
    pub(super) fn new(user_id: i64, words: &[Option<&str>], created: [Option<Date>; 2], is_indexed: bool) -> Self {
        let [from, to] = created;
        let created = (from.is_some() || to.is_some())
            .then(|| (Day::from(from.unwrap_or(Date::MIN)), Day::from(to.unwrap_or(Date::MAX))));
        Self { user_id, words: counts::joined(words), created, is_indexed: is_indexed && created.is_none() }
    }
}

/// Some of the rows of a stretch, counted from the newest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slice {
    /// The keys of the stretch.
    pub(super) keys: Range<i64>,
    /// Rows in the stretch.
    pub(super) count: u64,
    pub(super) skip: u64,
    pub(super) take: u64,
}

impl Slice {
    /// A slice of all rows there are, none where the page is beyond their end.
    pub(super) fn of_all(count: u64, offset: u64, limit: u32) -> Option<Self> {
        let take = count.saturating_sub(offset).min(limit.into());
        (take > 0).then_some(Self { keys: i64::MIN..i64::MAX, count, skip: offset, take })
    }

    /// Rows after the slice.
    fn after(&self) -> u64 {
        self.count - self.skip - self.take
    }

    /// How many rows are stepped over.
    pub(super) fn steps(&self) -> u64 {
        self.skip.min(self.after())
    }

    /// The conditions, order and limits that read the rows, from the nearer end, added to the list's other conditions.
    pub(super) fn clause(&self, list: &List, conditions: Where) -> Where {
        let (order, key) = (if self.skip <= self.after() { "DESC" } else { "ASC" }, list.order[0]);
        let order: Vec<_> = list.order.iter().map(|column| format!("{column} {order}")).collect();
        conditions
            .and(&format!("{key} >="), self.keys.start)
            .and(&format!("{key} <"), self.keys.end)
            .text(&format!(" ORDER BY {}", order.join(", ")))
            .then(" LIMIT", signed(self.take))
            .then(" OFFSET", signed(self.steps()))
    }
}

/// A page before its rows are read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Newest first; one slice has its rows in any order.
    pub(super) slices: Vec<Slice>,
    /// How many rows there are on all pages.
    pub(super) total: u64,
}

type Counts = Arc<[(i64, u64)]>;

/// What the process remembers of the counts.
#[derive(Debug, Default)]
pub(super) struct Pages {
    coarse: VersionedCache<256, (i64, Narrowing), Counts>,
    /// Those of coarse stretches, 1.5 KiB each.
    fine: VersionedCache<1024, (i64, Narrowing, i64), Counts>,
}

impl Pages {
    /// Where the `limit` rows after the first `offset` are. To be called in the transaction that reads them.
    pub(super) fn find(
        &self,
        reader: &Connection,
        list: &List,
        narrowing: &Narrowing,
        offset: u64,
        limit: u32,
    ) -> Result<Found, StoreError> {
        // Read in the same moment as the rows that the counts belong to.
        let version = counts::version(reader, list, narrowing.user_id)?;
        let count = || Ok::<_, StoreError>(counts::coarse(reader, list, narrowing)?.into());
        let coarse = self.coarse.get_or(version, (list.number, narrowing.clone()), count)?;
        let mut slices = Vec::new();
        for (stretch, slice) in cut(&coarse, list.fine * list.ratio, offset, limit.into()) {
            if slice.steps() < WORTH_FINE && narrowing.is_indexed {
                slices.push(slice);
                continue;
            }
            let count = || Ok::<_, StoreError>(counts::fine(reader, list, narrowing, stretch)?.into());
            let fine = self.fine.get_or(version, (list.number, narrowing.clone(), stretch), count)?;
            slices.extend(cut(&fine, list.fine, slice.skip, slice.take).map(|(_, slice)| slice));
        }
        Ok(Found { slices, total: coarse.iter().map(|(_, count)| count).sum() })
    }
}

/// Which rows of which stretches make up a page.
fn cut(stretches: &[(i64, u64)], span: i64, offset: u64, limit: u64) -> impl Iterator<Item = (i64, Slice)> {
    let (mut before, mut wanted) = (offset, limit);
    stretches
        .iter()
        .map_while(move |&(stretch, count)| {
            let skip = before.min(count);
            let take = wanted.min(count - skip);
            (before, wanted) = (before - skip, wanted - take);
            let keys = stretch.saturating_mul(span)..(stretch + 1).saturating_mul(span);
            (wanted > 0 || take > 0).then_some((stretch, Slice { keys, count, skip, take }))
        })
        .filter(|(_, slice)| slice.take > 0)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
