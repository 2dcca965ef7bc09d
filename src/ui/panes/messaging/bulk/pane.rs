//! How the Messaging pane carries the view for many recipients.

use super::super::{Front, Messaging, MessagingData, PendingRequest};
use super::{BatchContext, BatchEvent, BatchRequest, BatchSetup, Bulk, Stage, draw};
use crate::client::Failure;
use crate::messaging::Outcome;
use crate::records::{Intent, Watched};
use crate::tasks::Answer;
use crate::ui::action::Action;
use crate::ui::data::Item;
use crate::ui::overlay::{Overlay, OverlayEvent};
use crate::ui::pane::View;
use crate::ui::panes::Context;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;

/// The name of the confirm dialog.
const CONFIRM: &str = "batch";
/// At most so many recipients are watched; recipients of a batch beyond that are not.
const WATCHED_MAX: usize = 1000;

impl Bulk {
    /// Draws the view and tells where the cursor is.
    pub(in super::super) fn draw(
        &self,
        known: &MessagingData,
        view: &View<'_>,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        draw::draw(self, &BatchContext { known, view: *view }, buffer)
    }
}

impl Messaging {
    /// What quitting would interrupt.
    pub(in super::super) fn batch_interrupted(&self) -> Option<&'static str> {
        match &self.bulk.as_ref()?.stage {
            Stage::Held(..) => Some("A batch is about to start: q again quits, and nothing is sent"),
            Stage::Running(running) if !running.batch.is_over() => {
                Some("A batch is being sent: q again quits; it can be resumed")
            }
            _ => None,
        }
    }

    /// `batch 37 of 200`, for the tab line.
    pub(in super::super) fn batch_line(&self) -> Option<String> {
        let running = match &self.bulk.as_ref()?.stage {
            Stage::Held(..) => return Some("batch about to start".to_owned()),
            Stage::Running(running) if !running.batch.is_over() => running,
            _ => return None,
        };
        let shown = running.shown;
        let paused = if running.batch.is_paused() { ", paused" } else { "" };
        Some(format!("batch {} of {}{paused}", shown.accepted + shown.refused + shown.unknown, shown.total))
    }

    /// Opens the view, or comes back to the batch that there is.
    pub(in super::super) fn open_bulk(&mut self, cx: &mut Context<'_>) {
        if self.bulk.as_ref().is_none_or(|bulk| !matches!(bulk.stage, Stage::Held(..) | Stage::Running(_))) {
            let template = self.selected_template().and_then(|template| template.id.known()).copied();
            let setup = match (self.sender().map(|sender| sender.id), template) {
                (None, _) => Err("there is no sender yet".to_owned()),
                (_, None) => Err("choose a template first".to_owned()),
                (Some(sender), Some(template)) => BatchSetup::new(&self.known, &cx.options, sender, template),
            };
            match setup {
                Ok(setup) => self.bulk = Some(Box::new(Bulk::new(setup, self.bulk.as_deref()))),
                Err(why) => return cx.toast(format!("Not now: {why}")),
            }
        }
        self.front = Front::Bulk;
        // Its first requests.
        self.with_bulk(cx, |_, _| ());
    }

    /// Lets the view do something, sends its requests, and tells what has happened to the batch.
    pub(in super::super) fn with_bulk<T: Default>(
        &mut self,
        cx: &mut Context<'_>,
        act: impl FnOnce(&mut Bulk, &BatchContext<'_>) -> T,
    ) -> T {
        let Some(mut bulk) = self.bulk.take() else { return T::default() };
        let was_over = bulk.running().is_none_or(|running| running.batch.is_over());
        let had_trouble = bulk.running().is_some_and(|running| running.batch.trouble().is_some());
        let result = act(&mut bulk, &BatchContext { known: &self.known, view: cx.view() });
        let requests = std::mem::take(&mut bulk.requests);
        if let Some(running) = bulk.running() {
            if let Some(why) = running.batch.trouble().filter(|_| !had_trouble) {
                cx.problem(format!("The batch has paused by itself: {why}. b shows it."));
            }
            if running.batch.is_over() && !was_over {
                let shown = running.shown;
                let others = format!("{} accepted, {} refused", shown.accepted, shown.refused);
                if shown.unknown == 0 {
                    cx.toast(format!("The batch is over: {others}, 0 unknown"));
                } else {
                    let text = format!("The batch is over: {} unknown (o shows them), {others}", shown.unknown);
                    cx.notices.urgent(text, cx.now);
                }
                cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
            }
        }
        self.bulk = Some(bulk);
        for (request, task) in requests {
            self.request(PendingRequest::Bulk(request), task, cx);
        }
        result
    }

    pub(in super::super) fn bulk_act(&mut self, action: Action, cx: &mut Context<'_>) {
        if action == Action::Outbox {
            return self.act_in_parts(action, cx);
        }
        match self.with_bulk(cx, |bulk, context| bulk.act(action, context)) {
            BatchEvent::Stay => {}
            BatchEvent::Leave => {
                self.bulk.take_if(|bulk| bulk.running().is_some_and(|running| running.batch.is_over()));
                self.front = Front::Parts;
            }
            BatchEvent::Confirm(confirm) => cx.open(CONFIRM, Overlay::Confirm(confirm)),
        }
    }

    pub(in super::super) fn bulk_overlay(&mut self, event: OverlayEvent, cx: &mut Context<'_>) {
        if event == OverlayEvent::Confirmed(CONFIRM) {
            self.with_bulk(cx, Bulk::confirmed);
        }
    }

    pub(in super::super) fn bulk_reply(
        &mut self,
        request: BatchRequest,
        result: Result<Answer, Failure>,
        cx: &mut Context<'_>,
    ) {
        let sent = if let Ok(Answer::Sent(entry)) = &result { Some(entry.clone()) } else { None };
        self.with_bulk(cx, |bulk, context| bulk.reply(request, result, context));
        let Some(entry) = sent else { return };
        match &entry.outcome {
            // Whoever writes to the same recipient next is warned. A row of a batch has no draft.
            Some(Outcome::Unknown { .. }) => drop(self.outbox.settled(*entry, &mut self.known)),
            Some(Outcome::Accepted(_)) => {
                let Intent { sender_id, phone, name, .. } = entry.intent;
                if self.known.watch(sender_id, &phone).is_some() {
                    self.hurry(&(sender_id, phone), cx);
                } else if self.known.windows.len() < WATCHED_MAX {
                    self.watch(&[Watched { sender_id, phone, name }], cx);
                }
            }
            _ => {}
        }
    }
}
