//! The form that chooses which conversations are listed. Its rules are those of the API, checked while typing.

use super::words;
use crate::api::{ConversationFilter, ConversationType, rules};
use crate::ui::input::{Key, KeyCode};
use crate::ui::text::{fit, wrap};
use crate::ui::theme::{Glyphs, Theme};
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::{popup, put};
use jiff::civil::Date;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

/// How many assistants are offered at once.
const OFFERED: usize = 6;
/// Columns of the form, without its frame.
const COLUMNS: u16 = 58;
/// Columns of a field's name.
const LABEL: u16 = 14;

/// A field of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Type,
    Assistant,
    From,
    To,
}

impl At {
    const ALL: [Self; 4] = [Self::Type, Self::Assistant, Self::From, Self::To];

    const fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Assistant => "assistant",
            Self::From => "begun from",
            Self::To => "begun until",
        }
    }
}

/// A row of the form on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    Blank,
    Field(At),
    /// What is wrong with a field.
    Fault(At),
    /// A line of the assistants to choose from.
    Offered(usize),
    /// What the keys do.
    Keys,
}

impl Row {
    /// The form where there is room for all of it.
    const ALL: [Self; 13] = [
        Self::Field(At::Type),
        Self::Blank,
        Self::Field(At::Assistant),
        Self::Fault(At::Assistant),
        Self::Field(At::From),
        Self::Fault(At::From),
        Self::Field(At::To),
        Self::Fault(At::To),
        Self::Blank,
        Self::Offered(0),
        Self::Offered(1),
        Self::Blank,
        Self::Keys,
    ];
}

/// What came of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The form goes on.
    Open,
    /// The form was left as it was; what was typed is kept.
    Left,
    /// List these.
    Chosen(ConversationFilter),
}

/// The form.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterForm {
    at: At,
    kind: Option<ConversationType>,
    assistant: TextInput,
    /// Which of the offered assistants is marked.
    marked: usize,
    from: TextInput,
    to: TextInput,
    /// Faults are shown once the user has tried to leave a field or the form.
    touched: bool,
}

impl FilterForm {
    /// The form as the filter in force fills it.
    pub fn new(filter: &ConversationFilter, assistants: &[(i64, String)]) -> Self {
        let day = |day: Option<Date>| day.map(|day| TextInput::new(&day.to_string())).unwrap_or_default();
        let name = filter.assistant_id.map(|id| match assistants.iter().find(|(known, _)| *known == id) {
            Some((_, name)) => name.clone(),
            None => id.to_string(),
        });
        Self {
            at: At::Type,
            kind: filter.kind.clone(),
            assistant: name.map(|name| TextInput::new(&name)).unwrap_or_default(),
            marked: 0,
            from: day(filter.date_from),
            to: day(filter.date_to),
            touched: false,
        }
    }

    /// True where the two would not be filled in alike.
    pub fn says_other_than(&self, other: &Self) -> bool {
        let says = |form: &Self| {
            let texts = [&form.assistant, &form.from, &form.to].map(|field| field.value().trim().to_owned());
            (form.kind.clone(), texts)
        };
        says(self) != says(other)
    }

    fn field(&mut self) -> Option<&mut TextInput> {
        match self.at {
            At::Type => None,
            At::Assistant => Some(&mut self.assistant),
            At::From => Some(&mut self.from),
            At::To => Some(&mut self.to),
        }
    }

