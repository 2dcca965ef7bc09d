//! The form of a template: who sends what to whom, with a field for each variable.

use super::choices::{self, Choice, Recipient};
use super::fill::{Loaded, Parted};
use super::ready::Step;
use super::{Sight, Wanted, words};
use crate::api::Template;
use crate::messaging::{Phone, human_name};
use crate::ui::input::{Key, KeyCode};
use crate::ui::panes::messaging::words::why_not_sendable;
use crate::ui::widgets::input::TextInput;
use std::collections::{BTreeMap, BTreeSet};

/// A field of the form, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum At {
    Sender,
    Template,
    Phone,
    Name,
    /// A variable, by its place in the template.
    Variable(usize),
}

/// What is chosen from a list, and what is typed to find it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Picker {
    pub(super) chosen: Option<i64>,
    /// True where a person chose it.
    pub(super) by_hand: bool,
    pub(super) typed: TextInput,
    /// Which of those offered is marked, once somebody has moved the mark.
    pub(super) marked: Option<usize>,
}

impl Picker {
    /// True where somebody is choosing something else.
    pub(super) fn is_searched(&self) -> bool {
        self.marked.is_some() || !self.typed.value().is_empty()
    }

    /// Takes what is marked, where something is and it can be taken.
    fn take(&mut self, choices: &[Choice<i64>]) {
        let choice = marked(self, choices).and_then(|at| choices.get(at));
        if let Some(choice) = choice.filter(|choice| self.is_searched() && choice.barred.is_none()) {
            (self.chosen, self.by_hand) = (Some(choice.value), true);
        }
        (self.typed, self.marked) = (TextInput::default(), None);
    }
}

/// Which of the choices is marked: where nobody has moved the mark, what is chosen, else the best.
pub(super) fn marked(picker: &Picker, choices: &[Choice<i64>]) -> Option<usize> {
    let chosen = || choices.iter().position(|choice| Some(choice.value) == picker.chosen);
    let best = Some(0).filter(|_| !choices.is_empty());
    match picker.marked {
        Some(at) => best.map(|_| at.min(choices.len() - 1)),
        None if picker.typed.value().is_empty() => chosen().or(best),
        None => best,
    }
}

/// The form.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Form {
    /// What it was opened with, and so was not typed.
    pub(super) opened: Wanted,
    pub(super) at: At,
    /// The fields whose faults are shown: they were left, or Enter was pressed.
    pub(super) left: BTreeSet<At>,
    pub(super) sender: Picker,
    pub(super) template: Picker,
    pub(super) phone: TextInput,
    /// Which of the recipients offered is marked.
    pub(super) recipient: Option<usize>,
    pub(super) name: TextInput,
    /// Whose name was filled in by itself: it goes when the number is another's.
    pub(super) named: Option<(String, String)>,
    /// The number that was whole when its field was left last: what is typed belongs to it.
    pub(super) owner: Option<String>,
    /// For whom something was typed that was put aside when the number changed, until it is whole again.
    pub(super) parted: Option<Parted>,
    /// By template and variable: what was typed for one template is there when it is chosen again.
    pub(super) values: BTreeMap<(i64, String), TextInput>,
    /// Which of the values offered is shown, once somebody has chosen one.
    pub(super) offer: Option<usize>,
    pub(super) loaded: Option<Loaded>,
}

impl Form {
    /// A form as it is opened.
    pub(super) fn new(wanted: Wanted, sight: &Sight<'_>) -> Self {
        let pretty = wanted.phone.as_deref().map(words::pretty);
        let picker = |chosen: Option<i64>| Picker { chosen, by_hand: chosen.is_some(), ..Picker::default() };
        let mut form = Self {
            at: At::Sender,
            left: BTreeSet::new(),
            sender: picker(wanted.sender_id),
            template: picker(wanted.template_id),
            phone: pretty.as_deref().map(TextInput::new).unwrap_or_default(),
            recipient: None,
            name: wanted.name.as_deref().map(TextInput::new).unwrap_or_default(),
            named: wanted.phone.clone().zip(wanted.name.clone()),
            owner: None,
            parted: None,
            values: BTreeMap::new(),
            offer: None,
            loaded: None,
            opened: wanted,
        };
        form.adopt(sight);
        let wants = [
            (At::Sender, form.sender.chosen.is_none()),
            (At::Template, form.opened.template_id.is_none()),
            (At::Phone, form.opened.phone.is_none()),
        ];
        let first = wants.into_iter().find(|(_, wanted)| *wanted).map(|(at, _)| at);
        let last = || form.fields(sight).last().copied();
        form.at = first.or_else(|| form.next_needed(sight)).or_else(last).unwrap_or(At::Template);
        form.adopt(sight);
        form
    }

