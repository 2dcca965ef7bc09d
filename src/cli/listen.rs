//! `switchboard listen`: receives webhooks on this machine and prints each one until stopped.

use super::{LAST_WORK, USAGE, refuse};
use crate::api::{SigningSecret, WebhookEvent};
use crate::config::{Environment, private_file};
use crate::receiver::{self, Arrival, DEFAULT_PORT, Delivery, Options, Rejected, Signature, StartError, Subject};
use crate::ui::json;
use crate::ui::terminal::ansi;
use crate::ui::text::{clean, is_hostile};
use crate::ui::theme::Theme;
use clap::Args as ClapArgs;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::style::Color;
use ratatui::text::{Line, Span};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::convert::Infallible;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::signal::unix::{SignalKind, signal};
use url::Url;

/// The environment variable with the signing secret.
const SECRET_VARIABLE: &str = "SWITCHBOARD_WEBHOOK_SECRET";

const AFTER_HELP: &str = "\
Environment:
  SWITCHBOARD_WEBHOOK_SECRET  the signing secret, unless a flag gives one

Checks signatures of Standard Webhooks (webhook-signature) and X-Signature-256. Without --forward, every delivery is \
answered with 200. The receiver listens on 127.0.0.1 only: a server elsewhere needs a tunnel to it.";

/// Receive webhooks on this machine: show each, check its signature, forward it.
#[derive(Debug, ClapArgs)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Port on 127.0.0.1; 0 picks a free port.
    #[arg(long, value_name = "NUMBER", default_value_t = DEFAULT_PORT)]
    port: u16,
    /// Forward every delivery to this URL, and answer with its status.
    #[arg(long, value_name = "URL")]
    forward: Option<Url>,
    /// Signing secret. Other users of this machine can see it: prefer the environment or --secret-file.
    #[arg(long, value_name = "SECRET", value_parser = secret, conflicts_with = "secret_file")]
    secret: Option<SigningSecret>,
    /// File with the signing secret; only you may be able to read it (chmod 600).
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

// clap expects a fallible parser.
#[expect(clippy::unnecessary_wraps, reason = "signature expected by clap")]
fn secret(text: &str) -> Result<SigningSecret, Infallible> {
    Ok(SigningSecret::new(text))
}

/// Receives until SIGINT or SIGTERM, or until stdout is closed. Exits with 0 then, with 1 if the port is in use, and with
/// 2 for a usage error.
///
/// # Errors
/// If the runtime or the signal handlers cannot be set up, or stdout cannot be written.
pub fn run(args: Args, env: &Environment) -> color_eyre::Result<ExitCode> {
    let secret = match signing_secret(&args, env) {
        Ok(secret) => secret,
        Err(mistake) => return Ok(refuse(&mistake, ExitCode::from(USAGE))),
    };
    let unchecked = secret.is_none();
    let forward_to = args.forward.as_ref().map(|url| clean(url.as_str()).into_owned());
    let options = Options { port: args.port, secret, forward: args.forward, now: Box::new(Timestamp::now) };
    let out =
        Output { json: args.json, colours: io::stdout().is_terminal() && !env.no_color(), zone: TimeZone::system() };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let (receiver, mut arrivals) = match receiver::start(options).await {
            Ok(started) => started,
            Err(error @ StartError::Listen(..)) => return Ok(refuse(&error, ExitCode::FAILURE)),
            Err(error @ StartError::Forward(_)) => return Ok(refuse(&error, ExitCode::from(USAGE))),
        };
        // stdout is reserved for deliveries.
        eprintln!("Listening on {}  (Ctrl-C ends)", receiver.url());
        if let Some(url) = forward_to {
            eprintln!("Forwarding to {url}");
        }
        if unchecked {
            eprintln!("Signatures are not checked: no secret in {SECRET_VARIABLE} or --secret-file");
        }
        loop {
            let arrival = tokio::select! {
                _ = interrupt.recv() => break,
                _ = terminate.recv() => break,
                arrival = arrivals.recv() => arrival,
            };
            let Some(arrival) = arrival else { break };
            match out.print(&arrival) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
                printed => printed?,
            }
        }
        Ok(ExitCode::SUCCESS)
    });
    runtime.shutdown_timeout(LAST_WORK);
    ended
}

/// The secret given by a flag, or else by the environment.
fn signing_secret(args: &Args, env: &Environment) -> Result<Option<SigningSecret>, String> {
    let secret = if let Some(path) = &args.secret_file {
        let text = private_file(path).map_err(|why| format!("the secret file {} {why}", path.display()))?;
        Some(SigningSecret::new(&text))
    } else {
        args.secret.clone().or_else(|| env.var(SECRET_VARIABLE).map(SigningSecret::new))
    };
    match secret {
        Some(secret) if secret.expose().is_empty() => Err("the signing secret is empty".to_owned()),
        secret => Ok(secret),
    }
}

/// How arrivals are printed.
struct Output {
    json: bool,
    colours: bool,
    zone: TimeZone,
}

