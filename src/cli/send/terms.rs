//! What is asked before anything leaves.

use super::{Args, SendContext, SendError, say};
use rustix::termios::{QueueSelector, tcflush};
use std::io::{self, BufRead, IsTerminal, Write};

/// Shows what is about to happen and asks; goes on only after a yes. The default is to go back.
pub(super) fn agree(args: &Args, terms: &[(&str, String)], question: &str) -> Result<(), SendError> {
    if args.yes {
        return Ok(());
    }
    if !on_terminal() {
        let why = "nothing was sent: no terminal to confirm on; pass --yes to send without confirmation";
        return Err(SendError::Usage(why.to_owned()));
    }
    ask(terms, question)
}

/// Whether somebody can be asked.
pub(super) fn on_terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks on the terminal; goes on only after a yes.
pub(super) fn ask(terms: &[(&str, String)], question: &str) -> Result<(), SendError> {
    for (what, is) in terms {
        say(&format!("  {what:<9} {is}"));
    }
    // What was typed or pasted before the question is no answer to it.
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    let mut stderr = io::stderr();
    let _ = write!(stderr, "{question} [y/N] ").and_then(|()| stderr.flush());
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    match answer.trim() {
        "y" | "Y" | "yes" if read.is_ok() => Ok(()),
        _ => Err(SendError::Failed("nothing was sent".to_owned())),
    }
}

/// What it costs, in a line.
pub(super) fn cost(ready: &SendContext, messages: usize) -> String {
    let what = if messages == 1 { "deducted" } else { "each deducted" };
    match ready.balance {
        Some(balance) => format!("{what} from the balance ({balance:.2})"),
        None => format!("{what} from the balance"),
    }
}
