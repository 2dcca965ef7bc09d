//! The form of a template message. After each key [`TemplateForm::refresh`] brings fields, suggestions, the draft and
//! what is wrong in line with what the form holds and the pane knows.

use super::drafts::Typed;
use super::{Preset, Snapshot, format, message, suggestions};
use crate::api::rules::Fault;
use crate::api::{SendTemplate, Template};
use crate::messaging::{Outgoing, Phone, human_name};
use crate::records::{Draft, DraftKey};
use crate::ui::action::{Action, FieldStep};
use crate::ui::panes::messaging::words::why_not_sendable;
use crate::ui::widgets::form::{Field, Form, FormEvent};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const SENDER: &str = "sender_id";
pub(super) const TEMPLATE: &str = "template_id";
pub(super) const PHONE: &str = "recipient_phone";
pub(super) const NAME: &str = "recipient_name";

/// The path of a variable's field.
fn path(variable: &str) -> String {
    format!("variables.{variable}")
}

/// The form.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TemplateForm {
    pub(super) form: Form,
    preset: Preset,
    /// The template that the program chose: another one was chosen by the user.
    auto: Option<i64>,
    /// The sender that the template belongs to.
    sender: Option<i64>,
    /// The template that the fields belong to, and its variables.
    shown: (Option<i64>, Vec<String>),
    /// By template and variable, what was typed for templates that were chosen before.
    values: BTreeMap<(i64, String), String>,
    /// The recipient that the typed words belong to: the last whole number when its field was left.
    owner: Option<String>,
    /// The recipient whose words left the form when the number changed, until it is whole again: E.164, and for people.
    pub(super) parted: Option<(String, String)>,
    /// The draft that was filled in, and when it was typed; no time where there was none to fill in.
    loaded: Option<(DraftKey, Option<Timestamp>)>,
    /// Fields that had the focus.
    visited: BTreeSet<String>,
}

impl TemplateForm {
    /// The form as it opens.
    pub(super) fn new(preset: Preset, context: &Snapshot<'_>) -> Self {
        let phone = preset.phone.as_deref().map(format::pretty).unwrap_or_default();
        let fields = vec![
            Field::picker(SENDER, "From", Vec::new(), key(preset.sender_id)).required().eager(),
            Field::picker(TEMPLATE, "Template", Vec::new(), key(preset.template_id)).required().eager(),
            Field::line(PHONE, "To (phone)", &phone).required().hint("+49 30 901820, or a name to search for"),
            name_field(),
        ];
        let mut form = Self {
            form: Form::new(fields),
            auto: None,
            sender: preset.sender_id,
            shown: (None, Vec::new()),
            values: BTreeMap::new(),
            owner: None,
            parted: None,
            loaded: None,
            visited: BTreeSet::new(),
            preset,
        };
        form.form.focus(TEMPLATE);
        form.refresh(context);
        let wanted = [
            (SENDER, form.sender_id().is_none()),
            (TEMPLATE, form.preset.template_id.is_none()),
            (PHONE, form.preset.phone.is_none()),
        ];
        let first = wanted.into_iter().find(|(_, wanted)| *wanted).map(|(path, _)| path.to_owned());
        if let Some(first) = first.or_else(|| form.next_needed(context)) {
            form.form.focus(&first);
        }
        form.refresh(context);
        form
    }

    // What the form holds.

    pub(super) fn sender_id(&self) -> Option<i64> {
        self.form.text_of(SENDER).parse().ok()
    }

    fn template_id(&self) -> Option<i64> {
        self.form.text_of(TEMPLATE).parse().ok()
    }

    /// True while the recipient's number is being typed.
    pub(super) fn is_at_phone(&self) -> bool {
        self.form.focused() == PHONE
    }

