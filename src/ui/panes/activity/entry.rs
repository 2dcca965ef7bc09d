//! A request of the log: its row in the table, its details, and a way to repeat it by hand.

use super::{SCOPES, SPIN};
use crate::client::{Attempt, Operation};
use crate::tasks::TaskId;
use crate::ui::ages::{to_the_second, took};
use crate::ui::prelude::*;
use crate::ui::widgets::json;
use crate::ui::widgets::list::Follow;
use jiff::Timestamp;
use std::borrow::Cow;

/// Cells of the names of headers.
const LABEL: usize = 24;

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is in flight.
    Running,
    /// It succeeded.
    Done,
    /// Nobody wanted its reply any more.
    Cancelled,
    /// It failed; why, for people.
    Failed(String),
}

/// One request, with all its tries.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its effect.
    pub id: TaskId,
    /// The request.
    pub operation: Operation,
    /// True for a read that no person asked for.
    pub automatic: bool,
    /// When it was sent.
    pub sent: Timestamp,
    /// True for a message or a call that can no longer be taken back.
    pub has_left: bool,
    /// Its tries.
    pub attempts: Vec<Attempt>,
    /// What became of it.
    pub outcome: Outcome,
    /// False where it is left out of the list.
    pub listed: bool,
}

impl Entry {
    /// How long its tries took, with the waits between them; `None` before the first has ended.
    pub fn took(&self) -> Option<Duration> {
        let spans = self.attempts.iter().map(|attempt| attempt.took + attempt.retry_in.unwrap_or_default());
        (!self.attempts.is_empty()).then(|| spans.sum())
    }

    /// True where it failed.
    pub fn is_failure(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }

    fn status(&self) -> Option<u16> {
        self.attempts.last().and_then(|attempt| attempt.status)
    }

    /// The outcome in a word: the status code, where there is one.
    fn word(&self) -> Cow<'static, str> {
        let code = |word: &'static str| self.status().map_or(word.into(), |status| status.to_string().into());
        match self.outcome {
            Outcome::Running if self.attempts.is_empty() => "running".into(),
            Outcome::Running => "retrying".into(),
            Outcome::Done => code("done"),
            Outcome::Cancelled => "cancelled".into(),
            Outcome::Failed(_) => code("failed"),
        }
    }

    fn status_cell(&self, view: &View<'_>) -> Cell<'_> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let (glyph, style) = match self.outcome {
            Outcome::Running => {
                let turn = view.now.mono.since_start().as_millis() / SPIN.as_millis();
                let step = usize::try_from(turn % glyphs.spinner.len() as u128).unwrap_or(0);
                (glyphs.spinner[step], theme.warning)
            }
            Outcome::Done => (glyphs.full, theme.good),
            Outcome::Cancelled => (glyphs.hollow, theme.dim),
            Outcome::Failed(_) => (glyphs.cross, theme.failed),
        };
        Cell::text(format!("{glyph} {}", self.word())).style(style)
    }

    /// Everything about the request: what can be done with it first, the answer last.
    pub fn details(&self, base_url: &str, view: &View<'_>, columns: usize) -> Details {
        let theme = &view.options.theme;
        let details =
            Details::new(LABEL).text(format!("{} {}", self.operation.method, self.operation.path)).styled(theme.strong);
        let (outcome, style) = match &self.outcome {
            Outcome::Running if self.has_left => ("In flight. It has left; its outcome comes.".to_owned(), theme.dim),
            Outcome::Running => {
                let cancels = view.key(SCOPES, Action::CancelRequest, " cancels it.");
                (format!("In flight. {cancels}"), theme.dim)
            }
            Outcome::Done => ("Succeeded.".to_owned(), theme.good),
            Outcome::Cancelled => ("Cancelled.".to_owned(), theme.dim),
            Outcome::Failed(why) => (format!("Failed: {why}."), theme.failed),
        };
        let mut details = details.text(outcome).styled(style).text(curl(base_url, &self.operation)).styled(theme.dim);
        for attempt in &self.attempts {
            let retry = attempt.retry_in.map(|wait| format!("; retried after {}", took(wait))).unwrap_or_default();
            details =
                details.text(format!("Try {}, {}: {}{retry}", attempt.number, took(attempt.took), result(attempt)));
        }
        let automatic = if self.automatic { ", automatically" } else { "" };
        details = details.text(format!("Sent {}{automatic}", to_the_second(self.sent, view.zone))).styled(theme.dim);
        match self.attempts.last().and_then(|attempt| attempt.received.as_deref()) {
            Some(received) => {
                let length = count(received.length as u64, "byte", "bytes");
                let cut = if received.is_cut() { ", cut" } else { "" };
                details = details.section(format!("{}  {length}{cut}", received.status_line));
                details = received.headers.iter().fold(details, |details, (name, value)| details.wrapped(name, value));
                let details = details.text("");
                // Anything else is text, such as the page of a proxy.
                if received.body.trim_start().starts_with(['{', '[']) {
                    details.lines(json::lines(&received.body, theme, columns))
                } else {
                    details.text(&received.body)
                }
            }
            None => details,
        }
    }
}

