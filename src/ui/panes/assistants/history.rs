//! Earlier versions of an assistant: what each changed, and how it differs from what is now.

use super::edit::fields::{FIELDS, Place, Values, value, values};
use super::edit::{self, LABEL};
use super::{Assistants, Front, areas};
use crate::api::Rows;
use crate::records::{AssistantVersion, StorageReply, StorageRequest};
use crate::tasks::{Answer, TaskId};
use crate::ui::ages::date_and_time;
use crate::ui::layout;
use crate::ui::prelude::*;
use crate::ui::widgets::table;
use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What the first version is compared with.
static NOTHING: LazyLock<Values> = LazyLock::new(Values::new);

/// A version in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// The newest is 0.
    number: usize,
    at: Timestamp,
    saved: bool,
    values: Values,
    /// The labels of the fields that it changed.
    changed: String,
}

impl Record for Version {
    type Id = usize;
    const NAME: &'static str = "version";
    const COLUMNS: &'static [Column<Self>] = &[
        Column::new("WHEN", Width::Content { min: 11, max: 16 }, 0, |row, view| {
            Cell::text(date_and_time(row.at, view.now.wall, view.zone))
        }),
        text_column!("FROM", Width::Content { min: 5, max: 15 }, 1, None, |row| {
            if row.saved { "saved from here" } else { "seen" }
        }),
        text_column!("CHANGED", Width::Fill(10), 0, Some(0), |row| row.changed.as_str()),
    ];

    fn id(&self) -> usize {
        self.number
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        vec![self.changed.as_str().into()]
    }
}

/// The history of an assistant.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    id: i64,
    name: String,
    /// What it is now.
    now: Values,
    pub list: Browser<Rows<Version>>,
    loading: Option<TaskId>,
    /// Why the versions could not be read.
    failed: Option<String>,
    /// Each version is compared with what is now, not with the one before.
    with_now: bool,
    /// The comparison has the focus.
    pub reading: bool,
    /// How far the comparison is scrolled, and what is searched for in it.
    pub reader: Reader,
    /// The comparison of the selected version; made when that changes, for it is slow to make.
    shown: Details,
}

/// Where the comparison is read.
fn compared(body: Rect) -> Rect {
    layout::inspector_text(areas(body, true)[1], body)
}

impl History {
    /// Takes a typed character or a paste of the search.
    pub fn text(&mut self, input: &Input, cx: &Context) {
        self.reader.text(input, &self.shown, &cx.options, compared(cx.body));
    }

    /// Takes the versions, the newest first.
    fn take(&mut self, versions: &[AssistantVersion]) {
        let read = |version: &AssistantVersion| serde_json::from_str(&version.record).unwrap_or_default();
        let all: Vec<Values> = versions.iter().map(read).collect();
        let rows = versions.iter().zip(&all).enumerate().map(|(number, (version, values))| {
            let changed = match all.get(number + 1) {
                Some(before) => edit::changed(before, values).map(|field| field.label).collect::<Vec<_>>().join(", "),
                None => "the first known".to_owned(),
            };
            Version { number, at: version.at, saved: version.saved, values: values.clone(), changed }
        });
        self.list.source = rows.collect::<Vec<_>>().into();
    }

    /// What the selected version is compared with: the values before and after, and how that is said.
    fn compared(&self) -> Option<(&Values, &Values, &'static str)> {
        let version = self.list.selected()?;
        Some(match self.list.source.get(version.number + 1) {
            _ if self.with_now => (&version.values, &self.now, "FROM THIS VERSION TO NOW"),
            Some(before) => (&before.values, &version.values, "CHANGED BY THIS VERSION"),
            None => (&NOTHING, &version.values, "THE FIRST VERSION KNOWN"),
        })
    }

    /// Another version is selected, or what it is compared with has changed.
    pub fn changed(&mut self, view: &View<'_>) {
        self.shown = self.details(view);
    }

    fn details(&self, view: &View<'_>) -> Details {
        let Some((old, new, title)) = self.compared() else { return Details::default() };
        let details = Details::new(LABEL).section(title);
        if edit::changed(old, new).next().is_none() {
            return details.text("No field differs.").styled(view.options.theme.dim);
        }
        edit::details(details, old, new, view)
    }

    fn state(&self) -> Option<State<'_>> {
        let failed = self.failed.as_ref().map(|why| State::Failed {
            what: "The versions could not be read:".into(),
            why: why.into(),
            next: "Esc goes back".into(),
        });
        let none =
            || State::Empty("No versions yet".into(), "Each one that is saved or seen from here is recorded.".into());
        failed.or_else(|| (self.loading.is_none() && self.list.source.is_empty()).then(none))
    }

    pub fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let [list, aside] = areas(view.body, self.reading);
        let title = format!("VERSIONS OF {}", self.name);
        let caret = (!list.is_empty())
            .then(|| self.list.draw_titled((&title, !self.reading), self.state(), view, list, buffer))
            .flatten();
        if !aside.is_empty() {
            let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
            let edge = Rect { width: u16::from(!list.is_empty()), ..aside };
            column(buffer, edge, glyphs.vertical, if self.reading { theme.accent } else { theme.dim });
            let text = layout::inspector_text(aside, view.body);
            return self.reader.draw(&self.shown, view, text, buffer).or(caret);
        }
        caret
    }
}

