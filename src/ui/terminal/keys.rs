//! Bytes from a terminal, or from an SSH channel, read as keys, pastes and mouse events.
//!
//! Sequences that latency has torn apart are put together again; what a terminal says that we do not know is dropped
//! whole and never becomes typed text.

use crate::ui::input::{Input, Key, KeyCode, Mouse, MouseKind};
use std::time::Duration;

/// How many bytes the first token of some bytes takes, and what it means to us, if anything.
type Token = (usize, Option<Input>);

/// Longest sequence that is waited for; longer ones are noise.
const LONGEST: usize = 64;
/// Bytes that are kept of a paste; the rest of it is dropped, and never taken for keys.
const LONGEST_PASTE: usize = 1 << 20;
const PASTE_END: &[u8] = b"\x1b[201~";
/// How long the rest of an escape sequence may take before the escape counts as the key.
const ESCAPE_PATIENCE: Duration = Duration::from_millis(40);
/// How long a paste may pause before its end counts as lost.
const PASTE_PATIENCE: Duration = Duration::from_secs(1);

/// Puts bytes together into inputs.
#[derive(Debug, Default)]
pub struct KeyReader {
    bytes: Vec<u8>,
    /// What has come of the paste that goes on, up to the longest that is kept.
    paste: Option<Vec<u8>>,
    knows_sync: bool,
}

impl KeyReader {
    /// Takes what was read and appends what it means.
    pub fn advance(&mut self, bytes: &[u8], inputs: &mut Vec<Input>) {
        self.bytes.extend_from_slice(bytes);
        let mut at = 0;
        while at < self.bytes.len() {
            let rest = &self.bytes[at..];
            if let Some(paste) = &mut self.paste {
                let end = find(rest, PASTE_END);
                // The end may be torn: what could be its beginning waits for more.
                let pasted = end.unwrap_or_else(|| rest.len() - torn(rest, PASTE_END));
                let room = LONGEST_PASTE.saturating_sub(paste.len());
                paste.extend_from_slice(&rest[..pasted.min(room)]);
                at += pasted;
                if end.is_none() {
                    break;
                }
                at += PASTE_END.len();
                self.end_paste(inputs);
                continue;
            }
            match read(rest) {
                Some((length, input)) => {
                    match &rest[..length] {
                        b"\x1b[200~" => self.paste = Some(Vec::new()),
                        b"\x1b[?2026;1$y" | b"\x1b[?2026;2$y" => self.knows_sync = true,
                        _ => {}
                    }
                    inputs.extend(input);
                    at += length;
                }
                None if rest.len() > LONGEST => at += 1,
                None => break,
            }
        }
        self.bytes.drain(..at);
    }

    /// How long more bytes are to be waited for before [`Self::give_up`] is called; `None` where nothing is unfinished.
    pub fn patience(&self) -> Option<Duration> {
        match &self.paste {
            Some(_) => Some(PASTE_PATIENCE),
            None => (!self.bytes.is_empty()).then_some(ESCAPE_PATIENCE),
        }
    }

    /// Nothing followed: a lone escape was the Escape key, and a paste has lost its end.
    pub fn give_up(&mut self, inputs: &mut Vec<Input>) {
        if self.paste.is_some() {
            self.end_paste(inputs);
        } else if self.bytes.first() == Some(&0x1b) {
            inputs.push(Input::Key(Key::plain(KeyCode::Esc)));
            let rest = self.bytes.split_off(1);
            self.bytes.clear();
            // What stood behind the escape was typed by a person only if it is no torn sequence.
            if !matches!(rest.first(), Some(b'[' | b'O' | b']' | b'P')) {
                self.advance(&rest, inputs);
            }
        }
        self.bytes.clear();
    }

    fn end_paste(&mut self, inputs: &mut Vec<Input>) {
        let paste = self.paste.take().unwrap_or_default();
        inputs.push(Input::Paste(String::from_utf8_lossy(&paste).replace("\r\n", "\n").replace('\r', "\n")));
    }

