//! Graphemes whose width terminals disagree on.
//!
//! Emoji with a variation selector, joined emoji, flags, skin tones, and scripts that are shaped (Arabic ligatures, Indic
//! conjuncts): one terminal draws them in 1 column, another in 6. No query tells which, and it depends on the font too.

use unicode_width::UnicodeWidthChar as _;

/// True where a terminal may draw the grapheme in another number of columns than `unicode-width` counts, or join it with
/// the one before it.
pub fn is_contested(symbol: &str) -> bool {
    let mut chars = symbol.chars();
    match chars.next() {
        None => false,
        Some(first) if first.is_ascii() && symbol.len() == 1 => false,
        // Accents go on top of the letter everywhere.
        Some(first) => shapes(first) || chars.any(|mark| !matches!(mark, '\u{300}'..='\u{36f}')),
    }
}

/// The most columns that any terminal draws the grapheme in.
pub fn widest(symbol: &str) -> usize {
    // A letter of a shaped script takes no more than its own column, a mark no more than a letter; emoji take two.
    let most = |letter: char| if letter < '\u{1100}' { 1 } else { 2 };
    symbol.chars().map(most).sum()
}

fn shapes(letter: char) -> bool {
    match letter {
        // Arabic to Myanmar, Hangul letters, Khmer and Mongolian, private use, Arabic presentation forms, emoji.
        '\u{600}'..='\u{109f}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{18af}'
        | '\u{e000}'..='\u{f8ff}'
        | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}'
        | '\u{1f000}'..='\u{1faff}' => true,
        // Symbols of one column are lines, arrows and marks that interfaces are drawn with; the wide ones are emoji.
        '\u{2190}'..='\u{2bff}' => letter.width() == Some(2),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::terminal::Encoder;
    use proptest::prelude::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::{Position, Rect};
    use ratatui::style::{Color, Style};
    use unicode_width::UnicodeWidthStr as _;

    const WIDTH: u16 = 22;
    const HEIGHT: u16 = 3;
    const EDGE: usize = WIDTH as usize;

    /// How a terminal counts columns.
    #[derive(Debug, Clone, Copy)]
    enum Counts {
        /// A character at a time: flags take 4, families up to 8.
        Characters,
        /// Emoji of one column stay narrow whatever follows them.
        Narrow,
        /// An alef joins the lam before it, everything joined takes one column.
        Ligatures,
    }

    impl Counts {
        fn of(self, letter: char, before: Option<&str>) -> usize {
            let emoji = letter >= '\u{1f000}';
            match self {
                _ if matches!(letter, '\u{200d}' | '\u{fe0f}') => 0,
                Self::Characters if emoji => 2,
                Self::Ligatures if letter == 'ا' && before == Some("ل") => 0,
                Self::Ligatures if before.is_some_and(|before| before.ends_with('\u{200d}')) => 0,
                Self::Narrow | Self::Ligatures if emoji => 1,
                _ => letter.width().unwrap_or(0),
            }
        }
    }

    /// A terminal of the least kind that draws rows of its own widths.
    struct Emulator {
        counts: Counts,
        /// What each column shows; empty for the right half of a wide character.
        rows: Vec<Vec<String>>,
        x: usize,
        y: usize,
        wraps: bool,
    }

    impl Emulator {
        fn new(counts: Counts) -> Self {
            let rows = vec![vec![" ".to_owned(); EDGE]; usize::from(HEIGHT)];
            Self { counts, rows, x: 0, y: 0, wraps: true }
        }

        fn process(&mut self, bytes: &[u8]) {
            let text = std::str::from_utf8(bytes).unwrap();
            let mut chars = text.chars();
            while let Some(letter) = chars.next() {
                match letter {
                    '\x1b' => {
                        assert_eq!(chars.next(), Some('['));
                        let rest = chars.as_str();
                        let end = rest.find(|end: char| ('@'..='~').contains(&end)).unwrap();
                        self.obey(&rest[..end], &rest[end..=end]);
                        chars = rest[end + 1..].chars();
                    }
                    '\r' => self.x = 0,
                    '\x08' => self.x = self.x.min(EDGE - 1).saturating_sub(1),
                    '\n' => self.y += 1,
                    letter => self.print(letter),
                }
            }
        }

        fn obey(&mut self, parameters: &str, what: &str) {
            let mut numbers = parameters.split(';').map(|number| number.parse::<usize>().unwrap_or(1));
            let first = numbers.next().unwrap_or(1);
            match what {
                "H" => (self.y, self.x) = (first - 1, numbers.next().unwrap_or(1) - 1),
                "C" => self.x = (self.x + first).min(EDGE - 1),
                "D" => self.x = self.x.min(EDGE - 1).saturating_sub(first),
                "G" => self.x = first - 1,
                "X" => (self.x..(self.x + first).min(EDGE)).for_each(|x| self.put(x, " ")),
                "K" => (self.x..EDGE).for_each(|x| self.put(x, " ")),
                "J" => self.rows.iter_mut().flatten().for_each(|cell| *cell = " ".to_owned()),
                "h" | "l" if parameters == "?7" => self.wraps = what == "h",
                "h" | "l" | "m" => {}
                other => panic!("not known: {other}"),
            }
        }

        /// Changes one column; the other half of a wide character that stood there is blanked.
        fn put(&mut self, x: usize, shown: &str) {
            let row = &mut self.rows[self.y];
            if row[x].is_empty() && x > 0 {
                row[x - 1] = " ".to_owned();
            }
            if row.get(x + 1).is_some_and(String::is_empty) {
                row[x + 1] = " ".to_owned();
            }
            row[x] = shown.to_owned();
        }

        fn print(&mut self, letter: char) {
            let before = self.x.checked_sub(1).and_then(|x| self.rows[self.y].get(x)).cloned();
            let wide = self.counts.of(letter, before.as_deref());
            if wide == 0 {
                if let Some(x) = self.x.checked_sub(1) {
                    self.rows[self.y][x].push(letter);
                }
                return;
            }
            if self.x + wide > EDGE && self.wraps {
                (self.x, self.y) = (0, (self.y + 1).min(usize::from(HEIGHT) - 1));
            }
            self.x = self.x.min(EDGE - wide);
            self.put(self.x, &letter.to_string());
            if wide == 2 {
                self.put(self.x + 1, " ");
                self.rows[self.y][self.x + 1].clear();
            }
            self.x += wide;
        }
    }

    /// What the frame shows in its ordinary cells: column, row, symbol.
    fn ordinary(frame: &Buffer) -> Vec<(usize, usize, String)> {
        let mut cells = Vec::new();
        for y in 0..HEIGHT {
            let mut x = 0;
            while x < WIDTH {
                let symbol = frame[(x, y)].symbol();
                if !is_contested(symbol) {
                    cells.push((usize::from(x), usize::from(y), symbol.to_owned()));
                }
                x += u16::try_from(symbol.width().max(1)).unwrap();
            }
        }
        cells
    }

    fn frame() -> impl Strategy<Value = Buffer> {
        let texts = ["🛰️", "🏳️‍🌈", "🇧🇷🇯🇵", "👍🏽", "👩‍👩‍👧", "سلام الا", "नमस्ते", "Ana", "受付", "12 h", "    ", "é", "━", "✕ ▲"];
        let styles = [Style::new(), Style::new().bg(Color::Blue), Style::new().fg(Color::Red)];
        let piece =
            (0..WIDTH, 0..HEIGHT, proptest::sample::select(texts.to_vec()), proptest::sample::select(styles.to_vec()));
        proptest::collection::vec(piece, 0..10).prop_map(|pieces| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, WIDTH, HEIGHT));
            for (x, y, text, style) in pieces {
                buffer.set_stringn(x, y, text, usize::from(WIDTH - x), style);
            }
            buffer
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]
        #[test]
        fn ordinary_cells_stay_in_place_however_terminals_count(
            frames in proptest::collection::vec(frame(), 1..6),
            caret in proptest::option::of((0..WIDTH, 0..HEIGHT)),
        ) {
            for counts in [Counts::Characters, Counts::Narrow, Counts::Ligatures] {
                let (mut terminal, mut encoder) = (Emulator::new(counts), Encoder::default());
                for (at, frame) in frames.iter().enumerate() {
                    terminal.process(encoder.encode(frame.clone(), caret.map(|(x, y)| Position { x, y })));
                    for (x, y, symbol) in ordinary(frame) {
                        prop_assert_eq!(&terminal.rows[y][x], &symbol, "{:?}, frame {}, at {},{}", counts, at, x, y);
                    }
                }
            }
        }
    }

    #[test]
    fn what_stands_before_a_contested_grapheme_costs_no_more() {
        let mut encoder = Encoder::default();
        encoder.encode(Buffer::with_lines(["Ana 🛰️ ok", "plain"]), None);
        assert_eq!(encoder.encode(Buffer::with_lines(["Ana 🛰️ on", "plain"]), None), b"\x1b[1;9Hn");
        assert_eq!(encoder.encode(Buffer::with_lines(["Ana 🛰️ on", "plein"]), None), b"\x1b[2;3He");
    }

    #[test]
    fn letters_lines_and_marks_of_the_interface_are_not_contested() {
        for plain in ["a", " ", "é", "e\u{301}", "受", "─", "│", "━", "╸", "●", "◐", "○", "▲", "✕", "…", "▌", "·", "ß"]
        {
            assert!(!is_contested(plain), "{plain}");
        }
        for contested in ["🛰️", "🛰", "🏳️‍🌈", "🇧🇷", "👍🏽", "⚡", "1️⃣", "ل", "स्ते", "\u{e0b0}"]
        {
            assert!(is_contested(contested), "{contested}");
        }
    }
}
