//! How the server is doing: a fact of the whole app, told in the title.

use super::ages::Age;
use super::message::{Instant, Moment};
use super::pane::View;
use crate::client::{Failure, FailureKind};
use crate::tasks::Answer;
use ratatui::style::Style;
use std::time::Duration;

/// Data without a newer reply for this long is called old, or three poll intervals where those are longer.
const OLD: Duration = Duration::from_secs(15);

/// What the last replies say about the server, whoever asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Health {
    /// When the server last answered.
    answered: Option<Moment>,
    /// Why it does not serve requests now.
    failure: Option<Failure>,
}

impl Health {
    /// Takes the result of a request. A refusal of one request is an answer: the server is there.
    pub fn learn(&mut self, result: &Result<Answer, Failure>, now: Moment) {
        use FailureKind::{Cancelled, Internal, Local, Status};
        match result {
            // Nothing of these comes from the server.
            Ok(Answer::Stored(_) | Answer::Listening(_) | Answer::Forwarded(_))
            | Err(Failure { kind: Cancelled | Local(_) | Internal(_), .. }) => {}
            Err(Failure { kind: Status { status: ..=400 | 402..=428 | 430..=499, .. }, .. }) | Ok(_) => {
                (self.answered, self.failure) = (Some(now), None);
            }
            Err(failure) => self.failure = Some(failure.clone()),
        }
    }

    /// True where the server has refused the token.
    pub fn is_signed_out(&self) -> bool {
        self.failure.as_ref().is_some_and(|failure| failure.kind.is_unauthenticated())
    }
}

/// How fresh the data of a pane is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Freshness<'a> {
    /// When the shown data came.
    pub loaded: Option<Moment>,
    /// The poll interval in force; `None` for manual refresh only.
    pub interval: Option<Duration>,
    /// True where the user has stopped polling.
    pub paused: bool,
    /// True while a request for it is in flight.
    pub pending: bool,
    /// Why the last request for it failed.
    pub failure: Option<&'a Failure>,
    /// When it is requested next.
    pub next: Option<Instant>,
}

impl Freshness<'_> {
    fn is_old(&self, at: Moment, now: Moment) -> bool {
        let patience = self.interval.map(|every| every.saturating_mul(3).max(OLD));
        patience.is_some_and(|patience| now.mono - at.mono > patience)
    }

    /// True where all is as usual: the last request succeeded, nobody has paused, the data is not old.
    pub fn is_usual(&self, now: Moment) -> bool {
        self.failure.is_none() && !self.paused && self.loaded.is_none_or(|at| !self.is_old(at, now))
    }
}

/// The words of the title: live, paused, old, offline. The server's state comes before that of the pane's data.
pub fn words(health: &Health, freshness: Option<Freshness<'_>>, view: &View<'_>) -> (String, Style) {
    let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
    let fresh = freshness.unwrap_or_default();
    let dot = glyphs.dot;
    let failure = health.failure.as_ref().or(fresh.failure);
    if let Some(failure) = failure {
        let word = match &failure.kind {
            FailureKind::Status { status: 401, .. } => "token refused",
            FailureKind::Status { status: 429, .. } => "rate limited",
            kind if kind.is_offline() => "offline",
            _ => "failing",
        };
        let next = match fresh.next.map(|at| (at - view.now.mono).as_secs()) {
            _ if fresh.pending => "trying again".to_owned(),
            _ if failure.kind.is_unauthenticated() => "r reads it again".to_owned(),
            Some(seconds) => format!("retry in {seconds} s (r)"),
            None if fresh.paused => "paused".to_owned(),
            None => "r tries again".to_owned(),
        };
        return (format!("{} {word} {dot} {next}", glyphs.hollow), theme.failed);
    }
    let Some(at) = fresh.loaded.or(health.answered) else {
        return (format!("{} waiting for the first answer", glyphs.half), theme.dim);
    };
    let age = Age::between(at.wall, view.now.wall);
    if fresh.paused {
        (format!("{} paused {dot} {age}", glyphs.pause), theme.warning)
    } else if fresh.loaded.is_some() && fresh.is_old(at, view.now) {
        (format!("{} old {dot} {age}", glyphs.hollow), theme.warning)
    } else {
        (format!("{} live {dot} {age}", glyphs.full), theme.good)
    }
}

/// When those words change by themselves.
pub fn next_change(health: &Health, freshness: Option<Freshness<'_>>, now: Moment) -> Option<Instant> {
    let fresh = freshness.unwrap_or_default();
    if health.failure.is_some() || fresh.failure.is_some() {
        // The words count whole seconds.
        let left = (fresh.next? - now.mono).checked_sub(Duration::from_nanos(1))?;
        return fresh.next.map(|at| at - Duration::from_secs(left.as_secs()));
    }
    fresh.loaded.or(health.answered).map(|at| now.mono + Age::changes_in(at.wall, now.wall))
}
