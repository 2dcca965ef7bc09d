//! The rows of the list: an assistant with its texts for people.

use super::edit::fields::{self, Catalogue};
use super::webhooks::Switch;
use crate::api::{Assistant, AssistantStatus, Field, IsoTimestamp, OutboundAssistant};
use crate::records::{AssistantData, Webhook};
use crate::ui::ages::time_of_day;
use crate::ui::prelude::*;
use crate::ui::text::clean;
use crate::ui::zones::zone;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::borrow::Cow;

/// An assistant in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// `assistant_id` on the wire.
    pub id: i64,
    /// Cleaned.
    pub name: String,
    /// The language by name, or its number.
    pub language: String,
    /// The voice by name, or its number.
    pub voice: String,
    /// Its webhooks, in the order of [`Webhook::ALL`].
    pub switches: [Switch; 3],
    /// The time zone, where its name is one.
    pub zone: Option<TimeZone>,
    /// The record; where the server has the outbound list only, with what that tells.
    pub record: Assistant,
}

impl Row {
    /// A row of the full list. A record without a number cannot be listed.
    pub fn new(record: &Assistant, stored: &AssistantData, data: &Data) -> Option<Self> {
        let base = &record.base;
        let name = |of, id: &Field<i64>| id.known().map(|id| fields::name(of, *id, data)).unwrap_or_default();
        let id = *base.id.known()?;
        Some(Self {
            id,
            switches: Webhook::ALL.map(|webhook| Switch::new(id, record, webhook, stored)),
            name: text(&base.name),
            language: name(Catalogue::Language, &base.language_id),
            voice: name(Catalogue::Voice, &base.voice_id),
            zone: base.timezone.known().and_then(|name| zone(name)),
            record: record.clone(),
        })
    }

    /// A row of the outbound list.
    pub fn outbound(base: &OutboundAssistant, stored: &AssistantData, data: &Data) -> Option<Self> {
        Self::new(&Assistant { base: base.clone(), ..Assistant::default() }, stored, data)
    }

    pub fn kind(&self) -> &str {
        self.record.base.kind.known().map_or("", |kind| kind.as_str())
    }

    pub fn mode(&self) -> &str {
        self.record.base.mode.known().map_or("", |mode| mode.as_str())
    }

    pub fn status(&self) -> &str {
        self.record.base.status.known().map_or("", |status| status.as_str())
    }

    pub fn is_active(&self) -> bool {
        self.record.base.status.known() == Some(&AssistantStatus::Active)
    }

    pub fn updated(&self) -> Option<Timestamp> {
        self.record.base.updated_at.known().map(|IsoTimestamp(time)| *time)
    }

    /// How many webhooks are on.
    fn on(&self) -> usize {
        self.switches.iter().filter(|switch| matches!(switch, Switch::On { .. })).count()
    }

    /// A glyph for each webhook.
    fn switch_glyphs(&self, view: &View<'_>) -> String {
        self.switches.each_ref().map(|switch| switch.glyph(view)).join(" ")
    }

    /// The time of day where it works.
    pub fn local_time(&self, now: Timestamp) -> String {
        self.zone.as_ref().map(|zone| time_of_day(now, zone)).unwrap_or_default()
    }
}

/// A text for the screen; empty where it did not come.
pub fn text(field: &Field<String>) -> String {
    field.known().map(|text| clean(text).into_owned()).unwrap_or_default()
}

/// Never cut: the column goes instead.
const WORD: Width = Width::Content { min: 10, max: 12 };
const NAME: Width = Width::Content { min: 12, max: 18 };

impl Record for Row {
    type Id = i64;
    const NAME: &'static str = "assistant";
    const COLUMNS: &'static [Column<Self>] = &[
        text_column!("NAME", Width::Fill(14), 0, Some(0), |row| row.name.as_str()),
        text_column!("TYPE", WORD, 3, Some(1), |row| row.kind()),
        text_column!("MODE", WORD, 6, Some(2), |row| row.mode()),
        Column {
            title: "STATUS",
            width: Width::Content { min: 8, max: 8 },
            right: false,
            drop: 1,
            field: Some(3),
            sort: Sorting::Up(|one, other| one.status().cmp(other.status())),
            cell: |row, view| {
                let theme = &view.options.theme;
                Cell::text(row.status()).style(if row.is_active() { theme.good } else { theme.dim })
            },
        },
        Column {
            title: "WEBHOOKS",
            width: Width::Content { min: 8, max: 8 },
            right: false,
            drop: 2,
            field: None,
            sort: Sorting::Down(|one, other| one.on().cmp(&other.on())),
            cell: |row, view| Cell::text(row.switch_glyphs(view)),
        },
        text_column!("LANGUAGE", NAME, 5, Some(4), |row| row.language.as_str()),
        text_column!("VOICE", NAME, 7, Some(5), |row| row.voice.as_str()),
        Column {
            title: "LOCAL",
            width: Width::Content { min: 0, max: 8 },
            right: true,
            drop: 9,
            field: None,
            sort: Sorting::None,
            cell: |row, view| Cell::text(row.local_time(view.now.wall)),
        },
        age_column!("UPDATED", 4, |row| row.updated(), |_view| Cell::text("–")),
        number_column!("ID", 8, |row| row.id),
    ];

    fn id(&self) -> i64 {
        self.id
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        let texts = [&*self.name, self.kind(), self.mode(), self.status(), &self.language, &self.voice];
        let timezone = self.record.base.timezone.known().map_or("", String::as_str);
        texts.into_iter().chain([timezone]).map(Into::into).collect()
    }
}
