//! The form of a template: who sends what to whom, with a field for each variable.

use super::choices::{self, Choice, Recipient};
use super::draft::{Pair, Typed};
use super::ready::{Ready, Step};
use super::words::NamePart;
use super::{Sight, Wanted, words};
use crate::api::messaging::{arrange_variables, fill_template, recipient_name};
use crate::api::{SendTemplate, Template, rules};
use crate::messaging::{Outgoing, Phone, human_name, template_name};
use crate::records::{Draft, TemplateName, Used};
use crate::ui::input::{Key, KeyCode};
use crate::ui::widgets::input::TextInput;
use jiff::Timestamp;
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
    by_hand: bool,
    pub(super) typed: TextInput,
    /// Which of those offered is marked, once somebody has moved the mark.
    pub(super) marked: Option<usize>,
}

impl Picker {
    /// True where somebody is choosing something else.
    fn is_searched(&self) -> bool {
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

/// A draft that was filled in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Loaded {
    pair: Pair,
    /// When it was typed; `None` where there was none to fill in.
    pub(super) saved: Option<Timestamp>,
    name: Option<String>,
    values: Vec<(String, String)>,
}

/// The form.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Form {
    /// What it was opened with, and so was not typed.
    opened: Wanted,
    pub(super) at: At,
    /// The fields whose faults are shown: they were left, or Enter was pressed.
    left: BTreeSet<At>,
    pub(super) sender: Picker,
    pub(super) template: Picker,
    pub(super) phone: TextInput,
    /// Which of the recipients offered is marked.
    pub(super) recipient: Option<usize>,
    pub(super) name: TextInput,
    /// Whose name was filled in by itself: it goes when the number is another's.
    named: Option<(String, String)>,
    /// By template and variable: what was typed for one template is there when it is chosen again.
    values: BTreeMap<(i64, String), TextInput>,
    /// Which of the values offered is shown.
    pub(super) offer: usize,
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
            values: BTreeMap::new(),
            offer: 0,
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
        Phone::read(self.phone.value(), sight.options.messaging.country.as_deref()).ok()
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

