//! A message that passes all rules: what leaves, and what the confirm dialog says about it.

use super::{Snapshot, format, suggestions};
use crate::api::messaging::{arrange_variables, fill_template, freeform_message, recipient_name};
use crate::api::rules::{self, Fault};
use crate::api::{SendTemplate, Template};
use crate::messaging::{Outgoing, Phone, Window, template_name};
use crate::records::{Before, Content, Intent, TemplateName, Used};
use crate::tasks::Sending;
use crate::ui::held::HeldSend;
use crate::ui::panes::messaging::words::why_not_sendable;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::details::Details;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Cells for the labels of the confirm dialog.
const LABEL: usize = 9;
/// Ids of sends are derived below this one.
const NAMESPACE: Uuid = Uuid::from_u128(0x8a2f_6c1e_51b7_4c0d_9e3a_77d0_12c4_be65);

/// A message that passed all rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct CheckedMessage {
    pub(super) outgoing: Outgoing,
    /// The sender's name, where it has one.
    sender_name: Option<String>,
    /// The sender's number as it is recorded: its phone number, or its id.
    sender: String,
    /// The recipient's name.
    pub(in super::super) name: Option<String>,
    template: Option<TemplateName>,
    /// As the recipient reads it.
    pub(in super::super) text: String,
    /// Values to suggest the next time.
    pub(in super::super) used: Vec<Used>,
}

/// The variables of a template as they are sent: by name, or by position where names are missing or not unique.
pub(super) fn variables(template: &Template) -> Vec<String> {
    let count = match template.variables.known() {
        Some(names) if names.iter().collect::<BTreeSet<_>>().len() == names.len() => return names.clone(),
        Some(names) => names.len(),
        None => {
            let body = template.body_text.known().map_or("", String::as_str);
            (1..=99).filter(|number| body.contains(&format!("{{{{{number}}}}}"))).max().unwrap_or(0)
        }
    };
    (1..=count).map(|number| number.to_string()).collect()
}

/// What is wrong with a message, by the fields' names on the wire; empty where nothing is.
pub(super) fn faults(outgoing: &Outgoing, context: &Snapshot<'_>) -> Vec<Fault> {
    let sender = match context.known.sender(outgoing.sender_id()) {
        None => Some("choose a sender".to_owned()),
        Some(sender) => suggestions::sender_barred(sender),
    };
    let mut faults: Vec<Fault> = sender.map(|why| Fault::new("sender_id", why)).into_iter().collect();
    let phone = outgoing.recipient_phone();
    let country = context.options.country.as_deref();
    let read = Phone::read(phone, country).map_err(|fault| Fault::new("recipient_phone", fault.to_string()));
    faults.extend(read.and_then(|read| rules::e164("recipient_phone", read.e164())).err());
    match outgoing {
        Outgoing::Template(message) => {
            let template = context.known.template(message.sender_id, message.template_id);
            let why = template.map_or_else(|| Some("choose a template".to_owned()), why_not_sendable);
            faults.extend(why.map(|why| Fault::new("template_id", why)));
            faults.extend(message.recipient_name.as_deref().and_then(|name| recipient_name(name).err()));
            let blank = message.variables.iter().filter(|(_, value)| value.trim().is_empty());
            faults.extend(blank.map(|(name, _)| Fault::new(format!("variables.{name}"), "needs a value")));
        }
        Outgoing::Freeform(message) => {
            faults.extend(freeform_message(&message.message).err());
            let why = match context.known.window(message.sender_id, phone).map(|window| window.at(context.server_now)) {
                Some(Window::Open { .. }) => None,
                Some(Window::Expired { .. }) => Some("the window has expired; only a template can be sent"),
                Some(Window::None) => Some("there is no window yet; only a template can be sent"),
                None => Some("the state of the window is not known yet"),
            };
            faults.extend(why.map(|why| Fault::new("message", why)));
        }
        Outgoing::Call(_) => faults.push(not_a_message()),
    }
    if context.options.read_only {
        faults.push(Fault::new("", "this is read-only; nothing can be sent"));
    }
    faults
}

fn not_a_message() -> Fault {
    Fault::new("", "a call is not a message")
}

impl CheckedMessage {
    /// Applies all rules to a message.
    ///
    /// # Errors
    /// The first that it breaks, with the field's name on the wire.
    pub(super) fn new(outgoing: Outgoing, name: Option<String>, context: &Snapshot<'_>) -> Result<Self, Fault> {
        if let Some(fault) = faults(&outgoing, context).into_iter().next() {
            return Err(fault);
        }
        let missing = |field: &'static str| move || Fault::new(field, "is missing");
        let sender = context.known.sender(outgoing.sender_id()).ok_or_else(missing("sender_id"))?;
        let (template, text, used) = match &outgoing {
            Outgoing::Template(message) => {
                let template = context.known.template(message.sender_id, message.template_id);
                let template = template.ok_or_else(missing("template_id"))?;
                let of = TemplateName { id: message.template_id, name: template_name(template) };
                (Some(of), rendered(template, message)?, used(template, message))
            }
            Outgoing::Freeform(message) => (None, message.message.clone(), Vec::new()),
            Outgoing::Call(_) => return Err(not_a_message()),
        };
        let sender_name = sender.name.clone();
        let sender = sender.phone.clone().unwrap_or_else(|| sender.id.to_string());
        Ok(Self { outgoing, sender_name, sender, name, template, text, used })
    }

