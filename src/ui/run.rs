//! The loop around the pure core: wait, update, do what is asked, draw.

use super::app::App;
use super::message::{Effect, Message, Moment};
use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

/// How many messages are taken before the screen is drawn again: frames are dropped under load, keys never are.
const BATCH: usize = 256;

/// The world outside the interface: the clock, the screen, and whoever carries out effects.
pub trait Outside {
    /// Now.
    fn now(&mut self) -> Moment;

    /// Shows the app as it is.
    ///
    /// # Errors
    /// Where there is no screen any more; the loop ends.
    fn show(&mut self, app: &App) -> io::Result<()>;

    /// Carries out an effect; breaks where it ends the program.
    ///
    /// # Errors
    /// Where there is no screen any more; the loop ends.
    fn perform(&mut self, effect: Effect) -> io::Result<ControlFlow<()>>;
}

/// Runs the interface until it ends. Between messages it sleeps until something on screen changes by itself.
///
/// # Errors
/// Those of the screen.
pub fn run(app: &mut App, inbox: &Receiver<Message>, outside: &mut impl Outside) -> io::Result<()> {
    let mut effects = app.start();
    loop {
        for effect in effects.drain(..) {
            if outside.perform(effect)?.is_break() {
                return Ok(());
            }
        }
        outside.show(app)?;
        let first = match app.next_wake() {
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(at) => inbox.recv_timeout(at - outside.now().mono),
        };
        effects.extend(app.update(Message::Tick(outside.now())));
        match first {
            Ok(message) => effects.extend(app.update(message)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        for message in inbox.try_iter().take(BATCH) {
            effects.extend(app.update(message));
        }
    }
}
