//! The end of the conversation with a recipient, above the message that is written to them.

use super::super::{Front, Messaging, PendingRequest, RowId};
use super::{LABEL, Snapshot};
use crate::api::{ConversationFilter, ConversationQuery, ConversationType, HistoryMessage, rules};
use crate::tasks::Answer;
use crate::ui::panes::messaging::words;
use crate::ui::prelude::*;
use ratatui::text::Line;

/// Messages that are kept: more are never in view.
const MESSAGES: usize = 40;

/// What is known of the conversation.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum History {
    /// Nothing was requested.
    #[default]
    New,
    /// It is looked for, or read.
    InFlight,
    /// Its end, the oldest message first; empty where there is none, or the server does not show it.
    Loaded(Vec<HistoryMessage>),
}

impl History {
    /// The newest messages, the newest at the bottom, in at most so many rows; none where there is nothing to show.
    pub(super) fn rows(&self, context: &Snapshot<'_>, columns: usize, most: u16) -> Vec<Line<'static>> {
        let Self::Loaded(messages) = self else { return Vec::new() };
        let theme = &context.view.options.theme;
        let shown =
            messages.iter().filter(|message| message.content.known().is_some_and(|text| !text.trim().is_empty()));
        let details = shown.fold(Details::new(LABEL + 2), |details, message| {
            let text = message.content.known().map_or("", |text| text.trim());
            details.wrapped(words::speaker(message), text).styled(theme.dim)
        });
        let mut rows = details.rows(context.view.options, columns);
        rows.drain(..rows.len().saturating_sub(most.into()));
        rows
    }
}

impl Messaging {
    /// Looks for the conversation that a freeform message continues: among the newest ones, and once.
    pub(super) fn want_history(&mut self, cx: &mut Context) {
        let Front::Composer(composer, _) = &mut self.front else { return };
        let pair = composer.message.preset.sender_id.zip(composer.message.preset.phone.clone());
        let Some(pair) = pair.filter(|_| composer.message.freeform && composer.history == History::New) else { return };
        composer.history = History::InFlight;
        let filter = ConversationFilter { kind: Some(ConversationType::Msgapp), ..ConversationFilter::default() };
        let query = ConversationQuery { filter, per_page: rules::PER_PAGE_MAX, ..ConversationQuery::default() };
        self.request(PendingRequest::History(pair), Request::ListConversations { query }, cx);
    }

    /// Takes the list of conversations, or the conversation. A failure says nothing: the message can be written without.
    pub(in super::super) fn history_came(&mut self, pair: RowId, answer: Option<Answer>, cx: &mut Context) {
        let reply = if let Some(Answer::Reply(reply)) = answer { Some(*reply) } else { None };
        let messages = match reply {
            Some(Reply::ListConversations(page)) => {
                let of_pair = |row: &&crate::api::Conversation| self.is_with(row, &pair);
                if let Some(id) = page.rows().iter().find(of_pair).and_then(|row| row.id.known()) {
                    let request = Request::GetConversation { uuid: id.as_str().into() };
                    self.request(PendingRequest::History(pair), request, cx);
                    return;
                }
                Vec::new()
            }
            Some(Reply::GetConversation(mut conversation)) => {
                conversation.history.drain(..conversation.history.len().saturating_sub(MESSAGES));
                conversation.history
            }
            _ => Vec::new(),
        };
        if let Front::Composer(composer, _) = &mut self.front
            && composer.message.preset.sender_id == Some(pair.0)
            && composer.message.preset.phone.as_ref() == Some(&pair.1)
        {
            composer.history = History::Loaded(messages);
            self.with_composer(cx, |_, _| crate::ui::widgets::form::FormEvent::Ignored);
        }
    }
}
