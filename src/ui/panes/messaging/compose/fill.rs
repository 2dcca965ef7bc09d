//! What the form fills in by itself: a sender and a template to begin with, the draft of a pair, and what goes again when
//! the number is another's.

use super::draft::Typed;
use super::form::{At, Form};
use super::words::NamePart;
use super::{Sight, choices, words};
use crate::records::{Draft, DraftKey};
use crate::ui::panes::messaging::words::why_not_sendable;
use crate::ui::widgets::input::TextInput;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// A draft that was filled in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Loaded {
    key: DraftKey,
    /// When it was typed; `None` where there was none to fill in.
    pub(super) saved: Option<Timestamp>,
    name: Option<String>,
    values: Vec<(String, String)>,
}

/// Somebody for whom something was typed, which is kept as their draft.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parted {
    phone: String,
    /// For people.
    pub(super) who: String,
}

impl Form {
    /// Takes over what has become known: a sender and a template to begin with, and the draft of this pair.
    pub(super) fn adopt(&mut self, sight: &Sight<'_>) {
        let can_send = |sender: &&crate::ui::panes::messaging::KnownSender| choices::sender_barred(sender).is_none();
        if self.sender.chosen.is_none() {
            self.sender.chosen = sight.known.senders.iter().find(can_send).map(|sender| sender.id);
        }
        let listed = self.sender.chosen.is_some_and(|id| sight.known.templates.contains_key(&id));
        if listed && self.chosen_template(sight).is_none() {
            (self.template.chosen, self.template.by_hand) = (self.first_template(sight), false);
        }
        self.part(sight);
        self.forget_name(sight);
        // A number that is being typed may be the beginning of another one, unless it is the one that was there before.
        let back = self.parted.as_ref().is_some_and(|parted| parted.phone == self.phone_key(sight));
        self.fill_draft(back || self.at != At::Phone, sight);
    }

    /// What was typed for somebody stays theirs: once the number is another, it goes from the form. It is their draft, and
    /// comes back with their number.
    fn part(&mut self, sight: &Sight<'_>) {
        let key = self.phone_key(sight);
        let Some(phone) = self.owner.take_if(|owner| *owner != key) else { return };
        if self.says_something() {
            let name = Some(self.name.value().trim()).filter(|name| !name.is_empty());
            self.parted = Some(Parted { who: name.map_or_else(|| words::pretty(&phone), str::to_owned), phone });
        }
        self.values.clear();
        (self.name, self.named, self.loaded) = (TextInput::default(), None, None);
        self.left.retain(|at| *at <= At::Phone);
    }

    /// True where more was typed than whom it is for.
    fn says_something(&self) -> bool {
        let filled_in = self.named.as_ref().map_or("", |(_, name)| name);
        let named = !self.name.value().is_empty() && self.name.value() != filled_in;
        named || self.values.values().any(|field| !field.value().is_empty())
    }

    /// A name belongs to its number: under another one it goes, wherever it was filled in.
    pub(super) fn forget_name(&mut self, sight: &Sight<'_>) {
        let key = self.phone_key(sight);
        let Some((_, name)) = self.named.take_if(|(phone, _)| *phone != key) else { return };
        if self.name.value() == name {
            self.name = TextInput::default();
        }
        let first = name.split_whitespace().next().unwrap_or_default();
        self.values.retain(|(_, variable), field| match words::asks_for(variable) {
            Some(NamePart::Whole) => field.value() != name,
            Some(NamePart::First) => field.value() != first,
            None => true,
        });
    }

    /// The template to begin with: that of the recipient's draft, the last one used, or the first that can be sent.
    pub(super) fn first_template(&self, sight: &Sight<'_>) -> Option<i64> {
        let sender_id = self.sender.chosen?;
        let can_send = |id: &i64| {
            sight.known.template(sender_id, *id).is_some_and(|template| why_not_sendable(template).is_none())
        };
        let key = self.phone_key(sight);
        let drafts = sight.known.drafts.iter().filter(|draft| !key.is_empty() && draft.phone == key);
        let drafted =
            drafts.filter(|draft| draft.message.is_none()).filter_map(|draft| draft.template_id).find(can_send);
        let used = || sight.known.used.iter().map(|used| used.template_id).find(can_send);
        let first = || {
            let listed = choices::templates(self.sender.chosen, "", sight);
            listed.into_iter().find(|choice| choice.barred.is_none()).map(|choice| choice.value)
        };
        drafted.or_else(used).or_else(first)
    }