/// What came of a try. A fault that names the status, or that none came, says it once.
fn result(attempt: &Attempt) -> String {
    match (attempt.status, &attempt.fault) {
        (Some(status), Some(fault)) if !fault.starts_with(&status.to_string()) => format!("status {status}, {fault}"),
        (_, Some(fault)) => fault.clone(),
        (Some(status), None) => format!("status {status}"),
        (None, None) => "no answer".to_owned(),
    }
}

/// The request as a command for a shell; the token is named, never shown, and secrets in the body are masked.
pub fn curl(base_url: &str, operation: &Operation) -> String {
    let quote = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let method = if operation.method == "GET" { String::new() } else { format!(" -X {}", operation.method) };
    let body =
        operation.body.as_ref().map(|body| format!(" -H 'Content-Type: application/json' --data {}", quote(body)));
    let url = quote(&format!("{base_url}{}", operation.path));
    let token = "-H \"Authorization: Bearer $SWITCHBOARD_TOKEN\"";
    format!("curl -sS{method} {token}{} {url}", body.unwrap_or_default())
}

impl Record for Entry {
    type Id = TaskId;
    const NAME: &'static str = "request";
    const FOLLOW: Follow = Follow::Top;
    const COLUMNS: &'static [Column<Self>] = &[
        Column::new("TIME", Width::Fixed(8), 3, |entry, view| {
            Cell::text(to_the_second(entry.sent, view.zone)).style(view.options.theme.dim)
        }),
        Column {
            field: Some(1),
            ..Column::new("METHOD", Width::Fixed(6), 2, |entry, _| Cell::text(entry.operation.method))
        },
        Column {
            field: Some(0),
            ..Column::new("PATH", Width::Fill(14), 0, |entry, view| {
                let style = if entry.automatic { view.options.theme.dim } else { Style::new() };
                Cell::text(clean(&entry.operation.path)).style(style)
            })
        },
        Column::new("STATUS", Width::Fixed(11), 0, Entry::status_cell),
        Column {
            right: true,
            ..Column::new("TOOK", Width::Content { min: 7, max: 9 }, 4, |entry, _| {
                Cell::whole(entry.took().map(took).unwrap_or_default())
            })
        },
        Column {
            right: true,
            ..Column::new("TRIES", Width::Fixed(5), 5, |entry, view| {
                Cell::text(entry.attempts.len().max(1).to_string()).style(view.options.theme.dim)
            })
        },
    ];

    fn id(&self) -> TaskId {
        self.id
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        vec![clean(&self.operation.path), self.operation.method.into(), self.word()]
    }

    fn is_listed(&self) -> bool {
        self.listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curl_command_names_the_token_and_quotes_the_rest() {
        let get = Operation { method: "GET", path: "/user/conversations?type=msgapp&page=2".to_owned(), body: None };
        assert_eq!(
            curl("http://127.0.0.1:8787/api", &get),
            "curl -sS -H \"Authorization: Bearer $SWITCHBOARD_TOKEN\" \
             'http://127.0.0.1:8787/api/user/conversations?type=msgapp&page=2'"
        );
        let post = Operation {
            method: "POST",
            path: "/user/api-keys".to_owned(),
            body: Some("{\"name\":\"Ada's\"}".to_owned()),
        };
        let line = curl("http://h/api", &post);
        assert!(line.contains(r#"--data '{"name":"Ada'\''s"}'"#), "{line}");
    }
}
