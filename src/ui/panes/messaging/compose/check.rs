//! The rules that the form checks before anything leaves: those of the contract, and what the pane knows.

use super::form::{At, Form, marked};
use super::ready::Ready;
use super::{Sight, choices, words};
use crate::api::messaging::{arrange_variables, fill_template, recipient_name};
use crate::api::{SendTemplate, rules};
use crate::messaging::{Outgoing, Phone, template_name};
use crate::records::{TemplateName, Used};
use crate::ui::panes::messaging::words::why_not_sendable;
use std::collections::BTreeMap;

impl Form {
    /// What is wrong with a field.
    pub(super) fn fault(&self, at: At, sight: &Sight<'_>) -> Option<String> {
        match at {
            At::Sender => match self.sender.chosen.and_then(|id| sight.known.sender(id)) {
                None => Some("choose a sender".to_owned()),
                Some(sender) => choices::sender_barred(sender),
            },
            At::Template => match self.chosen_template(sight) {
                None => Some("choose a template".to_owned()),
                Some(template) => why_not_sendable(template),
            },
            At::Phone => {
                let read = Phone::read(self.phone.value(), sight.options.country.as_deref());
                match read {
                    _ if self.phone.value().trim().is_empty() => Some("whom it goes to is missing".to_owned()),
                    Ok(phone) => rules::e164("recipient_phone", phone.e164()).err().map(|fault| fault.sentence),
                    Err(fault) => Some(fault.to_string()),
                }
            }
            At::Name => recipient_name(self.name.value().trim()).err().map(|fault| fault.sentence),
            At::Variable(place) => {
                let variables = self.variables(sight);
                let blank = variables.get(place).is_some_and(|variable| self.text_of(variable).trim().is_empty());
                blank.then(|| "needs a value: the customer would read a hole".to_owned())
            }
        }
    }

    /// What is wrong with a field and to be shown.
    pub(super) fn shown_fault(&self, at: At, sight: &Sight<'_>) -> Option<String> {
        let marked = || self.barred_mark(sight).filter(|_| at == self.at);
        self.left.contains(&at).then(|| marked().or_else(|| self.fault(at, sight))).flatten()
    }

    /// Why what is marked in the list of the field cannot be taken.
    pub(super) fn barred_mark(&self, sight: &Sight<'_>) -> Option<String> {
        let (picker, choices) = match self.at {
            At::Sender => (&self.sender, self.senders(sight)),
            At::Template => (&self.template, self.templates(sight)),
            _ => return None,
        };
        if !picker.is_searched() {
            return None;
        }
        match marked(picker, &choices) {
            Some(at) => choices[at].barred.clone(),
            None => Some("nothing is called that".to_owned()),
        }
    }

    /// The next field behind this one that needs something, around the end.
    pub(super) fn next_needed(&self, sight: &Sight<'_>) -> Option<At> {
        let fields = self.fields(sight);
        let behind = fields.iter().position(|at| *at == self.at).map_or(0, |at| at + 1);
        let new_recipient = |at: At| {
            at == At::Name && self.at == At::Phone && self.name.value().is_empty() && !self.left.contains(&At::Name)
        };
        let around = fields[behind..].iter().chain(&fields[..behind]).copied();
        around.into_iter().find(|at| *at != self.at && (self.fault(*at, sight).is_some() || new_recipient(*at)))
    }

    /// The message as it would be sent.
    ///
    /// # Errors
    /// The first field that keeps it from being sent, and why.
    pub(super) fn check(&self, sight: &Sight<'_>) -> Result<Ready, (At, String)> {
        if let Some(fault) =
            self.fields(sight).into_iter().find_map(|at| self.fault(at, sight).map(|fault| (at, fault)))
        {
            return Err(fault);
        }
        let missing = |at: At| move || (at, "is missing".to_owned());
        let sender = self.sender.chosen.and_then(|id| sight.known.sender(id)).ok_or_else(missing(At::Sender))?;
        let template = self.chosen_template(sight).ok_or_else(missing(At::Template))?;
        let template_id = *template.id.known().ok_or_else(missing(At::Template))?;
        let phone = self.read_phone(sight).ok_or_else(missing(At::Phone))?;
        if sight.options.read_only {
            return Err((self.at, "everything is read-only here, so nothing can be sent".to_owned()));
        }
        let keys = self.variables(sight);
        let values: Vec<String> = self.given(sight).into_iter().map(Option::unwrap_or_default).collect();
        let variables: BTreeMap<String, String> = keys.iter().cloned().zip(values.iter().cloned()).collect();
        // The service's own rule decides, so that nothing passes here that it would refuse.
        let names = template.variables.known().cloned().unwrap_or_else(|| keys.clone());
        let arranged = arrange_variables(&names, &variables);
        let arranged = arranged.map_err(|mismatch| (At::Template, mismatch.to_string()))?;
        let body = template.body_text.known().map_or("", String::as_str);
        let text = fill_template(body, &arranged);
        let name = Some(self.name.value().trim().to_owned()).filter(|name| !name.is_empty());
        let may_be_kept = |variable: &str| !choices::is_secret(template) && words::asks_for(variable).is_none();
        let used = keys.iter().zip(&values).filter(|(variable, _)| may_be_kept(variable));
        let used = used.map(|(variable, value)| Used { template_id, variable: variable.clone(), value: value.clone() });
        Ok(Ready {
            sender_name: sender.name.clone(),
            sender: sender.phone.clone().unwrap_or_else(|| sender.id.to_string()),
            template: Some(TemplateName { id: template_id, name: template_name(template) }),
            text,
            used: used.collect(),
            outgoing: Outgoing::Template(SendTemplate {
                sender_id: sender.id,
                template_id,
                recipient_phone: phone.e164().to_owned(),
                recipient_name: name.clone(),
                variables,
            }),
            name,
        })
    }
}
