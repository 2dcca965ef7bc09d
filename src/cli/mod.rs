//! The command line: what was typed, and which command it runs. Each command has a file of its own.

mod config;
mod dashboard;
mod deliveries;
mod editor;
mod listen;
mod openapi;
mod outbox;
mod send;
mod serve;

use crate::config::{self as settings, Choice, Environment, Flags, LogLevel, Start};
use crate::records::{self, RecordsError};
use crate::service::StoreError;
use crate::ui::text;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::fmt;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// The exit code of a mistake on the command line, in the environment or in a file that they name.
const USAGE: u8 = 2;
/// How long a runtime may take to shut down: a DNS look-up cannot be cancelled.
const LAST_WORK: Duration = Duration::from_secs(1);

/// The terminal dashboard for people who run AI assistants.
///
/// Without a command, the dashboard opens: on the active profile, or on a sandbox with simulated customers where none
/// is configured.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(flatten)]
    connection: ConnectionArgs,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Serve the API on a socket, from a database or from memory.
    Serve(serve::Args),
    /// List webhook deliveries, or resend one.
    Deliveries(deliveries::Args),
    /// Receive webhooks on this machine: show each, check its signature, forward it.
    Listen(listen::Args),
    /// Send a template message to one recipient, or to every row of a CSV file.
    Send(Box<send::Args>),
    /// List or export sent messages, or record the outcome of one.
    Outbox(outbox::Args),
    /// Print the OpenAPI document of the service.
    Openapi(openapi::Args),
    /// Print the default settings file, or with `keys` every action and its keys.
    Config(config::Args),
}

/// Which settings and which server: the same for every command that talks to one.
#[derive(Debug, Clone, Default, PartialEq, Args)]
struct ConnectionArgs {
    /// Use the sandbox, and ignore every other choice of a server.
    #[arg(long)]
    demo: bool,
    /// Use this profile from the settings file.
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Use the API at this URL, with the token from the environment or from --profile.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Read the settings from this file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Refuse every create, change, send and delete.
    #[arg(long)]
    read_only: bool,
    /// Level of the log file.
    #[arg(long, value_name = "LEVEL", value_parser = log_level())]
    log_level: Option<LogLevel>,
}

impl ConnectionArgs {
    /// What was given before a command, where it was not given after it.
    fn or(self, before: Self) -> Self {
        Self {
            demo: self.demo || before.demo,
            profile: self.profile.or(before.profile),
            base_url: self.base_url.or(before.base_url),
            config: self.config.or(before.config),
            read_only: self.read_only || before.read_only,
            log_level: self.log_level.or(before.log_level),
        }
    }
}

impl From<ConnectionArgs> for Flags {
    fn from(args: ConnectionArgs) -> Self {
        let ConnectionArgs { demo, profile, base_url, config, read_only, log_level } = args;
        Self { demo, profile, base_url, config, read_only, log_level }
    }
}

fn log_level() -> impl TypedValueParser<Value = LogLevel> {
    PossibleValuesParser::new(LogLevel::ALL.iter().map(|level| level.word()))
        .try_map(|word| LogLevel::from_word(&word).ok_or("not a level"))
}

/// Runs the command that the process was called with and gives its exit code: 0, 1 for a failure, 2 for a mistake in
/// how it was called.
pub fn run() -> ExitCode {
    let env = Environment::of_process();
    let matches = Cli::command().after_help(after_help(&env)).get_matches();
    let outcome = Cli::from_arg_matches(&matches).map_err(Into::into).and_then(|cli| execute(cli, &env));
    outcome.unwrap_or_else(|report| report_failure(&report))
}

