//! The outbox on screen: the list, and the details of an entry beside it or in its place.

use super::super::compose::words::{country, pretty, styled, time, time_in_a_list};
use super::{Found, Outbox, Sight, State, state, verdict, words};
use crate::messaging::{Outcome, advice};
use crate::records::{Entry, Mark};
use crate::ui::text::{clean, count};
use crate::ui::widgets::columns::{Column, arrange, cell};
use crate::ui::widgets::{put, put_cut, put_lines, put_right};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// From this width on the details lie beside the list.
const BESIDE: u16 = 100;
/// Columns of a detail's name.
const LABEL: usize = 14;

const COLUMNS: [Column; 4] = [
    Column { title: "TIME", width: 12, fills: false, right: false, drops: 1 },
    Column { title: "TO", width: 18, fills: false, right: false, drops: 0 },
    Column { title: "WHAT", width: 14, fills: false, right: false, drops: 2 },
    Column { title: "OUTCOME", width: 24, fills: true, right: false, drops: 0 },
];

/// Where the parts lie.
pub(super) struct Areas {
    title: Rect,
    header: Rect,
    /// The rows of the list; without a height while the details have the whole body.
    pub(super) rows: Rect,
    /// Without a width where they are not shown.
    pub(super) details: Rect,
}

/// Where the parts lie; `open` where the details have the focus.
pub(super) fn areas(body: Rect, open: bool) -> Areas {
    let area = Rect { x: body.x + body.width.min(1), width: body.width.saturating_sub(2), ..body };
    let title = Rect { height: area.height.min(1), ..area };
    let air = u16::from(area.height >= 12);
    let top = (1 + air).min(area.height);
    let below = Rect { y: area.y + top, height: area.height - top, ..area };
    let none = Rect { width: 0, height: 0, ..below };
    let beside = area.width >= BESIDE;
    if open && !beside {
        return Areas { title, header: none, rows: none, details: below };
    }
    let wide = if beside { (area.width * 2 / 5).max(52) } else { 0 };
    let list = Rect { width: area.width - wide - if beside { 3 } else { 0 }, ..below };
    let header = Rect { height: list.height.min(1), ..list };
    let rows = Rect { y: list.y + header.height, height: list.height - header.height, ..list };
    let details = Rect { x: area.right() - wide, width: wide, height: if beside { below.height } else { 0 }, ..below };
    Areas { title, header, rows, details }
}

/// Draws the outbox.
pub(super) fn draw(outbox: &Outbox, sight: &Sight<'_>, buffer: &mut Buffer) {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let areas = areas(sight.body, outbox.open);
    let shows_list = areas.rows.width > 0;
    let style = if outbox.open && shows_list { theme.dim } else { theme.accent };
    put(buffer, areas.title, &Line::from(Span::styled("Outbox", style)));
    let sends = count(outbox.entries.len() as u64, "send", "sends");
    let total = match outbox.unknown() {
        _ if !outbox.read => "being read".to_owned(),
        unknown if outbox.alone => format!("the {unknown} unknown of {sends}"),
        0 => sends,
        unknown => format!("{sends} {} {unknown} unknown", glyphs.dot),
    };
    let total_style = if outbox.unknown() > 0 { theme.warning } else { theme.dim };
    put_right(buffer, areas.title, &Line::from(Span::styled(total, total_style)));
    if shows_list {
        list(outbox, &areas, sight, buffer);
    }
    if !areas.details.is_empty() && outbox.selected().is_some() {
        if shows_list {
            for y in areas.details.y..areas.details.bottom() {
                let place = Rect { x: areas.details.x - 2, y, width: 1, height: 1 };
                put(buffer, place, &Line::from(Span::styled(glyphs.vertical, theme.dim)));
            }
        }
        let lines = details(outbox, sight, usize::from(areas.details.width));
        let hidden = lines.len().saturating_sub(usize::from(areas.details.height));
        put_lines(buffer, areas.details, &lines, outbox.scrolled.min(hidden));
        if outbox.scrolled < hidden {
            let last = Rect { y: areas.details.bottom() - 1, height: 1, ..areas.details };
            put_right(buffer, last, &Line::from(Span::styled(format!(" more {} ", glyphs.down), theme.dim)));
        }
    }
}

