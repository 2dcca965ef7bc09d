//! `switchboard openapi`: the description of the API that the service serves.

use crate::service::openapi_document;
use clap::Args as ClapArgs;
use std::io::Write;
use std::process::ExitCode;

/// Print the OpenAPI 3.1 document of the service, as `GET /api/openapi.json` answers it.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// With the controls of a sandbox.
    #[arg(long)]
    sandbox: bool,
}

/// Prints the document to stdout.
///
/// # Errors
/// Where stdout takes nothing.
pub fn run(args: &Args) -> color_eyre::Result<ExitCode> {
    writeln!(std::io::stdout(), "{:#}", openapi_document(args.sandbox))?;
    Ok(ExitCode::SUCCESS)
}
