//! One message.

use super::terms::{agree, cost};
use super::{Args, REFUSED, SendContext, SendError, UNKNOWN, USAGE, minute, say, tell, tell_json};
use crate::api::messaging::arrange_variables;
use crate::cli::outbox::{harmless_json, json};
use crate::client::{Reply, Request};
use crate::messaging::{LastMessage, Outcome, Outgoing, Phone, Window, advice};
use crate::records::{Again, Before, Content, Entry, Intent};
use crate::tasks::{Answer, Event, Sending, Work};
use jiff::Timestamp;
use serde_json::json as object;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;
use uuid::Uuid;

/// Where the ids of `--id` come from.
const KEYS: Uuid = Uuid::from_u128(0x8d2a_4f1e_60b3_4e0c_a5d7_1c9e_72f4_b680);
/// Between two looks for news while a message waits for its answer.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn send(mut ready: SendContext, args: &Args) -> Result<ExitCode, SendError> {
    let usage = |why: &dyn std::fmt::Display| SendError::Usage(format!("nothing was sent: {why}"));
    let typed = args.to.as_deref().unwrap_or_default();
    let phone = Phone::read(typed, ready.letter.country.as_deref()).map_err(|fault| usage(&format!("--to {fault}")))?;
    let given = given(&args.values).map_err(|why| usage(&why))?;
    let preview = &ready.letter.preview;
    let values = arrange_variables(preview.variables(), &given).map_err(|mismatch| usage(&mismatch))?;
    let name = args.name.as_deref().unwrap_or_default().trim();
    if let Some(fault) = ready.letter.faults(name, &values).first() {
        return Err(usage(fault));
    }
    let text = preview.text(&values);
    let message = ready.letter.to(&phone, name, &values);
    let before = before(&mut ready, &phone);

    let country = phone.country().map(|country| format!("  ({country})")).unwrap_or_default();
    let blank = if name.is_empty() { "" } else { "  " };
    let mut terms = vec![
        ("to", format!("{name}{blank}{}{country}", phone.pretty())),
        ("from", ready.sender_for_people()),
        ("template", ready.template.name.clone()),
        ("text", text.clone()),
        ("cost", cost(&ready, 1)),
    ];
    if let Some(hint) = phone.hint() {
        terms.insert(1, ("note", hint));
    }
    if args.dry_run && args.json {
        let checked = object!({"dry_run": true, "phone": phone.e164(), "country": phone.country(),
            "name": message.recipient_name, "note": phone.hint(), "sender": ready.sender_phone(),
            "template": ready.template.name, "text": text, "balance": ready.balance});
        tell_json(&harmless_json(&checked.to_string()))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.dry_run {
        for (what, is) in &terms {
            tell(&format!("{what:<9} {is}"));
        }
        return Ok(ExitCode::SUCCESS);
    }
    agree(args, &terms, "Send this message?")?;

    if !args.again {
        ready.remembers(None)?;
    }
    let intent = Intent {
        id: id(&mut ready, args)?,
        profile: ready.profile.clone(),
        sender_id: args.sender,
        sender: ready.sender_phone(),
        phone: phone.e164().to_owned(),
        name: message.recipient_name.clone(),
        content: Content::Template(ready.template.clone()),
        row: None,
        before,
        text: (ready.keep_text && !ready.is_code).then_some(text),
    };
    let (again, is_code) = (if args.again { Again::Before(Timestamp::now()) } else { Again::No }, ready.is_code);
    let sending = Sending { intent, outgoing: Outgoing::Template(message), again, connection: None, is_code };
    match leave(&mut ready, sending)? {
        Answer::Sent(entry) if !is_of(args, &entry, phone.e164()) => Err(SendError::Usage(format!(
            "nothing was sent: the key of --id was used on {} for another message, to {}",
            minute(entry.began),
            entry.intent.phone
        ))),
        Answer::Sent(entry) => report(args, &entry),
        Answer::Recent(earlier) => repeats(args, &earlier),
        Answer::Forgotten(at) => Err(ready.forgotten(at)),
        _ => Err(SendError::odd()),
    }
}

/// The intent's id: that of the account's key, or a new one.
fn id(ready: &mut SendContext, args: &Args) -> Result<Uuid, SendError> {
    let Some(key) = &args.id else {
        return Ok(uuid::Builder::from_random_bytes(fastrand::u128(..).to_le_bytes()).into_uuid());
    };
    let Answer::Account(account) = ready.wire.ask(Work::FindAccount)? else { return Err(SendError::odd()) };
    Ok(Uuid::new_v5(&Uuid::new_v5(&KEYS, account.as_bytes()), key.as_bytes()))
}

