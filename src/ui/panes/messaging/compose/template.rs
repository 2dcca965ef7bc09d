//! Filling in a template: after each key [`MessageForm::refresh`] brings fields, suggestions, the draft and the errors in
//! line with what the form holds and the pane knows.

use super::form::{MessageForm, NAME, PHONE, SENDER, TEMPLATE, key, name_field, path};
use super::{Snapshot, format, suggestions};
use crate::api::rules::Fault;
use crate::messaging::human_name;
use crate::ui::action::{Action, FieldStep};
use crate::ui::compose::drafts::DraftState;
use crate::ui::compose::message;
use crate::ui::widgets::form::{Field, FormEvent};

impl MessageForm {
    // Keys.

    /// Takes an action.
    pub fn act(&mut self, action: Action, context: &Snapshot<'_>) -> FormEvent {
        self.visited.insert(self.form.focused().to_owned());
        match action {
            Action::Field(FieldStep::Enter) if !self.freeform => self.enter(context),
            action => self.form.act(action),
        }
    }

    /// Takes the focused text back from the user's editor.
    pub fn edited(&mut self, text: &str) -> FormEvent {
        let focused = self.form.focused().to_owned();
        self.form.set(&focused, text);
        FormEvent::Changed
    }

    /// Enter goes to the next field that needs something, and submits where none does. A suggested value is accepted
    /// first, so that it is read before the message is sent.
    fn enter(&mut self, context: &Snapshot<'_>) -> FormEvent {
        let before = self.form.focused().to_owned();
        let is_picker = [SENDER, TEMPLATE].contains(&&*before);
        let typed = self.form.text_of(PHONE).trim();
        let is_national = self.phone(context).is_none() && self.national(context).is_some();
        let searching = is_national || typed.is_empty() || typed.chars().any(char::is_alphabetic);
        if before == PHONE && searching && self.form.marked(PHONE).is_none() {
            self.form.act(Action::Field(FieldStep::Down));
        }
        let is_suggested = self.form.is_suggested(&before);
        if is_suggested {
            let value = self.form.text_of(&before).to_owned();
            self.form.set(&before, &value);
        }
        let is_marked = self.form.marked(&before).is_some();
        let leaves = if is_picker || is_marked { FieldStep::Enter } else { FieldStep::Next };
        if self.form.act(Action::Field(leaves)) == FormEvent::Ignored {
            return FormEvent::Ignored;
        }
        self.refresh(context);
        self.form.focus(&before);
        if self.needs(&before, &self.faults(context)) || self.focus_next_needed(context) {
            return FormEvent::Focused;
        }
        if !is_picker && (is_suggested || is_marked) { FormEvent::Changed } else { self.form.act(Action::Submit) }
    }

    /// Focuses the next field behind the focused one that is to be filled in or read; false where there is none.
    pub(super) fn focus_next_needed(&mut self, context: &Snapshot<'_>) -> bool {
        let (values, faults) = (self.form.values(), self.faults(context));
        let needed = |(path, value): &&(String, String)| {
            let is_new_name = path == NAME && self.is_at_phone() && value.is_empty();
            let is_unread = is_new_name || path.starts_with("variables.") && self.form.is_suggested(path);
            is_unread && !self.visited.contains(path) || self.needs(path, &faults)
        };
        let next = values.iter().skip_while(|(path, _)| path != self.form.focused()).skip(1).find(needed);
        next.is_some_and(|(path, _)| self.form.focus(path))
    }

    /// True where a field is empty that must not be, or breaks a rule.
    fn needs(&self, path: &str, faults: &[Fault]) -> bool {
        (path != NAME && self.form.text_of(path).trim().is_empty()) || faults.iter().any(|fault| fault.field == path)
    }

    // What follows from what is typed and known.

