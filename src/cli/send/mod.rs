//! `switchboard send`: a template to one recipient, or to each in a file. It goes the way that the dashboard's messages
//! go: recorded before it leaves, sent once, at the service's pace.

mod many;
mod one;
mod terms;
mod wire;

use super::{ConnectionArgs, USAGE, refuse};
use crate::api::{Sender, Template};
use crate::client::{Reply, Request};
use crate::config::{self, Environment, Flags, Start, Target};
use crate::messaging::batch::{TemplateMessage, obstacle};
use crate::messaging::{Phone, Preview, is_code, template_name};
use crate::records::{Records, TemplateName};
use crate::tasks;
use crate::ui::text::clean;
use clap::Args as ClapArgs;
use jiff::{SignedDuration, Timestamp};
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use uuid::Uuid;
use wire::TaskClient;

/// At least one message was refused.
const REFUSED: u8 = 3;
/// Of at least one message it is not known whether it was sent.
const UNKNOWN: u8 = 4;
/// Rows of the file are bad, and were not sent.
const BAD_ROWS: u8 = 5;
/// Ctrl-C, as shells have it.
const INTERRUPTED: u8 = 130;

const EXIT_CODES: &str = "\
Exit codes:
  0    every message was accepted, or the dry run found no errors
  1    some or all messages were not sent: server, outbox or file error, or you declined
  2    usage error, or the same was sent before; nothing was sent
  3    at least one message was refused
  4    the outcome of at least one message, or of the one that would be repeated, is unknown
  5    the file has invalid rows; all valid ones that were sent were accepted
  130  interrupted; continue with --resume

Without a terminal, --yes is required. `switchboard outbox` lists sent messages.";

/// Send a template message to one recipient, or to every row of a CSV file.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXIT_CODES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Args {
    #[command(flatten)]
    connection: ConnectionArgs,
    /// ID of the sender.
    #[arg(long, value_name = "ID")]
    sender: i64,
    /// ID of the template.
    #[arg(long, value_name = "ID")]
    template: i64,
    /// Recipient's phone number: E.164, or in the national format of the profile's country.
    #[arg(long, value_name = "PHONE", required_unless_present = "csv", conflicts_with = "csv")]
    to: Option<String>,
    /// Recipient's name.
    #[arg(long, requires = "to")]
    name: Option<String>,
    /// Value of a variable, by name or by position in the template (repeatable).
    #[arg(long = "var", value_name = "KEY=VALUE", requires = "to")]
    values: Vec<String>,
    /// CSV file of recipients: a header, then a row each, with columns for the phone number and every variable.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Map a column of the file to `phone`, `name` or a variable (repeatable).
    #[arg(long = "map", value_name = "COLUMN=TARGET", requires = "csv")]
    columns: Vec<String>,
    /// Check everything, send nothing.
    #[arg(long)]
    dry_run: bool,
    /// Send without confirmation.
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
    /// Skip rows that were sent before, unless it is certain that nothing left, and recipients who were lately
    /// (`repeat_hours`) sent the template by other means.
    #[arg(long, requires = "csv")]
    resume: bool,
    /// Send even to recipients who were lately (`repeat_hours`) sent this template.
    #[arg(long, conflicts_with = "resume")]
    again: bool,
    /// Send at most once for this key, however often the command runs.
    #[arg(long, value_name = "KEY", requires = "to")]
    id: Option<String>,
    /// Write the outcome of each row to this new CSV file.
    #[arg(long, value_name = "FILE", requires = "csv", conflicts_with = "dry_run")]
    results: Option<PathBuf>,
    /// Print one JSON object per line: the messages, or with --dry-run the checks.
    #[arg(long)]
    json: bool,
}

/// Why nothing was sent, or nothing more.
#[derive(Debug, thiserror::Error)]
enum SendError {
    /// A mistake in how the command was called.
    #[error("{0}")]
    Usage(String),
    /// The server, the outbox or a file fails, or the user says no.
    #[error("{0}")]
    Failed(String),
    /// It cannot be sent: the template or the sender is not ready.
    #[error("{0}")]
    NotReady(String),
}

impl SendError {
    fn code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(USAGE),
            Self::Failed(_) => ExitCode::FAILURE,
            Self::NotReady(_) => ExitCode::from(REFUSED),
        }
    }
}

/// Everything that is known before a message leaves.
struct SendContext {
    wire: TaskClient,
    records: Arc<Records>,
    /// Where the records are.
    state_dir: PathBuf,
    profile: String,
    keep_text: bool,
    /// How long the same template to the same person asks first.
    repeat: SignedDuration,
    letter: TemplateMessage,
    template: TemplateName,
    /// True for a template of login codes.
    is_code: bool,
    sender: Option<Sender>,
    /// The account's balance, where it is told.
    balance: Option<f64>,
}

impl SendContext {
    /// Whether the outbox has all that was sent lately, and all of a run that is resumed.
    ///
    /// # Errors
    /// Where it was deleted or replaced by an older copy since.
    fn remembers(&self, run: Option<Uuid>) -> Result<(), SendError> {
        let failed = |error| SendError::Failed(format!("nothing was sent: {error}"));
        let Some(restored) = self.records.restored().map_err(failed)? else { return Ok(()) };
        let lately = Timestamp::now().checked_sub(self.repeat).unwrap_or(Timestamp::MIN);
        let remembers = match run {
            // By the numbers of its entries, so that a run that began since can go on.
            Some(run) => self.records.remembers(run).map_err(failed)?,
            None => restored <= lately,
        };
        if remembers { Ok(()) } else { Err(self.forgotten(restored)) }
    }