    /// The recipient, for people.
    pub(in super::super) fn who(&self) -> String {
        self.name.clone().unwrap_or_else(|| format::pretty(self.outgoing.recipient_phone()))
    }

    /// The dialog that asks before it is sent.
    pub(super) fn confirm(&self, caution: Option<String>, context: &Snapshot<'_>) -> Confirm {
        let theme = &context.options.theme;
        let phone = self.outgoing.recipient_phone();
        let join = |parts: [&str; 3]| parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ");
        let name = self.name.as_deref().unwrap_or_default();
        let to = join([name, &format::pretty(phone), &format::country(phone)]);
        let from = join([self.sender_name.as_deref().unwrap_or_default(), &format::pretty(&self.sender), ""]);
        let mut details = Details::new(LABEL).wrapped("to", to).styled(theme.strong).wrapped("from", from);
        if let Some(template) = &self.template {
            details = details.field("template", template.name.clone());
        }
        if let Some(caution) = caution {
            details = details.wrapped("caution", caution).styled(theme.warning);
        }
        let window = context.known.window(self.outgoing.sender_id(), phone).map(|window| window.at(context.server_now));
        let (window, style) = format::window_line(window, self.template.is_some(), context);
        let cost = match context.known.balance {
            Some(balance) => format!("deducted from the balance ({balance:.2})"),
            None => "deducted from the balance".to_owned(),
        };
        details = details.field("window", window).styled(style).field("cost", cost);
        Confirm::new("Send this message?", details.wrapped("text", self.text.clone()), "send")
    }

    /// What is recorded and sent.
    pub(in super::super) fn sending(self, context: &Snapshot<'_>) -> Sending {
        let intent = Intent {
            id: self.id(context),
            profile: context.options.place.profile().to_owned(),
            sender_id: self.outgoing.sender_id(),
            sender: self.sender,
            phone: self.outgoing.recipient_phone().to_owned(),
            name: self.name,
            content: self.template.map_or(Content::Freeform, Content::Template),
            row: None,
            before: None,
            text: context.options.settings.messaging.keep_text.then_some(self.text),
        };
        Sending { intent, outgoing: self.outgoing }
    }

    /// The interface rolls no dice: the moment, to the nanosecond on two clocks, makes the id unique.
    fn id(&self, context: &Snapshot<'_>) -> Uuid {
        let (wall, mono) = (context.now.wall.as_nanosecond(), context.now.mono.as_nanos());
        let server = context.server_now.as_nanosecond();
        let (place, phone) = (context.options.place.profile(), self.outgoing.recipient_phone());
        Uuid::new_v5(&NAMESPACE, format!("{place}\n{wall}\n{mono}\n{server}\n{phone}\n{}", self.text).as_bytes())
    }
}

/// A held message whose time is over, with what is known of its window.
///
/// # Errors
/// Why it must not leave any more, without a full stop.
pub(in super::super) fn departing(held: HeldSend, context: &Snapshot<'_>) -> Result<(Sending, Vec<Used>), String> {
    let HeldSend { sending, text, .. } = held;
    let mut sending = *sending;
    let checked = recheck(&sending.outgoing, sending.intent.name.as_ref(), &text, context)?;
    let window = context.known.window(sending.intent.sender_id, &sending.intent.phone);
    sending.intent.before = window.map(|window| match window.at(context.server_now) {
        Window::Open { expires } => Before { open: true, expiry: Some(expires) },
        Window::Expired { since } => Before { open: false, expiry: since },
        Window::None => Before { open: false, expiry: None },
    });
    Ok((sending, checked.used))
}

/// A confirmed message by what is known now.
///
/// # Errors
/// Why it must not leave any more, without a full stop.
pub(super) fn recheck(
    outgoing: &Outgoing,
    name: Option<&String>,
    text: &str,
    context: &Snapshot<'_>,
) -> Result<CheckedMessage, String> {
    let now = CheckedMessage::new(outgoing.clone(), name.cloned(), context);
    let now = now.map_err(|fault| fault.sentence.trim_end_matches('.').to_owned())?;
    if now.text == text { Ok(now) } else { Err("the template has changed meanwhile".to_owned()) }
}

/// The text with its values, by the rule that the service applies.
fn rendered(template: &Template, message: &SendTemplate) -> Result<String, Fault> {
    let names = template.variables.known().cloned().unwrap_or_else(|| variables(template));
    let arranged = arrange_variables(&names, &message.variables);
    let arranged = arranged.map_err(|mismatch| Fault::new("template_id", mismatch.to_string()))?;
    Ok(fill_template(template.body_text.known().map_or("", String::as_str), &arranged))
}

/// The values that may be suggested to others: neither names nor login codes.
fn used(template: &Template, message: &SendTemplate) -> Vec<Used> {
    let may_be_kept = |variable: &str| !suggestions::is_secret(template) && format::name_for(variable, "").is_none();
    let kept = message.variables.iter().filter(|(variable, _)| may_be_kept(variable));
    kept.map(|(variable, value)| Used {
        template_id: message.template_id,
        variable: variable.clone(),
        value: value.clone(),
    })
    .collect()
}
