//! What the fields of the form suggest.

use super::{Snapshot, format};
use crate::api::{SenderStatus, Template, TemplateCategory};
use crate::messaging::{Phone, template_name};
use crate::records::Draft;
use crate::ui::fuzzy;
use crate::ui::panes::messaging::MessagingSender;
use crate::ui::panes::messaging::words::why_not_sendable;
use crate::ui::widgets::form::Item;

/// How many earlier values of a variable are suggested.
const USED: usize = 8;

/// Why nothing can be sent from a sender.
pub(super) fn sender_barred(sender: &MessagingSender) -> Option<String> {
    match &sender.status {
        None | Some(SenderStatus::Online) => None,
        Some(SenderStatus::Offline) => Some("offline: nothing can be sent from it".to_owned()),
        Some(SenderStatus::Other(word)) => Some(format!("{word}: nothing can be sent from it")),
    }
}

/// All senders.
pub(super) fn senders(context: &Snapshot<'_>) -> Vec<Item> {
    let item = |sender: &MessagingSender| {
        let (name, about) = format::sender(sender);
        Item { key: sender.id.to_string(), name, about, barred: sender_barred(sender) }
    };
    context.known.senders.iter().map(item).collect()
}

/// The templates of a sender, those that can be sent first.
pub(super) fn templates(sender_id: Option<i64>, context: &Snapshot<'_>) -> Vec<Item> {
    let listed = sender_id.and_then(|id| context.known.templates_of(id)).unwrap_or_default();
    let item = |template: &Template| {
        let (name, about) = (template_name(template), format::template_about(template));
        Some(Item { key: template.id.known()?.to_string(), name, about, barred: why_not_sendable(template) })
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

/// The recipients that match what is typed: people with a draft, other people, then drafts to numbers of nobody known.
/// An item's key is the number as people read it.
pub(super) fn recipients(sender_id: Option<i64>, typed: &str, context: &Snapshot<'_>) -> Vec<Item> {
    let theirs = |of: Option<i64>| sender_id.is_none() || sender_id == of;
    let drafted = |draft: &Draft| format!("draft from {}", format::time(draft.saved, context));
    let named = |name: &str, phone: &str| if name.is_empty() { phone.to_owned() } else { format!("{name}  {phone}") };
    // The rank among those that match equally well.
    let mut items: Vec<(u8, Item)> = Vec::new();
    for watch in context.known.windows.iter().filter(|watch| theirs(Some(watch.sender_id))) {
        let phone = format::phone(&watch.phone);
        if items.iter().any(|(_, item)| item.key == phone) {
            continue;
        }
        let draft = draft_of(&watch.phone, context);
        let window = watch.window.map(|window| format::window_short(window.at(context.server_now), context.server_now));
        let about = draft.map(drafted).or(window).unwrap_or_default();
        let name = named(watch.name.as_deref().unwrap_or_default(), &phone);
        items.push((u8::from(draft.is_none()), Item::new(phone, name).about(about)));
    }
    for draft in context.known.drafts.iter().filter(|draft| theirs(draft.sender_id)) {
        let whole = Phone::read(&draft.phone, None).is_ok();
        let counts = draft_of(&draft.phone, context) == Some(draft) && (whole || !draft.values.is_empty());
        let phone = format::phone(&draft.phone);
        if counts && draft.phone != typed.trim() && items.iter().all(|(_, item)| item.key != phone) {
            let name = named(&draft.name, &phone);
            items.push((2, Item::new(phone, name).about(drafted(draft))));
        }
    }
    items.sort_by_key(|(rank, _)| *rank);
    let mut found = fuzzy::rank(typed.trim(), items, |(_, item)| vec![item.name.clone().into()]);
    // People come before numbers of nobody known, however well those match.
    found.sort_by_key(|((rank, _), _)| *rank == 2);
    found.into_iter().map(|((_, item), _)| item).collect()
}

/// True where a template may carry something that is one recipient's alone, such as a code to log in with.
pub(super) fn is_secret(template: &Template) -> bool {
    !matches!(template.category.known(), Some(TemplateCategory::Utility | TemplateCategory::Marketing))
}

/// What others were sent for a variable; no names, and nothing that is one recipient's alone.
pub(super) fn values(template: &Template, variable: &str, context: &Snapshot<'_>) -> Vec<Item> {
    if is_secret(template) || format::name_for(variable, "").is_some() {
        return Vec::new();
    }
    let same = context.known.used.iter().filter(|used| used.variable == variable);
    let same = same.filter(|used| Some(&used.template_id) == template.id.known());
    same.take(USED).map(|used| Item::new(used.value.clone(), used.value.clone())).collect()
}
