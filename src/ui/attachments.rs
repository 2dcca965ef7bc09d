//! Attaching a tool or a knowledgebase to an assistant, and detaching it. Who uses what is read from the shared data; the
//! assistant is read again just before it is written, and only the field that changes is sent.

use super::prelude::*;
use super::widgets::confirm::Confirm;
use super::widgets::diff::{UNCONDITIONAL, arrow};
use crate::api::rules::Fault;
use crate::api::{Assistant, AssistantChange, Field, Patch};
use crate::tasks::TaskId;

/// The form that picks an assistant, and the dialog that shows the change.
const CHOOSE: &str = "attach";
const CONFIRM: &str = "confirm attach";

/// What can be attached to assistants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A mid call tool: an assistant has any number of them.
    Tool,
    /// A knowledgebase: an assistant has one at most.
    Knowledgebase,
}

impl Kind {
    /// The field of an assistant that holds it.
    fn field(self) -> &'static str {
        match self {
            Self::Tool => "tool_ids",
            Self::Knowledgebase => "knowledgebase_id",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Tool => "Tools",
            Self::Knowledgebase => "Knowledgebase",
        }
    }

    /// Those that an assistant has; `None` where the server does not tell.
    fn of(self, assistant: &Assistant) -> Option<Vec<i64>> {
        match self {
            Self::Tool => assistant.tool_ids.known().cloned(),
            Self::Knowledgebase => assistant.knowledgebase_id.known().map(|id| id.iter().copied().collect()),
        }
    }

    fn set(self, assistant: &mut Assistant, ids: &[i64]) {
        match self {
            Self::Tool => assistant.tool_ids = Field::Known(ids.to_vec()),
            Self::Knowledgebase => assistant.knowledgebase_id = Field::Known(ids.first().copied()),
        }
    }

    fn body(self, ids: &[i64]) -> AssistantChange {
        let change = AssistantChange::default();
        match (self, ids.first()) {
            (Self::Tool, _) => AssistantChange { tool_ids: Some(ids.to_vec()), ..change },
            (Self::Knowledgebase, Some(id)) => AssistantChange { knowledgebase_id: Patch::Set(*id), ..change },
            (Self::Knowledgebase, None) => AssistantChange { knowledgebase_id: Patch::Clear, ..change },
        }
    }

    /// The name of one, or its number.
    fn name(self, id: i64, data: &Data) -> String {
        fn find<'a>(id: i64, mut all: impl Iterator<Item = (&'a Field<i64>, &'a Field<String>)>) -> Option<String> {
            let (_, name) = all.find(|(known, _)| known.known() == Some(&id))?;
            name.known().map(|name| clean(name).into_owned())
        }
        let found = match self {
            Self::Tool => find(id, data.tools.value().into_iter().flatten().map(|one| (&one.id, &one.name))),
            Self::Knowledgebase => {
                find(id, data.knowledgebases.value().into_iter().flatten().map(|one| (&one.id, &one.name)))
            }
        };
        found.unwrap_or_else(|| format!("no. {id}"))
    }

    fn names(self, ids: &[i64], data: &Data) -> String {
        ids.iter().map(|id| self.name(*id, data)).collect::<Vec<_>>().join(", ")
    }
}

/// A tool or a knowledgebase.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Which of the two.
    pub kind: Kind,
    /// Its id on the wire.
    pub id: i64,
    /// Its name, cleaned.
    pub name: String,
}

/// The name of an assistant, or its number.
fn assistant_name(assistant: &Assistant) -> String {
    let number = || format!("no. {}", assistant.base.id.known().copied().unwrap_or_default());
    assistant.base.name.known().map_or_else(number, |name| clean(name).into_owned())
}

/// The names of the assistants that have this attached; `None` where that is not known.
pub fn users(kind: Kind, id: i64, data: &Data) -> Option<Vec<String>> {
    let has = |one: &&Assistant| kind.of(one).is_some_and(|ids| ids.contains(&id));
    Some(data.all_assistants.value()?.iter().filter(has).map(assistant_name).collect())
}

/// How far a change has come.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    /// An assistant is picked.
    Choosing,
    /// It is read again.
    Reading,
    /// The dialog asks whether it is to have these.
    Confirming(Vec<i64>),
    /// That is being written.
    Writing(TaskId, Vec<i64>),
}