    /// What a draft of this form belongs to.
    fn draft_key(&self, sight: &Sight<'_>) -> DraftKey {
        DraftKey { phone: self.phone_key(sight), template_id: self.template.chosen, writer: None }
    }

    /// The recipient as drafts name it: in E.164, or what there is of it.
    pub(super) fn phone_key(&self, sight: &Sight<'_>) -> String {
        let typed = || self.phone.value().trim().to_owned();
        self.read_phone(sight).map_or_else(typed, |phone| phone.e164().to_owned())
    }

    /// Takes back what the draft of another recipient or template has filled in, and fills in that of these where the
    /// number is whole.
    pub(super) fn fill_draft(&mut self, whole: bool, sight: &Sight<'_>) {
        let key = self.draft_key(sight);
        let was = self.owner.clone();
        if whole && self.read_phone(sight).is_some() {
            (self.owner, self.parted) = (Some(key.phone.clone()), None);
        }
        if self.loaded.as_ref().is_some_and(|loaded| loaded.key == key) {
            return;
        }
        if let Some(loaded) = self.loaded.take() {
            if let Some(template_id) = loaded.key.template_id {
                for (variable, value) in loaded.values {
                    let key = (template_id, variable);
                    if self.values.get(&key).is_some_and(|field| field.value() == value) {
                        self.values.remove(&key);
                    }
                }
            }
            if loaded.name.is_some_and(|name| name == self.name.value()) {
                self.name = TextInput::default();
            }
        }
        let (true, Some(template_id)) = (whole && !key.phone.is_empty(), key.template_id) else { return };
        let found = sight.known.drafts.iter().find(|draft| draft.key() == key);
        let mut loaded = Loaded { key, saved: None, name: None, values: Vec::new() };
        if let Some(draft) = found {
            for (variable, value) in &draft.values {
                let field = self.values.entry((template_id, variable.clone())).or_default();
                if field.value().is_empty() {
                    *field = TextInput::new(value);
                    loaded.values.push((variable.clone(), value.clone()));
                }
            }
            if self.name.value().is_empty() && !draft.name.is_empty() {
                self.name = TextInput::new(&draft.name);
                loaded.name = Some(draft.name.clone());
            }
            let filled = loaded.name.is_some() || !loaded.values.is_empty();
            loaded.saved = filled.then_some(draft.saved);
        } else if was != self.owner
            && self.opened.phone.as_ref() == Some(&loaded.key.phone)
            && self.name.value().is_empty()
        {
            // It is again whom the form was opened for.
            self.name = self.opened.name.as_deref().map(TextInput::new).unwrap_or_default();
            self.named = self.opened.phone.clone().zip(self.opened.name.clone());
        }
        self.loaded = Some(loaded);
    }

    /// What is typed, to be kept.
    pub(super) fn typed(&self, sight: &Sight<'_>) -> Typed {
        let key = self.draft_key(sight);
        let values: BTreeMap<String, String> = self
            .variables(sight)
            .into_iter()
            .map(|variable| (self.text_of(&variable).to_owned(), variable))
            .filter(|(value, _)| !value.is_empty())
            .map(|(value, variable)| (variable, value))
            .collect();
        let given = self.opened.phone.clone().unwrap_or_default();
        let named = self.name.value() != self.opened.name.as_deref().unwrap_or_default();
        let says = !values.is_empty() || named || key.phone != given;
        let draft = says.then(|| Draft {
            sender_id: self.sender.chosen,
            phone: key.phone.clone(),
            template_id: key.template_id,
            name: self.name.value().to_owned(),
            values,
            message: None,
            saved: Timestamp::UNIX_EPOCH,
        });
        let filled = self.loaded.as_ref().is_some_and(|loaded| loaded.key == key);
        let is_theirs = self.owner.as_ref() == Some(&key.phone);
        Typed { key, draft, filled, stays: is_theirs && self.says_something() }
    }
}
