//! The terminal as something to draw on.

use super::encode::Encoder;
use super::guard::output;
use crate::config::Notify;
use crate::ui::text::{clean, fit};
use crate::ui::{App, draw};
use ratatui::layout::{Rect, Size};
use std::fs::File;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Draws the app on standard output: only cells that changed, each frame in one write.
#[derive(Debug)]
pub struct Screen {
    encoder: Encoder,
    output: File,
    synchronised: Arc<AtomicBool>,
}

impl Screen {
    /// A screen of which nothing is known yet. Frames are marked as such once `synchronised` is true.
    ///
    /// # Errors
    /// Where standard output is closed.
    pub fn new(synchronised: Arc<AtomicBool>) -> io::Result<Self> {
        Ok(Self { encoder: Encoder::default(), output: output()?, synchronised })
    }

    /// Shows the app as it is now. Nothing is written where nothing changed.
    ///
    /// # Errors
    /// Where the terminal is gone.
    pub fn show(&mut self, app: &App) -> io::Result<()> {
        let Size { width, height } = app.size();
        let mut buffer = self.encoder.spare(Rect::new(0, 0, width, height));
        let caret = draw(app, &mut buffer);
        let frame = self.encoder.encode(buffer, caret);
        if frame.is_empty() {
            return Ok(());
        }
        if !self.synchronised.load(Ordering::Relaxed) {
            return self.output.write_all(frame);
        }
        self.output.write_all(&[b"\x1b[?2026h", frame, b"\x1b[?2026l"].concat())
    }

    /// Somebody else has drawn: the next frame is drawn whole.
    pub fn invalidate(&mut self) {
        self.encoder.invalidate();
    }

    /// Asks the terminal whether it knows synchronised updates; the answer comes with the keys.
    ///
    /// # Errors
    /// Where the terminal is gone.
    pub fn ask_for_synchronised_updates(&mut self) -> io::Result<()> {
        // Apple's Terminal shows the last letter of the question.
        if std::env::var_os("TERM_PROGRAM").is_some_and(|program| program == "Apple_Terminal") {
            return Ok(());
        }
        self.output.write_all(b"\x1b[?2026$p")
    }

    /// Tells something outside the screen: by the bell, and by a notification where the terminal has those.
    ///
    /// # Errors
    /// Where the terminal is gone.
    pub fn notify(&mut self, text: &str, how: Notify) -> io::Result<()> {
        self.output.write_all(notification(text, how).as_bytes())
    }

    /// Puts a text into the terminal's clipboard (OSC 52), which works over SSH too.
    ///
    /// # Errors
    /// Where the terminal is gone.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        crossterm::execute!(self.output, crossterm::clipboard::CopyToClipboard::to_clipboard_from(text))
    }
}

/// Columns of a notification that are shown anywhere.
const TOLD: usize = 200;

/// The bytes of a notification. Whatever the text is, it ends none of the sequences and starts no other.
fn notification(text: &str, how: Notify) -> String {
    let text = fit(&clean(text), TOLD, "").replace([';', '\u{fffd}'], ",");
    match how {
        Notify::Off => String::new(),
        Notify::Bell => "\x07".to_owned(),
        Notify::Osc9 => format!("\x07\x1b]9;{text}\x1b\\"),
        Notify::Osc777 => format!("\x07\x1b]777;notify;Switchboard;{text}\x1b\\"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_is_told_in_the_terminals_own_way() {
        let told = |how| notification("Maria Souza: 10 min left", how);
        assert_eq!(told(Notify::Off), "");
        assert_eq!(told(Notify::Bell), "\x07");
        assert_eq!(told(Notify::Osc9), "\x07\x1b]9;Maria Souza: 10 min left\x1b\\");
        assert_eq!(told(Notify::Osc777), "\x07\x1b]777;notify;Switchboard;Maria Souza: 10 min left\x1b\\");
    }

    #[test]
    fn a_customer_called_like_a_sequence_starts_none() {
        let told = notification("a;b\x07\x1b]52;c;aGk=\u{9c}\u{202e}", Notify::Osc777);
        assert_eq!(told, "\x07\x1b]777;notify;Switchboard;a,b,,]52,c,aGk=,,\x1b\\");
    }
}
