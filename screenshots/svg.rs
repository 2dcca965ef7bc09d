//! A screen as SVG: a text for each run of cells that look the same, at its own place, so that columns stay columns
//! whatever the font. Lines and blocks are drawn as shapes, which join without gaps.

use crate::paper::{Paper, Rgb, hex};
use crate::support::screen::Screen;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use std::fmt::Write as _;
use switchboard::ui::text::width;

/// A cell, whole pixels in the PNG; the first font's letters are exactly as wide at this size.
const CELL: (f32, f32) = (8.8, 20.0);
const FONT_SIZE: f32 = 14.617;
/// From the top of a cell to the line that letters stand on.
const BASELINE: f32 = 15.0;
const PADDING: f32 = 16.0;
const FONTS: &str = "DejaVu Sans Mono, Menlo, Consolas, WenQuanYi Zen Hei Mono, Noto Sans Mono CJK JP, monospace";

/// How a cell is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    ink: Rgb,
    /// Painted only where it is not the paper itself.
    ground: Option<Rgb>,
    bold: bool,
    underlined: bool,
}

impl Look {
    fn of(cell: &Cell, paper: &Paper) -> Self {
        let has = |modifier| cell.modifier.contains(modifier);
        let ink = paper.ink(cell.fg);
        let ink = if has(Modifier::DIM) { paper.dimmed(ink) } else { ink };
        let ground = (cell.bg != Color::Reset).then(|| paper.ink(cell.bg));
        let (ink, ground) =
            if has(Modifier::REVERSED) { (ground.unwrap_or(paper.background), Some(ink)) } else { (ink, ground) };
        Self { ink, ground, bold: has(Modifier::BOLD), underlined: has(Modifier::UNDERLINED) }
    }
}

/// Cells beside each other that look the same.
struct Run {
    x: u16,
    columns: u16,
    text: String,
    look: Look,
}

/// The screen on this paper.
pub fn write(screen: &Screen, paper: &Paper) -> String {
    let area = screen.buffer.area;
    let (wide, high) =
        (f32::from(area.width) * CELL.0 + 2.0 * PADDING, f32::from(area.height) * CELL.1 + 2.0 * PADDING);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" \
         viewBox=\"0 0 {wide:.0} {high:.0}\" font-family=\"{FONTS}\" font-size=\"{FONT_SIZE}\">"
    );
    let _ = writeln!(
        out,
        "<rect x=\"0.5\" y=\"0.5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"9\" fill=\"{}\" stroke=\"{}\"/>",
        wide.round() - 1.0,
        high.round() - 1.0,
        hex(paper.background),
        hex(paper.border)
    );
    for y in 0..area.height {
        for run in runs(screen, y, paper) {
            draw(&mut out, y, &run);
        }
    }
    if let Some(caret) = screen.caret {
        let (x, y) = corner(caret.x, caret.y);
        let ink = hex(paper.text);
        let _ = writeln!(out, "<rect x=\"{x:.2}\" y=\"{:.2}\" width=\"2\" height=\"15\" fill=\"{ink}\"/>", y + 2.0);
    }
    out.push_str("</svg>\n");
    out
}

fn corner(x: u16, y: u16) -> (f32, f32) {
    (PADDING + f32::from(x) * CELL.0, PADDING + f32::from(y) * CELL.1)
}

fn runs(screen: &Screen, y: u16, paper: &Paper) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut x = 0;
    while x < screen.buffer.area.width {
        let cell = &screen.buffer[(x, y)];
        let columns = u16::try_from(width(cell.symbol()).max(1)).unwrap_or(1);
        let (look, symbol) = (Look::of(cell, paper), cell.symbol());
        // Letters beyond Latin may come from another font, with another width.
        let plain = |text: &str| text.chars().all(|letter| letter < '\u{250}');
        let joins = |run: &Run| {
            plain(&run.text) && plain(symbol)
                || symbol == "─" && run.text.starts_with(symbol)
                || is_rightward(&run.text) && (is_rightward(symbol) || symbol == " ")
        };
        match runs.last_mut() {
            Some(run) if run.look == look && joins(run) => {
                run.text.push_str(symbol);
                run.columns += columns;
            }
            _ => runs.push(Run { x, columns, text: symbol.to_owned(), look }),
        }
        x += columns;
    }
    runs
}