/// `KEY=VALUE` each; the value may have more of those signs.
fn given(values: &[String]) -> Result<BTreeMap<String, String>, String> {
    let mut given = BTreeMap::new();
    for pair in values {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(format!("--var {pair:?} is not of the form KEY=VALUE"));
        };
        if given.insert(key.trim().to_owned(), value.to_owned()).is_some() {
            return Err(format!("--var {key} is given twice"));
        }
    }
    Ok(given)
}

/// What the window is like: should the outcome be unknown, what has changed since tells something.
fn before(ready: &mut SendContext, phone: &Phone) -> Option<Before> {
    let request = Request::session_status(ready.letter.sender_id, phone.e164());
    let status = ready.wire.ask(request).ok()?.reply(Reply::get_session_status)?;
    Some(Before::new(Window::read(&status, Timestamp::now())?, LastMessage::read(&status)))
}

/// Sends, tells of every wait, and gives the answer.
fn leave(ready: &mut SendContext, sending: Sending) -> Result<Answer, SendError> {
    let id = ready.wire.give(Work::Send(Box::new(sending)));
    loop {
        match ready.wire.next(PATIENCE)? {
            Some(Event::Tried { attempt, .. }) => {
                if let Some(wait) = attempt.retry_in {
                    say(&format!(
                        "waiting: the server's rate limit allows the next try in {} s",
                        wait.as_secs().max(1)
                    ));
                }
            }
            Some(Event::Unwritten(words)) => say(&words),
            Some(Event::Done(report)) if report.id == id => {
                return report.result.map_err(|failure| SendError::Failed(unsent(&failure.kind.to_string())));
            }
            _ => {}
        }
    }
}

/// That nothing was sent, once: the reason may begin with it.
fn unsent(why: &str) -> String {
    format!("nothing was sent: {}", why.strip_prefix("Nothing was sent: ").unwrap_or(why))
}

/// Whether an entry is the message of these arguments: the key may have been used for another one.
fn is_of(args: &Args, entry: &Entry, phone: &str) -> bool {
    let Intent { sender_id, phone: recipient, .. } = &entry.intent;
    let template = entry.intent.template().map(|template| template.id);
    (*sender_id, recipient.as_str(), template) == (args.sender, phone, Some(args.template))
}

/// Tells of the earlier send that this one would have repeated.
fn repeats(args: &Args, earlier: &Entry) -> Result<ExitCode, SendError> {
    let is_sent = matches!(earlier.outcome, Some(Outcome::Accepted(_)));
    if args.json {
        tell_json(&json(earlier).unwrap_or_default())?;
    }
    let outcome = earlier.outcome.as_ref().map_or("no outcome yet", Outcome::word);
    say(&format!(
        "nothing was sent: {} was sent this template on {} ({outcome}); --again sends it once more",
        earlier.intent.phone,
        minute(earlier.began)
    ));
    Ok(ExitCode::from(if is_sent { USAGE } else { UNKNOWN }))
}

fn report(args: &Args, entry: &Entry) -> Result<ExitCode, SendError> {
    let id = entry.intent.id;
    let Some(outcome) = &entry.outcome else {
        say("nothing was sent: another program is sending this message");
        return Ok(ExitCode::from(UNKNOWN));
    };
    if args.json {
        tell_json(&json(entry).unwrap_or_default())?;
    } else {
        tell(&outcome.words());
    }
    Ok(match outcome {
        Outcome::Accepted(accepted) => {
            if !args.json {
                let sid = accepted.message_sid.as_deref().map(|sid| format!("message {sid}"));
                let conversation = accepted.conversation_id.map(|id| format!("conversation {id}"));
                let ids: Vec<String> = conversation.into_iter().chain(sid).collect();
                tell(&ids.join(", "));
            }
            ExitCode::SUCCESS
        }
        Outcome::Refused(refusal) | Outcome::NotSent(refusal) => {
            say(&refusal.words);
            say(&advice(refusal));
            if matches!(outcome, Outcome::Refused(_)) { ExitCode::from(REFUSED) } else { ExitCode::FAILURE }
        }
        Outcome::Unknown { .. } => {
            say(
                "The message may have been sent, so it is not resent. Check the conversation, then record what you found:",
            );
            say(&format!("switchboard outbox mark {id} sent|not-sent"));
            ExitCode::from(UNKNOWN)
        }
    })
}