fn list(outbox: &Outbox, areas: &Areas, sight: &Sight<'_>, buffer: &mut Buffer) {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    if outbox.selected().is_none() {
        let said = match (outbox.read, outbox.alone) {
            (false, _) => "The outbox is being read.",
            (true, true) => "Of everything that was sent it is known what became of it.",
            (true, false) => "Nothing has been sent with this profile yet.",
        };
        put_cut(buffer, areas.rows, &Line::from(Span::styled(said, theme.dim)), glyphs.ellipsis);
        return;
    }
    // The mark of the selected row has two columns of its own.
    let inside = |row: Rect| Rect { x: row.x + 2.min(row.width), width: row.width.saturating_sub(2), ..row };
    let places = arrange(&COLUMNS, inside(areas.rows).width);
    for (column, place) in COLUMNS.iter().zip(places) {
        if let Some(place) = place {
            cell(buffer, inside(areas.header), place, column.right, column.title, theme.dim, glyphs.ellipsis);
        }
    }
    let height = usize::from(areas.rows.height).max(1);
    let first = outbox.cursor.offset.clamp((outbox.cursor.at + 1).saturating_sub(height), outbox.cursor.at);
    for (y, (at, entry)) in (areas.rows.y..areas.rows.bottom()).zip(outbox.shown().enumerate().skip(first)) {
        let row = Rect { y, height: 1, ..areas.rows };
        let selected = at == outbox.cursor.at;
        if selected {
            put(buffer, row, &Line::from(Span::styled(glyphs.marker, theme.accent)));
        }
        let (outcome, style) = words::outcome(state(entry, &outbox.waiting), sight.now.mono, sight.options);
        let name = if selected { theme.selected } else { Style::new() };
        let texts = [
            (time_in_a_list(entry.began, sight), theme.dim),
            (recipient(entry), name),
            (what(entry), Style::new()),
            (outcome, style),
        ];
        for ((text, style), place) in texts.into_iter().zip(places) {
            if let Some(place) = place {
                cell(buffer, inside(row), place, false, &clean(&text), style, glyphs.ellipsis);
            }
        }
    }
}

fn recipient(entry: &Entry) -> String {
    entry.intent.name.clone().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| pretty(&entry.intent.phone))
}

fn what(entry: &Entry) -> String {
    entry.intent.template.as_ref().map_or_else(|| "own words".to_owned(), |template| template.name.clone())
}