    fn text_of(&self, variable: &str) -> &str {
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
                let (Some(variable), Some(template_id)) = (variables.get(place), self.template.chosen) else {
                    return Vec::new();
                };
                let blank = self.text_of(variable).is_empty();
                let offers = blank.then(|| choices::values(template_id, variable, self.name.value(), sight));
                offers.unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// The value offered now.
    pub(super) fn offered(&self, at: At, sight: &Sight<'_>) -> Option<String> {
        let mut offers = self.offers(at, sight);
        let place = if at == self.at { self.offer } else { 0 };
        (!offers.is_empty()).then(|| offers.swap_remove(place % offers.len()))
    }

    // What is wrong.

    /// What is wrong with a field.
    pub(super) fn fault(&self, at: At, sight: &Sight<'_>) -> Option<String> {
        match at {
            At::Sender => match self.sender.chosen.and_then(|id| sight.known.sender(id)) {
                None => Some("choose a sender".to_owned()),
                Some(sender) => choices::sender_barred(sender),
            },
            At::Template => match self.chosen_template(sight) {
                None => Some("choose a template".to_owned()),
                Some(template) => choices::template_barred(template),
            },
            At::Phone => {
                let read = Phone::read(self.phone.value(), sight.options.messaging.country.as_deref());
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
    fn barred_mark(&self, sight: &Sight<'_>) -> Option<String> {
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
    fn next_needed(&self, sight: &Sight<'_>) -> Option<At> {
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
        let used = keys.iter().zip(&values).filter(|(variable, _)| words::asks_for(variable).is_none());
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

    // What is known by itself.

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
        self.forget_name(sight);
        // A number that is being typed may be the beginning of another one.
        self.fill_draft(self.at != At::Phone, sight);
    }

    /// A name belongs to its number: under another one it goes, wherever it was filled in.
    fn forget_name(&mut self, sight: &Sight<'_>) {
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
    fn first_template(&self, sight: &Sight<'_>) -> Option<i64> {
        let sender_id = self.sender.chosen?;
        let can_send = |id: &i64| {
            sight.known.template(sender_id, *id).is_some_and(|template| choices::template_barred(template).is_none())
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

    /// The recipient as drafts name it: in E.164, or what there is of it.
    fn phone_key(&self, sight: &Sight<'_>) -> String {
        let typed = || self.phone.value().trim().to_owned();
        self.read_phone(sight).map_or_else(typed, |phone| phone.e164().to_owned())
    }

    /// Takes back what the draft of another recipient or template has filled in, and fills in that of these where the
    /// number is whole.
    fn fill_draft(&mut self, whole: bool, sight: &Sight<'_>) {
        let pair = (self.phone_key(sight), self.template.chosen);
        if self.loaded.as_ref().is_some_and(|loaded| loaded.pair == pair) {
            return;
        }
        if let Some(loaded) = self.loaded.take() {
            if let Some(template_id) = loaded.pair.1 {
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
        let (true, Some(template_id)) = (whole && !pair.0.is_empty(), pair.1) else { return };
        let found = sight
            .known
            .drafts
            .iter()
            .find(|draft| draft.message.is_none() && draft.phone == pair.0 && draft.template_id == pair.1);
        let mut loaded = Loaded { pair, saved: None, name: None, values: Vec::new() };
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
        }
        self.loaded = Some(loaded);
    }

    /// What is typed, to be kept.
    pub(super) fn typed(&self, sight: &Sight<'_>) -> Typed {
        let pair = (self.phone_key(sight), self.template.chosen);
        let values: BTreeMap<String, String> = self
            .variables(sight)
            .into_iter()
            .map(|variable| (self.text_of(&variable).to_owned(), variable))
            .filter(|(value, _)| !value.is_empty())
            .map(|(value, variable)| (variable, value))
            .collect();
        let given = self.opened.phone.clone().unwrap_or_default();
        let named = self.name.value() != self.opened.name.as_deref().unwrap_or_default();
        let says = !values.is_empty() || named || pair.0 != given;
        let draft = says.then(|| Draft {
            sender_id: self.sender.chosen,
            phone: pair.0.clone(),
            template_id: pair.1,
            name: self.name.value().to_owned(),
            values,
            message: None,
            saved: Timestamp::UNIX_EPOCH,
        });
        let filled = self.loaded.as_ref().is_some_and(|loaded| loaded.pair == pair);
        Typed { pair, draft, filled }
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
            (self.sender.marked, self.template.marked, self.recipient, self.offer) = (None, None, None, 0);
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
            at => (self.offers(at, sight).len(), Some(self.offer)),
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
            At::Phone => self.recipient = Some(next),
            _ if length == 1 => return false,
            _ => self.offer = (self.offer + if down { 1 } else { length - 1 }) % length,
        }
        true
    }

    /// Leaves the field for another; what was looked for and marked is taken.
    fn go(&mut self, to: At, sight: &Sight<'_>) {
        self.settle(sight);
        self.left.insert(self.at);
        (self.at, self.offer, self.recipient) = (to, 0, None);
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
            self.take_recipient(choice.value, sight);
        } else if let Some(phone) = self.read_phone(sight) {
            self.phone = TextInput::new(&phone.pretty());
        }
    }

    fn take_recipient(&mut self, recipient: Recipient, sight: &Sight<'_>) {
        self.phone = TextInput::new(&words::pretty(&recipient.phone));
        // A name that was there belonged to somebody else.
        self.forget_name(sight);
        self.named = Some(self.phone_key(sight)).zip(recipient.name.clone());
        self.name = recipient.name.as_deref().map(TextInput::new).unwrap_or_default();
        let can_send = recipient.template_id.filter(|id| {
            let template = self.sender.chosen.and_then(|sender_id| sight.known.template(sender_id, *id));
            template.is_some_and(|template| choices::template_barred(template).is_none())
        });
        if let Some(template_id) = can_send.filter(|_| !self.template.by_hand) {
            self.template.chosen = Some(template_id);
        }
    }

    fn enter(&mut self, sight: &Sight<'_>) -> Step {
        let at = self.at;
        match at {
            At::Phone if self.phone.value().trim().is_empty() => {
                self.recipient = self.recipient.or(Some(0));
            }
            At::Name | At::Variable(_) => {
                if let Some(offered) = self.offered(at, sight) {
                    self.edit(
                        |field| {
                            *field = TextInput::new(&offered);
                            true
                        },
                        sight,
                    );
                }
            }
            _ => {}
        }
        self.left.insert(at);
        if self.barred_mark(sight).is_some() {
            return Step::Stay;
        }
        self.settle(sight);
        (self.offer, self.recipient) = (0, None);
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
            None => match self.check(sight) {
                Ok(ready) => Step::Ready(Box::new(ready)),
                Err((at, fault)) => {
                    self.at = at;
                    Step::Told(fault)
                }
            },
        }
    }

    /// The bottom line.
    pub(super) fn hints(&self, sight: &Sight<'_>) -> String {
        let enter = match self.at {
            At::Sender | At::Template => "Enter takes it   up and down choose   letters search",
            At::Phone if !self.recipients(sight).is_empty() => "Enter takes it   up and down choose",
            at if self.offers(at, sight).len() > 1 => "Enter takes what is offered   up and down: others",
            at if !self.offers(at, sight).is_empty() => "Enter takes what is offered",
            _ => "Enter goes on",
        };
        format!("{enter}   Tab next   Esc leaves")
    }
}
