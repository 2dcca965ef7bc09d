//! A message that passes all rules: what leaves, and what the confirm dialog says about it.

use super::words::{self, why_not_sendable};
use super::{Facts, LABEL};
use crate::api::messaging::{arrange_variables, fill_template, freeform_message, recipient_name};
use crate::api::rules::{self, Fault};
use crate::api::{SendTemplate, Template};
use crate::messaging::{self, Outgoing, Phone, Window, template_name};
use crate::records::{Again, Before, Content, Intent, TemplateName, Used};
use crate::tasks::Sending;
use crate::ui::format::deducted;
use crate::ui::held::{HeldSend, intent_id};
use crate::ui::options::Options;
use crate::ui::phone;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::details::Details;
use std::collections::BTreeSet;

/// A message that passed all rules.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedMessage {
    /// What is recorded and sent.
    pub sending: Sending,
    /// As the recipient reads it.
    pub text: String,
    /// The sender's name, where it has one.
    sender_name: Option<String>,
    /// Values to suggest the next time.
    used: Vec<Used>,
}

/// The variables of a template as they are sent: by name, or by position where names are missing or not unique.
pub fn variables(template: &Template) -> Vec<String> {
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
pub fn faults(outgoing: &Outgoing, facts: &Facts<'_>) -> Vec<Fault> {
    let sender = facts.known.sender(outgoing.sender_id());
    let sender = sender.map_or_else(|| Some("choose a sender".to_owned()), words::sender_barred);
    let mut faults: Vec<Fault> = sender.map(|why| Fault::new("sender_id", why)).into_iter().collect();
    let phone = outgoing.recipient_phone();
    let read = Phone::read(phone, facts.view.options.country.as_deref());
    let read = read.map_err(|fault| Fault::new("recipient_phone", fault.to_string()));
    faults.extend(read.and_then(|read| rules::e164("recipient_phone", read.e164())).err());
    match outgoing {
        Outgoing::Template(message) => {
            let template = facts.known.template(message.sender_id, message.template_id);
            let why = template.map_or_else(|| Some("choose a template".to_owned()), why_not_sendable);
            faults.extend(why.map(|why| Fault::new("template_id", why)));
            faults.extend(message.recipient_name.as_deref().and_then(|name| recipient_name(name).err()));
            let blank = message.variables.iter().filter(|(_, value)| value.trim().is_empty());
            faults.extend(blank.map(|(name, _)| Fault::new(format!("variables.{name}"), "needs a value")));
        }
        Outgoing::Freeform(message) => {
            faults.extend(freeform_message(&message.message).err());
            let why = match facts.window(message.sender_id, phone) {
                Some(Window::Open { .. }) => None,
                Some(Window::Expired { .. }) => Some("the window has expired; only a template can be sent"),
                Some(Window::None) => Some("there is no window yet; only a template can be sent"),
                None => Some("the state of the window is not known yet"),
            };
            faults.extend(why.map(|why| Fault::new("message", why)));
        }
        Outgoing::Call(_) => faults.push(not_a_message()),
    }
    if facts.view.options.read_only {
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
    pub fn new(outgoing: Outgoing, name: Option<String>, facts: &Facts<'_>) -> Result<Self, Fault> {
        if let Some(fault) = faults(&outgoing, facts).into_iter().next() {
            return Err(fault);
        }
        let missing = |field: &'static str| move || Fault::new(field, "is missing");
        let sender = facts.known.sender(outgoing.sender_id()).ok_or_else(missing("sender_id"))?;
        let mut is_code = false;
        let (template, text, used) = match &outgoing {
            Outgoing::Template(message) => {
                let template = facts.known.template(message.sender_id, message.template_id);
                let template = template.ok_or_else(missing("template_id"))?;
                is_code = messaging::is_code(template);
                let of = TemplateName { id: message.template_id, name: template_name(template) };
                (Some(of), rendered(template, message)?, used(template, message))
            }
            Outgoing::Freeform(message) => (None, message.message.clone(), Vec::new()),
            Outgoing::Call(_) => return Err(not_a_message()),
        };
        let phone = outgoing.recipient_phone().to_owned();
        let intent = Intent {
            id: intent_id(&phone, &text, facts.view.options, facts.view.now),
            profile: facts.view.options.place.profile().to_owned(),
            sender_id: sender.id,
            sender: sender.phone.clone().unwrap_or_else(|| sender.id.to_string()),
            phone,
            name,
            content: template.map_or(Content::Freeform, Content::Template),
            row: None,
            before: None,
            text: (facts.view.options.settings.messaging.keep_text && !is_code).then(|| text.clone()),
        };
        let sending = Sending { intent, outgoing, again: Again::No, connection: None, is_code };
        Ok(Self { sending, text, sender_name: sender.name.clone(), used })
    }

    /// The dialog that asks before it is sent. `warning` says why the recipient may have got a message already.
    pub fn confirm(&self, warning: Option<String>, facts: &Facts<'_>) -> Confirm {
        let Options { theme, glyphs, .. } = facts.view.options;
        let Intent { sender_id, sender, phone, name, .. } = &self.sending.intent;
        let template = self.sending.intent.template();
        let join = |parts: [&str; 3]| parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ");
        let to = join([name.as_deref().unwrap_or_default(), &phone::phone(phone), &phone::country(phone)]);
        let from = join([self.sender_name.as_deref().unwrap_or_default(), &phone::phone(sender), ""]);
        let mut details = Details::new(LABEL).wrapped("to", to).styled(theme.strong).wrapped("from", from);
        if let Some(hint) = Phone::read(phone, None).ok().and_then(|phone| phone.hint()) {
            details = details.wrapped("number", format!("{} {hint}", glyphs.alert)).styled(theme.warning);
        }
        if let Some(template) = template {
            details = details.field("template", template.name.clone());
        }
        if let Some(warning) = warning {
            details = details.wrapped("caution", warning).styled(theme.warning);
        }
        let (window, style) = words::window_line(facts.window(*sender_id, phone), template.is_some(), facts);
        let cost = self.cost(facts);
        details = details.field("window", window).styled(style).wrapped("cost", cost);
        Confirm::new("Send this message?", details.wrapped("text", self.text.clone()), "send").charges()
    }

    /// What is charged, as far as that is known.
    fn cost(&self, facts: &Facts<'_>) -> String {
        let charges = facts.view.data.charges;
        let template = |id| facts.known.template(self.sending.intent.sender_id, id);
        let amount = charges.and_then(|charges| match self.sending.intent.template() {
            Some(named) => charges.of_template(template(named.id)?),
            None => Some(charges.freeform),
        });
        deducted(amount, facts.known.balance(), charges.map(|charges| charges.unit))
    }

    /// The message by what is known now.
    ///
    /// # Errors
    /// Why it must not be sent any more, without a full stop.
    pub fn recheck(sending: &Sending, text: &str, facts: &Facts<'_>) -> Result<Self, String> {
        let now = Self::new(sending.outgoing.clone(), sending.intent.name.clone(), facts);
        let now = now.map_err(|fault| fault.sentence.trim_end_matches('.').to_owned())?;
        if now.text == text { Ok(now) } else { Err("the template has changed meanwhile".to_owned()) }
    }
}

/// A held message whose hold has ended, with what is known of its window, and the values to suggest the next time.
///
/// # Errors
/// Why it must not be sent any more, without a full stop.
pub fn recheck_held(held: HeldSend, facts: &Facts<'_>) -> Result<(Sending, Vec<Used>), String> {
    let mut sending = *held.sending;
    let CheckedMessage { used, .. } = CheckedMessage::recheck(&sending, &held.text, facts)?;
    let window = facts.window(sending.intent.sender_id, &sending.intent.phone);
    let last_message = facts.known.last_message(sending.intent.sender_id, &sending.intent.phone);
    let ahead = facts.server_now.duration_since(facts.view.now.wall);
    sending.intent.before = window.map(|window| Before::new(window, last_message.behind(ahead)));
    Ok((sending, used))
}

/// The text with its values, by the rule that the service applies.
fn rendered(template: &Template, message: &SendTemplate) -> Result<String, Fault> {
    let names = template.variables.known().cloned().unwrap_or_else(|| variables(template));
    let arranged = arrange_variables(&names, &message.variables);
    let arranged = arranged.map_err(|mismatch| Fault::new("template_id", mismatch.to_string()))?;
    Ok(fill_template(template.body_text.known().map_or("", String::as_str), &arranged))
}

/// The values that may be suggested for others.
fn used(template: &Template, message: &SendTemplate) -> Vec<Used> {
    let template_id = message.template_id;
    let shared = message.variables.iter().filter(|(variable, _)| words::may_be_shared(template, variable));
    shared.map(|(variable, value)| Used { template_id, variable: variable.clone(), value: value.clone() }).collect()
}
