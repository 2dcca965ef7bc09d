//! The tools that were added by number, where the server does not list them.

use super::Tools;
use super::row::Row;
use crate::api::Tool;
use crate::api::rules::Fault;
use crate::records::{Resource, StorageReply, StorageRequest};
use crate::tasks::{Answer, TaskId};
use crate::ui::prelude::*;

/// The form that asks for a number, and its field.
const ADD: &str = "add tool";
const ID: &str = "id";

/// Those that were added, in that order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Known {
    tools: Vec<(i64, Remote<Tool>)>,
    /// The tool that the form asks for, while it is looked up.
    adding: Option<(TaskId, i64)>,
    /// The request that loads the numbers; afterwards they are here.
    loading: Option<TaskId>,
    /// True once they were requested.
    loaded: bool,
}

impl Known {
    /// The rows where the server has no list.
    pub fn rows(&self, data: &Data) -> Vec<Row> {
        let row = |(id, remote): &(i64, Remote<Tool>)| {
            let found = remote.value().and_then(|tool| Row::new(tool, data));
            found.unwrap_or_else(|| Row::unknown(*id, remote.failure().map(explain), data))
        };
        self.tools.iter().map(row).collect()
    }

    pub fn contains(&self, id: i64) -> bool {
        self.tools.iter().any(|(known, _)| *known == id)
    }

    /// Loads the numbers, once.
    pub fn load(&mut self, cx: &mut Context) {
        if !std::mem::replace(&mut self.loaded, true) {
            self.loading = Some(cx.run(Origin::new(cx.pane.0), StorageRequest::ListIds(Resource::Tool)));
        }
    }

    /// Requests all of them again.
    pub fn refresh(&mut self, cx: &mut Context) {
        for (_, remote) in &mut self.tools {
            remote.refresh(cx);
        }
    }

    fn add(&mut self, id: i64, tool: Option<&Tool>, cx: &mut Context) {
        let mut remote = Remote::of(Request::GetTool { id }, None);
        match tool {
            Some(tool) => remote.learn(tool.clone(), cx.now),
            None => remote.refresh(cx),
        }
        self.tools.push((id, remote));
    }

    /// A tool was created, saved or looked up. Without a list of the server's it is kept by its number.
    pub fn put(&mut self, id: i64, tool: &Tool, cx: &mut Context) {
        if let Some((_, remote)) = self.tools.iter_mut().find(|(known, _)| *known == id) {
            remote.learn(tool.clone(), cx.now);
        } else if !cx.data.tools.is_offered() {
            self.add(id, Some(tool), cx);
            cx.run(Origin::new(cx.pane.0), StorageRequest::AddId { resource: Resource::Tool, id });
        }
    }

    /// It is no longer listed.
    pub fn remove(&mut self, id: i64, cx: &mut Context) {
        if self.contains(id) {
            self.tools.retain(|(known, _)| *known != id);
            cx.run(Origin::new(cx.pane.0), StorageRequest::RemoveId { resource: Resource::Tool, id });
        }
    }

    /// Takes a report that is about these; any other comes back.
    fn reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        if self.loading.take_if(|task| *task == report.id).is_some() {
            if let Ok(Answer::Stored(StorageReply::Ids(ids))) = report.result {
                ids.into_iter().filter(|id| !self.contains(*id)).collect::<Vec<_>>().into_iter().for_each(|id| {
                    self.add(id, None, cx);
                });
            }
            return None;
        }
        self.tools.iter_mut().try_fold(report, |report, (_, remote)| remote.reply(report, Reply::get_tool, cx.now))
    }
}

impl Tools {
    /// Asks for a number.
    pub(super) fn open_add(cx: &mut Context) {
        let field = FormField::line(ID, "Tool id", "").required().hint("its id in the API");
        cx.open(ADD, FormDialog::new("Add a tool", "add", Form::new(vec![field])));
    }

    pub(super) fn submit_add(&mut self, cx: &mut Context) {
        let Some(form) = cx.overlays.form(ADD) else { return };
        let id = form.text_of(ID).trim().parse().ok().filter(|id| *id > 0);
        let why = match id {
            None => "A tool id is a whole number from 1.",
            Some(id) if self.known.contains(id) => "This tool is listed already.",
            Some(id) => {
                self.known.adding = Some((cx.run(Origin::new(cx.pane.0), Request::GetTool { id }), id));
                return;
            }
        };
        drop(form.set_errors(vec![Fault::new(ID, why)]));
    }

    /// A dialog was answered.
    pub(super) fn known_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        if event == OverlayEvent::Submitted(ADD) && self.known.adding.is_none() {
            self.submit_add(cx);
        }
    }

    /// Takes a report about tools that were added by number; any other comes back.
    pub(super) fn known_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let Some((_, id)) = self.known.adding.take_if(|(task, _)| *task == report.id) else {
            return self.known.reply(report, cx);
        };
        match report.result {
            Ok(answer) => {
                cx.overlays.close(ADD);
                if let Some(tool) = answer.reply(Reply::get_tool) {
                    self.known.put(id, &tool, cx);
                    self.refresh(cx);
                    self.select(id, cx);
                }
            }
            Err(failure) => {
                let why = Fault::new(ID, format!("It could not be looked up: {}.", explain(&failure)));
                if let Some(form) = cx.overlays.form(ADD) {
                    drop(form.set_refused(vec![why]));
                }
            }
        }
        None
    }
}
