//! Parses the arguments and runs a command; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    switchboard::cli::run()
}
