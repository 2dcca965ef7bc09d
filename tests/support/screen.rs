//! What a person sees, as cells and as text.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier};
use std::fmt::{self, Write as _};
use switchboard::ui::text::width;
use switchboard::ui::{self, App};

/// A screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screen {
    pub buffer: Buffer,
    /// Where the cursor shows, if anywhere.
    pub caret: Option<Position>,
}

impl Screen {
    pub fn blank() -> Self {
        Self { buffer: Buffer::empty(Rect::default()), caret: None }
    }

    pub fn of(app: &App) -> Self {
        let Size { width, height } = app.size();
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        let caret = ui::draw(app, &mut buffer);
        Self { buffer, caret }
    }

    /// The rows with, for each cell that begins a character, what `shown` makes of it.
    fn rows(&self, shown: impl Fn(&Cell, &mut String)) -> Vec<String> {
        let area = self.buffer.area;
        let row = |y: u16| {
            let (mut text, mut x) = (String::new(), 0);
            while x < area.width {
                let cell = &self.buffer[(x, y)];
                shown(cell, &mut text);
                x += u16::try_from(width(cell.symbol()).max(1)).unwrap();
            }
            text.trim_end().to_owned()
        };
        (0..area.height).map(row).collect()
    }

    /// The rows as text.
    pub fn lines(&self) -> Vec<String> {
        self.rows(|cell, text| text.push_str(cell.symbol()))
    }

    /// True where one row shows this.
    pub fn shows(&self, wanted: &str) -> bool {
        self.lines().iter().any(|line| line.contains(wanted))
    }

    /// The rows as text, and below them how each cell looks: a accent, b bold, d dim, u underlined, v reversed,
    /// g green, y yellow, r red, m magenta; a capital is bold too.
    pub fn with_looks(&self) -> String {
        let mut out = self.to_string();
        let looks = self.rows(|cell, text| {
            let mark = look(cell);
            (0..width(cell.symbol()).max(1)).for_each(|_| text.push(mark));
        });
        let _ = write!(out, "\n{}\n{}", "-".repeat(usize::from(self.buffer.area.width)), looks.join("\n"));
        if let Some(Position { x, y }) = self.caret {
            let _ = write!(out, "\ncursor at column {x}, row {y}");
        }
        out
    }
}

impl fmt::Display for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}

fn look(cell: &Cell) -> char {
    let has = |modifier| cell.modifier.contains(modifier);
    if has(Modifier::REVERSED) {
        return 'v';
    }
    if cell.symbol() == " " {
        return ' ';
    }
    if has(Modifier::UNDERLINED) {
        return 'u';
    }
    if has(Modifier::DIM) {
        return 'd';
    }
    let colour = match cell.fg {
        Color::Reset if has(Modifier::BOLD) => return 'b',
        Color::Reset => return '.',
        Color::Cyan => 'a',
        Color::Green => 'g',
        Color::Yellow => 'y',
        Color::Red => 'r',
        Color::Magenta => 'm',
        _ => '?',
    };
    if has(Modifier::BOLD) { colour.to_ascii_uppercase() } else { colour }
}
