//! Encodes the difference between two frames in as few bytes as possible.
//!
//! Over SSH every byte counts. The encoder tracks cursor and pen: it draws a blank without setting colours, writes over a
//! short gap instead of jumping it, and erases the end of a row instead of overwriting it.
//!
//! Where terminals disagree on the width of a grapheme (see [`super::widths`]), it does not rely on the cursor: the rest
//! of the row is erased before the grapheme, and the cursor is placed absolutely after it.

use super::widths;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use std::io::Write as _;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

const DRAWN: Modifier = Modifier::BOLD
    .union(Modifier::DIM)
    .union(Modifier::ITALIC)
    .union(Modifier::UNDERLINED)
    .union(Modifier::REVERSED)
    .union(Modifier::CROSSED_OUT);
/// Modifiers that show on a blank too.
const ON_BLANK: Modifier = Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT);

/// How a cell is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pen {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl Pen {
    const PLAIN: Self = Self { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };

    fn of(cell: &Cell) -> Self {
        Self { fg: cell.fg, bg: cell.bg, modifier: cell.modifier & DRAWN }
    }

    /// True where a blank drawn with `self` looks as one drawn with `other`.
    fn blanks_like(self, other: Self) -> bool {
        let (mine, others) = (self.modifier & ON_BLANK, other.modifier & ON_BLANK);
        self.bg == other.bg && mine == others && (mine.is_empty() || self.fg == other.fg)
    }
}

fn is_blank(cell: &Cell) -> bool {
    cell.symbol() == " "
}

fn looks_like(one: &Cell, other: &Cell) -> bool {
    // Most symbols are one byte, and comparing those needs no call.
    let same = match (one.symbol().as_bytes(), other.symbol().as_bytes()) {
        ([one], [other]) => one == other,
        (one, other) => one == other,
    };
    let (pen, others) = (Pen::of(one), Pen::of(other));
    same && (pen == others || is_blank(one) && pen.blanks_like(others))
}

/// Columns that a cell covers: 2 for a wide character, whose right neighbour is not drawn.
fn columns(cell: &Cell) -> usize {
    let symbol = cell.symbol();
    if symbol.len() == 1 { 1 } else { symbol.width().max(1) }
}

/// Writes the difference between two frames; remembers where it left cursor and pen.
#[derive(Debug)]
pub struct Encoder {
    /// Column and row of the terminal's cursor, from 0; `None` where that is not certain.
    cursor: Option<(Option<u16>, u16)>,
    pen: Pen,
    /// What the terminal shows; `None` before the first frame and after another program drew.
    shown: Option<Buffer>,
    /// The frame before it, kept to reuse its memory.
    spare: Option<Buffer>,
    caret: Option<Position>,
    out: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Self {
        Self { cursor: None, pen: Pen::PLAIN, shown: None, spare: None, caret: None, out: Vec::with_capacity(4096) }
    }
}

impl Encoder {
    /// Forgets what the terminal shows: the next frame is drawn whole.
    pub fn invalidate(&mut self) {
        (self.shown, self.cursor, self.caret) = (None, None, None);
    }

    /// An empty buffer to draw the next frame in.
    pub fn spare(&mut self, area: Rect) -> Buffer {
        match self.spare.take().filter(|spare| spare.area == area) {
            Some(mut spare) => {
                spare.reset();
                spare
            }
            None => Buffer::empty(area),
        }
    }

    /// The bytes that make the terminal show `next`, with the caret at this position or hidden.
    pub fn encode(&mut self, next: Buffer, caret: Option<Position>) -> &[u8] {
        self.out.clear();
        let shown = self.shown.take().filter(|shown| shown.area == next.area).unwrap_or_else(|| {
            self.out.extend_from_slice(b"\x1b[m\x1b[?25l\x1b[2J");
            (self.pen, self.cursor, self.caret) = (Pen::PLAIN, None, None);
            Buffer::empty(next.area)
        });
        for y in 0..next.area.height {
            self.row(&shown, &next, y);
        }
        self.place_caret(caret);
        (self.shown, self.spare) = (Some(next), Some(shown));
        &self.out
    }