impl Assistants {
    pub(super) fn open_history(&mut self, cx: &mut Context) {
        let Some(row) = self.selected() else { return };
        let (id, name, now) = (row.id, row.name.clone(), values(&row.record));
        let loading = Some(cx.run(Origin::new(cx.pane.0), StorageRequest::ListVersions(id)));
        let list = Browser::default();
        let (with_now, reading, failed) = (false, false, None);
        let (reader, shown) = (Reader::default(), Details::default());
        let history = History { id, name, now, list, loading, failed, with_now, reading, reader, shown };
        self.front = Front::History(Box::new(history));
    }

    /// Loads the versions anew: one was recorded, and the record may have changed.
    pub(super) fn load_history(&mut self, cx: &mut Context) {
        let now = self.selected().map(|row| (row.id, values(&row.record)));
        let Front::History(history) = &mut self.front else { return };
        if let Some((_, now)) = now.filter(|(id, _)| *id == history.id) {
            history.now = now;
        }
        history.loading = Some(cx.run(Origin::new(cx.pane.0), StorageRequest::ListVersions(history.id)));
    }

    pub(super) fn act_in_history(&mut self, action: Action, cx: &mut Context) {
        let Front::History(history) = &mut self.front else { return };
        let [list, _] = areas(cx.body, false);
        if history.reading && history.reader.act(action, &history.shown, &cx.options, compared(cx.body)) {
            return;
        }
        match action {
            Action::Back if history.reading => history.reading = false,
            action if !history.reading && history.list.act(action, below_first(list)) => {}
            Action::Back => self.front = Front::List,
            Action::Open | Action::NextPart => history.reading = !history.reading,
            Action::Compare => history.with_now = !history.with_now,
            Action::Restore => self.restore(cx),
            _ => {}
        }
        if let Front::History(history) = &mut self.front {
            history.reader.rewind();
            history.changed(&cx.view());
        }
    }

    /// The list or what the server knows has changed: the comparison follows.
    pub(super) fn history_changed(&mut self, cx: &Context) {
        if let Front::History(history) = &mut self.front {
            history.changed(&cx.view());
        }
    }

    /// Opens the form with what the selected version had, as a new version.
    fn restore(&mut self, cx: &mut Context) {
        let Front::History(history) = &self.front else { return };
        let Some(version) = history.list.selected() else { return };
        let mut preset = history.now.clone();
        for field in FIELDS.iter().filter(|field| field.place != Place::Elsewhere) {
            preset.insert(field.name.to_owned(), value(&version.values, field.name).clone());
        }
        let (id, name, now) = (history.id, history.name.clone(), history.now.clone());
        self.edit((id, &name), now, preset, false, cx);
    }

    /// Takes the versions; any other report comes back.
    pub(super) fn history_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Front::History(history) = &mut self.front else { return Some(report) };
        if history.loading != Some(report.id) {
            return Some(report);
        }
        history.loading = None;
        match report.result {
            Ok(Answer::Stored(StorageReply::Versions(versions))) => history.take(&versions),
            Ok(_) => {}
            Err(failure) => history.failed = Some(format!("{}.", crate::ui::panes::explain(&failure))),
        }
        let view = cx.view();
        history.list.refresh(&view, below_first(areas(cx.body, false)[0]));
        history.changed(&view);
        None
    }

    /// Records the selected record as a version, once after each load of the list; and the one that was saved.
    pub(super) fn record_version(&mut self, cx: &mut Context) {
        let all = &cx.data.all_assistants;
        let freshness = all.freshness();
        if freshness.pending || freshness.failure.is_some() {
            return;
        }
        let loaded = freshness.loaded.map(|loaded| loaded.mono);
        if self.writes.seen.0 != loaded {
            self.writes.seen = (loaded, BTreeSet::new());
        }
        let saved = self.writes.saved.take();
        if let Some(id) = saved {
            self.list.state.select(id, table::height(below_first(areas(cx.body, false)[0])));
        }
        let Some(id) = saved.or_else(|| self.selected().map(|row| row.id)) else { return };
        let record = all.value().into_iter().flatten().find(|one| one.base.id.known() == Some(&id)).map(values);
        let Some(record) = record.filter(|_| self.writes.seen.1.insert(id) || saved.is_some()) else { return };
        let (saved, record) = (saved.is_some(), serde_json::Value::Object(record).to_string());
        cx.run(Origin::new(cx.pane.0), StorageRequest::SaveVersion { assistant_id: id, saved, record });
        self.load_history(cx);
    }
}
