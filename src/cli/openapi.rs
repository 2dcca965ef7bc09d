//! `switchboard openapi`: the description of the API that the service serves.

use crate::api::Channel;
use crate::service::openapi_document;
use clap::Args as ClapArgs;
use std::io::Write;
use std::process::ExitCode;

/// Print the OpenAPI 3.1 document of the service, as `GET /api/openapi.json` answers it.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Include the controls of a sandbox.
    #[arg(long)]
    sandbox: bool,
    /// Name of the messaging channel, used instead of `msgapp`.
    #[arg(long, value_name = "WORD", default_value = "msgapp")]
    channel: Channel,
}

/// Prints the document to stdout.
///
/// # Errors
/// Where stdout takes nothing.
pub fn run(args: &Args) -> color_eyre::Result<ExitCode> {
    writeln!(std::io::stdout(), "{:#}", openapi_document(&args.channel, args.sandbox))?;
    Ok(ExitCode::SUCCESS)
}
