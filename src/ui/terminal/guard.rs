//! One guard owns every mode of the terminal that was turned on, and undoes them in reverse on every way out.

use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::ThreadId;

/// A mode of the terminal: what turns it on, and what turns it off.
type Mode = [&'static str; 2];
/// A screen of our own; the user's comes back unharmed.
const ALTERNATE_SCREEN: Mode = ["\x1b[?1049h", "\x1b[m\x1b[?25h\x1b[?1049l"];
/// A paste is marked as one.
const BRACKETED_PASTE: Mode = ["\x1b[?2004h", "\x1b[?2004l"];
/// Clicks and the wheel are told; movements are not, so an idle mouse wakes nobody.
const MOUSE: Mode = ["\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"];

/// The modes that are on, in the order in which they were turned on, and raw mode with them, in which keys come one by
/// one and are not echoed; there is one terminal, so there is one list.
static ON: Mutex<Vec<Mode>> = Mutex::new(Vec::new());

/// Held while somebody reads the keyboard: the thread of the input, or a program that the terminal is lent to.
static KEYBOARD: Mutex<()> = Mutex::new(());
static LENT: AtomicBool = AtomicBool::new(false);

/// Waits until the keyboard is free, and keeps it.
pub(super) fn keyboard() -> MutexGuard<'static, ()> {
    KEYBOARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True while another program has the terminal.
pub(super) fn is_lent() -> bool {
    LENT.load(Ordering::Relaxed)
}

/// Standard output without a buffer: a frame leaves in one piece.
pub(super) fn output() -> io::Result<std::fs::File> {
    io::stdout().as_fd().try_clone_to_owned().map(std::fs::File::from)
}

fn enter(modes: &[Mode]) -> io::Result<()> {
    let mut on = ON.lock().unwrap_or_else(PoisonError::into_inner);
    crossterm::terminal::enable_raw_mode()?;
    // Listed before they are turned on: a mode half entered is undone as well.
    on.extend(modes);
    output()?.write_all(modes.iter().map(|[enter, _]| *enter).collect::<String>().as_bytes())
}

/// Turns modes off, the last first.
fn leave(modes: &[Mode]) -> String {
    modes.iter().rev().map(|[_, leave]| *leave).collect()
}

/// Undoes every mode that is on. Errors are of no use here: the terminal may be gone.
fn leave_all() -> Vec<Mode> {
    let mut on = ON.lock().unwrap_or_else(PoisonError::into_inner);
    let modes = std::mem::take(&mut *on);
    if let Ok(mut output) = output() {
        let _ = output.write_all(leave(&modes).as_bytes());
    }
    let _ = crossterm::terminal::disable_raw_mode();
    modes
}

/// Undoes the modes as well as that goes at once, where somebody else hangs in writing to the terminal. False where
/// none is on: then whoever turned them on has undone them.
pub(super) fn abandon() -> bool {
    let modes = match ON.try_lock() {
        Ok(mut on) => std::mem::take(&mut *on),
        Err(TryLockError::Poisoned(on)) => std::mem::take(&mut *on.into_inner()),
        // Who holds the list hangs while it enters or leaves them: any may be on.
        Err(TryLockError::WouldBlock) => vec![ALTERNATE_SCREEN, BRACKETED_PASTE, MOUSE],
    };
    if modes.is_empty() {
        return false;
    }
    if let Ok(mut output) = output()
        && rustix::io::ioctl_fionbio(&output, true).is_ok()
    {
        // What is queued would be shown before; it is half a frame of a program that is gone.
        let _ = rustix::termios::tcflush(&output, rustix::termios::QueueSelector::OFlush);
        // CAN ends a sequence that was cut.
        let _ = output.write_all(format!("\x18{}", leave(&modes)).as_bytes());
        // The shell has the same open file.
        let _ = rustix::io::ioctl_fionbio(&output, false);
    }
    let _ = crossterm::terminal::disable_raw_mode();
    true
}

/// The terminal's modes while this lives.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Turns on what the interface needs.
    ///
    /// # Errors
    /// Where the terminal refuses; what was turned on by then is undone.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        let guard = Self(());
        enter(if mouse { &[ALTERNATE_SCREEN, BRACKETED_PASTE, MOUSE] } else { &[ALTERNATE_SCREEN, BRACKETED_PASTE] })?;
        Ok(guard)
    }

    /// Gives the terminal back, stops the program until it is continued, and takes the terminal again.
    ///
    /// # Errors
    /// Where the program cannot be stopped or the terminal refuses afterwards.
    pub fn suspend(&self) -> io::Result<()> {
        let modes = leave_all();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        enter(&modes)
    }

    /// Gives the terminal back while `run` has it, and takes it again.
    ///
    /// # Errors
    /// Where the terminal refuses afterwards.
    pub fn lend<R>(&self, run: impl FnOnce() -> R) -> io::Result<R> {
        let keyboard = keyboard();
        let modes = leave_all();
        LENT.store(true, Ordering::Relaxed);
        let result = run();
        LENT.store(false, Ordering::Relaxed);
        enter(&modes)?;
        drop(keyboard);
        Ok(result)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave_all();
    }
}

/// Restores the terminal before a panic of this thread is reported. Other threads' panics are caught by the task
/// channel, which turns them into results, so they leave the screen alone.
pub fn restore_after_panic() {
    let ours: ThreadId = std::thread::current().id();
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == ours {
            leave_all();
            report(info);
        } else {
            tracing::error!("{info}");
        }
    }));
}