    /// The template, where it is one of the sender's.
    pub(super) fn template<'a>(&self, context: &Snapshot<'a>) -> Option<&'a Template> {
        context.known.template(self.sender_id()?, self.template_id()?)
    }

    /// The recipient's number, where what is typed is one.
    pub(super) fn phone(&self, context: &Snapshot<'_>) -> Option<Phone> {
        Phone::read(self.form.text_of(PHONE), context.options.country.as_deref()).ok()
    }

    /// The recipient as drafts name it: in E.164, or what there is of it.
    fn phone_key(&self, context: &Snapshot<'_>) -> String {
        let typed = || self.form.text_of(PHONE).trim().to_owned();
        self.phone(context).map_or_else(typed, |phone| phone.e164().to_owned())
    }

    /// Sender and recipient, where both are known.
    pub(super) fn pair(&self, context: &Snapshot<'_>) -> Option<(i64, String)> {
        Some((self.sender_id()?, self.phone(context)?.e164().to_owned()))
    }

    /// The values of the variables, in their order.
    pub(super) fn values(&self) -> Vec<&str> {
        self.shown.1.iter().map(|variable| self.form.text_of(&path(variable)).trim()).collect()
    }

    pub(super) fn variables(&self) -> &[String] {
        &self.shown.1
    }

    /// The time of the draft that was filled in.
    pub(super) fn drafted(&self) -> Option<Timestamp> {
        self.loaded.as_ref().and_then(|(_, saved)| *saved)
    }

    /// The message, once a sender and a template are chosen; the recipient's number as typed where it is none.
    pub(super) fn message(&self, context: &Snapshot<'_>) -> Option<Outgoing> {
        let variables = self.shown.1.iter().cloned().zip(self.values().into_iter().map(str::to_owned)).collect();
        Some(Outgoing::Template(SendTemplate {
            sender_id: self.sender_id()?,
            template_id: self.template_id()?,
            recipient_phone: self.phone_key(context),
            recipient_name: self.name(),
            variables,
        }))
    }

    /// The recipient's name, where there is one.
    pub(super) fn name(&self) -> Option<String> {
        Some(self.form.text_of(NAME).trim().to_owned()).filter(|name| !name.is_empty())
    }

    fn draft_key(&self, context: &Snapshot<'_>) -> DraftKey {
        DraftKey { phone: self.phone_key(context), template_id: self.template_id(), writer: None }
    }

    /// What the user typed for a variable; suggested values do not count.
    fn typed_for(&self, variable: &str) -> Option<&str> {
        let path = path(variable);
        Some(self.form.text_of(&path)).filter(|text| !text.is_empty() && !self.form.is_suggested(&path))
    }

    /// What was typed, to be saved as a draft.
    pub(super) fn typed(&self, context: &Snapshot<'_>) -> Typed {
        let key = self.draft_key(context);
        let typed = |variable: &String| Some((variable.clone(), self.typed_for(variable)?.to_owned()));
        let values: BTreeMap<String, String> = self.shown.1.iter().filter_map(typed).collect();
        let name = self.form.text_of(NAME);
        let named = !self.form.is_suggested(NAME) && name != self.preset.name.as_deref().unwrap_or_default();
        // A text that searches for somebody is no recipient.
        let addressed = self.phone(context).is_some() && Some(&key.phone) != self.preset.phone.as_ref();
        let draft = (!values.is_empty() || named || addressed).then(|| Draft {
            sender_id: self.sender_id(),
            phone: key.phone.clone(),
            template_id: key.template_id,
            name: name.to_owned(),
            values,
            message: None,
            saved: Timestamp::UNIX_EPOCH,
        });
        let filled = self.loaded.as_ref().is_some_and(|(loaded, _)| *loaded == key);
        let stays = self.owner.as_ref() == Some(&key.phone) && self.has_words(context);
        Typed { key, draft, filled, stays }
    }

    /// True where more was typed than the recipient.
    fn has_words(&self, context: &Snapshot<'_>) -> bool {
        let known = self.owner.as_deref().map(|owner| self.known_name(owner, context)).unwrap_or_default();
        let name = self.form.text_of(NAME);
        let named = !name.is_empty() && !self.form.is_suggested(NAME) && name != known;
        let values = self.shown.1.iter().any(|variable| self.typed_for(variable).is_some());
        named || values || !self.values.is_empty()
    }

    /// The name of a recipient, in E.164, as far as it is known.
    fn known_name(&self, phone: &str, context: &Snapshot<'_>) -> String {
        let preset = self.preset.name.clone().filter(|_| self.preset.phone.as_deref() == Some(phone));
        let watched = || {
            let theirs = self.sender_id().and_then(|sender_id| context.known.watch(sender_id, phone));
            theirs.or_else(|| context.known.windows.iter().find(|watch| watch.phone == phone))?.name.clone()
        };
        preset.or_else(watched).unwrap_or_default()
    }

    // Keys.

    /// Takes an action.
    pub(super) fn act(&mut self, action: Action, context: &Snapshot<'_>) -> FormEvent {
        self.visited.insert(self.form.focused().to_owned());
        let event = match action {
            Action::Field(FieldStep::Enter) => self.enter(context),
            action => self.form.act(action),
        };
        self.refresh(context);
        event
    }

    /// Enter goes to the next field that needs something, and submits where none does. What the program has filled in
    /// just now is read first.
    fn enter(&mut self, context: &Snapshot<'_>) -> FormEvent {
        let before = self.form.focused().to_owned();
        let is_picker = [SENDER, TEMPLATE].contains(&&*before);
        let typed = self.form.text_of(PHONE).trim();
        let searching = typed.is_empty() || typed.chars().any(char::is_alphabetic);
        if before == PHONE && searching && self.form.marked(PHONE).is_none() {
            self.form.act(Action::Field(FieldStep::Down));
        }
        let taken = !is_picker && (self.form.is_suggested(&before) || self.form.marked(&before).is_some());
        if self.form.is_suggested(&before) {
            let value = self.form.text_of(&before).to_owned();
            self.form.set(&before, &value);
        }
        let chosen = is_picker || self.form.marked(&before).is_some();
        let leaves = if chosen { FieldStep::Enter } else { FieldStep::Next };
        if self.form.act(Action::Field(leaves)) == FormEvent::Ignored {
            return FormEvent::Ignored;
        }
        self.refresh(context);
        self.form.focus(&before);
        if self.needs(&before, &self.faults(context)) {
            return FormEvent::Focused;
        }
        match self.next_needed(context) {
            Some(next) => {
                self.form.focus(&next);
                FormEvent::Focused
            }
            None if taken => FormEvent::Changed,
            None => self.form.act(Action::Submit),
        }
    }

    /// The next field behind the focused one that is to be filled in or read.
    fn next_needed(&self, context: &Snapshot<'_>) -> Option<String> {
        let values = self.form.values();
        let at = values.iter().position(|(path, _)| path == self.form.focused())?;
        let faults = self.faults(context);
        let needed = |path: &str, value: &str| {
            let unread = !self.visited.contains(path);
            let is_new = path == NAME && self.is_at_phone() && value.is_empty() && unread;
            let unread = path.starts_with("variables.") && self.form.is_suggested(path) && unread;
            unread || is_new || self.needs(path, &faults)
        };
        values[at + 1..].iter().find(|(path, value)| needed(path, value)).map(|(path, _)| path.clone())
    }

    /// True where a field is empty that must not be, or breaks a rule.
    fn needs(&self, path: &str, faults: &[Fault]) -> bool {
        (path != NAME && self.form.text_of(path).trim().is_empty()) || faults.iter().any(|fault| fault.field == path)
    }

    // What follows from what is typed and known.

    fn faults(&self, context: &Snapshot<'_>) -> Vec<Fault> {
        self.message(context).map(|message| message::faults(&message, context)).unwrap_or_default()
    }

    /// Brings the form in line with what it holds and with what is known.
    pub(super) fn refresh(&mut self, context: &Snapshot<'_>) {
        self.offer(context);
        self.choose(context);
        self.part(context);
        // A number that is being typed may be the beginning of another one, unless it is the one that was there before.
        let key = self.phone_key(context);
        let back = self.parted.as_ref().is_some_and(|(phone, _)| *phone == key);
        self.show_variables(context);
        if back || !self.is_at_phone() {
            self.left_phone(context);
        }
        let name = self.known_name(&key, context);
        self.form.suggest(NAME, &name);
        self.suggest_names();
        let faults = self.faults(context);
        self.form.set_errors(faults);
        let hint = self.phone(context).and_then(|phone| phone.hint());
        self.form.set_warnings(hint.map(|hint| Fault::new(PHONE, hint)).into_iter().collect());
    }

    /// Gives the lists their items.
    fn offer(&mut self, context: &Snapshot<'_>) {
        self.form.offer(SENDER, suggestions::senders(context));
        self.form.offer(TEMPLATE, suggestions::templates(self.sender_id(), context));
        let known = context.known;
        let sender = if known.senders.is_empty() { "no sender is known yet" } else { "" };
        let template = match self.sender_id().map(|id| known.templates_of(id)) {
            None => "choose a sender first",
            Some(None) => "loading the templates",
            Some(Some([])) => "this sender has no template",
            Some(Some(_)) => "",
        };
        self.form.change_fields(|fields| {
            (fields[0].hint, fields[1].hint) = (sender.to_owned(), template.to_owned());
        });
        let focused = self.form.focused().to_owned();
        if focused == PHONE {
            let items = match self.phone(context) {
                Some(_) => Vec::new(),
                None => suggestions::recipients(self.sender_id(), self.form.text_of(PHONE), context),
            };
            self.form.offer(PHONE, items);
        } else if let Some(variable) = focused.strip_prefix("variables.") {
            let blank = self.form.text_of(&focused).is_empty();
            let items = self.template(context).filter(|_| blank);
            let items = items.map(|template| suggestions::values(template, variable, context));
            self.form.offer(&focused, items.unwrap_or_default());
        }
    }

    /// Chooses a sender and a template where the user has not.
    fn choose(&mut self, context: &Snapshot<'_>) {
        if self.sender_id().is_none() {
            let can_send = context.known.senders.iter().find(|sender| suggestions::sender_barred(sender).is_none());
            self.form.set(SENDER, &key(can_send.map(|sender| sender.id)));
        }
        let sender = self.sender_id();
        if self.sender.is_some_and(|before| sender != Some(before)) {
            self.form.set(TEMPLATE, "");
        }
        self.sender = sender;
        let listed = self.sender_id().is_some_and(|id| context.known.templates_of(id).is_some());
        if listed && self.template(context).is_none() {
            self.auto = self.first_template(context);
            self.form.set(TEMPLATE, &key(self.auto));
            self.form.offer(TEMPLATE, suggestions::templates(self.sender_id(), context));
        }
    }

    fn can_send(&self, template_id: i64, context: &Snapshot<'_>) -> bool {
        let template = self.sender_id().and_then(|sender_id| context.known.template(sender_id, template_id));
        template.is_some_and(|template| why_not_sendable(template).is_none())
    }

    /// The template to begin with: that of the recipient's draft, the last one used, or the first that can be sent.
    fn first_template(&self, context: &Snapshot<'_>) -> Option<i64> {
        let can_send = |id: &i64| self.can_send(*id, context);
        let drafted = self.drafted_template(&self.phone_key(context), context);
        let used = || context.known.used.iter().map(|used| used.template_id).find(can_send);
        let listed = || suggestions::templates(self.sender_id(), context).into_iter().map(|item| item.key);
        drafted.or_else(used).or_else(|| listed().filter_map(|key| key.parse().ok()).find(can_send))
    }

    fn drafted_template(&self, phone: &str, context: &Snapshot<'_>) -> Option<i64> {
        let draft = suggestions::draft_of(phone, context).filter(|_| !phone.is_empty())?;
        draft.template_id.filter(|id| self.can_send(*id, context))
    }

    /// What was typed for somebody stays theirs: once the number is another, it leaves the form. It is their draft, and
    /// comes back with their number.
    fn part(&mut self, context: &Snapshot<'_>) {
        let key = self.phone_key(context);
        if self.owner.as_ref().is_none_or(|owner| *owner == key) {
            return;
        }
        if self.has_words(context) {
            let phone = self.owner.clone().unwrap_or_default();
            let who = self.name().unwrap_or_else(|| format::pretty(&phone));
            self.parted = Some((phone, who));
        }
        (self.owner, self.loaded) = (None, None);
        self.values.clear();
        self.shown.1.clear();
        self.visited.retain(|path| path == SENDER || path == TEMPLATE);
        // New fields: undo must not bring one person's words back under another number.
        self.form.change_fields(|fields| {
            fields.truncate(3);
            fields.push(name_field());
        });
    }

    /// The number is whole: what is typed belongs to it, its draft is filled in, and it is written as people read it.
    fn left_phone(&mut self, context: &Snapshot<'_>) {
        if let Some(phone) = self.phone(context) {
            self.own(&phone, context);
        }
        if !self.phone_key(context).is_empty() {
            self.show_variables(context);
            self.fill_draft(context);
        }
    }

    fn own(&mut self, phone: &Phone, context: &Snapshot<'_>) {
        if phone.pretty() != self.form.text_of(PHONE) && !self.is_at_phone() {
            self.form.set(PHONE, &phone.pretty());
        }
        if self.owner.is_none() {
            self.owner = Some(phone.e164().to_owned());
            let drafted = self.drafted_template(phone.e164(), context).filter(|_| self.template_id() == self.auto);
            if let Some(template) = drafted.filter(|_| !self.has_words(context)) {
                self.auto = Some(template);
                self.form.set(TEMPLATE, &key(self.auto));
            }
        }
        self.parted = None;
    }

    fn fill_draft(&mut self, context: &Snapshot<'_>) {
        let key = self.draft_key(context);
        if key.template_id.is_none() || self.loaded.as_ref().is_some_and(|(loaded, _)| *loaded == key) {
            return;
        }
        let mut saved = None;
        if let Some(draft) = context.known.drafts.iter().find(|draft| draft.key() == key) {
            let name = Some((NAME.to_owned(), &draft.name)).filter(|(_, name)| !name.is_empty());
            let values = draft.values.iter().map(|(variable, value)| (path(variable), value));
            for (path, value) in values.chain(name) {
                if self.form.text_of(&path).is_empty() || self.form.is_suggested(&path) {
                    self.form.set(&path, value);
                    saved = Some(draft.saved);
                }
            }
        }
        self.loaded = Some((key, saved));
    }

    /// Gives the template's variables their fields; what was typed for the last template is put aside.
    fn show_variables(&mut self, context: &Snapshot<'_>) {
        let template = self.template(context);
        let now = (self.template_id(), template.map(message::variables).unwrap_or_default());
        if now == self.shown {
            return;
        }
        if let Some(before) = self.shown.0 {
            for variable in &self.shown.1 {
                match self.typed_for(variable).map(str::to_owned) {
                    Some(text) => self.values.insert((before, variable.clone()), text),
                    None => self.values.remove(&(before, variable.clone())),
                };
            }
        }
        let down = context.options.glyphs.down;
        let fields = now.1.iter().map(|variable| {
            let typed = now.0.and_then(|id| self.values.remove(&(id, variable.clone()))).unwrap_or_default();
            let label =
                if variable.parse::<u8>().is_ok() { format!("Variable {variable}") } else { human_name(variable) };
            let used = template.is_some_and(|template| !suggestions::values(template, variable, context).is_empty());
            let hint = if used { format!("{down} values used before") } else { String::new() };
            Field::line(&path(variable), &label, &typed).required().hint(hint)
        });
        let fields: Vec<Field> = fields.collect();
        self.form.change_fields(|all| {
            all.truncate(4);
            all.extend(fields);
        });
        self.shown = now;
    }

    /// Suggests the recipient's name where a variable asks for it.
    fn suggest_names(&mut self) {
        let name = self.form.text_of(NAME).to_owned();
        for variable in &self.shown.1 {
            if let Some(name) = format::name_for(variable, &name) {
                self.form.suggest(&path(variable), name);
            }
        }
    }
}

fn key(id: Option<i64>) -> String {
    id.map(|id| id.to_string()).unwrap_or_default()
}

fn name_field() -> Field {
    Field::line(NAME, "Name", "").hint("optional")
}
