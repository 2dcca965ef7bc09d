//! What clicks and the wheel do in the pane.

use super::{Front, Messaging, Part, senders};
use crate::ui::action::{Action, Motion};
use crate::ui::input::{Mouse, MouseKind};
use crate::ui::panes::Context;
use crate::ui::widgets::list::Click;

impl Messaging {
    /// The part that lies at this cell.
    fn part_at(&self, x: u16, y: u16) -> Option<Part> {
        let areas = self.areas();
        Part::ALL.into_iter().find(|part| {
            let area = areas.part(*part);
            area.title.union(area.rows).contains((x, y).into())
        })
    }

    /// Selects the part and the row that were clicked. True where the row was selected before: it is opened.
    pub(super) fn click(&mut self, x: u16, y: u16, cx: &mut Context<'_>) -> bool {
        match self.front {
            Front::Composer(..) => return false,
            Front::Bulk => {
                if let Some(bulk) = &mut self.bulk {
                    bulk.click(Mouse { x, y, kind: MouseKind::Press }, cx);
                }
                return false;
            }
            Front::Outbox => {
                self.outbox.click(x, y);
                return false;
            }
            Front::Parts | Front::Narrowing => {}
        }
        let Some(part) = self.part_at(x, y) else { return false };
        let rows = self.areas().part(part).rows;
        let again = self.focus == part;
        self.focus(part, cx);
        let Some(row) = y.checked_sub(rows.y).map(usize::from) else { return false };
        let height = self.height_of(part);
        let click = match part {
            Part::Senders => self.senders.list.click(row / usize::from(senders::LINES), height),
            Part::Templates => self.templates.list.click(row, height),
            Part::Windows => self.windows.list.click(row, height),
        };
        match part {
            _ if click == Click::Nothing => {}
            Part::Senders => self.sender_chosen(cx),
            Part::Templates => {}
            Part::Windows => self.window_chosen(cx),
        }
        again && click == Click::Again && part != Part::Senders
    }

    /// Turns the wheel over a cell.
    pub(super) fn wheel(&mut self, x: u16, y: u16, motion: Motion, cx: &mut Context<'_>) {
        if matches!(self.front, Front::Composer(..)) {
            return;
        }
        if !matches!(self.front, Front::Outbox | Front::Bulk)
            && let Some(part) = self.part_at(x, y)
        {
            self.focus(part, cx);
        }
        match self.front {
            Front::Outbox => self.act_in_outbox(Action::Move(motion), cx),
            Front::Bulk => self.bulk_act(Action::Move(motion), cx),
            _ => self.step(motion, cx),
        }
    }
}