    fn row(&mut self, shown: &Buffer, next: &Buffer, y: u16) {
        let width = usize::from(next.area.width);
        let start = usize::from(y) * width;
        let (old, new) = (&shown.content[start..start + width], &next.content[start..start + width]);
        let Some(changed) = old.iter().zip(new).position(|(old, new)| !looks_like(old, new)) else { return };
        let wipe = wipe_from(old, new, changed);
        let x = self.cells(old, new, 0..wipe.min(width), y);
        if x < width {
            self.erase(new, x, y, "\x1b[K");
            self.cells(&vec![Cell::EMPTY; width], new, x..width, y);
        }
    }

    /// Writes the cells of row `y` that begin in `range` and do not reach beyond it; the column where it stopped, which is
    /// the end of the row where the rest was erased.
    fn cells(&mut self, old: &[Cell], new: &[Cell], range: Range<usize>, y: u16) -> usize {
        let width = new.len();
        // From here on the row is blank and plain, so it can be erased in three bytes.
        let tail = new.iter().rposition(|cell| !is_blank(cell) || !Pen::of(cell).blanks_like(Pen::PLAIN));
        let tail = tail.map_or(0, |last| last + columns(&new[last]));
        // Columns before `smeared` may hold the end of a grapheme that the terminal draws wider than it is. Contested
        // graphemes follow each other without moving the cursor: `run` is the column after the last one.
        let (mut smeared, mut run) = (0, usize::MAX);
        let mut x = range.start;
        while x < range.end {
            let wide = columns(&new[x]);
            if x + wide > range.end && range.end < width {
                break;
            }
            // Terminals blank the right half of an overwritten wide character each in their own way.
            let torn = x > 0 && columns(&old[x - 1]) > 1;
            if x >= smeared && !torn && looks_like(&old[x], &new[x]) && columns(&old[x]) == wide {
                x += wide;
                continue;
            }
            if x >= tail && width - x > 3 && old[x..].iter().filter(|cell| !is_blank(cell)).count() > 2 {
                self.erase(new, x, y, "\x1b[K");
                return width;
            }
            // Beyond this, erasing a gap and jumping it takes fewer bytes than writing it.
            let to_erase =
                |(new, old): &(&Cell, &Cell)| looks_like(new, &Cell::EMPTY) && !looks_like(old, &Cell::EMPTY);
            let gap = new[x..range.end].iter().zip(&old[x..]).take_while(to_erase).count();
            if gap > 10 {
                self.erase(new, x, y, &format!("\x1b[{gap}X"));
                x += gap;
                continue;
            }
            let contested = widths::is_contested(new[x].symbol());
            if !contested || x != run {
                self.go(new, x, y);
            }
            if contested {
                let reach = if x == run { smeared } else { x };
                smeared = smeared.max(reach + widths::widest(new[x].symbol()));
                run = x + wide;
            }
            self.put(&new[x], contested && smeared >= width);
            x += wide;
            // At the last column terminals disagree on where the cursor is.
            self.cursor = (x < width || contested).then(|| (u16::try_from(x).ok().filter(|_| !contested), y));
        }
        x
    }

    /// Makes cells from this one on blank and plain.
    fn erase(&mut self, row: &[Cell], x: usize, y: u16, how: &str) {
        self.go(row, x, y);
        if !self.pen.blanks_like(Pen::PLAIN) {
            self.draw_with(Pen::PLAIN);
        }
        self.out.extend_from_slice(how.as_bytes());
    }

