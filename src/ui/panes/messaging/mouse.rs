//! What clicks and the wheel do in the pane.

use super::act::sight;
use super::{Front, Messaging, Part, senders};
use crate::ui::action::Motion;
use crate::ui::panes::Context;

impl Messaging {
    /// The part that lies at this cell.
    fn part_at(&self, x: u16, y: u16) -> Option<Part> {
        let areas = self.areas();
        Part::ALL.into_iter().find(|part| {
            let area = areas.part(*part);
            area.title.union(area.rows).contains((x, y).into())
        })
    }

    /// Selects the part and the row that were clicked; a click on the selected row opens it. True where it does.
    pub fn click(&mut self, x: u16, y: u16, cx: &mut Context<'_>) -> bool {
        match self.front {
            Front::Composer(..) | Front::Bulk => return false,
            Front::Outbox => {
                let sight = sight(&self.known, &self.clock, self.body, cx);
                self.outbox.click(x, y, &sight);
                return false;
            }
            Front::Parts | Front::Narrowing => {}
        }
        let Some(part) = self.part_at(x, y) else { return false };
        let area = self.areas().part(part);
        let had = self.focus == part;
        self.focus(part);
        if y < area.rows.y {
            return false;
        }
        let row = usize::from(y - area.rows.y);
        match part {
            Part::Senders => {
                let at = self.senders.cursor.offset + row / usize::from(senders::ROWS);
                if at < self.known.senders.len() {
                    self.choose_sender(at, cx);
                }
                false
            }
            Part::Templates => {
                let at = self.templates.cursor.offset + row;
                let again = had && at == self.templates.cursor.at;
                if at < self.templates.shown.len() {
                    self.select_template(at);
                    return again;
                }
                false
            }
            Part::Windows => {
                let at = self.windows.cursor.offset + row;
                let again = had && at == self.windows.cursor.at;
                if at < self.windows.shown() {
                    let height = self.windows_height();
                    self.windows.select(at, &self.known.windows, height);
                    self.senders.chosen = false;
                    self.side_with_window(cx);
                    return again;
                }
                false
            }
        }
    }

    /// Turns the wheel over a cell.
    pub fn wheel(&mut self, x: u16, y: u16, motion: Motion, cx: &mut Context<'_>) {
        if matches!(self.front, Front::Composer(..)) {
            return;
        }
        if !matches!(self.front, Front::Outbox | Front::Bulk)
            && let Some(part) = self.part_at(x, y)
        {
            self.focus(part);
        }
        self.step(motion, cx);
    }
}