    /// The outbox has perhaps forgotten what was sent.
    fn forgotten(&self, restored: Timestamp) -> SendError {
        SendError::Usage(format!(
            "nothing was sent: the outbox in {} was replaced by an older copy or deleted before {}, and cannot tell who was \
             reached; --again sends all the same",
            self.state_dir.display(),
            minute(restored)
        ))
    }

    /// The sender's number, or what there is to name it by.
    fn sender_phone(&self) -> String {
        let known = self.sender.as_ref().and_then(|sender| sender.phone_number.known());
        known.cloned().unwrap_or_else(|| format!("sender {}", self.letter.sender_id))
    }

    /// The sender for people: `Acme Support  +1 415-555-0100`.
    fn sender_for_people(&self) -> String {
        let number = self.sender_phone();
        let pretty = Phone::read(&number, None).map_or(number, |phone| phone.pretty());
        let name = self.sender.as_ref().and_then(|sender| sender.display_name.known());
        clean(&name.map_or(pretty.clone(), |name| format!("{name}  {pretty}"))).into_owned()
    }
}

/// Sends: the exit codes are those of [`EXIT_CODES`].
///
/// # Errors
/// A mistake in the flags or in the environment.
pub(super) fn run(args: &Args, before: ConnectionArgs, env: &Environment) -> color_eyre::Result<ExitCode> {
    let flags = Flags::from(args.connection.clone().or(before));
    let start = Start::load(&flags, env)?;
    for problem in &start.problems {
        warn(&problem);
    }
    let done = prepare(args, &flags, start).and_then(|(ready, _log)| match &args.csv {
        Some(file) => many::send(ready, args, file),
        None => one::send(ready, args),
    });
    Ok(done.unwrap_or_else(|stop| refuse(&clean(&stop.to_string()), stop.code())))
}

/// Connects, and asks the server for the sender and the template.
fn prepare(
    args: &Args,
    flags: &Flags,
    start: Start,
) -> Result<(SendContext, Option<config::logs::LogGuard>), SendError> {
    let Start { settings, target, state_dir, .. } = start;
    let Target::Remote { name, read_only, country, .. } = &target else {
        let how = if flags.demo { "--demo" } else { "no profile is configured and no base URL given" };
        let why = "sending needs a server: a sandbox would end with this command";
        return Err(SendError::Usage(format!("{how}: {why}")));
    };
    if *read_only && !args.dry_run {
        return Err(SendError::Usage("nothing was sent: read-only mode is on (--read-only or the profile)".to_owned()));
    }
    let (profile, country) = (name.clone(), country.clone());
    let Some(dir) = state_dir else {
        return Err(SendError::Failed("nothing was sent: no home folder to keep the outbox in".to_owned()));
    };
    let log = config::logs::start(settings.log_level, &dir).ok();
    let records = Records::open(&dir).map_err(|error| SendError::Failed(format!("nothing was sent: {error}")))?;
    let records = Arc::new(records);
    let (read_only, repeat) = (*read_only, settings.messaging.repeat);
    let config = tasks::Config { read_only, repeat, ..tasks::Config::new(Arc::clone(&records), profile.clone()) };
    let mut wire = TaskClient::start(config, target).map_err(|error| SendError::Failed(error.to_string()))?;

    let templates = wire.ask(Request::ListTemplates { sender_id: args.sender })?;
    let templates = templates.reply(Reply::list_templates).ok_or_else(SendError::odd)?;
    let template = templates.into_iter().find(|template| template.id.known() == Some(&args.template));
    let Some(template) = template else {
        return Err(SendError::NotReady(format!("sender {} has no template {}", args.sender, args.template)));
    };
    // Not every server lists its senders and the account; what they would tell is for people.
    let senders = wire.ask(Request::ListSenders).ok().and_then(|answer| answer.reply(Reply::list_senders));
    let sender = senders.into_iter().flatten().find(|sender| sender.id.known() == Some(&args.sender));
    let account = wire.ask(Request::GetAccount).ok().and_then(|answer| answer.reply(Reply::get_account));
    let balance = account.and_then(|account| account.total_balance.known().copied());
    if let Some(why) = obstacle(sender.as_ref(), &template) {
        return Err(SendError::NotReady(format!("nothing was sent: {why}")));
    }
    let ready = SendContext {
        wire,
        records,
        state_dir: dir,
        profile,
        keep_text: settings.messaging.keep_text,
        repeat,
        letter: letter(args, &template, country),
        template: TemplateName { id: args.template, name: template_name(&template) },
        is_code: is_code(&template),
        sender,
        balance,
    };
    Ok((ready, log))
}

fn letter(args: &Args, template: &Template, country: Option<String>) -> TemplateMessage {
    let preview = Preview::of(template);
    for mismatch in preview.mismatches() {
        warn(&format!("the template: {mismatch}"));
    }
    TemplateMessage { sender_id: args.sender, template_id: args.template, preview, country }
}

impl SendError {
    /// The task channel has answered something else than what was asked.
    fn odd() -> Self {
        Self::Failed("internal error: a reply was lost".to_owned())
    }
}

fn minute(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// Tells something that does not keep the command from going on.
fn warn(what: &dyn fmt::Display) {
    say(&format!("warning: {what}"));
}

/// A line for the user, cleaned. A reader who has gone away does not stop a message half way.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", clean(line));
}

/// A line of the result, cleaned.
fn tell(line: &str) {
    let _ = writeln!(std::io::stdout(), "{}", clean(line));
}

/// A line of JSON. A reader who has gone away does not stop a message half way; a full device fails.
fn tell_json(line: &str) -> Result<(), SendError> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(SendError::Failed(format!("the output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}