#[derive(Debug, Clone, PartialEq)]
struct Change {
    part: Part,
    attaches: bool,
    assistant_id: i64,
    /// The assistant's name.
    assistant: String,
    step: Step,
}

/// The change that is being made, in the state of a pane. The pane passes on `overlay`, `data_changed` and `reply`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attachments {
    change: Option<Change>,
}

impl Attachments {
    /// Why this cannot be attached, or detached, now; `None` where it can.
    pub fn disabled(&self, attaches: bool, kind: Kind, id: i64, view: &View<'_>) -> Option<&'static str> {
        let all = &view.data.all_assistants;
        let Some(value) = all.value() else {
            let offered = all.is_offered();
            return Some(if offered { "the assistants are not loaded" } else { "the server does not list assistants" });
        };
        let mut could = value.iter().filter_map(|one| kind.of(one)).filter(|ids| ids.contains(&id) != attaches);
        match could.next() {
            _ if self.change.is_some() => Some("another change is in flight"),
            Some(_) => None,
            None if attaches => Some("there is no assistant without it"),
            None => Some("no assistant uses it"),
        }
    }

    /// Asks which assistant this is attached to, or detached from.
    pub fn open(&mut self, part: Part, attaches: bool, cx: &mut Context) {
        let kind = part.kind;
        let item = |one: &Assistant| {
            let ids = kind.of(one);
            let has = ids.as_ref().is_some_and(|ids| ids.contains(&part.id));
            let item = Value::new(one.base.id.known()?.to_string(), assistant_name(one));
            match ids {
                None => Some(Value { barred: Some(format!("the server does not tell its {}", kind.label())), ..item }),
                _ if has == attaches => attaches.then(|| Value { barred: Some("has it already".to_owned()), ..item }),
                Some(ids) if attaches && !ids.is_empty() => {
                    Some(item.about(format!("has {}", kind.names(&ids, &cx.data))))
                }
                Some(_) => Some(item),
            }
        };
        let items: Vec<_> = cx.data.all_assistants.value().into_iter().flatten().filter_map(item).collect();
        let free = items.iter().filter(|item| item.barred.is_none()).collect::<Vec<_>>();
        let chosen = if let [only] = free[..] { only.key.clone() } else { String::new() };
        let field = FormField::picker(kind.field(), "Assistant", items, chosen).required();
        let (title, verb) = if attaches { ("Attach", "attach") } else { ("Detach", "detach") };
        cx.open(CHOOSE, FormDialog::new(format!("{title} {}", part.name), verb, Form::new(vec![field]).quick()));
        let (assistant_id, assistant, step) = (0, String::new(), Step::Choosing);
        self.change = Some(Change { part, attaches, assistant_id, assistant, step });
    }

    /// Takes what happened to an overlay; false where it is not one of these.
    pub fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) -> bool {
        let Some(change) = &mut self.change else { return false };
        match (event, &change.step) {
            (OverlayEvent::Submitted(CHOOSE), Step::Choosing) => {
                let Some(form) = cx.overlays.form(CHOOSE) else { return true };
                change.assistant_id = form.text_of(change.part.kind.field()).parse().unwrap_or_default();
                change.step = Step::Reading;
                about(cx, "Reading the assistant again.");
                cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
            }
            (OverlayEvent::Submitted(CHOOSE), _) => cx.toast("It is being changed"),
            (OverlayEvent::Confirmed(CONFIRM), Step::Confirming(ids)) => {
                let (id, body) = (change.assistant_id, Box::new(change.part.kind.body(ids)));
                let task = cx.run(Origin::new(cx.pane.0), Request::UpdateAssistant { id, body });
                change.step = Step::Writing(task, ids.clone());
                about(cx, "Saving.");
            }
            (OverlayEvent::Cancelled(CONFIRM), Step::Confirming(_)) => change.step = Step::Choosing,
            // What is being written has an outcome, whether or not the form is open.
            (OverlayEvent::Cancelled(CHOOSE), step) if !matches!(step, Step::Writing(..)) => self.change = None,
            (OverlayEvent::Changed(name) | OverlayEvent::Cancelled(name), _) => return name == CHOOSE,
            _ => return false,
        }
        true
    }

