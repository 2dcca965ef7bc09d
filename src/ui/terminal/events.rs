//! Where messages from outside come from: the keyboard and the signals, each on a thread that sleeps until something
//! happens.

use super::guard;
use super::keys::KeyReader;
use crate::ui::message::Message;
use ratatui::layout::Size;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long the interface has to obey a signal to end, and to obey the ones after it.
const END_PATIENCE: Duration = Duration::from_secs(2);
const IMPATIENCE: Duration = Duration::from_millis(100);

/// The terminal's size in cells.
///
/// # Errors
/// Where standard output is no terminal.
pub fn size() -> io::Result<Size> {
    crossterm::terminal::size().map(|(width, height)| Size { width, height })
}

/// Reads the keyboard until it is gone, which ends the program.
///
/// `synchronised` becomes true once the terminal has said that it knows synchronised updates.
///
/// # Errors
/// Where no thread can be started.
pub fn watch_input(
    send: impl Fn(Message) + Send + 'static,
    synchronised: Arc<AtomicBool>,
) -> io::Result<std::thread::JoinHandle<()>> {
    thread("input").spawn(move || {
        let stdin = io::stdin();
        let (mut reader, mut inputs, mut bytes) = (KeyReader::default(), Vec::new(), [0; 4096]);
        loop {
            let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
            let patience = reader.patience().and_then(|patience| Timespec::try_from(patience).ok());
            match poll(&mut fds, patience.as_ref()) {
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => break,
                Ok(0) => reader.give_up(&mut inputs),
                // Reading a terminal that has hung up gives nothing, for ever: it must not be tried.
                Ok(_) if !fds[0].revents().contains(PollFlags::IN) => break,
                Ok(_) => match read_if_ours(&stdin, &mut bytes) {
                    Ok(0) => break,
                    Ok(length) => reader.advance(&bytes[..length], &mut inputs),
                    Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
                    Err(_) => break,
                },
            }
            if reader.knows_synchronised_updates() {
                synchronised.store(true, Ordering::Relaxed);
            }
            inputs.drain(..).for_each(|input| send(Message::Input(input)));
        }
        send(Message::Terminate);
    })
}

/// The signal that the terminal has gone; `None` where it was ignored when the program started, as under `nohup`: then it
/// stays so. Only Linux tells that. Ask before a handler is installed, which changes the answer.
pub fn hangup() -> Option<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    (!is_ignored(&status, SIGHUP)).then_some(SIGHUP)
}

/// Whether a process with this `/proc/…/status` ignores a signal.
fn is_ignored(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Turns signals into messages, from now on. A signal to end that the interface cannot obey, since it hangs in writing
/// to a terminal that nobody reads, ends the process all the same, after a moment.
///
/// # Errors
/// Where the handlers cannot be installed or no thread can be started.
pub fn watch_signals(send: impl Fn(Message) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH].into_iter().chain(hangup()))?;
    thread("signals").spawn(move || {
        let mut patience = END_PATIENCE;
        for signal in signals.forever() {
            match signal {
                SIGWINCH => {
                    if let Ok(size) = size() {
                        send(Message::Resize(size));
                    }
                }
                // An editor that stops waits for the whole program to stop with it.
                SIGTSTP if guard::is_lent() => drop(signal_hook::low_level::emulate_default_handler(SIGTSTP)),
                SIGINT | SIGQUIT if guard::is_lent() => {}
                SIGTSTP => send(Message::Suspend),
                _ => {
                    send(Message::Terminate);
                    end_after(patience, signal);
                    patience = IMPATIENCE;
                }
            }
        }
    })?;
    Ok(())
}

/// Ends the process after this long, unless the terminal has been given back by then: that is the sign that the
/// signal has been heard.
fn end_after(patience: Duration, signal: i32) {
    // Without a thread there is no last resort; the signal has been passed on.
    let _ = thread("last resort").spawn(move || {
        std::thread::sleep(patience);
        if guard::abandon() {
            signal_hook::low_level::exit(128 + signal);
        }
    });
}

/// Reads the keyboard, unless another program has taken what was there.
fn read_if_ours(stdin: &io::Stdin, bytes: &mut [u8]) -> rustix::io::Result<usize> {
    let _keyboard = guard::keyboard();
    match poll(&mut [PollFd::new(stdin, PollFlags::IN)], Some(&Timespec::default()))? {
        0 => Err(rustix::io::Errno::AGAIN),
        _ => rustix::io::read(stdin, bytes),
    }
}

fn thread(name: &str) -> std::thread::Builder {
    std::thread::Builder::new().name(name.to_owned()).stack_size(128 * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_told_by_their_bits() {
        let status =
            |mask| format!("Name:\tx\nSigBlk:\tffffffffffffffff\nSigIgn:\t{mask}\nSigCgt:\t0000000000000000\n");
        assert!(is_ignored(&status("0000000000000001"), SIGHUP));
        assert!(is_ignored(&status("0000000001001003"), SIGINT));
        assert!(!is_ignored(&status("0000000001001006"), SIGHUP));
        for unknown in ["", "Name:\tx\n", "SigIgn:\tnone\n"] {
            assert!(!is_ignored(unknown, SIGHUP), "{unknown}");
        }
    }
}
