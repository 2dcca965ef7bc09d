//! How the pane carries the view for many recipients.

use super::super::act::sight;
use super::super::{Front, Messaging, PendingRequest};
use super::terms::Terms;
use super::{Bulk, BulkFlow, Question, Stage, draw};
use crate::client::Failure;
use crate::messaging::Outcome;
use crate::records::Watched;
use crate::tasks::{Answer, Task};
use crate::ui::action::Motion;
use crate::ui::data::Item;
use crate::ui::input::Key;
use crate::ui::panes::Context;
use crate::ui::panes::messaging::compose::Sight;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;

/// So many recipients are watched: those of a batch beyond that are not.
const WATCHED_MAX: usize = 1000;

impl Bulk {
    /// The bottom line.
    pub(in super::super) fn hints(&self) -> &'static str {
        match &self.stage {
            Stage::File(_) if self.unfinished.is_some() => {
                "Enter reads it   Ctrl-R goes on with the last one   Esc leaves   letters are text"
            }
            Stage::File(_) => "Enter reads it   Esc leaves   letters are text",
            Stage::Columns(_) => "left and right change the column   up and down choose   Enter goes on   Esc back",
            Stage::Review(_) => "Enter goes on   m columns   j k scroll   Esc back",
            Stage::Asking(_, asking) if asking.is_early() => "Esc back   that was fast: wait a second, then y sends",
            Stage::Asking(..) => "Esc back   y sends",
            Stage::Holding(..) => "Esc or u takes it back",
            Stage::Going(going) if going.cancelling => {
                "x once more cancels: what is left is not sent   any other key does not"
            }
            Stage::Going(going) if going.is_over() => "Esc closes   j k scroll",
            Stage::Going(going) if going.is_paused() => "space goes on   x cancels   Esc leaves it   j k scroll",
            Stage::Going(_) => "space pauses   x cancels   Esc leaves it running   j k scroll",
        }
    }

    /// Draws the view and tells where its cursor is.
    pub(in super::super) fn draw(&self, sight: &Sight<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, sight, buffer)
    }
}

impl Messaging {
    /// True while rows of a batch are left or on their way.
    pub fn has_batch_under_way(&self) -> bool {
        self.bulk.as_ref().and_then(|bulk| bulk.going()).is_some_and(|going| !going.is_over())
    }

    /// How far the batch is, while there is one: "batch 37 of 200".
    pub fn batch_line(&self) -> Option<String> {
        let going = self.bulk.as_ref()?.going().filter(|going| !going.is_over())?;
        let shown = going.shown();
        let paused = if going.is_paused() { ", paused" } else { "" };
        Some(format!("batch {} of {}{paused}", shown.accepted + shown.refused + shown.unknown, shown.total))
    }

    /// Opens the view, or comes back to the batch that there is.
    pub(in super::super) fn open_bulk(&mut self, cx: &mut Context<'_>) {
        if self.bulk.as_ref().is_none_or(|bulk| bulk.going().is_none()) {
            let template = self.selected_template().and_then(|template| template.id.known()).copied();
            let terms = match (self.sender().map(|sender| sender.id), template) {
                (None, _) => Err("there is no sender yet".to_owned()),
                (_, None) => Err("choose a template first".to_owned()),
                (Some(sender), Some(template)) => Terms::new(&self.known, cx.options, sender, template),
            };
            match terms {
                Ok(terms) => self.bulk = Some(Box::new(Bulk::new(terms, self.bulk.as_deref()))),
                Err(why) => return cx.notices.toast(format!("Not now: {why}"), cx.now),
            }
        }
        self.front = Front::Bulk;
        // What it wants to know at first.
        self.with_bulk(cx, |_, _| ());
    }

    /// Lets the view do something, asks what it wants to know, and tells what has come of it.
    fn with_bulk<T: Default>(&mut self, cx: &mut Context<'_>, act: impl FnOnce(&mut Bulk, &Sight<'_>) -> T) -> T {
        let Some(mut bulk) = self.bulk.take() else { return T::default() };
        let was_over = bulk.going().is_none_or(super::Going::is_over);
        let had_trouble = bulk.going().is_some_and(|going| going.trouble().is_some());
        let result = act(&mut bulk, &sight(&self.known, &self.clock, self.body, cx));
        let wants: Vec<(Question, Task)> = bulk.take_wants();
        if let Some(going) = bulk.going() {
            let shown = going.shown();
            if let Some(why) = going.trouble().filter(|_| !had_trouble) {
                cx.notices.problem(format!("The batch has paused by itself: {why}. b shows it."), cx.now);
            }
            if going.is_over() && !was_over {
                let (accepted, refused, unknown) = (shown.accepted, shown.refused, shown.unknown);
                let told = format!("{accepted} accepted, {refused} refused");
                if unknown == 0 {
                    cx.notices.toast(format!("The batch is over: {told}, 0 unknown"), cx.now);
                } else {
                    let said = format!("The batch is over: {unknown} unknown (o shows them), {told}");
                    cx.notices.urgent(said, cx.now);
                }
                cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
            }
        }
        self.bulk = Some(bulk);
        for (question, task) in wants {
            self.request(PendingRequest::Bulk(question), task, cx);
        }
        result
    }

    pub(in super::super) fn bulk_key(&mut self, key: Key, cx: &mut Context<'_>) {
        match self.with_bulk(cx, |bulk, sight| Some(bulk.key(key, sight))) {
            Some(BulkFlow::Close) => {
                (self.bulk, self.front) = (None, Front::Parts);
            }
            Some(BulkFlow::Leave) | None => self.front = Front::Parts,
            Some(BulkFlow::Stay) => {}
        }
    }

    pub(in super::super) fn bulk_paste(&mut self, text: &str, cx: &mut Context<'_>) {
        self.with_bulk(cx, |bulk, sight| bulk.paste(text, sight.now.mono));
    }

    pub(in super::super) fn bulk_step(&mut self, motion: Motion, cx: &mut Context<'_>) {
        self.with_bulk(cx, |bulk, sight| bulk.step(motion, sight));
    }

    pub(in super::super) fn bulk_tick(&mut self, cx: &mut Context<'_>) {
        self.with_bulk(cx, Bulk::tick);
    }

    pub(in super::super) fn bulk_answered(
        &mut self,
        question: Question,
        result: Result<Answer, Failure>,
        cx: &mut Context<'_>,
    ) {
        let accepted = match &result {
            Ok(Answer::Sent(entry)) if matches!(entry.outcome, Some(Outcome::Accepted(_))) => Some(Watched {
                sender_id: entry.intent.sender_id,
                phone: entry.intent.phone.clone(),
                name: entry.intent.name.clone(),
            }),
            _ => None,
        };
        if let Ok(Answer::Sent(entry)) = &result
            && matches!(entry.outcome, Some(Outcome::Unknown { .. }))
        {
            // Whoever writes to the same recipient next is warned. A row of a batch has no draft.
            let _ = self.outbox.settled((**entry).clone(), &mut self.known);
        }
        self.with_bulk(cx, |bulk, sight| bulk.answered(question, result, sight));
        if let Some(watched) = accepted {
            let key = (watched.sender_id, watched.phone.clone());
            if self.known.watch(key.0, &key.1).is_some() {
                self.hurry(&key, cx);
            } else if self.known.windows.len() < WATCHED_MAX {
                self.watch(&[watched], cx);
            }
        }
    }
}