impl Output {
    fn print(&self, arrival: &Arrival) -> io::Result<()> {
        let text = if self.json { json_line(arrival)? } else { self.for_people(arrival) };
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// A summary line with the body below it, without control characters.
    fn for_people(&self, arrival: &Arrival) -> String {
        let theme = Theme::terminal(Color::Reset);
        let lines = match arrival {
            Arrival::Delivery(delivery) => {
                let body = body(&delivery.body, &theme);
                std::iter::once(self.summary(delivery, &theme)).chain(body).collect()
            }
            Arrival::Rejected(Rejected { received_at, method, path, status }) => {
                let text = format!("{}  {method} {path}  {status}  rejected", self.time(*received_at));
                vec![Line::styled(clean(&text).into_owned(), theme.failed)]
            }
        };
        let shown = |line: &Line<'_>| if self.colours { ansi(line) } else { line.to_string() };
        lines.iter().map(|line| shown(line) + "\n").collect()
    }

    fn summary(&self, delivery: &Delivery, theme: &Theme) -> Line<'static> {
        let event = delivery.event.as_ref().map_or("unknown event", WebhookEvent::as_str);
        let subject = match delivery.subject {
            Some(Subject::Conversation(id)) => format!("  conversation {id}"),
            Some(Subject::Call(id)) => format!("  call {id}"),
            None => String::new(),
        };
        let answered = match &delivery.forward {
            None => delivery.status.to_string(),
            Some(Ok(status)) => format!("{status} forwarded"),
            Some(Err(why)) => format!("{} not forwarded: {}", delivery.status, clean(why)),
        };
        let signed = match delivery.signature {
            Signature::Valid => theme.good,
            Signature::Invalid(_) => theme.failed,
            Signature::Missing | Signature::NoSecret => theme.warning,
        };
        Line::from(vec![
            Span::styled(self.time(delivery.received_at), theme.dim),
            Span::styled(format!("  {}", clean(event)), theme.strong),
            Span::raw(format!("{subject}  {answered}  ")),
            Span::styled(delivery.signature.to_string(), signed),
        ])
    }

    fn time(&self, at: Timestamp) -> String {
        at.to_zoned(self.zone.clone()).strftime("%H:%M:%S").to_string()
    }
}

/// The body, indented by two columns.
fn body(text: &str, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = match serde_json::from_str::<&RawValue>(text) {
        Ok(_) => json::lines(text, theme, usize::MAX),
        Err(_) => text.lines().map(|line| Line::raw(clean(line).into_owned())).collect(),
    };
    for line in &mut lines {
        line.spans.insert(0, Span::raw("  "));
    }
    lines
}

/// A delivery for programs. Unknown fields are null.
#[derive(Serialize)]
struct JsonDelivery<'d> {
    number: u64,
    received_at: Timestamp,
    path: &'d str,
    webhook_id: Option<&'d str>,
    event: Option<&'d str>,
    conversation_id: Option<String>,
    call_id: Option<i64>,
    status: u16,
    forward_error: Option<&'d str>,
    signature: &'static str,
    signature_detail: String,
    headers: Map<String, Value>,
    body: JsonBody<'d>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonBody<'d> {
    /// Verbatim, so that numbers keep their spelling.
    Json(&'d RawValue),
    Text(&'d str),
}

impl<'d> From<&'d Delivery> for JsonDelivery<'d> {
    fn from(delivery: &'d Delivery) -> Self {
        let (conversation_id, call_id) = match delivery.subject {
            Some(Subject::Conversation(id)) => (Some(id.to_string()), None),
            Some(Subject::Call(id)) => (None, Some(id)),
            None => (None, None),
        };
        let headers = delivery.headers.iter().map(|(name, value)| (name.clone(), value.as_str().into()));
        Self {
            number: delivery.number,
            received_at: delivery.received_at,
            path: &delivery.path,
            webhook_id: delivery.webhook_id.as_deref(),
            event: delivery.event.as_ref().map(WebhookEvent::as_str),
            conversation_id,
            call_id,
            status: delivery.status,
            forward_error: delivery.forward.as_ref().and_then(|answered| answered.as_ref().err()).map(String::as_str),
            signature: delivery.signature.word(),
            signature_detail: delivery.signature.to_string(),
            headers: headers.collect(),
            body: serde_json::from_str(&delivery.body).map_or(JsonBody::Text(&delivery.body), JsonBody::Json),
        }
    }
}

/// The arrival as one line of JSON.
fn json_line(arrival: &Arrival) -> io::Result<String> {
    let json = match arrival {
        Arrival::Delivery(delivery) => serde_json::to_string(&JsonDelivery::from(&**delivery))?,
        Arrival::Rejected(Rejected { received_at, method, path, status }) => {
            serde_json::json!({"received_at": received_at, "method": method, "path": path, "rejected": status})
                .to_string()
        }
    };
    let mut line = String::with_capacity(json.len() + 1);
    for char in json.chars() {
        match char {
            // Whitespace between tokens; inside strings it is escaped already.
            '\n' | '\r' | '\t' => line.push(' '),
            hostile if is_hostile(hostile) => {
                line.extend(hostile.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
            }
            char => line.push(char),
        }
    }
    Ok(line + "\n")
}
