//! Calling somebody with an assistant: the form, the questions before a call, and its outcome.

use super::progress::Followed;
use super::row::Row;
use super::{Assistants, Front, ID};
use crate::api::rules::Fault;
use crate::api::{AssistantType, MakeCall};
use crate::client::Failure;
use crate::messaging::{Outcome, Outgoing, Refusal, call_advice};
use crate::records::{Again, Content, Entry, Intent};
use crate::tasks::{Answer, Sending, TaskId, Work};
use crate::ui::ages::date_and_time;
use crate::ui::format::deducted;
use crate::ui::held::{HeldSend, earlier_send, forgotten, intent_id};
use crate::ui::phone;
use crate::ui::prelude::*;
use crate::ui::text::json_text;
use crate::ui::widgets::confirm::Confirm;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// The names of the form and of the dialog.
const FORM: &str = "call";
const CONFIRM: &str = "call-confirm";

const PHONE: &str = "phone_number";
const VARIABLES: &str = "variables.";
/// Cells for the labels of the dialogs.
const LABEL: usize = 9;
/// The calls of this run of the program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Calls {
    /// What was typed for an assistant, by its id, until a call with it is accepted.
    drafts: BTreeMap<i64, Draft>,
    /// The assistant that the form is for.
    open: i64,
    /// What the dialog asks about.
    asked: Option<Box<Sending>>,
    /// In flight.
    pub(super) sent: Vec<(TaskId, Sending)>,
    /// Accepted, the oldest first.
    pub(super) followed: Vec<Followed>,
    /// True once the server turned out not to report the progress of calls.
    pub(super) untold: bool,
}

/// What was typed into the form.
#[derive(Debug, Clone, PartialEq, Default)]
struct Draft {
    /// By the fields' names on the wire.
    values: BTreeMap<String, String>,
    /// What the service said of the number.
    refused: Option<String>,
}

/// Why an assistant cannot call; `None` where it can, as far as is known.
pub(super) fn cannot_call(row: &Row) -> Option<&'static str> {
    let kind = row.record.base.kind.known();
    kind.is_some_and(|kind| *kind != AssistantType::Outbound).then_some("only outbound assistants make calls")
}

/// The form as it was when this was confirmed.
fn draft(sending: &Sending, refused: Option<String>) -> Draft {
    let Outgoing::Call(MakeCall { phone_number, variables, .. }) = &sending.outgoing else { return Draft::default() };
    let variables = variables.iter().map(|(name, value)| (format!("{VARIABLES}{name}"), value.clone()));
    let values = variables.chain([(PHONE.to_owned(), phone::phone(phone_number))]).collect();
    Draft { values, refused }
}

/// Who calls whom, and what it costs.
fn details(sending: &Sending, cx: &Context) -> Details {
    let Intent { sender, phone, .. } = &sending.intent;
    let balance = cx.data.account.value().and_then(|account| account.total_balance.known().copied());
    Details::new(LABEL)
        .wrapped("to", phone::recipient(None, phone))
        .styled(cx.options.theme.strong)
        .wrapped("by", sender.clone())
        .wrapped(
            "cost",
            format!("by the minute, {}", deducted(None, balance, cx.data.charges.map(|charges| charges.unit))),
        )
}

impl Assistants {
    fn row(&self, id: i64) -> Option<&Row> {
        self.list.source.iter().find(|row| row.id == id)
    }

    pub(super) fn open_call(&mut self, id: i64, cx: &mut Context) {
        let Some(row) = self.row(id) else { return };
        let draft = self.calls.drafts.get(&id);
        let value = |path: &str| draft.and_then(|draft| draft.values.get(path)).cloned();
        let number = FormField::line(PHONE, "To (phone)", &value(PHONE).unwrap_or_default());
        let own = row.record.base.variables.known().into_iter().flatten();
        let variables = own.map(|(name, own)| {
            let path = format!("{VARIABLES}{name}");
            let value = value(&path).unwrap_or_else(|| json_text(own));
            if value.contains('\n') {
                FormField::text(&path, name, &value, 2..=4, None)
            } else {
                FormField::line(&path, name, &value)
            }
        });
        let number = number.required().hint("with country code, e.g. +49 30 901820");
        let mut form = Form::new(std::iter::once(number).chain(variables).collect());
        if let Some(refused) = draft.and_then(|draft| draft.refused.clone()) {
            form.set_refused(vec![Fault::new(PHONE, refused)]);
        }
        cx.open(FORM, FormDialog::new(format!("Call by {}", row.name), "review", form));
        self.calls.open = id;
        cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
    }