    /// The shared data has changed: the assistant has perhaps been read again.
    pub fn data_changed(&mut self, cx: &mut Context) {
        let Some(change) = &mut self.change else { return };
        let freshness = cx.data.all_assistants.freshness();
        if change.step != Step::Reading || freshness.pending {
            return;
        }
        change.step = Step::Choosing;
        let failure = freshness.failure.map(explain);
        let Change { part: Part { kind, id: part_id, name }, attaches, assistant_id, .. } = change.clone();
        let mut all = cx.data.all_assistants.value().into_iter().flatten();
        let found = all.find(|one| one.base.id.known() == Some(&assistant_id));
        let before = found.and_then(|one| kind.of(one));
        let (assistant, before) = match (failure, found, before) {
            (Some(why), ..) => return refuse(kind, format!("It could not be read again: {why}."), cx),
            (_, None, _) => return refuse(kind, "This assistant does not exist any more.".to_owned(), cx),
            (_, _, None) => return refuse(kind, format!("The server does not tell its {}.", kind.label()), cx),
            (_, Some(one), Some(before)) => (assistant_name(one), before),
        };
        if before.contains(&part_id) == attaches {
            let already = if attaches { "This assistant has it already." } else { "This assistant does not use it." };
            return refuse(kind, already.to_owned(), cx);
        }
        let mut after = before.clone();
        match (kind, attaches) {
            (Kind::Knowledgebase, true) => after = vec![part_id],
            (Kind::Tool, true) => after.push(part_id),
            (_, false) => after.retain(|id| *id != part_id),
        }
        let view = cx.view();
        let [old, new] = [&before, &after].map(|ids| kind.names(ids, view.data));
        let mut details = Details::new(15)
            .field("Assistant", format!("{assistant}  (id {assistant_id})"))
            .wrapped(kind.label(), arrow(&old, &new, &view));
        if kind == Kind::Knowledgebase && attaches && !old.is_empty() {
            let replaced = format!("An assistant has one knowledgebase: {name} takes the place of {old}.");
            details = details.text("").text(replaced).styled(view.options.theme.warning);
        }
        let details = details.text("").text(UNCONDITIONAL).styled(view.options.theme.dim);
        let (title, verb) = if attaches {
            (format!("Attach {name} to {assistant}?"), "attach")
        } else {
            (format!("Detach {name} from {assistant}?"), "detach")
        };
        (change.step, change.assistant) = (Step::Confirming(after), assistant);
        about(cx, "");
        cx.open(CONFIRM, Confirm::new(title, details, verb));
    }

    /// Takes the result of the change; any other report comes back.
    pub fn reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some(Step::Writing(task, _)) = self.change.as_ref().map(|change| &change.step) else { return Some(report) };
        if *task != report.id {
            return Some(report);
        }
        let change = self.change.take()?;
        let (Step::Writing(_, ids), Part { kind, name, .. }) = (&change.step, &change.part) else { return None };
        let assistant = &change.assistant;
        about(cx, "");
        match report.result {
            Ok(_) => {
                cx.overlays.close(CHOOSE);
                cx.toast(if change.attaches {
                    format!("Attached: {name} to {assistant}")
                } else {
                    format!("Detached: {name} from {assistant}")
                });
                let is_this = |one: &&mut Assistant| one.base.id.known() == Some(&change.assistant_id);
                cx.data.all_assistants.update(|all| {
                    all.iter_mut().filter(is_this).for_each(|one| kind.set(one, ids));
                });
            }
            Err(failure) => {
                cx.write_failed(CHOOSE, &format!("assistant {assistant}"), "changed", &failure);
                if cx.overlays.form(CHOOSE).is_some() {
                    self.change = Some(Change { step: Step::Choosing, ..change });
                }
            }
        }
        cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
        None
    }
}

/// Says below the picker what goes on.
fn about(cx: &mut Context, text: &str) {
    let style = cx.options.theme.dim;
    if let Some(dialog) = cx.overlays.dialog(CHOOSE) {
        dialog.about = if text.is_empty() { Details::default() } else { Details::default().text(text).styled(style) };
    }
}

/// Says below the picker why not.
fn refuse(kind: Kind, why: String, cx: &mut Context) {
    about(cx, "");
    if let Some(form) = cx.overlays.form(CHOOSE) {
        drop(form.set_refused(vec![Fault::new(kind.field(), why)]));
    }
}
