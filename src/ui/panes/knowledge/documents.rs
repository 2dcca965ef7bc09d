//! The documents of each knowledgebase: loaded when somebody looks, and polled while any of them is being processed.

use super::row::{is_processing, name};
use crate::api::{Document, DocumentStatus, Rows};
use crate::ui::prelude::*;
use std::collections::BTreeMap;

/// Knowledgebases whose documents are in memory at most; the one looked at longest ago goes first.
const LISTS_MAX: usize = 32;
/// The first interval between two polls of a list with a document in processing, and the longest: each poll without
/// news doubles it.
const FIRST_PACE: Duration = Duration::from_secs(5);
const LONGEST_PACE: Duration = Duration::from_secs(60);
/// Lists older than this are loaded again when they are looked at.
const STALE: Duration = Duration::from_secs(60);

/// The list of one knowledgebase.
#[derive(Debug, Clone, PartialEq)]
struct Listed {
    remote: Remote<Rows<Document>>,
    looked_at: Instant,
    /// When it is polled next, and the interval after that, while a document is being processed.
    watch: Option<(Instant, Duration)>,
}

/// What became of documents that were being processed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct News {
    /// The names of those that failed.
    pub failed: Vec<String>,
    /// The names of those that can be used now.
    pub ready: Vec<String>,
    /// How many are still being processed.
    pub processing: usize,
}

/// The documents of all knowledgebases that were looked at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Documents {
    lists: BTreeMap<i64, Listed>,
}

impl Documents {
    /// The list of a knowledgebase, once it was requested.
    pub fn of(&self, id: i64) -> Option<&Remote<Rows<Document>>> {
        self.lists.get(&id).map(|listed| &listed.remote)
    }

    /// The documents of a knowledgebase, as far as they have come.
    pub fn rows(&self, id: i64) -> Option<&Rows<Document>> {
        self.of(id)?.value()
    }

    /// Requests the documents of a knowledgebase now.
    pub fn fetch(&mut self, id: i64, cx: &mut Context) {
        let now = cx.now.mono;
        let new = || Listed { remote: Remote::of(Request::ListDocuments { id }, None), looked_at: now, watch: None };
        self.lists.entry(id).or_insert_with(new).remote.refresh(cx);
        if self.lists.len() > LISTS_MAX {
            let idle = self.lists.iter().filter(|(other, listed)| **other != id && listed.watch.is_none());
            if let Some(oldest) = idle.min_by_key(|(_, listed)| listed.looked_at).map(|(id, _)| *id) {
                self.lists.remove(&oldest);
            }
        }
    }

    /// Somebody looks at the documents of a knowledgebase: requests them, unless they are there and fresh.
    pub fn look(&mut self, id: i64, cx: &mut Context) {
        if let Some(listed) = self.lists.get_mut(&id) {
            listed.looked_at = cx.now.mono;
            let fresh = listed.remote.freshness();
            let loaded = fresh.loaded.is_some_and(|at| cx.now.mono - at.mono < STALE) && fresh.failure.is_none();
            // What failed is loaded again on request only.
            if loaded || fresh.pending || (fresh.failure.is_some() && fresh.loaded.is_none()) {
                return;
            }
        }
        self.fetch(id, cx);
    }

    /// Forgets the documents of a knowledgebase that is gone.
    pub fn forget(&mut self, id: i64) {
        self.lists.remove(&id);
    }

    /// Changes the documents of a knowledgebase in place, as after a write whose reply told.
    pub fn update(&mut self, id: i64, change: impl FnOnce(&mut Vec<Document>)) {
        if let Some(listed) = self.lists.get_mut(&id) {
            listed.remote.update(|rows| change(&mut rows.rows));
        }
    }

    /// Polls what is due.
    pub fn tick(&mut self, cx: &mut Context) {
        if !cx.is_connected() {
            return;
        }
        for listed in self.lists.values_mut() {
            if listed.watch.is_some_and(|(next, _)| next <= cx.now.mono) && !listed.remote.freshness().pending {
                listed.remote.refresh(cx);
            }
        }
    }