    /// Brings the form in line with what it holds and with what is known.
    pub(super) fn refresh(&mut self, context: &Snapshot<'_>) {
        if !self.freeform {
            self.choose(context);
            self.offer(context);
            self.clear_for_new_recipient(context);
            // A number that is being typed may be the beginning of another one, unless it is the one that was there
            // before.
            let key = self.phone_key(context);
            let back = self.previous.as_ref().is_some_and(|(phone, _)| *phone == key);
            self.show_variables(context);
            if back || !self.is_at_phone() {
                self.take_recipient(context);
            }
            self.suggest_names(&self.known_name(&key, context));
            let hint = self.phone(context).and_then(|phone| phone.hint());
            self.form.set_warnings(hint.map(|hint| Fault::new(PHONE, hint)).into_iter().collect());
        }
        let faults = self.faults(context);
        self.form.set_errors(faults);
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
            let (sender_id, typed) = (self.sender_id(), self.form.text_of(PHONE));
            let recipients = || suggestions::recipients(sender_id, typed, self.own_draft.as_ref(), context);
            let found = if self.phone(context).is_some() { Vec::new() } else { recipients() };
            let items = self.national(context).into_iter().chain(found).collect();
            self.form.offer(PHONE, items);
        } else if let Some(variable) = focused.strip_prefix("variables.") {
            let template = self.chosen_template(context).filter(|_| self.form.text_of(&focused).is_empty());
            let items = template.map(|template| suggestions::values(template, variable, context));
            self.form.offer(&focused, items.unwrap_or_default());
        }
    }

    /// Chooses a sender and a template where the user has not.
    fn choose(&mut self, context: &Snapshot<'_>) {
        let can_send = || context.known.senders.iter().find(|sender| suggestions::sender_barred(sender).is_none());
        let sender = self.sender_id().or_else(|| Some(can_send()?.id));
        self.form.set(SENDER, &key(sender));
        if self.sender.is_some() && sender != self.sender {
            self.form.set(TEMPLATE, "");
        }
        self.sender = sender;
        let is_listed = sender.is_some_and(|id| context.known.templates_of(id).is_some());
        if is_listed && self.chosen_template(context).is_none() {
            self.auto_template = self.first_template(context);
            self.form.set(TEMPLATE, &key(self.auto_template));
        }
    }

    /// The template to begin with: that of the recipient's draft, the last one used, or the first that can be sent.
    fn first_template(&self, context: &Snapshot<'_>) -> Option<i64> {
        let drafted = self.drafted_template(&self.phone_key(context), context);
        let sendable = self.sendable_templates(context);
        let used = context.known.used.iter().map(|used| used.template_id).find(|id| sendable.contains(id));
        drafted.or(used).or(sendable.first().copied())
    }

    fn drafted_template(&self, phone: &str, context: &Snapshot<'_>) -> Option<i64> {
        let draft = suggestions::draft_of(phone, context).filter(|_| !phone.is_empty())?;
        draft.template_id.filter(|id| self.sendable_templates(context).contains(id))
    }

    fn sendable_templates(&self, context: &Snapshot<'_>) -> Vec<i64> {
        let items = suggestions::templates(self.sender_id(), context).into_iter();
        items.filter(|item| item.barred.is_none()).filter_map(|item| item.key.parse().ok()).collect()
    }

    /// What was typed for one recipient is never shown under another number: once the number changes, it leaves the
    /// form. It is saved as their draft, and comes back with their number.
    fn clear_for_new_recipient(&mut self, context: &Snapshot<'_>) {
        let key = self.phone_key(context);
        let has_content = self.has_content(context);
        let Some(before) = self.recipient.take_if(|recipient| *recipient != key) else { return };
        if has_content {
            let label = self.name().unwrap_or_else(|| format::phone(&before));
            self.previous = Some((before, label));
        }
        self.loaded = None;
        self.other_values.clear();
        self.variables.clear();
        self.visited.retain(|path| path == SENDER || path == TEMPLATE);
        // New fields: undo must not bring one person's words back under another number.
        self.form.change_fields(|fields| {
            fields.truncate(3);
            fields.push(name_field());
        });
    }

    /// The number is whole: what is typed belongs to it, its draft is filled in, and it is formatted.
    fn take_recipient(&mut self, context: &Snapshot<'_>) {
        if let Some(phone) = self.phone(context) {
            if phone.pretty() != self.form.text_of(PHONE) && !self.is_at_phone() {
                self.form.set(PHONE, &phone.pretty());
            }
            if self.recipient.is_none() {
                self.recipient = Some(phone.e164().to_owned());
                let drafted = self.drafted_template(phone.e164(), context);
                let is_untouched = self.template_id() == self.auto_template && !self.has_content(context);
                if drafted.is_some() && is_untouched {
                    self.auto_template = drafted;
                    self.form.set(TEMPLATE, &key(drafted));
                }
            }
            self.previous = None;
        }
        self.show_variables(context);
        let DraftState { key, filled, .. } = self.draft_state(context);
        if key.phone.is_empty() || key.template_id.is_none() || filled {
            return;
        }
        let mut saved = None;
        if let Some(draft) = context.known.drafts.iter().find(|draft| draft.key() == key) {
            let name = Some((NAME.to_owned(), &draft.name)).filter(|(_, name)| !name.is_empty());
            let has_secrets = self.has_secrets(context);
            let values = draft.values.iter().filter(|_| !has_secrets);
            let values = values.map(|(variable, value)| (path(variable), value));
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
        let template = self.chosen_template(context);
        let (id, variables) = (self.template_id(), template.map(message::variables).unwrap_or_default());
        if (id, &variables) == (self.shown_template, &self.variables) {
            return;
        }
        if let Some(before) = self.shown_template {
            let typed = self.typed_values().into_iter();
            self.other_values.extend(typed.map(|(variable, value)| ((before, variable), value)));
        }
        let down = context.view.options.glyphs.down;
        let fields = variables.iter().map(|variable| {
            let typed = id.and_then(|id| self.other_values.remove(&(id, variable.clone()))).unwrap_or_default();
            let is_number = variable.parse::<u8>().is_ok();
            let label = if is_number { format!("Variable {variable}") } else { human_name(variable) };
            let used = template.is_some_and(|template| !suggestions::values(template, variable, context).is_empty());
            let hint = if used { format!("{down} values used before") } else { String::new() };
            Field::line(&path(variable), &label, &typed).required().hint(hint)
        });
        let fields: Vec<Field> = fields.collect();
        self.form.change_fields(|all| {
            all.truncate(4);
            all.extend(fields);
        });
        (self.shown_template, self.variables) = (id, variables);
        self.has_secrets = template.is_some_and(suggestions::is_secret);
    }

    /// Suggests the recipient's name, also where a variable asks for it.
    fn suggest_names(&mut self, known: &str) {
        self.form.suggest(NAME, known);
        let name = self.form.text_of(NAME).to_owned();
        for variable in &self.variables {
            if let Some(name) = format::name_for(variable, &name) {
                self.form.suggest(&path(variable), name);
            }
        }
    }
}