    pub(super) fn call_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        match event {
            OverlayEvent::Changed(FORM) => drop(self.read_call(cx)),
            OverlayEvent::Cancelled(FORM) => self.keep_call(cx),
            OverlayEvent::Submitted(FORM) => {
                self.keep_call(cx);
                if let Some(sending) = self.read_call(cx) {
                    let Outgoing::Call(call) = &sending.outgoing else { return };
                    let details = details(&sending, cx);
                    let details = if call.variables.is_empty() { details } else { details.section("Variables") };
                    let told = call.variables.iter();
                    let details = told.fold(details, |details, (name, value)| details.wrapped(name, value));
                    cx.open(CONFIRM, Confirm::new("Make this call?", details, "call").charges());
                    self.calls.asked = Some(Box::new(sending));
                }
            }
            OverlayEvent::Confirmed(CONFIRM) => {
                if let Some(sending) = self.calls.asked.take() {
                    cx.overlays.close(FORM);
                    // In case it is taken back.
                    self.calls.drafts.insert(sending.intent.sender_id, draft(&sending, None));
                    let who = phone::phone(&sending.intent.phone);
                    cx.hold(*sending, String::new(), who);
                }
            }
            OverlayEvent::Cancelled(CONFIRM) => self.calls.asked = None,
            _ => {}
        }
    }

    /// Keeps what is typed in the form, for the next time it opens.
    fn keep_call(&mut self, cx: &mut Context) {
        if let Some(form) = cx.overlays.form(FORM).filter(|form| form.is_dirty()) {
            let draft = Draft { values: form.values().into_iter().collect(), refused: None };
            self.calls.drafts.insert(self.calls.open, draft);
        }
    }

    /// Reads the form. While it cannot be read, or looks odd, the form says so.
    fn read_call(&self, cx: &mut Context) -> Option<Sending> {
        let form = cx.overlays.form(FORM)?;
        let (number, wrong) = phone::read(form, PHONE, &cx.options, None);
        form.set_errors(wrong.into_iter().collect());
        let (row, number) = (self.row(self.calls.open)?, number?);
        let own = row.record.base.variables.known();
        let variables = form.values().into_iter().filter_map(|(path, value)| {
            let name = path.strip_prefix(VARIABLES)?;
            // What is no text stays what it is, unless it was changed.
            let unchanged = own?.get(name).is_some_and(|own| !own.is_string() && json_text(own) == value);
            (!unchanged).then(|| (name.to_owned(), value))
        });
        let call =
            MakeCall { phone_number: number.e164().to_owned(), assistant_id: row.id, variables: variables.collect() };
        let intent = Intent {
            id: intent_id(number.e164(), &row.name, &cx.options, cx.now),
            profile: cx.options.place.profile().to_owned(),
            sender_id: row.id,
            sender: row.name.clone(),
            phone: number.e164().to_owned(),
            name: None,
            content: Content::Call,
            row: None,
            before: None,
            text: None,
        };
        Some(Sending { intent, outgoing: Outgoing::Call(call), again: Again::No, connection: None, is_code: false })
    }

    /// Makes a call whose hold has ended.
    pub(super) fn make_call(&mut self, held: HeldSend, cx: &mut Context) {
        let id = cx.run(Origin::new(ID.0), Work::Send(held.sending.clone()));
        self.calls.sent.push((id, *held.sending));
    }

    /// Takes a report about a call. Any other comes back.
    pub(super) fn call_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        if let Some(at) = self.calls.sent.iter().position(|(id, _)| *id == report.id) {
            let (_, sending) = self.calls.sent.remove(at);
            self.called(sending, report.result, cx);
        } else if let Some(at) = self.calls.followed.iter_mut().position(|call| call.pace.answered(report.id)) {
            self.progressed(at, report.result, cx);
        } else {
            return Some(report);
        }
        None
    }

    /// A call has an outcome, or was not even recorded.
    fn called(&mut self, sending: Sending, result: Result<Answer, Failure>, cx: &mut Context) {
        let who = phone::phone(&sending.intent.phone);
        let assistant_id = sending.intent.sender_id;
        let entry = match result {
            Ok(Answer::Sent(entry)) => entry,
            Ok(Answer::Recent(earlier)) => return self.ask_again(sending, &earlier, cx),
            Ok(Answer::Forgotten(at)) => return self.ask_forgotten(sending, at, cx),
            Ok(_) => return,
            Err(failure) => {
                self.calls.drafts.insert(assistant_id, draft(&sending, None));
                return cx.problem(format!("{who} was not called: {}.", explain(&failure)));
            }
        };
        match &entry.outcome {
            Some(Outcome::Accepted(accepted)) => {
                cx.toast(format!("Accepted: the call to {who}"));
                let same = |draft: &mut Draft| draft.values.get(PHONE) == Some(&who);
                if self.calls.drafts.get_mut(&assistant_id).is_some_and(same) {
                    self.calls.drafts.remove(&assistant_id);
                }
                let mut followed = Followed::new(&entry, accepted);
                if !self.calls.untold {
                    followed.pace.schedule(cx.now.mono, Duration::ZERO);
                }
                self.calls.followed.push(followed);
                cx.data.fetch(Item::Account, &mut cx.tasks, cx.now);
            }
            Some(Outcome::Refused(refusal) | Outcome::NotSent(refusal)) => self.call_refused(&sending, refusal, cx),
            Some(Outcome::Unknown { .. }) => {
                let text = format!(
                    "Unknown whether {who} was called. Check the outbox (o in Messaging) before calling again."
                );
                cx.notices.urgent(text, cx.now);
            }
            None => {}
        }
    }

    /// Back to the form, where nothing else is in front of the person.
    fn call_refused(&mut self, sending: &Sending, refusal: &Refusal, cx: &mut Context) {
        let (id, words) = (sending.intent.sender_id, refusal.words.trim_end_matches('.'));
        let of_number = refusal.status == Some(400);
        let is_free = self.is_free(cx);
        self.calls.drafts.insert(id, draft(sending, of_number.then(|| format!("{words}."))));
        if is_free {
            self.open_call(id, cx);
        }
        if !(of_number && is_free) {
            let who = phone::phone(&sending.intent.phone);
            cx.problem(format!("{who} was not called: {words}. {}", call_advice(refusal)));
        }
    }

    /// True where a form or a question may open without getting in the way.
    fn is_free(&self, cx: &Context) -> bool {
        cx.shown
            && self.front == Front::List
            && cx.overlays.top().is_none()
            && !self.list.narrowing
            && !self.reader.is_typing()
    }

    /// The assistant has called the number within ten minutes, and nothing was done: asks whether to call again.
    fn ask_again(&mut self, sending: Sending, earlier: &Entry, cx: &mut Context) {
        let Intent { sender, phone, .. } = &sending.intent;
        let (view, who) = (cx.view(), phone::phone(phone));
        let when = date_and_time(earlier.began, cx.now.wall, view.zone);
        let outcome = earlier.outcome.as_ref().map_or_else(|| "in flight".to_owned(), Outcome::words);
        if !self.is_free(cx) {
            let text = format!("{who} was not called: {sender} called {when} ({outcome}). C in Assistants asks again.");
            self.calls.drafts.insert(sending.intent.sender_id, draft(&sending, None));
            return cx.notices.urgent(text, cx.now);
        }
        let details = earlier_send(details(&sending, cx).section("The earlier call"), earlier, &cx.view());
        cx.open(CONFIRM, Confirm::new("Called recently. Call again?", details, "call again").unasked());
        self.ask_for(sending, Again::After(earlier.intent.id), cx);
    }

    /// The outbox may have forgotten that this was called before, and nothing was done: asks whether to call.
    fn ask_forgotten(&mut self, sending: Sending, at: Timestamp, cx: &mut Context) {
        let who = phone::phone(&sending.intent.phone);
        if !self.is_free(cx) {
            let why = "the outbox was deleted or replaced, and cannot tell whether they were called before";
            self.calls.drafts.insert(sending.intent.sender_id, draft(&sending, None));
            return cx.notices.urgent(format!("{who} was not called: {why}. C in Assistants asks again."), cx.now);
        }
        let details = details(&sending, cx).section("Called before?");
        let details = forgotten(details, at, &format!("whether {who} was called"), &cx.view());
        cx.open(CONFIRM, Confirm::new("Perhaps called before. Call?", details, "call").unasked());
        self.ask_for(sending, Again::Forgotten, cx);
    }

    /// Keeps what the open dialog asks about, under another id.
    fn ask_for(&mut self, sending: Sending, again: Again, cx: &Context) {
        let Intent { sender, phone, .. } = &sending.intent;
        let intent = Intent { id: intent_id(phone, sender, &cx.options, cx.now), ..sending.intent };
        self.calls.asked = Some(Box::new(Sending { intent, again, ..sending }));
    }
}