    /// Writes a cell; one that may be `too_wide` for the row must not wrap into the next.
    fn put(&mut self, cell: &Cell, too_wide: bool) {
        let (pen, symbol) = (Pen::of(cell), cell.symbol());
        if !(is_blank(cell) && pen.blanks_like(self.pen)) {
            self.draw_with(pen);
        }
        // Writing to a vector cannot fail.
        if too_wide {
            let _ = write!(self.out, "\x1b[?7l{symbol}\x1b[?7h");
        } else {
            self.out.extend_from_slice(symbol.as_bytes());
        }
    }

    /// Moves the cursor to a cell of row `y`, whose cells are `row`.
    fn go(&mut self, row: &[Cell], x: usize, y: u16) {
        let column = u16::try_from(x).unwrap_or(u16::MAX);
        if self.cursor == Some((Some(column), y)) {
            return;
        }
        let mut best = format!("\x1b[{};{}H", y + 1, x + 1);
        if let Some((from, line)) = self.cursor.filter(|(_, line)| *line <= y) {
            let down = "\n".repeat(usize::from(y - line));
            let absolute = if column == 0 { "\r".to_owned() } else { format!("\x1b[{}G", x + 1) };
            let relative = from.map_or_else(|| absolute.clone(), |from| step(from, column));
            let gap = from.filter(|from| line == y && *from < column).map(|from| &row[usize::from(from)..x]);
            let writable = gap.filter(|gap| gap.len() <= relative.len() && gap.iter().all(|cell| self.writes(cell)));
            let written = writable.map(|gap| gap.iter().map(Cell::symbol).collect());
            let ways = [written, Some(relative + &down), Some(absolute + &down)];
            for way in ways.into_iter().flatten() {
                if way.len() < best.len() {
                    best = way;
                }
            }
        }
        self.out.extend_from_slice(best.as_bytes());
        self.cursor = Some((Some(column), y));
    }

    /// True where the pen draws a cell as it is, in one byte.
    fn writes(&self, cell: &Cell) -> bool {
        let pen = Pen::of(cell);
        cell.symbol().len() == 1 && if is_blank(cell) { pen.blanks_like(self.pen) } else { pen == self.pen }
    }

    fn draw_with(&mut self, pen: Pen) {
        if pen == self.pen {
            return;
        }
        // Writing to a vector cannot fail.
        if pen == Pen::PLAIN {
            self.out.extend_from_slice(b"\x1b[m");
        } else {
            let (change, anew) = (change(self.pen, pen), format!(";{}", change(Pen::PLAIN, pen)));
            let _ = write!(self.out, "\x1b[{}m", if change.len() <= anew.len() { change } else { anew });
        }
        self.pen = pen;
    }

    fn place_caret(&mut self, caret: Option<Position>) {
        if let Some(Position { x, y }) = caret {
            if self.cursor != Some((Some(x), y)) {
                let _ = write!(self.out, "\x1b[{};{}H", y + 1, x + 1);
                self.cursor = Some((Some(x), y));
            }
            if self.caret.is_none() {
                self.out.extend_from_slice(b"\x1b[?25h");
            }
        } else if self.caret.is_some() {
            self.out.extend_from_slice(b"\x1b[?25l");
        }
        self.caret = caret;
    }
}

/// The column from which a row is erased and written again: that of the first run of contested graphemes, shown or to be
/// shown, that reaches the first change or stands behind it. `usize::MAX` where there is none or the row is blank there.
fn wipe_from(old: &[Cell], new: &[Cell], changed: usize) -> usize {
    let wipe = [old, new].into_iter().filter_map(|row| contested_run(row, changed)).min();
    wipe.filter(|x| !old[*x..].iter().all(|cell| looks_like(cell, &Cell::EMPTY))).unwrap_or(usize::MAX)
}