    // What is chosen.

    /// The sender.
    pub(super) fn sender_id(&self) -> Option<i64> {
        self.sender.chosen
    }

    /// True while the recipient's number is being typed.
    pub(super) fn is_at_phone(&self) -> bool {
        self.at == At::Phone
    }

    /// The template, where it is one of the sender's.
    pub(super) fn chosen_template<'a>(&self, sight: &Sight<'a>) -> Option<&'a Template> {
        sight.known.template(self.sender.chosen?, self.template.chosen?)
    }

    /// The variables of the template as they are sent: by their names, or by their positions where these are not told
    /// or are not different.
    pub(super) fn variables(&self, sight: &Sight<'_>) -> Vec<String> {
        let Some(template) = self.chosen_template(sight) else { return Vec::new() };
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

    /// The name of a variable for people.
    pub(super) fn variable_name(variable: &str) -> String {
        let is_position = variable.bytes().all(|byte| byte.is_ascii_digit());
        if is_position { format!("Variable {variable}") } else { human_name(variable) }
    }

    /// The recipient's number, where what is typed is one.
    pub(super) fn read_phone(&self, sight: &Sight<'_>) -> Option<Phone> {
        Phone::read(self.phone.value(), sight.options.country.as_deref()).ok()
    }

    /// Sender and recipient.
    pub(super) fn pair(&self, sight: &Sight<'_>) -> Option<(i64, String)> {
        Some((self.sender.chosen?, self.read_phone(sight)?.e164().to_owned()))
    }

    /// All fields, in their order.
    pub(super) fn fields(&self, sight: &Sight<'_>) -> Vec<At> {
        let fixed = [At::Sender, At::Template, At::Phone, At::Name];
        fixed.into_iter().chain((0..self.variables(sight).len()).map(At::Variable)).collect()
    }

    /// What is typed for a variable.
    pub(super) fn value(&self, variable: &str) -> Option<&TextInput> {
        self.values.get(&(self.template.chosen?, variable.to_owned()))
    }

    pub(super) fn text_of(&self, variable: &str) -> &str {
        self.value(variable).map_or("", TextInput::value)
    }

    /// The values of all variables, in their order; blank ones are `None`.
    pub(super) fn given(&self, sight: &Sight<'_>) -> Vec<Option<String>> {
        let given = |variable: &String| Some(self.text_of(variable).trim()).filter(|text| !text.is_empty());
        self.variables(sight).iter().map(|variable| given(variable).map(str::to_owned)).collect()
    }

    // What is offered.

    /// The senders offered.
    pub(super) fn senders(&self, sight: &Sight<'_>) -> Vec<Choice<i64>> {
        choices::senders(self.sender.typed.value(), sight)
    }

    /// The templates offered.
    pub(super) fn templates(&self, sight: &Sight<'_>) -> Vec<Choice<i64>> {
        choices::templates(self.sender.chosen, self.template.typed.value(), sight)
    }

    /// The recipients offered while what is typed is no number: all, or those that match it.
    pub(super) fn recipients(&self, sight: &Sight<'_>) -> Vec<Choice<Recipient>> {
        match self.read_phone(sight) {
            Some(_) => Vec::new(),
            None => choices::recipients(self.sender.chosen, self.phone.value(), sight),
        }
    }

    /// The values offered for the field that has the keys, while it is empty.
    pub(super) fn offers(&self, at: At, sight: &Sight<'_>) -> Vec<String> {
        match at {
            At::Name if self.name.value().is_empty() => {
                let watched = self.pair(sight).and_then(|(id, phone)| sight.known.watch(id, &phone)?.name.clone());
                watched.into_iter().collect()
            }
            At::Variable(place) => {
                let variables = self.variables(sight);
                let (Some(variable), Some(template)) = (variables.get(place), self.chosen_template(sight)) else {
                    return Vec::new();
                };
                let blank = self.text_of(variable).is_empty();
                let offers = blank.then(|| choices::values(template, variable, self.name.value(), sight));
                offers.unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// The value that Enter takes: the recipient's own name by itself, what others were sent only once it was chosen.
    pub(super) fn offered(&self, at: At, sight: &Sight<'_>) -> Option<String> {
        let chosen = self.offer.filter(|_| at == self.at);
        let own = || (!self.offers_are_others(at, sight)).then_some(0);
        let place = chosen.or_else(own)?;
        self.offers(at, sight).into_iter().nth(place)
    }

    /// True where what is offered for a field was sent to others.
    pub(super) fn offers_are_others(&self, at: At, sight: &Sight<'_>) -> bool {
        let At::Variable(place) = at else { return false };
        self.variables(sight).get(place).is_some_and(|variable| words::asks_for(variable).is_none())
    }

    // Keys.

    /// Takes a key.
    pub(super) fn key(&mut self, key: Key, sight: &Sight<'_>) -> Step {
        let fields = self.fields(sight);
        let place = fields.iter().position(|at| *at == self.at).unwrap_or(0);
        match key.code {
            KeyCode::Esc if self.clear_search() => {}
            KeyCode::Esc => return Step::Leave,
            KeyCode::Enter => return self.enter(sight),
            KeyCode::Tab => self.go(fields[(place + 1) % fields.len()], sight),
            KeyCode::BackTab => self.go(fields[(place + fields.len() - 1) % fields.len()], sight),
            KeyCode::Down | KeyCode::Up => {
                let down = key.code == KeyCode::Down;
                if !self.step_offer(down, sight) {
                    let next = if down { (place + 1).min(fields.len() - 1) } else { place.saturating_sub(1) };
                    self.go(fields[next], sight);
                }
            }
            _ => self.edit(|field| field.key(key), sight),
        }
        self.adopt(sight);
        Step::Stay
    }

    /// Takes a paste into the field that has the keys.
    pub(super) fn paste(&mut self, text: &str, sight: &Sight<'_>) {
        self.edit(
            |field| {
                field.paste(text);
                true
            },
            sight,
        );
        self.adopt(sight);
    }

    fn edit(&mut self, change: impl FnOnce(&mut TextInput) -> bool, sight: &Sight<'_>) {
        let variable = match self.at {
            At::Variable(place) => self.variables(sight).get(place).cloned().zip(self.template.chosen),
            _ => None,
        };
        let field = match (self.at, variable) {
            (At::Sender, _) => &mut self.sender.typed,
            (At::Template, _) => &mut self.template.typed,
            (At::Phone, _) => &mut self.phone,
            (At::Name, _) => &mut self.name,
            (At::Variable(_), Some((variable, template_id))) => self.values.entry((template_id, variable)).or_default(),
            (At::Variable(_), None) => return,
        };
        if change(field) {
            (self.sender.marked, self.template.marked, self.recipient, self.offer) = (None, None, None, None);
        }
    }

    /// Empties what is typed to find something; false where nothing was.
    fn clear_search(&mut self) -> bool {
        let picker = match self.at {
            At::Sender => &mut self.sender,
            At::Template => &mut self.template,
            _ => return false,
        };
        let searched = !picker.typed.value().is_empty();
        (picker.typed, picker.marked) = (TextInput::default(), None);
        searched
    }

    /// Moves the mark, or shows the next value offered; false where there is nothing to choose from.
    fn step_offer(&mut self, down: bool, sight: &Sight<'_>) -> bool {
        let (length, now) = match self.at {
            At::Sender => (self.senders(sight).len(), marked(&self.sender, &self.senders(sight))),
            At::Template => (self.templates(sight).len(), marked(&self.template, &self.templates(sight))),
            At::Phone => {
                let length = self.recipients(sight).len();
                (length, self.recipient.or((self.phone.value().is_empty() && length > 0).then_some(0)))
            }
            at if self.offers_are_others(at, sight) => return self.step_value(down, sight),
            _ => return false,
        };
        if length == 0 {
            return false;
        }
        let next = match now {
            Some(now) if down => (now + 1).min(length - 1),
            Some(now) => now.saturating_sub(1),
            None => 0,
        };
        match self.at {
            At::Sender => self.sender.marked = Some(next),
            At::Template => self.template.marked = Some(next),
            _ => self.recipient = Some(next),
        }
        true
    }

    /// Shows the next of the values that others were sent; above the first one there is none again, and then the field
    /// before this one.
    fn step_value(&mut self, down: bool, sight: &Sight<'_>) -> bool {
        let length = self.offers(self.at, sight).len();
        let before = self.offer;
        self.offer = match before {
            Some(now) if down => Some((now + 1).min(length - 1)),
            Some(now) => now.checked_sub(1),
            None => (down && length > 0).then_some(0),
        };
        before.or(self.offer).is_some()
    }

    /// Leaves the field for another; what was looked for and marked is taken.
    fn go(&mut self, to: At, sight: &Sight<'_>) {
        self.settle(sight);
        self.left.insert(self.at);
        (self.at, self.offer, self.recipient) = (to, None, None);
    }

    /// Takes what is marked in a list, and writes a number as people read it.
    fn settle(&mut self, sight: &Sight<'_>) {
        match self.at {
            At::Sender => {
                let before = self.sender.chosen;
                let choices = self.senders(sight);
                self.sender.take(&choices);
                if self.sender.chosen != before {
                    self.template = Picker::default();
                }
            }
            At::Template => {
                let choices = self.templates(sight);
                self.template.take(&choices);
            }
            At::Phone => self.settle_phone(sight),
            At::Name | At::Variable(_) => {}
        }
    }

    fn settle_phone(&mut self, sight: &Sight<'_>) {
        let typed = self.phone.value().trim().to_owned();
        let searching = typed.chars().any(char::is_alphabetic);
        let marked = self.recipient.or(searching.then_some(0));
        if let Some(choice) = marked.and_then(|at| self.recipients(sight).into_iter().nth(at)) {
            self.take_recipient(&choice.value, sight);
        } else if let Some(phone) = self.read_phone(sight) {
            self.phone = TextInput::new(&phone.pretty());
        }
    }

    fn take_recipient(&mut self, recipient: &Recipient, sight: &Sight<'_>) {
        self.phone = TextInput::new(&words::pretty(&recipient.phone));
        // A name that was there belonged to somebody else.
        self.forget_name(sight);
        self.named = Some(self.phone_key(sight)).zip(recipient.name.clone());
        self.name = recipient.name.as_deref().map(TextInput::new).unwrap_or_default();
        let can_send = recipient.template_id.filter(|id| {
            let template = self.sender.chosen.and_then(|sender_id| sight.known.template(sender_id, *id));
            template.is_some_and(|template| why_not_sendable(template).is_none())
        });
        if let Some(template_id) = can_send.filter(|_| !self.template.by_hand) {
            self.template.chosen = Some(template_id);
        }
    }

    fn enter(&mut self, sight: &Sight<'_>) -> Step {
        let at = self.at;
        let taken = self.take_offer(sight);
        self.left.insert(at);
        if self.barred_mark(sight).is_some() {
            return Step::Stay;
        }
        self.settle(sight);
        (self.offer, self.recipient) = (None, None);
        if self.fault(at, sight).is_some() {
            return Step::Stay;
        }
        // The number is whole now, and its draft may answer what would be asked for next.
        self.fill_draft(true, sight);
        match self.next_needed(sight) {
            Some(next) => {
                self.left.extend(Some(next).filter(|next| *next < at));
                self.at = next;
                self.adopt(sight);
                Step::Stay
            }
            // What the program has filled in is read before the box asks.
            None if taken => {
                self.adopt(sight);
                Step::Stay
            }
            None => match self.check(sight) {
                Ok(ready) => Step::Ready(Box::new(ready)),
                Err((at, fault)) => {
                    self.at = at;
                    Step::Told(fault)
                }
            },
        }
    }

    /// Takes what an empty field offers; true where it offers something.
    fn take_offer(&mut self, sight: &Sight<'_>) -> bool {
        match self.at {
            At::Phone if self.phone.value().trim().is_empty() => {
                self.recipient = self.recipient.or(Some(0));
                true
            }
            at @ (At::Name | At::Variable(_)) => {
                let Some(offered) = self.offered(at, sight) else { return false };
                self.edit(
                    |field| {
                        *field = TextInput::new(&offered);
                        true
                    },
                    sight,
                );
                true
            }
            _ => false,
        }
    }

    /// The bottom line.
    pub(super) fn hints(&self, sight: &Sight<'_>) -> String {
        let enter = match self.at {
            At::Sender | At::Template => "Enter takes it   up and down choose   letters search",
            At::Phone if !self.recipients(sight).is_empty() => "Enter takes it   up and down choose",
            at if self.offered(at, sight).is_none() && !self.offers(at, sight).is_empty() => {
                "Enter goes on   down chooses what was used before"
            }
            _ if self.offer.is_some() => "Enter takes it   up and down choose",
            at if self.offered(at, sight).is_some() => "Enter takes what is offered",
            _ => "Enter goes on",
        };
        format!("{enter}   Tab next   Esc leaves")
    }
}
