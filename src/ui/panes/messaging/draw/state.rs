//! What stands in place of the rows of a part: that they are loading, or why there are none.

use super::super::replies::{UNKNOWN_SENDER, is_unknown_sender};
use super::super::{Messaging, PARTS, Part, WatchListSource};
use crate::client::Failure;
use crate::ui::action::Action;
use crate::ui::pane::View;
use crate::ui::panes::explain;
use crate::ui::text::count;
use crate::ui::widgets::state::State;

/// `None` where there are rows.
pub fn state<'a>(pane: &'a Messaging, view: &'a View<'_>, part: Part) -> Option<State<'a>> {
    match part {
        Part::Senders if pane.known.senders.is_empty() => senders(pane, view),
        Part::Senders => None,
        Part::Templates => templates(pane, view),
        Part::Windows => windows(pane, view),
    }
}

fn key(view: &View<'_>, action: Action) -> String {
    view.options.keymap.first_key(&[PARTS], action).map(|key| key.to_string()).unwrap_or_default()
}

fn failed<'a>(view: &View<'_>, what: &'a str, failure: &Failure) -> State<'a> {
    let why = if is_unknown_sender(failure) { UNKNOWN_SENDER.to_owned() } else { explain(failure) };
    let next = format!("{} tries again.", key(view, Action::Refresh));
    State::Failed { what: what.into(), why: format!("{why}.").into(), next: next.into() }
}

fn senders<'a>(pane: &'a Messaging, view: &'a View<'_>) -> Option<State<'a>> {
    let remote = &pane.senders.remote;
    if remote.value().is_some() {
        let none = State::Empty("No senders".into(), "They are set up on the messaging platform.".into());
        return Some(below_senders(pane, view).unwrap_or(none));
    }
    match remote.failure() {
        None => {
            view.unconnected().map(|why| State::NotConnected(why.into())).or(remote.loading_since().map(State::Loading))
        }
        Some(_) if !remote.is_offered() => {
            let add = key(view, Action::Add);
            let next = match pane.focus {
                Part::Senders => format!("This server does not list its senders. {add} adds one by its id."),
                _ => format!(
                    "This server does not list its senders. Add those you use by id: {} to the senders, then {add}.",
                    key(view, Action::NextPart)
                ),
            };
            Some(State::NotOffered("No list of senders".into(), next.into()))
        }
        Some(failure) => Some(failed(view, "The senders could not be loaded:", failure)),
    }
}

/// What is missing of the list of senders, told below it or in its place.
pub fn below_senders<'a>(pane: &'a Messaging, view: &View<'_>) -> Option<State<'a>> {
    let remote = &pane.senders.remote;
    if !remote.is_offered() {
        let next = format!("This server does not list its senders; {} adds one by its id.", key(view, Action::Add));
        return Some(State::NotOffered("No list of senders".into(), next.into()));
    }
    let unreadable = &remote.value()?.unreadable;
    let rows = count(unreadable.len() as u64, "row", "rows");
    let why = unreadable.first()?.as_str().into();
    Some(State::Failed { what: format!("{rows} could not be read.").into(), why, next: "".into() })
}

fn templates<'a>(pane: &'a Messaging, view: &'a View<'_>) -> Option<State<'a>> {
    let Some(sender) = pane.sender() else {
        // Senders that are not in view cannot tell it themselves.
        return match pane.areas().senders.rows.is_empty() {
            true => senders(pane, view),
            false if pane.senders.is_waiting() => None,
            false => Some(State::Empty("No templates".into(), "Templates belong to a sender.".into())),
        };
    };
    match pane.known.templates_of(sender.id) {
        Some([]) => Some(State::Empty(
            "This sender has no templates".into(),
            "They are registered with the messaging platform.".into(),
        )),
        Some(_) if pane.templates.list.order().is_empty() => Some(State::Empty(
            format!("No template matches \"{}\"", pane.templates.list.narrow.value()).into(),
            "Type words of the name, a language, a category or a status.".into(),
        )),
        Some(_) => None,
        None => {
            let remote = pane.known.templates.get(&sender.id)?;
            let failure = remote.failure().map(|failure| failed(view, "The templates could not be loaded:", failure));
            failure.or(remote.loading_since().map(State::Loading))
        }
    }
}

fn windows<'a>(pane: &'a Messaging, view: &'a View<'_>) -> Option<State<'a>> {
    let list = &pane.windows.list;
    if !pane.known.windows.is_empty() {
        let none = list.order().is_empty().then(|| format!("No recipient matches \"{}\"", list.narrow.value()));
        return none.map(|none| State::Empty(none.into(), "Esc shows all.".into()));
    }
    if let Some(why) = view.unconnected() {
        return Some(State::NotConnected(why.into()));
    }
    let remote = &pane.senders.remote;
    if pane.source != WatchListSource::Storage && remote.is_offered() {
        return match remote.failure().filter(|_| remote.value().is_none()) {
            Some(failure) => Some(failed(view, "No recipients could be found to watch:", failure)),
            None => remote.loading_since().map(State::Loading),
        };
    }
    let next = format!(
        "{} adds a number; W in Conversations adds the customer. Recipients of messages are added automatically.",
        key(view, Action::Add)
    );
    Some(State::Empty("No windows are watched".into(), next.into()))
}
