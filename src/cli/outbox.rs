//! `switchboard outbox`: every send that was confirmed on this machine, and what became of it. It needs no server.

use super::{USAGE, columns, refuse};
use crate::config::Environment;
use crate::messaging::Outcome;
use crate::messaging::batch::write_csv;
use crate::records::{Content, Entry, FILE_NAME, Intent, Mark, Records, RecordsError};
use crate::ui::text;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use jiff::Timestamp;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use uuid::Uuid;

/// Entries that the table has where no limit is given.
const TABLE: u32 = 100;

/// List or export sent messages, or record the outcome of one.
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    change: Option<OutboxCommand>,
    /// List only messages sent with this profile (`sandbox` for the sandbox).
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// List only messages with an unknown outcome, with their ids.
    #[arg(long)]
    unknown: bool,
    /// Newest messages to list; default: 100 in the table, all in an export.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u32>,
    /// Print one JSON object per line.
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV.
    #[arg(long)]
    csv: bool,
}

#[derive(Debug, Subcommand)]
enum OutboxCommand {
    /// Record what you found out about a message with an unknown outcome.
    Mark {
        /// Id of the message, from `outbox --unknown`.
        id: Uuid,
        /// Whether the message was sent.
        #[arg(value_name = "sent|not-sent", hide_possible_values = true)]
        found: MarkArg,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum MarkArg {
    Sent,
    NotSent,
}

/// Lists, exports or marks: 0, 1 where the outbox fails or has no such entry, 2 for a mistake in how it was called.
///
/// # Errors
/// Where the outbox cannot be read or written, or stdout not be written.
pub fn run(args: &Args, env: &Environment) -> color_eyre::Result<ExitCode> {
    let Some(dir) = env.state_dir() else {
        return Ok(refuse(&"no home folder, so no outbox", ExitCode::from(USAGE)));
    };
    if let Some(OutboxCommand::Mark { id, found }) = args.change {
        let mark = match found {
            MarkArg::Sent => Mark::Sent,
            MarkArg::NotSent => Mark::NotSent,
        };
        let records = open(dir)?.ok_or(RecordsError::NotThere(id))?;
        records.mark(id, mark, Timestamp::now())?;
        return Ok(ExitCode::SUCCESS);
    }
    let entries = entries(args, dir)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.json {
        entries.iter().try_for_each(|entry| writeln!(out, "{}", json(entry)?))?;
    } else if args.csv {
        out.write_all(csv(&entries)?.as_bytes())?;
    } else {
        out.write_all(table(&entries, args.unknown).as_bytes())?;
    }
    out.flush()?;
    if !args.json && !args.csv && args.limit.is_none() && entries.len() == TABLE as usize {
        eprintln!("These are the newest {TABLE}; --limit shows more.");
    }
    Ok(ExitCode::SUCCESS)
}

/// The records; `None` where nothing was ever kept, since opening would make them.
fn open(dir: &Path) -> Result<Option<Records>, RecordsError> {
    dir.join(FILE_NAME).exists().then(|| Records::open(dir)).transpose()
}

fn entries(args: &Args, dir: &Path) -> color_eyre::Result<Vec<Entry>> {
    let Some(records) = open(dir)? else { return Ok(Vec::new()) };
    let limit = args.limit.unwrap_or(if args.json || args.csv { u32::MAX } else { TABLE });
    let profile = args.profile.as_deref();
    Ok(if args.unknown { records.unknown(profile, limit) } else { records.outbox(profile, limit) }?)
}

/// An entry as it is exported: the same names in JSON and CSV. A field that is not known is null or empty.
#[derive(Debug, Default, Serialize)]
struct ExportRow<'e> {
    id: String,
    /// When it was recorded, in UTC.
    began: String,
    ended: Option<String>,
    profile: Cow<'e, str>,
    /// `template`, `freeform` or `call`.
    kind: &'static str,
    sender_id: Option<i64>,
    sender: Option<Cow<'e, str>>,
    assistant_id: Option<i64>,
    assistant: Option<Cow<'e, str>>,
    phone: Cow<'e, str>,
    name: Option<Cow<'e, str>>,
    template_id: Option<i64>,
    template: Option<Cow<'e, str>>,
    batch: Option<String>,
    line: Option<u64>,
    outcome: &'static str,
    mark: Option<&'static str>,
    http_status: Option<u16>,
    error_code: Option<Cow<'e, str>>,
    detail: Option<Cow<'e, str>>,
    conversation_id: Option<i64>,
    message_id: Option<i64>,
    msgapp_message_id: Option<i64>,
    message_sid: Option<Cow<'e, str>>,
    call_id: Option<i64>,
    status: Option<Cow<'e, str>>,
    text: Option<Cow<'e, str>>,
}

impl<'e> From<&'e Entry> for ExportRow<'e> {
    fn from(entry: &'e Entry) -> Self {
        let intent = &entry.intent;
        let calls = intent.is_call();
        let optional = |text: &'e Option<String>| text.as_deref().map(Cow::Borrowed);
        let line = Self {
            id: intent.id.to_string(),
            began: entry.began.to_string(),
            ended: entry.ended.map(|ended| ended.to_string()),
            profile: (&intent.profile).into(),
            kind: kind(intent),
            sender_id: (!calls).then_some(intent.sender_id),
            sender: (!calls).then_some((&intent.sender).into()),
            assistant_id: calls.then_some(intent.sender_id),
            assistant: calls.then_some((&intent.sender).into()),
            phone: (&intent.phone).into(),
            name: optional(&intent.name),
            template_id: intent.template().map(|template| template.id),
            template: intent.template().map(|template| (&template.name).into()),
            batch: intent.row.as_ref().map(|row| row.batch.to_string()),
            line: intent.row.as_ref().map(|row| row.line),
            outcome: outcome(entry),
            mark: entry.mark.map(marked),
            text: optional(&intent.text),
            ..Self::default()
        };
        match &entry.outcome {
            None => line,
            Some(Outcome::Unknown { why }) => Self { detail: Some(why.into()), ..line },
            Some(Outcome::Refused(refusal) | Outcome::NotSent(refusal)) => Self {
                http_status: refusal.status,
                error_code: refusal.code.as_ref().map(|code| code.as_str().into()),
                detail: Some((&refusal.words).into()),
                ..line
            },
            Some(Outcome::Accepted(accepted)) => Self {
                conversation_id: accepted.conversation_id,
                message_id: accepted.message_id,
                msgapp_message_id: accepted.msgapp_message_id,
                message_sid: optional(&accepted.message_sid),
                call_id: accepted.call_id,
                status: optional(&accepted.status),
                ..line
            },
        }
    }
}

