//! What stands in place of the rows of a part: that they are loading, or why there are none.

use super::super::{Messaging, PARTS, Part, WatchListSource, format};
use crate::ui::prelude::*;

/// `None` where there are rows.
pub fn state<'a>(pane: &'a Messaging, view: &'a View<'_>, part: Part) -> Option<State<'a>> {
    match part {
        Part::Senders if pane.data.senders.is_empty() => senders(pane, view),
        Part::Senders => None,
        Part::Templates => templates(pane, view),
        Part::Windows => windows(pane, view),
    }
}

/// The failure of a value that could not be loaded, or that it is loading.
fn unloaded<'a, T>(remote: &'a Remote<T>, what: &'a str, view: &View<'_>) -> Option<State<'a>> {
    let Some(failure) = remote.failure() else { return remote.loading_since().map(State::Loading) };
    let next = view.key(&[PARTS], Action::Refresh, " tries again.");
    Some(State::Failed { what: what.into(), why: format!("{}.", format::why(failure)).into(), next: next.into() })
}

fn senders<'a>(pane: &'a Messaging, view: &'a View<'_>) -> Option<State<'a>> {
    let remote = &pane.senders.remote;
    if remote.value().is_some() {
        let none = State::Empty("No senders".into(), "They are set up on the messaging platform.".into());
        return Some(missing(pane, view, Part::Senders).unwrap_or(none));
    }
    if !remote.is_offered() {
        let add = view.key(&[PARTS], Action::Add, "");
        let next = match pane.focus {
            Part::Senders => format!("This server does not list its senders. {add} adds one by its id."),
            _ => format!(
                "This server does not list its senders. Add those you use by id: {} to the senders, then {add}.",
                view.key(&[PARTS], Action::NextPart, "")
            ),
        };
        return Some(State::NotOffered("No list of senders".into(), next.into()));
    }
    let unconnected = view.unconnected().filter(|_| remote.failure().is_none());
    let unconnected = unconnected.map(|why| State::NotConnected(why.into()));
    unconnected.or_else(|| unloaded(remote, "The senders could not be loaded:", view))
}

/// What is missing of the rows of a part, told below them or in their place.
pub fn missing<'a>(pane: &'a Messaging, view: &View<'_>, part: Part) -> Option<State<'a>> {
    let unreadable = match part {
        Part::Senders if !pane.senders.remote.is_offered() => {
            let adds = view.key(&[PARTS], Action::Add, " adds one by its id");
            let next = format!("This server does not list its senders; {adds}.");
            return Some(State::NotOffered("No list of senders".into(), next.into()));
        }
        Part::Senders => &pane.senders.remote.value()?.unreadable,
        Part::Templates => &pane.data.templates.get(&pane.sender()?.id)?.value()?.unreadable,
        Part::Windows => return None,
    };
    let rows = count(unreadable.len() as u64, "row", "rows");
    let why = unreadable.first()?.as_str().into();
    Some(State::Failed { what: format!("{rows} could not be read.").into(), why, next: "".into() })
}

fn templates<'a>(pane: &'a Messaging, view: &'a View<'_>) -> Option<State<'a>> {
    let Some(sender) = pane.sender() else {
        // Senders that are not in view cannot tell it themselves.
        return match pane.areas().part(Part::Senders).rows.is_empty() {
            true => senders(pane, view),
            false if pane.senders.is_waiting() => None,
            false => Some(State::Empty("No templates".into(), "Templates belong to a sender.".into())),
        };
    };
    let list = pane.list(Part::Templates);
    match pane.data.templates_of(sender.id) {
        Some([]) => {
            let next = "They are registered with the messaging platform.".into();
            let none = State::Empty("This sender has no templates".into(), next);
            Some(missing(pane, view, Part::Templates).unwrap_or(none))
        }
        Some(_) if list.order().is_empty() => Some(State::Empty(
            format!("No template matches \"{}\"", list.narrow.value()).into(),
            "Type words of the name, a language, a category or a status.".into(),
        )),
        Some(_) => None,
        None => unloaded(pane.data.templates.get(&sender.id)?, "The templates could not be loaded:", view),
    }
}

fn windows<'a>(pane: &'a Messaging, view: &'a View<'_>) -> Option<State<'a>> {
    let list = pane.list(Part::Windows);
    if !pane.data.windows.is_empty() {
        let none = list.order().is_empty().then(|| format!("No recipient matches \"{}\"", list.narrow.value()));
        return none.map(|none| State::Empty(none.into(), "Esc shows all.".into()));
    }
    if let Some(why) = view.unconnected() {
        return Some(State::NotConnected(why.into()));
    }
    let remote = &pane.senders.remote;
    if pane.source != WatchListSource::Storage && remote.is_offered() {
        return unloaded(remote, "No recipients could be found to watch:", view).filter(|_| remote.value().is_none());
    }
    let next = format!(
        "{} adds a number; W in Conversations adds the customer. Recipients of messages are added automatically.",
        view.key(&[PARTS], Action::Add, "")
    );
    Some(State::Empty("No windows are watched".into(), next.into()))
}
