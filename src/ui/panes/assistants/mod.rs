//! Assistants: what each is told, where its webhooks go, and what can be done with it.

mod call;
mod chat;
mod edit;
mod history;
mod inspector;
mod keys;
mod listen;
mod pane;
mod progress;
mod row;
mod today;
mod uses;
mod webhooks;

use crate::api::Rows;
use crate::records::{AssistantData, StorageRequest};
use crate::ui::layout::{self, list_and_inspector as areas};
use crate::ui::prelude::*;
use crate::ui::widgets::table::height;
use chat::Chat;
use edit::{Editor, Writes};
use history::History;
use listen::Listen;
use row::Row;
use today::Today;
use webhooks::Webhooks;

/// The name of the pane.
pub const ID: PaneId = PaneId("assistants");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "Assistants",
    digit: '2',
    bindings: keys::BINDINGS,
    new: |_, _| Box::new(Assistants::default()),
};

/// A list older than this is loaded again when the pane is shown.
const STALE: Duration = Duration::from_secs(60);

/// What is on screen.
#[derive(Debug, Clone, PartialEq, Default)]
enum Front {
    /// The list with the inspector.
    #[default]
    List,
    /// The form of an assistant.
    Edit(Box<Editor>),
    /// Earlier versions of one.
    History(Box<History>),
    /// A test chat.
    Chat,
    /// The webhooks received on this machine.
    Listen,
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assistants {
    list: Browser<Rows<Row>>,
    front: Front,
    chat: Chat,
    listen: Listen,
    /// The inspector has the focus.
    inspecting: bool,
    /// How far the inspector is scrolled, and what is searched for in it.
    reader: Reader,
    /// How many conversations the selected one had today.
    today: Today,
    /// What is stored on this machine about the assistants of this server.
    stored: AssistantData,
    /// The base URL of the server that `stored` is about.
    server: String,
    writes: Writes,
    calls: call::Calls,
    /// Switches of webhooks, and what was delivered.
    webhooks: Webhooks,
}

/// The areas of the inspector and, beside it where there is room, of what stands in place of the list.
fn beside(body: Rect) -> [Rect; 2] {
    let [list, inspector] = areas(body, false);
    if inspector.is_empty() { [inspector, list] } else { [list, inspector] }
}

impl Assistants {
    fn selected(&self) -> Option<&Row> {
        self.list.selected()
    }

    /// Makes the rows of what has come: the full list, or the outbound one where no other can be had.
    fn refresh(&mut self, cx: &Context) {
        let (data, stored) = (&cx.data, &self.stored);
        let rows = match data.all_assistants.value() {
            Some(all) => all.iter().filter_map(|record| Row::new(record, stored, data)).collect::<Vec<_>>(),
            // Not before the full list has failed: its rows have another order, and the selection would jump.
            None => data
                .assistants
                .value()
                .filter(|_| data.all_assistants.is_missing())
                .into_iter()
                .flatten()
                .filter_map(|one| Row::outbound(one, stored, data))
                .collect(),
        };
        self.list.source = rows.into();
        let area = below_first(areas(cx.body, false)[0]);
        self.list.refresh(&cx.view(), area);
        // What stands beside a chat is of its assistant, also where that was chosen elsewhere, before the list was loaded.
        let tried = self.chat.assistant().filter(|_| self.front == Front::Chat);
        let row = tried.and_then(|uuid| self.list.source.iter().find(|row| row.record.uuid.known() == Some(uuid)));
        if let Some(id) = row.map(|row| row.id) {
            self.list.state.select(id, height(area));
        }
        self.follow_selection(cx);
    }

    /// Notices that another assistant is selected; true where it is.
    fn follow_selection(&mut self, cx: &Context) -> bool {
        let another = self.today.select(self.list.selected().map(|row| row.id), cx.now);
        if another {
            self.reader.rewind();
        }
        another
    }

    fn fetch(&mut self, cx: &mut Context) {
        cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
        for item in [Item::Assistants, Item::Tools, Item::Knowledgebases] {
            cx.data.fetch(item, &mut cx.tasks, cx.now);
        }
        self.refresh_deliveries(cx);
        self.today.refresh(cx);
        self.load(cx);
    }

    /// Loads what is stored about the assistants of this server.
    fn load(&self, cx: &mut Context) {
        if !self.server.is_empty() {
            cx.run(Origin::new(ID.0), StorageRequest::LoadAssistants { server: self.server.clone() });
        }
    }

    fn state<'a>(&'a self, view: &'a View<'_>) -> Option<State<'a>> {
        if !self.list.source.is_empty() {
            return None;
        }
        let (data, what) = (view.data, "The assistants");
        let waiting = if data.all_assistants.is_missing() {
            data.assistants.state(what, view)
        } else {
            data.all_assistants.state(what, view)
        };
        waiting.or_else(|| Some(State::Empty("No assistants".into(), "r refreshes the list.".into())))
    }

    /// The inspector takes an action; false where it is not one of reading.
    fn read(&mut self, action: Action, cx: &Context) -> bool {
        let Some((details, area)) = self.read_details(cx) else { return false };
        self.reader.act(action, &details, &cx.options, area)
    }

    /// What the inspector shows, and where.
    fn read_details(&self, cx: &Context) -> Option<(Details, Rect)> {
        let area = layout::inspector_text(areas(cx.body, true)[1], cx.body);
        Some((inspector::details(self.selected()?, self, &cx.view()), area))
    }
}