/// The line with its styles as escape sequences, for output that is not a screen. Its text must be clean.
pub fn ansi(line: &Line<'_>) -> String {
    let span = |span: &Span<'_>| {
        let Style { fg, bg, add_modifier, .. } = line.style.patch(span.style);
        let (fg, bg) = (fg.unwrap_or_default(), bg.unwrap_or_default());
        let codes = change(Pen::PLAIN, Pen { fg, bg, modifier: add_modifier & DRAWN });
        if codes.is_empty() { span.content.to_string() } else { format!("\x1b[{codes}m{}\x1b[m", span.content) }
    };
    line.spans.iter().map(span).collect()
}

/// Where the first run of contested graphemes begins that has one at or after column `from`.
fn contested_run(row: &[Cell], from: usize) -> Option<usize> {
    let (mut x, mut start) = (0, None);
    while x < row.len() {
        start = widths::is_contested(row[x].symbol()).then(|| start.unwrap_or(x));
        if x >= from && start.is_some() {
            return start;
        }
        x += columns(&row[x]);
    }
    None
}

/// A movement of the cursor within its row.
fn step(from: u16, to: u16) -> String {
    match (to.abs_diff(from), if to < from { 'D' } else { 'C' }) {
        (0, _) => String::new(),
        (count @ 1..4, 'D') => "\x08".repeat(count.into()),
        (1, direction) => format!("\x1b[{direction}"),
        (count, direction) => format!("\x1b[{count}{direction}"),
    }
}

/// The parameters of the SGR sequence that turns one pen into another.
fn change(from: Pen, to: Pen) -> String {
    let mut codes: Vec<String> = Vec::new();
    let (lost, mut gained) = (from.modifier - to.modifier, to.modifier - from.modifier);
    let weight = Modifier::BOLD | Modifier::DIM;
    if lost.intersects(weight) {
        codes.push("22".to_owned());
        gained |= to.modifier & weight;
    }
    for (modifier, on, off) in [
        (Modifier::BOLD, "1", ""),
        (Modifier::DIM, "2", ""),
        (Modifier::ITALIC, "3", "23"),
        (Modifier::UNDERLINED, "4", "24"),
        (Modifier::REVERSED, "7", "27"),
        (Modifier::CROSSED_OUT, "9", "29"),
    ] {
        if gained.contains(modifier) {
            codes.push(on.to_owned());
        } else if lost.contains(modifier) && !off.is_empty() {
            codes.push(off.to_owned());
        }
    }
    if from.fg != to.fg {
        codes.push(colour(to.fg, 30));
    }
    if from.bg != to.bg {
        codes.push(colour(to.bg, 40));
    }
    codes.join(";")
}

