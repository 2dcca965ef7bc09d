//! What the fields of the form offer to choose from.

use super::Sight;
use super::words;
use crate::api::{SenderStatus, Template, TemplateCategory};
use crate::messaging::template_name;
use crate::ui::panes::messaging::KnownSender;
use crate::ui::panes::messaging::words::why_not_sendable;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// Something to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice<T> {
    /// What is chosen.
    pub(super) value: T,
    /// What it is called.
    pub(super) name: String,
    /// What is said behind the name.
    pub(super) about: String,
    /// Why it cannot be chosen; `None` where it can.
    pub(super) barred: Option<String>,
}

/// A recipient who was written to, is watched, or has a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recipient {
    /// The number, or what there was of it.
    pub(super) phone: String,
    /// The name, where it is known.
    pub(super) name: Option<String>,
    /// The template of the draft that waits for this recipient.
    pub(super) template_id: Option<i64>,
}

/// Why nothing can be sent from a sender.
pub(super) fn sender_barred(sender: &KnownSender) -> Option<String> {
    match &sender.status {
        None | Some(SenderStatus::Online) => None,
        Some(SenderStatus::Offline) => Some("offline: nothing can be sent from it".to_owned()),
        Some(SenderStatus::Other(word)) => Some(format!("{word}: nothing can be sent from it")),
    }
}

/// The senders that match what is typed.
pub(super) fn senders(typed: &str, sight: &Sight<'_>) -> Vec<Choice<i64>> {
    let choice = |sender: &KnownSender| {
        let (name, phone) = words::sender(sender);
        Choice { value: sender.id, name, about: phone, barred: sender_barred(sender) }
    };
    matching(typed, sight.known.senders.iter().map(choice).collect())
}

/// The templates of a sender that match what is typed, those that can be sent first.
pub(super) fn templates(sender_id: Option<i64>, typed: &str, sight: &Sight<'_>) -> Vec<Choice<i64>> {
    let listed = sender_id.and_then(|id| sight.known.templates.get(&id)).map_or(&[][..], Vec::as_slice);
    let choice = |template: &Template| {
        let id = *template.id.known()?;
        Some(Choice {
            value: id,
            name: template_name(template),
            about: words::template_about(template),
            barred: why_not_sendable(template),
        })
    };
    let mut choices = matching(typed, listed.iter().filter_map(choice).collect());
    choices.sort_by_key(|choice| choice.barred.is_some());
    choices
}

/// The recipients that match what is typed: those with a draft first, then those who are watched.
pub(super) fn recipients(sender_id: Option<i64>, typed: &str, sight: &Sight<'_>) -> Vec<Choice<Recipient>> {
    let mut choices: Vec<Choice<Recipient>> = Vec::new();
    let mut add = |recipient: Recipient, about: String| {
        let known = choices.iter().any(|choice| choice.value.phone == recipient.phone);
        if !known && !recipient.phone.is_empty() {
            let pretty = words::pretty(&recipient.phone);
            let name = recipient.name.as_ref().map_or_else(|| pretty.clone(), |name| format!("{name}  {pretty}"));
            choices.push(Choice { value: recipient, name, about, barred: None });
        }
    };
    for draft in &sight.known.drafts {
        if draft.message.is_none()
            && draft.template_id.is_some()
            && (sender_id.is_none() || draft.sender_id == sender_id)
        {
            let name = Some(draft.name.clone()).filter(|name| !name.is_empty());
            let about = format!("draft from {}", words::time(draft.saved, sight));
            add(Recipient { phone: draft.phone.clone(), name, template_id: draft.template_id }, about);
        }
    }
    for watch in &sight.known.windows {
        if sender_id.is_none() || sender_id == Some(watch.sender_id) {
            let about = watch.window.map(|window| words::window_short(window.at(sight.server_now), sight.server_now));
            let recipient = Recipient { phone: watch.phone.clone(), name: watch.name.clone(), template_id: None };
            add(recipient, about.unwrap_or_default());
        }
    }
    matching(typed, choices)
}

/// True where a template may carry something that is one recipient's alone, such as a code to log in with.
pub(super) fn is_secret(template: &Template) -> bool {
    !matches!(template.category.known(), Some(TemplateCategory::Utility | TemplateCategory::Marketing))
}

/// The values that are offered for a variable: the recipient's name where it asks for one, else what it was before.
pub(super) fn values(template: &Template, variable: &str, name: &str, sight: &Sight<'_>) -> Vec<String> {
    let name = name.trim();
    match words::asks_for(variable) {
        // Names that others had are not offered for anybody else.
        Some(words::NamePart::Whole) => Some(name.to_owned()).into_iter().filter(|name| !name.is_empty()).collect(),
        Some(words::NamePart::First) => name.split_whitespace().next().map(str::to_owned).into_iter().collect(),
        None if is_secret(template) => Vec::new(),
        None => {
            let same = |used: &&crate::records::Used| {
                Some(&used.template_id) == template.id.known() && used.variable == variable
            };
            sight.known.used.iter().filter(same).map(|used| used.value.clone()).collect()
        }
    }
}

/// Those that match, the best first; all in their order where nothing is typed.
fn matching<T>(typed: &str, choices: Vec<Choice<T>>) -> Vec<Choice<T>> {
    let typed = typed.trim();
    if typed.is_empty() {
        return choices;
    }
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut found: Vec<_> = choices
        .into_iter()
        .filter_map(|choice| {
            let haystack = format!("{} {}", choice.name, choice.about);
            let score = pattern.score(Utf32Str::new(&haystack, &mut buffer), &mut matcher)?;
            Some((score, choice))
        })
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, choice)| choice).collect()
}