    /// True once the terminal has said that it knows synchronised updates (mode 2026).
    pub fn knows_synchronised_updates(&self) -> bool {
        self.knows_sync
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// How many bytes at the end of `haystack` may be the beginning of `needle`.
fn torn(haystack: &[u8], needle: &[u8]) -> usize {
    (1..needle.len()).rev().find(|length| haystack.ends_with(&needle[..*length])).unwrap_or(0)
}

fn token(length: usize, key: Key) -> Token {
    (length, Some(Input::Key(key)))
}

/// Reads one token from bytes that are not empty; `None` where they are only its beginning and more must come.
fn read(bytes: &[u8]) -> Option<Token> {
    Some(match bytes[0] {
        0x1b => return escape(bytes),
        b'\r' | b'\n' => token(1, Key::plain(KeyCode::Enter)),
        b'\t' => token(1, Key::plain(KeyCode::Tab)),
        0x7f | 0x08 => token(1, Key::plain(KeyCode::Backspace)),
        0 => token(1, Key::ctrl(' ')),
        control @ 0x01..=0x1a => token(1, Key::ctrl(char::from(control - 1 + b'a'))),
        0x1c..=0x1f => (1, None),
        _ => return character(bytes),
    })
}

fn character(bytes: &[u8]) -> Option<Token> {
    let bytes = &bytes[..bytes.len().min(4)];
    let chunk = bytes.utf8_chunks().next()?;
    let torn = || std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
    match chunk.valid().chars().next() {
        Some(char) if char.is_control() => Some((char.len_utf8(), None)),
        Some(char) => Some(token(char.len_utf8(), Key::char(char))),
        None => (!torn()).then_some((1, None)),
    }
}

fn escape(bytes: &[u8]) -> Option<Token> {
    match bytes.get(1)? {
        b'[' => csi(bytes),
        b'O' => {
            let code = named(*bytes.get(2)?, 0, false);
            Some((3, code.map(|code| Input::Key(Key::plain(code)))))
        }
        // An answer of the terminal that ends in BEL or ST: none of our business.
        b']' | b'P' | b'_' | b'^' => {
            let ends = |at: &usize| bytes[*at] == 0x07 || bytes[at - 1..=*at] == *b"\x1b\\";
            (2..bytes.len()).find(ends).map(|at| (at + 1, None))
        }
        0x1b => Some(token(1, Key::plain(KeyCode::Esc))),
        _ => Some(match read(&bytes[1..])? {
            (length, Some(Input::Key(key))) => token(length + 1, Key { alt: true, ..key }),
            (length, _) => (length + 1, None),
        }),
    }
}

/// The key that ends in this byte, behind this number.
fn named(last: u8, number: u16, shifted: bool) -> Option<KeyCode> {
    let function = |before_f1: u16| u8::try_from(number - before_f1).ok().map(KeyCode::F);
    Some(match (last, number) {
        (b'A', _) => KeyCode::Up,
        (b'B', _) => KeyCode::Down,
        (b'C', _) => KeyCode::Right,
        (b'D', _) => KeyCode::Left,
        (b'H', _) | (b'~', 1 | 7) => KeyCode::Home,
        (b'F', _) | (b'~', 4 | 8) => KeyCode::End,
        (b'P'..=b'S', _) => KeyCode::F(last - b'P' + 1),
        (b'~', 3) => KeyCode::Delete,
        (b'~', 5) => KeyCode::PageUp,
        (b'~', 6) => KeyCode::PageDown,
        (b'~', 11..=15) => return function(10),
        (b'~', 17..=21) => return function(11),
        (b'~', 23 | 24) => return function(12),
        (b'Z', _) => KeyCode::BackTab,
        // The kitty protocol names keys by their code point.
        (b'u', 9) if shifted => KeyCode::BackTab,
        (b'u', 9) => KeyCode::Tab,
        (b'M', _) | (b'u', 13) => KeyCode::Enter,
        (b'u', 27) => KeyCode::Esc,
        (b'u', 127) => KeyCode::Backspace,
        (b'u', point) => KeyCode::Char(char::from_u32(point.into()).filter(|char| !char.is_control())?),
        _ => return None,
    })
}

fn csi(bytes: &[u8]) -> Option<Token> {
    let end = 2 + bytes[2..].iter().position(|byte| !(0x20..=0x3f).contains(byte))?;
    let (parameters, last) = (std::str::from_utf8(&bytes[2..end]).unwrap_or_default(), bytes[end]);
    if !(0x40..=0x7e).contains(&last) {
        // Something else has broken it off.
        return Some((end, None));
    }
    if let Some(numbers) = parameters.strip_prefix('<') {
        return Some((end + 1, mouse(numbers, last)));
    }
    let mut numbers = parameters.split(';').map(|number| number.split(':').next()?.parse::<u16>().ok());
    let first = numbers.next().flatten().unwrap_or(0);
    let held = numbers.next().map_or(1, Option::unwrap_or_default).saturating_sub(1);
    // What begins with a question mark is an answer of the terminal, not a key.
    let code = named(last, first, held & 1 == 1).filter(|_| !parameters.starts_with('?'));
    Some((end + 1, code.map(|code| Input::Key(Key { code, alt: held & 2 != 0, ctrl: held & 4 != 0 }))))
}

fn mouse(numbers: &str, last: u8) -> Option<Input> {
    let numbers: Vec<u16> = numbers.split(';').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [button, x, y] = numbers[..] else { return None };
    let kind = match button {
        0 if last == b'M' => MouseKind::Press,
        64 => MouseKind::WheelUp,
        65 => MouseKind::WheelDown,
        _ => return None,
    };
    Some(Input::Mouse(Mouse { kind, x: x.saturating_sub(1), y: y.saturating_sub(1) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn inputs(bytes: &[u8]) -> Vec<Input> {
        let (mut reader, mut inputs) = (KeyReader::default(), Vec::new());
        reader.advance(bytes, &mut inputs);
        reader.give_up(&mut inputs);
        inputs
    }

    fn shown(bytes: &[u8]) -> String {
        let show = |input: &Input| match input {
            Input::Key(key) => key.to_string(),
            other => format!("{other:?}"),
        };
        inputs(bytes).iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_are_read() {
        assert_eq!(shown(b"jG\x03\r\t\x7f"), "j G ctrl-c enter tab backspace");
        assert_eq!(shown(b"\x1b[A\x1bOB\x1b[5~\x1b[Z\x1b[15~\x1b[1;5C"), "up down pgup shift-tab f5 ctrl-right");
        assert_eq!(shown("é受👍".as_bytes()), "é 受 👍");
        assert_eq!(shown(b"\x1bx\x1b"), "alt-x esc");
        assert_eq!(shown(b"\x1b\x1b[A"), "esc up");
    }

    #[test]
    fn answers_of_the_terminal_are_no_keys() {
        let mut reader = KeyReader::default();
        let mut inputs = Vec::new();
        reader
            .advance(b"\x1b[?2026;2$y\x1b[?62;22c\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1bP1+r\x1b\\\x1b[?0u", &mut inputs);
        assert_eq!(inputs, []);
        assert!(reader.knows_synchronised_updates());
        assert_eq!(reader.patience(), None);
    }

    #[test]
    fn a_paste_is_one_input_and_its_newlines_are_no_enter() {
        assert_eq!(inputs(b"\x1b[200~one\r\ntwo\x1b[201~"), [Input::Paste("one\ntwo".to_owned())]);
    }

    /// What is read from these pieces, with no silence between them.
    fn read_in_pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (KeyReader, Vec<Input>) {
        let (mut reader, mut inputs) = (KeyReader::default(), Vec::new());
        pieces.into_iter().for_each(|piece| reader.advance(piece, &mut inputs));
        (reader, inputs)
    }

    #[test]
    fn no_part_of_a_paste_that_is_too_long_is_taken_for_keys() {
        let chunk = vec![b'q'; 4096];
        let chunks = std::iter::repeat_n(chunk.as_slice(), LONGEST_PASTE / 4096 + 3);
        let begin = std::iter::once(&b"\x1b[200~"[..]);
        let (_, inputs) = read_in_pieces(begin.chain(chunks).chain([&b"qq\x1b[20"[..], b"1~j"]));
        let [Input::Paste(paste), Input::Key(key)] = inputs.as_slice() else { panic!("{} inputs", inputs.len()) };
        assert_eq!((paste.len(), *key), (LONGEST_PASTE, Key::char('j')));
    }

    #[test]
    fn a_paste_whose_end_is_lost_ends_when_nothing_more_comes() {
        let (mut reader, mut inputs) = read_in_pieces([&b"\x1b[200~one"[..], b" two\x1b[2"]);
        assert_eq!((reader.patience(), inputs.len()), (Some(PASTE_PATIENCE), 0));
        reader.give_up(&mut inputs);
        reader.advance(b"j", &mut inputs);
        assert_eq!(inputs, [Input::Paste("one two".to_owned()), Input::Key(Key::char('j'))]);
    }

    #[test]
    fn the_mouse_is_read() {
        let at = |kind| Input::Mouse(Mouse { kind, x: 9, y: 4 });
        assert_eq!(
            inputs(b"\x1b[<0;10;5M\x1b[<0;10;5m\x1b[<65;10;5M"),
            [at(MouseKind::Press), at(MouseKind::WheelDown)]
        );
    }

    #[test]
    fn a_torn_sequence_never_becomes_text() {
        assert_eq!(shown(b"\x1b["), "esc");
        assert_eq!(shown(b"\x1b[1;"), "esc");
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn where_the_bytes_are_split_makes_no_difference(
            parts in proptest::collection::vec(proptest::sample::select(vec![
                "j", "\x1b[A", "\x1bOP", "\x1b[200~a\nb\x1b[201~", "é", "受", "\x1b[<64;3;4M", "\r", "\x1b[?2026;2$y", "\x1b[1;5D",
            ]), 0..12),
            splits in proptest::collection::vec(1usize..6, 0..60),
        ) {
            let bytes = parts.concat().into_bytes();
            let (mut reader, mut pieces) = (KeyReader::default(), Vec::new());
            let mut rest = bytes.as_slice();
            for size in splits.into_iter().chain(std::iter::repeat(usize::MAX)) {
                let (head, tail) = rest.split_at(size.min(rest.len()));
                reader.advance(head, &mut pieces);
                rest = tail;
                if rest.is_empty() { break; }
            }
            reader.give_up(&mut pieces);
            prop_assert_eq!(pieces, inputs(&bytes));
        }

        #[test]
        fn no_bytes_panic_or_are_kept_for_ever(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let (mut reader, mut read) = (KeyReader::default(), Vec::new());
            reader.advance(&bytes, &mut read);
            reader.give_up(&mut read);
            prop_assert_eq!(reader.patience(), None);
        }
    }
}