/// True for scripts that are written from the right and join their letters, which a terminal puts in order by itself.
fn is_rightward(text: &str) -> bool {
    text.starts_with(|letter| ('\u{590}'..'\u{900}').contains(&letter))
}

/// The shape of a line or a block over so many cells.
fn shape(symbol: &str, x: f32, y: f32, columns: f32) -> Option<String> {
    let (wide, high) = (columns * CELL.0, CELL.1);
    let (middle_x, middle_y) = (x + CELL.0 / 2.0, y + high / 2.0);
    let (right, bottom) = (x + wide, y + high);
    let line = |path: String| Some(format!("<path d=\"{path}\" fill=\"none\" stroke=\"INK\"/>"));
    let block = |x: f32, wide: f32| {
        Some(format!("<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{wide:.2}\" height=\"{high:.2}\" fill=\"INK\"/>"))
    };
    match symbol {
        "─" => line(format!("M{x:.2} {middle_y:.2}H{right:.2}")),
        "│" => line(format!("M{middle_x:.2} {y:.2}V{bottom:.2}")),
        "┌" => line(format!("M{middle_x:.2} {bottom:.2}V{middle_y:.2}H{right:.2}")),
        "┐" => line(format!("M{x:.2} {middle_y:.2}H{middle_x:.2}V{bottom:.2}")),
        "└" => line(format!("M{middle_x:.2} {y:.2}V{middle_y:.2}H{right:.2}")),
        "┘" => line(format!("M{x:.2} {middle_y:.2}H{middle_x:.2}V{y:.2}")),
        "▌" => block(x, CELL.0 / 2.0),
        "▐" => block(middle_x, CELL.0 / 2.0),
        _ => None,
    }
}

fn draw(out: &mut String, y: u16, run: &Run) {
    let Run { text, look, .. } = run;
    let ((x, y), wide) = (corner(run.x, y), f32::from(run.columns) * CELL.0);
    if let Some(ground) = look.ground {
        let fill = hex(ground);
        let high = CELL.1;
        let _ =
            writeln!(out, "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{wide:.2}\" height=\"{high:.2}\" fill=\"{fill}\"/>");
    }
    let ink = hex(look.ink);
    if look.underlined {
        let under = y + BASELINE + 2.5;
        let _ = writeln!(out, "<path d=\"M{x:.2} {under:.2}h{wide:.2}\" stroke=\"{ink}\"/>");
    }
    let first = text.chars().next().map(String::from).unwrap_or_default();
    if let Some(shape) = shape(&first, x, y, f32::from(run.columns)) {
        let _ = writeln!(out, "{}", shape.replace("INK", &ink));
        return;
    }
    // Blanks at either end need no text.
    let shown = text.trim_end();
    let lead = shown.len() - shown.trim_start().len();
    let shown = shown.trim_start();
    if shown.is_empty() {
        return;
    }
    let (blank, columns) = (u16::try_from(lead).unwrap_or(0), u16::try_from(width(shown)).unwrap_or(1));
    let (x, wide) = (x + f32::from(blank) * CELL.0, f32::from(columns) * CELL.0);
    let weight = if look.bold { " font-weight=\"bold\"" } else { "" };
    let _ = writeln!(
        out,
        "<text x=\"{x:.2}\" y=\"{:.2}\" textLength=\"{wide:.2}\" fill=\"{ink}\"{weight} xml:space=\"preserve\">{}</text>",
        y + BASELINE,
        escape(shown)
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