/// The details of the selected entry, in lines of at most `columns`.
pub(super) fn details(outbox: &Outbox, sight: &Sight<'_>, columns: usize) -> Vec<Line<'static>> {
    let theme = &sight.options.theme;
    let Some(entry) = outbox.selected() else { return Vec::new() };
    let state = state(entry, &outbox.waiting);
    let plain = Style::new();
    let mut lines = Vec::new();
    let (said, style) = words::outcome(state, sight.now.mono, sight.options);
    lines.extend(styled(&[(said, style)], columns));
    lines.push(Line::default());
    let intent = &entry.intent;
    let name = intent.name.clone().map(|name| format!("{name}  ")).unwrap_or_default();
    let to = format!("{name}{} {}", pretty(&intent.phone), country(&intent.phone));
    let mut fields = vec![
        ("to", to.trim_end().to_owned()),
        ("from", pretty(&intent.sender)),
        ("what", what(entry)),
        ("confirmed", time(entry.began, sight)),
    ];
    if let Some(ended) = entry.ended {
        let label = if matches!(entry.outcome, Some(Outcome::Unknown { .. })) { "given up" } else { "answered" };
        fields.push((label, time(ended, sight)));
    }
    if let Some(row) = &intent.row {
        fields.push(("from a file", format!("line {}", row.line)));
    }
    if let State::Over(Outcome::Accepted(accepted)) = state {
        let number = |number: Option<i64>| number.map(|number| number.to_string());
        let found = [
            ("conversation", number(accepted.conversation_id)),
            ("message", number(accepted.message_id)),
            ("in the app", number(accepted.msgapp_message_id)),
            ("message_sid", accepted.message_sid.clone()),
            ("status", accepted.status.clone()),
        ];
        fields.extend(found.into_iter().filter_map(|(label, value)| Some((label, value?))));
    }
    if let Some(text) = &intent.text {
        fields.push(("text", text.clone()));
    }
    fields.push(("id", intent.id.to_string()));
    for (label, value) in fields {
        let value = styled(&[(value, plain)], columns.saturating_sub(LABEL).max(1));
        for (at, line) in value.into_iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            let mut spans = vec![Span::styled(format!("{label:<LABEL$}"), theme.dim)];
            spans.extend(line.spans);
            lines.push(Line::from(spans));
        }
    }
    lines.push(Line::default());
    for (text, style) in next(outbox, entry, state, sight) {
        lines.extend(styled(&[(text, style)], columns));
    }
    lines
}

/// What it means, and what can be done.
fn next(outbox: &Outbox, entry: &Entry, state: State<'_>, sight: &Sight<'_>) -> Vec<(String, Style)> {
    let theme = &sight.options.theme;
    let (plain, blank) = (Style::new(), (String::new(), Style::new()));
    match state {
        State::Leaving => vec![("It is on its way; its answer has not come yet.".to_owned(), theme.dim)],
        State::Waiting(until) => {
            let wait = words::wait(until, sight.now.mono);
            let said = format!(
                "Not sent yet: the server asked to wait ({wait}). It goes on by itself; nothing was taken so far."
            );
            vec![(said, plain)]
        }
        State::Marked(Mark::Sent) => vec![("Its outcome was unknown; somebody marked it as sent.".to_owned(), plain)],
        State::Marked(Mark::NotSent) => vec![
            ("Its outcome was unknown; somebody marked it as not sent.".to_owned(), plain),
            ("s writes it again".to_owned(), theme.strong),
        ],
        State::Over(Outcome::Accepted(_)) => Vec::new(),
        State::Over(Outcome::Refused(refusal)) => {
            let from = refusal.status.map_or("It never left".to_owned(), |status| format!("The service ({status})"));
            vec![
                (format!("{from}: \"{}\"", refusal.words.trim()), plain),
                (advice(refusal), plain),
                ("Nothing was sent and nothing was paid.".to_owned(), plain),
                blank,
                ("s writes it again".to_owned(), theme.strong),
            ]
        }
        State::Over(Outcome::Unknown { .. }) => {
            let cannot = "Whether the customer got it cannot be told from here, so it is never sent again by itself.";
            let keys = [blank.clone(), ("c checks   m it was sent   u it was not".to_owned(), theme.strong)];
            let mut said = Vec::new();
            match outbox.found.get(&entry.intent.id) {
                None => {
                    said.push((cannot.to_owned(), plain));
                    said.extend(keys);
                }
                Some(Found::Asked) => {
                    said.extend([(cannot.to_owned(), plain), blank, ("Being checked.".to_owned(), theme.dim)]);
                }
                Some(Found::Failed(why)) => {
                    said.push((format!("It could not be checked: {}.", why.trim_end_matches('.')), theme.failed));
                    said.extend(keys);
                }
                Some(Found::Told(evidence, now)) => {
                    said.extend(verdict::sentences(entry, evidence, *now, sight).into_iter().map(|line| (line, plain)));
                    said.extend([blank, ("The last messages".to_owned(), theme.dim)]);
                    said.extend(verdict::messages(evidence).into_iter().map(|line| (line, plain)));
                }
            }
            said
        }
    }
}