/// What others wrote steers no terminal.
fn harmless(cell: &str) -> String {
    cell.lines().map(text::clean).collect::<Vec<_>>().join("\n")
}

/// An entry as a line of JSON.
///
/// # Errors
/// Where it has no form in JSON.
pub(super) fn json(entry: &Entry) -> io::Result<String> {
    Ok(harmless_json(&serde_json::to_string(&ExportRow::from(entry))?))
}

/// JSON in which what a terminal would obey is written as an escape, so that it reads back as it was.
pub(super) fn harmless_json(json: &str) -> String {
    let mut line = String::new();
    for letter in json.chars() {
        let mut encoded = [0; 4];
        let encoded = letter.encode_utf8(&mut encoded);
        if text::clean(encoded) == *encoded {
            line.push(letter);
        } else {
            line.extend(encoded.encode_utf16().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    line
}

fn csv(entries: &[Entry]) -> color_eyre::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // The writer takes its header from the first row, which is dropped below.
    writer.serialize(ExportRow::default())?;
    entries.iter().try_for_each(|entry| writer.serialize(ExportRow::from(entry)))?;
    let written = writer.into_inner()?;
    let mut reader = csv::Reader::from_reader(written.as_slice());
    let header: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let rows: Vec<Vec<String>> = reader
        .records()
        .skip(1)
        .map(|row| Ok(row?.iter().map(harmless).collect()))
        .collect::<Result<_, csv::Error>>()?;
    Ok(write_csv(&header, rows.iter().map(|row| row.iter().map(String::as_str))))
}

/// A line for each, in columns; ids only where they are wanted, since they are long.
fn table(entries: &[Entry], ids: bool) -> String {
    let head = ["ID", "TIME", "PROFILE", "FROM", "TO", "NAME", "WHAT", "OUTCOME", "DETAIL"].map(str::to_owned);
    let rows = entries.iter().map(|entry| {
        let intent = &entry.intent;
        let what = intent.template().map_or(kind(intent), |template| &template.name);
        [
            intent.id.to_string(),
            entry.began.strftime("%Y-%m-%d %H:%M:%SZ").to_string(),
            text::clean(&intent.profile).into_owned(),
            text::clean(&intent.sender).into_owned(),
            text::clean(&intent.phone).into_owned(),
            text::clean(intent.name.as_deref().unwrap_or_default()).into_owned(),
            text::clean(what).into_owned(),
            entry.mark.map_or(outcome(entry).to_owned(), |mark| {
                format!("unknown, marked {}", marked(mark).replace('-', " "))
            }),
            text::clean(&detail(entry)).into_owned(),
        ]
    });
    columns(&std::iter::once(head).chain(rows).collect::<Vec<_>>(), usize::from(!ids))
}

fn kind(intent: &Intent) -> &'static str {
    match intent.content {
        Content::Template(_) => "template",
        Content::Freeform => "freeform",
        Content::Call => "call",
    }
}

fn outcome(entry: &Entry) -> &'static str {
    match &entry.outcome {
        None => "waiting",
        Some(Outcome::Accepted(_)) => "accepted",
        Some(Outcome::Refused(_)) => "refused",
        Some(Outcome::NotSent(_)) => "not sent",
        Some(Outcome::Unknown { .. }) => "unknown",
    }
}

fn marked(mark: Mark) -> &'static str {
    match mark {
        Mark::Sent => "sent",
        Mark::NotSent => "not-sent",
    }
}

fn detail(entry: &Entry) -> String {
    match &entry.outcome {
        None => String::new(),
        Some(Outcome::Unknown { why }) => why.clone(),
        Some(Outcome::Refused(refusal) | Outcome::NotSent(refusal)) => match &refusal.code {
            Some(code) => format!("{}: {}", code.as_str(), refusal.words),
            None => refusal.words.clone(),
        },
        Some(Outcome::Accepted(accepted)) => {
            let parts = [&accepted.status, &accepted.message_sid];
            parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ")
        }
    }
}
