//! `switchboard deliveries`: the webhook deliveries of a database, whether or not a service runs on it.

use super::{USAGE, columns};
use crate::api::WebhookDelivery;
use crate::service::store::Store;
use crate::service::{Data, events};
use clap::Args as ClapArgs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// List webhook deliveries, or resend one.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Database file of `serve`.
    #[arg(long, value_name = "PATH")]
    data: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Newest deliveries to list.
    #[arg(long, value_name = "NUMBER", default_value_t = 100)]
    limit: u32,
    /// Resend this delivery: a service running on the database sends it within 15 seconds, else the next to start.
    #[arg(long, value_name = "ID", conflicts_with_all = ["json", "limit", "secrets"])]
    resend: Option<i64>,
    /// Print the signing secret of each user instead.
    #[arg(long, conflicts_with = "limit")]
    secrets: bool,
}

/// Lists or resends: 0, 1 where the database fails or has no such delivery, 2 where there is no such file.
///
/// # Errors
/// Where the database cannot be read or written, or stdout not be written.
pub fn run(args: &Args) -> color_eyre::Result<ExitCode> {
    // Opening would make a file that is not there.
    if !args.data.is_file() {
        return Ok(super::refuse(&format!("there is no file {}", args.data.display()), ExitCode::from(USAGE)));
    }
    let store = Store::open(&Data::File(args.data.clone()))?;
    if let Some(id) = args.resend {
        if store.resend(None, id)? {
            return Ok(ExitCode::SUCCESS);
        }
        return Ok(super::refuse(
            &format!("there is no delivery {id}, or its assistant was deleted"),
            ExitCode::FAILURE,
        ));
    }
    let text = if args.secrets { secrets(&store, args.json)? } else { list(&store, args)? };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn list(store: &Store, args: &Args) -> color_eyre::Result<String> {
    let deliveries = store.deliveries(None, args.limit)?;
    Ok(if args.json { serde_json::to_string_pretty(&deliveries)? + "\n" } else { table(&deliveries) })
}

fn secrets(store: &Store, json: bool) -> color_eyre::Result<String> {
    let mut secrets = serde_json::Map::new();
    for (user_id, email) in store.user_emails()? {
        secrets.insert(email, events::of_user(store, user_id)?.expose().into());
    }
    if json {
        return Ok(serde_json::to_string_pretty(&secrets)? + "\n");
    }
    let rows: Vec<_> = secrets.iter().map(|(email, secret)| format!("{}  {}\n", clean(email), text(secret))).collect();
    Ok(rows.concat())
}

fn text(value: &serde_json::Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A line for each, in columns.
fn table(deliveries: &[WebhookDelivery]) -> String {
    let head = ["ID", "CREATED", "EVENT", "SUBJECT", "STATUS", "TRIED", "URL", "LAST ERROR"].map(str::to_owned);
    let rows = deliveries.iter().map(|delivery| {
        [
            delivery.id.to_string(),
            delivery.created_at.0.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            delivery.event.as_str().to_owned(),
            delivery.subject.clone(),
            delivery.status.as_str().to_owned(),
            delivery.attempts.to_string(),
            clean(&delivery.url),
            clean(delivery.last_error.as_deref().unwrap_or_default()),
        ]
    });
    columns(&std::iter::once(head).chain(rows).collect::<Vec<_>>(), 0)
}

/// What others wrote does not steer the terminal.
fn clean(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{IsoTimestamp, WebhookDeliveryStatus, WebhookEvent};

    #[test]
    fn the_table_lines_up_and_shows_no_control_characters() {
        let delivery = WebhookDelivery {
            id: 7,
            event: WebhookEvent::ConversationEnded,
            subject: "conversation:12".to_owned(),
            webhook_id: "msg_1".to_owned(),
            url: "http://h/\u{1b}[2J".to_owned(),
            status: WebhookDeliveryStatus::Pending,
            attempts: 2,
            last_error: Some("the receiver answered 500".to_owned()),
            last_attempt_at: None,
            next_attempt_at: None,
            delivered_at: None,
            created_at: IsoTimestamp("2026-11-21T12:00:00Z".parse().unwrap()),
        };
        assert_eq!(
            table(&[delivery]),
            "ID  CREATED              EVENT               SUBJECT          STATUS   TRIED  URL            LAST ERROR\n\
             7   2026-11-21 12:00:00  conversation_ended  conversation:12  pending  2      http://h/\u{fffd}[2J  the \
             receiver answered 500\n"
        );
    }
}
