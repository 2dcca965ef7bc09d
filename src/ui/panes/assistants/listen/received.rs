//! A received webhook: its row in the list and its details.

use crate::api::WebhookEvent;
use crate::receiver::{Arrival, Delivery, Signature, Subject};
use crate::ui::ages::to_the_second;
use crate::ui::prelude::*;
use crate::ui::text::clean;
use crate::ui::widgets::json;
use jiff::Timestamp;
use ratatui::style::Style;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Bytes of a body that are shown; all of it can be copied.
const SHOWN_MAX: usize = 64 * 1024;

/// A webhook, or another request, that was received.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// Counted from 1.
    pub number: u64,
    /// The request.
    pub arrival: Arrival,
    /// The result of forwarding it again.
    pub again: Option<Result<u16, String>>,
}

impl Received {
    /// The delivery; `None` for a request that was turned away.
    pub fn delivery(&self) -> Option<&Delivery> {
        if let Arrival::Delivery(delivery) = &self.arrival { Some(delivery) } else { None }
    }

    fn at(&self) -> Timestamp {
        match &self.arrival {
            Arrival::Delivery(delivery) => delivery.received_at,
            Arrival::Rejected(rejected) => rejected.received_at,
        }
    }

    fn event(&self) -> Cow<'_, str> {
        match &self.arrival {
            Arrival::Delivery(delivery) => clean(delivery.event.as_ref().map_or("unknown", WebhookEvent::as_str)),
            Arrival::Rejected(_) => "rejected".into(),
        }
    }

    /// What it is about, as a label and the id of that.
    fn about(&self) -> (&'static str, String) {
        match &self.arrival {
            Arrival::Delivery(delivery) => match delivery.subject {
                Some(Subject::Conversation(id)) => ("Conversation", id.to_string()),
                Some(Subject::Call(id)) => ("Call", id.to_string()),
                None => ("Path", clean(&delivery.path).into_owned()),
            },
            Arrival::Rejected(rejected) => ("Request", clean(&format!("{} {}", rejected.method, rejected.path)).into()),
        }
    }

    fn signature(&self) -> &'static str {
        match self.delivery().map(|delivery| delivery.signature) {
            Some(Signature::Valid) => "valid",
            Some(Signature::Invalid(_)) => "invalid",
            Some(Signature::Missing) => "none sent",
            Some(Signature::NoSecret) => "no secret",
            None => "–",
        }
    }

    fn signature_style(&self, view: &View<'_>) -> Style {
        let theme = &view.options.theme;
        match self.delivery().map(|delivery| delivery.signature) {
            Some(Signature::Valid) => theme.good,
            Some(Signature::Invalid(_)) => theme.failed,
            Some(Signature::Missing | Signature::NoSecret) => theme.warning,
            None => theme.dim,
        }
    }

    fn status_style(&self, view: &View<'_>) -> Style {
        let is_good = (200..300).contains(&self.arrival.status());
        if is_good { Style::new() } else { view.options.theme.failed }
    }

    /// All of it, with the body as coloured JSON.
    pub fn details(&self, view: &View<'_>, columns: usize) -> Details {
        let answered = |answered: &Result<u16, String>| match answered {
            Ok(status) => status.to_string(),
            Err(why) => why.clone(),
        };
        let (about, id) = self.about();
        let details = Details::new(14)
            .section(self.event())
            .wrapped(about, id)
            .field("Received", to_the_second(self.at(), view.zone))
            .field("Answered", self.arrival.status().to_string())
            .styled(self.status_style(view));
        let Some(delivery) = self.delivery() else {
            return details.text("").text("Only a POST of at most 1 MiB is received.");
        };
        let mut details =
            details.wrapped("Signature", delivery.signature.to_string()).styled(self.signature_style(view));
        let forwards = [("Forwarded", &delivery.forward), ("Forwarded again", &self.again)];
        for (label, result) in forwards.into_iter().filter_map(|(label, result)| Some((label, result.as_ref()?))) {
            details = details.wrapped(label, answered(result));
        }
        details = details.section("Body");
        let end = (0..=SHOWN_MAX.min(delivery.body.len())).rev().find(|end| delivery.body.is_char_boundary(*end));
        let (body, rest) = delivery.body.split_at(end.unwrap_or(0));
        let is_json = serde_json::from_str::<&RawValue>(&delivery.body).is_ok();
        details =
            if is_json { details.lines(json::lines(body, &view.options.theme, columns)) } else { details.text(body) };
        if !rest.is_empty() {
            details = details.text(format!("{} more bytes; Y copies all.", rest.len())).styled(view.options.theme.dim);
        }
        details = details.section("Headers");
        delivery.headers.iter().fold(details, |details, (name, value)| details.wrapped(name, value))
    }
}

impl Record for Received {
    type Id = u64;
    const NAME: &'static str = "delivery";
    const COLUMNS: &'static [Column<Self>] = &[
        Column {
            title: "TIME",
            width: Width::Content { min: 8, max: 8 },
            right: false,
            drop: 0,
            field: None,
            sort: Sorting::Down(|one, other| one.at().cmp(&other.at())),
            cell: |row, view| Cell::text(to_the_second(row.at(), view.zone)),
        },
        text_column!("EVENT", Width::Content { min: 18, max: 20 }, 0, Some(0), |row| row.event()),
        text_column!("ABOUT", Width::Fill(10), 2, Some(1), |row| row.about().1),
        Column {
            title: "STATUS",
            width: Width::Content { min: 6, max: 6 },
            right: true,
            drop: 1,
            field: None,
            sort: Sorting::Down(|one, other| one.arrival.status().cmp(&other.arrival.status())),
            cell: |row, view| Cell::text(row.arrival.status().to_string()).style(row.status_style(view)),
        },
        Column {
            title: "SIGNATURE",
            width: Width::Content { min: 9, max: 9 },
            right: false,
            drop: 0,
            field: Some(2),
            sort: Sorting::Up(|one, other| one.signature().cmp(other.signature())),
            cell: |row, view| Cell::text(row.signature()).style(row.signature_style(view)),
        },
    ];

    fn id(&self) -> u64 {
        self.number
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        vec![self.event(), self.about().1.into(), self.signature().into()]
    }
}
