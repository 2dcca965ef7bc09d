//! The list of received webhooks: its keys, its areas and its drawing.

use super::{Listen, Received, sides};
use crate::tasks::Listening;
use crate::ui::layout;
use crate::ui::panes::assistants::ID;
use crate::ui::prelude::*;
use crate::ui::widgets::{json, put_cut, put_lines};

impl Listen {
    /// Takes an action; false where the view is to be left.
    pub fn act(&mut self, action: Action, cx: &mut Context) -> bool {
        match action {
            Action::Move(motion) if self.reading => {
                let [_, _, _, details] = self.areas(&cx.view());
                if let Some(row) = self.list.selected() {
                    let text = layout::inspector_text(details, cx.body);
                    let lines = row.details(&cx.view(), text.width.into());
                    self.scrolled = lines.scroll(self.scrolled, motion, &cx.options, text);
                }
                return true;
            }
            Action::Back if self.reading => self.reading = false,
            _ => {
                let before = self.list.selected().map(|row| row.number);
                let listed = self.list.act(action, self.table);
                if self.list.selected().map(|row| row.number) != before {
                    self.scrolled = 0;
                }
                if !listed && !self.act_on(action, cx) {
                    return false;
                }
            }
        }
        self.refresh(cx);
        true
    }

    fn act_on(&mut self, action: Action, cx: &mut Context) -> bool {
        match action {
            Action::Back => return false,
            Action::Open => {
                self.list.state.hold();
                self.reading = true;
            }
            Action::TogglePause if self.url.is_some() => {
                self.request = Some(cx.run(Origin::new(ID.0), Listening::Stop));
                self.proof.iter_mut().for_each(|proof| proof.fail("The receiver was stopped. p starts it again."));
            }
            Action::TogglePause => self.open(cx),
            Action::ForwardAgain => {
                let selected = self.list.selected();
                if let Some((number, delivery)) = selected.and_then(|row| Some((row.number, row.delivery()?.number))) {
                    let again = Listening::ForwardAgain(delivery);
                    self.forwarding = Some((cx.run(Origin::new(ID.0), again), number));
                }
            }
            Action::Copy => cx.copy("URL", self.url.clone()),
            Action::CopyAll => {
                let body =
                    self.list.selected().and_then(Received::delivery).map(|delivery| json::pretty(&delivery.body));
                cx.copy("Body", body);
            }
            _ => {}
        }
        true
    }

    pub fn list(&mut self) -> (&mut dyn List, Rect) {
        (&mut self.list, self.table)
    }

    /// Fits the list into its area.
    pub fn refresh(&mut self, cx: &Context) {
        let [_, _, list, _] = self.areas(&cx.view());
        self.table = below_first(list);
        self.list.refresh(&cx.view(), self.table);
    }

    /// The areas of the head, the proof, the list with its title, and the details.
    fn areas(&self, view: &View<'_>) -> [Rect; 4] {
        let [left, details] = sides(view.body, self.reading);
        let inner = Rect { x: left.x + 2.min(left.width), width: left.width.saturating_sub(3), ..left };
        let row = |y: u16, height: u16| Rect { y, height, ..inner };
        let head = row(left.y, left.height.min(2));
        let room = left.height - head.height;
        let wanted = self.proof.as_ref().map_or(0, |proof| proof.lines(view, inner.width.into()).len() + 1);
        let proof = row(head.bottom(), u16::try_from(wanted).unwrap_or(room).min(room.saturating_sub(4)));
        let list = Rect { y: proof.bottom(), height: left.bottom() - proof.bottom(), ..left };
        [head, proof, list, details]
    }

    pub fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let [head, proof, list, details] = self.areas(view);
        let (first, second) = self.head(view);
        for (line, y) in [first, second].iter().zip(head.y..head.bottom()) {
            put_cut(buffer, Rect { y, height: 1, ..head }, line, glyphs.ellipsis);
        }
        if let Some(steps) = &self.proof {
            put_lines(buffer, proof, &steps.lines(view, proof.width.into()), 0);
        }
        let empty = || {
            let text = match self.url {
                Some(_) => "Point a webhook at the URL above. p proves the one of the selected assistant.",
                None => "L starts listening. p proves the webhook of the selected assistant.",
            };
            State::Empty("Nothing received yet".into(), text.into())
        };
        let state = self.list.source.is_empty().then(empty);
        let caret = (!list.is_empty())
            .then(|| self.list.draw_titled(("RECEIVED", !self.reading), state, view, list, buffer))
            .flatten();
        if !details.is_empty() && !list.is_empty() {
            let style = if self.reading { theme.accent } else { theme.dim };
            column(buffer, Rect { width: 1, ..details }, glyphs.vertical, style);
        }
        if let Some(row) = self.list.selected().filter(|_| !details.is_empty()) {
            let text = layout::inspector_text(details, view.body);
            row.details(view, text.width.into()).draw(self.scrolled, view, text, buffer);
        }
        caret
    }

    /// Where it listens; what happens to what it receives.
    fn head(&self, view: &View<'_>) -> (Line<'static>, Line<'static>) {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let line = |glyph: &str, text: &str, style| Line::styled(format!("{glyph} {}", clean(text)), style);
        let first = match (&self.url, &self.failed, self.request) {
            (Some(url), ..) => Line::from(vec![
                Span::styled(format!("{} Listening on ", glyphs.full), theme.good),
                Span::styled(url.clone(), theme.strong),
            ]),
            (None, _, Some(_)) => line(glyphs.half, "Starting", theme.strong),
            (None, Some(why), None) => line(glyphs.cross, &format!("Not listening: {why}"), theme.failed),
            (None, None, None) => line(glyphs.hollow, "Not listening", theme.dim),
        };
        let mut parts = Vec::new();
        parts.extend(self.setup.forward.as_ref().map(|url| format!("forwards to {}", clean(url.as_str()))));
        let checked =
            if self.setup.secret.is_some() { "signatures checked" } else { "signatures not checked: no secret" };
        parts.extend(self.url.as_ref().map(|_| checked.to_owned()));
        parts.push(format!("{} received", count(self.count, "delivery", "deliveries")));
        (first, Line::styled(format!("  {}", parts.join(&format!(" {} ", glyphs.dot))), theme.dim))
    }
}
