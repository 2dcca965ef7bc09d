//! What the fields of the form suggest.

use super::{Snapshot, format};
use crate::api::{Template, TemplateCategory};
use crate::messaging::{Phone, template_name};
use crate::records::{Draft, DraftKey};
use crate::ui::compose::words::may_be_shared;
pub(super) use crate::ui::compose::words::{is_secret, sender_barred};
use crate::ui::fuzzy;
use crate::ui::panes::messaging::{MessagingSender, words};
use crate::ui::widgets::form::Item;

/// How many earlier values of a variable are suggested.
const USED: usize = 8;
/// From this rank on a recipient is a number without a name.
const NUMBERS: u8 = 2;

/// All senders.
pub(super) fn senders(context: &Snapshot<'_>) -> Vec<Item> {
    let item = |sender: &MessagingSender| {
        let (id, phone) = (sender.id.to_string(), words::sender(sender));
        let (sign, state, _) = words::sender_state(sender, context.view.options);
        let state = state.split(':').next().unwrap_or_default();
        let item = match sender.name.as_ref().filter(|name| !name.trim().is_empty()) {
            Some(name) => Item::new(id, name).about(format!("{sign} {state}  {phone}")),
            None => Item::new(id, phone).about(format!("{sign} {state}")),
        };
        Item { barred: sender_barred(sender), ..item }
    };
    context.known.senders.iter().map(item).collect()
}

/// The templates of a sender, those that can be sent first.
pub(super) fn templates(sender_id: Option<i64>, context: &Snapshot<'_>) -> Vec<Item> {
    let listed = sender_id.and_then(|id| context.known.templates_of(id)).unwrap_or_default();
    let item = |template: &Template| {
        let language = template.language.known().map(String::as_str);
        let about = [language, template.category.known().map(TemplateCategory::as_str)];
        let item = Item::new(template.id.known()?.to_string(), template_name(template));
        let about = about.into_iter().flatten().collect::<Vec<_>>().join("  ");
        Some(Item { about, barred: words::why_not_sendable(template), ..item })
    };
    let mut items: Vec<Item> = listed.iter().filter_map(item).collect();
    items.sort_by_key(|item| item.barred.is_some());
    items
}

/// The newest template draft of a recipient.
pub(super) fn draft_of<'a>(phone: &str, context: &Snapshot<'a>) -> Option<&'a Draft> {
    let mut drafts = context.known.drafts.iter();
    drafts.find(|draft| draft.phone == phone && draft.message.is_none() && draft.template_id.is_some())
}

/// The recipients that match what is typed: people, then numbers without a name; where they match equally well, those
/// with a draft first. `own` is the draft of the form itself. An item's key is the formatted number.
pub(super) fn recipients(
    sender_id: Option<i64>,
    typed: &str,
    own: Option<&DraftKey>,
    context: &Snapshot<'_>,
) -> Vec<Item> {
    let theirs = |of: Option<i64>| sender_id.is_none() || sender_id == of;
    let other_draft = |phone: &str| draft_of(phone, context).filter(|draft| Some(&draft.key()) != own);
    let is_named = |name: &str| !name.trim().is_empty();
    let drafted = |draft: &Draft| format!("draft from {}", format::time(draft.saved, context));
    // The rank among those that match equally well.
    let mut items: Vec<(u8, Item)> = Vec::new();
    let mut add = |rank: u8, name: &str, phone: &str, about: String| {
        let phone = format::phone(phone);
        if items.iter().all(|(_, item)| item.key != phone) {
            let name = if name.is_empty() { phone.clone() } else { format!("{name}  {phone}") };
            items.push((rank, Item::new(phone, name).about(about)));
        }
    };
    for watch in context.known.windows.iter().filter(|watch| theirs(Some(watch.sender_id))) {
        let draft = other_draft(&watch.phone);
        let window = watch.window.map(|window| format::window_brief(window, context.server_now));
        let about = draft.map(drafted).or(window).unwrap_or_default();
        let name = watch.name.as_deref().unwrap_or_default();
        let rank = if is_named(name) { 0 } else { NUMBERS };
        add(rank + u8::from(draft.is_none()), name, &watch.phone, about);
    }
    for draft in context.known.drafts.iter().filter(|draft| theirs(draft.sender_id)) {
        let is_whole = Phone::read(&draft.phone, None).is_ok() || !draft.values.is_empty();
        if is_whole && other_draft(&draft.phone) == Some(draft) && draft.phone != typed.trim() {
            add(if is_named(&draft.name) { 1 } else { NUMBERS }, &draft.name, &draft.phone, drafted(draft));
        }
    }
    items.sort_by_key(|(rank, _)| *rank);
    let mut found = fuzzy::rank(typed.trim(), items, |(_, item)| vec![item.name.clone().into()]);
    // People come before numbers, however well those match.
    found.sort_by_key(|((rank, _), _)| *rank >= NUMBERS);
    found.into_iter().map(|((_, item), _)| item).collect()
}

/// The values that others were sent for a variable.
pub(super) fn values(template: &Template, variable: &str, context: &Snapshot<'_>) -> Vec<Item> {
    let same = (template.id.known(), variable);
    let used = context.known.used.iter().filter(|used| (Some(&used.template_id), &*used.variable) == same);
    let shared = used.filter(|used| may_be_shared(template, &used.variable)).take(USED);
    shared.map(|used| Item::new(used.value.clone(), used.value.clone())).collect()
}