    fn offered<'a>(&self, assistants: &'a [(i64, String)]) -> Vec<&'a (i64, String)> {
        let typed = self.assistant.value().trim();
        if typed.is_empty() {
            return assistants.iter().take(OFFERED).collect();
        }
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(typed, CaseMatching::Smart, Normalization::Smart);
        let mut buffer = Vec::new();
        let mut found: Vec<_> = assistants
            .iter()
            .filter_map(|assistant| {
                let haystack = nucleo_matcher::Utf32Str::new(&assistant.1, &mut buffer);
                pattern.score(haystack, &mut matcher).map(|score| (score, assistant))
            })
            .collect();
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        found.into_iter().map(|(_, assistant)| assistant).take(OFFERED).collect()
    }

    /// The assistant that is meant: the one named exactly, else the marked one of those offered, else a number.
    fn assistant_id(&self, assistants: &[(i64, String)]) -> Result<Option<i64>, String> {
        let typed = self.assistant.value().trim();
        if typed.is_empty() {
            return Ok(None);
        }
        if let Some((id, _)) = assistants.iter().find(|(_, name)| name == typed) {
            return Ok(Some(*id));
        }
        if let Some((id, _)) = self.offered(assistants).get(self.marked) {
            return Ok(Some(*id));
        }
        typed.parse().map(Some).map_err(|_| "no such outbound assistant; numbers do too".to_owned())
    }

    fn day(field: &'static str, typed: &TextInput) -> Result<Option<Date>, String> {
        let typed = typed.value().trim();
        if typed.is_empty() {
            return Ok(None);
        }
        rules::day(field, typed).map(Some).map_err(|_| "write it as YYYY-MM-DD, like 2026-11-01".to_owned())
    }

    /// The filter that the form says.
    fn filter(&self, assistants: &[(i64, String)]) -> Result<ConversationFilter, At> {
        let filter = ConversationFilter {
            kind: self.kind.clone(),
            assistant_id: self.assistant_id(assistants).map_err(|_| At::Assistant)?,
            date_from: Self::day("date_from", &self.from).map_err(|_| At::From)?,
            date_to: Self::day("date_to", &self.to).map_err(|_| At::To)?,
        };
        match (filter.date_from, filter.date_to) {
            (Some(from), Some(to)) if from > to => Err(At::To),
            _ => Ok(filter),
        }
    }

    /// What is wrong with a field; days are checked as they are typed.
    fn fault(&self, at: At, assistants: &[(i64, String)]) -> Option<String> {
        match at {
            At::Type => None,
            At::Assistant => self.assistant_id(assistants).err(),
            At::From => Self::day("date_from", &self.from).err().filter(|_| self.is_whole(&self.from)),
            At::To => match (Self::day("date_from", &self.from), Self::day("date_to", &self.to)) {
                (_, Err(fault)) => Some(fault).filter(|_| self.is_whole(&self.to)),
                (Ok(Some(from)), Ok(Some(to))) if from > to => Some("lies before the first day".to_owned()),
                _ => None,
            },
        }
    }

    /// True where a day is long enough to be judged, or the form has been tried.
    fn is_whole(&self, day: &TextInput) -> bool {
        let typed = day.value().trim();
        self.touched || typed.len() >= 10 || !typed.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    }

    fn step_kind(&mut self, forward: bool) {
        let known = ConversationType::KNOWN;
        let at = self.kind.as_ref().and_then(|kind| known.iter().position(|one| one == kind)).map_or(0, |at| at + 1);
        let length = known.len() + 1;
        let next = if forward { (at + 1) % length } else { (at + length - 1) % length };
        self.kind = next.checked_sub(1).map(|at| known[at].clone());
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, assistants: &[(i64, String)]) -> Outcome {
        let place = At::ALL.iter().position(|at| *at == self.at).unwrap_or(0);
        let offered = self.offered(assistants).len();
        let choosing = self.at == At::Assistant && offered > 0;
        let before = self.at;
        match (key.code, self.at) {
            (KeyCode::Esc, _) => return Outcome::Left,
            (KeyCode::Enter, _) => match self.filter(assistants) {
                Ok(filter) => return Outcome::Chosen(filter),
                Err(at) => (self.at, self.touched) = (at, true),
            },
            (KeyCode::Down, _) if choosing && self.marked + 1 < offered => self.marked += 1,
            (KeyCode::Up, _) if choosing && self.marked > 0 => self.marked -= 1,
            (KeyCode::Tab | KeyCode::Down, _) => self.at = At::ALL[(place + 1) % At::ALL.len()],
            (KeyCode::BackTab | KeyCode::Up, _) => self.at = At::ALL[(place + At::ALL.len() - 1) % At::ALL.len()],
            (KeyCode::Left | KeyCode::Right | KeyCode::Char(' '), At::Type) => {
                self.step_kind(key.code != KeyCode::Left);
            }
            (KeyCode::Backspace | KeyCode::Delete, At::Type) => self.kind = None,
            (KeyCode::Char(letter), At::Type) => {
                let begins = |kind: &&ConversationType| words::kind_name(kind).to_lowercase().starts_with(letter);
                if let Some(kind) = ConversationType::KNOWN.iter().find(begins) {
                    self.kind = Some(kind.clone());
                }
            }
            _ => {
                if self.field().is_some_and(|field| field.key(key)) {
                    self.marked = 0;
                }
            }
        }
        if before == At::Assistant && self.at != before {
            self.write_out(assistants);
        }
        Outcome::Open
    }

    /// Writes the name of the assistant that a few letters meant.
    fn write_out(&mut self, assistants: &[(i64, String)]) {
        let Ok(Some(id)) = self.assistant_id(assistants) else { return };
        if let Some((_, name)) = assistants.iter().find(|(known, _)| *known == id) {
            (self.assistant, self.marked) = (TextInput::new(name), 0);
        }
    }

    /// Takes a paste.
    pub fn paste(&mut self, pasted: &str) {
        if let Some(field) = self.field() {
            field.paste(pasted);
            self.marked = 0;
        }
    }

    /// Draws the form and tells where its cursor is.
    pub fn draw(
        &self,
        buffer: &mut Buffer,
        screen: Rect,
        assistants: &[(i64, String)],
        note: Option<&str>,
        theme: &Theme,
        glyphs: &Glyphs,
    ) -> Option<Position> {
        let height = u16::try_from(Row::ALL.len()).unwrap_or(u16::MAX);
        let area = popup::frame(buffer, screen, (COLUMNS, height), "List only", theme, glyphs);
        let offered = self.offered_lines(assistants, usize::from(area.width), theme, glyphs);
        let mut caret = None;
        for (y, row) in (area.y..area.bottom()).zip(self.rows(usize::from(area.height), offered.len(), assistants)) {
            let line = Rect { y, height: 1, ..area };
            let value = Rect { x: area.x + LABEL.min(area.width), width: area.width.saturating_sub(LABEL), ..line };
            match row {
                Row::Blank => {}
                Row::Field(at) => {
                    let mark = if at == self.at { glyphs.marker } else { " " };
                    let style = if at == self.at { theme.accent } else { theme.dim };
                    put(buffer, line, &Line::from(Span::styled(format!("{mark} {:<11}", at.name()), style)));
                    let here = self.draw_value(at, buffer, value, assistants, note, theme);
                    caret = caret.or(here.filter(|_| at == self.at));
                }
                Row::Fault(at) => {
                    if let Some(fault) = self.fault(at, assistants) {
                        let said = format!("{} {fault}", glyphs.cross);
                        let cut = fit(&said, usize::from(value.width), glyphs.ellipsis).into_owned();
                        put(buffer, value, &Line::from(Span::styled(cut, theme.failed)));
                    }
                }
                Row::Offered(at) => {
                    if let Some(offered) = offered.get(at) {
                        put(buffer, line, offered);
                    }
                }
                Row::Keys => {
                    let keys = format!("{} list them   Tab next field   Esc leave as it was", glyphs.enter);
                    put(buffer, line, &Line::from(Span::styled(keys, theme.dim)));
                }
            }
        }
        caret
    }

    /// The rows that fit into this height: what says least goes first, and the field that has the keys is in view.
    fn rows(&self, height: usize, offered: usize, assistants: &[(i64, String)]) -> Vec<Row> {
        let worth = |row: &Row| match *row {
            Row::Field(_) => 4,
            Row::Fault(at) if self.fault(at, assistants).is_none() => 0,
            Row::Fault(at) if at == self.at => 4,
            Row::Fault(_) => 3,
            Row::Offered(at) if at < offered => 2,
            // The bottom line says the same.
            Row::Keys => 1,
            Row::Blank | Row::Offered(_) => 0,
        };
        let mut rows = Row::ALL.to_vec();
        while rows.len() > height {
            let least = rows.iter().enumerate().rev().min_by_key(|(_, row)| worth(row));
            match least.filter(|(_, row)| worth(row) < 4).map(|(at, _)| at) {
                Some(at) => drop(rows.remove(at)),
                None => break,
            }
        }
        let here = |row: &Row| matches!(*row, Row::Field(at) | Row::Fault(at) if at == self.at);
        let end = rows.iter().rposition(here).map_or(0, |at| at + 1);
        rows.drain(..end.saturating_sub(height));
        rows
    }

    fn draw_value(
        &self,
        at: At,
        buffer: &mut Buffer,
        area: Rect,
        assistants: &[(i64, String)],
        note: Option<&str>,
        theme: &Theme,
    ) -> Option<Position> {
        let (field, hint) = match at {
            At::Type => {
                let kinds = std::iter::once(None).chain(ConversationType::KNOWN.iter().map(Some)).map(|kind| {
                    let name = kind.map_or("all".into(), |kind| words::kind_name(kind));
                    let chosen = kind == self.kind.as_ref();
                    let shown = if chosen { format!("[{name}]") } else { format!(" {name} ") };
                    Span::styled(shown, if chosen { theme.selected } else { theme.dim })
                });
                let mut line: Line<'_> = kinds.collect();
                if line.width() > usize::from(area.width) {
                    line.spans.retain(|span| span.content.starts_with('['));
                }
                put(buffer, area, &line);
                return None;
            }
            At::Assistant => (&self.assistant, note.unwrap_or("any")),
            At::From => (&self.from, "any day, YYYY-MM-DD (UTC)"),
            At::To => (&self.to, "any day, that day included"),
        };
        let caret = field.draw(buffer, area, theme.strong);
        if field.value().is_empty() && self.fault(at, assistants).is_none() {
            let place = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(2), ..area };
            put(buffer, place, &Line::from(Span::styled(hint, theme.dim)));
        }
        caret
    }

    /// The assistants to choose from while their field has the keys, in two lines at most.
    fn offered_lines(
        &self,
        assistants: &[(i64, String)],
        columns: usize,
        theme: &Theme,
        glyphs: &Glyphs,
    ) -> Vec<Line<'static>> {
        if self.at != At::Assistant {
            return Vec::new();
        }
        let mut spans = Vec::new();
        for (at, (_, name)) in self.offered(assistants).into_iter().enumerate() {
            let style = if at == self.marked { theme.selected } else { theme.dim };
            spans.extend([Span::styled(name.clone(), style), Span::styled(format!(" {} ", glyphs.dot), theme.dim)]);
        }
        spans.pop();
        let offered = Line::from(spans);
        if offered.width() <= columns {
            return vec![offered];
        }
        let lines = wrap(&offered.to_string(), columns).into_iter().take(2);
        lines.map(|line| Line::from(Span::styled(line, theme.dim))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assistants() -> Vec<(i64, String)> {
        vec![(1, "Reception".to_owned()), (4, "Réception FR".to_owned()), (7, "受付".to_owned())]
    }

    fn typed(form: &mut FilterForm, keys: &str) -> Outcome {
        let mut outcome = Outcome::Open;
        for key in keys.split(' ') {
            let key = key.parse::<Key>().map_or_else(|_| key.chars().map(Key::char).collect(), |key| vec![key]);
            for key in key {
                outcome = form.key(key, &assistants());
            }
        }
        outcome
    }

    fn empty() -> FilterForm {
        FilterForm::new(&ConversationFilter::default(), &assistants())
    }

    #[test]
    fn a_filter_is_typed_in_a_few_keys() {
        let outcome = typed(&mut empty(), "m tab fr tab 2026-11-01 tab 2026-11-20 enter");
        let chosen = ConversationFilter {
            kind: Some(ConversationType::Msgapp),
            assistant_id: Some(4),
            date_from: Some("2026-11-01".parse().unwrap()),
            date_to: Some("2026-11-20".parse().unwrap()),
        };
        assert_eq!(outcome, Outcome::Chosen(chosen));
    }

    #[test]
    fn a_wrong_day_keeps_the_form_open_and_says_why() {
        let mut form = empty();
        assert_eq!(typed(&mut form, "tab tab 2026-02-30 enter"), Outcome::Open);
        assert!(form.fault(At::From, &assistants()).unwrap().contains("YYYY-MM-DD"));
        assert_eq!(form.from.value(), "2026-02-30", "nothing typed is lost");
    }

    #[test]
    fn a_day_is_not_called_wrong_while_it_is_half_typed() {
        let mut form = empty();
        typed(&mut form, "tab tab 2026-0");
        assert_eq!(form.fault(At::From, &assistants()), None);
        typed(&mut form, "x");
        assert!(form.fault(At::From, &assistants()).is_some());
    }

    #[test]
    fn days_in_the_wrong_order_are_refused() {
        let mut form = empty();
        assert_eq!(typed(&mut form, "tab tab 2026-11-05 tab 2026-11-01 enter"), Outcome::Open);
        assert!(form.fault(At::To, &assistants()).unwrap().contains("before"));
    }

    #[test]
    fn the_form_opens_with_the_filter_in_force() {
        let filter = ConversationFilter {
            kind: Some(ConversationType::Api),
            assistant_id: Some(7),
            date_from: None,
            date_to: Some("2026-11-20".parse().unwrap()),
        };
        let mut form = FilterForm::new(&filter, &assistants());
        assert_eq!(typed(&mut form, "enter"), Outcome::Chosen(filter));
    }
}
