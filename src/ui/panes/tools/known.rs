//! The tools that were added by number, where the server does not list them.

use super::Tools;
use super::row::Row;
use crate::api::Tool;
use crate::records::Resource;
use crate::ui::by_number::{ByNumber, Numbered};
use crate::ui::prelude::*;

impl Numbered for Tool {
    const RESOURCE: Resource = Resource::Tool;
    const NAME: &'static str = "tool";
    const READ: fn(Reply) -> Option<Self> = Reply::get_tool;

    fn request(id: i64) -> Request {
        Request::GetTool { id }
    }
}

/// The rows where the server has no list.
pub fn rows(known: &ByNumber<Tool>, data: &Data) -> Vec<Row> {
    let row = |(id, remote): &(i64, Remote<Tool>)| {
        let found = remote.value().and_then(|tool| Row::new(tool, data));
        found.unwrap_or_else(|| Row::unknown(*id, remote.failure().map(explain), data))
    };
    known.iter().map(row).collect()
}

impl Tools {
    /// A tool was created or saved. Without a list of the server's it is kept by its number.
    pub(super) fn put_known(&mut self, id: i64, tool: Tool, cx: &mut Context) {
        if self.known.contains(id) || !cx.data.tools.is_offered() {
            self.known.put(id, Some(tool), cx);
        }
    }

    /// Takes a report about tools that were added by number; any other comes back.
    pub(super) fn known_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let report = self.known.reply(report, cx);
        self.wanted = self.known.take_added().or(self.wanted);
        report
    }
}