fn execute(cli: Cli, env: &Environment) -> color_eyre::Result<ExitCode> {
    install_reports()?;
    // A file that grows beyond its limit is an error, not the end of the program.
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    let takes_connection = matches!(cli.command, None | Some(CliCommand::Send(_)));
    if !takes_connection && cli.connection != ConnectionArgs::default() {
        let words = "only the dashboard and `send` take --demo, --profile, --base-url, --config, --read-only and --log-level \
                     before the command";
        return Ok(refuse(&words, ExitCode::from(USAGE)));
    }
    match cli.command {
        Some(CliCommand::Serve(args)) => serve::run(args),
        Some(CliCommand::Deliveries(args)) => deliveries::run(&args),
        Some(CliCommand::Listen(args)) => listen::run(args, env),
        Some(CliCommand::Send(args)) => send::run(&args, cli.connection, env),
        Some(CliCommand::Outbox(args)) => outbox::run(&args, env),
        Some(CliCommand::Openapi(args)) => openapi::run(&args),
        Some(CliCommand::Config(args)) => config::run(args, env),
        None => {
            let (flags, env) = (Flags::from(cli.connection), env.clone());
            let start = Start::load(&flags, &env)?;
            let load = move || Start::load(&flags, &env).map(|start| start.target).map_err(|error| error.to_string());
            dashboard::run(start, load)
        }
    }
}

/// What the caller or the system has done is told in a sentence; a fault of the program with all that is known of it.
fn report_failure(report: &color_eyre::Report) -> ExitCode {
    if let Some(mistake) = report.downcast_ref::<settings::UsageError>() {
        return refuse(mistake, ExitCode::from(USAGE));
    }
    if report.is::<StoreError>() || report.is::<RecordsError>() || report.is::<io::Error>() {
        return refuse(report, ExitCode::FAILURE);
    }
    eprintln!("{report:?}");
    ExitCode::FAILURE
}

/// Says why the program ends like this.
fn refuse(reason: &dyn fmt::Display, code: ExitCode) -> ExitCode {
    eprintln!("error: {reason}");
    code
}

/// A table with aligned columns, from the column `first` on.
fn columns<const N: usize>(rows: &[[String; N]], first: usize) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = text::width(cell).max(*width);
        }
    }
    let mut table = String::new();
    for row in rows {
        for (cell, width) in row.iter().zip(widths).skip(first) {
            table.push_str(cell);
            table.extend(std::iter::repeat_n(' ', width - text::width(cell) + 2));
        }
        table.truncate(table.trim_end_matches(' ').len());
        table.push('\n');
    }
    table
}

/// Reports of faults, in colours only where somebody looks at them who wants some.
fn install_reports() -> color_eyre::Result<()> {
    let hooks = color_eyre::config::HookBuilder::default();
    let plain = !io::stderr().is_terminal() || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if plain { hooks.theme(color_eyre::config::Theme::new()).install() } else { hooks.install() }
}

fn after_help(env: &Environment) -> String {
    let place = |path: Option<PathBuf>| path.map_or("none (no home)".to_owned(), |path| path.display().to_string());
    format!(
        "Environment:\n  {}  the base URL, unless a flag names a server\n  {}     the token\n  NO_COLOR              \
         any value turns colours off\n\nFiles:\n  settings  {}\n  log       {}\n  outbox    {}",
        settings::BASE_URL_VARIABLE,
        settings::TOKEN_VARIABLE,
        place(env.config_file()),
        place(env.state_dir().map(|dir| dir.join(settings::logs::FILE_NAME))),
        place(env.state_dir().map(|dir| dir.join(records::FILE_NAME))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(args: &[&str]) -> Result<Flags, clap::Error> {
        let args = std::iter::once("switchboard").chain(args.iter().copied());
        Cli::try_parse_from(args).map(|cli| cli.connection.into())
    }

    #[test]
    fn the_command_line_is_put_together_without_a_clash() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_flag_arrives() {
        let all = [
            "--demo",
            "--read-only",
            "--profile",
            "live",
            "--base-url",
            "http://h",
            "--config",
            "c.toml",
            "--log-level",
            "debug",
        ];
        let flags = flags(&all).unwrap();
        assert!(flags.demo && flags.read_only);
        assert_eq!(flags.profile.as_deref(), Some("live"));
        assert_eq!(flags.base_url.as_deref(), Some("http://h"));
        assert_eq!(flags.config, Some("c.toml".into()));
        assert_eq!(flags.log_level, Some(LogLevel::Debug));
    }

    #[test]
    fn a_wrong_level_is_refused_with_the_right_ones() {
        let said = flags(&["--log-level", "loud"]).unwrap_err().to_string();
        assert!(said.contains("off, error, warn, info, debug, trace"), "{said}");
    }
}