/// The SGR code of a colour; `base` is 30 for the foreground and 40 for the background.
fn colour(colour: Color, base: u8) -> String {
    let bright = base + 60;
    match colour {
        Color::Reset => (base + 9).to_string(),
        Color::Black => base.to_string(),
        Color::Red => (base + 1).to_string(),
        Color::Green => (base + 2).to_string(),
        Color::Yellow => (base + 3).to_string(),
        Color::Blue => (base + 4).to_string(),
        Color::Magenta => (base + 5).to_string(),
        Color::Cyan => (base + 6).to_string(),
        Color::Gray => (base + 7).to_string(),
        Color::DarkGray => bright.to_string(),
        Color::LightRed => (bright + 1).to_string(),
        Color::LightGreen => (bright + 2).to_string(),
        Color::LightYellow => (bright + 3).to_string(),
        Color::LightBlue => (bright + 4).to_string(),
        Color::LightMagenta => (bright + 5).to_string(),
        Color::LightCyan => (bright + 6).to_string(),
        Color::White => (bright + 7).to_string(),
        Color::Indexed(index @ 0..8) => (base + index).to_string(),
        Color::Indexed(index @ 8..16) => (bright + index - 8).to_string(),
        Color::Indexed(index) => format!("{};5;{index}", base + 8),
        Color::Rgb(red, green, blue) => format!("{};2;{red};{green};{blue}", base + 8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WIDTH: u16 = 24;
    const HEIGHT: u16 = 4;

    fn style() -> impl Strategy<Value = Style> {
        let colours = [Color::Reset, Color::Red, Color::LightCyan, Color::Indexed(200), Color::Rgb(1, 2, 3)];
        let modifiers = [
            Modifier::empty(),
            Modifier::BOLD,
            Modifier::DIM,
            Modifier::BOLD | Modifier::UNDERLINED,
            Modifier::REVERSED,
            Modifier::ITALIC,
        ];
        (
            proptest::sample::select(colours.to_vec()),
            proptest::sample::select(colours.to_vec()),
            proptest::sample::select(modifiers.to_vec()),
        )
            .prop_map(|(fg, bg, modifier)| Style::new().fg(fg).bg(bg).add_modifier(modifier).remove_modifier(!modifier))
    }

    fn frame() -> impl Strategy<Value = Buffer> {
        let texts = vec!["", "a", "Reception", "受付", "  gap  ", "x受y", "0.04", "                        ", "é"];
        let piece = (0..WIDTH, 0..HEIGHT, proptest::sample::select(texts), style());
        proptest::collection::vec(piece, 0..12).prop_map(|pieces| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, WIDTH, HEIGHT));
            for (x, y, text, style) in pieces {
                buffer.set_stringn(x, y, text, usize::from(WIDTH - x), style);
            }
            buffer
        })
    }

    /// Frame by frame through an emulator: what it shows must be the frame.
    fn check(frames: Vec<Buffer>) {
        let size = |n| std::num::NonZeroU16::new(n).unwrap();
        let mut terminal = vt100::Parser::new(size(HEIGHT), size(WIDTH), 0);
        let mut encoder = Encoder::default();
        for frame in frames {
            terminal.process(encoder.encode(frame.clone(), None));
            let mut expected = vt100::Parser::new(size(HEIGHT), size(WIDTH), 0);
            expected.process(Encoder::default().encode(frame.clone(), None));
            for y in 0..HEIGHT {
                let mut x = 0;
                while x < WIDTH {
                    let cell = &frame[(x, y)];
                    let shown = terminal.screen().cell(y, x).unwrap();
                    let symbol = if shown.contents().is_empty() { " " } else { shown.contents() };
                    assert_eq!(symbol, cell.symbol(), "at {x},{y}");
                    if !is_blank(cell) {
                        assert_eq!(shown.bold(), cell.modifier.contains(Modifier::BOLD), "bold at {x},{y}");
                        assert_eq!(shown.dim(), cell.modifier.contains(Modifier::DIM), "dim at {x},{y}");
                        assert_eq!(shown.fgcolor(), expected.screen().cell(y, x).unwrap().fgcolor());
                    }
                    assert_eq!(shown.inverse(), cell.modifier.contains(Modifier::REVERSED), "inverse at {x},{y}");
                    assert_eq!(shown.bgcolor(), expected.screen().cell(y, x).unwrap().bgcolor(), "ground at {x},{y}");
                    x += u16::try_from(columns(cell)).unwrap();
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..crate::testing::properties() })]
        #[test]
        fn the_terminal_shows_each_frame(frames in proptest::collection::vec(frame(), 1..6)) {
            check(frames);
        }
    }

    #[test]
    fn a_frame_without_a_change_costs_nothing() {
        let frame = Buffer::with_lines(["hello", "world"]);
        let mut encoder = Encoder::default();
        encoder.encode(frame.clone(), Some(Position::new(1, 1)));
        assert_eq!(encoder.encode(frame, Some(Position::new(1, 1))), b"");
    }

    #[test]
    fn a_changed_letter_costs_a_move_and_a_letter() {
        let mut encoder = Encoder::default();
        encoder.encode(Buffer::with_lines(["hello", "world"]), None);
        assert_eq!(encoder.encode(Buffer::with_lines(["hello", "wurld"]), None), b"\x1b[2;2Hu");
    }
}
