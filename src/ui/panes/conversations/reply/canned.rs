//! Canned replies: those of the profile's file, found by typing and inserted with their variables filled in.

use super::super::{Conversations, ID, format};
use crate::config::CannedReply;
use crate::records::{StorageReply, StorageRequest};
use crate::tasks::{Answer, TaskId};
use crate::ui::phone::phone;
use crate::ui::prelude::*;
use crate::ui::text::json_text;

/// The form in which one is chosen.
pub const CANNED: &str = "canned";
const REPLY: &str = "reply";
/// Bytes of the file. All of it is read at once when somebody wants a reply.
const FILE_MAX: usize = 64 * 1024;
/// Problems of the file that are told.
const PROBLEMS_MAX: usize = 3;

/// The replies of the file as it was last read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Canned {
    replies: Vec<CannedReply>,
    loading: Option<TaskId>,
}

impl Conversations {
    /// Reads the file; then the replies are offered.
    pub(super) fn open_canned(&mut self, cx: &mut Context) {
        if let Some(path) = cx.options.replies.clone() {
            self.replies.canned.loading = Some(cx.run(Origin::new(ID.0), StorageRequest::ReadFile(path)));
        }
    }

    /// Takes the file; any other report comes back.
    pub(super) fn canned_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        if self.replies.canned.loading.take_if(|id| *id == report.id).is_none() {
            return Some(report);
        }
        let name = cx.options.replies.as_ref().map(|path| clean(&path.display().to_string()).into_owned());
        let name = name.unwrap_or_default();
        match report.result {
            Ok(Answer::Stored(StorageReply::File(bytes))) if bytes.len() > FILE_MAX => {
                cx.problem(format!("{name} is too large: canned replies may have {} KiB.", FILE_MAX / 1024));
            }
            Ok(Answer::Stored(StorageReply::File(bytes))) => {
                let (replies, problems) = CannedReply::parse(&String::from_utf8_lossy(&bytes));
                if replies.is_empty() && problems.is_empty() {
                    cx.toast(format!("{name} has no replies"));
                }
                for problem in problems.into_iter().take(PROBLEMS_MAX) {
                    cx.problem(problem.in_file(Some(&name)).to_string());
                }
                self.replies.canned.replies = replies;
                if self.is_replying() && cx.shown && cx.overlays.top().is_none() {
                    self.offer_canned(cx);
                }
            }
            Ok(_) => {}
            Err(failure) => cx.problem(format!("The canned replies could not be read: {}.", explain(&failure))),
        }
        None
    }

    fn offer_canned(&self, cx: &mut Context) {
        let filled = self.replies.canned.replies.iter().map(|reply| (reply, self.filled(reply)));
        let (mut items, mut previews) = (Vec::new(), Vec::new());
        for (at, (reply, (text, unknown))) in filled.enumerate() {
            let about = text.lines().next().unwrap_or_default().to_owned();
            items.push(Value::new(at.to_string(), clean(&reply.title)).about(clean(&about)));
            let preview = Details::new(0).text(text);
            let preview = match told(&unknown) {
                Some(told) => preview.text(told).styled(cx.options.theme.warning),
                None => preview,
            };
            previews.push((at.to_string(), preview));
        }
        if !items.is_empty() {
            let form = Form::new(vec![FormField::picker(REPLY, "Reply", items, "0")]).quick();
            let mut dialog = FormDialog::new("Insert a canned reply", "insert", form);
            dialog.previews = previews;
            cx.open(CANNED, dialog);
        }
    }

    /// One was chosen: it goes to where the cursor is.
    pub(super) fn insert_canned(&mut self, cx: &mut Context) {
        let chosen = cx.overlays.submit(CANNED, |form| Ok(form.text_of(REPLY).parse::<usize>().ok()));
        let reply = chosen.flatten().and_then(|at| self.replies.canned.replies.get(at));
        let Some((text, unknown)) = reply.map(|reply| self.filled(reply)) else { return };
        self.with_line(cx, |form| form.text(&Input::Paste(text)));
        if let (Some(line), Some(told)) = (&mut self.replies.line, told(&unknown)) {
            line.warn(told);
            line.unfilled.extend(unknown.iter().map(|name| format!("{{{name}}}")));
        }
    }

    /// The text of a reply for the conversation on screen, and the variables that are not known there.
    fn filled(&self, reply: &CannedReply) -> (String, Vec<String>) {
        let row = self.shown_row();
        let variables = self.reading.talk().and_then(|talk| talk.history.variables.known()?.as_ref());
        reply.filled(|name| {
            let row = row?;
            let party = |party: &crate::api::Field<crate::api::Party>| {
                let party = party.known()?;
                let named = party.name.clone().filter(|name| !name.trim().is_empty());
                named.or_else(|| party.phone.as_deref().map(phone)).map(|text| clean(&text).into_owned())
            };
            match name {
                "customer" => party(&row.customer),
                "sender" => party(&row.msgapp_sender),
                "assistant" => row.assistant_name.known().map(|_| format::assistant(row).into_owned()),
                // One without a value is as good as unknown: nothing would stand in its place.
                name => {
                    let value = variables?.get(name).filter(|value| !value.is_null()).map(json_text);
                    value.filter(|text| !text.trim().is_empty()).map(|text| clean(&text).into_owned())
                }
            }
        })
    }
}

/// That some variables are not known.
fn told(unknown: &[String]) -> Option<String> {
    let names: Vec<_> = unknown.iter().map(|name| format!("{{{name}}}")).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| format!("{} {verb} not known in this conversation.", names.join(", ")))
}