    /// When the next poll is due.
    pub fn next_change(&self) -> Option<Instant> {
        let idle = self.lists.values().filter(|listed| !listed.remote.freshness().pending);
        idle.filter_map(|listed| listed.watch).map(|(next, _)| next).min()
    }

    /// Takes a reply, and puts into `came` the knowledgebase that it is about and what it brought. Any other report comes back.
    pub fn reply(&mut self, report: Report, came: &mut Option<(i64, News)>, now: Moment) -> Option<Report> {
        let mut report = report;
        for (id, listed) in &mut self.lists {
            let before: Vec<i64> = processing(&listed.remote).map(Record::id).collect();
            let Some(other) = listed.remote.reply(report, Reply::list_documents, now) else {
                *came = Some((*id, listed.learn(&before, now.mono)));
                return None;
            };
            report = other;
        }
        Some(report)
    }
}

fn processing(remote: &Remote<Rows<Document>>) -> impl Iterator<Item = &Document> {
    remote.value().into_iter().flat_map(|rows| rows.iter()).filter(|document| is_processing(document))
}

impl Listed {
    /// What has become of those that were being processed, and when to poll next.
    fn learn(&mut self, before: &[i64], now: Instant) -> News {
        let pace = self.watch.map(|(_, pace)| pace);
        let mut news = News { processing: processing(&self.remote).count(), ..News::default() };
        if let Some(failure) = self.remote.failure() {
            // A refused token or a knowledgebase that is gone is not polled for; r does.
            let goes_on = !failure.kind.is_unauthenticated() && self.remote.is_offered();
            let pace = pace.unwrap_or(FIRST_PACE).saturating_mul(2).min(LONGEST_PACE);
            let wait = pace.max(failure.kind.retry_after().unwrap_or_default());
            self.watch = (goes_on && news.processing > 0).then(|| (now + wait, pace));
            return news;
        }
        let was = |document: &&Document| before.contains(&document.id());
        for document in self.remote.value().into_iter().flat_map(|rows| rows.iter()).filter(was) {
            match document.status.known() {
                Some(DocumentStatus::Failed) => news.failed.push(name(&document.name, document.id())),
                Some(DocumentStatus::Active) => news.ready.push(name(&document.name, document.id())),
                _ => {}
            }
        }
        let changed = !news.failed.is_empty() || !news.ready.is_empty() || news.processing > before.len();
        let pace = match pace {
            Some(pace) if !changed => pace.saturating_mul(2).min(LONGEST_PACE),
            _ => FIRST_PACE,
        };
        self.watch = (news.processing > 0).then(|| (now + pace, pace));
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u64) -> Instant {
        Instant::after(Duration::from_secs(second))
    }

    fn listed(states: &[&str]) -> Listed {
        let document = |(id, status): (i64, &&str)| Document {
            id: id.into(),
            name: format!("Document {id}").into(),
            status: DocumentStatus::from(*status).into(),
            ..Document::default()
        };
        let rows: Vec<_> = (1..).zip(states).map(document).collect();
        Listed { remote: Remote::loaded(rows.into()), looked_at: at(0), watch: None }
    }

    #[test]
    fn polls_slow_down_while_nothing_changes_and_stop_at_the_end() {
        let mut list = listed(&["active", "processing", "processing"]);
        let mut seconds = Vec::new();
        for _ in 0..6 {
            assert_eq!(list.learn(&[2, 3], at(0)), News { processing: 2, ..News::default() });
            seconds.extend(list.watch.map(|(next, _)| next));
        }
        assert_eq!(seconds, [5, 10, 20, 40, 60, 60].map(at));
        list.remote = listed(&["active", "failed", "processing"]).remote;
        let news = list.learn(&[2, 3], at(100));
        assert_eq!(news, News { failed: vec!["Document 2".to_owned()], processing: 1, ready: vec![] });
        assert_eq!(list.watch, Some((at(105), FIRST_PACE)), "news make it quick again");
        list.remote = listed(&["active", "failed", "active"]).remote;
        assert_eq!(list.learn(&[3], at(110)).ready, ["Document 3"]);
        assert_eq!(list.watch, None);
    }
}
